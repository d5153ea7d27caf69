//! Connect Four on small boards: a digit for each column, an array of values.
//!
//! A column of height h whose pieces are b, a bit for each from the bottom, is digit 2^h − 1 + b. A
//! move makes its digit greater, so values are computed from the last position to the first.

/// Returns the number of digits of a column with this many rows.
pub(crate) const fn digits(rows: u32) -> usize {
    (1 << (rows + 1)) - 1
}

/// The meaning of a digit of a column.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    pub(crate) alice: u64,
    pub(crate) bob: u64,
    /// The increases of the digit by Alice's and by Bob's move, if there is room.
    pub(crate) next: Option<(usize, usize)>,
}

pub(crate) fn column(rows: u32, digit: usize) -> Column {
    let height = (digit + 1).ilog2();
    let pieces = digit + 1 - (1 << height);
    let filled = (1 << height) - 1;
    let after = 2 * filled + 1;
    let next = (height < rows).then(|| {
        (
            after + (pieces | 1 << height) - digit,
            after + pieces - digit,
        )
    });
    Column {
        alice: pieces as u64,
        bob: (filled & !pieces) as u64,
        next,
    }
}

/// Returns `true` if four are in a row, on a board whose columns are `stride` bits apart, one of
/// which is always empty.
pub(crate) fn four(cells: u64, stride: u32) -> bool {
    [1, stride - 1, stride, stride + 1].into_iter().any(|step| {
        let pairs = cells & cells >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// A position: the index, the pieces, and the increases of the index by moves in each column with
/// room.
#[derive(Clone, Copy)]
struct Place<const COLS: usize> {
    index: usize,
    alice: u64,
    bob: u64,
    moves: [(usize, usize); COLS],
    room: usize,
}

/// The state of the game at a position.
enum Standing<'a> {
    Alice,
    /// Bob has won, or the board is full.
    Bob,
    /// The increases of the index by Alice's and Bob's moves.
    Open(&'a [(usize, usize)]),
}

/// The board, whose positions are visited from the last to the first.
struct Board<const ROWS: u32, const COLS: usize> {
    columns: Vec<Column>,
}

impl<const ROWS: u32, const COLS: usize> Board<ROWS, COLS> {
    const STRIDE: u32 = ROWS + 1;
    const POSITIONS: usize = digits(ROWS).pow(COLS as u32);

    fn new() -> Self {
        Self {
            columns: (0..digits(ROWS)).map(|digit| column(ROWS, digit)).collect(),
        }
    }

    fn visit(&self, mut each: impl FnMut(usize, Standing<'_>)) {
        let start = Place {
            index: 0,
            alice: 0,
            bob: 0,
            moves: [(0, 0); COLS],
            room: 0,
        };
        self.visit_columns(COLS, start, &mut each);
    }

    /// Visits the positions that agree with `place` in all but the first `left` columns.
    fn visit_columns(
        &self,
        left: usize,
        place: Place<COLS>,
        each: &mut impl FnMut(usize, Standing<'_>),
    ) {
        let Some(this) = left.checked_sub(1) else {
            each(place.index, Self::standing(&place));
            return;
        };
        let weight = self.columns.len().pow(this as u32);
        let shift = this as u32 * Self::STRIDE;
        for (digit, column) in self.columns.iter().enumerate().rev() {
            let mut next = place;
            next.index += digit * weight;
            next.alice |= column.alice << shift;
            next.bob |= column.bob << shift;
            if let Some((alice, bob)) = column.next {
                next.moves[next.room] = (alice * weight, bob * weight);
                next.room += 1;
            }
            self.visit_columns(this, next, each);
        }
    }

    fn standing(place: &Place<COLS>) -> Standing<'_> {
        if four(place.alice, Self::STRIDE) {
            Standing::Alice
        } else if place.room == 0 || four(place.bob, Self::STRIDE) {
            Standing::Bob
        } else {
            Standing::Open(&place.moves[..place.room])
        }
    }
}

/// The number of totals of chips computed in one pass.
const LANES: usize = 32;

/// Computes f of the empty 4 × 4 board for 0 to 255 chips, by Theorem 3.7 of Develin & Payne in
/// half chips.
pub(crate) fn thresholds() -> Vec<String> {
    let board = Board::<4, 4>::new();
    let mut values = vec![[0_u16; LANES]; Board::<4, 4>::POSITIONS];
    let mut answer = Vec::new();
    for first in (0..256).step_by(LANES) {
        let lost: [u16; LANES] = std::array::from_fn(|lane| 2 * (first + lane as u16 + 1));
        board.visit(|index, standing| {
            values[index] = match standing {
                Standing::Alice => [0; LANES],
                Standing::Bob => lost,
                Standing::Open(moves) => settle(index, moves, &values, lost),
            };
        });
        answer.extend(
            values[0]
                .iter()
                .map(|half| format!("{}{}", half / 2, if half % 2 == 1 { "*" } else { "" })),
        );
    }
    answer
}

fn settle(
    index: usize,
    moves: &[(usize, usize)],
    values: &[[u16; LANES]],
    lost: [u16; LANES],
) -> [u16; LANES] {
    let (mut alice, mut bob) = (lost, [0; LANES]);
    for (by_alice, by_bob) in moves {
        for lane in 0..LANES {
            alice[lane] = alice[lane].min(values[index + by_alice][lane]);
            bob[lane] = bob[lane].max(values[index + by_bob][lane]);
        }
    }
    std::array::from_fn(|lane| {
        let (low, high) = (alice[lane].min(bob[lane]), alice[lane].max(bob[lane]));
        low.div_ceil(2) + high / 2
    })
}
