//! Tests of the syntax stage on files and on random texts.

mod syntax_cases;
mod syntax_laws;
