//! Rulesets as products of the parts that moves change.

use super::stored::indexed;
use super::{classic, compiled, without_symmetry};

/// Returns `true` if Connect Three on 6 × 3, with `said` in its lines replaced by `instead`, is its
/// own mirror image.
fn is_its_mirror_image(said: &str, instead: &str) -> bool {
    let source = classic("connect");
    assert!(source.contains(said), "{said} is among {source}");
    // Without the `symmetry` line, only the lines of the game show its symmetry.
    let ruleset = compiled(
        &without_symmetry(&source.replace(said, instead)),
        &[3, 6, 3],
    );
    let indexed = indexed(&ruleset).expect("columns have an index");
    let product = indexed
        .numbering
        .product(&ruleset, ruleset.start(), 6)
        .expect("a column is a component");
    assert_eq!(product.components.len(), 3);
    product.is_its_mirror_image()
}

#[test]
fn boards_are_their_mirror_images_or_not() {
    let (height, draw) = ("height(board, col) < rows", "draw if full(board)");
    assert!(is_its_mirror_image(draw, draw));
    let shorter = |column: u32| {
        format!("height(board, col) < rows and (col != {column} or height(board, col) < 5)")
    };
    let shorter = |column| {
        is_its_mirror_image(
            &format!("{height} {{ drop"),
            &format!("{} {{ drop", shorter(column)),
        )
    };
    let said = |instead: &str| is_its_mirror_image(draw, instead);
    assert_eq!([0, 1, 2].map(shorter), [false, true, false]);
    let full = |column: u32| {
        said(&format!(
            "draw if height(board, {column}) == rows or full(board)"
        ))
    };
    assert_eq!([0, 1, 2].map(full), [false, true, false]);
    assert!(said(
        "draw if height(board, 0) + height(board, 2) == 5 or full(board)"
    ));
    assert!(!said(
        "draw if height(board, 0) + 2 * height(board, 2) == 5 or full(board)"
    ));
    assert!(said("win alice if line(board, bob, 4)"));
}
