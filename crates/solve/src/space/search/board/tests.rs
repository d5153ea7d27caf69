//! Compares searches on bitboards with values computed cell by cell, from the start and from the
//! middle of play: boards of all shapes, directions of lines left out, turns by any count, draws
//! won by either side, several laws, every question, small tables, and other orders of moves.

use std::collections::HashMap;

use super::grid::tests::lines;
use super::grid::{Bitboard, BoardGrid, GridShape};
use super::ongoing::Ongoing;
use super::table::{BoardTranspositionTable, ValueBounds};
use super::turns::TurnTable;
use super::worker::{BoardPosition, BoardSetup, BoardShared, BoardWorker};
use super::worth::WorthTable;

/// A generator of random numbers: *xorshift* (Marsaglia 2003).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % end
    }
}

/// The rules of a game, independent of the search.
struct Rulebook {
    shape: GridShape,
    top: u8,
    value: fn(u8, u8) -> u8,
    needy: usize,
    turns: Option<Vec<Vec<Option<usize>>>>,
    lines: Vec<Bitboard>,
}

impl Rulebook {
    fn drawn(&self) -> u8 {
        if self.needy == 0 { self.top } else { 0 }
    }

    /// Returns the cells on which a piece can be placed.
    fn open(&self, occupied: Bitboard) -> impl Iterator<Item = Bitboard> {
        let GridShape {
            rows,
            cols,
            is_falling,
            ..
        } = self.shape;
        let bit = move |col: u32, row: u32| 1_u64 << (col * (rows + 1) + row);
        let cells = (0..cols).flat_map(move |col| (0..rows).map(move |row| (col, row)));
        let is_open = move |(col, row): &(u32, u32)| {
            occupied & bit(*col, *row) == 0
                && (!is_falling || *row == 0 || occupied & bit(*col, row - 1) != 0)
        };
        cells.filter(is_open).map(move |(col, row)| bit(col, row))
    }

    fn has_line(&self, cells: Bitboard) -> bool {
        self.lines.iter().any(|line| line & !cells == 0)
    }

    /// Returns the value of the first position or of one to which a side has just moved.
    fn value(&self, sides: [Bitboard; 2], known: &mut HashMap<[Bitboard; 2], u8>) -> u8 {
        if let Some(value) = known.get(&sides) {
            return *value;
        }
        let moves: Vec<Bitboard> = self.open(sides[0] | sides[1]).collect();
        let value = if self.has_line(sides[0]) {
            0
        } else if self.has_line(sides[1]) {
            self.top
        } else if moves.is_empty() {
            self.drawn()
        } else {
            let [own, others] = [0, 1].map(|side| {
                let after = |bit: &Bitboard| {
                    let mut after = sides;
                    after[side] |= bit;
                    after
                };
                moves.iter().map(after).collect::<Vec<_>>()
            });
            let m = own
                .into_iter()
                .map(|to| self.value(to, known))
                .min()
                .expect("there are moves");
            let others = others
                .into_iter()
                .map(|to| self.value(to, known))
                .max()
                .expect("there are moves");
            let [seeker, opponent] = sides.map(|cells| cells.count_ones() as usize);
            match self
                .turns
                .as_ref()
                .and_then(|turns| turns[seeker][opponent])
            {
                Some(0) => m,
                Some(_) => others,
                None => (self.value)(m, others),
            }
        };
        known.insert(sides, value);
        value
    }
}

/// Laws of one component: the advantage, make-it take-it, and a monotone one that belongs to no
/// rule.
const LAWS: [fn(u8, u8) -> u8; 3] = [
    |m, others| m.min(others).div_ceil(2) + m.max(others) / 2,
    |m, others| m.min(others) / 2 + m.max(others).div_ceil(2),
    |m, others| (m / 2).max(others / 2) + m.min(others).div_ceil(2).min(m.max(others).div_ceil(2)),
];

fn some_turns(chance: &mut Chance, cells: usize) -> Option<Vec<Vec<Option<usize>>>> {
    let kind = chance.below(4);
    let mut owner = |own: usize, others: usize| match kind {
        0 => Some((own + others) % 2),
        1 => [None, Some(0), Some(1)][chance.below(3) as usize],
        _ => None,
    };
    let table = (0..=cells + 2)
        .map(|own| (0..=cells + 2).map(|others| owner(own, others)).collect())
        .collect();
    (kind < 2).then_some(table)
}

