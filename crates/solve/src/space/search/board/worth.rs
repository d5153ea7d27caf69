//! Bounds of a position's value that follow from the values of its moves, and bounds that are known
//! before its moves are generated.
//!
//! Values are thresholds of one component, from 0 (the seeker wins in any case) to `top` (never).
//! F(m, M) is the value of a position from the best that the seeker can move to and the best that
//! the opponent can; it is monotone in both ([`bounds`](super::super::bounds)).
//!
//! # Corners
//! F(m, M) ≤ t if and only if m ≤ a and M ≤ b for one of the *corners* (a, b) of t: the pairs with
//! F(a, b) ≤ t of which neither can be raised. *Proof.* A pair with F ≤ t lies below one that
//! cannot be raised; and a pair below a corner has F ≤ t, because F is monotone. ∎ If corners are
//! sorted by increasing a, b decreases. So once m > a is known all corners up to a are excluded,
//! and once M > b is known, all from b on.
//!
//! # Wins at once
//! Where the seeker can complete a line, m = 0; where the opponent can, M = top. Let the seeker
//! have two ways to win of which no single move of the opponent's takes both, and the opponent
//! none, at a position where a bid decides. After any move of the opponent's the game has not
//! ended: the opponent completes nothing, and the board is not full, because one of the two cells
//! is still empty. There the seeker can win at once, so m = 0 and the value is at most F(0, top).
//! Hence M ≤ F(0, top), and the value before is at most F(0, F(0, top)). In the same way, with two
//! ways of the opponent's and none of the seeker's, m ≥ F(0, top), and the value is at least F(F(0,
//! top), top). ∎
//!
//! Without chips, under the advantage, this means: a player with two ways to win wins against an
//! opponent with none, with or without the advantage; and if both can win, the holder of the
//! advantage does. The rest of forced replies follows from the same bounds: a move that leaves the
//! opponent a win is worth so little that only the moves that take the win away are searched.
//!
//! Where some positions have an owner, an owner with a way to win wins, and an owner without one
//! loses if the other player has two and moves next.

use super::table::ValueBounds;
use super::turns::TurnOwners;

/// The greatest pair of values that answers a question with yes.
pub type Corner = (u8, u8);

/// The function F with the tables that are derived from it.
#[derive(Debug, Clone)]
pub struct WorthTable {
    /// The value of a position that the opponent has won.
    pub top: u8,
    width: usize,
    values: Vec<u8>,
    /// The corners of each question.
    corners: Vec<Vec<Corner>>,
    /// The bounds by the ways to win of the seeker and of the opponent, where every position has a
    /// bid.
    expected: [[ValueBounds; 3]; 3],
}

impl WorthTable {
    /// Creates the tables from F.
    pub fn new(top: u8, value: impl Fn(u8, u8) -> u8) -> Self {
        let width = usize::from(top) + 1;
        let values: Vec<u8> = (0..=top)
            .flat_map(|m| (0..=top).map(move |others| (m, others)))
            .map(|(m, o)| value(m, o))
            .collect();
        let mut made = Self {
            top,
            width,
            values,
            corners: Vec::new(),
            expected: [[ValueBounds::anything(top); 3]; 3],
        };
        made.corners = (0..top).map(|most| made.corners_of(most)).collect();
        for (seeker, opponent) in
            (0..3).flat_map(|seeker| (0..3).map(move |opponent| (seeker, opponent)))
        {
            made.expected[seeker][opponent] = made.expect(seeker, opponent);
        }
        made
    }

    /// Returns F(m, M).
    #[inline]
    pub fn value(&self, m: u8, others: u8) -> u8 {
        self.values[usize::from(m) * self.width + usize::from(others)]
    }

    fn corners_of(&self, most: u8) -> Vec<Corner> {
        let mut corners: Vec<Corner> = Vec::new();
        for m in 0..=self.top {
            let Some(others) = (0..=self.top)
                .rev()
                .find(|others| self.value(m, *others) <= most)
            else {
                continue;
            };
            // F is monotone, so a greater m never allows a greater M. Equal ones make the earlier
            // pair useless.
            while corners.pop_if(|corner| corner.1 <= others).is_some() {}
            corners.push((m, others));
        }
        corners
    }

