//! Fuzzes [`bid_fuzz::snapshot`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bid_fuzz::snapshot(data));
