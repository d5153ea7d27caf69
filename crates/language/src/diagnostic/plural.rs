//! Numbers of things in messages: `1 position`, `2 positions`.

use std::fmt::Display;

/// Formats a number of things that a regular noun names, in the singular if there is one of them.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == N::from(1) {
        return format!("{count} {noun}");
    }
    let ending = if noun.ends_with('s') { "es" } else { "s" };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn only_one_thing_is_singular() {
        assert_eq!(counted(0_u64, "move"), "0 moves");
        assert_eq!(counted(1_usize, "move"), "1 move");
        assert_eq!(counted(2_i32, "class"), "2 classes");
    }
}
