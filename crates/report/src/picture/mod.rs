//! Draws scenes: as text for the terminal, as SVG, for LaTeX, and diagrams for Graphviz.
//!
//! A scene is the answer's own data. All SVG is written by [`svg`], element by element, and all
//! axes are those of [`frame`]. The players' colours are Okabe and Ito's, which colour-blind
//! readers can distinguish.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "lengths in characters and pixels are small and not negative"
)]

mod across;
mod bars;
mod board;
mod braille;
mod cells;
mod diagram;
mod dot;
mod drawn;
mod frame;
mod heat;
mod layered;
mod layout;
mod mirrored;
mod outline;
mod plot;
mod sources;
mod svg;
mod tikz;

use std::fmt;

pub use board::{BoardLook, DrawnBoard};
pub use diagram::Diagram;

use super::{Drawing, Hasse, Heat, Nash, Page, Pivotal, Plot, Tree};
use bid_language::player::Player;
use bid_language::watch::{Context, Stop};

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
    /// The graph of a game as a diagram.
    Drawing(&'a Drawing),
    /// Mixed bids as bars.
    Bars(&'a Nash),
    /// A board with a number in each cell.
    Cells(&'a Pivotal),
}

impl Picture<'_> {
    /// Draws the scene for the terminal.
    pub fn text(self, context: &Context<'_>) -> Result<String, Stop> {
        Ok(match self {
            Self::Plot(plot) => plot::text(plot, context)?,
            Self::Heat(heat) => heat::text(heat),
            Self::Tree(tree) => outline::of(tree),
            Self::Hasse(order) => order.levels_text(),
            Self::Drawing(_) => String::new(),
            Self::Bars(nash) => bars::told(nash),
            Self::Cells(board) => cells::told(board),
        })
    }

    /// Draws the scene as SVG.
    pub fn svg(self, context: &Context<'_>) -> Result<String, Stop> {
        match self {
            Self::Plot(plot) => Page::written(context, |page| plot::svg(plot, page)),
            Self::Heat(heat) => Page::written(context, |page| heat::svg(heat, page)),
            Self::Bars(nash) => Page::written(context, |page| bars::svg(nash, page)),
            Self::Cells(board) => Page::written(context, |page| cells::svg(board, page)),
            Self::Tree(tree) => tree.diagram().svg(context),
            Self::Hasse(order) => order.diagram().svg(context),
            Self::Drawing(drawing) => drawing.diagram().svg(context),
        }
    }

    /// Writes the scene for LaTeX. A scene without a drawing there is written as in the terminal.
    pub fn latex(self, page: &mut Page<'_>) -> fmt::Result {
        match self {
            Self::Plot(plot) => plot::latex(plot, page),
            Self::Heat(heat) => heat::latex(heat, page),
            Self::Tree(tree) => tikz::write(&tree.diagram(), page),
            Self::Hasse(order) => tikz::write(&order.diagram(), page),
            Self::Drawing(drawing) => tikz::write(&drawing.diagram(), page),
            Self::Bars(_) | Self::Cells(_) => {
                let text = page.watched(|context| self.text(context))?;
                super::latex::fixed(&text, page)
            }
        }
    }

    /// Returns the boxes and edges of a scene that has them.
    pub fn diagram(self) -> Option<Diagram> {
        match self {
            Self::Tree(tree) => Some(tree.diagram()),
            Self::Hasse(order) => Some(order.diagram()),
            Self::Drawing(drawing) => Some(drawing.diagram()),
            Self::Plot(_) | Self::Heat(_) | Self::Bars(_) | Self::Cells(_) => None,
        }
    }
}

/// Returns the colour of a player: Okabe and Ito's vermilion and blue, which colour-blind readers
/// can distinguish.
pub fn colour(player: Player) -> &'static str {
    match player {
        Player::Alice => "#D55E00",
        Player::Bob => "#0072B2",
    }
}

impl Tree {
    /// Returns the diagram of the optimal moves as in the papers' figures. Decided positions are
    /// left out, and so are positions beyond the size of a picture.
    pub fn diagram(&self) -> Diagram {
        sources::tree(self)
    }
}

impl Drawing {
    /// Returns the diagram of the graph. Vertices beyond the size of a picture are left out.
    pub fn diagram(&self) -> Diagram {
        sources::drawing(self)
    }
}

impl Hasse {
    /// Returns the diagram of the covers, with the greatest games at the top. Games beyond the size
    /// of a picture are left out.
    pub fn diagram(&self) -> Diagram {
        sources::hasse(self)
    }
}
