//! Tests of all-pay strategies on cycles that are repeated for ever. The bids printed at every turn
//! are fixed for one player, and the other's best reply is found in the remaining decision process,
//! in which endless play is worth what `draws` says. The player must be sure of the printed bound.

use std::collections::HashMap;

use crate::all_pay::{Question, rules_of_case, solved};
use crate::oracle::{LiteralTurn, worth};
use crate::random::games;
use bid_game::{GameGraph, NodeId};
use bid_language::player::{Ending, PerPlayer, Player};
use bid_language::rules::{Draws, Purses, Rules, Tie, Winner};
use bid_language::watch::Context;
use bid_solve::all_pay::{
    AllPayValues, Budgets, ExactOrCertified, FloatEnclosure, Standing, choice, destination,
    preferred_winner,
};
use bid_testing::{GraphShape, for_all, share};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use proptest::strategy::Strategy;

const DRAWS: [Draws; 4] = [Draws::Neither, Draws::Half, Draws::Alice, Draws::Bob];

/// Generates random questions under all ties, payments, draws and winners, about games whose
/// positions come back.
fn questions() -> impl Strategy<Value = Question> {
    let graphs = [0.0, 0.4].map(|draws| {
        games(GraphShape {
            positions: 1..=4,
            cycles: 1.0,
            draws,
            ..GraphShape::SMALL
        })
    });
    let parts = (0..64_usize, 0..10, graphs, [0..=3_u64, 0..=3]);
    parts.prop_map(|(which, winner, [decided, drawn], chips)| {
        let draws = DRAWS[which / 16];
        let graph = if draws == Draws::Neither {
            decided
        } else {
            drawn
        };
        let rules = Rules {
            winner: if winner < 7 {
                Winner::Chooses
            } else {
                Winner::Moves
            },
            draws,
            ..rules_of_case(which)
        };
        Question::new(graph, rules, chips)
    })
}

/// A node of the process that the opponent faces.
#[derive(Debug, Clone)]
enum Node {
    End(f64),
    Choice(Vec<usize>),
    Lottery(Vec<(f64, usize)>),
}

/// The process against a player's printed strategy. Payoffs are the player's; the opponent
/// minimises them.
struct Reply<'a> {
    graph: &'a GameGraph,
    rules: &'a Rules,
    solved: &'a AllPayValues,
    player: Player,
    nodes: Vec<Node>,
    states: HashMap<(NodeId, Purses), usize>,
}

impl Reply<'_> {
    /// Returns the node of a state, and adds its successors if it is new.
    fn state(&mut self, node: NodeId, purses: Purses) -> usize {
        if let Some(known) = self.states.get(&(node, purses)) {
            return *known;
        }
        let number = self.push(Node::End(0.0));
        self.states.insert((node, purses), number);
        self.nodes[number] = match self.graph.ending(node) {
            Some(ending) => Node::End(self.payoff(ending)),
            None => {
                let found = self
                    .solved
                    .equilibrium(self.graph, self.rules, node, &purses, Context::plain())
                    .expect("nobody stops it");
                let ExactOrCertified::Certified(found) = found else {
                    unreachable!("cycles have bounds")
                };
                let own = &found.strategies[self.player];
                let sum: f64 = own.iter().sum();
                assert!(
                    (sum - 1.0).abs() < 1e-9 && own.len() as u64 <= purses.chips[self.player] + 1,
                    "{own:?}"
                );
                let replies = 0..=purses.chips[self.player.other()];
                Node::Choice(
                    replies
                        .map(|reply| self.lottery(node, &purses, own, reply))
                        .collect(),
                )
            }
        };
        number
    }

    fn push(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn payoff(&self, ending: Ending) -> f64 {
        let bobs = worth(ending, self.rules.draws);
        if self.player == Player::Bob {
            bobs
        } else {
            1.0 - bobs
        }
    }

    fn lottery(&mut self, node: NodeId, purses: &Purses, own: &[f64], reply: u64) -> usize {
        let sum: f64 = own.iter().sum();
        let turn = LiteralTurn {
            graph: self.graph,
            rules: self.rules,
            node,
            purses: *purses,
        };
        let mut parts = Vec::new();
        for (bid, weight) in (0..).zip(own).filter(|(_, weight)| **weight > 0.0) {
            let bids = PerPlayer::of(self.player, bid, reply);
            let weight = weight / sum;
            match turn.decided(bids) {
                Tie::Goes(winner) => parts.push((weight, self.won(turn, bids, winner))),
                Tie::Nobody => unreachable!("not among the rules tested"),
                Tie::Coin => {
                    for winner in Player::BOTH {
                        parts.push((weight / 2.0, self.won(turn, bids, winner)));
                    }
                }
                Tie::ChosenBy(chooser) if chooser == self.player => {
                    let winner = preferred_winner(
                        self.solved,
                        self.graph,
                        self.rules,
                        node,
                        purses,
                        chooser,
                        bids.alice,
                    );
                    parts.push((weight, self.won(turn, bids, winner)));
                }
                Tie::ChosenBy(_) => {
                    let options = Player::both(|winner| self.won(turn, bids, winner));
                    parts.push((weight, self.push(Node::Choice(options.to_vec()))));
                }
            }
        }
        self.push(Node::Lottery(parts))
    }

    fn won(&mut self, turn: LiteralTurn<'_>, bids: PerPlayer<u64>, winner: Player) -> usize {
        let (node, left) = (turn.node, turn.settled(bids, winner));
        let mut able = turn.movers(winner);
        if winner == self.player {
            able = vec![choice(self.solved, self.graph, self.rules, node, &left, winner).mover];
        }
        let mut options = Vec::new();
        for mover in able {
            let heads = if mover == self.player {
                vec![destination(self.solved, self.graph, node, &left, mover)]
            } else {
                self.graph.successors(node, mover).to_vec()
            };
            for head in heads {
                options.push(self.state(head, left));
            }
        }
        self.push(Node::Choice(options))
    }
}

