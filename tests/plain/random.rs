//! Random rulesets, as source text: all kinds of state, moves, updates and endings, well typed, not
//! always in range.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A writer of one ruleset.
pub struct Writer {
    dice: StdRng,
    /// The random numbers that decide which functions work on a list of rows.
    lists: StdRng,
    rows: i64,
    cols: i64,
    hex: bool,
    /// The names of loop variables in scope: integers and cells.
    integers: Vec<String>,
    cells: Vec<String>,
    fresh: usize,
    /// `true` if `me` has a meaning here.
    mover: bool,
    /// `true` if moves and endings have scores.
    scored: bool,
    /// The number of boards in a state variable that is a tuple of parts with elements of their
    /// own, and of others; `None` without such a variable.
    nested: Option<i64>,
}

impl Writer {
    /// Writes the ruleset of a seed.
    pub fn write(seed: u64) -> String {
        let mut dice = StdRng::seed_from_u64(seed);
        // A board of 72 cells has more of them than a word of 64 bits.
        let (rows, cols) = if dice.random_bool(0.05) {
            (9, 8)
        } else {
            (dice.random_range(1..=4), dice.random_range(1..=4))
        };
        let hex = dice.random_bool(0.3);
        let (integers, cells) = (vec!["p".to_owned()], Vec::new());
        let scored = dice.random_bool(0.3);
        // A generator of its own leaves the other choices of a seed as they are.
        let lists = StdRng::seed_from_u64(!seed);
        Self {
            dice,
            lists,
            rows,
            cols,
            hex,
            integers,
            cells,
            fresh: 0,
            mover: true,
            scored,
            nested: seed.is_multiple_of(4).then_some(1 + (seed / 4 % 2) as i64),
        }
        .ruleset()
    }

    fn one_of(&mut self, choices: &[&str]) -> String {
        (*choices.choose(&mut self.dice).expect("there are choices")).to_owned()
    }

    fn up_to(&mut self, most: i64) -> i64 {
        self.dice.random_range(0..=most)
    }

