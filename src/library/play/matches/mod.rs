//! Plays a match turn by turn, with two seats and a referee. Everything that plays (`play` and all
//! of `simulate`) plays here.
//!
//! A [`Seat`] says who makes a player's decisions, and a [`PlayTheory`] makes optimal ones. A
//! [`Held`] is the budgets of both players and the way they change: chips
//! ([`settle`](crate::rules::settle) moves them), money, or nothing if a coin decides each turn.
//! Positions come from [`Scenes`]: one whole graph, or the neighbourhood of one position after
//! another if the ruleset is too large to explore.

pub(in crate::library) mod board;
mod chips;
mod dice;
mod lasting;
mod money;
mod person;
mod questions;
mod state;
mod theory;
mod tosses;

use std::collections::HashMap;
use std::rc::Rc;

use num_traits::Zero;

use crate::ask::Around;
use crate::convert::fit;
use crate::diagnostic::{Diagnostic, Result};
use crate::eval::{Evaluator, Why};
use crate::game::{Explored, NodeId, Score};
use crate::library::play::matches::person::is_drawn;
use crate::library::play::matches::questions::say;
use crate::player::{Ending, GameId, PerPlayer, Player};
use crate::rules::{FieldValue, Rules, Tie, Winner};
use crate::solve::richman::Coin;
use crate::watch::Context;

pub(crate) use board::is_large_board;
pub(crate) use chips::{ChipsTheory, PlayEngine, mixed_scene, scored_scene, won_scene};
pub(crate) use dice::Dice;
use lasting::{EndableVertices, LONG};
pub(crate) use money::Advised;
pub(crate) use person::{Person, no_terminal, stopped};
use questions::{AnswerResult, HOW_TO_ANSWER, Unanswered};
use state::{MatchState, Taken, only_mover};
pub(crate) use theory::{DecisionPoint, Held, PlayTheory};
pub(crate) use tosses::{NothingHeld, UserStrategy};

/// The width of the sentences of a match, in characters.
const LINE: usize = 80;

/// The message of a failed hint. Hints for a person cannot be stopped.
const NEVER_STOPPED: &str = "nobody watches";

/// The maker of a player's decisions.
pub(crate) enum Seat {
    /// The user, who is asked.
    Person(Person),
    /// The theory.
    Optimal,
    /// The dice.
    Random,
    /// A function of the user's, which chooses the moves; the theory makes all other decisions.
    Given(UserStrategy),
}

/// The function that finds the scene of a position.
type Finder<'m, T> = dyn Fn(&mut Evaluator<'_>, GameId) -> Result<Around<T>> + 'm;

/// The number of scenes that are remembered.
const REMEMBERED: usize = 1 << 12;

/// The source of the positions of matches.
pub(crate) struct Scenes<'m, T> {
    find: Box<Finder<'m, T>>,
    known: HashMap<GameId, Rc<Around<T>>>,
    /// The vertices that have been searched for endings that can be reached.
    lasting: Option<EndableVertices<T>>,
}

