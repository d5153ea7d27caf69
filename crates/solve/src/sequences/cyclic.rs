//! The sequences of positions on cycles, by the theorems of Develin & Payne (2010).
//!
//! # Theorem
//! Let M be such that M·R(v) and M·Δ(v) are integers for every position v that can be reached, with
//! R the Richman value and Δ = |R_B − R_A|/2. Write f^A for the thresholds where Alice is
//! restricted to stable play ([`Stable`]) and may be *underbid* wherever Δ > 0: Bob may let her win
//! the bid outright even if she bids 0 ([`Underbid`]); and f^B where the same holds of Bob. f^A ≥ f
//! ≥ f^B. If for a total k
//!
//! 1. with this play, Alice wins with all k chips, whoever has the tie status, wherever R < 1, and
//!    Bob keeps her from winning with all k chips, whoever has it, wherever R > 0, and
//! 2. f^A(v, k) = f(v, k) = f^B(v, k),
//!
//! then both hold for k + M, and f(v, k + M) = f(v, k) + M·R(v). So a *window* of M consecutive
//! totals for which they hold settles all that follow.
//!
//! *Proof.* Theorems 3.13 and 3.14: bid M·Δ more, and keep M·R(w) more chips than in the play with
//! k chips, at every position w. Their proof omits two points. A bid x = 0 becomes M·Δ, against
//! which the opponent can bid less; with k chips nothing is less than 0. That is being underbid,
//! and the play with k chips is good against it; the bids for k + M chips are 1 or more wherever
//! Δ > 0, so that neither player can underbid them. And the opponent may make bids that he can pay
//! only with the additional chips. After such a bid he has fewer than his share of M chips left,
//! and by 1 the player goes on as from all k chips, with one chip to spare; each further such bid
//! leaves one more to spare, so there are finitely many. Therefore f^A(w, k + M) ≤ f^A(w, k) +
//! M·R(w) wherever R(w) < 1, and similarly for f^B, which gives 1 for k + M, and with 2 the
//! equations. ∎
//!
//! The thresholds are those from which Alice *forces* her win, by bids that Bob replies to, as in
//! the proof. Under the marker, which may be a burden, the thresholds from which she cannot be
//! prevented may differ, and nothing is claimed of them; the chips that she needs not to lose
//! follow from those that Bob needs to win. Under `ties: richer` M·R(w) more chips of k + M in all
//! can change which player is the richer, unless R(w) = 1/2, and the proof does not hold.
//!
//! (Without the first condition a window proves nothing: under loser's ball there are games of 35
//! positions that are counterexamples.) The only property of the rule for ties that is used is that
//! it depends on the holder of the status and not on the numbers of chips.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

use super::lift::ThresholdSequences;
use super::sequence::Sequence;
use super::stable::Stable;
use crate::chips::{Kernel, Play, Thresholds, Underbid};
use crate::convert::fit;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::game::{GameGraph, GameGraphBuilder, NodeId};
use crate::player::Player;
use crate::richman;
use crate::rules::{FieldValue, Rules, TieBreak, Winner};
use crate::watch::{Asking, Context};

/// The player who is restricted to stable decisions, if any.
pub(super) type StablePlayer = Option<Player>;

/// The greatest number of totals that are tried.
const MOST_TOTALS: u64 = 1 << 16;

/// The number of bytes of a threshold in all tables of a window together.
const CELL: u64 = 4 * size_of::<u32>() as u64;

/// The number of positions and totals that are examined between two checks.
const STEADY: usize = 1 << 12;

/// Consecutive totals for which the conditions of the theorem hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settling {
    /// The first of them, for the position for which they begin last.
    pub from: u64,
    /// The number M of these totals.
    pub period: u64,
}

