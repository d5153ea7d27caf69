//! Names in the file: those of the source, changed where Coq cannot read them or another item has
//! the name.

use std::collections::HashSet;

/// The names in small letters of Coq's grammar, of the theory where the written terms use them, and of
/// constructors: in a pattern these are no variables.
const TAKEN: &str = "
    _ as at cofix else end exists exists2 fix for forall fun if in let match mod return then using
    where with by land lor lxor nat bool true false player option list grid game game_of position
    moves winner other map filter flat_map for_each some every negb whoever item replace range
    range_Z equal is_empty holds at_cell set_cell cell cells empty_cells put fall full contents
    height rows cols line hex_line connected squares_around hexagons_around distance total total_Z
    how_many length stuck conjugate opening optional loses wins draws passes left_side right_side
    top_side bottom_side empty_grid checked start graph_game fst snd inl inr critical threshold
    forces avoids by_values by_thresholds by_outcomes by_chips by_all_bids by_both at_most same me
    equally_good min max items both number natural integer times counted either a_grid a_cell
    a_player a_bool a_vertex bits_of_text bits_of_words with_chips develin_payne thresholds_check
    outcomes_ok all_hold positive advantage avoids_over avoids_turn bet_S bet_emp chain_side
    chain_step chooses conj cons did_normalization do_subrelation eq_refl ex_intro ex_intro2 exist
    exist2 existT existT2 exists_S exists_le fixed forces_turn forces_won inhabits inleft inright
    is_eq_true le_S le_n left losers_ball make_it_take_it marker mkRmorph mk_afield mk_art mk_field
    mk_linear mk_reqe mk_rsplit mk_rt mk_seqe mk_sfield mk_srt mkdiv_th mkhypo mkmorph mkpow_th
    mksign_th must_move nil nth_O nth_S or_introl or_intror pair tt wrap_int xH xI xO
";

/// The beginnings of the names of data, listings and theorems.
const OWN: [&str; 8] = [
    "data",
    "listing",
    "first_",
    "second_",
    "f_",
    "threshold_",
    "outcome_",
    "compared_",
];

/// The names that are taken.
#[derive(Debug, Clone, Default)]
pub(super) struct TakenNames {
    taken: HashSet<String>,
    fresh: usize,
}

impl TakenNames {
    /// Returns a name for a definition of the file that no other item has.
    pub fn define(&mut self, name: &str) -> String {
        let mut name = readable(name);
        while is_taken(&name) || self.taken.contains(&name) {
            name.push('_');
        }
        self.taken.insert(name.clone());
        name
    }

    /// Returns a name for a variable that differs from those in scope.
    pub fn variable<'n>(
        &self,
        name: &str,
        in_scope: impl Iterator<Item = &'n str> + Clone,
    ) -> String {
        let mut name = readable(name);
        while is_taken(&name)
            || self.taken.contains(&name)
            || in_scope.clone().any(|other| other == name)
        {
            name.push('_');
        }
        name
    }

    /// Returns a name that does not occur in the source.
    pub fn fresh(&mut self, name: &str) -> String {
        self.fresh += 1;
        // In the source, no digit can follow a prime.
        format!("{name}'{}", self.fresh)
    }
}

fn is_taken(name: &str) -> bool {
    // No name of Coq or of the theory ends in an underscore. Most names with a capital are those of
    // constructors, or of theorems.
    let is_marked = name.ends_with('_');
    let is_likely = name.starts_with(|c: char| c.is_ascii_uppercase())
        || OWN.iter().any(|own| name.starts_with(own));
    (is_likely && !is_marked) || TAKEN.split_whitespace().any(|taken| taken == name)
}

/// Converts a name to one that Coq can read: letters and digits of ASCII, others by their numbers.
fn readable(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '_' | '\'' => text.push(c),
            // A name of Coq cannot begin with a digit.
            '0'..='9' if !text.is_empty() => text.push(c),
            other => text.push_str(&format!("u{:x}", u32::from(other))),
        }
    }
    text
}
