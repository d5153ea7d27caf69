//! The frozen game graph that every solver works on. It contains only ids;
//! [`Explored`](super::Explored) maps them to the positions.

use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::player::{Ending, PerPlayer, Player};
use crate::rules::Income;

/// A vertex of a [`GameGraph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Returns the vertex with this index.
    ///
    /// # Panics
    /// If the index does not fit in 32 bits; exploration stops before.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("graphs have fewer than 2^32 vertices"))
    }

    /// Returns the index, for tables with a value per vertex.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A finite coloured directed graph with a start (Develin & Payne, section 2.1), in compressed
/// sparse rows.
///
/// A vertex without an [`Ending`] has at least one edge: exploration turns positions where nobody
/// can move into draws and resolves the `stuck` rules into edges, so that solvers need not know
/// them. If only one player has edges, that player moves whoever wins the bid. If a vertex has an
/// *owner* there is no bid: the owner moves, neither chips nor the tie status change hands, and
/// only the owner has edges there. For theories in which a bid between equal outcomes changes
/// nothing the two cases are equivalent.
#[derive(Debug, Clone)]
pub struct GameGraph {
    start: NodeId,
    endings: Vec<Option<Ending>>,
    edges: PerPlayer<Adjacency>,
    /// The owners of vertices; the list ends with the last vertex that has an owner.
    owners: Vec<Option<Player>>,
    /// The income before the bid, of the vertices that have any.
    incomes: FxHashMap<NodeId, Income>,
    /// `true` if every edge leads to a greater id. This is so in games whose positions determine
    /// the number of moves made, as exploration numbers them.
    is_forward: bool,
    /// The components, found when they are first asked for.
    components: OnceLock<Components>,
}

/// The heads of the edges of one colour, for each vertex.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Adjacency {
    /// The offsets: `heads[starts[v] .. starts[v + 1]]` belong to v.
    starts: Vec<u32>,
    heads: Vec<NodeId>,
}

impl Adjacency {
    #[inline]
    fn range(&self, node: NodeId) -> Range<usize> {
        let v = node.index();
        self.starts[v] as usize..self.starts[v + 1] as usize
    }

    #[inline]
    fn of(&self, node: NodeId) -> &[NodeId] {
        &self.heads[self.range(node)]
    }
}

/// The components follow from the rest, and need not have been found in both graphs.
impl PartialEq for GameGraph {
    fn eq(&self, other: &Self) -> bool {
        self.start == other.start
            && self.endings == other.endings
            && self.edges == other.edges
            && self.owners == other.owners
            && self.incomes == other.incomes
    }
}

// Solvers call these in their inner loops, so other packages must be able to inline them.
impl GameGraph {
    /// Returns the starting position.
    pub fn start(&self) -> NodeId {
        self.start
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.endings.len()
    }

    /// Returns `true` if there are no vertices; never true of an explored game.
    pub fn is_empty(&self) -> bool {
        self.endings.is_empty()
    }

    /// Returns the number of edges of both colours.
    pub fn edge_count(&self) -> usize {
        self.edges.alice.heads.len() + self.edges.bob.heads.len()
    }

    /// Iterates over all vertices, in order of their ids.
    pub fn nodes(
        &self,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + Clone + use<> {
        (0..self.len()).map(NodeId::new)
    }

    /// Returns the ending of a vertex, if the game has ended there.
    #[inline]
    pub fn ending(&self, node: NodeId) -> Option<Ending> {
        self.endings[node.index()]
    }

    /// Returns the player who moves from a vertex without a bid, if it has an owner.
    #[inline]
    pub fn owner(&self, node: NodeId) -> Option<Player> {
        self.owners.get(node.index()).copied().flatten()
    }

    /// Returns `true` if any vertex has an owner.
    pub fn has_owners(&self) -> bool {
        !self.owners.is_empty()
    }

    /// Returns the income before the bid at a vertex, if it has any of its own.
    pub fn income(&self, node: NodeId) -> Option<&Income> {
        self.incomes.get(&node)
    }

    /// Returns `true` if any vertex has income of its own.
    pub fn has_income(&self) -> bool {
        !self.incomes.is_empty()
    }

    /// Gives a vertex with a bid its income.
    pub fn receive(&mut self, node: NodeId, income: Income) {
        if !income.is_idle() {
            self.incomes.insert(node, income);
        }
    }

    /// Returns the vertices that a player can move to from a vertex.
    #[inline]
    pub fn successors(&self, node: NodeId, player: Player) -> &[NodeId] {
        self.edges[player].of(node)
    }

    /// Returns the range of a player's edges from a vertex among all edges of that player, for
    /// tables with a value per edge.
    #[inline]
    pub fn edge_range(&self, node: NodeId, player: Player) -> Range<usize> {
        self.edges[player].range(node)
    }

    /// Iterates over the heads of all edges of a vertex: Alice's edges, then Bob's.
    pub fn all_successors(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + Clone + '_ {
        let [alice, bob] = Player::both(|player| self.successors(node, player));
        alice.iter().chain(bob).copied()
    }

    /// Returns a vertex and all vertices that can be reached from it, in order of their ids.
    pub fn reachable(&self, from: NodeId) -> Vec<NodeId> {
        let reached = self.reached(from);
        self.nodes().filter(|node| reached[node.index()]).collect()
    }

    /// Returns, for each vertex, whether it can be reached from the given one; the given one can be
    /// reached from itself.
    pub fn reached(&self, from: NodeId) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        let mut left = vec![from];
        while let Some(node) = left.pop() {
            // A vertex may be pushed several times before it is popped, and is expanded once.
            if !std::mem::replace(&mut reached[node.index()], true) {
                left.extend(
                    self.all_successors(node)
                        .filter(|head| !reached[head.index()]),
                );
            }
        }
        reached
    }

