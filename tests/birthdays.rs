//! The numbers of games by birthday, counted without any of the program's arithmetic.

use std::collections::HashSet;

/// Thresholds in half chips for the totals 0, 1, …; all games of the days below have periods of 16
/// or less.
type Row = Vec<u32>;

const TOTALS: u32 = 96;

/// Returns the pointwise best row of every non-empty set of rows.
fn sets(rows: &[Row], better: fn(u32, u32) -> u32) -> HashSet<Row> {
    let mut found = HashSet::new();
    for members in 1..1_u32 << rows.len() {
        let chosen = rows
            .iter()
            .enumerate()
            .filter(|(index, _)| members >> index & 1 == 1)
            .map(|(_, row)| row.clone());
        let best = chosen.reduce(|a, b| a.iter().zip(&b).map(|(&a, &b)| better(a, b)).collect());
        found.extend(best);
    }
    found
}

/// Computes Theorem 3.7 of Develin & Payne, also for zugzwang.
fn step(alice: &Row, bob: &Row) -> Row {
    alice
        .iter()
        .zip(bob)
        .map(|(&m, &n)| m.min(n).div_ceil(2) + m.max(n) / 2)
        .collect()
}

#[test]
fn games_by_birthday() {
    let mut rows: Vec<Row> = vec![
        vec![0; TOTALS as usize],
        (0..TOTALS).map(|total| 2 * (total + 1)).collect(),
    ];
    let mut counts = vec![rows.len()];
    for _ in 1..=4 {
        let (alice, bob) = (sets(&rows, u32::min), sets(&rows, u32::max));
        let born: HashSet<Row> = alice
            .iter()
            .flat_map(|m| bob.iter().map(move |n| step(m, n)))
            .collect();
        rows = born
            .into_iter()
            .chain(rows)
            .collect::<HashSet<_>>()
            .into_iter()
            .collect();
        rows.sort();
        counts.push(rows.len());
    }
    assert_eq!(counts, [2, 3, 5, 11, 83]);
    let mut session = bid::session::Session::new(
        Box::new(bid_language::files::Nowhere),
        std::sync::Arc::default(),
    );
    let mut shown = Vec::new();
    session.run_text(
        "days",
        "[len(games(birthday: n)) for n in 0..4]",
        &mut |_, event| {
            if let bid::session::SessionEvent::Value(value) = event {
                shown.push(value.to_string());
            }
        },
    );
    assert_eq!(shown, ["[2, 3, 5, 11, 83]"]);
}