#[test]
fn searches_on_bits_are_right_cell_by_cell() {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let (mut compared, mut boards) = (0, 0);
    while boards < 500 {
        let (rows, cols) = (1 + chance.below(5) as u32, 1 + chance.below(5) as u32);
        let is_falling = chance.below(3) > 0;
        if !(3..=if is_falling { 12 } else { 9 }).contains(&(rows * cols)) {
            continue;
        }
        let all = chance.below(3) > 0;
        let directions = [(); 4].map(|()| all || chance.below(4) > 0);
        let shape = GridShape {
            rows,
            cols,
            length: 2 + chance.below(3) as u32,
            is_falling,
            directions,
        };
        let turns = some_turns(&mut chance, (rows * cols) as usize);
        let merges = turns.is_none() && chance.below(3) > 0;
        let Some(grid) = BoardGrid::new(shape, merges) else {
            continue;
        };
        boards += 1;
        let top = [2, 4, 6, 12, 40][chance.below(5) as usize];
        let value = LAWS[chance.below(3) as usize];
        let rulebooks = [0, 1].map(|needy| Rulebook {
            shape,
            top,
            value,
            needy,
            turns: turns.clone(),
            lines: lines(&grid),
        });
        let worths = WorthTable::new(top, value);
        let cells = (rows * cols) as usize;
        let turns = turns.map(|owners| TurnTable::new(owners, cells));
        let chip = 1 + chance.below(3) as u8;
        let plan = BoardSetup {
            grid: grid.clone(),
            worths,
            turns,
            chip,
        };
        let mut known = [HashMap::new(), HashMap::new()];
        let table = BoardTranspositionTable::new(
            1 << (6 + chance.below(14)),
            BoardShared::form(&grid, top),
        );
        let shared = BoardShared {
            table,
            ongoing: Ongoing::new(1 + chance.below(2) as usize),
        };
        let mut worker = BoardWorker::new(chance.below(3));
        for _ in 0..30 {
            let needy = chance.below(2) as usize;
            let Some(sides) = some_position(&rulebooks[needy], &mut chance) else {
                continue;
            };
            let position = BoardPosition::new(&grid, sides);
            let expected = rulebooks[needy].value(sides, &mut known[needy]);
            let most = chance.below(u64::from(top)) as u8;
            let bound = worker
                .search(&plan, &shared, &position, needy, most, &|_| true)
                .expect("nobody stops it");
            let is_right = if expected <= most {
                expected <= bound && bound <= most
            } else {
                most < bound && bound <= expected
            };
            assert!(
                is_right,
                "{shape:?} {sides:x?} at most {most}: {bound}, but it is {expected}"
            );
            if let Some(ValueBounds { low, high }) =
                shared.table.get(shared.place(position.keys, needy))
            {
                assert!(
                    low <= expected && expected <= high,
                    "{shape:?} {sides:x?} {low} {high} {expected}"
                );
            }
            compared += 1;
        }
    }
    assert!(compared > 8_000, "{compared}");
}

/// Draws a random position at which the game has not ended.
fn some_position(rulebook: &Rulebook, chance: &mut Chance) -> Option<[Bitboard; 2]> {
    let mut sides = [0; 2];
    for _ in 0..chance.below(u64::from(rulebook.shape.rows * rulebook.shape.cols)) {
        let open: Vec<Bitboard> = rulebook.open(sides[0] | sides[1]).collect();
        let side = chance.below(2) as usize;
        sides[side] |= open[chance.below(open.len() as u64) as usize];
        if rulebook.has_line(sides[side]) {
            return None;
        }
    }
    Some(sides)
}

/// Checks that positions with the same key have the same value, even if they differ in the owners
/// of their dead cells.
#[test]
fn positions_with_the_same_key_have_the_same_value() {
    let mut chance = Chance(0x1b1d);
    let mut different = 0;
    for (rows, cols, length, is_falling) in [
        (4, 3, 3, true),
        (3, 4, 3, true),
        (5, 3, 2, true),
        (3, 3, 3, false),
        (2, 6, 3, true),
        (2, 4, 2, false),
    ] {
        for directions in [
            [true; 4],
            [true, true, false, true],
            [false, true, true, true],
        ] {
            let shape = GridShape {
                rows,
                cols,
                length,
                is_falling,
                directions,
            };
            let grid = BoardGrid::new(shape, true).expect("it is small");
            let value = LAWS[chance.below(3) as usize];
            let needy = chance.below(2) as usize;
            let rulebook = Rulebook {
                shape,
                top: 6,
                value,
                needy,
                turns: None,
                lines: lines(&grid),
            };
            let (mut known, mut seen) = (HashMap::new(), HashMap::new());
            for _ in 0..4_000 {
                let Some(sides) = some_position(&rulebook, &mut chance) else {
                    continue;
                };
                let value = rulebook.value(sides, &mut known);
                let [one, image] = BoardPosition::new(&grid, sides).keys;
                let (first, expected) = *seen.entry(one.min(image)).or_insert((sides, value));
                assert_eq!(value, expected, "{shape:?} {sides:x?} {first:x?}");
                different += usize::from(first[0].count_ones() != sides[0].count_ones());
            }
        }
    }
    assert!(different > 500, "{different}");
}

