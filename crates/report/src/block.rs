//! The parts of answers for their readers: lines, grids, facts and pictures.
//!
//! Each answer is divided into blocks in one place, [`Report::blocks`]. The writers know these four
//! kinds of blocks and their cells, but not the answers. A cell holds an exact value or words,
//! never formatted text, because each writer formats fractions in its own way.

use std::borrow::Cow;
use std::fmt::Display;

use num_rational::BigRational;

use super::Report;
use super::picture::Picture;
use bid_language::rules::FieldValue;
use bid_language::scalar::Scalar;

/// The medium in which an answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// In a terminal: text.
    Terminal,
    /// On a page: HTML.
    Page,
    /// In a paper: LaTeX.
    Paper,
    /// In a spreadsheet: a row for each record, with words that programs can read.
    Sheet,
}

/// A part of an answer.
pub enum Block<'a> {
    /// Values and sentences, one per line.
    Lines(LazyLines<'a>),
    /// Rows of cells below a head.
    Grid(Grid<'a>),
    /// Names with their values.
    Facts(Vec<Facts<'a>>),
    /// A scene to draw.
    Picture(Picture<'a>),
}

/// Cells that follow each other.
pub type Line<'a> = Vec<Cell<'a>>;

/// Lines that are created one at a time while they are written, because there may be very many.
pub struct LazyLines<'a> {
    count: usize,
    line: Box<dyn Fn(usize) -> Line<'a> + 'a>,
}

impl<'a> LazyLines<'a> {
    /// Creates this many lines. `line` returns the cells of each.
    pub fn new(count: usize, line: impl Fn(usize) -> Line<'a> + 'a) -> Self {
        Self {
            count,
            line: Box::new(line),
        }
    }

    /// Returns the lines in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Line<'a>> {
        (0..self.count).map(&self.line)
    }
}

impl<'a> Block<'a> {
    /// Creates a line.
    pub fn line(cells: impl Into<Line<'a>>) -> Self {
        Self::lines([cells.into()])
    }

    /// Creates rows of words that programs can read.
    pub fn sheet<const N: usize>(
        heads: [&str; N],
        rows: impl IntoIterator<Item = [Cell<'a>; N]>,
    ) -> Self {
        let columns = heads.map(|head| Column::left(Cell::words(head))).into();
        // Writers may ask for a cell more than once, and in any order.
        let rows: Vec<_> = rows.into_iter().collect();
        let count = rows.len();
        let cell = move |row: usize, column: usize| rows[row][column].clone();
        Self::Grid(Grid::new(columns, count, cell))
    }

    /// Creates a few lines.
    pub fn lines<const N: usize>(lines: [Line<'a>; N]) -> Self {
        Self::Lines(LazyLines::new(N, move |place| lines[place].clone()))
    }
}

/// The contents of a place in a line or grid.
#[derive(Debug, Clone)]
pub enum Cell<'a> {
    /// An empty place after the end of a row.
    Nothing,
    /// Words.
    Text(Cow<'a, str>),
    /// An expression of the language: `f(E, k)`.
    Expression(Cow<'a, str>),
    /// A formula for which papers have a notation of their own.
    Formula {
        /// The text for reading.
        text: String,
        /// The TeX source inside math mode.
        tex: String,
    },
    /// An exact value.
    Value(Cow<'a, Scalar>),
    /// A value among many of its kind. In a paper, its fraction stays on the line.
    Entry(Cow<'a, Scalar>),
    /// `[1, 2]`.
    List(&'a [Report]),
    /// `(1, 2)`.
    Tuple(&'a [Report]),
    /// `{ ties: marker }`.
    Rules(&'a [FieldValue]),
    /// An answer inside another one.
    Answer(&'a Report),
    /// Preformatted lines in a font of fixed width.
    Fixed(String),
}

impl<'a> Cell<'a> {
    /// Creates a cell of words.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// Creates a cell of words from something that can be displayed.
    pub fn words(words: impl Display) -> Self {
        Self::Text(words.to_string().into())
    }

    /// Creates a cell for an expression of the language.
    pub fn expression(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Expression(text.into())
    }

    /// Creates a cell for a value.
    pub fn value(value: &'a Scalar) -> Self {
        Self::Value(Cow::Borrowed(value))
    }

    /// Creates a cell for a rational.
    pub fn rational(value: &BigRational) -> Self {
        Self::Value(Cow::Owned(Scalar::Rational(value.clone())))
    }

    /// Creates a cell for a value among many.
    pub fn entry(value: &'a Scalar) -> Self {
        Self::Entry(Cow::Borrowed(value))
    }
}

/// Rows of cells below a head.
pub struct Grid<'a> {
    /// The columns.
    pub columns: Vec<Column<'a>>,
    /// The number of rows below the head.
    pub rows: usize,
    /// The relation of the columns to each other.
    pub runs: ColumnFlow,
    cell: Box<dyn Fn(usize, usize) -> Cell<'a> + 'a>,
}

/// A column of a [`Grid`].
#[derive(Debug, Clone)]
pub struct Column<'a> {
    /// The head of the column.
    pub head: Cell<'a>,
    /// The alignment of its cells in print.
    pub align: Align,
}

/// The alignment of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// The alignment of words.
    Left,
    /// The alignment of numbers.
    Right,
}

/// The relation of the columns of a [`Grid`] to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnFlow {
    /// Each column has a meaning of its own: a row is an object with its properties.
    Down,
    /// The first column names the rows, and the others are the values of a parameter. If a line is
    /// full, they continue below.
    Across,
}

/// The number of columns of values side by side, as in the papers' tables.
pub const BLOCK: usize = 12;

impl<'a> Grid<'a> {
    /// Creates a grid with this many rows. `cell` returns the cell in a row and a column.
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

    /// Returns the grid with the columns after the first as the values of a parameter.
    pub fn across(self) -> Self {
        Self {
            runs: ColumnFlow::Across,
            ..self
        }
    }

    /// Returns the cell in a column, in the head or in a row.
    pub fn at(&self, row: Option<usize>, column: usize) -> Cell<'a> {
        row.map_or_else(
            || self.columns[column].head.clone(),
            |row| (self.cell)(row, column),
        )
    }

    /// Groups the columns that stand side by side: all of them, or the names of the rows and
    /// [`BLOCK`] values at a time.
    pub fn parts(&self) -> Vec<Vec<usize>> {
        let values: Vec<usize> = (1..self.columns.len()).collect();
        match self.runs {
            ColumnFlow::Down => vec![(0..self.columns.len()).collect()],
            // `chunks` yields nothing here, but the names of the rows are still shown.
            ColumnFlow::Across if values.is_empty() => vec![vec![0]],
            ColumnFlow::Across => values
                .chunks(BLOCK)
                .map(|part| [&[0], part].concat())
                .collect(),
        }
    }
}

impl<'a> Column<'a> {
    /// Creates a column of words.
    pub fn left(head: Cell<'a>) -> Self {
        Self {
            head,
            align: Align::Left,
        }
    }

    /// Creates a column of numbers.
    pub fn right(head: Cell<'a>) -> Self {
        Self {
            head,
            align: Align::Right,
        }
    }
}

/// Names with their values.
pub struct Facts<'a> {
    /// The subject, if there is a title.
    pub title: Option<Line<'a>>,
    /// The facts: each is a name and the cells after it.
    pub rows: Vec<Line<'a>>,
}

impl Report {
    /// Returns the cell for the report. Values have cells of their own, other answers are written
    /// out.
    pub fn cell(&self) -> Cell<'_> {
        match self {
            Self::Scalar(scalar) => Cell::value(scalar),
            Self::List(items) => Cell::List(items),
            Self::Tuple(items) => Cell::Tuple(items),
            Self::Rules(fields) => Cell::Rules(fields),
            answer => Cell::Answer(answer),
        }
    }

    /// Divides the report into blocks.
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
            Self::Drawing(drawing) => vec![drawing.block(medium)],
            Self::Plot(plot) => vec![plot.block(medium)],
            Self::Heat(heat) => vec![heat.block(medium)],
            Self::Pivotal(board) => board.blocks(medium),
            Self::Sequence(both) => both.answer.blocks(medium),
        }
    }

    /// Returns the picture among its blocks.
    pub fn picture(&self) -> Option<Picture<'_>> {
        self.blocks(Medium::Page)
            .into_iter()
            // Of all media, only a page shows every picture.
            .find_map(|block| match block {
                Block::Picture(picture) => Some(picture),
                Block::Lines(_) | Block::Grid(_) | Block::Facts(_) => None,
            })
    }

    /// Returns the block of a value: a line, but in a spreadsheet a row for each item of a list and
    /// for each field of rules.
    fn value(&self, medium: Medium) -> Block<'_> {
        match self {
            Self::List(items) if medium == Medium::Sheet => items.sheet().unwrap_or_else(|| {
                Block::Lines(LazyLines::new(items.len(), |place| items[place].parts()))
            }),
            Self::Rules(fields) if medium == Medium::Sheet => {
                Block::Lines(LazyLines::new(fields.len(), |place| {
                    let (field, value) = fields[place].words();
                    vec![Cell::text(field), Cell::text(value)]
                }))
            }
            _ if medium == Medium::Sheet => Block::line(self.parts()),
            _ => Block::line([self.cell()]),
        }
    }

    /// Returns the cells of a row: the parts of a tuple or list, else the whole value.
    fn parts(&self) -> Line<'_> {
        match self {
            Self::List(items) => items.iter().map(Self::cell).collect(),
            Self::Tuple(items) => items.iter().map(Self::cell).collect(),
            whole => vec![whole.cell()],
        }
    }

    /// Returns the number of cells of a row.
    pub(super) fn count_parts(&self) -> usize {
        match self {
            Self::List(items) => items.len(),
            Self::Tuple(items) => items.len(),
            _ => 1,
        }
    }

    /// Returns a cell of a row.
    pub(super) fn part(&self, place: usize) -> Option<Cell<'_>> {
        match self {
            Self::List(items) => items.get(place).map(Self::cell),
            Self::Tuple(items) => items.get(place).map(Self::cell),
            whole => (place == 0).then(|| whole.cell()),
        }
    }
}

fn record(facts: &[(String, Report)]) -> Block<'_> {
    let rows = facts
        .iter()
        .map(|(name, fact)| vec![Cell::text(name), fact.cell()])
        .collect();
    Block::Facts(vec![Facts { title: None, rows }])
}
