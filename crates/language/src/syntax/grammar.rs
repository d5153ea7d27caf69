//! The parser that pest generates from `grammar/bid.pest`.
#![allow(missing_docs)]

use pest_derive::Parser;

#[derive(Parser)]
#[grammar = "../../../grammar/bid.pest"]
pub struct Grammar;
