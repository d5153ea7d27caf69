//! The structure of optimal bids (Menz, Wang & Xie, section 2): precision and length.

use num_rational::BigRational;

use super::{ExactOrCertified, FloatEnclosure, Matrix, Payoff};
use crate::diagnostic::Result;
use crate::player::Player;
use crate::rules::admit;
use crate::rules::{Purses, Rules, Solver, Tie, tie};
use crate::watch::{Context, Stop};

/// The answer to whether one more chip is strictly better in every state that a turn can lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preciseness {
    /// One more chip is strictly better in every state.
    Precise,
    /// In some state one more chip is not strictly better.
    Imprecise,
    /// The bounds do not decide it.
    Undecided,
}

/// Returns the player with the advantage, who wins ties with these purses.
///
/// # Errors
/// If the rules are not those that the theory covers.
pub fn tie_winner(rules: &Rules, purses: &Purses) -> Result<Player> {
    admit::lengths(rules)?;
    Ok(match tie(rules, purses) {
        Tie::Goes(player) => player,
        Tie::ChosenBy(_) | Tie::Coin | Tie::Nobody => unreachable!("such rules are not admitted"),
    })
}

/// Decides whether a turn is precise: α decreases strictly over the differences by which Alice
/// wins, and over those by which she loses (Remark 1).
pub fn precision(
    matrix: &ExactOrCertified<Matrix<BigRational>, Matrix<FloatEnclosure>>,
    advantage: Player,
) -> Preciseness {
    match matrix {
        ExactOrCertified::Exact(matrix) => {
            steps(matrix, advantage, |more, less| match more > less {
                true => Preciseness::Precise,
                false => Preciseness::Imprecise,
            })
        }
        ExactOrCertified::Certified(matrix) => steps(matrix, advantage, |more, less| {
            if more.low > less.high {
                Preciseness::Precise
            } else if more.high <= less.low {
                Preciseness::Imprecise
            } else {
                Preciseness::Undecided
            }
        }),
    }
}

fn steps<N: Payoff>(
    matrix: &Matrix<N>,
    advantage: Player,
    step: impl Fn(&N, &N) -> Preciseness,
) -> Preciseness {
    let diagonals = matrix
        .diagonals()
        .expect("the rules admitted have Toeplitz matrices");
    // The differences begin with Bob's greatest bid, so this is the place of difference 0.
    let tied = matrix.bids(Player::Bob) - 1;
    let first_won = match advantage {
        Player::Alice => tied,
        Player::Bob => tied + 1,
    };
    let (lost, won) = diagonals.split_at(first_won);
    let found = [lost, won]
        .into_iter()
        .flat_map(|side| side.windows(2).map(|pair| step(&pair[0], &pair[1])));
    found.fold(Preciseness::Precise, |all, one| match (all, one) {
        (Preciseness::Imprecise, _) | (_, Preciseness::Imprecise) => Preciseness::Imprecise,
        (Preciseness::Undecided, _) | (_, Preciseness::Undecided) => Preciseness::Undecided,
        (Preciseness::Precise, Preciseness::Precise) => Preciseness::Precise,
    })
}

/// Finds the least ℓ for which a player has optimal bids that are all less than ℓ. In a precise
/// game the player with the advantage has only one optimal mixed bid (Theorem 2.4), and this is its
/// length.
///
/// # Errors
/// If the work is stopped.
pub fn length(
    matrix: &Matrix<BigRational>,
    player: Player,
    context: &Context<'_>,
) -> std::result::Result<usize, Stop> {
    let value = |matrix: &Matrix<BigRational>| {
        BigRational::equilibrium(matrix, Solver::Exact, context).map(|found| found.value)
    };
    let best = value(matrix)?;
    let (mut short, mut long) = (0, matrix.bids(player));
    while long - short > 1 {
        let middle = usize::midpoint(short, long);
        // Fewer bids never help the player, so all lengths from the least one that suffices on do.
        if value(&matrix.restricted(player, middle))? == best {
            long = middle;
        } else {
            short = middle;
        }
    }
    Ok(long)
}
