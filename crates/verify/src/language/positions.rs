//! Positions of rulesets: packed, and as the texts that `at` accepts.

use std::rc::Rc;

use num_rational::Ratio;

use super::Interpreter;
use super::games::{Game, GameIndex};
use super::rulesets::Instance;
use super::value::{Result, Value, wrong};
use crate::player::Player;

/// The codes of packed values that are not integers. A small integer is a byte from [`SMALL`] on.
const EMPTY: u8 = 0;
const ALICE: u8 = 1;
const BOB: u8 = 2;
const FALSE: u8 = 3;
const TRUE: u8 = 4;
const WIDE: u8 = 5;
const SMALL: u8 = 6;

impl Instance {
    /// Packs the values of the state variables in few bytes. The shape of the values is that of the
    /// start.
    pub fn pack(&self, values: &[Value]) -> Result<Rc<[u8]>> {
        let mut bytes = Vec::new();
        for ((_, model), value) in self.variables.iter().zip(values) {
            pack(model, value, &mut bytes)?;
        }
        Ok(bytes.into())
    }

    /// Returns the values that were packed.
    pub fn unpack(&self, mut bytes: &[u8]) -> Vec<Value> {
        let models = self.variables.iter().map(|(_, model)| model);
        models.map(|model| unpack(model, &mut bytes)).collect()
    }
}

fn pack(model: &Value, value: &Value, bytes: &mut Vec<u8>) -> Result<()> {
    match (model, value) {
        (Value::Board(_), Value::Board(_))
        | (Value::List(_), Value::List(_))
        | (Value::Tuple(_), Value::Tuple(_)) => {
            let (models, values) = (model.parts().unwrap_or(&[]), value.parts().unwrap_or(&[]));
            if models.len() != values.len() {
                return wrong("a list of the state keeps its length");
            }
            let mut both = models.iter().zip(values);
            return both.try_for_each(|(model, value)| pack(model, value, bytes));
        }
        (Value::Number(_), Value::Number(n)) if n.is_integer() => {
            let Ok(n) = i32::try_from(n.to_integer()) else {
                return wrong("an integer of the state has 32 bits");
            };
            // Integers from 0 to 249 take a byte, and all others five.
            match u8::try_from(n).ok().and_then(|n| n.checked_add(SMALL)) {
                Some(byte) => bytes.push(byte),
                None => {
                    bytes.push(WIDE);
                    bytes.extend(n.to_le_bytes());
                }
            }
        }
        (Value::Bool(_), Value::Bool(truth)) => bytes.push(if *truth { TRUE } else { FALSE }),
        // A cell that is empty at the start may hold a player later, and the reverse.
        (Value::Player(_) | Value::Empty, Value::Empty) => bytes.push(EMPTY),
        (Value::Player(_) | Value::Empty, Value::Player(Player::Alice)) => bytes.push(ALICE),
        (Value::Player(_) | Value::Empty, Value::Player(Player::Bob)) => bytes.push(BOB),
        (model, value) => {
            let (model, value) = (model.kind(), value.kind());
            return wrong(format!("the state holds {model} here, not {value}"));
        }
    }
    Ok(())
}

fn unpack(model: &Value, bytes: &mut &[u8]) -> Value {
    if let Some(parts) = model.parts() {
        return model.remade(parts.iter().map(|part| unpack(part, bytes)).collect());
    }
    let mut take = || {
        let (first, rest) = bytes.split_first().expect("it was packed by this model");
        *bytes = rest;
        *first
    };
    match take() {
        EMPTY => Value::Empty,
        ALICE => Value::Player(Player::Alice),
        BOB => Value::Player(Player::Bob),
        FALSE => Value::Bool(false),
        TRUE => Value::Bool(true),
        WIDE => {
            let number = i32::from_le_bytes([(); 4].map(|()| take()));
            Value::Number(Ratio::from_integer(number.into()))
        }
        small => Value::integer(usize::from(small - SMALL)),
    }
}

impl Interpreter<'_> {
    /// Returns the game from another position.
    pub(super) fn at(&mut self, game: GameIndex, position: &Value) -> Result<GameIndex> {
        match self.games.get(game).clone() {
            Game::Vertex(graph, _) => match self.games.graphs[graph].names.get_index_of(position) {
                Some(vertex) => Ok(self.games.add(Game::Vertex(graph, vertex))),
                None => wrong(format!("the graph has no vertex {}", position.words())),
            },
            Game::State(id, _) => {
                let instance = Rc::clone(&self.games.instances[id]);
                let state = instance.read(&position.words())?;
                Ok(self.games.add(Game::State(id, state)))
            }
            Game::Conjugate(inner) => {
                let inner = self.deeper(|this| this.at(inner, position))?;
                Ok(self.games.conjugate(inner))
            }
            Game::Truncation(inner, n) => {
                let inner = self.deeper(|this| this.at(inner, position))?;
                Ok(self.games.truncation(inner, n))
            }
            Game::Over(_) | Game::Power(..) | Game::Wedge(..) | Game::Braces(_) => {
                wrong("the positions of this game have no names")
            }
        }
    }
}

