//! Random rulesets most of whose moves use something up, so that the positions can be numbered:
//! cells are taken on one or two boards, pieces are dropped or put on others, heaps are reduced.
//! They have conditions, joint changes, flags that come back, winners that the position names, and
//! endings of all kinds.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A writer of one ruleset.
pub struct Writer {
    dice: StdRng,
    rows: usize,
    cols: usize,
    hex: bool,
    heaps: usize,
    flag: bool,
    /// The number of cells of a second board.
    side: usize,
}

impl Writer {
    /// Writes the ruleset of a seed.
    pub fn write(seed: u64) -> String {
        let mut dice = StdRng::seed_from_u64(seed);
        let (rows, cols) = *[
            (1, 4),
            (2, 2),
            (2, 3),
            (3, 2),
            (3, 3),
            (4, 2),
            (1, 7),
            (5, 1),
            (3, 1),
        ]
        .choose(&mut dice)
        .expect("some");
        let heaps = dice.random_range(0..=if rows * cols > 6 { 0 } else { 2 });
        let hex = dice.random_bool(0.2);
        let flag = dice.random_bool(0.4);
        let side = if rows * cols < 6 && dice.random_bool(0.3) {
            dice.random_range(1..=2)
        } else {
            0
        };
        Self {
            dice,
            rows,
            cols,
            hex,
            heaps,
            flag,
            side,
        }
        .ruleset()
    }

    fn one_of(&mut self, choices: &[&str]) -> String {
        (*choices.choose(&mut self.dice).expect("there are choices")).to_owned()
    }

    fn up_to(&mut self, most: usize) -> usize {
        self.dice.random_range(0..=most)
    }

    fn chance(&mut self, of: f64) -> bool {
        self.dice.random_bool(of)
    }

    fn ruleset(mut self) -> String {
        let board = if self.hex { "hexgrid" } else { "grid" };
        let heaps: Vec<String> = (0..self.heaps)
            .map(|_| self.dice.random_range(2..=5).to_string())
            .collect();
        let mut lines = vec![
            "game falling(p) {".to_owned(),
            format!("    state board = {board}({}, {})", self.rows, self.cols),
            format!(
                "    state heaps = [{}]",
                [heaps, vec!["p".to_owned()]].concat().join(", ")
            ),
        ];
        if self.side > 0 {
            lines.push(format!("    state side = grid(1, {})", self.side));
            lines.push(
                "    move aside(c) for c in cells(side) if side[c] == empty { side[c] = me }"
                    .to_owned(),
            );
        }
        if self.flag {
            lines.push("    state flag = false".to_owned());
            lines.push("    state last = alice".to_owned());
        }
        for number in 0..self.dice.random_range(1..=3) {
            let line = self.move_line(number);
            lines.push(line);
        }
        for _ in 0..self.dice.random_range(0..=3) {
            let line = self.ending();
            lines.push(line);
        }
        if self.chance(0.5) {
            lines.push(format!(
                "    stuck {}",
                self.one_of(&["loses", "wins", "draws", "passes"])
            ));
        }
        if self.chance(0.3) {
            let symmetry = if self.hex {
                "rotate(board)"
            } else {
                "mirror(board)"
            };
            lines.push(format!(
                "    symmetry {}",
                self.one_of(&["board", symmetry])
            ));
        }
        lines.push("}".to_owned());
        lines.join("\n") + "\n"
    }

