//! Graphs that come as lists: from files of edges, and from other programs.

use std::path::Path;

use super::evaluator::Evaluator;
use super::graph::Builder;
use crate::diagnostic::{Code, Diagnostic, Result};
use crate::files;
use crate::game::{Head, Marks};
use crate::interchange::{self, EXTENSIONS, EdgeList, Flaw, ListedVertex};
use crate::player::{Ending, PerPlayer, Player};
use crate::source::Span;

impl Evaluator<'_> {
    /// The graph in a file: only files are read whose names say that they hold one, so that a
    /// program from elsewhere shows nobody what stands in other files of this machine.
    pub(super) fn edges_of_file(
        &mut self,
        path: &str,
        folder: &Path,
        span: Span,
    ) -> Result<EdgeList> {
        let found = files::find(&*self.world.files.0, path, folder);
        let holds_edges = |path: &Path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
        };
        let canonical = self.world.files.0.canonical(&found);
        if !holds_edges(&found) || canonical.is_ok_and(|canonical| !holds_edges(&canonical)) {
            return Err(no_edge_file(path, span));
        }
        let read = files::text(&*self.world.files.0, &found, self.watch);
        let (text, _) = read.map_err(|wrong| wrong.label(span, "named here"))?;
        match interchange::read(&found, &text) {
            Some(edges) => edges.map_err(|flaw| flawed(path, &flaw, span)),
            None => Err(no_edge_file(path, span)),
        }
    }
}

impl Builder {
    /// Adds the vertices and edges of a list; where owners are given, they have all of its edges.
    pub(super) fn take(&mut self, edges: &EdgeList, owners: &[Player], span: Span) -> Result<()> {
        let places: Vec<u32> = edges
            .vertices
            .iter()
            .map(|vertex| self.listed(vertex, span))
            .collect::<Result<_>>()?;
        if edges.is_scored {
            self.scored(span);
        }
        if edges.is_weighted {
            self.network.set_weighted();
        }
        if edges.accepts {
            self.network.set_accepts();
        }
        self.file_start = edges
            .start
            .map(|start| places[start as usize])
            .or(self.file_start);
        for edge in &edges.edges {
            let (tail, head) = (
                places[edge.from as usize],
                Head::Vertex(places[edge.to as usize]),
            );
            let listed = edge
                .owner
                .map_or(Player::BOTH.to_vec(), |owner| vec![owner]);
            self.connect(
                if owners.is_empty() { &listed } else { owners },
                tail,
                head,
                (edge.score, edge.weight),
            );
        }
        Ok(())
    }

    /// Makes vertices with edges of one player alone that player's.
    pub(super) fn take_turns(
        &mut self,
        edges: &EdgeList,
        owners: &[Player],
        span: Span,
    ) -> Result<()> {
        let mut movers = vec![PerPlayer::new(false, false); edges.vertices.len()];
        for edge in &edges.edges {
            let listed = edge
                .owner
                .map_or(Player::BOTH.to_vec(), |owner| vec![owner]);
            for owner in if owners.is_empty() { &listed } else { owners } {
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
        };
        self.mark(place, &marks, span)?;
        Ok(place)
    }
}

fn no_edge_file(path: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::new(
        Code::NoFile,
        format!("cannot read edges from {path}: its name ends in none of the known extensions"),
    )
    .label(span, "named here")
    .help("`edges` reads `.csv` (comma-separated), `.json` (node-link) and `.pg` (parity games)")
    .into()
}

fn flawed(path: &str, flaw: &Flaw, span: Span) -> Box<Diagnostic> {
    let Flaw {
        line,
        column,
        message,
    } = flaw;
    Diagnostic::new(
        Code::BadGraph,
        format!("{path}, line {line}, column {column}: {message}"),
    )
    .label(span, "read here")
    .into()
}
