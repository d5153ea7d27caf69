//! Rulesets (the heading "Rulesets" in the page of the language), compiled once with their
//! parameters as constants to a packed state and programs for the moves.
//!
//! [`compile()`] takes a template and arguments. Each part has its module: the bits of a state
//! ([`layout`]), the form of an expression whose constants are known ([`term`], [`specialise`],
//! [`unfold`], [`clauses`], [`operators`], [`builtins`]), the resulting programs ([`program`],
//! [`visit`], [`cells`]), the number of bits that integers need ([`ranges`]), the lines compiled to them
//! ([`moves`], [`endings`]), equivalent positions ([`symmetry`]), positions as numbers
//! ([`indexed`]) and as text ([`text`]), games that are decided by the filled board
//! ([`selection`]), and the cells that decided a game ([`deciding`]).

mod builtins;
mod cells;
mod clauses;
mod compile;
mod deciding;
mod domain;
mod endings;
mod fault;
mod features;
mod formula;
mod identity;
mod income;
mod indexed;
mod known;
mod layout;
mod moves;
mod operators;
mod program;
mod ranges;
mod scope;
pub mod selection;
mod specialise;
mod symmetry;
mod term;
mod text;
mod turns;
mod unfold;
mod updates;
mod visit;
mod walk;

use borsh::io::{self, Read, Write};
use borsh::{BorshDeserialize, BorshSerialize};
use num_traits::Zero;
use smallvec::SmallVec;

pub use builtins::OTHER_CELLS;
pub use cells::{
    CellSet, Connection, Direction, Lines, Wide, neighbour_directions, side_cells, step, words_of,
};
pub use compile::compile;
pub use domain::Domain;
pub use features::Feature;
pub use formula::Formula;
pub use indexed::{
    Component, ComponentLevel, Condition, Digit, DigitSteps, EndingCells, GuardedMove, Image,
    Indexed, Landing, LineGrid, MoveTarget, Numbering, Product, RowImage, RowSample, Stepper,
    Target, Test, TruthTable,
};
pub use specialise::Constants;
pub use walk::MoveWalker;

use self::endings::{EndingProgram, ResultProgram};
use self::fault::{Fault, Sites};
use self::income::IncomeProgram;
use self::layout::{ScalarPlace, VariablePlace};
use self::moves::Move;
use self::program::{Int, Machine};
use self::symmetry::Symmetry;
use self::turns::TurnProgram;
use super::Score;
use super::scores::for_alice;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::player::{Ending, PerPlayer, Player};
use crate::rules::{Stuck, StuckResult};

/// A packed position. Two words hold every board of up to 64 cells; larger states are allocated on
/// the heap.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(SmallVec<[u64; 2]>);

impl BorshSerialize for State {
    fn serialize<W: Write>(&self, writer: &mut W) -> io::Result<()> {
        self.words().serialize(writer)
    }
}

impl BorshDeserialize for State {
    fn deserialize_reader<R: Read>(reader: &mut R) -> io::Result<Self> {
        Vec::deserialize_reader(reader).map(|words| Self::from_words(&words))
    }
}

impl State {
    fn zero(words: usize) -> Self {
        Self(SmallVec::from_elem(0, words))
    }

    /// Creates the position of these words, which are in the format of [`words`](Self::words).
    pub fn from_words(words: &[u64]) -> Self {
        Self(SmallVec::from_slice(words))
    }

    /// Returns the words of the position; every state of a ruleset has the same number of them.
    pub fn words(&self) -> &[u64] {
        &self.0
    }
}

/// A ruleset with its parameters fixed, compiled.
#[derive(Debug)]
pub struct Ruleset {
    /// The names of the state variables and their places in the state.
    variables: Vec<(String, VariablePlace)>,
    start: State,
    endings: Vec<EndingProgram>,
    turns: Vec<TurnProgram>,
    incomes: PerPlayer<Vec<IncomeProgram>>,
    moves: PerPlayer<Vec<Move>>,
    stuck: Stuck,
    /// The score that is added to the stuck player's side, if a stuck player ends the game with a
    /// score.
    penalties: Option<PerPlayer<Penalty>>,
    scored: bool,
    symmetry: Symmetry,
    /// The number of registers that the programs use.
    registers: usize,
    sites: Sites,
    warnings: Vec<Diagnostic>,
}

/// A fraction that depends on the position: a program for its numerator, and its denominator.
#[derive(Debug)]
struct Penalty {
    numerator: Int,
    denominator: i64,
}

impl Ruleset {
    /// Returns the position at the start.
    pub fn start(&self) -> &State {
        &self.start
    }

    /// Iterates over the indivisible parts of the state, in order.
    fn scalars(&self) -> impl Iterator<Item = ScalarPlace> {
        self.variables.iter().flat_map(|(_, place)| place.scalars())
    }

    /// Iterates over the moves of both players, Alice's first.
    fn all_moves(&self) -> impl Iterator<Item = &Move> {
        self.moves.alice.iter().chain(&self.moves.bob)
    }

