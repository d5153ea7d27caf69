//! Detection of moves that end the game at once, without making them: for rulesets in which players
//! set cells one by one, and lines of them end the game.
//!
//! The cells that complete a line of a player's are computed for the whole board together; those
//! among them that the player can set now end the game as the line says. This requires that a move
//! changes one part only and sets one cell of the mover's, that nothing but the contents of the
//! part determines which, and that no ending that is tested before the line depends on the mover's
//! cells.

use smallvec::SmallVec;

use super::steps::DigitChange;
use crate::convert::fit;
use crate::game::ruleset::cells::Lines;
use crate::game::ruleset::layout::Field;
use crate::game::ruleset::program::{Bool, Plane};
use crate::player::{Ending, PerPlayer, Player};

/// The lines and moves that can end the game at once.
#[derive(Debug)]
pub struct Lookout {
    goals: PerPlayer<Option<LineGoal>>,
    /// For each part and content, the cells that the player can set, as bits of the player's plane.
    open: PerPlayer<Vec<Vec<u64>>>,
    /// `true` if no move removes more than one of a player's ways to end the game: nobody can set
    /// more than one cell of a part at a time, and the game ends by lines or on a full board only.
    are_independent: bool,
    /// `true` if the game ends only by lines, or as a draw where the board is full or nobody can
    /// move.
    lines_decide: bool,
}

/// The lines of a player that end the game.
#[derive(Debug)]
struct LineGoal {
    field: Field,
    lines: Lines,
    ending: Ending,
}

/// Each player's possibilities at a position if it were the player's turn.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outlook {
    /// The ending that the player could bring about at once, if any.
    pub ends: PerPlayer<Option<Ending>>,
    /// `true` if the player still could after any one move of the opponent's.
    pub ends_twice: PerPlayer<bool>,
    /// If lines alone decide the game, the endings that each player's lines can still bring about.
    /// A full board is a draw besides.
    pub left: Option<PerPlayer<Option<Ending>>>,
    /// The number of cells that complete a line of the player who has just moved, whether they can
    /// be set yet or not.
    pub threats: u8,
}

/// The cells of a position that are needed to judge its moves.
#[derive(Debug, Clone, Copy)]
pub struct OpenLines {
    open: PerPlayer<u64>,
    completing: PerPlayer<u64>,
    /// The endings that each player's lines can still bring about, if lines alone decide the game.
    left: Option<PerPlayer<Option<Ending>>>,
}

impl Lookout {
    /// Creates the lookout for steps of pieces that touch one part each; `parts` contains the
    /// number of contents of each part. Returns `None` if no lines can be detected in this way.
    ///
    /// With `ends_stuck`, a stuck player ends the game; with `has_turns`, positions may have owners.
    pub fn new(
        endings: &[(Bool, Ending)],
        steps: PerPlayer<Vec<&DigitChange>>,
        parts: &[usize],
        ends_stuck: bool,
        has_turns: bool,
    ) -> Option<Self> {
        let mut goals = PerPlayer::<Option<LineGoal>>::default();
        let mut places = [None; 2];
        for (place, (condition, ending)) in endings.iter().enumerate() {
            let Bool::Line(line) = condition else {
                continue;
            };
            let Plane::Field(field) = &line.0 else {
                continue;
            };
            // Sets of cells are single words here.
            if field.bits > 64 {
                continue;
            }
            let fits = |player: Player| {
                let sets =
                    |step: &&DigitChange| step.adds && field.get(&step.flips).count_ones() == 1;
                // No ending that is tested before the line may depend on the step. From number 63
                // on endings share a bit.
                let is_first = |step: &&DigitChange| step.tested & ((1 << place.min(63)) - 1) == 0;
                let others = steps[player.other()]
                    .iter()
                    .all(|step| field.get(&step.flips) == 0);
                others
                    && steps[player]
                        .iter()
                        .all(|step| sets(step) && is_first(step))
            };
            if let Some(player) = Player::BOTH
                .into_iter()
                .find(|player| goals[*player].is_none() && fits(*player))
            {
                goals[player] = Some(LineGoal {
                    field: *field,
                    lines: line.1.clone(),
                    ending: *ending,
                });
                places[player as usize] = Some(place);
            }
        }
        if Player::BOTH
            .into_iter()
            .all(|player| goals[player].is_none())
        {
            return None;
        }
        let mut open = PerPlayer::<Vec<Vec<u64>>>::default();
        for player in Player::BOTH {
            open[player] = parts.iter().map(|contents| vec![0; *contents]).collect();
            let Some(goal) = &goals[player] else { continue };
            for step in &steps[player] {
                let [(part, from, _)] = step.digits[..] else {
                    return None;
                };
                open[player][usize::from(part)][usize::from(from)] |= goal.field.get(&step.flips);
            }
        }
        let single = |player| {
            open[player]
                .iter()
                .flatten()
                .all(|cells: &u64| cells.count_ones() <= 1)
        };
        let fields = goals.map_ref(|goal| goal.as_ref().map(|goal| goal.field));
        let is_full = |condition: &Bool| match (fields.alice, fields.bob) {
            (Some(alice), Some(bob)) => condition.says_full(PerPlayer::new(alice, bob)),
            _ => false,
        };
        let known = |(place, (condition, ending)): (usize, &(Bool, Ending))| {
            // Any other ending could come before a line is complete.
            places.contains(&Some(place)) || is_full(condition) && *ending == Ending::Draw
        };
        let lines_decide = !ends_stuck && endings.iter().enumerate().all(known);
        // Before a position with an owner two ways to end the game count no more than one.
        let are_independent = !has_turns && lines_decide && Player::BOTH.into_iter().all(single);
        Some(Self {
            goals,
            open,
            are_independent,
            lines_decide,
        })
    }