/// Checks that the bounds that follow from ways to win, before moves are generated, are right: each
/// lemma at thousands of positions.
#[test]
fn ways_to_win_say_what_is_true() {
    let mut chance = Chance(77);
    let mut said = [[0; 3]; 3];
    let shape = GridShape {
        rows: 4,
        cols: 3,
        length: 3,
        is_falling: true,
        directions: [true; 4],
    };
    let placed = GridShape {
        rows: 3,
        cols: 3,
        length: 3,
        is_falling: false,
        directions: [true; 4],
    };
    for (shape, top, value) in [
        (shape, 2, LAWS[0]),
        (shape, 8, LAWS[0]),
        (shape, 8, LAWS[1]),
        (placed, 2, LAWS[0]),
        (placed, 12, LAWS[1]),
    ] {
        let grid = BoardGrid::new(shape, true).expect("it is small");
        let worths = WorthTable::new(top, value);
        let rulebook = Rulebook {
            shape,
            top,
            value,
            needy: chance.below(2) as usize,
            turns: None,
            lines: lines(&grid),
        };
        let mut known = HashMap::new();
        for _ in 0..4_000 {
            let Some(sides) = some_position(&rulebook, &mut chance) else {
                continue;
            };
            let occupied = sides[0] | sides[1];
            let ways = sides.map(|cells| {
                grid.ways_to_win(grid.completing(cells, occupied), grid.playable(occupied))
            });
            let ValueBounds { low, high } = worths.expects(ways, None);
            let exact = rulebook.value(sides, &mut known);
            assert!(
                low <= exact && exact <= high,
                "{shape:?} {sides:x?} {ways:?} {low} {exact} {high}"
            );
            said[ways[0]][ways[1]] += 1;
        }
    }
    assert!(said.iter().flatten().all(|count| *count > 20), "{said:?}");
}

/// Checks that the needy side gets no line where turns alternate and it has none in the cells that
/// it may get: on boards of all shapes, at positions reached by alternating turns, whichever side
/// is needy.
#[test]
fn following_up_keeps_lines_away() {
    let mut chance = Chance(0x1988);
    let (mut foregone, mut won) = (0, 0);
    for (rows, cols, length) in [
        (4, 3, 3),
        (3, 4, 3),
        (2, 5, 3),
        (4, 4, 3),
        (5, 2, 2),
        (3, 2, 2),
        (4, 3, 4),
    ] {
        let shape = GridShape {
            rows,
            cols,
            length,
            is_falling: true,
            directions: [true; 4],
        };
        let grid = BoardGrid::new(shape, true).expect("it is small");
        let cells = (rows * cols) as usize;
        for needy in 0..2 {
            let owners: Vec<Vec<_>> = (0..=cells)
                .map(|own| (0..=cells).map(|others| Some((own + others) % 2)).collect())
                .collect();
            let turns = TurnTable::new(owners.clone(), cells);
            let rulebook = Rulebook {
                shape,
                top: 2,
                value: LAWS[0],
                needy,
                turns: Some(owners),
                lines: lines(&grid),
            };
            let mut known = HashMap::new();
            for _ in 0..4_000 {
                let Some(sides) = some_position(&rulebook, &mut chance) else {
                    continue;
                };
                if !turns.lead(sides.map(|cells| cells.count_ones() as usize), needy) {
                    continue;
                }
                let is_drawn = rulebook.value(sides, &mut known) == rulebook.drawn();
                if !grid.has_line(sides[needy] | grid.leading(sides[0] | sides[1])) {
                    assert!(is_drawn, "{shape:?} {sides:x?} {needy}");
                    foregone += 1;
                }
                won += usize::from(!is_drawn);
            }
        }
    }
    assert!(foregone > 1_000 && won > 1_000, "{foregone} {won}");
}