    /// Returns the ending of a position, if the game has ended there: the first `win`, `draw` or
    /// `score` line that holds.
    ///
    /// # Errors
    /// If evaluating the lines leaves a range (an index outside the board, say), or the position
    /// shows that the game does not respect its symmetries.
    pub fn ending(&self, state: &State) -> Result<Option<Ending>> {
        let ending = self.plain_ending(state)?;
        // A symmetry that is declared but not proved is tested at every position.
        self.symmetry.check_ending(self, state, ending)?;
        Ok(ending.map(|(ending, _)| ending))
    }

    /// Returns the amount that the game's ending at a position adds to the score; 0 where it has
    /// not ended.
    ///
    /// # Errors
    /// As [`ending`](Self::ending).
    pub fn ending_score(&self, state: &State) -> Result<Score> {
        Ok(self
            .plain_ending(state)?
            .map_or_else(Score::zero, |(_, score)| score))
    }

    fn plain_ending(&self, state: &State) -> Result<Option<(Ending, Score)>> {
        self.ending_on(&mut self.machine(state))
    }

    /// Returns the ending at the state that the machine is on.
    fn ending_on(&self, machine: &mut Machine) -> Result<Option<(Ending, Score)>> {
        self.first_of(&self.endings, machine, EndingProgram::run)
    }

