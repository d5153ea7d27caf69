//! What the values of a board's moves say about its own, and what is known of a position before its
//! moves are made.
//!
//! Values are thresholds of one component, from 0 (the seeker wins whatever happens) to `top`
//! (never). F(m, M) is the value of a position from the best that the seeker can move to and the
//! best that the opponent can; it is monotone in both ([`bounds`](super::super::bounds)).
//!
//! # Corners
//! F(m, M) ≤ t if and only if m ≤ a and M ≤ b for one of the *corners* (a, b) of t: the pairs with
//! F(a, b) ≤ t of which neither can be raised. *Proof.* A pair with F ≤ t lies below one that
//! cannot be raised; and what lies below a corner has F ≤ t, for F is monotone. ∎ Sorted by a they
//! fall in b. So once m > a is known all corners up to a are out, and once M > b is known, all from
//! b on.
//!
//! # Who can win at once
//! Where the seeker can complete a line, m = 0; where the opponent can, M = top. Let the seeker
//! have two ways to win of which no one move of the opponent's takes both, and the opponent none,
//! at a position where a bid decides. After whatever the opponent moves the game has not ended: the
//! opponent completes nothing, and the board is not full, for one of the two cells is still empty.
//! There the seeker can win at once, so m = 0 and the value is at most F(0, top). Hence M ≤ F(0,
//! top), and the value before is at most F(0, F(0, top)). In the same way, with two ways of the
//! opponent's and none of the seeker's, m ≥ F(0, top), and the value is at least F(F(0, top), top).
//! ∎
//!
//! Without chips, under the advantage, this says: whoever can win in two ways, and the opponent in
//! none, wins, with the advantage or without; and of two who can both win, the advantage's holder
//! does. What remains of forced replies follows from the same bounds: a move that leaves the
//! opponent a win is worth so little that only those that take it away are searched.
//!
//! Where turns are kept, the owner of a position with a way to win wins, and an owner without one
//! loses if the other has two and moves next.

use super::table::ValueBounds;
use super::turns::TurnOwners;

/// The pairs of values that answer a question with yes.
pub type Corner = (u8, u8);

/// How values follow from each other.
#[derive(Debug, Clone)]
pub struct WorthTable {
    /// The value of a position that the opponent has won.
    pub top: u8,
    width: usize,
    values: Vec<u8>,
    /// By question: its corners.
    corners: Vec<Vec<Corner>>,
    /// By the ways to win of the seeker and of the opponent, where every position has a bid.
    expected: [[ValueBounds; 3]; 3],
}

impl WorthTable {
    /// From F.
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
            expected: [[ValueBounds { low: 0, high: top }; 3]; 3],
        };
        made.corners = (0..top).map(|most| made.corners_of(most)).collect();
        for (seeker, opponent) in
            (0..3).flat_map(|seeker| (0..3).map(move |opponent| (seeker, opponent)))
        {
            made.expected[seeker][opponent] = made.expect(seeker, opponent);
        }
        made
    }

    /// F(m, M).
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
            while corners.pop_if(|corner| corner.1 <= others).is_some() {}
            corners.push((m, others));
        }
        corners
    }

    /// The corners of a question whose answer is not known of itself.
    #[inline]
    pub fn corners(&self, most: u8) -> &[Corner] {
        &self.corners[usize::from(most)]
    }

    fn expect(&self, seeker: usize, opponent: usize) -> ValueBounds {
        let (mut m, mut others) = (
            ValueBounds {
                low: 0,
                high: self.top,
            },
            ValueBounds {
                low: 0,
                high: self.top,
            },
        );
        if seeker > 0 {
            m.high = 0;
        }
        if opponent > 0 {
            others.low = self.top;
        }
        if seeker == 2 && opponent == 0 {
            others.high = self.value(0, self.top);
        }
        if opponent == 2 && seeker == 0 {
            m.low = self.value(0, self.top);
        }
        ValueBounds {
            low: self.value(m.low, others.low),
            high: self.value(m.high, others.high),
        }
    }

    /// What is known of a position where each side has so many ways to win, 2 for two of which no
    /// one move takes both. `owners` where some positions have an owner.
    #[inline]
    pub fn expects(&self, ways: [usize; 2], owners: Option<TurnOwners>) -> ValueBounds {
        let Some(TurnOwners { here, then }) = owners else {
            return self.expected[ways[0]][ways[1]];
        };
        let won = |side: usize| {
            if side == 0 {
                ValueBounds { low: 0, high: 0 }
            } else {
                ValueBounds {
                    low: self.top,
                    high: self.top,
                }
            }
        };
        match here {
            // After a move it may be anybody's turn: that there are two ways says no more than that
            // there is one.
            None => self.expected[ways[0].min(1)][ways[1].min(1)],
            Some(owner) if ways[owner] > 0 => won(owner),
            Some(owner) if ways[1 - owner] == 2 && then[owner] == Some(1 - owner) => won(1 - owner),
            Some(_) => ValueBounds {
                low: 0,
                high: self.top,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The advantage in half chips, and make-it take-it, for some totals.
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

    /// Without chips: two ways to win, and the opponent none, win; of two who can win, the
    /// advantage's holder does.
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
