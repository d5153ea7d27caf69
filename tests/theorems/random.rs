//! Random rulesets over numbers, a list, a player and a board, which end after a few moves.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A writer of one ruleset, named `g`.
pub struct Writer {
    dice: StdRng,
    /// The visible names of numbers.
    numbers: Vec<&'static str>,
    hexagons: bool,
}

impl Writer {
    /// Writes the ruleset of a seed.
    pub fn write(seed: u64) -> String {
        let mut dice = StdRng::seed_from_u64(seed);
        let hexagons = dice.random_bool(0.5);
        let mut writer = Self {
            dice,
            numbers: vec!["a", "b"],
            hexagons,
        };
        writer.ruleset()
    }

    fn any(&mut self, words: &[&'static str]) -> &'static str {
        words.choose(&mut self.dice).expect("there are words")
    }

    fn ruleset(&mut self) -> String {
        let board = if self.hexagons { "hexgrid" } else { "grid" };
        let [a, b, c] = [0; 3].map(|_| self.dice.random_range(0..4));
        let player = self.any(&["empty", "alice", "bob"]);
        let mut lines = vec![
            "game g {".to_owned(),
            format!("state t = {}", self.dice.random_range(2..4)),
            format!("state a = {a}\nstate b = {b}\nstate l = [{b}, {c}, {a}]"),
            format!("state p = {player}\nstate w = {board}(2, 2)"),
        ];
        if self.dice.random_bool(0.5) {
            self.numbers.push("x");
            lines.push(format!("let h(x) = {}", self.number(2)));
            self.numbers.pop();
            self.numbers.extend(["h(1)", "h(a)"]);
        }
        self.numbers.push("s");
        for _ in 0..self.dice.random_range(1..3) {
            let who = self.any(&["", "", "alice ", "bob "]);
            let range = self.any(&["0..2", "[1, 3]", "1..a", "0 .. b", "l"]);
            let (truth, first, second) = (self.truth(2), self.update(), self.update());
            lines.push(format!(
                "move {who}m(s) for s in {range} if t > 0 and {truth} {{ t -= 1; {first}; {second} }}"
            ));
        }
        let who = self.any(&["", "alice ", "bob "]);
        lines.push(format!(
            "move {who}put(c) for c in cells(w) if t > 0 and w[c] == empty {{ w[c] = me; t -= 1 }}"
        ));
        self.numbers.pop();
        if self.dice.random_bool(0.4) {
            lines.push(format!("draw if t == 1 and {}", self.truth(1)));
        }
        lines.push(format!("win me if t ≤ 1 and {}", self.truth(2)));
        if self.dice.random_bool(0.5) {
            let who = self.any(&["me", "other", "bob"]);
            lines.push(format!("win {who} if t == 0 and {}", self.truth(2)));
        }
        if self.dice.random_bool(0.3) {
            let fate = self.any(&["loses", "wins", "draws", "passes"]);
            lines.push(format!("stuck {fate}"));
        }
        lines.join("\n ") + "\n}\n"
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.dice.random_bool(0.3) {
            let numbers = self.numbers.clone();
            return match self.dice.random_bool(0.3) {
                true => self.dice.random_range(0..4).to_string(),
                false => self.any(&numbers).to_owned(),
            };
        }
        let (x, y) = (self.number(depth - 1), self.number(depth - 1));
        let n = self.dice.random_range(1..4);
        match self.dice.random_range(0..12) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} * {y})"),
            3 => format!("({x} % {n})"),
            4 => format!("abs({x} - {y})"),
            5 => format!("min({x}, {y})"),
            6 => format!("max({x}, {y})"),
            7 => format!("floor({x} / {n})"),
            8 => format!("ceil({x} / {n})"),
            9 => format!("(if {} then {x} else {y})", self.truth(depth - 1)),
            10 => format!("l[{x} % 3]"),
            _ => format!("sum([{y} + i for i in 0..2 if i < {x}])"),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let sign = self.any(&["==", "<", "≤", ">", "≥", "!="]);
        let who = self.any(&["me", "other", "alice", "bob"]);
        let (x, y) = (self.number(depth), self.number(depth.saturating_sub(1)));
        if depth == 0 {
            return format!("{x} {sign} {y}");
        }
        match self.dice.random_range(0..13) {
            0..4 => format!("{x} {sign} {y}"),
            4 => format!("({} and {})", self.truth(depth - 1), self.truth(depth - 1)),
            5 => format!(
                "({} or not ({}))",
                self.truth(depth - 1),
                self.truth(depth - 1)
            ),
            6 => format!("p == {}", self.any(&["me", "empty", "bob"])),
            7 => format!("any([i > {x} for i in l])"),
            8 => format!("{x} in [1, 2, {y}]"),
            9 => format!("count(l, {x}) > 0"),
            10 => format!("line(w, {who}, 2)"),
            11 if self.hexagons => format!("connected(w, {who}, left, bottom)"),
            11 => format!("height(w, 1) {sign} {y}"),
            _ => format!("any([w[c] == {who} for c in neighbours(w, (0, 1))])"),
        }
    }

    fn update(&mut self) -> String {
        let number = self.number(2);
        match self.dice.random_range(0..5) {
            0 => format!("a = ({number}) % 5"),
            1 => format!("b = min(max({number}, -3), 3)"),
            2 => format!("l[({number}) % 3] = s % 4"),
            3 => format!("p = {}", self.any(&["me", "other", "empty"])),
            _ => format!("if {} {{ a = s; p = me }} else {{ b = -s }}", self.truth(1)),
        }
    }
}
