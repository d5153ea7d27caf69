//! Names and types, before anything runs: abstract syntax to the [intermediate representation](ir).

pub mod ir;
