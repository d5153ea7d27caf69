//! Optimal play of endless games as positional strategies, for playing them out.

use num_rational::BigRational;

use super::mean::Ring;
use super::toss_game::TossGame;
use super::{Endless, MoverRule, policy, reached_without_end, refuse, values};
use crate::diagnostic::Result;
use crate::game::{Goals, NodeId, Scores};
use crate::law::turns::split_at;
use crate::player::{Ending, PerPlayer, Player};
use crate::richman::Coin;
use crate::rules::{Draws, Rules, Winner};
use crate::watch::Context;

/// Optimal play of random turns for a Büchi or parity objective, on a graph in which no player lets
/// the other one move: a toss leads to a vertex of its winner's.
#[derive(Debug)]
pub struct ObjectivePlan {
    tosses: TossGame,
    steps: PerPlayer<Vec<Option<NodeId>>>,
    /// The vertex of the game that each vertex belongs to.
    origins: Vec<NodeId>,
}

impl ObjectivePlan {
    /// Finds both players' best strategies.
    ///
    /// # Errors
    /// If none are found, or the work is stopped.
    pub fn find(
        game: &Endless<'_>,
        rules: &Rules,
        coin: Coin,
        context: &Context<'_>,
    ) -> Result<Self> {
        let tosses = TossGame::new(
            game.graph,
            game.goals,
            coin,
            rules.draws.favours(Player::Alice),
        );
        let turns = MoverRule::Coin(coin);
        let solve = |tosses: &TossGame| {
            values(
                tosses,
                &Rules {
                    draws: Draws::Alice,
                    ..rules.clone()
                },
                &turns,
                context,
            )
        };
        let best = |tosses: &TossGame| policy::best(tosses, Winner::Chooses, &solve, context);
        // A best strategy of Bob's is one of Alice's in the conjugate, so one search serves both.
        let (Some(alice), Some(bob)) = (best(&tosses)?, best(&tosses.conjugate())?) else {
            return Err(refuse::not_found(game, game.graph.start()));
        };
        let mut origins: Vec<NodeId> = tosses.graph.nodes().collect();
        for (toss, turns) in &tosses.splits {
            Player::BOTH
                .into_iter()
                // The two vertices after a toss stand for the same position of the game.
                .for_each(|player| origins[turns[player].index()] = *toss);
        }
        Ok(Self {
            tosses,
            steps: PerPlayer::new(alice.policy, bob.policy),
            origins,
        })
    }

    /// Returns the ending at a vertex, if the game has ended there.
    pub fn ending(&self, node: NodeId) -> Option<Ending> {
        self.tosses.graph.ending(node)
    }

    /// Returns the vertex to which a player goes from a vertex, if the player can move there.
    pub fn step(&self, node: NodeId, player: Player) -> Option<NodeId> {
        self.steps[player][node.index()]
    }

    /// Returns the vertex of the game that a vertex belongs to.
    pub fn origin(&self, node: NodeId) -> NodeId {
        self.origins[node.index()]
    }

    /// Returns the vertex at which a player who has won a toss moves alone; `None` if the toss is
    /// the move.
    pub fn turn(&self, node: NodeId, player: Player) -> Option<NodeId> {
        split_at(&self.tosses.splits, node).map(|turns| turns[player])
    }

    /// Returns the priority of a vertex.
    pub fn priority(&self, node: NodeId) -> u32 {
        match &self.tosses.goals {
            Goals::Priorities(priorities) => priorities[node.index()],
            Goals::Weights(_) => 0,
        }
    }
}

/// Optimal play for a mean payoff of random turns.
#[derive(Debug)]
pub struct MeanPayoffPlay {
    /// Alice's average payoff per move from each vertex; meaningless at vertices that play does not
    /// reach.
    pub gains: Vec<BigRational>,
    /// Both players' moves.
    pub steps: Vec<PerPlayer<Option<NodeId>>>,
    /// `true` for each player who lets the other one move after winning the toss.
    pub lets: Vec<PerPlayer<bool>>,
    /// The difference that a toss makes.
    pub stakes: Vec<f64>,
}

impl MeanPayoffPlay {
    /// Finds both players' best strategies from a position on.
    ///
    /// # Errors
    /// If play can end, none are found, or the work is stopped.
    pub fn find(
        game: &Endless<'_>,
        weights: &Scores,
        start: NodeId,
        coin: Coin,
        context: &Context<'_>,
    ) -> Result<Self> {
        if coin.certain().is_some() {
            return Err(refuse::certain());
        }
        let reached = reached_without_end(game.graph, start)?;
        let ring = Ring::new(game.graph, weights, &reached);
        let found = ring
            .certificate(coin, context)?
            .ok_or_else(|| refuse::not_found(game, start))?;
        let count = game.graph.len();
        let mut means = Self {
            gains: vec![BigRational::default(); count],
            steps: vec![PerPlayer::default(); count],
            lets: vec![PerPlayer::default(); count],
            stakes: vec![0.0; count],
        };
        for (vertex, node) in reached.iter().enumerate() {
            let [alice, bob] =
                Player::both(|player| ring.step(&found, vertex, player).map(|head| reached[head]));
            means.steps[node.index()] = PerPlayer::new(alice, bob);
            let [alice, bob] = Player::both(|player| Ring::lets(&found, vertex, player));
            means.lets[node.index()] = PerPlayer::new(alice, bob);
            means.gains[node.index()] = ring.payoff(&found.gains[vertex]);
            means.stakes[node.index()] = ring.stake(&found, vertex);
        }
        Ok(means)
    }
}
