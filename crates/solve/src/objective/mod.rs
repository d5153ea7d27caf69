//! Infinite play under real-valued bidding: Büchi, parity and mean-payoff objectives.
//!
//! Each objective is reduced to reachability. A player who is [`sure`] to win a game of random
//! turns wins by bids as well: by the [`region`]s of parity games, by the [`mean`] payoff of random
//! turns ([`level`]: as a function of the share of the money). The rest is a game that ends there,
//! for the solvers of [`richman`](crate::richman). If both players have the same moves in the rest,
//! then play without end does not matter there; otherwise the [`policy`] of either player decides
//! who must leave.
//!
//! # Sources
//! Avni, Henzinger & Chonev, *Infinite-duration bidding games* (2019); Avni, Henzinger &
//! Ibsen-Jensen, *Infinite-duration poorman-bidding games* (2018); Avni, Henzinger & Žikelić,
//! *Bidding mechanisms in graph games* (2019). In these papers both players have the same moves, so
//! that either can leave any part that can be left at all, and a part that cannot has one mean.
//! Moves of one player alone are not covered by these papers; [`sure`] and [`policy`] have the
//! arguments. Under poorman and taxman bidding mean payoffs need a share that depends on the part
//! of the graph: there only parts of one mean are covered, parts that are won whatever the players
//! have, and connections between them on which it makes no difference who wins a play without end.

mod all_pay;
mod chain;
mod level;
mod mean;
mod play;
mod policy;
mod refuse;
mod region;
mod stay;
mod sure;
mod toss_game;

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::CheckedSub;

pub use self::all_pay::{AllPayTerms, Guarantee, all_pay_payoff};
use self::mean::Ring;
pub use self::play::{MeanPayoffPlay, ObjectivePlan};
use self::toss_game::TossGame;
use crate::diagnostic::Result;
use crate::game::{GameGraph, Goals, NodeId, Score, Scores, ScoresBuilder, narrow};
use crate::player::{Ending, PerPlayer, Player};
use crate::richman::taxman::{Share, Shares};
use crate::richman::{Coin, Values};
use crate::rules::admit;
use crate::rules::{Draws, Payment, Precision, Rules, Solver, Winner};
use crate::watch::Context;
pub use refuse::no_coin;

/// The rule that decides who moves.
#[derive(Debug, Clone)]
pub enum MoverRule {
    /// Random turns, decided by a coin.
    Coin(Coin),
    /// Bids that go to the opponent; a fair coin has the same values, except where a player would
    /// rather lose a bid but its winner must move.
    Richman,
    /// Bids of which this part goes to the bank.
    Taxed(BigRational),
}

/// A game with an objective of infinite play.
#[derive(Debug, Clone, Copy)]
pub struct Endless<'a> {
    /// Its graph.
    pub graph: &'a GameGraph,
    /// The objective.
    pub goals: &'a Goals,
    /// The user's names of its vertices.
    pub names: &'a [String],
}

impl Endless<'_> {
    fn name(&self, node: NodeId) -> &str {
        self.names.get(node.index()).map_or("?", String::as_str)
    }
}

/// A game reduced to reachability.
#[derive(Debug, Clone)]
pub struct DecidedGame {
    /// The graph with the same vertices, and perhaps more after them; those where play stays for
    /// good are endings.
    pub graph: GameGraph,
    /// The endings that are neither won nor lost, with their thresholds.
    pub thresholds: Vec<(NodeId, Share)>,
    /// The value of draws, and of play without end, in the reduced game.
    pub draws: Draws,
}

impl DecidedGame {
    /// Returns the rules for the reduced game.
    pub fn rules(&self, rules: &Rules) -> Rules {
        Rules {
            draws: self.draws,
            ..rules.clone()
        }
    }
}

/// Decides the parts of a graph where play stays for good.
///
/// # Errors
/// If the theory does not cover the rules, the reduction does not cover the graph, or the work is
/// stopped.
pub fn decide(
    game: &Endless<'_>,
    rules: &Rules,
    turns: &MoverRule,
    context: &Context<'_>,
) -> Result<DecidedGame> {
    admit::endless(rules)?;
    // Every argument here needs tosses that either player can win.
    if let MoverRule::Coin(coin) = turns
        && coin.certain().is_some()
    {
        return Err(refuse::certain());
    }
    match (game.goals, turns) {
        (Goals::Weights(weights), MoverRule::Taxed(part)) => {
            level::decide(game, weights, part, rules, context)
        }
        (Goals::Weights(_) | Goals::Priorities(_), MoverRule::Coin(coin)) => {
            by_regions(game, rules, *coin, turns, context)
        }
        (Goals::Weights(_), MoverRule::Richman)
        | (Goals::Priorities(_), MoverRule::Richman | MoverRule::Taxed(_)) => {
            by_regions(game, rules, Coin::default(), turns, context)
        }
    }
}

