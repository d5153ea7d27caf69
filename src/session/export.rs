//! Exports answers as files: `.txt`, `.csv`, `.json`, `.tex`, `.html`, pictures, and games for
//! other programs.

use std::path::Path;

use serde::de::IgnoredAny;

#[cfg(feature = "pictures")]
use super::raster::{pdf as page, png as pixels};
#[cfg(not(feature = "pictures"))]
use without::{page, pixels};

use super::{Callee, Query, QueryArgument, Session, SessionEvent};
use crate::diagnostic::{Code, Diagnostic};
use crate::report::{Format, Report};
use crate::scalar::Scalar;

/// The content of a file, by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileForm {
    /// The answer in one of the formats that all answers have.
    Written(Format),
    /// Its picture: `.svg`, `.png`, `.pdf`.
    Picture(Drawn),
    /// Its diagram, or the graph of a game, for Graphviz: `.dot`.
    Diagram,
    /// Random turns of a game: `.prism`.
    Prism,
    /// A turn for Gambit, whose text is the result of a query: `.nfg`, `.efg`.
    Gambit,
}

/// The form of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// As SVG.
    Svg,
    /// As pixels.
    Png,
    /// As a page.
    Pdf,
}

/// The extensions with the forms that they denote.
const FORMS: [(&str, FileForm); 12] = [
    ("txt", FileForm::Written(Format::Text)),
    ("json", FileForm::Written(Format::Json)),
    ("csv", FileForm::Written(Format::Csv)),
    ("tex", FileForm::Written(Format::Latex)),
    ("html", FileForm::Written(Format::Html)),
    ("svg", FileForm::Picture(Drawn::Svg)),
    ("png", FileForm::Picture(Drawn::Png)),
    ("pdf", FileForm::Picture(Drawn::Pdf)),
    ("dot", FileForm::Diagram),
    ("prism", FileForm::Prism),
    ("nfg", FileForm::Gambit),
    ("efg", FileForm::Gambit),
];

impl FileForm {
    /// Returns `true` if a text is already what a file of this form contains, as that of `svg(G)`,
    /// `latex(f(G, k))` or `node_link(G)` is. Of texts in JSON only collections are meant as such, and
    /// of spreadsheets only those of several lines.
    fn is_form_of(self, text: &str) -> bool {
        match self {
            Self::Written(Format::Json) => {
                text.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
            }
            Self::Written(Format::Csv) => text.contains('\n'),
            Self::Written(Format::Latex) => text.starts_with(['$', '\\', '%']),
            Self::Written(Format::Html) => text.starts_with('<'),
            Self::Written(Format::Text) => false,
            Self::Picture(_) | Self::Diagram | Self::Prism | Self::Gambit => true,
        }
    }

    /// Returns the known extensions.
    pub fn extensions() -> impl Iterator<Item = &'static str> {
        FORMS.iter().map(|(extension, _)| *extension)
    }

    /// Returns the form of a file with this name.
    ///
    /// # Errors
    /// Returns an error if its extension is unknown.
    pub fn of(path: &Path) -> Result<Self, Diagnostic> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let known = FORMS
            .iter()
            .find(|(known, _)| Some(*known) == extension)
            .map(|(_, form)| *form);
        known.ok_or_else(|| {
            let names: Vec<String> = FORMS.iter().map(|(name, _)| format!(".{name}")).collect();
            let message = format!(
                "cannot write {}: its extension does not say in which form",
                path.display()
            );
            Diagnostic::new(Code::CommandLine, message)
                .help(format!("name it {}", names.join(", ")))
        })
    }
}