    /// Returns the result of the first of some lines that holds at the state that the machine is on.
    fn first_of<L, T>(
        &self,
        lines: &[L],
        machine: &mut Machine,
        run: impl Fn(&L, &mut Machine) -> std::result::Result<Option<T>, Fault>,
    ) -> Result<Option<T>> {
        for line in lines {
            let found = run(line, machine);
            let at = || State(machine.words.clone());
            let found = found.map_err(|fault| self.diagnostic(fault, &at(), None))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Calls `visit` with every position that a player can move to and the amount that the move adds
    /// to the score, positive for Alice, in the order of the `move` lines; symmetric positions are
    /// not merged. Within a line, loops whose range depends on the position run inside those known
    /// before play.
    ///
    /// # Errors
    /// If a move leaves the state's range, or the position shows that the game does not respect its
    /// symmetries.
    pub fn scored_moves(
        &self,
        state: &State,
        player: Player,
        visit: &mut dyn FnMut(State, Score),
    ) -> Result<()> {
        // The test comes before the positions are handed out, because merging them would hide the
        // defect.
        self.symmetry.check_moves(self, state, player)?;
        self.plain_moves(state, player, &mut |next, score| {
            visit(next, for_alice(player, score))
        })
    }

    /// Returns the amount that is added to the score if a player must move and cannot, positive for
    /// Alice; 0 unless the game then ends with a score.
    ///
    /// # Errors
    /// If the score cannot be computed.
    pub fn stuck_score(&self, state: &State, player: Player) -> Result<Score> {
        let Some(penalties) = &self.penalties else {
            return Ok(Score::zero());
        };
        let penalty = &penalties[player];
        let numerator = penalty.numerator.run(&mut self.machine(state));
        let numerator = numerator.map_err(|fault| self.diagnostic(fault, state, None))?;
        Ok(for_alice(
            player,
            Score::new(numerator, penalty.denominator),
        ))
    }

    /// Visits the moves with the amounts that they add to the mover's side, without testing the
    /// symmetries.
    fn plain_moves(
        &self,
        state: &State,
        player: Player,
        visit: &mut dyn FnMut(State, Score),
    ) -> Result<()> {
        // The machine goes on to the next move, so the position is copied.
        let visit = &mut |machine: &mut Machine| visit(State(machine.words.clone()), machine.score);
        self.moves_on(&mut self.machine(state), state, player, visit)
    }

    /// Calls `visit` with the machine after each move from the state that it is on.
    fn moves_on(
        &self,
        machine: &mut Machine,
        state: &State,
        player: Player,
        visit: &mut dyn FnMut(&mut Machine),
    ) -> Result<()> {
        // The opponent moves here without a bid.
        if self.owner_on(machine)? == Some(player.other()) {
            return Ok(());
        }
        for one in &self.moves[player] {
            // Labels are made only for the message, by running the move once more.
            if one.run(machine, visit).is_err() {
                return Err(self.explain(one, state, player));
            }
        }
        Ok(())
    }

    /// Returns the moves with their labels, such as `place(1, 1)`, and the amounts that they add to
    /// the score, positive for Alice.
    ///
    /// # Errors
    /// As [`moves`](Self::moves).
    pub fn labelled_moves(
        &self,
        state: &State,
        player: Player,
    ) -> Result<Vec<(String, State, Score)>> {
        let mut machine = self.machine(state);
        let mut found = Vec::new();
        if self.owner_on(&mut machine)? == Some(player.other()) {
            return Ok(found);
        }
        for one in &self.moves[player] {
            let visit = &mut |label, machine: &mut Machine| {
                found.push((
                    label,
                    State(machine.words.clone()),
                    for_alice(player, machine.score),
                ));
            };
            one.run_labelled(&mut machine, visit)
                .map_err(|(fault, label)| self.diagnostic(fault, state, Some((player, &label))))?;
        }
        Ok(found)
    }

    /// Returns the rule for stuck players.
    pub fn stuck(&self) -> Stuck {
        self.stuck
    }

    /// Returns `true` if a stuck player passes and stays at the position: under `stuck passes`, as
    /// long as the opponent can move. If neither can move, the game is a draw.
    ///
    /// # Errors
    /// As [`moves`](Self::moves).
    pub fn passes(&self, state: &State, player: Player) -> Result<bool> {
        let mut opponent_moves = false;
        if self.stuck == Stuck::Passes {
            self.plain_moves(state, player.other(), &mut |_, _| opponent_moves = true)?;
        }
        Ok(opponent_moves)
    }

    /// Returns `true` if the game is scored; a win alone does not determine its value then.
    pub fn is_scored(&self) -> bool {
        self.scored
    }

    /// Returns the warnings about its lines.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Returns `true` if no line lets a player win and nothing scores.
    pub fn is_never_won(&self) -> bool {
        let wins = |line: &EndingProgram| matches!(line.result, ResultProgram::Win(..));
        !self.scored
            && !matches!(
                self.stuck,
                Stuck::Ends(StuckResult::Loss | StuckResult::Win)
            )
            && !self.endings.iter().any(wins)
    }

    /// Returns the representative of a position up to the declared symmetries.
    pub fn canonical(&self, state: State) -> State {
        self.symmetry.canonical(state)
    }

    /// Iterates over the images of a position under the symmetries other than the identity.
    pub fn images<'a>(&'a self, state: &'a State) -> impl Iterator<Item = State> + 'a {
        self.symmetry
            .elements()
            .iter()
            .map(|image| image.apply(state))
    }

    /// Returns the variables that no rule is known to bound.
    pub fn unbounded(&self) -> impl Iterator<Item = &str> {
        let open = self.variables.iter();
        open.filter(|(_, place)| !place.open_integers().is_empty())
            .map(|(name, _)| name.as_ref())
    }

    /// Adds a note to the error that stopped the work on this game, if integers of its state kept
    /// growing: then the game may have no end. `found` are some of the positions found, from the
    /// start on; if there are none, every integer that can grow is named.
    pub fn blame_growth(&self, error: Box<Diagnostic>, found: &[State]) -> Box<Diagnostic> {
        if !matches!(
            error.code,
            Code::Positions | Code::Memory | Code::Time | Code::Interrupted
        ) {
            return error;
        }
        let (early, late) = found.split_at(found.len() / 2);
        let growing = self.variables.iter().filter_map(|(name, place)| {
            let open = place.open_integers();
            // If all integers are bounded the state has finitely many values, and growth is not
            // the cause.
            let (first, all) = (open.first()?, &open);
            let values = |states: &[State]| -> Vec<i64> {
                let values = states
                    .iter()
                    .flat_map(|state| all.iter().map(|scalar| scalar.get(state.words())));
                values.collect()
            };
            let (before, after) = (values(early), values(late));
            let rises = found.is_empty() || after.iter().max() > before.iter().max();
            let falls = after.iter().min() < before.iter().min();
            let is_single = matches!(place, VariablePlace::Scalar(scalar) if scalar == first);
            let part = if is_single {
                name.to_string()
            } else {
                format!("{name}[0]")
            };
            let condition = match (rises, falls) {
                (false, false) => return None,
                (true, _) => format!("`if {part} < 100`"),
                (false, true) => format!("`if {part} >= s` where a move takes s"),
            };
            Some((format!("`{name}`"), condition))
        });
        let (names, conditions): (Vec<String>, Vec<String>) = growing.unzip();
        let Some(condition) = conditions.first() else {
            return error;
        };
        let note = format!(
            "no rule bounds {}, so the state may grow without end; bound it by a condition on the moves, as in {condition}",
            names.join(" and "),
        );
        Box::new(error.note(note))
    }

    /// Builds the diagnostic of a move that faulted, by making it again with its label.
    fn explain(&self, one: &Move, state: &State, player: Player) -> Box<Diagnostic> {
        let mut machine = self.machine(state);
        let faulted = one.run_labelled(&mut machine, &mut |_, _| {});
        let (fault, label) = faulted.expect_err("the same move faults again");
        self.diagnostic(fault, state, Some((player, &label)))
    }

    fn diagnostic(
        &self,
        fault: Fault,
        state: &State,
        made: Option<(Player, &str)>,
    ) -> Box<Diagnostic> {
        let position = self.print(state);
        let at = match made {
            None => format!("at the position {position:?}"),
            Some((player, label)) => format!(
                "at the position {position:?}, in {}'s move {label}",
                player.name()
            ),
        };
        self.sites.diagnostic(fault, &at)
    }
}
