//! Fuzzes [`bid_fuzz::checkpoint`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bid_fuzz::checkpoint(data));
