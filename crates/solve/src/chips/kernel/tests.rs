//! Comparisons of every kernel with one bid played literally, for all thresholds after it and all
//! small totals.

use super::*;
use crate::player::PerPlayer;
use crate::rules::{Purses, Tie, settle, tie};

const MOST: u64 = 5;

/// One bid after which a player has won or not, by given thresholds.
struct OneBid<'a> {
    rules: &'a Rules,
    seeker: Player,
    scale: Scale,
    total: u64,
    won: [u64; 2],
    lost: [u64; 2],
}

impl OneBid<'_> {
    fn good(&self, purses: &Purses, bids: PerPlayer<u64>) -> bool {
        let after = |winner: Player| {
            let after = settle(self.rules, purses, bids, winner);
            let raw = if winner == self.seeker {
                self.won
            } else {
                self.lost
            };
            self.scale.reached(
                raw,
                after.chips[self.seeker],
                after.status == Some(self.seeker),
                self.total,
            )
        };
        if bids.alice != bids.bob {
            return after(if bids.alice > bids.bob {
                Player::Alice
            } else {
                Player::Bob
            });
        }
        match tie(self.rules, purses) {
            Tie::Goes(player) => after(player),
            Tie::ChosenBy(player) if player == self.seeker => {
                after(Player::Alice) || after(Player::Bob)
            }
            Tie::ChosenBy(_) => after(Player::Alice) && after(Player::Bob),
            Tie::Coin | Tie::Nobody => unreachable!("not among the rules tested"),
        }
    }

    fn bids(&self, own: u64, other: u64) -> PerPlayer<u64> {
        PerPlayer::of(self.seeker, own, other)
    }

    fn forced(&self, purses: &Purses) -> bool {
        let (own, others) = (purses.chips[self.seeker], purses.chips[self.seeker.other()]);
        (0..=own).any(|x| (0..=others).all(|y| self.good(purses, self.bids(x, y))))
    }

    fn unpreventable(&self, purses: &Purses) -> bool {
        let (own, others) = (purses.chips[self.seeker], purses.chips[self.seeker.other()]);
        (0..=others).all(|y| (0..=own).any(|x| self.good(purses, self.bids(x, y))))
    }
}

/// Returns all pairs of thresholds that are possible after a bid.
fn thresholds(kernel: Kernel, total: u64) -> Vec<([u64; 2], [u64; 2])> {
    let [low, high] = [
        kernel.scale().always(total + 1),
        kernel.scale().never(total + 1),
    ];
    let mut raws = Vec::new();
    for first in low[0]..=high[0] {
        raws.extend((low[1]..=high[1]).map(|second| [first, second]));
    }
    let pairs = raws
        .iter()
        .flat_map(|&won| raws.iter().map(move |&lost| (won, lost)));
    pairs
        .filter(|(won, lost)| !needs_order(kernel) || won[0] <= lost[0])
        .collect()
}

/// Returns whether the kernel assumes that winning the bid is no worse than losing it, which is the
/// case if the winner chooses.
fn needs_order(kernel: Kernel) -> bool {
    matches!(
        kernel,
        Kernel::HalfAdvantage | Kernel::HalfMakeIt | Kernel::Richer(_)
    )
}

fn compute(kernel: Kernel, preventing: bool, bid: &OneBid) -> [u64; 2] {
    let lanes = kernel.scale().slots();
    let mut out = vec![0_u32; lanes];
    let row = |raw: [u64; 2]| {
        raw[..lanes]
            .iter()
            .map(|&value| value as u32)
            .collect::<Vec<_>>()
    };
    kernel.apply(
        preventing,
        &row(bid.won),
        &row(bid.lost),
        &[bid.total as u32 + 1],
        &mut out,
    );
    [
        u64::from(out[0]),
        out.get(1).map_or(0, |&second| u64::from(second)),
    ]
}

/// Compares a kernel with literal play. Returns whether forcing and preventing differed anywhere.
fn holds_literally(ties: TieBreak, winner: Winner, seeker: Player) -> bool {
    let rules = Rules {
        ties,
        winner,
        ..Rules::default()
    };
    let kernel = Kernel::of(&rules, seeker);
    let scale = kernel.scale();
    let mut gap = false;
    for total in 0..=MOST {
        let all: Vec<Purses> = Purses::of_total(rules.ties, total).collect();
        for (won, lost) in thresholds(kernel, total) {
            let bid = OneBid {
                rules: &rules,
                seeker,
                scale,
                total,
                won,
                lost,
            };
            let (forcing, preventing) = (
                compute(kernel, false, &bid),
                compute(kernel, kernel.has_gap(), &bid),
            );
            for purses in &all {
                let reached = |raw| {
                    scale.reached(
                        raw,
                        purses.chips[seeker],
                        purses.status == Some(seeker),
                        total,
                    )
                };
                let context =
                    || format!("{rules:?} {seeker:?} k = {total}, {won:?} or {lost:?}, {purses:?}");
                assert_eq!(
                    reached(forcing),
                    bid.forced(purses),
                    "forcing, {}",
                    context()
                );
                assert_eq!(
                    reached(preventing),
                    bid.unpreventable(purses),
                    "preventing, {}",
                    context()
                );
                gap |= reached(forcing) != reached(preventing);
            }
        }
    }
    gap
}

