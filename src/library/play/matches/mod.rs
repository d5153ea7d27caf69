//! One match: two seats and a referee, turn by turn. Everything that plays (`play` and all of
//! `simulate`) plays here.
//!
//! Who sits at a table is a [`Seat`]; what optimal play is there, a [`PlayTheory`]; what both
//! players hold, and how it changes hands, a [`Held`]: chips ([`settle`](crate::rules::settle)
//! moves them), money, or nothing where a coin decides each turn. Positions come from [`Scenes`]:
//! one whole graph, or the neighbourhood of one position after the other where the ruleset is too
//! large to explore.

pub(in crate::library) mod board;
mod chips;
mod dice;
mod lasting;
mod money;
mod person;
mod questions;
mod tosses;

use std::collections::HashMap;
use std::fmt::Display;
use std::rc::Rc;

use num_traits::Zero;

use crate::diagnostic::{Diagnostic, Result};
use crate::eval::{Evaluator, NamedMove, Why};
use crate::game::{Explored, GameGraph, NodeId, Score};
use crate::library::play::matches::questions::say;
use crate::player::{Ending, GameId, PerPlayer, Player};
use crate::rules::{FieldValue, Rules, Tie, Winner};
use crate::solve::richman::Coin;
use crate::watch::{Context, Stop};

pub(crate) use board::is_large_board;
pub(crate) use chips::{ChipsTheory, PlayEngine, mixed_scene, scored_scene, won_scene};
pub(crate) use dice::Dice;
use lasting::EndableVertices;
pub(crate) use money::Advised;
pub(crate) use person::{Person, no_terminal, stopped};
use questions::{AnswerResult, HOW_TO_ANSWER, Unanswered};
pub(crate) use tosses::{NothingHeld, UserStrategy, turns_scene};

/// How wide the sentences of a match are.
const LINE: usize = 80;

/// What both players hold, and how it changes hands.
pub(crate) trait Held: Clone {
    type Bid: Ord + Display;

    /// Whether both bid where only one of them can move.
    const BIDS_IN_VAIN: bool;

    /// Whether nobody holds anything, so that what comes next depends on the position alone.
    const IS_NOTHING: bool = false;

    /// Any bid that a player can afford.
    fn any_bid(&self, player: Player, dice: &Dice) -> Self::Bid;

    /// Who wins a tie.
    fn tie(&self, rules: &Rules) -> Tie;

    /// What both hold when they bid.
    fn before_bid(&self, _: &Rules) -> Self {
        self.clone()
    }

    /// What both hold once the bids are paid.
    fn settle(&self, rules: &Rules, bids: PerPlayer<Self::Bid>, winner: Player) -> Self;

    /// What a player holds, in words.
    fn words(&self, _: Player) -> String {
        String::new()
    }

    /// Asks a person for a bid, who may be told what optimal play bids; the match stops where
    /// nobody is asked for such bids.
    fn ask_bid(
        &self,
        _: Player,
        _advice: &dyn Fn() -> Self::Bid,
        _: &mut Evaluator<'_>,
    ) -> AnswerResult<Self::Bid> {
        Err(Unanswered::Stopped)
    }
}

/// Hints for a person are worked out to the end.
const NEVER_STOPPED: &str = "nobody watches";

/// A position at which somebody has to decide, with what both hold before the bid.
pub(crate) struct DecisionPoint<'s, H> {
    pub(crate) graph: &'s GameGraph,
    pub(crate) node: NodeId,
    pub(crate) held: &'s H,
}

/// What optimal play is: the decisions of whoever sits on [`Seat::Optimal`].
pub(crate) trait PlayTheory {
    type Held: Held;

    /// What a player bids.
    ///
    /// # Errors
    /// If it is stopped.
    fn bid(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Self::Held>,
        context: &Context<'_>,
    ) -> std::result::Result<<Self::Held as Held>::Bid, Stop>;

    /// Whom a player who may choose lets win a tied bid.
    ///
    /// # Errors
    /// If it is stopped.
    fn tie_winner(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Self::Held>,
        bids: &PerPlayer<<Self::Held as Held>::Bid>,
        context: &Context<'_>,
    ) -> std::result::Result<Player, Stop>;

