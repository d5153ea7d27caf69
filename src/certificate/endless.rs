//! Positions that are sure for a player where Alice wants to come to accepting ones again and again, and bounds elsewhere.

use super::prove::{Prover, failed, refused};
use crate::diagnostic::Result;
use crate::game::NodeId;
use crate::player::Player;
use crate::report::{Report, Scalar};
use crate::rules::{Draws, Objective, Payment, Rules};
use crate::solve::richman::Values;
use crate::solve::richman::taxman::Shares;
use crate::verify;
use crate::verify::bounds::{Check, Side};
use crate::verify::endless::{Distance, Regions};
use crate::verify::format::{Claim, Endless, Fraction, Proof, Rows};

/// What is known of each position on the way to the positions that are sure.
type Known = Vec<Option<Distance>>;

impl Prover<'_> {
    /// Proves the critical threshold of coming to accepting positions again and again.
    pub fn endless(&self, answer: &Report) -> Result<(Claim, Proof)> {
        let told = match answer {
            Report::Scalar(Scalar::Bounds(told)) => Some(told),
            _ => None,
        };
        let regions = self.regions()?;
        let owners = &regions.owners;
        let part = verify::bank(self.rules).map_err(failed)?;
        let mut sides = Vec::new();
        for side in [Side::Low, Side::High] {
            let mut values = self.beside(owners, side, told.is_none())?;
            let check = Check::beside(self.graph, self.rules, &part, (side, owners));
            self.mend(&check, side, &mut values)?;
            let ranks = self.levels(|ranks, position| check.rank(&values, ranks, position))?;
            if ranks.contains(&-1) {
                return Err(refused("where play goes on for ever between sure positions the thresholds have none"));
            }
            sides.push((values, ranks));
        }
        let [(low, low_ranks), (high, high_ranks)] = <[_; 2]>::try_from(sides).expect("there are two");
        let check = Check::beside(self.graph, self.rules, &part, (Side::High, owners));
        for position in (0..self.graph.len()).filter(|position| owners[*position].is_none()) {
            check.nobody_wants_to_lose(&low, &high, position).map_err(failed)?;
        }
        let claim = match told {
            Some(told) if told.low <= low[0].0 && high[0].0 <= told.high => {
                Claim::Between { low: Fraction(told.low.clone()), high: Fraction(told.high.clone()) }
            }
            None if low[0] == high[0] => Claim::Richman { answer: low[0].clone() },
            _ => return Err(refused("it matters who wins a play without end between sure positions")),
        };
        let mut sure = Rows::default();
        for (owner, (layer, rank)) in owners.iter().zip(&regions.distances) {
            match owner {
                None => sure.push([]),
                Some(Player::Alice) => sure.push([*rank]),
                Some(Player::Bob) => sure.push([*layer, *rank]),
            }
        }
        Ok((claim, Proof::Endless(Endless { low, high, low_ranks, high_ranks, sure })))
    }

    /// One side of the thresholds of reaching the positions that are sure.
    fn beside(&self, owners: &[Option<Player>], side: Side, exact: bool) -> Result<Vec<Fraction>> {
        let draws = match side {
            Side::Low => Draws::Alice,
            Side::High => Draws::Bob,
        };
        let rules = Rules { draws, objective: Objective::Reachability, ..self.rules.clone() };
        let graph = self.game_graph_with(|position, ending| {
            let won = ending.map(|ending| Regions::winner(self.rules, ending));
            won.or(owners[position]).map(crate::player::Ending::Win)
        });
        if exact && rules.pay == Payment::Richman {
            let values = Values::solve(&graph, &rules, self.watch)?;
            return Ok(graph.nodes().map(|node: NodeId| Fraction(values.value(node))).collect());
        }
        let shares = Shares::proof(&graph, &rules, self.watch)?;
        let bound = |share: crate::solve::richman::taxman::Share| match side {
            Side::Low => share.low,
            Side::High => share.high,
        };
        Ok(shares.into_iter().map(|share| Fraction(bound(share))).collect())
    }

    /// The positions that are sure for either player.
    fn regions(&self) -> Result<Regions<'_>> {
        let count = self.graph.len();
        let mut regions =
            Regions { graph: self.graph, rules: self.rules, owners: vec![None; count], distances: vec![(0, 0); count] };
        for owner in Player::BOTH {
            let known = self.sure(&regions, owner)?;
            for position in (0..count).filter(|position| self.graph.ending(*position).is_none()) {
                if let Some(distance) = known[position] {
                    (regions.owners[position], regions.distances[position]) = (Some(owner), distance);
                }
            }
        }
        Ok(regions)
    }

    /// The greatest set that a player is sure of: what is left when what does not reach its aim inside is taken away again and again.
    fn sure(&self, regions: &Regions<'_>, owner: Player) -> Result<Known> {
        let mut inside: Vec<bool> = (0..self.graph.len())
            .map(|position| {
                self.graph.ending(position).is_none_or(|ending| Regions::winner(self.rules, ending) == owner)
            })
            .collect();
        loop {
            self.watch.check()?;
            let known = match owner {
                Player::Alice => self.reaching(regions, &inside)?,
                Player::Bob => self.layers(regions, &inside)?,
            };
            let next: Vec<bool> = known.iter().map(Option::is_some).collect();
            if next == inside {
                return Ok(known);
            }
            inside = next;
        }
    }

    /// What is known at the beginning: endings.
    fn ended(&self, inside: &[bool]) -> Known {
        let ended = |position: usize| inside[position] && self.graph.ending(position).is_some();
        (0..inside.len()).map(|position| ended(position).then_some((0, 0))).collect()
    }

    /// Whether both turns lead to positions with a property, as the owner can choose.
    fn stays(&self, regions: &Regions<'_>, owner: Player, position: usize, within: impl Fn(usize) -> bool) -> bool {
        let distance = |to: usize| within(to).then_some((0, 0));
        Player::BOTH.into_iter().all(|winner| regions.turn(position, winner, owner, distance).is_some())
    }

    /// The positions from which Alice reaches an accepting one, or an ending, staying inside.
    fn reaching(&self, regions: &Regions<'_>, inside: &[bool]) -> Result<Known> {
        let mut known = self.ended(inside);
        let open = |known: &Known, position: usize| known[position].is_none() && inside[position];
        for position in 0..inside.len() {
            let aim = self.graph.is_accepting(position) && open(&known, position);
            if aim && self.stays(regions, Player::Alice, position, |to| inside[to]) {
                known[position] = Some((0, 0));
            }
        }
        self.attract(regions, (Player::Alice, inside), 0, &mut known)?;
        Ok(known)
    }

    /// Gives ranks to positions from which the turn that the owner wins leads nearer, round by round.
    fn attract(
        &self,
        regions: &Regions<'_>,
        (owner, inside): (Player, &[bool]),
        layer: i32,
        known: &mut Known,
    ) -> Result<()> {
        for rank in 1.. {
            self.watch.check()?;
            let near = |position: &usize| {
                let own = regions.turn(*position, owner, owner, |to| known[to]);
                let accepting = owner == Player::Alice && self.graph.is_accepting(*position);
                let open = inside[*position] && known[*position].is_none() && !accepting;
                open && own.is_some() && self.stays(regions, owner, *position, |to| inside[to])
            };
            let found: Vec<usize> = (0..known.len()).filter(near).collect();
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|position| known[position] = Some((layer, rank)));
        }
        Ok(())
    }

    /// The positions from which Bob comes to stay away from accepting ones, layer by layer.
    fn layers(&self, regions: &Regions<'_>, inside: &[bool]) -> Result<Known> {
        let mut known = self.ended(inside);
        for layer in 1.. {
            let mut core: Vec<bool> = (0..inside.len())
                .map(|position| inside[position] && known[position].is_none() && !self.graph.is_accepting(position))
                .collect();
            loop {
                self.watch.check()?;
                let stay = |position: usize| {
                    core[position] && self.stays(regions, Player::Bob, position, |to| core[to] || known[to].is_some())
                };
                let next: Vec<bool> = (0..core.len()).map(stay).collect();
                if next == core {
                    break;
                }
                core = next;
            }
            let before = known.iter().flatten().count();
            for position in (0..core.len()).filter(|position| core[*position]) {
                known[position] = Some((layer, 0));
            }
            self.attract(regions, (Player::Bob, inside), layer, &mut known)?;
            if known.iter().flatten().count() == before {
                break;
            }
        }
        Ok(known)
    }
}