    /// Returns the corners of a question. `most` must be less than `top`, for which the answer is
    /// always yes.
    #[inline]
    pub fn corners(&self, most: u8) -> &[Corner] {
        &self.corners[usize::from(most)]
    }

    fn expect(&self, seeker: usize, opponent: usize) -> ValueBounds {
        let [mut m, mut others] = [ValueBounds::anything(self.top); 2];
        if seeker > 0 {
            m.high = 0;
        }
        if opponent > 0 {
            others.low = self.top;
        }
        // If the opponent can win as well, that comes first, and nothing follows from two ways.
        if seeker == 2 && opponent == 0 {
            others.high = self.value(0, self.top);
        }
        if opponent == 2 && seeker == 0 {
            m.low = self.value(0, self.top);
        }
        m.zip(others, |m, others| self.value(m, others))
    }

    /// Returns the bounds of a position where each side has these numbers of ways to win, with 2
    /// for two ways of which no single move takes both. `owners` is `None` where no position has an
    /// owner.
    #[inline]
    pub fn expects(&self, ways: [usize; 2], owners: Option<TurnOwners>) -> ValueBounds {
        let Some(TurnOwners { here, then }) = owners else {
            return self.expected[ways[0]][ways[1]];
        };
        match here {
            // After a move it may be either player's turn, so two ways imply no more than one does.
            None => self.expected[ways[0].min(1)][ways[1].min(1)],
            Some(owner) if ways[owner] > 0 => ValueBounds::won_by(owner, self.top),
            Some(owner) if ways[1 - owner] == 2 && then[owner] == Some(1 - owner) => {
                ValueBounds::won_by(1 - owner, self.top)
            }
            Some(_) => ValueBounds::anything(self.top),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns tables for the advantage in half chips and for make-it take-it, for some totals.
    fn some_worths() -> impl Iterator<Item = (u8, WorthTable)> {
        let half = |m: u8, others: u8| m.min(others).div_ceil(2) + m.max(others) / 2;
        let make_it = |m: u8, others: u8| m.min(others) / 2 + m.max(others).div_ceil(2);
        (1..12).flat_map(move |beyond| {
            [
                (2 * beyond, WorthTable::new(2 * beyond, half)),
                (2 * beyond, WorthTable::new(2 * beyond, make_it)),
            ]
        })
    }

    #[test]
    fn corners_say_what_the_values_say() {
        for (top, worths) in some_worths() {
            for (m, others) in (0..=top).flat_map(|m| (0..=top).map(move |others| (m, others))) {
                for most in 0..top {
                    let below = worths
                        .corners(most)
                        .iter()
                        .any(|(a, b)| m <= *a && others <= *b);
                    assert_eq!(
                        below,
                        worths.value(m, others) <= most,
                        "{top} {m} {others} {most}"
                    );
                }
            }
            for corners in (0..top).map(|most| worths.corners(most)) {
                assert!(
                    corners
                        .windows(2)
                        .all(|two| two[0].0 < two[1].0 && two[0].1 > two[1].1),
                    "{corners:?}"
                );
            }
        }
    }

    /// Checks wins without chips: two ways to win beat an opponent with none; if both can win, the
    /// holder of the advantage does.
    #[test]
    fn wins_at_once_without_chips() {
        let worths = WorthTable::new(2, |m, others| m.min(others).div_ceil(2) + m.max(others) / 2);
        let known = |low, high| ValueBounds { low, high };
        assert_eq!(worths.expects([2, 0], None), known(0, 0));
        assert_eq!(worths.expects([0, 2], None), known(2, 2));
        for ways in [[1, 1], [2, 1], [1, 2], [2, 2]] {
            assert_eq!(worths.expects(ways, None), known(1, 1));
        }
        assert_eq!(worths.expects([1, 0], None), known(0, 1));
        assert_eq!(worths.expects([0, 1], None), known(1, 2));
    }
}