/// Finds the sequences of some positions on cycles, for the seeker.
pub(super) fn forms(
    graph: &GameGraph,
    rules: &Rules,
    seeker: Player,
    kept: StablePlayer,
    nodes: &[NodeId],
    context: &Context<'_>,
) -> Result<(Vec<ThresholdSequences>, Settling)> {
    if let Some(why) = not_covered(rules, seeker) {
        return Err(why);
    }
    let values = richman::Values::solve(graph, rules, context)?;
    let limit = context.limits.max_memory;
    let slots = Kernel::of(rules, seeker).scale().slots() as u64;
    // All tables of a window are held at once, so the memory allowed bounds the number of totals.
    let most = MOST_TOTALS.min(limit / (CELL * slots * graph.len() as u64));
    let denominator = common_denominator(graph, &values, context)?;
    // The tables have to hold a window and at least as many totals before it.
    let period = denominator.to_u64().filter(|&period| period <= most / 2);
    let Some(period) = period else {
        return Err(too_long(&denominator, most, limit));
    };
    // One period is for the window and one for the totals before it; the 32 are for short periods.
    let mut totals = (2 * period + 32).min(most);
    loop {
        let window = Window::solve(graph, rules, seeker, kept, &values, totals, context)?;
        let found: Option<Vec<u64>> = nodes
            .iter()
            .map(|&node| window.start(node, period))
            .collect();
        if let Some(starts) = found {
            let settling = Settling {
                from: starts.iter().copied().max().unwrap_or(0),
                period,
            };
            let form = |(&node, start)| window.form(node, start, period);
            return Ok((nodes.iter().zip(starts).map(form).collect(), settling));
        }
        // Larger tables would exceed the bound that was computed from the memory.
        if totals == most {
            return Err(undecided(most, period));
        }
        // Doubling keeps the work of all attempts within a small multiple of that of the last one.
        totals = (2 * totals).min(most);
    }
}

/// The length of a period, in bits, beyond which it is not computed: no window is nearly as long.
const MOST_PERIOD_BITS: u64 = 256;

/// Computes the least M for which M·R and M·Δ are integers everywhere, or a divisor of it that is
/// longer than any period may be.
fn common_denominator(
    graph: &GameGraph,
    values: &richman::Values,
    context: &Context<'_>,
) -> Result<BigInt> {
    let two = BigRational::from_integer(2.into());
    let mut common = BigInt::one();
    for node in graph.nodes() {
        context.check()?;
        // A number of this length is refused as a period in any case, so its exact value does not
        // matter.
        if common.bits() > MOST_PERIOD_BITS {
            break;
        }
        let value = values.value(node);
        common = common.lcm(value.denom());
        let best = Player::both(|player| values.best(graph, node, player));
        if let [Some(alice), Some(bob)] = best {
            common = common.lcm(((values.value(bob) - values.value(alice)).abs() / &two).denom());
        }
    }
    Ok(common)
}

/// The thresholds of all play and of stable play for the totals 0, 1, ….
struct Window<'a> {
    graph: &'a GameGraph,
    values: &'a richman::Values,
    seeker: Player,
    totals: u64,
    /// The thresholds of all play, and those of the theorem for Alice and for Bob.
    thresholds: [Thresholds; 3],
    /// The thresholds where one player is restricted to stable play, if they are asked for.
    kept: Option<Thresholds>,
    /// `true` for each total for which condition 1 of the theorem holds.
    steady: Vec<bool>,
}

impl<'a> Window<'a> {
    fn solve(
        graph: &'a GameGraph,
        rules: &Rules,
        seeker: Player,
        kept: StablePlayer,
        values: &'a richman::Values,
        totals: u64,
        context: &Context<'_>,
    ) -> Result<Self> {
        let lanes: Vec<u64> = (0..totals).collect();
        let all = Thresholds::solve_reaching(graph, rules, seeker, &lanes, None, context)?;
        // The theorem lets a player be underbid only where Δ > 0.
        let unequal: Vec<bool> = graph
            .nodes()
            .map(|node| has_unequal_sides(graph, values, node))
            .collect();
        let stable = |player: Player, underbid: bool| {
            let stable = Stable::new(graph, values, player);
            let movers: Vec<_> = graph
                .nodes()
                .map(|node| stable.movers(node, seeker, rules))
                .collect();
            let who = if player == seeker {
                Underbid::Seeker
            } else {
                Underbid::Opponent
            };
            let play = Play {
                movers: &movers,
                underbid: underbid.then_some((who, &unequal[..])),
            };
            Thresholds::solve_reaching(
                &kept_to(graph, &stable),
                rules,
                seeker,
                &lanes,
                Some(play),
                context,
            )
        };
        let thresholds = [
            all,
            stable(Player::Alice, true)?,
            stable(Player::Bob, true)?,
        ];
        // The answer about stable play is without underbidding, which serves the proof only.
        let kept = kept.map(|player| stable(player, false)).transpose()?;
        let mut window = Self {
            graph,
            values,
            seeker,
            totals,
            thresholds,
            kept,
            steady: Vec::new(),
        };
        let mut asking = Asking::every(STEADY, context);
        for total in 0..totals {
            asking.step(graph.len())?;
            // Condition 1 is about all positions at once, so it is evaluated once per total.
            window.steady.push(window.is_steady(total));
        }
        Ok(window)
    }