    /// Returns the players' cells and the lines that win for both, if these alone decide the game,
    /// and nobody loses by a line.
    pub fn deciding_lines(&self) -> Option<(PerPlayer<Field>, &Lines)> {
        let goal = |player: Player| {
            self.goals[player]
                .as_ref()
                .filter(|goal| goal.ending == Ending::Win(player))
        };
        let (alice, bob) = (goal(Player::Alice)?, goal(Player::Bob)?);
        let is_same = alice.lines == bob.lines && alice.field.bits == bob.field.bits;
        (self.lines_decide && is_same)
            .then(|| (PerPlayer::new(alice.field, bob.field), &alice.lines))
    }

    /// Returns, for each content of a part, the cells that a player can set, as bits of the
    /// player's plane.
    pub fn open_in(&self, player: Player, part: usize) -> &[u64] {
        &self.open[player][part]
    }

    /// Computes the open and completing cells of a position.
    pub fn standing(&self, digits: &[u16], words: &[u64]) -> OpenLines {
        let open = |player: Player| {
            let parts = self.open[player].iter().zip(digits);
            parts.fold(0, |open, (contents, digit)| {
                open | contents[usize::from(*digit)]
            })
        };
        let completing = |player| self.completing(player, words);
        let of = PerPlayer::new(Player::Alice, Player::Bob);
        let left = |player| self.left(player, words);
        let left = self.lines_decide.then(|| of.map(left));
        OpenLines {
            open: of.map(open),
            completing: of.map(completing),
            left,
        }
    }

    /// Returns the ending that a player's lines can still bring about, if a line is left that
    /// contains no cell of the opponent's.
    fn left(&self, player: Player, words: &[u64]) -> Option<Ending> {
        let goal = self.goals[player].as_ref()?;
        let taken = self.goals[player.other()]
            .as_ref()
            // Without lines of the opponent's nothing blocks the player's.
            .map_or(0, |other| other.field.get(words));
        goal.lines.any(&!taken).then_some(goal.ending)
    }

    /// Returns the cells that complete a line of a player's.
    fn completing(&self, player: Player, words: &[u64]) -> u64 {
        self.goals[player]
            .as_ref()
            .map_or(0, |goal| goal.lines.completing(goal.field.get(words)))
    }

    /// Computes the outlook after a player's step from a position; `words` is the state after it.
    pub fn after(
        &self,
        standing: &OpenLines,
        player: Player,
        step: &DigitChange,
        words: &SmallVec<[u64; 2]>,
    ) -> Outlook {
        let [(part, from, to)] = step.digits[..] else {
            return Outlook::default();
        };
        let mut outlook = Outlook {
            left: standing.left,
            ..Outlook::default()
        };
        // The step takes cells from the opponent's lines only; the mover's own lines stay as they
        // were.
        if let Some(left) = &mut outlook.left
            && left[player.other()].is_some()
        {
            left[player.other()] = self.left(player.other(), words);
        }
        for mover in Player::BOTH {
            let Some(goal) = &self.goals[mover] else {
                continue;
            };
            let completing = if mover == player {
                let completing = goal.lines.completing(goal.field.get(words));
                outlook.threats = fit::<u8>(completing.count_ones());
                completing
            } else {
                // The opponent's cells have not changed, so what they complete is known already.
                standing.completing[mover]
            };
            // The cells that a part opens are opened by no other part, so those that it opened
            // before the step can be removed.
            let part = &self.open[mover][usize::from(part)];
            let open = standing.open[mover] & !part[usize::from(from)] | part[usize::from(to)];
            let ends = completing & open;
            if ends != 0 {
                outlook.ends[mover] = Some(goal.ending);
                outlook.ends_twice[mover] = self.are_independent && ends & (ends - 1) != 0;
            }
        }
        outlook
    }
}