    /// Returns the conjugate: players, colours and outcomes exchanged.
    #[must_use]
    pub fn conjugate(&self) -> Self {
        Self {
            start: self.start,
            endings: self
                .endings
                .iter()
                .map(|ending| ending.map(Ending::conjugate))
                .collect(),
            edges: self.edges.clone().swapped(),
            owners: self
                .owners
                .iter()
                .map(|owner| owner.map(Player::other))
                .collect(),
            incomes: self
                .incomes
                .iter()
                .map(|(node, income)| (*node, income.swapped()))
                .collect(),
            is_forward: self.is_forward,
            components: OnceLock::new(),
        }
    }

    /// Returns `true` if there is no cycle.
    pub fn is_acyclic(&self) -> bool {
        self.is_forward || !self.components().cyclic.contains(&true)
    }

    /// Iterates over all vertices, each after every vertex it can reach, apart from cycles.
    pub fn successors_first(&self) -> impl Iterator<Item = NodeId> + '_ {
        // The numbering may be such an order itself, and finding the components can be avoided.
        let order = (!self.is_forward).then(|| self.components().order());
        let len = self.len();
        (0..len).map(move |place| match order {
            Some(order) => order[place],
            None => NodeId::new(len - 1 - place),
        })
    }

    /// Returns the graph with the same vertices, the given endings, and the moves that are kept. Only
    /// a vertex that stays as it is, apart from its moves, keeps its owner and its income.
    #[must_use]
    pub fn restricted(
        &self,
        ending: impl Fn(NodeId) -> Option<Ending>,
        keeps: impl Fn(NodeId, Player, NodeId) -> bool,
    ) -> Self {
        let mut builder = GameGraphBuilder::default();
        for node in self.nodes() {
            let ending = ending(node);
            let [alice, bob] = Player::both(|player| {
                let heads = self.successors(node, player).iter().copied();
                let kept = heads.filter(|head| ending.is_none() && keeps(node, player, *head));
                kept.collect::<Vec<_>>()
            });
            builder.push(ending, &alice, &bob);
            if alice.is_empty() && bob.is_empty() {
                continue;
            }
            if let Some(owner) = self.owner(node) {
                builder.own(node, owner);
            }
            if let Some(income) = self.income(node) {
                builder.incomes.insert(node, income.clone());
            }
        }
        builder.finish(self.start)
    }

    /// Returns an upper bound on the memory that finding the components takes, in bytes.
    pub fn bytes_of_components(&self) -> u64 {
        // Discovery time, lowest time, mark, two stacks, and the result.
        const EACH: usize =
            4 * size_of::<u32>() + 2 + size_of::<(NodeId, usize)>() + size_of::<usize>();
        (self.len() * EACH) as u64
    }

    /// Returns the strongly connected components, each after every component it can reach. They are
    /// found once.
    pub fn components(&self) -> &Components {
        self.components.get_or_init(|| Components::of(self))
    }
}

/// Builds a [`GameGraph`] row by row, in the order of the ids.
#[derive(Debug, Default)]
pub struct GameGraphBuilder {
    endings: Vec<Option<Ending>>,
    edges: PerPlayer<Adjacency>,
    owners: Vec<Option<Player>>,
    incomes: FxHashMap<NodeId, Income>,
    is_overfull: bool,
}

/// The greatest number of edges of one colour: the offsets of the rows have 32 bits.
pub const MOST_EDGES: usize = u32::MAX as usize;