    /// Whom a player who has won the bid lets move, where both can; `told` is where given
    /// strategies would go.
    fn mover(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Self::Held>,
        after: &Self::Held,
        told: PerPlayer<Option<NodeId>>,
    ) -> Player;

    /// Where a player who is to move goes; `None` if any move is as good.
    fn destination(
        &self,
        player: Player,
        spot: &DecisionPoint<'_, Self::Held>,
        after: &Self::Held,
    ) -> Option<NodeId>;

    /// That move with its words, if the theory knows them better than the graph does.
    fn named(&self) -> Option<NamedMove> {
        None
    }

    /// What a move adds to the score.
    fn weight(&self, _: &GameGraph, _: NodeId, _: NodeId, _: Player) -> Score {
        Score::zero()
    }

    /// What an ending adds to the score.
    fn ending_weight(&self, _: NodeId) -> Score {
        Score::zero()
    }

    /// Whether there is a score.
    fn is_scored(&self) -> bool {
        false
    }
}

/// Who makes a player's decisions.
pub(crate) enum Seat {
    /// The user, who is asked.
    Person(Person),
    /// The theory.
    Optimal,
    /// The dice.
    Random,
    /// A function of the user's, which says where to move; all else is the theory's.
    Given(UserStrategy),
}

/// Positions with what is solved there.
pub(crate) struct Scene<T> {
    pub(crate) explored: Rc<Explored>,
    pub(crate) theory: T,
    /// Whether the graph has all that can be reached; otherwise it has the moves of its start
    /// alone, and knows only there whether the game is over.
    pub(crate) is_whole: bool,
}

/// How a position's scene is found.
type Finder<'m, T> = dyn Fn(&mut Evaluator<'_>, GameId) -> Result<Scene<T>> + 'm;

/// So many scenes are remembered.
const REMEMBERED: usize = 1 << 12;

/// Where the positions of matches come from.
pub(crate) struct Scenes<'m, T> {
    find: Box<Finder<'m, T>>,
    known: HashMap<GameId, Rc<Scene<T>>>,
    /// From where matches may end, once one has gone on for long.
    lasting: Option<EndableVertices<T>>,
}

impl<'m, T> Scenes<'m, T> {
    pub(crate) fn new(find: impl Fn(&mut Evaluator<'_>, GameId) -> Result<Scene<T>> + 'm) -> Self {
        Self {
            find: Box::new(find),
            known: HashMap::new(),
            lasting: None,
        }
    }

    /// The scene in which a position has its moves.
    pub(crate) fn at(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        game: GameId,
    ) -> Result<Rc<Scene<T>>> {
        if let Some(scene) = self.known.get(&game) {
            return Ok(Rc::clone(scene));
        }
        let scene = Rc::new((self.find)(evaluator, game)?);
        if self.known.len() == REMEMBERED {
            self.known.clear();
        }
        self.known.insert(game, Rc::clone(&scene));
        Ok(scene)
    }
}

/// The coin that decides ties.
pub(crate) struct Toss {
    pub(crate) coin: Coin,
    /// Who wins by its first side.
    pub(crate) first: Player,
    pub(crate) dice: Dice,
}

impl Toss {
    /// The fair coin, for Alice on its first side.
    pub(crate) fn fair(dice: Dice) -> Self {
        Self {
            coin: Coin::default(),
            first: Player::Alice,
            dice,
        }
    }

    fn winner(&self) -> Player {
        let [alice, bob] = Player::BOTH.map(|player| f64::from(self.coin.weights[player]));
        if self.dice.fraction() * (alice + bob) < alice {
            self.first
        } else {
            self.first.other()
        }
    }
}

/// Where matches are played, and by whom.
pub(crate) struct MatchSetup<'m, T: PlayTheory> {
    pub(crate) rules: &'m Rules,
    pub(crate) seats: PerPlayer<Seat>,
    pub(crate) toss: Toss,
    /// The chances of who plays at random.
    pub(crate) dice: Dice,
    pub(crate) scenes: Scenes<'m, T>,
    /// A match that goes on for longer is a draw.
    pub(crate) most_moves: usize,
}