impl Instance {
    /// Reads the position that a text stands for: the first board without its name, other variables
    /// as `name=value`. A single variable needs no name.
    fn read(&self, text: &str) -> Result<Rc<[u8]>> {
        // The position may leave out one name, and it must be clear which one.
        let bare = match self.variables.len() {
            1 => Some(0),
            _ => self
                .variables
                .iter()
                .position(|(_, model)| matches!(model, Value::Board(_))),
        };
        let mut values: Vec<Option<Value>> = vec![None; self.variables.len()];
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let named = self
                .variables
                .iter()
                .enumerate()
                .find_map(|(index, (name, _))| {
                    let value = rest.strip_prefix(&**name)?.trim_start().strip_prefix('=')?;
                    Some((index, value.trim_start()))
                });
            let Some((index, value)) = named
                .or(bare.map(|bare| (bare, rest)))
                // A variable that is given twice is an error.
                .filter(|(i, _)| values[*i].is_none())
            else {
                return wrong(format!("{rest:?} is not a part of a position"));
            };
            rest = value;
            values[index] = Some(read(&self.variables[index].1, &mut rest)?);
            rest = rest.trim_start();
        }
        match values.into_iter().collect::<Option<Vec<Value>>>() {
            Some(values) => self.pack(&values),
            None => wrong(format!("{text:?} does not give every state variable")),
        }
    }
}

/// Reads a value of the shape of a model.
fn read(model: &Value, rest: &mut &str) -> Result<Value> {
    let is_piece = |value: &Value| matches!(value, Value::Empty | Value::Player(_));
    match model {
        Value::Board(board) => {
            // If the cells of a board can only be empty or have pieces, each is written as a
            // letter.
            let (mut cells, lettered) = (Vec::new(), board.cells.iter().all(is_piece));
            for (index, cell) in board.cells.iter().enumerate() {
                let new_row = index > 0 && index.is_multiple_of(board.cols);
                if new_row || index > 0 && !lettered {
                    expect(rest, if new_row { '/' } else { ',' })?;
                }
                cells.push(if lettered {
                    piece(rest)?
                } else {
                    read(cell, rest)?
                });
            }
            Ok(model.remade(cells))
        }
        Value::List(models) => read_all(models, ['[', ']'], rest).map(Value::list),
        Value::Tuple(models) => read_all(models, ['(', ')'], rest).map(Value::tuple),
        scalar => {
            let end = rest
                .find([' ', '\t', ',', ']', ')', '/'])
                .unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            *rest = after;
            let number = || word.parse().ok().map(Ratio::from_integer);
            let value = match (word.to_ascii_lowercase().as_str(), scalar) {
                ("true", Value::Bool(_)) => Some(Value::Bool(true)),
                ("false", Value::Bool(_)) => Some(Value::Bool(false)),
                ("alice" | "a", _) if is_piece(scalar) => Some(Value::Player(Player::Alice)),
                ("bob" | "b", _) if is_piece(scalar) => Some(Value::Player(Player::Bob)),
                ("empty" | ".", _) if is_piece(scalar) => Some(Value::Empty),
                (_, Value::Number(_)) => number().map(Value::Number),
                _ => None,
            };
            value.map_or_else(|| wrong(format!("{word:?} is not a value here")), Ok)
        }
    }
}

fn read_all(models: &[Value], [open, close]: [char; 2], rest: &mut &str) -> Result<Vec<Value>> {
    expect(rest, open)?;
    let mut values = Vec::new();
    for (index, model) in models.iter().enumerate() {
        if index > 0 {
            expect(rest, ',')?;
        }
        *rest = rest.trim_start();
        values.push(read(model, rest)?);
    }
    expect(rest, close)?;
    Ok(values)
}

fn piece(rest: &mut &str) -> Result<Value> {
    let letter = rest.chars().next();
    let value = match letter {
        Some('.' | '_') => Value::Empty,
        Some('A' | 'a') => Value::Player(Player::Alice),
        Some('B' | 'b') => Value::Player(Player::Bob),
        _ => return wrong("a board is written with `.`, `A` and `B`, a row after the other"),
    };
    // The letters are ASCII, so that each takes one byte.
    *rest = &rest[1..];
    Ok(value)
}

fn expect(rest: &mut &str, wanted: char) -> Result<()> {
    match rest.trim_start().strip_prefix(wanted) {
        Some(after) => {
            *rest = after;
            Ok(())
        }
        None => wrong(format!("`{wanted}` is missing in a position")),
    }
}
