//! What an answer is made of for its readers: lines, grids, facts and pictures.
//!
//! An answer says in one place, [`Report::blocks`], of which blocks it consists. The writers know
//! these four blocks and their cells, and no answer. A cell holds the exact value or the words,
//! never text that is laid out: each writer sets a fraction its own way.

use std::borrow::Cow;
use std::fmt::Display;

use num_rational::BigRational;

use super::Report;
use super::picture::Picture;
use bid_language::rules::FieldValue;
use bid_language::scalar::Scalar;

/// Where an answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// In a terminal: text.
    Terminal,
    /// On a page: HTML.
    Page,
    /// In a paper: LaTeX.
    Paper,
    /// In a spreadsheet: a row for each record, in words for programs.
    Sheet,
}

/// A part of an answer.
pub enum Block<'a> {
    /// Values and sentences, a line for each.
    Lines(LazyLines<'a>),
    /// Rows of cells below a head.
    Grid(Grid<'a>),
    /// Names with what they stand for.
    Facts(Vec<Facts<'a>>),
    /// A scene to be drawn.
    Picture(Picture<'a>),
}

/// Cells that follow each other.
pub type Line<'a> = Vec<Cell<'a>>;

/// Lines, each made as it is written: there may be very many.
pub struct LazyLines<'a> {
    count: usize,
    line: Box<dyn Fn(usize) -> Line<'a> + 'a>,
}

impl<'a> LazyLines<'a> {
    /// So many lines; `line` says what stands in each.
    pub fn new(count: usize, line: impl Fn(usize) -> Line<'a> + 'a) -> Self {
        Self {
            count,
            line: Box::new(line),
        }
    }

    /// The lines from the first on.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Line<'a>> {
        (0..self.count).map(&self.line)
    }
}

impl<'a> Block<'a> {
    /// A few lines.
    pub fn lines<const N: usize>(lines: [Line<'a>; N]) -> Self {
        Self::Lines(LazyLines::new(N, move |place| lines[place].clone()))
    }
}

/// What is written in a place.
#[derive(Debug, Clone)]
pub enum Cell<'a> {
    /// The row has ended before.
    Nothing,
    /// Words.
    Text(Cow<'a, str>),
    /// An expression of the language: `f(E, k)`.
    Expression(Cow<'a, str>),
    /// A formula that papers set in a notation of their own.
    Formula {
        /// For reading.
        text: String,
        /// Inside math mode.
        tex: String,
    },
    /// An exact value.
    Value(Cow<'a, Scalar>),
    /// A value among many of its kind: a paper keeps its fraction on the line.
    Entry(Cow<'a, Scalar>),
    /// `[1, 2]`.
    List(&'a [Report]),
    /// `(1, 2)`.
    Tuple(&'a [Report]),
    /// `{ ties: marker }`.
    Rules(&'a [FieldValue]),
    /// An answer inside another one.
    Answer(&'a Report),
    /// Lines that stay as they are, in letters of one width.
    Fixed(String),
}

impl<'a> Cell<'a> {
    /// Words.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// What something is in words.
    pub fn words(words: impl Display) -> Self {
        Self::Text(words.to_string().into())
    }

    /// An expression of the language.
    pub fn expression(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Expression(text.into())
    }

    /// A value.
    pub fn value(value: &'a Scalar) -> Self {
        Self::Value(Cow::Borrowed(value))
    }

    /// A rational.
    pub fn rational(value: &BigRational) -> Self {
        Self::Value(Cow::Owned(Scalar::Rational(value.clone())))
    }

    /// A value among many.
    pub fn entry(value: &'a Scalar) -> Self {
        Self::Entry(Cow::Borrowed(value))
    }
}

/// Rows of cells below a head.
pub struct Grid<'a> {
    /// What stands in the columns.
    pub columns: Vec<Column<'a>>,
    /// How many rows there are below the head.
    pub rows: usize,
    /// What the columns are to each other.
    pub runs: ColumnFlow,
    cell: Box<dyn Fn(usize, usize) -> Cell<'a> + 'a>,
}

/// A column of a [`Grid`].
#[derive(Debug, Clone)]
pub struct Column<'a> {
    /// What stands above it.
    pub head: Cell<'a>,
    /// To which side its cells are set in print.
    pub align: Align,
}

/// To which side cells are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// What the columns of a [`Grid`] are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnFlow {
    /// Each has a meaning of its own: a row is a thing with its properties.
    Down,
    /// The first one names the rows, the others are the values of a parameter: where a line is
    /// full, they go on below.
    Across,
}

/// How many columns of values stand side by side, as in the papers' tables.
pub const BLOCK: usize = 12;

impl<'a> Grid<'a> {
    /// So many rows; `cell` says what stands in a row and a column.
    pub fn new(
        columns: Vec<Column<'a>>,
        rows: usize,
        cell: impl Fn(usize, usize) -> Cell<'a> + 'a,
    ) -> Self {
        Self {
            columns,
            rows,
            runs: ColumnFlow::Down,
            cell: Box::new(cell),
        }
    }

    /// Rows of words for programs.
    pub fn sheet<const N: usize>(
        heads: [&str; N],
        rows: impl IntoIterator<Item = [Cell<'a>; N]>,
    ) -> Self {
        let columns = heads.map(|head| Column::left(Cell::words(head))).into();
        let rows: Vec<_> = rows.into_iter().collect();
        Self::new(columns, rows.len(), move |row, column| {
            rows[row][column].clone()
        })
    }

    /// The same where the columns after the first are the values of a parameter.
    pub fn across(self) -> Self {
        Self {
            runs: ColumnFlow::Across,
            ..self
        }
    }

    /// What stands in a column: in the head, or in a row.
    pub fn at(&self, row: Option<usize>, column: usize) -> Cell<'a> {
        row.map_or_else(
            || self.columns[column].head.clone(),
            |row| (self.cell)(row, column),
        )
    }

    /// The columns that stand side by side: all of them, or [`BLOCK`] values after the names of the
    /// rows at a time.
    pub fn parts(&self) -> Vec<Vec<usize>> {
        let values: Vec<usize> = (1..self.columns.len()).collect();
        match self.runs {
            ColumnFlow::Down => vec![(0..self.columns.len()).collect()],
            ColumnFlow::Across if values.is_empty() => vec![vec![0]],
            ColumnFlow::Across => values
                .chunks(BLOCK)
                .map(|part| [&[0], part].concat())
                .collect(),
        }
    }
}

impl<'a> Column<'a> {
    /// A column of words.
    pub fn left(head: Cell<'a>) -> Self {
        Self {
            head,
            align: Align::Left,
        }
    }

    /// A column of numbers.
    pub fn right(head: Cell<'a>) -> Self {
        Self {
            head,
            align: Align::Right,
        }
    }
}

/// Names with what they stand for.
pub struct Facts<'a> {
    /// What they are about, if there is something to say.
    pub title: Option<Line<'a>>,
    /// Each a name and the cells after it.
    pub rows: Vec<Line<'a>>,
}

impl Report {
    /// The cell that it takes: values stand in one, answers are written out.
    pub fn cell(&self) -> Cell<'_> {
        match self {
            Self::Scalar(scalar) => Cell::value(scalar),
            Self::List(items) => Cell::List(items),
            Self::Tuple(items) => Cell::Tuple(items),
            Self::Rules(fields) => Cell::Rules(fields),
            answer => Cell::Answer(answer),
        }
    }

    /// What it is made of.
    pub fn blocks(&self, medium: Medium) -> Vec<Block<'_>> {
        match self {
            Self::Scalar(_) | Self::List(_) | Self::Tuple(_) | Self::Rules(_) => {
                vec![self.value(medium)]
            }
            Self::Record(facts) => vec![record(facts)],
            Self::Table(table) => vec![table.block(medium)],
            Self::Strategy(strategy) => vec![strategy.block(medium)],
            Self::Moves(moves) => vec![moves.block(medium)],
            Self::Tree(tree) => vec![tree.block(medium)],
            Self::Nash(nash) => nash.blocks(medium),
            Self::Closed(form) => form.blocks(medium),
            Self::Listing(listing) => listing.blocks(medium),
            Self::Hasse(order) => order.blocks(medium),
            Self::Plot(plot) => vec![plot.block(medium)],
            Self::Heat(heat) => vec![heat.block(medium)],
            Self::Pivotal(board) => board.blocks(medium),
            Self::Sequence(both) => both.answer.blocks(medium),
        }
    }

    /// The picture among its blocks.
    pub fn picture(&self) -> Option<Picture<'_>> {
        self.blocks(Medium::Page)
            .into_iter()
            .find_map(|block| match block {
                Block::Picture(picture) => Some(picture),
                Block::Lines(_) | Block::Grid(_) | Block::Facts(_) => None,
            })
    }

    /// A value: a line, but in a spreadsheet a row for each item of a list and for each field of
    /// rules.
    fn value(&self, medium: Medium) -> Block<'_> {
        match self {
            Self::List(items) if medium == Medium::Sheet => {
                Block::Lines(LazyLines::new(items.len(), |place| items[place].parts()))
            }
            Self::Rules(fields) if medium == Medium::Sheet => {
                Block::Lines(LazyLines::new(fields.len(), |place| {
                    let (field, value) = fields[place].words();
                    vec![Cell::text(field), Cell::text(value)]
                }))
            }
            _ if medium == Medium::Sheet => Block::lines([self.parts()]),
            _ => Block::lines([vec![self.cell()]]),
        }
    }

    /// The cells of a row: the parts of a tuple or list, else the whole.
    fn parts(&self) -> Line<'_> {
        match self {
            Self::List(items) | Self::Tuple(items) => items.iter().map(Self::cell).collect(),
            whole => vec![whole.cell()],
        }
    }
}

fn record(facts: &[(String, Report)]) -> Block<'_> {
    let rows = facts
        .iter()
        .map(|(name, fact)| vec![Cell::text(name.as_str()), fact.cell()])
        .collect();
    Block::Facts(vec![Facts { title: None, rows }])
}