impl<'m, T> Scenes<'m, T> {
    pub(crate) fn new(find: impl Fn(&mut Evaluator<'_>, GameId) -> Result<Around<T>> + 'm) -> Self {
        Self {
            find: Box::new(find),
            known: HashMap::new(),
            lasting: None,
        }
    }

    /// Returns the scene in which a position has its moves.
    pub(crate) fn at(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        game: GameId,
    ) -> Result<Rc<Around<T>>> {
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
    /// The player who wins by the coin's first side.
    pub(crate) first: Player,
    pub(crate) dice: Dice,
}

impl Toss {
    /// Returns the fair coin, with Alice on its first side.
    pub(crate) fn fair(dice: Dice) -> Self {
        Self {
            coin: Coin::default(),
            first: Player::Alice,
            dice,
        }
    }

    fn winner(&self) -> Player {
        match self.dice.draw(&self.weights().map(f64::from)) {
            0 => self.first,
            _ => self.first.other(),
        }
    }

    /// Returns the weights of the coin's first side and of the other one.
    fn weights(&self) -> [u32; 2] {
        Player::both(|player| self.coin.weights[player])
    }

    /// Returns `true` if the coin can fall for a player.
    fn may_fall_for(&self, player: Player) -> bool {
        self.weights()[usize::from(player != self.first)] > 0
    }
}

/// The setup of matches: the rules, the players' seats, the dice and the positions.
pub(crate) struct MatchSetup<'m, T: PlayTheory> {
    pub(crate) rules: &'m Rules,
    pub(crate) seats: PerPlayer<Seat>,
    pub(crate) toss: Toss,
    /// The random numbers of players who play at random.
    pub(crate) dice: Dice,
    pub(crate) scenes: Scenes<'m, T>,
    /// The number of moves after which a match is a draw.
    pub(crate) most_moves: usize,
}

/// The result of a match.
pub(crate) struct Played {
    pub(crate) ending: Ending,
    pub(crate) score: Score,
}

/// The states of a match as a person sees them, each a position and both budgets, since the last
/// answer.
#[derive(Default)]
struct ForcedStates {
    /// The number of answers until then.
    answers: usize,
    /// The number of turns since then.
    turns: usize,
    /// The states, with the number of random choices before each.
    states: HashMap<(GameId, [String; 2]), u64>,
}

/// The course of a match.
enum MatchCourse {
    /// It may end.
    Open,
    /// It cannot end.
    Endless,
    /// Nothing has been asked for long, and the present state has come before.
    TooLong,
}

/// A move that is made.
struct PlayedMove {
    node: NodeId,
    /// The position that it leads to, if it was looked up for the move's words.
    game: Option<GameId>,
    score: Score,
}

impl<'m, T: PlayTheory> MatchSetup<'m, T> {
    /// Creates the setup of matches of at most 10,000 moves, in which a fair coin decides ties.
    pub(crate) fn new(
        rules: &'m Rules,
        seats: PerPlayer<Seat>,
        dice: Dice,
        scenes: Scenes<'m, T>,
    ) -> Self {
        Self {
            rules,
            seats,
            toss: Toss::fair(dice.clone()),
            dice,
            scenes,
            most_moves: 10_000,
        }
    }