/// Decides a game in whose regions it makes no difference how much money the players have.
fn by_regions(
    game: &Endless<'_>,
    rules: &Rules,
    coin: Coin,
    turns: &MoverRule,
    context: &Context<'_>,
) -> Result<DecidedGame> {
    let tosses = TossGame::new(
        game.graph,
        game.goals,
        coin,
        rules.draws.favours(Player::Alice),
    );
    // Where players bid the rule for the winner decides which moves there are after a toss; the
    // means of random turns are found for winners who choose, and then tested.
    let [of_bids, of_tosses] = match turns {
        MoverRule::Coin(_) => [Winner::Chooses, rules.winner],
        MoverRule::Richman | MoverRule::Taxed(_) => [rules.winner, Winner::Chooses],
    };
    let own = |tosses: &TossGame| tosses.of_bids(of_bids);
    let pair = [own(&tosses), own(&tosses.conjugate())];
    let sure = regions(game, &pair, of_tosses, context)?;
    let ending = |node: NodeId| sure[node.index()].map(Ending::Win);
    let decided = DecidedGame {
        graph: ended(game.graph, ending),
        thresholds: Vec::new(),
        draws: rules.draws,
    };
    // Without such a cycle play without end does not matter, and the usual solvers suffice.
    let sides = Sides::of_bids(game, of_bids);
    let Some(kept) = sides.cycle(&decided.graph) else {
        return Ok(decided);
    };
    if let Some(draws) = stay::worth(&decided.graph, game, &sides, tosses.level, context)? {
        return Ok(DecidedGame { draws, ..decided });
    }
    let solve = |tosses: &TossGame| values(tosses, rules, turns, context);
    let tosses = tosses.with(|_, _, _| true, ending);
    let best = |tosses: &TossGame| policy::best(&own(tosses), Winner::Chooses, &solve, context);
    let (mine, other) = (best(&tosses)?, best(&tosses.conjugate())?);
    let (Some(mine), Some(other)) = (mine, other) else {
        return Err(refuse::one_can_stay(game, kept, rules.winner));
    };
    // A strategy guarantees at least its values.
    let proved = |(mine, other): (&Share, &Share)| Share {
        low: other.complement().low,
        high: mine.high.clone(),
    };
    let shares: Vec<Share> = mine.shares.iter().zip(&other.shares).map(proved).collect();
    let exact = shares.iter().all(|share| share.value().is_some());
    let near = |share: &Share| &share.high - &share.low <= rules.precision.0;
    // With a coin the values are exact fractions, so a gap means that the strategies are not
    // optimal.
    if !exact && (!matches!(turns, MoverRule::Taxed(_)) || !shares.iter().all(near)) {
        return Err(refuse::one_can_stay(game, kept, rules.winner));
    }
    let worse = |turns: &PerPlayer<NodeId>| {
        let [alice, bob] = Player::both(|player| &mine.shares[turns[player].index()]);
        policy::order(alice, bob).is_gt()
    };
    if rules.winner == Winner::Moves && tosses.splits.iter().any(|(_, turns)| worse(turns)) {
        return Err(refuse::zugzwang());
    }
    if exact {
        return Ok(DecidedGame {
            graph: mine.fixed.graph,
            thresholds: Vec::new(),
            // In the graph that Alice's strategy leaves she wins every play that Bob does not end.
            draws: Draws::Alice,
        });
    }
    Ok(known(game.graph, &shares, rules.draws))
}

/// Builds a game of which all thresholds are known.
fn known(graph: &GameGraph, shares: &[Share], draws: Draws) -> DecidedGame {
    let undecided = |node: &NodeId| !matches!(graph.ending(*node), Some(Ending::Win(_)));
    let thresholds = graph
        .nodes()
        .filter(undecided)
        .map(|node| (node, shares[node.index()].clone()))
        .collect();
    DecidedGame {
        graph: ended(graph, |_| Some(Ending::Draw)),
        thresholds,
        draws,
    }
}

/// Returns a precision at which the sum of two kinds of bounds is precise enough.
fn narrower(precision: &Precision) -> Precision {
    Precision(&precision.0 / BigInt::from(4))
}

