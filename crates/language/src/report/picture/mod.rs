//! Scenes and how they are drawn: as text for the terminal, as SVG, for LaTeX, and diagrams for
//! Graphviz.
//!
//! A scene is the answer's own data. All SVG goes through one writer of elements, [`svg`], and all
//! axes are those of one [`frame`]. The players' colours are Okabe and Ito's, which colour-blind
//! readers can tell apart.

mod bars;
mod board;
mod braille;
mod cells;
mod diagram;
mod dot;
mod drawn;
mod frame;
mod heat;
mod layout;
mod outline;
mod plot;
mod sources;
mod svg;
mod tikz;

use std::fmt;

pub use board::DrawnBoard;
pub use diagram::Diagram;

use super::{Hasse, Heat, Nash, Page, Pivotal, Plot, Tree};
use crate::diagnostic::{Code, Diagnostic};
use crate::player::Player;
use crate::watch::{Stop, Watch};

/// A scene.
#[derive(Debug, Clone, Copy)]
pub enum Picture<'a> {
    /// Curves over a range.
    Plot(&'a Plot),
    /// A table as shades.
    Heat(&'a Heat),
    /// The optimal moves as a diagram.
    Tree(&'a Tree),
    /// A partial order as a diagram.
    Hasse(&'a Hasse),
    /// Mixed bids as bars.
    Bars(&'a Nash),
    /// A board with a number in each cell.
    Cells(&'a Pivotal),
}

impl Picture<'_> {
    /// For the terminal.
    ///
    /// # Errors
    /// If the watch stops it.
    pub fn text(self, watch: &dyn Watch) -> Result<String, Stop> {
        Ok(match self {
            Self::Plot(plot) => plot::text(plot, watch)?,
            Self::Heat(heat) => heat::text(heat),
            Self::Tree(tree) => outline::of(tree),
            Self::Hasse(order) => order.levels_text(),
            Self::Bars(nash) => bars::told(nash),
            Self::Cells(board) => cells::told(board),
        })
    }

    /// As SVG.
    ///
    /// # Errors
    /// If the watch stops it, or the layout fails.
    pub fn svg(self, watch: &dyn Watch) -> Result<String, Undrawn> {
        let drawn = match self {
            Self::Plot(plot) => Page::written(watch, |page| plot::svg(plot, page)),
            Self::Heat(heat) => Page::written(watch, |page| heat::svg(heat, page)),
            Self::Bars(nash) => Page::written(watch, |page| bars::svg(nash, page)),
            Self::Cells(board) => Page::written(watch, |page| cells::svg(board, page)),
            Self::Tree(tree) => return tree.diagram().svg(watch),
            Self::Hasse(order) => return order.diagram().svg(watch),
        };
        drawn.map_err(Undrawn::Stopped)
    }

    /// Writes it for LaTeX; what has no drawing there as in the terminal.
    ///
    /// # Errors
    /// If the page's watch stops it.
    pub fn latex(self, page: &mut Page<'_>) -> fmt::Result {
        match self {
            Self::Plot(plot) => plot::latex(plot, page),
            Self::Heat(heat) => heat::latex(heat, page),
            Self::Tree(tree) => tikz::write(&tree.diagram(), page),
            Self::Hasse(order) => tikz::write(&order.diagram(), page),
            Self::Bars(_) | Self::Cells(_) => {
                let text = page.watched(|watch| self.text(watch))?;
                super::latex::fixed(&text, page)
            }
        }
    }

    /// The boxes and edges, of what has them.
    pub fn diagram(self) -> Option<Diagram> {
        match self {
            Self::Tree(tree) => Some(tree.diagram()),
            Self::Hasse(order) => Some(order.diagram()),
            Self::Plot(_) | Self::Heat(_) | Self::Bars(_) | Self::Cells(_) => None,
        }
    }
}

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undrawn {
    /// The work was stopped.
    Stopped(Stop),
    /// The layout failed, and says why.
    Layout(String),
}

impl Undrawn {
    /// What is to be said in the place of the picture.
    ///
    /// # Errors
    /// If the work was stopped.
    pub(super) fn unless_stopped<T>(self) -> Result<Result<T, Self>, Stop> {
        match self {
            Self::Stopped(stop) => Err(stop),
            Self::Layout(_) => Ok(Err(self)),
        }
    }
}

impl fmt::Display for Undrawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stop) => f.write_str(&Diagnostic::from(*stop).message),
            Self::Layout(why) => write!(f, "this cannot be laid out as a picture: {why}"),
        }
    }
}

impl From<Undrawn> for Box<Diagnostic> {
    fn from(undrawn: Undrawn) -> Self {
        match undrawn {
            Undrawn::Stopped(stop) => stop.into(),
            Undrawn::Layout(_) => Diagnostic::new(Code::NotSupported, undrawn.to_string())
                .help("`dot(x)` gives the diagram for Graphviz")
                .into(),
        }
    }
}

/// The colour of a player.
fn colour(player: Player) -> &'static str {
    match player {
        Player::Alice => "#D55E00",
        Player::Bob => "#0072B2",
    }
}

impl Tree {
    /// The optimal moves as in the papers' figures: what is decided is left out, and what is too
    /// much for a picture.
    pub fn diagram(&self) -> Diagram {
        sources::tree(self)
    }
}

impl Hasse {
    /// The covers, the greatest games on top; what is too much for a picture is left out.
    pub fn diagram(&self) -> Diagram {
        sources::hasse(self)
    }
}
