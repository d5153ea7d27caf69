//! Fuzzes [`bid_fuzz::format`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bid_fuzz::format(data));