/// Computes the thresholds of a game of tosses where Alice wins play without end.
fn values(
    tosses: &TossGame,
    rules: &Rules,
    turns: &MoverRule,
    context: &Context<'_>,
) -> Result<Vec<Share>> {
    // A game of tosses has no draws, so the rule for draws can set the value of play without end.
    let own = Rules {
        draws: Draws::Alice,
        winner: Winner::Chooses,
        solver: Solver::Auto,
        precision: narrower(&rules.precision),
        ..rules.clone()
    };
    let shares = match turns {
        MoverRule::Coin(_) | MoverRule::Richman => {
            let values = Values::with_coin(&tosses.graph, &own, tosses.coin, context)?;
            Shares::of_richman(&values, own.draws)
        }
        MoverRule::Taxed(_) => Shares::solve(&tosses.graph, &own, context)?,
    };
    Ok(tosses
        .graph
        .nodes()
        .map(|node| shares.share(node))
        .collect())
}

/// Returns the player who is sure to win at each vertex: Alice in the first game, Bob in the
/// second, in which the players are exchanged.
fn regions(
    game: &Endless<'_>,
    [alice, bob]: &[TossGame; 2],
    winner: Winner,
    context: &Context<'_>,
) -> Result<Vec<Option<Player>>> {
    let sure = |tosses: &TossGame| -> Result<Vec<bool>> {
        let region = sure::sure(tosses, winner, context)?;
        region
            .map(|region| region.sure)
            .ok_or_else(|| refuse::not_found(game, game.graph.start()))
    };
    let [alice, bob] = [sure(alice)?, sure(bob)?];
    let winner = |(alice, bob): (bool, bool)| {
        alice
            .then_some(Player::Alice)
            .or(bob.then_some(Player::Bob))
    };
    Ok(alice.into_iter().zip(bob).map(winner).collect())
}

/// The moves in which the players differ.
#[derive(Debug, Clone, Copy)]
struct Sides<'g> {
    graph: &'g GameGraph,
    /// The weights of the moves; `None` if moves to one head serve both players alike.
    weights: Option<&'g Scores>,
}

impl<'g> Sides<'g> {
    /// Returns the sides of a game where players bid. Winners of bids who must move get the weights
    /// of their own moves, so that a player may rather see the other move to the same head.
    fn of_bids(game: &Endless<'g>, winner: Winner) -> Self {
        let weights = match game.goals {
            Goals::Weights(weights) if winner == Winner::Moves => Some(weights),
            Goals::Weights(_) | Goals::Priorities(_) => None,
        };
        Self {
            graph: game.graph,
            weights,
        }
    }

    /// Returns a vertex to which a play that is not decided can come again where the players have
    /// different moves, if there is one.
    ///
    /// If there is none, then play without end does not matter. For let u and l be the thresholds
    /// with it lost and won by Alice, and d > 0 their greatest difference. If the difference is d
    /// at a vertex, it is d wherever Alice's best edge for l and Bob's for u lead; along such a
    /// play both thresholds converge, to a set of vertices where no toss matters. There all moves,
    /// which both players have, lead back into the set: it is a part that cannot be left, and those
    /// are decided.
    fn cycle(&self, left: &GameGraph) -> Option<NodeId> {
        let components = left.components();
        let cyclic = components.iter().filter(|(_, cyclic)| *cyclic);
        cyclic
            .filter_map(|(vertices, _)| self.differ(vertices))
            .min()
    }

    /// Returns the first of some vertices where the players have different moves.
    fn differ(&self, vertices: &[NodeId]) -> Option<NodeId> {
        let moves = |node: NodeId, player| -> BTreeSet<(NodeId, i64)> {
            match self.weights {
                Some(weights) => weights.moves(self.graph, node, player).collect(),
                None => {
                    let heads = self.graph.successors(node, player).iter();
                    heads.map(|head| (*head, 0)).collect()
                }
            }
        };
        let differ = |node: &&NodeId| moves(**node, Player::Alice) != moves(**node, Player::Bob);
        vertices.iter().filter(differ).min().copied()
    }
}

/// Returns the coin of the random turns that are equivalent to a payment in endless play, where
/// Alice has this share of the money.
///
/// # Errors
/// If both players pay, or the share is not given but matters, or is all or nothing.
pub fn coin(pay: &Payment, share: Option<&BigRational>) -> Result<Coin> {
    if *pay == Payment::Richman {
        return Ok(Coin::default());
    }
    let part = pay.tax().ok_or_else(refuse::all_pay)?;
    let share = share.ok_or_else(refuse::no_budgets)?;
    Coin::new(&level::probability(&part, share)).ok_or_else(refuse::no_coin)
}

