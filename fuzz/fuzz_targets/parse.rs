//! Fuzzes [`bid_fuzz::parse`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bid_fuzz::parse(data));
