//! Search for the smallest expression of a game: a wedge sum of A, B, E, A^n and B^n, or braces
//! where different moves are best for different totals. A position that neither can express, on a
//! cycle or without a bid, is represented by itself.

use std::collections::HashMap;

use super::{Algebra, ComparedGames, Laws, PositionPair, prove};
use crate::diagnostic::Result;
use crate::game::{Explored, Games, NodeId};
use crate::player::{Ending, GameId, PerPlayer, Player};
use crate::sequences::{ClassId, KnownSequences};

/// The number of wedge sums that are tried before those that the game itself suggests.
const MOST_WEDGES: usize = 2_500;

/// The greatest n for which A^n and B^n are tried.
const MOST_POWER: u32 = 8;

/// The number of pairs of positions that are examined to prove that one move is at least as good as
/// another.
const MOST_PAIRS: usize = 2_000;

/// An expression with the number of its primitives.
#[derive(Debug, Clone, Copy)]
struct SizedExpression {
    game: GameId,
    size: usize,
    /// The class of the expression, if it is known.
    class: Option<ClassId>,
}

/// The game whose positions are simplified.
#[derive(Debug, Clone, Copy)]
pub struct SimplifiedGame<'a> {
    /// The game.
    pub explored: &'a Explored,
    /// The classes of its positions.
    pub known: &'a KnownSequences,
    /// The laws that hold under the rules.
    pub laws: Laws,
    /// `true` if the game says what infinite plays are worth. Then only positions from which play
    /// always ends may have classes, and no move is left out because it leads to another with no
    /// greater threshold.
    pub has_endless_play: bool,
}

/// The search for the smallest expressions of the positions of a game.
struct Simplifier<'a> {
    algebra: Algebra<'a>,
    source: SimplifiedGame<'a>,
    on_cycle: Vec<bool>,
    found: HashMap<ClassId, SizedExpression>,
    /// The expressions of the positions without a class.
    others: HashMap<NodeId, SizedExpression>,
    wedges: Wedges,
}

/// Finds the smallest expressions for some positions of a game.
///
/// # Errors
/// If the work is stopped.
pub fn simplest(
    algebra: Algebra<'_>,
    games: &mut Games,
    source: SimplifiedGame<'_>,
    nodes: &[NodeId],
) -> Result<Vec<GameId>> {
    let graph = &source.explored.graph;
    let mut on_cycle = vec![false; graph.len()];
    for (members, cyclic) in graph.components().iter() {
        members
            .iter()
            .for_each(|node| on_cycle[node.index()] = cyclic);
    }
    let (found, others) = (HashMap::new(), HashMap::new());
    let mut simplifier = Simplifier {
        algebra,
        source,
        on_cycle,
        found,
        others,
        wedges: Wedges::default(),
    };
    simplifier.primitives(games)?;
    nodes
        .iter()
        .map(|&node| Ok(simplifier.position(games, node)?.game))
        .collect()
}

/// Wedge sums of the primitives in order of size.
#[derive(Default)]
struct Wedges {
    /// The classes by size, from 1 on.
    classes: Vec<Vec<ClassId>>,
    tried: usize,
}

