//! Small numbers as bits: a word of bits tells which of 64 values are at most 0, another one which
//! are at most 1, and so on.
//!
//! The lesser of two is at most t if one of them is, the greater if both are: so the best of rows
//! takes one instruction for 64 values.
//!
//! # Lemma
//! Let F be a function of two of the numbers 0 to P that is monotone in both. Then F(x, y) ≤ t if
//! and only if x ≤ a and y ≤ b for one of the pairs (a, b) with F(a, b) ≤ t.
//!
//! *Proof.* If F(x, y) ≤ t take a = x and b = y. If x ≤ a and y ≤ b then F(x, y) ≤ F(a, b) ≤ t. ∎
//!
//! Pairs that lie below another such pair can be left out, so for each t there is one pair for each
//! a at most. If F(x, y) = F(y, x), let x be the lesser of the two: then the pairs with a ≤ b are
//! enough, as x ≤ b follows from y ≤ b.

use std::collections::BTreeMap;

use bytemuck::{Pod, Zeroable};
use smallvec::SmallVec;

use super::Slot;
use super::cells::{Cells, Rule};
use super::endings::{ENDINGS, EndingWord};
use super::kernel::Best;
use super::row::{OPPONENT, RowSteps, SEEKER};
use crate::convert::fit;
use crate::law::Law;

/// The number of values of a word.
const WORD: usize = u64::BITS as usize;

/// A number that can be represented in a few bits.
pub trait Small: Slot {
    /// Converts a count to the number.
    fn small(value: usize) -> Self;

    /// Converts the number to a count.
    fn count(self) -> usize;
}

/// 64 numbers N, from 0 to P.
#[derive(Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Planes<N, const P: usize>
where
    N: 'static,
{
    /// The numbers that are at most t, by t.
    at_most: [u64; P],
    number: std::marker::PhantomData<N>,
}

impl<N, const P: usize> Clone for Planes<N, P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<N, const P: usize> Copy for Planes<N, P> {}

/// The greatest P, and the greatest number of pairs of bounds: one for each t and each number.
const GREATEST: usize = 2;
const MOST_PAIRS: usize = GREATEST * (GREATEST + 1);

/// The conditions under which a settled value is at most t: pairs of bounds for each t, one of
/// which the best values of both sides must satisfy.
#[derive(Debug)]
pub struct SettlingBounds<const P: usize> {
    /// If set, the two sides can be exchanged. Then the pairs are about the lesser and the greater
    /// of both best values, which are fewer.
    is_symmetric: bool,
    pairs: [[u8; 2]; MOST_PAIRS],
    /// The end of the pairs of each t.
    ends: [usize; P],
}

impl<const P: usize> SettlingBounds<P> {
    /// Computes the bounds of a monotone function of two numbers from 0 to `greatest`.
    fn of(greatest: usize, value: impl Fn(usize, usize) -> usize) -> Self {
        // Greater numbers do not occur, and the theory need not be defined for them.
        let value = |x: usize, y: usize| value(x.min(greatest), y.min(greatest));
        let is_monotone = |x: usize, y: usize| value(x, y) <= value(x + 1, y).min(value(x, y + 1));
        assert!(
            (0..P).all(|x| (0..P).all(|y| is_monotone(x, y))),
            "the lemma is about monotone functions"
        );
        let is_symmetric = (0..=P).all(|x| (0..x).all(|y| value(x, y) == value(y, x)));
        let mut bounds = Self {
            is_symmetric,
            pairs: [[0; 2]; MOST_PAIRS],
            ends: [0; P],
        };
        let mut count = 0;
        for most in 0..P {
            let mut above = None;
            // From the greatest x downward a pair is useful only if its y is greater than all
            // before it.
            for x in (0..=P).rev() {
                // For exchangeable sides x stands for the lesser number, so y is at least x.
                let least = if is_symmetric { x } else { 0 };
                let y = (least..=P).rev().find(|y| value(x, *y) <= most);
                if y > above {
                    (bounds.pairs[count], count) =
                        ([x, y.unwrap_or(0)].map(|bound| fit::<u8>(bound)), count + 1);
                    above = y;
                }
            }
            bounds.ends[most] = count;
        }
        bounds
    }

    /// Returns which of 64 settled values are at most 0, at most 1, and so on.
    #[inline(always)]
    fn settle(&self, seeker: &[u64; P], opponent: &[u64; P]) -> [u64; P] {
        // Every number is at most P.
        let (mut first, mut second) = ([u64::MAX; GREATEST + 2], [u64::MAX; GREATEST + 2]);
        for most in 0..P {
            let (own, other) = (seeker[most], opponent[most]);
            [first[most], second[most]] = if self.is_symmetric {
                [own | other, own & other]
            } else {
                [own, other]
            };
        }
        let mut settled = [0; P];
        let mut next = 0;
        for (settled, end) in settled.iter_mut().zip(self.ends) {
            for [x, y] in &self.pairs[next..end] {
                // The arrays have four entries, so that the mask saves the test of the index.
                *settled |= first[usize::from(x & 3)] & second[usize::from(y & 3)];
            }
            next = end;
        }
        settled
    }
}

impl<N: Small, const P: usize> Planes<N, P> {
    #[inline(always)]
    fn new(at_most: [u64; P]) -> Self {
        Self {
            at_most,
            number: std::marker::PhantomData,
        }
    }