impl Adjacency {
    /// Begins the next row with these heads; returns `true` if there is room for them.
    fn push(&mut self, heads: &[NodeId], most: usize) -> bool {
        let Ok(start) = u32::try_from(self.heads.len()) else {
            return false;
        };
        self.starts.push(start);
        // Offsets of 32 bits limit the edges; the caller reports the overflow at its next check.
        let has_room = heads.len() <= most.saturating_sub(self.heads.len());
        if has_room {
            self.heads.extend_from_slice(heads);
        }
        has_room
    }
}

impl GameGraphBuilder {
    /// Appends the next vertex, an ending or a position with edges, and returns its id. Heads may
    /// be pushed later. A vertex without an ending and without edges becomes a draw. Edges beyond
    /// [`MOST_EDGES`] are dropped, and [`is_overfull`](Self::is_overfull) returns `true` from then
    /// on.
    pub fn push(&mut self, ending: Option<Ending>, alice: &[NodeId], bob: &[NodeId]) -> NodeId {
        let node = NodeId::new(self.endings.len());
        let stuck = alice.is_empty() && bob.is_empty();
        self.endings.push(ending.or(stuck.then_some(Ending::Draw)));
        for (rows, heads) in [(&mut self.edges.alice, alice), (&mut self.edges.bob, bob)] {
            // Solvers rely on endings without edges.
            let heads = if ending.is_none() { heads } else { &[] };
            self.is_overfull |= !rows.push(heads, MOST_EDGES);
        }
        node
    }

    /// Makes a player the owner of a vertex that has been pushed, is no ending, and has no edges of
    /// the opponent.
    pub fn own(&mut self, node: NodeId, owner: Player) {
        let len = self.owners.len().max(node.index() + 1);
        self.owners.resize(len, None);
        self.owners[node.index()] = Some(owner);
    }

    /// Returns `true` if more edges of one colour were pushed than a graph can have; such a graph
    /// must not be finished.
    pub fn is_overfull(&self) -> bool {
        self.is_overfull
    }

    /// Returns the number of vertices so far.
    pub fn len(&self) -> usize {
        self.endings.len()
    }

    /// Returns `true` if there are no vertices yet.
    pub fn is_empty(&self) -> bool {
        self.endings.is_empty()
    }

    /// Returns the memory taken so far, in bytes.
    pub fn bytes(&self) -> usize {
        let rows = |rows: &Adjacency| {
            (rows.starts.capacity() + rows.heads.capacity()) * size_of::<NodeId>()
        };
        let vertices =
            self.endings.capacity() * size_of::<Option<Ending>>() + self.owners.capacity();
        vertices + rows(&self.edges.alice) + rows(&self.edges.bob)
    }

    /// Redirects all edges from a stand-in to a vertex.
    pub fn redirect(&mut self, stand_in: NodeId, node: NodeId) {
        for rows in [&mut self.edges.alice, &mut self.edges.bob] {
            rows.heads
                .iter_mut()
                .filter(|head| **head == stand_in)
                .for_each(|head| *head = node);
        }
    }

    /// Freezes the graph.
    ///
    /// # Panics
    /// If an edge leads to a vertex that was never pushed, or there were too many edges.
    pub fn finish(mut self, start: NodeId) -> GameGraph {
        let len = self.endings.len();
        assert!(
            !self.is_overfull,
            "there are more edges than a graph can have"
        );
        for rows in [&mut self.edges.alice, &mut self.edges.bob] {
            // An empty row adds the last offset, so that every vertex has an end of its row.
            rows.push(&[], MOST_EDGES);
            assert!(
                rows.heads.iter().all(|head| head.index() < len),
                "an edge leads out of the graph"
            );
        }
        assert!(start.index() < len, "the start is not in the graph");
        let mut graph = GameGraph {
            start,
            endings: self.endings,
            edges: self.edges,
            owners: self.owners,
            incomes: self.incomes,
            is_forward: false,
            components: OnceLock::new(),
        };
        let leads_forward = |node| graph.all_successors(node).all(|head| head > node);
        graph.is_forward = graph.nodes().all(leads_forward);
        graph
    }
}

/// The strongly connected components of a graph, each after those it can reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    /// Vertices, component by component.
    order: Vec<NodeId>,
    /// The offset of each component in `order`, and the total length.
    starts: Vec<usize>,
    /// For each component, whether it contains a cycle (more than one vertex, or a self-loop).
    cyclic: Vec<bool>,
}

impl Components {
    /// Iterates over the components, each after all that it can reach, and whether each is cyclic.
    pub fn iter(&self) -> impl Iterator<Item = (&[NodeId], bool)> {
        self.cyclic
            .iter()
            .enumerate()
            .map(|(component, &cyclic)| (self.members(component), cyclic))
    }

