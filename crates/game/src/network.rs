//! Explicit graphs as users write them (the heading "Graphs" in the page of the language): named
//! vertices, endings, and edges of each player.

use std::hash::{BuildHasher, Hash, Hasher};

use borsh::{BorshDeserialize, BorshSerialize};
use hashbrown::HashTable;
use num_traits::Zero;
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;

use super::Score;
use crate::player::{Ending, GameId, PerPlayer, Player};

/// The head of an edge.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize,
)]
pub enum Head {
    /// Another vertex of the same network.
    Vertex(u32),
    /// The start of another game.
    Game(GameId),
}

/// An edge of a network.
#[derive(Debug, Clone, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub struct Edge {
    /// The vertex or the game that it leads to.
    pub head: Head,
    /// The amounts that it adds, kept apart as most graphs have none; `None` if both are 0.
    amounts: Option<Box<Amounts>>,
}

/// The amounts that an edge adds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
struct Amounts {
    #[borsh(
        serialize_with = "crate::codec::write_narrow",
        deserialize_with = "crate::codec::read_narrow"
    )]
    score: Score,
    #[borsh(
        serialize_with = "crate::codec::write_narrow",
        deserialize_with = "crate::codec::read_narrow"
    )]
    load: Score,
}

impl Edge {
    /// Creates an edge with the amounts that it adds to the score, positive for Alice, and to the
    /// mean payoff besides the weight of its tail.
    pub fn new(head: Head, score: Score, load: Score) -> Self {
        let amounts = Amounts { score, load };
        Self {
            head,
            amounts: (amounts != Amounts::default()).then(|| Box::new(amounts)),
        }
    }

    /// Returns the amount that it adds to the score, positive for Alice.
    pub fn score(&self) -> Score {
        let amounts = self.amounts.as_ref();
        amounts.map_or_else(Score::zero, |amounts| amounts.score)
    }

    /// Returns the amount that it adds to the mean payoff besides the weight of its tail.
    pub fn load(&self) -> Score {
        let amounts = self.amounts.as_ref();
        amounts.map_or_else(Score::zero, |amounts| amounts.load)
    }
}

/// A vertex of a network.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub struct Vertex {
    /// The name as it is printed and read back: `0`, `-3`, `W`, `(1, 2)`.
    pub name: String,
    /// The ending, if the game has ended here.
    pub ending: Option<Ending>,
    /// The amount that the ending adds to the score, positive for Alice; 0 for a vertex without an
    /// ending.
    #[borsh(
        serialize_with = "crate::codec::write_narrow",
        deserialize_with = "crate::codec::read_narrow"
    )]
    pub score: Score,
    /// Each player's edges, in the order written.
    pub edges: PerPlayer<Vec<Edge>>,
    /// The other properties, kept apart as most vertices have none; `None` if there are none.
    marks: Option<Box<Marks>>,
}

impl Vertex {
    /// Returns the properties of the vertex besides its edges and its ending.
    pub fn marks(&self) -> &Marks {
        const NONE: &Marks = &Marks {
            owner: None,
            accepting: false,
            priority: None,
            weight: None,
            income: PerPlayer {
                alice: None,
                bob: None,
            },
        };
        self.marks.as_deref().unwrap_or(NONE)
    }

    /// Replaces the properties of the vertex besides its edges and its ending.
    pub fn set_marks(&mut self, marks: Marks) {
        self.marks = (marks != Marks::default()).then(|| Box::new(marks));
    }

    /// Returns a player's edges that can be played: none if the opponent owns the vertex.
    pub fn playable(&self, player: Player) -> &[Edge] {
        if self.marks().owner == Some(player.other()) {
            &[]
        } else {
            &self.edges[player]
        }
    }

    /// Removes repeated edges, keeping the first of each. Edges to one vertex with other amounts are
    /// different moves.
    pub fn drop_repeated_edges(&mut self) {
        for edges in [&mut self.edges.alice, &mut self.edges.bob] {
            let mut heads: SmallVec<[Head; 8]> = edges.iter().map(|edge| edge.head).collect();
            heads.sort_unstable();
            if heads.windows(2).any(|pair| pair[0] == pair[1]) {
                let mut seen = FxHashSet::default();
                edges.retain(|edge| seen.insert(edge.clone()));
            }
        }
    }

