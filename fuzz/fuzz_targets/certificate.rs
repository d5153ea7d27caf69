//! Fuzzes [`bid_fuzz::certificate`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bid_fuzz::certificate(data));
