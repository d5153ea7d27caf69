//! Being written.
use super::ast;
pub fn format(_: &ast::File, _: &str) -> String {
    todo!()
}
pub fn expr(_: &ast::Expr) -> String {
    todo!()
}