impl Simplifier<'_> {
    fn primitives(&mut self, games: &mut Games) -> Result<()> {
        let ends = Player::both(|player| games.ended(Ending::Win(player)));
        let [a, b] = [
            self.algebra.ended(Player::Alice)?,
            self.algebra.ended(Player::Bob)?,
        ];
        let even = self.algebra.wedge(a, b)?;
        let mut all = vec![(a, ends[0]), (b, ends[1]), (even, games.even())];
        // A^1 and B^1 are both E.
        let mut powers = [even, even];
        for n in 2..=MOST_POWER {
            powers = [
                self.algebra.braces(&[a], &[powers[0]])?,
                self.algebra.braces(&[powers[1]], &[b])?,
            ];
            all.extend(
                powers
                    .into_iter()
                    .zip(Player::both(|player| games.power(player, n))),
            );
        }
        let mut classes = Vec::new();
        for (class, game) in all {
            self.found.entry(class).or_insert_with(|| {
                classes.push(class);
                SizedExpression {
                    game,
                    size: 1,
                    class: Some(class),
                }
            });
        }
        self.wedges.classes = vec![classes];
        Ok(())
    }

    /// Returns the smallest wedge sum of primitives, among those tried, that belongs to a class.
    fn sum(&mut self, games: &mut Games, class: ClassId) -> Result<Option<SizedExpression>> {
        while !self.found.contains_key(&class) && self.wedges.tried < MOST_WEDGES {
            self.try_next_size(games)?;
        }
        Ok(self.found.get(&class).copied())
    }

    fn try_next_size(&mut self, games: &mut Games) -> Result<()> {
        let size = self.wedges.classes.len() + 1;
        let mut new = Vec::new();
        // The wedge sum is symmetric, so the smaller part stands for both orders.
        for left in 1..=size / 2 {
            let (first, second) = (
                self.wedges.classes[left - 1].clone(),
                self.wedges.classes[size - left - 1].clone(),
            );
            for (i, &g) in first.iter().enumerate() {
                for &h in if 2 * left == size {
                    // Parts of equal size are combined once, and not with themselves, since G ∧ G ≡
                    // G where the idempotent law holds.
                    &second[i + 1..]
                } else {
                    &second[..]
                } {
                    self.wedges.tried += 1;
                    // The size is not complete, so it is not recorded.
                    if self.wedges.tried > MOST_WEDGES {
                        return Ok(());
                    }
                    let class = self.algebra.wedge(g, h)?;
                    if !self.found.contains_key(&class) {
                        let game = self.wedge(games, g, h)?;
                        self.found.insert(
                            class,
                            SizedExpression {
                                game,
                                size,
                                class: Some(class),
                            },
                        );
                        new.push(class);
                    }
                }
            }
        }
        self.wedges.classes.push(new);
        Ok(())
    }

    /// Builds the wedge sum of two classes that have expressions, with the game that Alice prefers
    /// on the left.
    fn wedge(&mut self, games: &mut Games, g: ClassId, h: ClassId) -> Result<GameId> {
        let (g, h) = if self.algebra.at_most(h, g)? && g != h {
            (h, g)
        } else {
            (g, h)
        };
        Ok(games.wedge(self.found[&g].game, self.found[&h].game))
    }

    fn position(&mut self, games: &mut Games, node: NodeId) -> Result<SizedExpression> {
        let Some(class) = self.source.known.class(node) else {
            return self.unclassed(games, node);
        };
        let class = self.algebra.adopt(self.source.known.sequences(), class)?;
        if let Some(found) = self.sum(games, class)? {
            return Ok(found);
        }
        let found = if self.on_cycle[node.index()] {
            self.itself(games, node, Some(class))
        } else {
            let options = self
                .options(games, node)?
                .map(|options| options.iter().filter_map(|o| o.found.class).collect());
            // The class may have been found while its options were.
            if let Some(&found) = self.found.get(&class) {
                return Ok(found);
            }
            if self.source.laws.allows(&options) {
                self.of_classes(games, class, &options)?
            } else {
                self.itself(games, node, Some(class))
            }
        };
        self.found.insert(class, found);
        Ok(found)
    }

    /// Returns the expression of a position that is represented by itself.
    fn itself(&self, games: &mut Games, node: NodeId, class: Option<ClassId>) -> SizedExpression {
        let game = self.source.explored.game(games, node);
        SizedExpression {
            game: games.unruled(game),
            size: 1,
            class,
        }
    }

    /// Returns the options of both players, one position for each expression.
    fn options(
        &mut self,
        games: &mut Games,
        node: NodeId,
    ) -> Result<PerPlayer<Vec<OptionExpression>>> {
        let mut options = PerPlayer::<Vec<OptionExpression>>::default();
        for player in Player::BOTH {
            for &node in self.source.explored.graph.successors(node, player) {
                let found = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
                    self.position(games, node)
                })?;
                if options[player]
                    .iter()
                    // Options with the same expression are one option.
                    .all(|known| known.found.game != found.game)
                {
                    options[player].push(OptionExpression { node, found });
                }
            }
        }
        Ok(options)
    }

    /// Returns the smallest equivalent wedge sum of a move of each player, or else braces.
    fn of_classes(
        &mut self,
        games: &mut Games,
        class: ClassId,
        options: &PerPlayer<Vec<ClassId>>,
    ) -> Result<SizedExpression> {
        let mut best: Option<(usize, ClassId, ClassId)> = None;
        for &g in &options.alice {
            for &h in &options.bob {
                let size = self.found[&g].size + self.found[&h].size;
                // The size is compared first, because it is free and the wedge sum takes a lifted
                // step.
                if best.is_none_or(|(least, ..)| size < least) && self.algebra.wedge(g, h)? == class
                {
                    best = Some((size, g, h));
                }
            }
        }
        let class = Some(class);
        if let Some((size, g, h)) = best {
            return Ok(SizedExpression {
                game: self.wedge(games, g, h)?,
                size,
                class,
            });
        }
        let needed = self.needed(class, options)?;
        let all = needed.map(|classes| {
            classes
                .iter()
                .map(|class| self.found[class])
                .collect::<Vec<_>>()
        });
        Ok(braces(games, &all, class))
    }

    /// Removes the options that can be left out, the larger ones first.
    fn needed(
        &mut self,
        class: Option<ClassId>,
        options: &PerPlayer<Vec<ClassId>>,
    ) -> Result<PerPlayer<Vec<ClassId>>> {
        let mut needed = options.clone();
        for player in Player::BOTH {
            let mut order = options[player].clone();
            // Larger options are tried first, since leaving them out shortens the expression most.
            order.sort_by_key(|class| std::cmp::Reverse(self.found[class].size));
            for option in order {
                let mut fewer = needed.clone();
                fewer[player].retain(|class| *class != option);
                if self.source.laws.allows(&fewer)
                    && Some(self.algebra.braces(&fewer.alice, &fewer.bob)?) == class
                {
                    needed = fewer;
                }
            }
        }
        Ok(needed)
    }

    /// Simplifies a position that leads to cycles without a closed form: its moves are simplified,
    /// and those proved to be no better than others are left out.
    fn unclassed(&mut self, games: &mut Games, node: NodeId) -> Result<SizedExpression> {
        if let Some(&found) = self.others.get(&node) {
            return Ok(found);
        }
        let has_owner = self.source.explored.graph.owner(node).is_some();
        let found = if self.on_cycle[node.index()] || has_owner {
            self.itself(games, node, None)
        } else {
            let mut options = self.options(games, node)?;
            for player in Player::BOTH {
                options[player] = self.best(player, &options[player])?;
            }
            self.of_best(games, &options)?
        };
        self.others.insert(node, found);
        Ok(found)
    }

    /// Returns the choices of a player except those to which another is proved to be at least as
    /// good.
    fn best(
        &mut self,
        player: Player,
        choices: &[OptionExpression],
    ) -> Result<Vec<OptionExpression>> {
        // A move with the same thresholds may lead to another infinite play, so none is left out.
        if self.source.has_endless_play {
            return Ok(choices.to_vec());
        }
        let mut best = Vec::<OptionExpression>::new();
        for choice in choices {
            let mut kept = Vec::new();
            let mut needed = true;
            for other in best {
                needed = needed && !self.as_good(player, &other, choice)?;
                // An option is left out only if another one that is kept is as good; of two equal
                // ones the first stays.
                if !needed || !self.as_good(player, choice, &other)? {
                    kept.push(other);
                }
            }
            kept.extend(needed.then_some(*choice));
            best = kept;
        }
        Ok(best)
    }

    /// Returns `true` if a choice is proved to be at least as good for a player as another.
    fn as_good(
        &self,
        player: Player,
        choice: &OptionExpression,
        other: &OptionExpression,
    ) -> Result<bool> {
        match player {
            Player::Alice => self.at_most(choice, other),
            Player::Bob => self.at_most(other, choice),
        }
    }

    fn at_most(&self, g: &OptionExpression, h: &OptionExpression) -> Result<bool> {
        // Known classes decide the order; a proof is only a sufficient test.
        if let (Some(g), Some(h)) = (g.found.class, h.found.class) {
            return self.algebra.at_most(g, h);
        }
        let graph = &self.source.explored.graph;
        let sides = ComparedGames {
            g: graph,
            h: graph,
            laws: self.source.laws,
        };
        let start = PositionPair {
            g: g.node,
            h: h.node,
        };
        Ok(prove(sides, start, MOST_PAIRS).is_some())
    }

    fn of_best(
        &self,
        games: &mut Games,
        options: &PerPlayer<Vec<OptionExpression>>,
    ) -> Result<SizedExpression> {
        if let ([g], [h]) = (&options.alice[..], &options.bob[..])
            && self.source.laws.idempotent
        {
            if g.found.game == h.found.game {
                return Ok(g.found);
            }
            let (g, h) = if self.at_most(h, g)? { (h, g) } else { (g, h) };
            let game = games.wedge(g.found.game, h.found.game);
            return Ok(SizedExpression {
                game,
                size: g.found.size + h.found.size,
                class: None,
            });
        }
        let all = [&options.alice, &options.bob]
            .map(|side| side.iter().map(|choice| choice.found).collect());
        let [alice, bob] = all;
        Ok(braces(games, &PerPlayer::new(alice, bob), None))
    }
}

/// A position that a player can move to, with its expression.
#[derive(Debug, Clone, Copy)]
struct OptionExpression {
    node: NodeId,
    found: SizedExpression,
}

/// Builds `{ alice | bob }`.
fn braces(
    games: &mut Games,
    options: &PerPlayer<Vec<SizedExpression>>,
    class: Option<ClassId>,
) -> SizedExpression {
    let [alice, bob] =
        Player::both(|player| options[player].iter().map(|found| found.game).collect());
    let size = Player::BOTH
        .into_iter()
        .flat_map(|player| &options[player])
        .map(|found| found.size)
        .sum();
    SizedExpression {
        game: games.braces(alice, bob),
        size,
        class,
    }
}
