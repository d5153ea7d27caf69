//! The cells that decided a game: those of the lines and chains by which the condition of its
//! ending holds. A picture of the last position marks them.

use std::collections::BTreeSet;

use super::cells::{Connection, Lines};
use super::layout::{Field, VariablePlace};
use super::program::{Bool, Machine, Plane};
use super::{Ruleset, State};
use crate::convert::fit;
use crate::player::{PerPlayer, Player};

impl Ruleset {
    /// Returns the cells of the printed board that decided the game, row by row from the top: all
    /// lines, and a shortest chain, that the condition of the ending asks for. There are none if
    /// the game goes on or its ending asks for something else.
    pub fn deciding_cells(&self, state: &State) -> BTreeSet<usize> {
        let board = self.bare_board().map(|index| &self.variables[index].1);
        let Some(VariablePlace::Board(board)) = board else {
            return BTreeSet::new();
        };
        let Some(planes) = board.planes else {
            return BTreeSet::new();
        };
        let mut machine = self.machine(state);
        let mut reader = DecidingCells {
            words: &state.0,
            planes,
            count: board.cells.len(),
            found: BTreeSet::new(),
        };
        // The first line that holds decides the game, so only its cells are marked.
        for line in &self.endings {
            match line.run(&mut machine) {
                Ok(None) => {}
                Ok(Some(_)) => {
                    reader.condition(&line.condition, &mut machine);
                    break;
                }
                Err(_) => break,
            }
        }
        reader.found
    }
}

/// Collects the cells for which a condition holds.
struct DecidingCells<'a> {
    words: &'a [u64],
    /// The players' sets of cells of the printed board.
    planes: PerPlayer<Field>,
    /// The number of cells.
    count: usize,
    found: BTreeSet<usize>,
}

impl DecidingCells<'_> {
    /// Adds the cells of a condition that holds.
    fn condition(&mut self, truth: &Bool, machine: &mut Machine) {
        match truth {
            Bool::All(parts) => parts.iter().for_each(|part| self.condition(part, machine)),
            Bool::Any(parts) => {
                for part in parts {
                    if part.run(machine).unwrap_or(false) {
                        self.condition(part, machine);
                    }
                }
            }
            Bool::If(parts) => {
                let (condition, then, otherwise) = &**parts;
                let is_met = condition.run(machine).unwrap_or(false);
                self.condition(if is_met { then } else { otherwise }, machine);
            }
            Bool::Line(parts) => self.lines(&parts.0, &parts.1),
            Bool::Connected(parts) => self.chain(&parts.0, &parts.1),
            Bool::Constant(_)
            | Bool::Register(_)
            | Bool::Bit(_)
            | Bool::Neither(..)
            | Bool::Not(_)
            | Bool::Compare(..)
            | Bool::Let(..)
            | Bool::Pick(..)
            | Bool::Some(_)
            | Bool::Occupied(_)
            | Bool::Fault(_) => {}
        }
    }

    /// Returns for each cell whether it is in a set, if the set is a player's.
    fn cells(&self, plane: &Plane) -> Option<Vec<bool>> {
        // Only sets of the printed board have cells that a picture can mark.
        let is_own = |player: &Player| *plane == Plane::Field(self.planes[*player]);
        let field = self.planes[Player::BOTH.into_iter().find(is_own)?];
        let taken = (0..self.count).map(|cell| field.bit(fit::<u32>(cell)).get(self.words));
        Some(taken.collect())
    }

    fn lines(&mut self, plane: &Plane, lines: &Lines) {
        let Some(taken) = self.cells(plane) else {
            return;
        };
        let complete = lines
            .cells()
            .filter(|line| line.iter().all(|cell| taken[*cell]));
        self.found.extend(complete.flatten());
    }

    fn chain(&mut self, plane: &Plane, connection: &Connection) {
        let Some(taken) = self.cells(plane) else {
            return;
        };
        let begins = |cell: &usize| taken[*cell] && connection.begins_at(*cell);
        let mut reached: Vec<usize> = (0..self.count).filter(begins).collect();
        // Breadth-first search finds a shortest chain, and the predecessors give its cells.
        let mut before: Vec<Option<usize>> = vec![None; self.count];
        let mut is_reached = vec![false; self.count];
        reached.iter().for_each(|cell| is_reached[*cell] = true);
        let mut next = 0;
        while let Some(&cell) = reached.get(next) {
            next += 1;
            if connection.ends_at(cell) {
                self.found
                    .extend(std::iter::successors(Some(cell), |cell| before[*cell]));
                return;
            }
            for near in connection.near(cell) {
                if taken[near] && !is_reached[near] {
                    (is_reached[near], before[near]) = (true, Some(cell));
                    reached.push(near);
                }
            }
        }
    }
}
