//! Takes in graphs that are given as lists: from files of edges, and from other programs.

use std::path::Path;
use std::rc::Rc;

use super::evaluator::Evaluator;
use super::graph::NetworkBuilder;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::files;
use crate::game::{Head, Marks};
use crate::interchange::{
    EdgeList, EdgeListError, EdgeListFormat, FORMS, Flaw, ListedEdge, ListedVertex,
};
use crate::player::{Ending, PerPlayer, Player};
use crate::source::Span;
use crate::watch::{Context, watched};

impl Evaluator<'_> {
    /// Reads the graph in a file. Only files whose names mark them as graphs are read, so that an
    /// untrusted program cannot show the content of other files of this machine.
    pub(super) fn edges_of_file(
        &mut self,
        path: &str,
        folder: &Path,
        span: Span,
    ) -> Result<EdgeList> {
        let files = Rc::clone(&self.world.files.0);
        let found = files::find(&*files, path, folder);
        let canonical = files.canonical(&found);
        // A link named like a graph may lead to a file of another kind.
        let is_other = canonical.is_ok_and(|canonical| EdgeListFormat::of(&canonical).is_none());
        let Some(form) = EdgeListFormat::of(&found).filter(|_| !is_other) else {
            return Err(no_edge_file(path, span));
        };
        let read = files
            .pieces(&found, self.context)
            .map_err(EdgeListError::Unread)
            .and_then(|pieces| form.read(pieces));
        let edges = read.map_err(|trouble| match trouble {
            EdgeListError::Flaw(flaw) => told(Code::BadGraph, path, &flaw, span),
            EdgeListError::Unread(why) => {
                files::unreadable(&found.display().to_string(), why).label(span, "named here")
            }
        })?;
        let doubts = edges.doubts.iter();
        self.warnings.extend(doubts.map(|doubt| {
            told(Code::LabelsLikeNumbers, path, doubt, span)
                .help("write such vertices in one way throughout the file")
        }));
        Ok(edges)
    }
}

impl NetworkBuilder {
    /// Adds the vertices and edges of a list. If owners are given, they own all of its edges.
    pub(super) fn take(
        &mut self,
        edges: &EdgeList,
        owners: &[Player],
        span: Span,
        context: &Context<'_>,
    ) -> Result<()> {
        let places: Vec<u32> = watched(&edges.vertices, context)
            .map(|vertex| self.listed(vertex?, span))
            .collect::<Result<_>>()?;
        if edges.is_scored {
            self.scored(span);
        }
        if edges.is_weighted {
            self.network.weighted = true;
        }
        if edges.accepts {
            self.network.accepts = true;
        }
        self.file_start = edges
            .start
            .map(|start| places[start as usize])
            .or(self.file_start);
        for edge in watched(&edges.edges, context) {
            let edge = edge?;
            let (tail, head) = (
                places[edge.from as usize],
                Head::Vertex(places[edge.to as usize]),
            );
            self.connect(owners_of(edge, owners), tail, head, edge.score, edge.weight);
        }
        Ok(())
    }

    /// Makes each vertex that has edges of one player alone a vertex at which that player moves.
    pub(super) fn take_turns(
        &mut self,
        edges: &EdgeList,
        owners: &[Player],
        span: Span,
    ) -> Result<()> {
        let mut movers = vec![PerPlayer::new(false, false); edges.vertices.len()];
        for edge in &edges.edges {
            for owner in owners_of(edge, owners) {
                movers[edge.from as usize][*owner] = true;
            }
        }
        for (vertex, movers) in edges.vertices.iter().zip(movers) {
            let owner = Player::BOTH
                .into_iter()
                .find(|player| movers[*player] && !movers[player.other()]);
            let place = self.named(&vertex.name, span);
            self.mark(
                place,
                &Marks {
                    owner,
                    ..Marks::default()
                },
                span,
            )?;
        }
        Ok(())
    }

    fn listed(&mut self, vertex: &ListedVertex, span: Span) -> Result<u32> {
        let place = self.named(&vertex.name, span);
        if let Some((ending, score)) = vertex.ending {
            if let Ending::Win(_) = ending {
                self.won(span);
            }
            self.end(place, ending, score, span)?;
        }
        let (accepting, priority, weight) = (vertex.is_accepting, vertex.priority, vertex.weight);
        let marks = Marks {
            owner: vertex.turn,
            accepting,
            priority,
            weight,
            income: vertex.income,
        };
        self.mark(place, &marks, span)?;
        Ok(place)
    }
}

/// Returns the owners of an edge: those that the program names, or else the one that the file
/// names.
fn owners_of<'o>(edge: &ListedEdge, owners: &'o [Player]) -> &'o [Player] {
    match edge.owner {
        // The program's line is nearer to the reader than the file, so it prevails.
        _ if !owners.is_empty() => owners,
        Some(Player::Alice) => &[Player::Alice],
        Some(Player::Bob) => &[Player::Bob],
        None => &Player::BOTH,
    }
}

fn no_edge_file(path: &str, span: Span) -> Box<Diagnostic> {
    let known = FORMS.map(|(extension, _, what)| format!("`.{extension}` ({what})"));
    Diagnostic::new(
        Code::NoFile,
        format!("cannot read edges from {path}: its name ends in none of the known extensions"),
    )
    .label(span, "named here")
    .help(format!("`edges` reads {}", known.join(", ")))
    .into()
}

/// Makes the diagnostic of a flaw at a place in a file.
fn told(code: Code, path: &str, flaw: &Flaw, span: Span) -> Diagnostic {
    let Flaw {
        line,
        column,
        message,
    } = flaw;
    Diagnostic::new(
        code,
        format!("{path}, line {line}, column {column}: {message}"),
    )
    .label(span, "read here")
}
