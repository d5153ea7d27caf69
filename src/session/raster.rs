//! Draws pictures as pixels and as pages: `.png`, `.pdf`.
//!
//! Texts are set in DejaVu Sans, which is part of the program, so that pictures are the same on
//! every machine. Only for characters that it lacks are the machine's own fonts searched.

use std::collections::BTreeSet;
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::diagnostic::{Code, Diagnostic};
use crate::watch::Context;

/// The number of pixels for a unit of length, so that pictures are sharp in print.
const SCALE: f32 = 2.0;

/// Returns a picture as a PNG file.
///
/// # Errors
/// Returns an error if a character cannot be drawn, or the picture is too large.
pub fn png(svg: &str, context: &Context<'_>) -> Result<Vec<u8>, Diagnostic> {
    let tree = tree(svg)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at least a pixel, and too many are refused"
    )]
    let [width, height] = [tree.size().width(), tree.size().height()]
        .map(|length| (length * SCALE).ceil().max(1.0) as u32);
    // A pixel has four bytes: three colours and the opacity.
    context.admit(4 * u64::from(width) * u64::from(height))?;
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| too_large(width, height))?;
    let scaled = Transform::from_scale(SCALE, SCALE);
    resvg::render(&tree, scaled, &mut pixels.as_mut());
    context.check()?;
    pixels.encode_png().map_err(|_| too_large(width, height))
}

/// Returns a picture as a PDF file of one page.
///
/// # Errors
/// Returns an error if a character cannot be drawn, or the picture has no form on a page.
pub fn pdf(svg: &str, context: &Context<'_>) -> Result<Vec<u8>, Diagnostic> {
    let tree = tree(svg)?;
    context.check()?;
    let (pictures, pages) = Default::default();
    svg2pdf::to_pdf(&tree, pictures, pages).map_err(|error| {
        Diagnostic::new(
            Code::NotSupported,
            format!("this picture cannot be written as a page: {error}"),
        )
        .help("write it as .svg")
    })
}

/// Reads a picture with the fonts for its texts.
fn tree(svg: &str) -> Result<Tree, Diagnostic> {
    let mut fonts = fontdb::Database::new();
    for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("DejaVu Sans");
    // The machine's fonts take long to load, so they are searched only if they are needed.
    if !missing(svg, &fonts).is_empty() {
        fonts.load_system_fonts();
        fonts.set_sans_serif_family("DejaVu Sans");
        let missing = missing(svg, &fonts);
        if !missing.is_empty() {
            return Err(no_glyphs(&missing));
        }
    }
    let options = Options {
        fontdb: Arc::new(fonts),
        font_family: "DejaVu Sans".to_owned(),
        ..Options::default()
    };
    Tree::from_str(svg, &options).map_err(|error| {
        Diagnostic::new(
            Code::NotSupported,
            format!("this picture cannot be drawn: {error}"),
        )
        .help("write it as .svg")
    })
}

/// Returns the characters of a picture that no font has. A picture's own words need no font, but
/// every font has their letters.
fn missing(svg: &str, fonts: &fontdb::Database) -> BTreeSet<char> {
    let mut missing: BTreeSet<char> = svg.chars().filter(|c| !c.is_ascii()).collect();
    for face in fonts.faces() {
        if missing.is_empty() {
            break;
        }
        fonts.with_face_data(face.id, |data, index| {
            if let Ok(face) = ttf_parser::Face::parse(data, index) {
                missing.retain(|c| face.glyph_index(*c).is_none());
            }
        });
    }
    missing
}

fn no_glyphs(missing: &BTreeSet<char>) -> Diagnostic {
    let listed: Vec<String> = missing.iter().map(char::to_string).collect();
    Diagnostic::new(
        Code::NotSupported,
        format!(
            "no font of this machine has the characters {}",
            listed.join(" ")
        ),
    )
    .help("install a font that has them, or write the picture as .svg")
}

fn too_large(width: u32, height: u32) -> Diagnostic {
    Diagnostic::new(
        Code::Memory,
        format!("a picture of {width} × {height} pixels is too large"),
    )
    .help("write it as .svg or .pdf")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\" \
        font-family=\"sans-serif\" font-size=\"12\">\
        <rect width=\"100%\" height=\"100%\" fill=\"white\"/>";

    fn picture(text: &str) -> String {
        format!("{HEAD}<text x=\"2\" y=\"15\">{text}</text></svg>")
    }

    #[test]
    fn texts_are_drawn_with_the_font_of_the_program() {
        let drawn = |text: &str| {
            let file = png(&picture(text), Context::plain()).expect("it is drawn");
            Pixmap::decode_png(&file).expect("it is a picture")
        };
        let [empty, words] = ["", "A² ∧ B"].map(drawn);
        assert_eq!((words.width(), words.height()), (120, 40));
        let dark = |pixels: &Pixmap| pixels.pixels().iter().filter(|p| p.red() < 128).count();
        assert_eq!(dark(&empty), 0);
        assert!(dark(&words) > 100, "{}", dark(&words));
    }

    #[test]
    fn pages_hold_their_texts() {
        let page = pdf(&picture("A² ∧ B"), Context::plain()).expect("it is drawn");
        assert!(page.starts_with(b"%PDF-"));
        let has = |words: &[u8]| page.windows(words.len()).any(|part| part == words);
        assert!(has(b"DejaVuSans"), "the font is part of the page");
    }

    #[test]
    fn characters_without_a_font_are_named() {
        // This character is assigned to private use, so no font of a machine has it.
        let wrong = png(&picture("A\u{10FFFD}"), Context::plain());
        let wrong = wrong.expect_err("it cannot be drawn");
        assert!(wrong.message.contains('\u{10FFFD}'), "{}", wrong.message);
    }
}
