//! Boards on which the number of each side's cells determines whose turn it is, if it is anyone's.
//!
//! # Following up
//! Let pieces fall, let an even number of cells be empty, let it be the turn of the side that needs
//! a line, and let turns alternate until the board is full. The *leading* cells are the empty ones
//! above which there is an odd number of cells, and all empty cells of the columns with an odd
//! number of them. The other side can play so that the needy side gets no others. So if the needy
//! side has no line in its own cells and the leading ones, it never gets one, and the position is
//! worth as much as a draw.
//!
//! *Proof.* Call a column even or odd by the number of its empty cells; the number of odd columns
//! is even. If the needy side moves in an even column, the other takes the cell above. If it moves
//! in an odd column, that becomes even, and of the other columns an odd number are odd: the other
//! side moves in one of these. After both moves all columns that were even are even, and it is the
//! needy side's turn. So the other side can continue in this way until the board is full, or its
//! own line ends the game. In a column that is even now, the needy side only gets the lower one of
//! two cells, above which there is an odd number. ∎
//!
//! This is *claimeven* (Allis, *A Knowledge-Based Approach of Connect-Four*, 1988), with columns
//! for which it claims nothing.

/// The side whose turn it is at a position and after either side's move there, as numbers of sides;
/// `None` where a bid decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnOwners {
    pub here: Option<usize>,
    pub then: [Option<usize>; 2],
}

/// The side whose turn it is, by the number of cells of each side.
#[derive(Debug, Clone)]
pub struct TurnTable {
    owners: Vec<Vec<Option<usize>>>,
    /// The positions at which the lemma holds, by the side that needs a line.
    leads: [Vec<Vec<bool>>; 2],
}

impl TurnTable {
    /// Creates the table from the owners by the number of the seeker's cells and of the opponent's,
    /// on a board of `cells` cells.
    pub fn new(owners: Vec<Vec<Option<usize>>>, cells: usize) -> Self {
        let nowhere = vec![vec![false; cells + 1]; cells + 1];
        let mut turns = Self {
            owners,
            leads: [nowhere.clone(), nowhere],
        };
        // The lemma at these numbers follows from that with one more cell of each side.
        for own in (0..=cells).rev() {
            for others in (0..=cells - own)
                .rev()
                .filter(|others| (cells - own - others).is_multiple_of(2))
            {
                for needy in 0..2 {
                    let mut once = [own, others];
                    once[needy] += 1;
                    let alternates = turns.owner([own, others]) == Some(needy)
                        && turns.owner(once) == Some(1 - needy);
                    turns.leads[needy][own][others] = own + others == cells
                        || alternates && turns.lead([own + 1, others + 1], needy);
                }
            }
        }
        turns
    }

    /// Returns the side whose turn it is where the sides have these numbers of cells.
    #[inline]
    pub fn owner(&self, counts: [usize; 2]) -> Option<usize> {
        // Beyond the table the board is full, and it is nobody's turn.
        *self.owners.get(counts[0])?.get(counts[1])?
    }

    /// Returns the sides whose turn it is at these numbers of cells and after a move.
    #[inline]
    pub fn owners(&self, counts: [usize; 2]) -> TurnOwners {
        let then = [[counts[0] + 1, counts[1]], [counts[0], counts[1] + 1]]
            .map(|counts| self.owner(counts));
        TurnOwners {
            here: self.owner(counts),
            then,
        }
    }

    /// Returns whether the needy side moves at these numbers of cells, with an even number of cells
    /// empty, and turns alternate until the board is full.
    #[inline]
    pub fn lead(&self, counts: [usize; 2], needy: usize) -> bool {
        self.leads[needy]
            .get(counts[0])
            .is_some_and(|row| row.get(counts[1]) == Some(&true))
    }
}
