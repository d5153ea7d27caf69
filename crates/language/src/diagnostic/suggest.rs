//! "Did you mean …?": the known name nearest to a misspelt one.

use super::lookalike;

/// Finds the candidate that `name` most likely meant, if one is near enough to be worth suggesting.
///
/// A candidate is near enough if at most a third of the letters differ, where a transposition
/// counts as one difference and case does not matter. A candidate that looks exactly like `name` is
/// the nearest.
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let allowed = name.chars().count() / 3;
    let alike = lookalike::word(name);
    let distance = |candidate: &str| match &alike {
        Some(alike) if alike == candidate => 0,
        _ => distance(name, candidate),
    };
    candidates
        .into_iter()
        // The name itself is no correction, even if it is known in another role.
        .filter(|candidate| *candidate != name)
        .map(|candidate| (distance(candidate), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

fn distance(a: &str, b: &str) -> usize {
    strsim::damerau_levenshtein(&a.to_lowercase(), &b.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn finds_the_nearest_and_only_near_ones() {
        assert_eq!(
            did_you_mean("tictactoo", ["tug", "tictactoe"]),
            Some("tictactoe")
        );
        assert_eq!(
            did_you_mean("advantge", ["marker", "advantage"]),
            Some("advantage")
        );
        assert_eq!(did_you_mean("xyzzy", ["tug", "hex"]), None);
        assert_eq!(did_you_mean("y", ["A", "E"]), None);
        assert_eq!(did_you_mean("e", ["A", "E"]), Some("E"));
        assert_eq!(
            did_you_mean("Е", ["A", "E"]),
            Some("E"),
            "the first is Cyrillic"
        );
        assert_eq!(did_you_mean("hll", ["hill", "all"]), Some("hill"));
    }
}