/// Where a match stands.
struct MatchState<T: PlayTheory> {
    scene: Rc<Scene<T>>,
    node: NodeId,
    /// The position, as far as it has been needed.
    game: Option<GameId>,
    held: T::Held,
    score: Score,
}

impl<T: PlayTheory> Clone for MatchState<T> {
    fn clone(&self) -> Self {
        let Self {
            scene,
            node,
            game,
            held,
            score,
        } = self;
        Self {
            scene: Rc::clone(scene),
            node: *node,
            game: *game,
            held: held.clone(),
            score: *score,
        }
    }
}

impl<T: PlayTheory> MatchState<T> {
    fn spot(&self) -> DecisionPoint<'_, T::Held> {
        DecisionPoint {
            graph: &self.scene.explored.graph,
            node: self.node,
            held: &self.held,
        }
    }

    fn position(&mut self, evaluator: &mut Evaluator<'_>) -> GameId {
        let Self {
            scene, node, game, ..
        } = self;
        *game.get_or_insert_with(|| scene.explored.game(&mut evaluator.world.games, *node))
    }

    /// Who moves if only one player can.
    fn only_mover(&self) -> Option<Player> {
        let can = |player| {
            !self
                .scene
                .explored
                .graph
                .successors(self.node, player)
                .is_empty()
        };
        Player::BOTH.into_iter().find(|player| !can(player.other()))
    }
}

/// The turns of a match that can be taken back: the state before each in which something was
/// answered.
struct Taken<T: PlayTheory>(Vec<MatchState<T>>);

impl<T: PlayTheory> Default for Taken<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PlayTheory> Taken<T> {
    /// Keeps where a turn began, and how many answers there had been, if one has come since.
    fn keep(&mut self, before: Option<(MatchState<T>, usize)>, evaluator: &Evaluator<'_>) {
        self.0.extend(
            before
                .filter(|(_, answers)| evaluator.answers > *answers)
                .map(|(state, _)| state),
        );
    }

    /// Where the turn began that the last answer was given in; `None` if none has been given.
    fn back(
        &mut self,
        before: Option<(MatchState<T>, usize)>,
        evaluator: &mut Evaluator<'_>,
    ) -> Option<MatchState<T>> {
        let within = before
            .filter(|(_, answers)| evaluator.answers > *answers)
            .map(|(state, _)| state);
        let found = within.or_else(|| self.0.pop());
        if found.is_none() {
            say(evaluator, "there is no answer to take back");
        }
        found
    }
}

/// How a match ended.
pub(crate) struct Played {
    pub(crate) ending: Ending,
    pub(crate) score: Score,
}

/// A move that is made.
struct PlayedMove {
    node: NodeId,
    /// The position it leads to, where its own words have been looked up.
    game: Option<GameId>,
    score: Score,
}

