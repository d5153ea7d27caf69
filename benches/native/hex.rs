//! Hex on 4 × 4: sixteen digits to the base 3, an array of 3¹⁶ values, and a table of the cells of
//! eight digits.

use num_rational::Ratio;

const CELLS: usize = 16;
const HALF: usize = 6561;
const ONE: u32 = 1 << CELLS;
const FULL: u32 = 0xffff;
const LEFT: u32 = 0x1111;
const RIGHT: u32 = 0x8888;
const TOP: u32 = 0x000f;
const BOTTOM: u32 = 0xf000;

/// Computes R of the empty board.
pub(crate) fn value() -> Vec<String> {
    let powers: [usize; CELLS] = std::array::from_fn(|cell| 3_usize.pow(cell as u32));
    let halves: Vec<(u32, u32)> = (0..HALF).map(cells).collect();
    let mut values = vec![0; HALF * HALF];
    for high in (0..HALF).rev() {
        for low in (0..HALF).rev() {
            let alice = halves[high].0 << 8 | halves[low].0;
            let bob = halves[high].1 << 8 | halves[low].1;
            let index = high * HALF + low;
            values[index] = settle(index, alice, bob, &powers, &values);
        }
    }
    vec![Ratio::new(values[0], ONE).to_string()]
}

/// Returns Alice's and Bob's cells among eight.
fn cells(mut index: usize) -> (u32, u32) {
    let (mut alice, mut bob) = (0, 0);
    for cell in 0..8 {
        match index % 3 {
            1 => alice |= 1 << cell,
            2 => bob |= 1 << cell,
            _ => {}
        }
        index /= 3;
    }
    (alice, bob)
}

fn settle(index: usize, alice: u32, bob: u32, powers: &[usize; CELLS], values: &[u32]) -> u32 {
    if joins(alice, LEFT, RIGHT) {
        return 0;
    }
    if joins(bob, TOP, BOTTOM) {
        return ONE;
    }
    let (mut low, mut high) = (ONE, 0);
    let mut free = FULL & !(alice | bob);
    while free != 0 {
        let power = powers[free.trailing_zeros() as usize];
        low = low.min(values[index + power]);
        high = high.max(values[index + 2 * power]);
        free &= free - 1;
    }
    (low + high) / 2
}

/// Returns `true` if the cells connect two sides, by a flood fill from one.
fn joins(cells: u32, from: u32, to: u32) -> bool {
    let mut reached = cells & from;
    loop {
        if reached & to != 0 {
            return true;
        }
        let east = (reached & !RIGHT) << 1 | (reached & !RIGHT) >> 3;
        let west = (reached & !LEFT) >> 1 | (reached & !LEFT) << 3;
        let grown = (reached | reached << 4 | reached >> 4 | east | west) & cells;
        if grown == reached {
            return false;
        }
        reached = grown;
    }
}