    /// Plays a match; returns `None` if it is stopped before its end.
    pub(crate) fn play(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        game: GameId,
        held: T::Held,
    ) -> Result<Option<Played>> {
        let scene = self.scenes.at(evaluator, game)?;
        let mut state = MatchState {
            node: scene.node,
            scene,
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
        let mut forced = ForcedStates::default();
        for made in 0.. {
            evaluator.context.check()?;
            self.arrive(evaluator, &mut state)?;
            if let Some(ending) = state.scene.explored.graph.ending(state.node) {
                let score = state.score + state.scene.solution.ending_weight(state.node);
                let played = Played { ending, score };
                self.show_end(evaluator, &mut state, &played);
                return Ok(Some(played));
            }
            if made == self.most_moves {
                break;
            }
            match self.course(evaluator, &mut state, &mut forced, made)? {
                MatchCourse::Open => {}
                MatchCourse::Endless => {
                    say(
                        evaluator,
                        "play goes round without end: the match is a draw",
                    );
                    break;
                }
                MatchCourse::TooLong => {
                    let text =
                        format!("nothing has been asked for {LONG} turns: the match is stopped");
                    say(evaluator, &text);
                    return Ok(None);
                }
            }
            // Only a person takes turns back, so that simulations need no copies.
            let before = self.person().map(|_| (state.clone(), evaluator.answers));
            match self.turn(evaluator, &mut state) {
                Ok(()) => taken.keep(before, evaluator),
                Err(Unanswered::TakenBack) => {
                    state = taken.back(before, evaluator).unwrap_or(state);
                    forced = ForcedStates::default();
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

    /// Returns the course of a match after `made` moves. With a person it is endless if a state comes
    /// again without a decision of the person or of chance in between, or if no ending can be reached.
    fn course(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        state: &mut MatchState<T>,
        forced: &mut ForcedStates,
        made: usize,
    ) -> Result<MatchCourse> {
        if self.person().is_none() {
            // Most matches end early, and the search for endings would cost more than they do.
            let is_long = made >= LONG || self.scenes.lasting.is_some();
            return Ok(if is_long && !self.may_end(evaluator, state)? {
                MatchCourse::Endless
            } else {
                MatchCourse::Open
            });
        }
        if evaluator.answers != forced.answers {
            *forced = ForcedStates {
                answers: evaluator.answers,
                ..ForcedStates::default()
            };
        }
        forced.turns += 1;
        let held = Player::both(|player| state.held.words(player));
        let chances = self.dice.chances() + self.toss.dice.chances();
        let known = (state.position(evaluator), held);
        Ok(match forced.states.insert(known, chances) {
            None => MatchCourse::Open,
            Some(last) if last == chances => MatchCourse::Endless,
            Some(_) if !self.may_end(evaluator, state)? => MatchCourse::Endless,
            Some(_) if forced.turns > LONG => MatchCourse::TooLong,
            Some(_) => MatchCourse::Open,
        })
    }

    /// Plays many matches, and returns the result of each.
    pub(crate) fn matches(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        game: GameId,
        held: &T::Held,
        games: u64,
    ) -> Result<Vec<Played>> {
        let mut all = Vec::new();
        for played in 0..games {
            // A single match is short, so not each one asks for a stop and draws the progress line.
            if played % 64 == 0 {
                evaluator.context.check()?;
                evaluator.context.report("playing", played, Some(games));
            }
            all.extend(self.play(evaluator, game, held.clone())?);
        }
        Ok(all)
    }

    /// Makes sure that the position has its moves, or is known to have ended. A neighbourhood shows
    /// neither for the positions around its start.
    fn arrive(&mut self, evaluator: &mut Evaluator<'_>, state: &mut MatchState<T>) -> Result<()> {
        if state.scene.is_whole || state.node == state.scene.explored.graph.start() {
            return Ok(());
        }
        let game = state.position(evaluator);
        state.scene = self.scenes.at(evaluator, game)?;
        for player in Player::BOTH {
            if let Seat::Given(given) = &mut self.seats[player] {
                // Another scene numbers its vertices anew, so choices by vertex do not apply.
                given.forget();
            }
        }
        state.node = state.scene.node;
        Ok(())
    }

    /// Plays one bid and one move.
    fn turn(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        state: &mut MatchState<T>,
    ) -> AnswerResult<()> {
        self.show(evaluator, state);
        let told = self.told(evaluator, &state.scene.explored, state.node)?;
        let graph = &state.scene.explored.graph;
        let (only, owner) = (only_mover(graph, state.node), graph.owner(state.node));
        let held = match owner {
            Some(_) => state.held.clone(),
            None => state.held.before_bid(self.rules, graph, state.node),
        };
        // At such a vertex nothing is paid, so that budgets stay as they are.
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

    /// Returns the destinations that given strategies choose here.
    fn told(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        explored: &Explored,
        node: NodeId,
    ) -> Result<PerPlayer<Option<NodeId>>> {
        let mut told = PerPlayer::new(None, None);
        for player in Player::BOTH {
            if let Seat::Given(given) = &mut self.seats[player] {
                told[player] = given.choice(evaluator, explored, node, player)?;
            }
        }
        Ok(told)
    }

    /// Returns the bids of both players, who hold `held`.
    fn bids(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &MatchState<T>,
        held: &T::Held,
    ) -> AnswerResult<PerPlayer<<T::Held as Held>::Bid>> {
        let best = |player, context: &Context<'_>| {
            let best = state.scene.solution.bid(player, &state.spot(), context);
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
        // Both bids are known before either is told, as bidding is simultaneous.
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
            let theory = &state.scene.solution;
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

    /// Returns the player whom the winner of a bid lets move, if both can move.
    fn mover(
        &self,
        evaluator: &mut Evaluator<'_>,
        state: &mut MatchState<T>,
        winner: Player,
        after: &T::Held,
        told: PerPlayer<Option<NodeId>>,
    ) -> AnswerResult<Player> {
        let is_asked = matches!(self.seats[winner], Seat::Person(_)) && is_drawn(evaluator);
        let moves = if is_asked {
            self.offered(evaluator, state, winner, after)?
                .offers(evaluator)
        } else {
            Vec::new()
        };
        let advised = || {
            state
                .scene
                .solution
                .mover(winner, &state.spot(), after, told)
        };
        match &self.seats[winner] {
            Seat::Person(person) => person.mover(evaluator, moves, &advised),
            Seat::Random => Ok(self.dice.either()),
            // A given strategy says where to move, so its player moves after winning.
            Seat::Given(_) => Ok(winner),
            Seat::Optimal => Ok(advised()),
        }
    }

    /// Returns the move of the player who is to move.
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
                state
                    .scene
                    .solution
                    .destination(mover, &state.spot(), after)
            }
        };
        let graph = &state.scene.explored.graph;
        let heads = graph.successors(state.node, mover);
        let node =
            advised.unwrap_or_else(|| heads[fit::<usize>(self.dice.below(heads.len() as u64))]);
        if self.person().is_some() {
            return Ok(self.told_step(evaluator, state, mover, node)?);
        }
        let score = state.scene.solution.weight(graph, state.node, node, mover);
        Ok(PlayedMove {
            node,
            game: None,
            score,
        })
    }
}