impl Session {
    /// Returns an answer as the contents of a file of this form. A text that is such a file is
    /// written unchanged, except that the text of a picture is drawn.
    ///
    /// # Errors
    /// Returns errors if the answer has no such form, or the work is stopped.
    pub fn exported(&mut self, value: &Report, form: FileForm) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let text = self.text_of_file(value, form)?;
        let context = &self.guard.context();
        match form {
            FileForm::Picture(Drawn::Png) => pixels(&text, context).map_err(|wrong| vec![wrong]),
            FileForm::Picture(Drawn::Pdf) => page(&text, context).map_err(|wrong| vec![wrong]),
            FileForm::Picture(Drawn::Svg)
            | FileForm::Written(_)
            | FileForm::Diagram
            | FileForm::Prism
            | FileForm::Gambit => Ok((text + "\n").into_bytes()),
        }
    }

    /// Returns the text of a file; of pixels and pages, the picture as SVG.
    fn text_of_file(&mut self, value: &Report, form: FileForm) -> Result<String, Vec<Diagnostic>> {
        if let Report::Scalar(Scalar::String(text)) = value
            && form.is_form_of(text)
        {
            return Ok(text.clone());
        }
        let is_game = matches!(value, Report::Scalar(Scalar::Game(_)));
        let found = match form {
            FileForm::Written(format) => value.render(format, &self.guard.context()).map(Some),
            FileForm::Picture(_) if is_game => return self.asked("svg", value),
            FileForm::Picture(_) => match value.picture() {
                Some(picture) => {
                    return picture
                        .svg(&self.guard.context())
                        .map_err(|undrawn| vec![*Box::from(undrawn)]);
                }
                None => Ok(None),
            },
            FileForm::Diagram if is_game => return self.asked("dot", value),
            FileForm::Diagram => Ok(value
                .picture()
                .and_then(|picture| picture.diagram())
                .map(|diagram| diagram.dot())),
            FileForm::Prism if is_game => return self.asked("prism", value),
            FileForm::Prism | FileForm::Gambit => Ok(None),
        };
        match found {
            Ok(Some(text)) => Ok(text),
            Ok(None) => Err(vec![nothing(form)]),
            Err(stop) => Err(vec![stop.into()]),
        }
    }

    /// Returns the text that a builtin computes for a game.
    fn asked(&mut self, builtin: &str, game: &Report) -> Result<String, Vec<Diagnostic>> {
        let arguments = vec![QueryArgument::Value(game.clone())];
        let query = Query {
            // The builtin is asked even if the session uses its name for something else.
            callee: Callee::Builtin(builtin.to_owned()),
            arguments,
            named: Vec::new(),
        };
        let (mut text, mut wrong) = (String::new(), Vec::new());
        self.query(&query, &mut |_, event| match event {
            SessionEvent::Value(Report::Scalar(Scalar::String(found))) => text = found,
            SessionEvent::Diagnostic(diagnostic) => wrong.push(diagnostic),
            _ => {}
        });
        if wrong.is_empty() {
            Ok(text)
        } else {
            Err(wrong)
        }
    }
}

/// The answers of a program without the crates that draw pixels and pages.
#[cfg(not(feature = "pictures"))]
mod without {
    use crate::diagnostic::{Code, Diagnostic};
    use crate::watch::Context;

    pub fn pixels(_: &str, _: &Context<'_>) -> Result<Vec<u8>, Diagnostic> {
        Err(not_built(".png"))
    }

    pub fn page(_: &str, _: &Context<'_>) -> Result<Vec<u8>, Diagnostic> {
        Err(not_built(".pdf"))
    }

    fn not_built(extension: &str) -> Diagnostic {
        Diagnostic::new(
            Code::NotSupported,
            format!("this program was built without {extension}"),
        )
        .help("write .svg, or build the program with `cargo install --path . --features pictures`")
    }
}

fn nothing(form: FileForm) -> Diagnostic {
    let (what, help) = match form {
        FileForm::Written(_) | FileForm::Picture(_) => (
            "this cannot be drawn",
            "pictures are made of games, plots, heat maps, trees of optimal moves, orders, optimal mixed bids and pivotal cells",
        ),
        FileForm::Diagram => (
            "this is not a diagram",
            "`.dot` takes games, `tree(G)` and `hasse(games)`",
        ),
        FileForm::Prism => (
            "this is not a game",
            "`.prism` takes games, and the text of `prism(G, p)`",
        ),
        FileForm::Gambit => (
            "this is not a turn that Gambit can read",
            "write `nfg(G, a, b)` or `efg(G, a, b)` with rules under which both pay",
        ),
    };
    Diagnostic::new(Code::NotSupported, what).help(help)
}
