//! The operators, both words and signs. Their precedence is in [`super::super::operators`].

use super::Word;
use super::WordClass::Operator;

/// The operators.
pub(super) const OPERATORS: &[Word] = words! {
    "and" Operator: "`C and D` holds if both conditions hold.",
        "1 < 2 and 2 < 3" => "true";
    "or" Operator: "`C or D` holds if one of the conditions holds, or both.",
        "1 == 2 or 2 == 2" => "true";
    "not" Operator: "`not C` holds if C fails.",
        "not 1 == 2" => "true";
    "in" Operator: "`x in LIST` holds if x is an element of the list.",
        "3 in [1, 2, 3]" => "true";
    "at" Operator: "`G at POSITION` is the game from another position, written as the program prints it.",
        "use \"games/classics.bid\"\nR(tictactoe at \"AAB/.BA/...\")" => "11/16";
    "after" Operator: "`G after [PLAYER MOVE, …]` is the game after these moves.",
        "use \"games/classics.bid\"\nR(tictactoe after [alice place(1, 1)])" => "23/64";
    "using" Operator: "`E using RULES` is the value of E under other rules: a name, or `{ FIELD: VALUE, … }`.",
        "R(B^2) using { pay: poorman }" => "2/3";
    "∧" "/\\" Operator: "`G ∧ H` is the game in which the next player to move chooses the start of G or the start of H.",
        "R(A ∧ (A^2 ∧ B^3))" => "9/32";
    "~" Operator: "`~G` is G with Alice and Bob exchanged.",
        "~A^2 == B^2" => "true";
    "^" Operator: "`x^n` is a power of a number. `A^n` is the game that Alice wins by making one of the next n moves, `B^n` likewise for Bob.",
        "[2^10, R(A^3)]" => "[1024, 1/8]";
    "*" "×" "·" Operator: "`x * y` is a product. An integer with `*` directly behind it is a number of chips.",
        "3 * 4" => "12";
    "/" Operator: "`x / y` is an exact quotient.",
        "6 / 4" => "3/2";
    "%" Operator: "`x % y` is the remainder of a division; it has the sign of y.",
        "[7 % 3, -7 % 3]" => "[1, 2]";
    "+" Operator: "`x + y` is a sum of numbers. `G + H` is the disjunctive sum of games without endings: whoever moves, moves in one of them.",
        "1/2 + 1/3" => "5/6";
    "-" "−" Operator: "`x - y` is a difference, and `-x` the negative of a number.",
        "[5 - 7, -(1/2)]" => "[-2, -1/2]";
    "±" "+/-" Operator: "`x ± e` is a number between x - e and x + e. `y == x ± e` holds if y is one of those numbers, \
         and fails if it is not; if only bounds of y are known, and they do not decide, it is an error.",
        "1/3 == 0.333 ± 1e-3" => "true";
    "++" Operator: "`X ++ Y` joins two lists.",
        "[1, 2] ++ [3]" => "[1, 2, 3]";
    ".." Operator: "`a..b` is the range of the integers from a to b, both included.",
        "[n for n in 1..4]" => "[1, 2, 3, 4]";
    "==" Operator: "`x == y` holds if the values are equal. Two games are equal if they have the same threshold for every number of chips.",
        "[1/2 == 0.5, A^1 == B^1]" => "[true, true]";
    "!=" "≠" Operator: "`x != y` holds if `x == y` fails.",
        "1 != 2" => "true";
    "≡" Operator: "`G ≡ H` holds if the games have the same threshold for every number of chips.",
        "A^1 ≡ B^1" => "true";
    "≢" Operator: "`G ≢ H` holds if `G ≡ H` fails.",
        "A ≢ B" => "true";
    "<" Operator: "`x < y` compares numbers or chips. `G < H` holds if `G ≤ H` holds and `H ≤ G` fails.",
        "[3 < 3*, A^3 < E]" => "[true, true]";
    "≤" "<=" Operator: "`x ≤ y` compares numbers or chips. `G ≤ H` holds if G needs no more chips than H, whatever the total: f(G, k) ≤ f(H, k) for every k.",
        "A ∧ B^2 ≤ E" => "true";
    ">" Operator: "`x > y` is `y < x`, for numbers, chips and games.",
        "[2 > 1, B > A]" => "[true, true]";
    "≥" ">=" Operator: "`x ≥ y` is `y ≤ x`, for numbers, chips and games.",
        "[2 ≥ 2, B ≥ A]" => "[true, true]";
    "∥" "||" Operator: "`G ∥ H` holds if neither `G ≤ H` nor `H ≤ G` does.",
        "A ∥ B" => "false";
};
