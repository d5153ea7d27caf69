//! Fuzzes [`bid_fuzz::run`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bid_fuzz::run(data));