    #[inline(always)]
    fn zip(mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        for (own, other) in self.at_most.iter_mut().zip(other.at_most) {
            *own = combine(*own, other);
        }
        self
    }

    /// Returns the numbers of the 64 contents that are `back` before those of a word, as far as
    /// they exist; the others are arbitrary.
    #[inline(always)]
    fn before(row: &[Self], word: usize, back: usize) -> Self {
        let (words, bits) = (back / WORD, back % WORD);
        let (near, far) = (
            &row[word.saturating_sub(words)],
            &row[word.saturating_sub(words + 1)],
        );
        Self::new(std::array::from_fn(|most| {
            // Two shifts replace one by 64 bits, which is not defined, if `bits` is 0.
            near.at_most[most] << bits | far.at_most[most] >> 1 >> (WORD - 1 - bits)
        }))
    }
}

/// Contents in one word from which steps within the row lead only to contents of earlier patches.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Patch {
    word: usize,
    contents: u64,
    /// The lengths of the steps, with the contents from which they lead, by side.
    back: [SmallVec<[(usize, u64); 4]>; 2],
}

impl Patch {
    /// Splits all contents of a row into patches, ordered by the length of the longest path along
    /// steps.
    fn all(within: &[RowSteps; 2], contents: usize) -> Vec<Self> {
        let mut longest = vec![0; contents];
        let mut patches = BTreeMap::<(usize, usize), Self>::new();
        for content in 0..contents {
            let heads = || {
                within
                    .iter()
                    .flat_map(|steps| steps.of(content))
                    .map(|head| *head as usize)
            };
            longest[content] = heads().map(|head| longest[head] + 1).max().unwrap_or(0);
            let (word, bit) = (content / WORD, 1 << (content % WORD));
            let patch = patches.entry((longest[content], word)).or_default();
            patch.word = word;
            patch.contents |= bit;
            for (back, steps) in patch.back.iter_mut().zip(within) {
                for far in steps
                    .of(content)
                    .iter()
                    .map(|head| content - *head as usize)
                {
                    match back.iter_mut().find(|(back, _)| *back == far) {
                        Some((_, contents)) => *contents |= bit,
                        None => back.push((far, bit)),
                    }
                }
            }
        }
        // Patches are ordered by the longest path, so all heads of a patch are settled before it.
        patches.into_values().collect()
    }
}

impl<N: Small, const P: usize> Cells for Planes<N, P> {
    type Number = N;
    type Law = SettlingBounds<P>;
    type Steps = Vec<Patch>;

    const CONTENTS: usize = WORD;

    fn law<T: Law<Number = N>>(theory: &T) -> SettlingBounds<P> {
        let greatest = ENDINGS
            .into_iter()
            .map(|ending| theory.ending(ending).count())
            .max()
            .unwrap_or(0);
        assert!(greatest <= P, "greater numbers take more bits");
        SettlingBounds::of(greatest, |seeker, opponent| {
            theory.settle(N::small(seeker), N::small(opponent)).count()
        })
    }

    fn steps(within: &[RowSteps; 2], contents: usize) -> Vec<Patch> {
        Patch::all(within, contents)
    }

    #[inline(always)]
    fn all(value: N) -> Self {
        let value = value.count();
        Self::new(std::array::from_fn(|most| {
            if value <= most { u64::MAX } else { 0 }
        }))
    }

    #[inline(always)]
    fn get(&self, content: usize) -> N {
        N::small(
            self.at_most
                .iter()
                .filter(|bits| *bits >> content & 1 == 0)
                .count(),
        )
    }

    #[inline(always)]
    fn set(&mut self, content: usize, value: N) {
        Self::write(std::slice::from_mut(self), 1 << content, value);
    }

    #[inline(always)]
    fn each_least(self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn each_greatest(self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn write(row: &mut [Self], contents: u64, value: N) {
        let value = value.count();
        for (most, bits) in row[0].at_most.iter_mut().enumerate() {
            *bits = if value <= most {
                *bits | contents
            } else {
                *bits & !contents
            };
        }
    }

    #[inline(always)]
    fn settle<T: Law<Number = N>>(
        rule: Rule<'_, T, Self>,
        patches: &Vec<Patch>,
        found: &[EndingWord],
        [seeker, opponent]: Best<'_, Self>,
        out: &mut [Self],
    ) {
        for (out, found) in out.chunks_mut(1).zip(found) {
            found
                .ended
                .iter()
                .zip(rule.ended)
                .for_each(|(ended, value)| Self::write(out, *ended, *value));
        }
        for Patch {
            word,
            contents,
            back,
        } in patches
        {
            let contents = found[*word].open & contents;
            if contents == 0 {
                continue;
            }
            let (mut seeker, mut opponent) = (seeker[*word], opponent[*word]);
            // Contents without the step get a value that changes nothing: one greater than all
            // others, or one less.
            for (back, from) in &back[SEEKER] {
                seeker = seeker.zip(&Self::before(out, *word, *back), |best, there| {
                    best | there & from
                });
            }
            for (back, from) in &back[OPPONENT] {
                opponent = opponent.zip(&Self::before(out, *word, *back), |best, there| {
                    best & (there | !from)
                });
            }
            let settled = rule.law.settle(&seeker.at_most, &opponent.at_most);
            for (bits, settled) in out[*word].at_most.iter_mut().zip(settled) {
                // The other bits of the word belong to patches settled before or later.
                *bits = *bits & !contents | settled & contents;
            }
        }
    }
}
