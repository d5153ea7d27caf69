//! Robin Hood bidding in programs.

use crate::support;

/// Checks that advised bids keep the promise against random ones, in exact amounts, also with all
/// the money or none.
#[test]
fn advised_bids_win() {
    let mut session = support::session();
    let program = "game ladder = graph {\n start 0\n alice 0 -> 1\n bob 0 -> 2\n both 1 -> A, 3\n alice 2 -> 3, A\n bob 2 -> B\n \
                   turn alice: 3\n alice 3 -> 1, E\n}\nlet r = { robin_hood: 1/10, bids: real }\n\
                   show R(ladder[12]) using r\n\
                   show [simulate(ladder[12], a, 1000 - a, games: 50, seed: a + 2)[0] for a in [0, 100, 300, 313, 500, 700, 900, 1000]] using r\n\
                   show [strategy(E, 0, 1)] using { robin_hood: 2/5, bids: real }\n";
    let told = support::transcript(&mut session, "program", program);
    assert!(told.contains("R(ladder[12])"), "{told}");
    insta::assert_snapshot!(told);
}
