//! `simulate(G, a, b)` where any amount may be bid: matches with money, to the last penny.
//!
//! The player who has enough to win (or, if neither has, Alice, who has enough not to lose) bids and moves as `strategy(G, a, b)`
//! advises; the opponent bids any part of what there is, and moves anywhere. Who has enough wins every one of these matches, or does not lose.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::engine::Dice;
use super::real;
use super::simulate_bids::{Counts, answer};
use crate::diagnostic::Result;
use crate::eval::{Call, Evaluator};
use crate::game::{GameGraph, NodeId};
use crate::ir::Value;
use crate::player::{Ending, Player};
use crate::report::{Promise, Report, Scalar};
use crate::rules::{Payment, Winner};
use crate::solve::onward::Onward;
use crate::solve::richman::taxman::{Money, Shares};

/// A match that goes on for longer is a draw.
const MOST_MOVES: usize = 2_000;

pub(super) fn simulate(evaluator: &mut Evaluator<'_>, call: &Call<'_>, (games, seed): (u64, u64)) -> Result<Value> {
    let game = call.game()?;
    let money = real::money(call)?;
    let promised = real::promised(evaluator, game, &money, call.span)?;
    let (player, promise, shares) = &promised.goals[0];
    let (rules, watch) = (evaluator.rules(), evaluator.watch);
    let kept = match &rules.pay {
        Payment::Poorman => BigRational::one(),
        Payment::Taxman(part) => part.clone(),
        Payment::Richman | Payment::AllPay | Payment::AllPayBank => BigRational::default(),
    };
    let mut table = Table {
        graph: &promised.explored.graph,
        shares,
        onward: Onward::new(&promised.explored.graph, shares, *player),
        player: *player,
        kept,
        chooses: rules.winner == Winner::Chooses,
        dice: Dice::new(seed),
    };
    let mut counts = Counts::default();
    for played in 0..games {
        watch.check()?;
        watch.report("playing", played, Some(games));
        if let Ending::Win(winner) = table.play(promised.node, money.clone()) {
            counts[winner] += 1;
        }
    }
    let other = player.other();
    let played = format!("{} as advised, {} at random", player.name(), other.name());
    let theory = match promise {
        Promise::Win => player.word(),
        _ => "draw",
    };
    let facts = [("play", Scalar::String(played)), ("theory", Scalar::Word(theory))];
    let facts = facts.map(|(name, fact)| (name.to_owned(), Report::Scalar(fact))).to_vec();
    Ok(answer(&counts, games, facts))
}

/// Where matches are played.
struct Table<'a> {
    graph: &'a GameGraph,
    shares: &'a Shares,
    onward: Onward<'a>,
    /// Who plays as advised.
    player: Player,
    /// The part of a bid that goes to the bank.
    kept: BigRational,
    chooses: bool,
    dice: Dice,
}

impl Table<'_> {
    /// One match.
    fn play(&mut self, mut node: NodeId, mut money: Money) -> Ending {
        for _ in 0..MOST_MOVES {
            if let Some(ending) = self.graph.ending(node) {
                return ending;
            }
            let can = |player: Player| !self.graph.successors(node, player).is_empty();
            let mover = match Player::BOTH.into_iter().find(|player| !can(player.other())) {
                Some(only) => only,
                None => {
                    let winner = self.bid(node, &mut money);
                    self.mover(node, winner)
                }
            };
            let heads = self.graph.successors(node, mover);
            let advised = (mover == self.player).then(|| self.onward.best(node)).flatten();
            node = advised.unwrap_or_else(|| heads[self.dice.below(heads.len() as u64) as usize]);
        }
        Ending::Draw
    }

    /// Both players' bids; who wins has paid.
    fn bid(&mut self, node: NodeId, money: &mut Money) -> Player {
        let player = self.player;
        let own = self.shares.affordable(self.graph, node, player, money).unwrap_or_default();
        let other = self.any(if player == Player::Alice { &money.bob } else { &money.alice });
        let winner = match own.cmp(&other) {
            std::cmp::Ordering::Greater => player,
            std::cmp::Ordering::Less => player.other(),
            std::cmp::Ordering::Equal => Player::BOTH[self.dice.below(2) as usize],
        };
        let bid = own.max(other);
        let (payer, payee) = match winner {
            Player::Alice => (&mut money.alice, &mut money.bob),
            Player::Bob => (&mut money.bob, &mut money.alice),
        };
        *payer -= &bid;
        *payee += &bid * (BigRational::one() - &self.kept);
        winner
    }

    /// Any part of an amount, to the millionth.
    fn any(&mut self, amount: &BigRational) -> BigRational {
        let million = BigInt::from(1_000_000);
        let part = BigRational::new(BigInt::from(self.dice.below(1025)), BigInt::from(1024));
        (amount * part * &million).floor() / million
    }

    fn mover(&mut self, node: NodeId, winner: Player) -> Player {
        if !self.chooses {
            return winner;
        }
        if winner != self.player {
            return Player::BOTH[self.dice.below(2) as usize];
        }
        let own = self.onward.best(node);
        let moves = own.is_some_and(|own| self.shares.rather_moves(self.graph, node, winner, own));
        if moves { winner } else { winner.other() }
    }
}