    fn ruleset(mut self) -> String {
        let board = if self.hex { "hexgrid" } else { "grid" };
        let last = self.one_of(&["empty", "alice", "bob"]);
        let mut lines = vec![
            "let twice(x) = x + x".to_owned(),
            "let clamp(x, high) = if x < 0 then 0 else if x > high then high else x".to_owned(),
            "game random(p) {".to_owned(),
            format!("    state board = {board}({}, {})", self.rows, self.cols),
            format!("    state n = {}", self.up_to(5)),
            "    state flag = false".to_owned(),
            format!("    state last = {last}"),
            "    state heaps = [3, p, 1]".to_owned(),
            "    state marks = [alice, empty, bob]".to_owned(),
            "    state sums = grid(2, 2, 0)".to_owned(),
        ];
        if let Some(boards) = self.nested {
            let boards = vec!["grid(1, 2)"; boards as usize].join(", ");
            lines.push(format!("    state pack = (p, ([1, 2], alice), [{boards}])"));
        }
        self.mover = false;
        self.integers.push("x".to_owned());
        let body = self.integer(2);
        self.integers.pop();
        lines.push(format!("    let shifted(x) = {body}"));
        self.mover = true;
        lines.push(format!("    let ready = {}", self.truth(2)));
        for number in 0..self.dice.random_range(1..=3) {
            lines.push(self.move_line(number));
        }
        // A game is won or scored.
        let wins = if self.scored {
            0
        } else {
            self.dice.random_range(0..=2)
        };
        for _ in 0..wins {
            let who = self.one_of(&["me", "alice", "other", "bob"]);
            let condition = self.truth(2);
            lines.push(format!("    win {who} if {condition}"));
        }
        if self.dice.random_bool(0.5) {
            let condition = self.truth(1);
            lines.push(format!("    draw if {condition}"));
        }
        if self.scored {
            let (score, condition) = (self.number(), self.truth(1));
            lines.push(format!("    score {score} if {condition}"));
        }
        match self.up_to(3) {
            0 if self.scored => lines.push(format!("    stuck score {}", self.number())),
            0 | 1 if self.scored => {
                lines.push(format!("    stuck {}", self.one_of(&["draws", "passes"])))
            }
            0 | 1 => lines.push(format!(
                "    stuck {}",
                self.one_of(&["loses", "wins", "draws", "passes"])
            )),
            _ => {}
        }
        lines.push("}".to_owned());
        lines.join("\n") + "\n"
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    fn move_line(&mut self, number: usize) -> String {
        let (integers, cells) = (self.integers.len(), self.cells.len());
        let mut clauses = String::new();
        for _ in 0..self.dice.random_range(1..=2) {
            clauses += &self.clause();
        }
        let guard = self.truth(2);
        let arguments = [&self.integers[integers..], &self.cells[cells..]]
            .concat()
            .join(", ");
        let count = self.dice.random_range(1..=2);
        let updates: Vec<String> = (0..count).map(|_| self.update(1)).collect();
        let who = self.one_of(&["", "", "alice ", "bob "]);
        self.integers.truncate(integers);
        self.cells.truncate(cells);
        format!(
            "    move {who}m{number}({arguments}){clauses} if {guard} {{ {} }}",
            updates.join("; ")
        )
    }

    fn clause(&mut self) -> String {
        match self.up_to(6) {
            0 | 1 => {
                let cell = self.name("c");
                let list = self.one_of(&["cells(board)", "empty_cells(board)"]);
                self.cells.push(cell.clone());
                format!(" for {cell} in {list}")
            }
            2 => {
                let (row, col) = (self.name("r"), self.name("q"));
                self.integers.extend([row.clone(), col.clone()]);
                format!(" for ({row}, {col}) in cells(board)")
            }
            3 => {
                let (name, high) = (self.name("i"), self.integer(1));
                self.integers.push(name.clone());
                format!(" for {name} in 1 .. clamp({high}, 3)")
            }
            4 => {
                let (name, a, b) = (self.name("i"), self.integer(1), self.integer(1));
                self.integers.push(name.clone());
                format!(" for {name} in [{a}, {b}, 1]")
            }
            _ => {
                let (name, high) = (self.name("i"), self.up_to(2));
                self.integers.push(name.clone());
                format!(" for {name} in 0 .. {high}")
            }
        }
    }

    /// Writes an integer or a fraction.
    fn number(&mut self) -> String {
        let integer = self.integer(1);
        if self.dice.random_bool(0.3) {
            format!("({integer}) / 3")
        } else {
            integer
        }
    }

    fn update(&mut self, depth: u32) -> String {
        if self.scored && self.dice.random_bool(0.15) {
            return format!("score {}", self.number());
        }
        if let Some(boards) = self.nested
            && self.dice.random_bool(0.3)
        {
            return match self.up_to(4) {
                0 => format!("pack[0] = {}", self.integer(1)),
                1 => format!("pack[1][0][{}] += {}", self.index(2), self.integer(1)),
                2 => format!("pack[1][1] = {}", self.content(1)),
                3 => format!("pack[1][0] = [{}, {}]", self.integer(1), self.integer(1)),
                _ => format!(
                    "pack[2][{}][0, {}] = {}",
                    self.index(boards),
                    self.index(2),
                    self.content(1)
                ),
            };
        }
        match self.up_to(if depth == 0 { 9 } else { 10 }) {
            0 | 1 => format!("board[{}] = {}", self.cell(), self.content(1)),
            2 => format!("n = {}", self.integer(2)),
            3 => format!("n += {}", self.integer(1)),
            4 => format!("heaps[{}] -= {}", self.index(3), self.integer(1)),
            5 => format!("flag = {}", self.truth(1)),
            6 => format!("last = {}", self.content(1)),
            7 => format!("marks[{}] = {}", self.index(3), self.content(1)),
            8 => {
                let column = self.index(self.cols);
                let player = self.one_of(&["me", "other", "alice"]);
                format!("drop(board, {column}, {player})")
            }
            9 => format!(
                "sums[{}, {}] = {}",
                self.index(2),
                self.index(2),
                self.integer(2)
            ),
            _ => {
                let condition = self.truth(1);
                format!(
                    "if {condition} {{ {} }} else {{ {} }}",
                    self.update(0),
                    self.update(0)
                )
            }
        }
    }

    /// Writes an index, mostly in range.
    fn index(&mut self, count: i64) -> String {
        match self.up_to(9) {
            0 => self.integer(1),
            1..=4 => format!("clamp({}, {})", self.integer(1), count - 1),
            _ => self.up_to(count - 1).to_string(),
        }
    }

    fn cell(&mut self) -> String {
        match self.cells.choose(&mut self.dice) {
            Some(cell) if self.dice.random_bool(0.7) => cell.clone(),
            _ => format!("{}, {}", self.index(self.rows), self.index(self.cols)),
        }
    }

    fn cell_value(&mut self) -> String {
        match self.cells.choose(&mut self.dice) {
            Some(cell) if self.dice.random_bool(0.7) => cell.clone(),
            _ => format!("({}, {})", self.index(self.rows), self.index(self.cols)),
        }
    }

    /// Writes `empty` or a player.
    fn content(&mut self, depth: u32) -> String {
        match self.up_to(if depth == 0 { 3 } else { 8 }) {
            0 => self.one_of(&["empty", "alice", "bob"]),
            1 if self.mover => "other".to_owned(),
            1 => "last".to_owned(),
            2 | 3 if self.mover => "me".to_owned(),
            2 | 3 => "empty".to_owned(),
            4 => "last".to_owned(),
            5 => format!("marks[{}]", self.index(3)),
            6 => format!(
                "(if {} then {} else {})",
                self.truth(depth - 1),
                self.content(0),
                self.content(0)
            ),
            _ => format!("board[{}]", self.cell()),
        }
    }

    /// Writes a board, or a list of rows that denotes one; also returns its number of columns.
    fn board(&mut self) -> (&'static str, i64) {
        if self.lists.random_bool(0.3) {
            ("[[marks[0], marks[1]], [marks[2], last]]", 2)
        } else {
            ("board", self.cols)
        }
    }

    fn integer(&mut self, depth: u32) -> String {
        if let Some(boards) = self.nested
            && self.dice.random_bool(0.1)
        {
            return match self.up_to(2) {
                0 => "pack[0]".to_owned(),
                1 => format!("pack[1][0][{}]", self.index(2)),
                _ => format!(
                    "count(pack[2][{}], {})",
                    self.index(boards),
                    self.content(0)
                ),
            };
        }
        if depth == 0 || self.dice.random_bool(0.25) {
            return match self.up_to(3) {
                0 => "n".to_owned(),
                1 => (self.up_to(4) - 1).to_string(),
                2 => format!("heaps[{}]", self.up_to(2)),
                _ => self
                    .integers
                    .choose(&mut self.dice)
                    .expect("a parameter is there")
                    .clone(),
            };
        }
        let inner = depth - 1;
        match self.up_to(16) {
            0 => format!("({} + {})", self.integer(inner), self.integer(inner)),
            1 => format!("({} - {})", self.integer(inner), self.integer(inner)),
            2 => format!("{} * {}", self.integer(0), self.up_to(3)),
            3 => format!("({} % {})", self.integer(inner), self.up_to(3) + 1),
            4 => format!(
                "(if {} then {} else {})",
                self.truth(inner),
                self.integer(inner),
                self.integer(inner)
            ),
            5 => format!("count(board, {})", self.content(inner)),
            6 => "len(empty_cells(board))".to_owned(),
            7 => {
                let (board, cols) = self.board();
                format!("height({board}, {})", self.index(cols))
            }
            8 => self
                .one_of(&[
                    "sum(heaps)",
                    "max(heaps)",
                    "count(marks, alice)",
                    "count(row(board, 0), me)",
                    "sum(row(sums, 1))",
                ])
                .replace("me", if self.mover { "me" } else { "bob" }),
            9 => format!("max({}, {})", self.integer(inner), self.integer(inner)),
            10 => format!("abs({})", self.integer(inner)),
            11 => format!(
                "{}({} / {})",
                self.one_of(&["floor", "ceil"]),
                self.integer(inner),
                self.up_to(2) + 1
            ),
            12 => format!("len(neighbours(board, {}))", self.cell_value()),
            13 => {
                let (name, high) = (self.name("j"), self.integer(inner));
                self.integers.push(name.clone());
                let body = self.integer(inner);
                let guard = self.truth(inner);
                self.integers.pop();
                format!("sum([{body} for {name} in 0 .. clamp({high}, 4) if {guard}])")
            }
            14 => format!("twice({})", self.integer(inner)),
            15 => {
                let (name, value) = (self.name("k"), self.integer(inner));
                self.integers.push(name.clone());
                let body = self.integer(inner);
                self.integers.pop();
                format!("(let {name} = {value} in {body} + {name})")
            }
            _ => format!("sums[{}, {}]", self.index(2), self.index(2)),
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        format!("({})", self.bare_truth(depth))
    }

    fn bare_truth(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.up_to(3) {
                0 => "flag".to_owned(),
                1 => format!(
                    "n {} {}",
                    self.one_of(&["<", "<=", "==", "!=", ">"]),
                    self.up_to(4)
                ),
                _ => format!("board[{}] == {}", self.cell(), self.content(0)),
            };
        }
        let inner = depth - 1;
        match self.up_to(14) {
            0 | 1 => format!(
                "{} {} {}",
                self.integer(inner),
                self.one_of(&["<", "<=", "==", "!=", ">", ">="]),
                self.integer(inner)
            ),
            2 | 3 => format!(
                "{} {} {}",
                self.content(inner),
                self.one_of(&["==", "!="]),
                self.content(inner)
            ),
            4 => format!("not {}", self.truth(inner)),
            5 => format!("{} and {}", self.truth(inner), self.truth(inner)),
            6 => format!("{} or {}", self.truth(inner), self.truth(inner)),
            7 => format!("full({})", self.board().0),
            8 => format!(
                "line({}, {}, {})",
                self.board().0,
                self.content(inner),
                self.up_to(3) + 1
            ),
            9 => format!(
                "connected({}, {}, {})",
                self.board().0,
                self.content(inner),
                self.one_of(&["left, right", "top, bottom", "left, top"])
            ),
            10 => format!(
                "{} in [{}, {}, 2]",
                self.integer(inner),
                self.integer(inner),
                self.integer(inner)
            ),
            11 => {
                let cell = self.cell_value();
                let (name, content) = (self.name("d"), self.content(0));
                let test = self.one_of(&["any", "all"]);
                format!(
                    "{test}([board[{name}] == {content} for {name} in neighbours(board, {cell})])"
                )
            }
            12 => format!(
                "{}/2 {} {}/3",
                self.integer(0),
                self.one_of(&["<", "==", ">="]),
                self.integer(0)
            ),
            13 if self.mover => "flag".to_owned(),
            _ => format!(
                "{} in {}",
                self.content(inner),
                self.one_of(&["marks", "row(board, 0)", "col(board, 0)"])
            ),
        }
    }
}