    /// Returns `true` if a player has edges here that can never be played.
    pub fn has_unplayed_edges(&self) -> bool {
        self.marks()
            .owner
            .is_some_and(|owner| !self.edges[owner.other()].is_empty())
    }
}

/// The properties of a vertex besides its edges and its ending: its owner, the income before a bid
/// there, and the marks for infinite play.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub struct Marks {
    /// The player who moves there without a bid.
    pub owner: Option<Player>,
    /// `true` if Alice wants to visit this vertex infinitely often.
    pub accepting: bool,
    /// The vertex's priority: Alice wants the greatest priority visited infinitely often to be
    /// even.
    pub priority: Option<u32>,
    /// The amount that each move from the vertex adds, positive for Alice.
    #[borsh(
        serialize_with = "crate::codec::write_maybe_narrow",
        deserialize_with = "crate::codec::read_maybe_narrow"
    )]
    pub weight: Option<Score>,
    /// The part of all money that each player receives before a bid, where it is given.
    #[borsh(
        serialize_with = "crate::codec::write_maybe_narrow_each",
        deserialize_with = "crate::codec::read_maybe_narrow_each"
    )]
    pub income: PerPlayer<Option<Score>>,
}

impl Marks {
    /// Returns `true` if a player receives income here.
    pub fn has_income(&self) -> bool {
        let parts = [self.income.alice, self.income.bob];
        parts.into_iter().flatten().any(|part| !part.is_zero())
    }

    /// Takes over the marks of another; returns `true` if they do not contradict the ones already
    /// known.
    pub fn join(&mut self, other: &Self) -> bool {
        fn join<T: Clone + PartialEq>(known: &mut Option<T>, new: Option<&T>) -> bool {
            let agrees = known.is_none() || new.is_none() || known.as_ref() == new;
            *known = known.take().or_else(|| new.cloned());
            agrees
        }
        // There is no mark for the contrary, so two lines about a vertex cannot contradict each
        // other.
        self.accepting |= other.accepting;
        let owners = join(&mut self.owner, other.owner.as_ref());
        let priorities = join(&mut self.priority, other.priority.as_ref());
        let mut agree = join(&mut self.weight, other.weight.as_ref()) && priorities && owners;
        for player in Player::BOTH {
            agree &= join(&mut self.income[player], other.income[player].as_ref());
        }
        agree
    }
}

/// A vertex in the index of names. The hash is kept, because the names are all over the memory.
#[derive(Debug, Clone, Copy)]
struct NamedVertex {
    hash: u64,
    vertex: u32,
}

/// An explicit graph with its start.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
pub struct Network {
    /// The title that the graph prints as.
    pub title: String,
    /// The vertex where the game begins.
    pub start: u32,
    vertices: Vec<Vertex>,
    /// `true` if the graph's source mentions scores.
    pub scored: bool,
    /// `true` if the graph's source names accepting vertices.
    pub accepts: bool,
    /// `true` if the graph's source mentions weights.
    pub weighted: bool,
    /// The vertices, indexed by their names.
    #[borsh(skip)]
    by_name: HashTable<NamedVertex>,
}

impl Network {
    /// Returns everything that determines the graph's meaning; the index of names does not.
    fn content(&self) -> (&str, u32, &[Vertex], [bool; 3]) {
        (
            &self.title,
            self.start,
            &self.vertices,
            [self.scored, self.accepts, self.weighted],
        )
    }
}

impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.content() == other.content()
    }
}

impl Eq for Network {}

/// The hash is of the title, the size and the edges, in which different graphs mostly differ.
impl Hash for Network {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.title, self.start, self.vertices.len()).hash(state);
        for vertex in &self.vertices {
            vertex.ending.hash(state);
            vertex.edges.hash(state);
        }
    }
}