    fn move_line(&mut self, number: usize) -> String {
        let who = self.one_of(&["", "", "", "alice ", "bob "]);
        let extra = if self.chance(0.4) {
            format!(" and {}", self.condition("me"))
        } else {
            String::new()
        };
        let content = self.one_of(&["me", "me", "me", "other", "alice"]);
        let joint = match self.up_to(9) {
            0 => format!("; heaps[{}] -= 1", self.heap()),
            1 if self.flag => "; flag = not flag".to_owned(),
            2 if self.flag => "; last = me".to_owned(),
            3 if self.flag => "; if flag { last = other } else { flag = true }".to_owned(),
            _ => String::new(),
        };
        let enough = if joint.contains("heaps") {
            " and min(heaps) > 0"
        } else {
            ""
        };
        let last = self.cols - 1;
        match self.up_to(6) {
            6 => {
                // A piece must stand on another, or lean on one from the left.
                let below = (format!("r == {}", self.rows - 1), "r + 1, x");
                let (edge, there) = if self.chance(0.7) {
                    below
                } else {
                    ("x == 0".to_owned(), "r, x - 1")
                };
                format!(
                    "    move {who}m{number}(r, x) for (r, x) in cells(board) if board[r, x] == empty and ({edge} or board[{there}] != empty){enough}{extra} {{ board[r, x] = {content}{joint} }}"
                )
            }
            0 | 1 => format!(
                "    move {who}m{number}(c) for c in cells(board) if board[c] == empty{enough}{extra} {{ board[c] = {content}{joint} }}"
            ),
            2 if !self.hex => format!(
                "    move {who}m{number}(x) for x in 0 .. {last} if height(board, x) < {}{enough}{extra} {{ drop(board, x, {content}){joint} }}",
                self.rows
            ),
            3 => {
                let (heap, takes) = (
                    self.heap(),
                    self.one_of(&["[1, 2]", "[1, 3]", "[2]", "1 .. 2"]),
                );
                let flip = if self.flag && self.chance(0.3) {
                    "; flag = not flag"
                } else {
                    ""
                };
                format!(
                    "    move {who}m{number}(s) for s in {takes} if s <= heaps[{heap}]{extra} {{ heaps[{heap}] -= s{flip} }}"
                )
            }
            4 => {
                let heap = self.heap();
                format!(
                    "    move {who}m{number}(s) for s in 1 .. heaps[{heap}]{} {{ heaps[{heap}] -= s }}",
                    {
                        if extra.is_empty() {
                            String::new()
                        } else {
                            format!(" if {}", &extra[5..])
                        }
                    }
                )
            }
            _ => format!(
                "    move {who}m{number}(c) for c in cells(board) if c != ({}, {}) and board[c] == empty{enough}{extra} {{ board[c] = {content}{joint} }}",
                self.up_to(self.rows - 1),
                self.up_to(last)
            ),
        }
    }

    fn heap(&mut self) -> usize {
        let most = self.heaps;
        self.up_to(most)
    }

    fn cell(&mut self) -> String {
        format!(
            "board[{}, {}]",
            self.dice.random_range(0..self.rows),
            self.dice.random_range(0..self.cols)
        )
    }

    /// Writes a condition on the position.
    fn condition(&mut self, who: &str) -> String {
        match self.up_to(if self.flag { 9 } else { 7 }) {
            0 => format!("count(board, {who}) >= {}", self.dice.random_range(1..=4)),
            1 => format!("line(board, {who}, {})", self.dice.random_range(2..=3)),
            2 => format!(
                "connected(board, {who}, {})",
                self.one_of(&["left, right", "top, bottom"])
            ),
            3 => "full(board)".to_owned(),
            4 => format!(
                "heaps[{}] {} {}",
                self.heap(),
                self.one_of(&["<", "==", ">"]),
                self.dice.random_range(0..=2)
            ),
            5 => format!(
                "sum(heaps) {} {}",
                self.one_of(&["<", "=="]),
                self.dice.random_range(0..=3)
            ),
            6 => format!("({} == {who} or {} == empty)", self.cell(), self.cell()),
            7 => format!(
                "not ({} == {who} and {} == {who})",
                self.cell(),
                self.cell()
            ),
            8 => "flag".to_owned(),
            _ => format!("last == {}", if who == "me" { "other" } else { who }),
        }
    }

    fn ending(&mut self) -> String {
        let who = self.one_of(&["me", "alice", "bob"]);
        match self.up_to(6) {
            6 => {
                let (judge, condition) = (self.condition("alice"), self.condition("bob"));
                let winner = self.one_of(&["me", "alice", "bob"]);
                format!("    win (if {judge} then other else {winner}) if {condition}")
            }
            0 => format!("    draw if {}", self.condition("alice")),
            1 => format!(
                "    win {who} if {} and {}",
                self.condition(&who),
                self.condition("bob")
            ),
            2 => format!(
                "    win {who} if {} or {}",
                self.condition("bob"),
                self.condition(&who)
            ),
            _ => format!("    win {who} if {}", self.condition(&who)),
        }
    }
}
