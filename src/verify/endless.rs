//! Thresholds where Alice wants to come to accepting positions again and again (`objective: buchi`).
//!
//! # What is checked
//! Some positions are *sure* for a player: with any money the player wins from there. Elsewhere there are [`bounds`](super::bounds), in which sure positions
//! are endings, worth 0 or 1, with ranks for both: upper bounds against play without end that Alice does not win, lower ones against such that Bob does not.
//! A turn *leads* where its winner takes it: who is sure takes the least, the other the greatest, as in [`values`](super::values); an ending that the player has won counts as the least of all, and what is neither
//! that nor sure for the same player as infinite.
//!
//! - A position that is sure for Alice has a rank. Both turns lead to sure positions. The rank is 0 if the position is accepting, else 1 more than that to which
//!   the turn that Alice wins leads.
//! - One that is sure for Bob has a layer, 1 at least, and a rank. Both turns lead to sure positions. With rank 0 it is not accepting, and both lead to
//!   rank 0 in its layer, or to a lesser layer. With another, the turn that Bob wins leads to a lesser rank in its layer, or to a lesser layer.
//!
//! # Why that is enough
//! From Alice's positions, if she plays so, she reaches an ending of hers or an accepting position with any money: let play that never does be worth 1, and
//! M the greatest threshold; where it is M, the turn that she wins leads to thresholds of M again, as the law is less than the greater of two different numbers (or 0), of lesser rank
//! down to 0, where the threshold is 0. So M = 0; with more than that she gets there and has money left, and again.
//! From Bob's positions he reaches rank 0 of the same layer, or a lesser layer, with any money in the same way; at rank 0 he need not win any bid: play stays there for ever and comes to
//! no accepting position, or goes to a lesser layer. A turn that he loses may lead to a greater layer; but then he reaches the least layer to which play comes again and again, whatever
//! Alice does at rank 0 elsewhere, where she may only stay, which she loses.
//! So with more than the upper bound Alice reaches a position that is sure for her, and with less than the lower bound Bob one that is sure for him.

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::bidding::movers;
use super::bounds::{Check, Side};
use super::listing::look;
use super::{Checked, Graph, malformed, unproved};
use crate::player::{Ending, Player};
use crate::rules::{Draws, Rules};
use crate::verify::format::{Endless, Fraction};
use crate::watch::Watch;

/// How far a sure position is from what makes it sure: the layer, 0 for Alice's positions and for endings, and the rank.
pub type Distance = (i32, i32);

/// Checks regions and bounds.
pub(super) fn check(
    graph: &Graph<'_>,
    rules: &Rules,
    part: &BigRational,
    proof: &Endless,
    watch: &dyn Watch,
) -> Checked<()> {
    let lengths = [proof.low.len(), proof.high.len(), proof.low_ranks.len(), proof.high_ranks.len(), proof.sure.len()];
    if lengths != [graph.len(); 5] {
        return malformed("`proof` does not have bounds, ranks and a row for every position");
    }
    let regions = Regions::of(graph, rules, proof)?;
    for (side, ranks) in [(Side::Low, &proof.low_ranks), (Side::High, &proof.high_ranks)] {
        let check = Check::beside(graph, rules, part, (side, &regions.owners));
        let values = if side == Side::Low { &proof.low } else { &proof.high };
        for position in 0..graph.len() {
            look(watch, "checking bounds", position, graph.len())?;
            check.one(side, values, ranks, position)?;
            if regions.owners[position].is_none() {
                check.nobody_wants_to_lose(&proof.low, &proof.high, position)?;
            }
        }
    }
    for position in 0..graph.len() {
        look(watch, "checking sure positions", position, graph.len())?;
        if !regions.holds(position) {
            return unproved(format!("position {position} is not shown to be sure"));
        }
    }
    Ok(())
}

/// The positions that are sure for a player.
#[derive(Debug)]
pub struct Regions<'c> {
    /// The positions.
    pub graph: &'c Graph<'c>,
    /// The rules.
    pub rules: &'c Rules,
    /// For whom each position is sure.
    pub owners: Vec<Option<Player>>,
    /// How far it is from what makes it so.
    pub distances: Vec<Distance>,
}

impl<'c> Regions<'c> {
    fn of(graph: &'c Graph<'c>, rules: &'c Rules, proof: &Endless) -> Checked<Self> {
        let (mut owners, mut distances) = (vec![None; graph.len()], vec![(0, 0); graph.len()]);
        for position in 0..graph.len() {
            let exactly = |value: &Fraction| proof.low[position] == *value && proof.high[position] == *value;
            match *proof.sure.row(position) {
                [] => {}
                [rank] if rank >= 0 && exactly(&Fraction(BigRational::zero())) => {
                    (owners[position], distances[position]) = (Some(Player::Alice), (0, rank));
                }
                [layer, rank] if layer >= 1 && rank >= 0 && exactly(&Fraction(BigRational::one())) => {
                    (owners[position], distances[position]) = (Some(Player::Bob), (layer, rank));
                }
                _ => return malformed(format!("the row of position {position} in `sure` does not go with its bounds")),
            }
        }
        Ok(Self { graph, rules, owners, distances })
    }

    /// Who has won at an ending; a draw is won by the player for whom the rules count it.
    pub fn winner(rules: &Rules, ending: Ending) -> Player {
        match (ending, rules.draws) {
            (Ending::Win(player), _) => player,
            (Ending::Draw, Draws::Alice) => Player::Alice,
            (Ending::Draw, Draws::Neither | Draws::Bob | Draws::Half) => Player::Bob,
        }
    }

    /// How far a position is for a player; `None` if it is not sure.
    fn distance(&self, position: usize, owner: Player) -> Option<Distance> {
        match self.graph.ending(position) {
            Some(ending) => (Self::winner(self.rules, ending) == owner).then_some((0, 0)),
            None => (self.owners[position] == Some(owner)).then_some(self.distances[position]),
        }
    }

    /// Where a turn leads that a player wins, as the owner sees it.
    pub fn turn(
        &self,
        position: usize,
        winner: Player,
        owner: Player,
        distance: impl Fn(usize) -> Option<Distance>,
    ) -> Option<Distance> {
        // What is not sure is the greatest.
        let choose = |by: Player, of: Vec<(bool, Option<Distance>)>| {
            if by == owner { of.into_iter().min() } else { of.into_iter().max() }
        };
        let side = |mover: Player| {
            let heads = self.graph.moves(position, mover).iter().map(|to| distance(*to as usize));
            choose(mover, heads.map(|distance| (distance.is_none(), distance)).collect())
        };
        let sides = movers(self.graph, self.rules, position, winner).into_iter().filter_map(side).collect();
        choose(winner, sides).and_then(|(_, distance)| distance)
    }

    fn holds(&self, position: usize) -> bool {
        let Some(owner) = self.owners[position] else { return true };
        if self.graph.ending(position).is_some() {
            return false;
        }
        let leads = |winner| self.turn(position, winner, owner, |to| self.distance(to, owner));
        let (Some(own), Some(other)) = (leads(owner), leads(owner.other())) else { return false };
        let (layer, rank) = self.distances[position];
        let accepting = self.graph.is_accepting(position);
        match owner {
            Player::Alice if accepting => rank == 0,
            Player::Alice => own.1.checked_add(1) == Some(rank),
            Player::Bob if rank == 0 => !accepting && own <= (layer, 0) && other <= (layer, 0),
            Player::Bob => own < (layer, rank),
        }
    }
}
