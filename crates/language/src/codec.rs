//! Encodes the numbers and words of other crates as bytes, by borsh, for answers that travel to
//! another process.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use borsh::io::{Error, ErrorKind, Read, Result, Write};
use borsh::{BorshDeserialize, BorshSerialize};
use num_bigint::BigInt;
use num_rational::{BigRational, Rational64};
use num_traits::Zero;

use crate::player::PerPlayer;

/// Writes an integer.
pub fn write_integer<W: Write>(number: &BigInt, writer: &mut W) -> Result<()> {
    number.to_signed_bytes_le().serialize(writer)
}

/// Reads an integer.
pub fn read_integer<R: Read>(reader: &mut R) -> Result<BigInt> {
    Vec::deserialize_reader(reader).map(|bytes| BigInt::from_signed_bytes_le(&bytes))
}

/// Writes a fraction.
pub fn write_rational<W: Write>(number: &BigRational, writer: &mut W) -> Result<()> {
    write_integer(number.numer(), writer)?;
    write_integer(number.denom(), writer)
}

/// Reads a fraction.
pub fn read_rational<R: Read>(reader: &mut R) -> Result<BigRational> {
    let (numerator, denominator) = (read_integer(reader)?, read_integer(reader)?);
    // The bytes may come from elsewhere, and a fraction over 0 would panic.
    if denominator.is_zero() {
        return Err(broken());
    }
    Ok(BigRational::new(numerator, denominator))
}

/// Writes a bid, if there is one.
pub fn write_bid<W: Write>(bid: &Option<BigRational>, writer: &mut W) -> Result<()> {
    bid.is_some().serialize(writer)?;
    bid.iter().try_for_each(|bid| write_rational(bid, writer))
}

/// Reads a bid, if there is one.
pub fn read_bid<R: Read>(reader: &mut R) -> Result<Option<BigRational>> {
    let is_there = bool::deserialize_reader(reader)?;
    is_there.then(|| read_rational(reader)).transpose()
}

/// Writes a fraction of 64-bit integers.
pub fn write_narrow<W: Write>(number: &Rational64, writer: &mut W) -> Result<()> {
    (*number.numer(), *number.denom()).serialize(writer)
}

/// Reads a fraction of 64-bit integers.
pub fn read_narrow<R: Read>(reader: &mut R) -> Result<Rational64> {
    let (numerator, denominator) = <(i64, i64)>::deserialize_reader(reader)?;
    if denominator <= 0 {
        return Err(broken());
    }
    Ok(Rational64::new(numerator, denominator))
}

/// Writes a fraction of 64-bit integers, if there is one.
pub fn write_maybe_narrow<W: Write>(number: &Option<Rational64>, writer: &mut W) -> Result<()> {
    number.map(Rational64::into_raw).serialize(writer)
}

/// Reads a fraction of 64-bit integers, if there is one.
pub fn read_maybe_narrow<R: Read>(reader: &mut R) -> Result<Option<Rational64>> {
    let is_there = bool::deserialize_reader(reader)?;
    is_there.then(|| read_narrow(reader)).transpose()
}

/// Writes a fraction of 64-bit integers for each player, if there is one.
pub fn write_maybe_narrow_each<W: Write>(
    numbers: &PerPlayer<Option<Rational64>>,
    writer: &mut W,
) -> Result<()> {
    write_maybe_narrow(&numbers.alice, writer)?;
    write_maybe_narrow(&numbers.bob, writer)
}

/// Reads a fraction of 64-bit integers for each player, if there is one.
pub fn read_maybe_narrow_each<R: Read>(reader: &mut R) -> Result<PerPlayer<Option<Rational64>>> {
    let (alice, bob) = (read_maybe_narrow(reader)?, read_maybe_narrow(reader)?);
    Ok(PerPlayer::new(alice, bob))
}

/// Writes one of the program's own words.
pub fn write_word<W: Write>(word: &&'static str, writer: &mut W) -> Result<()> {
    word.serialize(writer)
}

/// Reads one of the program's own words. Each distinct word is leaked once and kept for the rest of
/// the process, because there are few of them.
pub fn read_word<R: Read>(reader: &mut R) -> Result<&'static str> {
    static WORDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let word = String::deserialize_reader(reader)?;
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = words.get(word.as_str()) {
        return Ok(known);
    }
    // The reports hold words as constants of the program, which live for ever.
    let word: &'static str = word.leak();
    words.insert(word);
    Ok(word)
}

fn broken() -> Error {
    Error::new(ErrorKind::InvalidData, "a fraction without a denominator")
}