impl<T: PlayTheory> MatchSetup<'_, T> {
    /// One match; `None` if the user stops it.
    pub(crate) fn play(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        game: GameId,
        held: T::Held,
    ) -> Result<Option<Played>> {
        let scene = self.scenes.at(evaluator, game)?;
        let node = scene.explored.node_of_option(&evaluator.world.games, game);
        let mut state = MatchState {
            scene,
            node,
            game: Some(game),
            held,
            score: Score::zero(),
        };
        let mut taken = Taken::default();
        if self.person().is_some() {
            say(evaluator, HOW_TO_ANSWER);
            let rule = FieldValue::Ties(evaluator.rules().ties).meaning();
            if let Some(rule) = rule.filter(|_| {
                Player::BOTH
                    .iter()
                    .any(|player| state.held.words(*player).contains('*'))
            }) {
                say(evaluator, &textwrap::fill(&format!("(ties: {rule})"), LINE));
            }
        }
        for made in 0..self.most_moves {
            evaluator.context.check()?;
            self.arrive(evaluator, &mut state)?;
            if let Some(ending) = state.scene.explored.graph.ending(state.node) {
                self.show_end(evaluator, &mut state);
                let score = state.score + state.scene.theory.ending_weight(state.node);
                return Ok(Some(Played { ending, score }));
            }
            let place = (&state.scene, state.node);
            if !self.may_end(place.0, place.1, &state.held, made, evaluator.context)? {
                break;
            }
            let before = self.person().map(|_| (state.clone(), evaluator.answers));
            match self.turn(evaluator, &mut state) {
                Ok(()) => taken.keep(before, evaluator),
                Err(Unanswered::TakenBack) => {
                    state = taken.back(before, evaluator).unwrap_or(state)
                }
                Err(Unanswered::Stopped) => return Ok(None),
                Err(Unanswered::Failed(diagnostic)) => return Err(diagnostic),
            }
        }
        Ok(Some(Played {
            ending: Ending::Draw,
            score: state.score,
        }))
    }

    /// Many matches: what each comes to.
    pub(crate) fn matches(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        game: GameId,
        held: &T::Held,
        games: u64,
    ) -> Result<Vec<Played>> {
        let mut all = Vec::new();
        for played in 0..games {
            if played % 64 == 0 {
                evaluator.context.check()?;
                evaluator.context.report("playing", played, Some(games));
            }
            all.extend(self.play(evaluator, game, held.clone())?);
        }
        Ok(all)
    }

    /// Sees to it that the position has its moves, or is known to have ended: a neighbourhood shows
    /// neither of the positions around its start.
    fn arrive(&mut self, evaluator: &mut Evaluator<'_>, state: &mut MatchState<T>) -> Result<()> {
        if state.scene.is_whole || state.node == state.scene.explored.graph.start() {
            return Ok(());
        }
        let game = state.position(evaluator);
        state.scene = self.scenes.at(evaluator, game)?;
        for player in Player::BOTH {
            if let Seat::Given(given) = &mut self.seats[player] {
                given.forget();
            }
        }
        state.node = state
            .scene
            .explored
            .node_of_option(&evaluator.world.games, game);
        Ok(())
    }

    /// One bid and one move.
    fn turn(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        state: &mut MatchState<T>,
    ) -> AnswerResult<()> {
        self.show(evaluator, state);
        let told = self.told(evaluator, state)?;
        let (only, owner) = (
            state.only_mover(),
            state.scene.explored.graph.owner(state.node),
        );
        let held = if owner.is_some() {
            state.held.clone()
        } else {
            state.held.before_bid(self.rules)
        };
        let (winner, why, after) = match owner.or(only.filter(|_| !T::Held::BIDS_IN_VAIN)) {
            Some(only) => (only, Why::Alone, held),
            None => {
                let bids = self.bids(evaluator, state, &held)?;
                let (winner, why) = self.winner(evaluator, state, &bids)?;
                (winner, why, held.settle(self.rules, bids, winner))
            }
        };
        self.tell_winner(evaluator, winner, why);
        let mover = match (only, self.rules.winner) {
            (Some(only), _) => only,
            (None, Winner::Moves) => winner,
            (None, Winner::Chooses) => self.mover(evaluator, state, winner, &after, told)?,
        };
        let step = self.step(evaluator, state, mover, &after, told[mover])?;
        state.score += step.score;
        (state.node, state.game, state.held) = (step.node, step.game, after);
        Ok(())
    }

    /// Where given strategies go from here.
    fn told(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        state: &MatchState<T>,
    ) -> Result<PerPlayer<Option<NodeId>>> {
        let mut told = PerPlayer::new(None, None);
        for player in Player::BOTH {
            if let Seat::Given(given) = &mut self.seats[player] {
                told[player] =
                    given.choice(evaluator, &state.scene.explored, state.node, player)?;
            }
        }
        Ok(told)
    }

    /// What both bid, who now hold so much.
    fn bids(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &MatchState<T>,
        held: &T::Held,
    ) -> AnswerResult<PerPlayer<<T::Held as Held>::Bid>> {
        let best = |player, context: &Context<'_>| {
            let best = state.scene.theory.bid(player, &state.spot(), context);
            best.map_err(Box::<Diagnostic>::from)
        };
        let mut bid = |player| match &self.seats[player] {
            Seat::Person(_) => held.ask_bid(
                player,
                &|| best(player, Context::plain()).expect(NEVER_STOPPED),
                evaluator,
            ),
            Seat::Random => Ok(held.any_bid(player, &self.dice)),
            Seat::Optimal | Seat::Given(_) => Ok(best(player, evaluator.context)?),
        };
        let bids = PerPlayer::new(bid(Player::Alice)?, bid(Player::Bob)?);
        self.tell_bids(evaluator, &bids);
        Ok(bids)
    }

    fn winner(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &MatchState<T>,
        bids: &PerPlayer<<T::Held as Held>::Bid>,
    ) -> AnswerResult<(Player, Why)> {
        let chooser = match (bids.alice.cmp(&bids.bob), state.held.tie(self.rules)) {
            (std::cmp::Ordering::Greater, _) => return Ok((Player::Alice, Why::Higher)),
            (std::cmp::Ordering::Less, _) => return Ok((Player::Bob, Why::Higher)),
            (std::cmp::Ordering::Equal, Tie::Goes(player)) => return Ok((player, Why::Rule)),
            (std::cmp::Ordering::Equal, Tie::Coin) => return Ok((self.toss.winner(), Why::Coin)),
            (std::cmp::Ordering::Equal, Tie::ChosenBy(player)) => player,
            (std::cmp::Ordering::Equal, Tie::Nobody) => {
                unreachable!("rules by which nobody wins a tie are not admitted")
            }
        };
        let advised = |context: &Context<'_>| {
            let theory = &state.scene.theory;
            let advised = theory.tie_winner(chooser, &state.spot(), bids, context);
            advised.map_err(Box::<Diagnostic>::from)
        };
        let winner = match &self.seats[chooser] {
            Seat::Person(person) => {
                let advised = || advised(Context::plain()).expect(NEVER_STOPPED);
                person.tie_winner(evaluator, &advised)?
            }
            Seat::Random => self.dice.either(),
            Seat::Optimal | Seat::Given(_) => advised(evaluator.context)?,
        };
        Ok((
            winner,
            if winner == chooser {
                Why::AdvantageUsed
            } else {
                Why::AdvantageKept
            },
        ))
    }

    /// Whom the winner of a bid lets move, where both can.
    fn mover(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &MatchState<T>,
        winner: Player,
        after: &T::Held,
        told: PerPlayer<Option<NodeId>>,
    ) -> AnswerResult<Player> {
        let advised = || state.scene.theory.mover(winner, &state.spot(), after, told);
        match &self.seats[winner] {
            Seat::Person(person) => person.mover(evaluator, &advised),
            Seat::Random => Ok(self.dice.either()),
            Seat::Given(_) => Ok(winner),
            Seat::Optimal => Ok(advised()),
        }
    }

    /// The move of who is to move.
    fn step(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &mut MatchState<T>,
        mover: Player,
        after: &T::Held,
        told: Option<NodeId>,
    ) -> AnswerResult<PlayedMove> {
        let advised = match &self.seats[mover] {
            Seat::Person(person) => return self.asked_step(evaluator, state, person, after),
            Seat::Random => None,
            Seat::Given(_) if told.is_some() => told,
            Seat::Optimal | Seat::Given(_) => {
                state.scene.theory.destination(mover, &state.spot(), after)
            }
        };
        let graph = &state.scene.explored.graph;
        let heads = graph.successors(state.node, mover);
        let node = advised.unwrap_or_else(|| heads[self.dice.below(heads.len() as u64) as usize]);
        if self.person().is_some() {
            return Ok(self.told_step(evaluator, state, mover, node)?);
        }
        let score = state.scene.theory.weight(graph, state.node, node, mover);
        Ok(PlayedMove {
            node,
            game: None,
            score,
        })
    }
}