#[test]
fn every_kernel_is_one_bid_played_literally() {
    for ties in TieBreak::certain() {
        for winner in [Winner::Chooses, Winner::Moves] {
            for seeker in Player::BOTH {
                let gap = holds_literally(ties, winner, seeker);
                let expected = Kernel::of(
                    &Rules {
                        ties,
                        winner,
                        ..Rules::default()
                    },
                    seeker,
                )
                .has_gap();
                assert_eq!(gap, expected, "{ties:?} {winner:?} {seeker:?}");
            }
        }
    }
}

/// Checks the case distinction of Theorem 3.7, with the lesser of f_A and f_B for f_A.
#[test]
fn the_advantage_is_theorem_3_7() {
    for (lo, hi) in (0..40_u64).flat_map(|hi| (0..=hi).map(move |lo| (lo, hi))) {
        let sum = lo / 2 + hi / 2;
        let epsilon = match (sum.is_multiple_of(2), lo % 2 == 0) {
            (true, true) => 0,
            (false, false) => 2,
            (true, false) | (false, true) => 1,
        };
        let mut out = [0_u64];
        Kernel::HalfAdvantage.apply(false, &[lo], &[hi], &[100], &mut out);
        assert_eq!(out[0], 2 * (sum / 2) + epsilon, "lo = {lo}, hi = {hi}");
    }
}

/// Checks make-it take-it with the case distinction of the appendix, whose odd cases have to ask
/// about f_B: as printed, about f_A, it is wrong.
#[test]
fn make_it_take_it_is_the_appendix_corrected() {
    let half = |lo: u64, hi: u64, odd_cases_ask: u64| {
        let sum = lo / 2 + hi / 2;
        let asked = if sum.is_multiple_of(2) {
            hi
        } else {
            odd_cases_ask
        };
        let delta = match (sum.is_multiple_of(2), asked % 2 == 1) {
            (true, true) | (false, false) => 1,
            (true, false) => 0,
            (false, true) => 2,
        };
        2 * (sum / 2) + delta
    };
    let mut printed_differs = false;
    for (lo, hi) in (0..40_u64).flat_map(|hi| (0..=hi).map(move |lo| (lo, hi))) {
        let mut out = [0_u64];
        Kernel::HalfMakeIt.apply(false, &[lo], &[hi], &[100], &mut out);
        assert_eq!(out[0], half(lo, hi, hi), "lo = {lo}, hi = {hi}");
        printed_differs |= out[0] != half(lo, hi, lo);
    }
    assert!(printed_differs);
}

/// Raises all thresholds after a bid by whole chips. Returns `true` if some threshold before the bid
/// rises by more.
fn increases_distances(kernel: Kernel, rules: &Rules, seeker: Player, preventing: bool) -> bool {
    let scale = kernel.scale();
    let mut increases = false;
    for total in 0..=MOST {
        let never = scale.never(total + 1);
        for (won, lost) in thresholds(kernel, total) {
            let before = |distance: u64| {
                let raised =
                    |raw: [u64; 2]| [0, 1].map(|slot| (raw[slot] + distance).min(never[slot]));
                let (won, lost) = (raised(won), raised(lost));
                let bid = OneBid {
                    rules,
                    seeker,
                    scale,
                    total,
                    won,
                    lost,
                };
                compute(kernel, preventing, &bid)
            };
            let known = before(0);
            for distance in (1..=total).map(|chips| chips * scale.units()) {
                let more = before(distance);
                increases |= (0..2).any(|slot| more[slot] > known[slot] + distance);
            }
        }
    }
    increases
}

#[test]
fn kernels_keep_distances() {
    for ties in TieBreak::certain() {
        for (winner, seeker) in [
            (Winner::Chooses, Player::Alice),
            (Winner::Chooses, Player::Bob),
            (Winner::Moves, Player::Alice),
            (Winner::Moves, Player::Bob),
        ] {
            let rules = Rules {
                ties,
                winner,
                ..Rules::default()
            };
            let kernel = Kernel::of(&rules, seeker);
            for preventing in [false, kernel.has_gap()] {
                let increases = increases_distances(kernel, &rules, seeker, preventing);
                assert_eq!(!increases, kernel.keeps_distances(), "{rules:?} {seeker:?}");
            }
        }
    }
}

#[test]
fn wide_and_narrow_lanes_agree() {
    for kernel in [
        Kernel::Marker,
        Kernel::Advantage,
        Kernel::LosersBall,
        Kernel::Split(Player::Bob),
    ] {
        for (won, lost) in thresholds(kernel, MOST) {
            let (mut narrow, mut wide) = ([0_u32; 2], [0_u64; 2]);
            kernel.apply(false, &won, &lost, &[MOST + 1], &mut wide);
            kernel.apply(
                false,
                &won.map(|x| x as u32),
                &lost.map(|x| x as u32),
                &[MOST as u32 + 1],
                &mut narrow,
            );
            assert_eq!(narrow.map(u64::from), wide);
        }
    }
}