    /// Checks condition 1, for the seeker and the opponent.
    fn is_steady(&self, total: u64) -> bool {
        let [own, others] =
            [self.seeker, self.seeker.other()].map(|player| &self.thresholds[slot(player)]);
        let lane = fit::<usize>(total);
        self.graph.nodes().all(|node| {
            let (sure, hopeless) = self.extremes(node);
            Player::BOTH.into_iter().all(|holder| {
                // All chips are enough if the threshold is at most the total, and without chips the
                // seeker cannot force a win if it is at least 1.
                (hopeless || own.forces(node, holder, lane) <= total)
                    && (sure || others.forces(node, holder, lane) >= 1)
            })
        })
    }

    /// Returns whether the seeker wins with nothing, and whether the seeker never wins, by the
    /// Richman value.
    fn extremes(&self, node: NodeId) -> (bool, bool) {
        let (least, most) = (
            self.values.compare_halves(node, 0).is_eq(),
            self.values.compare_halves(node, 2).is_eq(),
        );
        if self.seeker == Player::Alice {
            (least, most)
        } else {
            (most, least)
        }
    }

    /// Returns the total from which on the conditions hold at a position, if they do for a whole
    /// window.
    fn start(&self, node: NodeId, period: u64) -> Option<u64> {
        let holds = |total: u64| {
            let [all, alice, bob] = &self.thresholds;
            let raw = |thresholds: &Thresholds| thresholds.raw(node, fit::<usize>(total));
            self.steady[fit::<usize>(total)] && raw(all) == raw(alice) && raw(all) == raw(bob)
        };
        // The start follows the last total that fails, because the conditions are needed without a
        // gap.
        let start = (0..self.totals)
            .rev()
            .find(|&total| !holds(total))
            .map_or(0, |last| last + 1);
        (self.totals - start >= period).then_some(start)
    }

    fn form(&self, node: NodeId, start: u64, period: u64) -> ThresholdSequences {
        let thresholds = self.kept.as_ref().unwrap_or(&self.thresholds[0]);
        let scale = thresholds.scale();
        let value = self.values.value(node);
        // The Richman value is Alice's share; Bob's share is the rest.
        let value = if self.seeker == Player::Alice {
            value
        } else {
            BigRational::one() - value
        };
        let chips = (value * BigRational::from_integer(period.into()))
            .to_integer()
            .to_u64()
            .expect("a part of the period");
        let increment = scale.units() * chips;
        let sequence = |slot: usize| {
            let raw = |total: u64| {
                u32::try_from(thresholds.raw(node, fit::<usize>(total))[slot])
                    .expect("a total is at most a place in a table")
            };
            Sequence::new(
                // One period after the start is enough: the theorem gives all later values.
                (0..start + period).map(raw).collect(),
                fit::<usize>(period),
                increment,
            )
        };
        (0..scale.slots()).map(sequence).collect()
    }
}

fn slot(player: Player) -> usize {
    match player {
        Player::Alice => 1,
        Player::Bob => 2,
    }
}

/// Returns whether Δ > 0, so that it matters which player wins the bid.
fn has_unequal_sides(graph: &GameGraph, values: &richman::Values, node: NodeId) -> bool {
    let best = Player::both(|player| values.best(graph, node, player));
    matches!(best, [Some(alice), Some(bob)] if values.compare(alice, bob).is_ne())
}

