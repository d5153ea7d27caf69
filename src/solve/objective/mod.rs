//! Infinite play under real-valued bidding: Büchi, parity and mean-payoff objectives.
//!
//! Each is reduced to reaching something. The parts of a graph where play goes round for good are decided: by the [`region`]s where a
//! player is sure to win a game of random turns, or by the [`mean`] payoff of random turns ([`level`]: as a function of the share of the
//! money). What is left is a game that ends there, for the solvers of [`richman`](crate::solve::richman).
//!
//! # Sources
//! Avni, Henzinger & Chonev, *Infinite-duration bidding games* (2019); Avni, Henzinger & Ibsen-Jensen, *Infinite-duration
//! poorman-bidding games* (2018); Avni, Henzinger & Žikelić, *Bidding mechanisms in graph games* (2019). There both players have the same
//! moves. Büchi and parity objectives are solved for any graph ([`region`] has the argument); for mean payoffs, either player must be able
//! to leave a part that can be left, and a part that cannot must have one mean.

mod level;
mod mean;
mod refuse;
mod region;

use num_rational::BigRational;

use self::mean::Ring;
use self::region::Edges;
use crate::diagnostic::Result;
use crate::game::{Ending, GameGraph, GameGraphBuilder, Goals, NodeId, Player, Scores};
use crate::rules::{Draws, Payment, Rules};
use crate::solve::richman::Coin;
use crate::solve::richman::taxman::Share;
use crate::watch::Watch;

/// How it is decided who moves.
#[derive(Debug, Clone)]
pub enum Turns {
    /// By a coin: random turns, or Richman bidding, where it is a fair one.
    Coin(Coin),
    /// By bids of which this part goes to the bank.
    Taxed(BigRational),
}

/// A game in which play without end is worth nothing any more.
#[derive(Debug, Clone)]
pub struct Decided {
    /// The same vertices; those where play goes round for good are endings.
    pub graph: GameGraph,
    /// The endings that are neither won nor lost, with the threshold there.
    pub thresholds: Vec<(NodeId, Share)>,
}

/// Decides the parts of a graph where play goes round for good.
///
/// # Errors
/// If the rules are not ones of this theory, the graph is not one that the reduction covers, or the watch stops the work.
pub fn decide(graph: &GameGraph, goals: &Goals, rules: &Rules, turns: &Turns, watch: &dyn Watch) -> Result<Decided> {
    if rules.draws == Draws::Half {
        return Err(refuse::half());
    }
    match goals {
        Goals::Priorities(priorities) => {
            watch.check()?;
            let draw = if rules.draws.favours(Player::Alice) { Player::Alice } else { Player::Bob };
            let edges = Edges::new(graph);
            let sure = Player::BOTH.map(|player| region::sure(&edges, priorities, draw, player));
            let [alice, bob] = sure;
            let winner = |node: NodeId| {
                let index = node.index();
                alice[index].then_some(Player::Alice).or(bob[index].then_some(Player::Bob))
            };
            Ok(Decided { graph: ended(graph, |node| winner(node).map(Ending::Win)), thresholds: Vec::new() })
        }
        Goals::Weights(weights) => mean_payoff(graph, weights, rules, turns, watch),
    }
}

/// The coin of the random turns that a payment stands for in endless play, where Alice has this share of the money.
///
/// # Errors
/// If both players pay, if the share is not given but matters, or is all or nothing.
pub fn coin(pay: &Payment, share: Option<&BigRational>) -> Result<Coin> {
    let one = BigRational::from_integer(1.into());
    let part = match pay {
        Payment::Richman => return Ok(Coin::default()),
        Payment::Poorman => one,
        Payment::Taxman(part) => part.clone(),
        Payment::AllPay | Payment::AllPayBank => return Err(refuse::all_pay()),
    };
    let share = share.ok_or_else(refuse::no_budgets)?;
    Coin::new(&level::probability(&part, share)).ok_or_else(refuse::no_coin)
}

/// The mean payoff from the start of a game whose play goes round in one part for good.
///
/// # Errors
/// As [`decide`], and if play can come to several such parts, or ends.
pub fn payoff(
    graph: &GameGraph,
    weights: &Scores,
    start: NodeId,
    (rules, coin): (&Rules, Coin),
    watch: &dyn Watch,
) -> Result<BigRational> {
    let reached = graph.reached(start);
    let components = graph.components();
    let met = || components.iter().filter(|(vertices, _)| reached[vertices[0].index()]);
    let mut closed = met().filter(|(vertices, _)| is_closed(graph, vertices));
    let (Some((last, true)), None) = (closed.next(), closed.next()) else { return Err(refuse::several_ends()) };
    let edges = Edges::new(graph);
    for (vertices, _) in met().filter(|(vertices, cyclic)| *cyclic && vertices[0] != last[0]) {
        either_can_leave(&edges, vertices)?;
    }
    let ring = Ring::new(graph, weights, last);
    Ok(ring.payoff(&level::gain(&ring, coin, rules, watch)?.gain))
}

fn mean_payoff(
    graph: &GameGraph,
    weights: &Scores,
    rules: &Rules,
    turns: &Turns,
    watch: &dyn Watch,
) -> Result<Decided> {
    let edges = Edges::new(graph);
    let mut endings: Vec<Option<Ending>> = vec![None; graph.len()];
    let mut thresholds = Vec::new();
    for (vertices, _) in graph.components().iter().filter(|(_, cyclic)| *cyclic) {
        if !is_closed(graph, vertices) {
            either_can_leave(&edges, vertices)?;
            continue;
        }
        let ring = Ring::new(graph, weights, vertices);
        let ending = match turns {
            Turns::Coin(coin) => {
                let gain = level::gain(&ring, *coin, rules, watch)?.gain;
                match gain.cmp(&BigRational::from_integer(0.into())) {
                    std::cmp::Ordering::Greater => Ending::Win(Player::Alice),
                    std::cmp::Ordering::Equal => Ending::Draw,
                    std::cmp::Ordering::Less => Ending::Win(Player::Bob),
                }
            }
            Turns::Taxed(part) => {
                let share = level::threshold(&ring, part, rules, watch)?;
                thresholds.extend(vertices.iter().map(|node| (*node, share.clone())));
                Ending::Draw
            }
        };
        vertices.iter().for_each(|node| endings[node.index()] = Some(ending));
    }
    Ok(Decided { graph: ended(graph, |node| endings[node.index()]), thresholds })
}

fn either_can_leave(edges: &Edges<'_>, vertices: &[NodeId]) -> Result<()> {
    if Player::BOTH.into_iter().all(|player| edges.can_leave(vertices, player)) {
        return Ok(());
    }
    Err(refuse::one_can_stay(vertices[0].index()))
}

/// Whether no move leaves a component.
fn is_closed(graph: &GameGraph, vertices: &[NodeId]) -> bool {
    let inside: std::collections::HashSet<_> = vertices.iter().collect();
    vertices.iter().all(|node| graph.all_successors(*node).all(|head| inside.contains(&head)))
}

/// The graph with more endings.
fn ended(graph: &GameGraph, ending: impl Fn(NodeId) -> Option<Ending>) -> GameGraph {
    let mut builder = GameGraphBuilder::default();
    for node in graph.nodes() {
        let ending = graph.ending(node).or_else(|| ending(node));
        builder.push(ending, graph.successors(node, Player::Alice), graph.successors(node, Player::Bob));
    }
    builder.finish(graph.start())
}

#[cfg(test)]
mod tests;