impl Network {
    /// Creates an empty graph with the title that it prints as, such as `tug(3)`; the title is
    /// empty if the graph has no name.
    pub fn titled(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    /// Checks a deserialised graph and rebuilds its index of names; returns `None` if it is
    /// malformed, for instance if an edge leads nowhere.
    pub(super) fn read(mut self) -> Option<Self> {
        let count = self.vertices.len();
        let is_plain = |amounts: &Amounts| *amounts == Amounts::default();
        let is_whole_edge = |edge: &Edge| {
            !matches!(edge.head, Head::Vertex(vertex) if vertex as usize >= count)
                && !edge.amounts.as_deref().is_some_and(is_plain)
        };
        let is_whole_mark = |marks: &Marks| {
            let parts = [marks.income.alice, marks.income.bob];
            *marks != Marks::default()
                && parts
                    .into_iter()
                    .flatten()
                    .all(|part| part >= Score::zero())
        };
        // The data was received from elsewhere, so everything that is relied on later is checked.
        let is_whole_vertex = |vertex: &Vertex| {
            let PerPlayer { alice, bob } = &vertex.edges;
            alice.iter().chain(bob).all(is_whole_edge)
                && vertex.marks.as_deref().is_none_or(is_whole_mark)
        };
        if self.start as usize >= count || !self.vertices.iter().all(is_whole_vertex) {
            return None;
        }
        for vertex in 0..u32::try_from(count).ok()? {
            let name = &self.vertices[vertex as usize].name;
            let hash = FxBuildHasher.hash_one(name);
            // Two vertices of one name could not be told apart when they are read back.
            if self.find_hashed(name, hash).is_some() {
                return None;
            }
            self.enter(NamedVertex { hash, vertex });
        }
        Some(self)
    }

    /// Returns `true` if no vertex is a win, and neither scores nor labels for infinite play nor
    /// other games could decide who wins.
    pub fn is_never_won(&self) -> bool {
        let leaves = |vertex: &Vertex| {
            let mut edges = Player::BOTH
                .into_iter()
                .flat_map(|player| &vertex.edges[player]);
            edges.any(|edge| matches!(edge.head, Head::Game(_)))
        };
        let decides = |vertex: &Vertex| {
            matches!(vertex.ending, Some(Ending::Win(_)))
                || vertex.marks().priority.is_some()
                // Another game may be won, so nothing is known of a graph that leads to one.
                || leaves(vertex)
        };
        !self.scored && !self.accepts && !self.weighted && !self.vertices.iter().any(decides)
    }

    /// Returns `true` if a vertex has income.
    pub fn has_income(&self) -> bool {
        self.vertices
            .iter()
            .any(|vertex| vertex.marks().has_income())
    }

    /// Returns the vertex with this name, adding it if it is new.
    pub fn vertex_named(&mut self, name: &str) -> u32 {
        let hash = FxBuildHasher.hash_one(name);
        if let Some(vertex) = self.find_hashed(name, hash) {
            return vertex;
        }
        let vertex = u32::try_from(self.vertices.len()).expect("fewer than 2^32 vertices");
        self.vertices.push(Vertex {
            name: name.to_owned(),
            ..Vertex::default()
        });
        self.enter(NamedVertex { hash, vertex });
        vertex
    }

    /// Adds a vertex to the index of names.
    fn enter(&mut self, named: NamedVertex) {
        self.by_name
            .insert_unique(named.hash, named, |named| named.hash);
    }

    /// Returns the vertex with this name, if there is one.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.find_hashed(name, FxBuildHasher.hash_one(name))
    }

    fn find_hashed(&self, name: &str, hash: u64) -> Option<u32> {
        let is_it = |named: &NamedVertex| {
            // Comparing the stored hashes first avoids reading most names.
            named.hash == hash && self.vertices[named.vertex as usize].name == name
        };
        let named = self.by_name.find(hash, is_it)?;
        Some(named.vertex)
    }

    /// Returns a vertex.
    pub fn vertex(&self, vertex: u32) -> &Vertex {
        &self.vertices[vertex as usize]
    }

    /// Returns a vertex for modification while the network is built.
    pub fn vertex_mut(&mut self, vertex: u32) -> &mut Vertex {
        &mut self.vertices[vertex as usize]
    }

    /// Removes repeated edges of every vertex, keeping the first of each.
    pub fn drop_repeated_edges(&mut self) {
        for vertex in &mut self.vertices {
            vertex.drop_repeated_edges();
        }
    }

    /// Returns all vertices in the order in which they were named.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }
}