/// Returns the graph with only the moves of stable play.
fn kept_to(graph: &GameGraph, stable: &Stable<'_>) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for node in graph.nodes() {
        let [alice, bob] = Player::both(|player| stable.moves(node, player));
        builder.push(graph.ending(node), &alice, &bob);
    }
    builder.finish(graph.start())
}

/// Returns the error that names the missing theorem, if one is missing.
fn not_covered(rules: &Rules, seeker: Player) -> Option<Box<Diagnostic>> {
    let missing = match (rules.winner, rules.ties) {
        (Winner::Moves, _) => {
            "the theorem that settles all large totals lets the winner of a bid decide who moves; a player who has to move may want to lose the bid, \
             and no theorem is known for that"
        }
        (Winner::Chooses, TieBreak::Richer) => {
            "the theorem that settles all large totals gives a position of Richman value R the part R of the chips that are added; this can make \
             the poorer player the richer one, unless R is 1/2, and no theorem is known for that"
        }
        (Winner::Chooses, TieBreak::Attached) => {
            "the theorem that settles all large totals is about rules by which bids and their winner say where the tie status goes, and no theorem \
             is known for a marker that may be attached to a bid"
        }
        (Winner::Chooses, TieBreak::Marker) if seeker == Player::Bob => {
            "the theorem that settles all large totals is about wins that are forced; under the marker what Bob cannot force and what Alice can \
             prevent may differ, and no theorem is known for the latter"
        }
        (
            Winner::Chooses,
            TieBreak::Advantage
            | TieBreak::Marker
            | TieBreak::MakeItTakeIt
            | TieBreak::LosersBall
            | TieBreak::LadiesFirst
            | TieBreak::GentlemenFirst
            | TieBreak::Coin
            | TieBreak::Nobody,
        ) => return None,
    };
    let (_, ties) = FieldValue::Ties(rules.ties).words();
    let winner = if rules.winner == Winner::Moves {
        ", `winner: moves`"
    } else {
        ""
    };
    let draws = if seeker == Player::Bob {
        ", `draws: alice`"
    } else {
        ""
    };
    let what = format!(
        "there is no closed form of a game with cycles under `ties: {ties}`{winner}{draws}"
    );
    let help = "ask for a range of totals, `f(G, 0..1000)`, or use `ties: advantage` and `winner: chooses`";
    Some(
        Diagnostic::new(Code::NotSupported, what)
            .note(missing)
            .help(help)
            .into(),
    )
}

fn too_long(period: &BigInt, most: u64, limit: u64) -> Box<Diagnostic> {
    let length = if period.bits() > MOST_PERIOD_BITS {
        format!("that may be longer than 2^{MOST_PERIOD_BITS}")
    } else {
        format!("of up to {period}")
    };
    let told = format!("the closed form of this game, which has cycles, has a period {length}");
    if most < MOST_TOTALS {
        return Diagnostic::new(Code::Memory, format!("stopped: {told}, too long for {limit} bytes"))
            .help("raise the limit with `--max-memory SIZE`, or ask for a range of totals, `f(G, 0..1000)`")
            .into();
    }
    Diagnostic::new(
        Code::NotSupported,
        format!("{told}, and the search for windows stops at {MOST_TOTALS} chips"),
    )
    .help("ask for a range of totals, `f(G, 0..1000)`")
    .into()
}

fn undecided(most: u64, period: u64) -> Box<Diagnostic> {
    let window = match period {
        1 => "no total".to_owned(),
        _ => format!("no {period} totals in a row"),
    };
    let have = if period == 1 { "has" } else { "have" };
    Diagnostic::new(
        Code::NotSupported,
        format!(
            "undecided: {window} below k = {most} {have} stable play at every position on a cycle"
        ),
    )
    .note("such a window would settle all larger totals (Develin & Payne, Theorems 3.12 to 3.14)")
    .help("ask for a range of totals, `f(G, 0..1000)`")
    .into()
}
