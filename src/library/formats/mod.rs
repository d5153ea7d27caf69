//! Pictures, and files for other programs.

pub(super) mod draw;
pub(super) mod exports;
pub(super) mod interchange;
pub(super) mod node_link;
pub(super) mod plots;
pub(super) mod prism;