fn heads(node: &Node) -> Vec<usize> {
    match node {
        Node::End(_) => Vec::new(),
        Node::Choice(heads) => heads.clone(),
        Node::Lottery(parts) => parts.iter().map(|(_, head)| *head).collect(),
    }
}

/// Returns the nodes at which the opponent can keep play for ever: the sets in which chance stays,
/// and in which the opponent can go from everywhere to everywhere.
fn endless(nodes: &[Node]) -> Vec<bool> {
    let mut set = vec![Some(0); nodes.len()];
    loop {
        let before = set.clone();
        // Nodes that cannot stay are removed.
        for (at, node) in nodes.iter().enumerate().rev() {
            let stays = |head: &usize| set[*head] == set[at];
            let keeps = match node {
                Node::End(_) => false,
                Node::Choice(heads) => heads.iter().any(stays),
                Node::Lottery(parts) => parts.iter().all(|(_, head)| stays(head)),
            };
            if !keeps {
                set[at] = None;
            }
        }
        // The rest of each set is split into strong components.
        let mut graph = DiGraph::<(), ()>::new();
        let vertices: Vec<_> = nodes.iter().map(|_| graph.add_node(())).collect();
        for (at, node) in nodes.iter().enumerate() {
            for head in heads(node).into_iter().filter(|&head| set[head] == set[at]) {
                graph.add_edge(vertices[at], vertices[head], ());
            }
        }
        for (name, component) in kosaraju_scc(&graph).iter().enumerate() {
            for vertex in component {
                let set = &mut set[vertex.index()];
                *set = set.map(|_| name);
            }
        }
        if set == before {
            return set.iter().map(Option::is_some).collect();
        }
    }
}

/// Computes the payoff of each node against the best reply, by improving replies. Stopping where
/// play can stay for ever is worth `worth`.
fn best_reply(nodes: &[Node], worth: f64) -> Vec<f64> {
    let stops = endless(nodes);
    let value = |values: &[f64], at: usize| match &nodes[at] {
        Node::End(worth) => *worth,
        Node::Choice(heads) => heads
            .iter()
            .map(|head| values[*head])
            .fold(f64::INFINITY, f64::min),
        Node::Lottery(parts) => parts
            .iter()
            .map(|(weight, head)| weight * values[*head])
            .sum(),
    };
    // The values start from above: play that neither ends nor stops is worth 1.
    let mut values = vec![1.0; nodes.len()];
    for _ in 0..100_000 {
        let mut change = 0.0_f64;
        for at in 0..nodes.len() {
            let next = if stops[at] {
                worth.min(value(&values, at))
            } else {
                value(&values, at)
            };
            change = change.max((values[at] - next).abs());
            values[at] = next;
        }
        if change < 1e-15 {
            break;
        }
    }
    values
}

/// Checks that printed strategies of both players, repeated for ever, are as good as the printed
/// bounds.
#[test]
fn printed_strategies_last() {
    let (mut asked, mut proper, mut wide) = (0, 0, 0);
    for_all(
        share(448),
        questions(),
        |Question {
             graph,
             rules,
             chips,
         }| {
            let solved = solved(Standing::of(&graph), &rules, chips);
            if solved.rounds().is_none() {
                return;
            }
            for player in Player::BOTH {
                let mut reply = Reply {
                    graph: &graph,
                    rules: &rules,
                    solved: &solved,
                    player,
                    nodes: Vec::new(),
                    states: HashMap::new(),
                };
                for node in graph.nodes() {
                    for purses in Budgets::from(&rules, chips).iter() {
                        reply.state(node, purses);
                    }
                }
                // Under `neither` both players lose endless play.
                let endless = match rules.draws {
                    Draws::Neither => 0.0,
                    Draws::Half => 0.5,
                    Draws::Alice | Draws::Bob => f64::from(u8::from(
                        (rules.draws == Draws::Alice) == (player == Player::Alice),
                    )),
                };
                let values = best_reply(&reply.nodes, endless);
                for ((node, purses), number) in &reply.states {
                    let ExactOrCertified::Certified(FloatEnclosure { low, high }) =
                        solved.value(*node, purses)
                    else {
                        unreachable!("cycles have bounds")
                    };
                    let bound = if player == Player::Alice {
                        *low
                    } else {
                        1.0 - high
                    };
                    asked += 1;
                    proper += u64::from(bound > endless && bound < 1.0);
                    wide += u64::from(high - low > 1e-6);
                    assert!(
                        values[*number] >= bound - 1e-9,
                        "{player:?} at {node:?} with {purses:?}: {} instead of {bound}, {rules:?}\n{graph:?}",
                        values[*number]
                    );
                }
            }
        },
    );
    println!(
        "{asked} states, {proper} with bounds better than endless play and less than 1, {wide} wide"
    );
    assert!(
        asked > share(10_000) && proper > share(200),
        "{asked} {proper}"
    );
}
