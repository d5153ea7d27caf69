//! Tic-tac-toe: nine digits to the base 3, an array of 3⁹ values.

use num_rational::Ratio;

const CELLS: usize = 9;
const ROWS: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];
/// The value 1. Each ply halves it, so all values are integers.
const ONE: u32 = 1 << CELLS;

/// Computes R of the empty board.
pub(crate) fn value() -> Vec<String> {
    let powers: [usize; CELLS] = std::array::from_fn(|cell| 3_usize.pow(cell as u32));
    let mut values = vec![0; powers[CELLS - 1] * 3];
    for index in (0..values.len()).rev() {
        values[index] = settle(index, &powers, &values);
    }
    vec![Ratio::new(values[0], ONE).to_string()]
}

fn settle(index: usize, powers: &[usize; CELLS], values: &[u32]) -> u32 {
    let (mut alice, mut bob) = (0, 0);
    for (cell, power) in powers.iter().enumerate() {
        match index / power % 3 {
            1 => alice |= 1 << cell,
            2 => bob |= 1 << cell,
            _ => {}
        }
    }
    let has_row = |cells: u16| ROWS.iter().any(|row| cells & row == *row);
    if has_row(alice) {
        return 0;
    }
    if has_row(bob) || alice | bob == 0o777 {
        return ONE;
    }
    let (mut low, mut high) = (ONE, 0);
    for (cell, power) in powers.iter().enumerate() {
        if (alice | bob) >> cell & 1 == 0 {
            low = low.min(values[index + power]);
            high = high.max(values[index + 2 * power]);
        }
    }
    (low + high) / 2
}