/// Computes the mean payoff from a position of a game in which play goes on for ever.
///
/// # Errors
/// The errors of [`decide`]; also if play can end, or the part in which it stays depends on what
/// the players have.
pub fn payoff(
    game: &Endless<'_>,
    weights: &Scores,
    start: NodeId,
    rules: &Rules,
    coin: Coin,
    context: &Context<'_>,
) -> Result<BigRational> {
    let reached = reached_without_end(game.graph, start)?;
    let ring = Ring::new(game.graph, weights, &reached);
    let found = ring
        .certificate(coin, context)?
        .ok_or_else(|| refuse::not_found(game, start))?;
    if rules.winner == Winner::Moves && ring.has_some_zugzwang(&found) {
        return Err(refuse::zugzwang());
    }
    let index = reached
        .iter()
        .position(|node| *node == start)
        .expect("a position can be reached from itself");
    let gain = ring.payoff(&found.gains[index]);
    if found.gains.iter().any(|other| *other != found.gains[index])
        && !is_sure(game, weights, start, &gain, rules.winner, coin, context)?
    {
        return Err(refuse::several_means(game, start));
    }
    Ok(gain)
}

/// Returns the vertices that can be reached from `start`.
///
/// # Errors
/// If one of them is an ending.
fn reached_without_end(graph: &GameGraph, start: NodeId) -> Result<Vec<NodeId>> {
    let reached = graph.reachable(start);
    if reached.iter().any(|node| graph.ending(*node).is_some()) {
        return Err(refuse::several_ends());
    }
    Ok(reached)
}

/// Computes the payoff of random turns per move in the long run from each vertex, with a bias; an
/// ending pays one unit for ever. Returns `None` if the improvement of strategies does not end.
///
/// # Errors
/// If the work is stopped.
pub fn gains(
    graph: &GameGraph,
    weights: &Scores,
    coin: Coin,
    context: &Context<'_>,
) -> Result<Option<Vec<(BigRational, BigRational)>>> {
    let vertices: Vec<NodeId> = graph.nodes().collect();
    let ring = Ring::new(graph, weights, &vertices);
    Ok(ring
        .certificate(coin, context)?
        .map(|found| ring.payoffs(&found)))
}

/// Returns whether both players are sure of a mean payoff.
fn is_sure(
    game: &Endless<'_>,
    weights: &Scores,
    start: NodeId,
    gain: &BigRational,
    winner: Winner,
    coin: Coin,
    context: &Context<'_>,
) -> Result<bool> {
    // A mean of g is sure exactly if a mean of 0 is sure for weights less g.
    let Some(less) = narrow(gain).and_then(|gain| lowered(game.graph, weights, gain)) else {
        return Ok(false);
    };
    let tosses = |level| TossGame::new(game.graph, &Goals::Weights(less.clone()), coin, level);
    // A mean of 0 is enough for either player.
    for tosses in [tosses(true), tosses(false).conjugate()] {
        let region = sure::sure(&tosses.of_bids(winner), Winner::Chooses, context)?
            .ok_or_else(|| refuse::not_found(game, start))?;
        if !region.sure[start.index()] {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the weights minus a number; `None` if they are too large.
fn lowered(graph: &GameGraph, weights: &Scores, by: Score) -> Option<Scores> {
    let mut builder = ScoresBuilder::new(graph);
    for (tail, player) in graph
        .nodes()
        .flat_map(|tail| Player::both(|player| (tail, player)))
    {
        for (head, units) in weights.moves(graph, tail, player) {
            builder.weigh(player, tail, head, weights.score(units).checked_sub(&by)?);
        }
    }
    builder.finish()
}

/// Returns whether no move leaves a component.
fn is_closed(graph: &GameGraph, vertices: &[NodeId]) -> bool {
    let inside: std::collections::HashSet<_> = vertices.iter().collect();
    vertices.iter().all(|node| {
        graph
            .all_successors(*node)
            .all(|head| inside.contains(&head))
    })
}

/// Returns the graph with additional endings.
fn ended(graph: &GameGraph, ending: impl Fn(NodeId) -> Option<Ending>) -> GameGraph {
    let ending = |node| match graph.ending(node) {
        // An ending that is won stays, whereas a draw may be given a new result.
        Some(won @ Ending::Win(_)) => Some(won),
        undecided => ending(node).or(undecided),
    };
    graph.restricted(ending, |_, _, _| true)
}

#[cfg(test)]
mod tests;