    /// Returns the vertices of a component, given its number in the order of [`iter`](Self::iter).
    pub fn members(&self, component: usize) -> &[NodeId] {
        &self.order[self.starts[component]..self.starts[component + 1]]
    }

    /// Returns, for each vertex, the number of its component in the order of [`iter`](Self::iter).
    pub fn numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.order.len()];
        for (number, (members, _)) in (0..).zip(self.iter()) {
            for node in members {
                numbers[node.index()] = number;
            }
        }
        numbers
    }

    /// Returns, for each vertex on a cycle, the number of its component.
    pub fn cycle_numbers(&self) -> Vec<Option<u32>> {
        let on_cycle = |number: u32| self.cyclic[number as usize].then_some(number);
        self.numbers().into_iter().map(on_cycle).collect()
    }

    /// Returns all vertices, each after every vertex it can reach outside its component: a reverse
    /// topological order if the graph is acyclic.
    pub fn order(&self) -> &[NodeId] {
        &self.order
    }

    fn of(graph: &GameGraph) -> Self {
        Tarjan::new(graph).run()
    }
}

/// Tarjan's algorithm with an explicit stack. petgraph's `tarjan_scc` recurses and overflows on a
/// path of 10^5 vertices; its `kosaraju_scc` does not, but needs the edges backwards as well, which
/// are not kept: on a random graph of 10^5 vertices it takes four times as long, 58 ms instead of
/// 15, on a path a fifth longer (`cargo bench -p bid-growth --bench richman -- components`).
struct Tarjan<'a> {
    graph: &'a GameGraph,
    /// 0 if not discovered, else the discovery time, which starts at 1.
    seen: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<NodeId>,
    time: u32,
    found: Components,
}

impl<'a> Tarjan<'a> {
    fn new(graph: &'a GameGraph) -> Self {
        let n = graph.len();
        let found = Components {
            order: Vec::with_capacity(n),
            starts: vec![0],
            cyclic: Vec::new(),
        };
        Self {
            graph,
            seen: vec![0; n],
            low: vec![0; n],
            on_stack: vec![false; n],
            stack: Vec::new(),
            time: 0,
            found,
        }
    }

    fn run(mut self) -> Components {
        for root in self.graph.nodes() {
            if self.seen[root.index()] == 0 {
                self.search(root);
            }
        }
        self.found
    }

    fn discover(&mut self, node: NodeId) {
        self.time += 1;
        self.seen[node.index()] = self.time;
        self.low[node.index()] = self.time;
        self.on_stack[node.index()] = true;
        self.stack.push(node);
    }

    fn search(&mut self, root: NodeId) {
        self.discover(root);
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let Some(head) = self.successor(node, *next) {
                *next += 1;
                if self.seen[head.index()] == 0 {
                    self.discover(head);
                    path.push((head, 0));
                // A head that has left the stack belongs to a component that is complete already.
                } else if self.on_stack[head.index()] {
                    self.low[node.index()] = self.low[node.index()].min(self.seen[head.index()]);
                }
            } else {
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    self.low[parent.index()] = self.low[parent.index()].min(self.low[node.index()]);
                }
                if self.low[node.index()] == self.seen[node.index()] {
                    self.close(node);
                }
            }
        }
    }

    fn successor(&self, node: NodeId, i: usize) -> Option<NodeId> {
        let alice = self.graph.successors(node, Player::Alice);
        alice
            .get(i)
            .or_else(|| {
                self.graph
                    .successors(node, Player::Bob)
                    .get(i - alice.len())
            })
            .copied()
    }

    fn close(&mut self, root: NodeId) {
        let before = self.found.order.len();
        loop {
            let node = self.stack.pop().expect("the root is on the stack");
            self.on_stack[node.index()] = false;
            self.found.order.push(node);
            if node == root {
                break;
            }
        }
        let many = self.found.order.len() - before > 1;
        self.found
            .cyclic
            // A single vertex is on a cycle only if it leads to itself.
            .push(many || self.graph.all_successors(root).any(|head| head == root));
        self.found.starts.push(self.found.order.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests a row with one edge fewer than there is room for, as many, and one more.
    #[test]
    fn rows_take_no_more_edges_than_there_is_room_for() {
        let head = NodeId::new(0);
        for (count, fits) in [(2, true), (3, true), (4, false)] {
            let mut rows = Adjacency::default();
            assert!(rows.push(&[head], 4));
            assert_eq!(rows.push(&vec![head; count], 4), fits, "{count}");
            assert_eq!(rows.heads.len(), if fits { 1 + count } else { 1 });
        }
    }
}
