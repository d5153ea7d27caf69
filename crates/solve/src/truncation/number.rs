//! The number types of the bounds' tables.

use crate::chips::ThresholdInteger;

/// An unsigned number of some width.
pub trait Narrow: ThresholdInteger {
    /// Overwrites the numbers whose bit is set with a value.
    #[inline]
    fn write_over(numbers: &mut [Self], mut bits: u64, value: Self) {
        while bits != 0 {
            numbers[bits.trailing_zeros() as usize] = value;
            bits &= bits - 1;
        }
    }
}

impl Narrow for u8 {
    // Nearly all positions are near the truncation, in bytes, so this version processes eight at a
    // time without a branch.
    #[inline]
    fn write_over(numbers: &mut [Self], bits: u64, value: Self) {
        let (eights, rest) = numbers.as_chunks_mut::<8>();
        let whole = eights.len();
        for (place, eight) in eights.iter_mut().enumerate() {
            let mask = bytes_of(bits >> (8 * place) & 0xFF);
            // Eight bytes are treated as one word, so a byte is replaced by masking.
            let wanted = u64::from_le_bytes([value; 8]);
            *eight = (u64::from_le_bytes(*eight) & !mask | wanted & mask).to_le_bytes();
        }
        for (place, number) in rest.iter_mut().enumerate() {
            if bits >> (8 * whole + place) & 1 != 0 {
                *number = value;
            }
        }
    }
}

impl Narrow for u16 {}
impl Narrow for u32 {}
impl Narrow for u64 {}

/// Eight bytes of 1.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Writes up to 64 numbers selected from sixteen; the four bits of each index are given as bit
/// planes. It processes eight at a time, without a branch.
#[inline]
pub fn choose<D: Narrow>(numbers: &mut [D], places: [u64; 4], among: &[D; 16]) {
    for (eight, numbers) in numbers.chunks_mut(8).enumerate() {
        let bits = places.map(|plane| ones_of(plane >> (8 * eight) & 0xFF));
        let here = bits[0] | bits[1] << 1 | bits[2] << 2 | bits[3] << 3;
        for (number, place) in numbers.iter_mut().zip(here.to_le_bytes()) {
            *number = among[usize::from(place & 15)];
        }
    }
}

/// Expands eight bits to bytes that are all ones or zeros.
#[inline(always)]
fn bytes_of(bits: u64) -> u64 {
    ones_of(bits) * 0xFF
}

/// Expands eight bits to bytes of 1 or 0.
#[inline(always)]
fn ones_of(bits: u64) -> u64 {
    // Each byte keeps the bit of its place; adding 0x7F sets its top bit unless the byte is 0, and
    // never carries.
    let kept = bits.wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    (kept + 0x7F * ONES) >> 7 & ONES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_by_one<N: Narrow>(numbers: &[N], bits: u64, value: N) -> Vec<N> {
        let bit = |place: usize| bits >> place & 1 != 0;
        numbers
            .iter()
            .enumerate()
            .map(|(place, number)| if bit(place) { value } else { *number })
            .collect()
    }

    #[test]
    fn numbers_are_chosen_by_their_bits() {
        let among: [u16; 16] = std::array::from_fn(|place| place as u16 * 1000 + 7);
        for seed in 1..500_u64 {
            let places = [1, 3, 5, 7].map(|odd| {
                seed.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(odd))
                    .rotate_left(seed as u32 % 64)
            });
            let mut numbers = vec![0; 1 + seed as usize % 64];
            choose(&mut numbers, places, &among);
            for (at, number) in numbers.iter().enumerate() {
                let place: usize = (0..4)
                    .map(|bit| ((places[bit] >> at & 1) as usize) << bit)
                    .sum();
                assert_eq!(*number, among[place], "{seed} {at}");
            }
        }
    }

    #[test]
    fn numbers_are_written_over_where_a_bit_is_set() {
        for seed in 0..2000_u64 {
            let bits = seed
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(seed as u32 % 64);
            let len = 1 + seed as usize % 64;
            let bits = bits & (u64::MAX >> (64 - len));
            let mut bytes: Vec<u8> = (0..len).map(|place| (place as u64 * seed) as u8).collect();
            let mut words: Vec<u32> = bytes.iter().map(|byte| u32::from(*byte) << 9).collect();
            let (wanted, wide) = (
                one_by_one(&bytes, bits, 200),
                one_by_one(&words, bits, 70_000),
            );
            u8::write_over(&mut bytes, bits, 200);
            u32::write_over(&mut words, bits, 70_000);
            assert_eq!((bytes, words), (wanted, wide), "{bits:x} {len}");
        }
    }
}
