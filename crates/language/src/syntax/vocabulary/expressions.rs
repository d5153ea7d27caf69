//! Words of statements and expressions, and the constants.

use super::Word;
use super::WordClass::{Constant, Expression, Player, Statement};

/// Words that begin statements.
pub(super) const STATEMENTS: &[Word] = words! {
    "let" Statement: "`let NAME = E` names a value, and `let NAME(x, y) = E` defines a function, which may call itself.",
        "let c(n) = (2^(n - 1) + 1) / 2^n\nc(4)" => "9/16";
    "game" Statement: "`game NAME = E` names a game, and `game NAME { … }` gives a game by its rules of play. Both may have parameters.",
        "game race = A^2 ∧ B^3\nR(race)" => "9/16";
    "rules" Statement: "`rules NAME { FIELD: VALUE, … }` names rules of bidding, for `using NAME`.",
        "rules family { ties: make_it_take_it }\nf(E, 0..5) using family" => "k        0    1    2    3    4    5\nf(E, k)  0    1-ε  1    2-ε  2    3-ε";
    "show" Statement: "`show E` prints E with its value. `bid test` compares what is shown with a snapshot.",
        "show R(A ∧ A^2)" => "R(A ∧ A^2) = 1/8";
    "check" Statement: "`check C` prints nothing if the condition C holds. If C fails, `check` shows both sides, and the run goes on.",
        "check R(E) == 1/2" => "";
    "test" Statement: "`test \"NAME\" { … }` groups statements. `bid test` keeps a snapshot for each group.",
        "test \"thresholds\" { check R(E) == 1/2 }" => "";
    "use" Statement: "`use \"FILE\"` brings in what a file defines. The path is relative to the file that names it; the library of games is searched last.",
        "use \"games/classics.bid\"\nR(tictactoe)" => "133/256";
    "using" Statement: "`using RULES` on a line of its own sets the rules for the rest of the file.",
        "using { ties: ladies_first }\nf(E, 0..5)" => "k        0  1  2  3  4  5\nf(E, k)  0  1  1  2  2  3";
};

/// Words that begin or join parts of expressions, truth values, and players.
pub(super) const EXPRESSIONS: &[Word] = words! {
    "let" Expression: "`let x = E in F` is the value of F, where x stands for E.",
        "let x = A^2 in R(x ∧ (x ∧ B))" => "7/16";
    "in" Expression: "`in` joins the variable of a `let` to the expression that uses it, and the variable of a `for` to its list.",
        "[x^2 for x in 1..4]" => "[1, 4, 9, 16]";
    "if" Expression: "`if C then E else F` is E where C holds, else F. In a list after `for`, `if C` keeps the elements for which C holds.",
        "[if n % 2 == 0 then n else -n for n in 1..6 if n != 3]" => "[-1, 2, 4, -5, 6]";
    "then" Expression: "`then` stands before the value of an `if` whose condition holds.",
        "if 1 < 2 then 10 else 20" => "10";
    "else" Expression: "`else` stands before the value of an `if` whose condition fails.",
        "if 2 < 1 then 10 else 20" => "20";
    "for" Expression: "`[E for x in LIST]` is the list of the values of E, with x standing for each element of LIST. Further variables \
           follow, each with a `for` of its own. The lines of graphs and the moves of rulesets are repeated by `for` in the same way.",
        "[10*x + y for x in 1..2 for y in 1..3]" => "[11, 12, 13, 21, 22, 23]";
    "graph" Expression: "`graph { … }` is a game given by its vertices and edges, a line for each kind of thing.",
        "R(graph { start 0; both 0 -> A, 1; both 1 -> 0, B })" => "1/3";
    "true" Expression: "`true` is the value of a condition that holds.",
        "1 < 2" => "true";
    "false" Expression: "`false` is the value of a condition that fails.",
        "2 < 1" => "false";
    "alice" "left" "red" Player: "Alice is the first player: thresholds and Richman values are hers. `left` and `red` are other spellings.",
        "[left == alice, (A^2)(4*, 4)]" => "[true, alice]";
    "bob" "right" "blue" Player: "Bob is the second player. `right` and `blue` are other spellings.",
        "[blue == bob, (B^2)(4*, 4)]" => "[true, bob]";
};

/// Names of predefined values.
pub(super) const CONSTANTS: &[Word] = words! {
    "A" Constant: "A is the game that Alice has won. `A^n` is the game that Alice wins by making one of the next n moves.",
        "R(A)" => "0";
    "B" Constant: "B is the game that Bob has won. `B^n` is the game that Bob wins by making one of the next n moves.",
        "R(B)" => "1";
    "E" Constant: "E is the game that the next player to move wins. It equals `A ∧ B`, `A^1` and `B^1`.",
        "E == A ∧ B" => "true";
    "Draw" Constant: "Draw is the game that nobody has won.",
        "Draw(4*, 4)" => "draw";
    "empty" Constant: "`empty` is what stands in a cell of a board that neither player has taken.",
        "grid(2, 2)[0, 0] == empty" => "true";
    "never" Constant: "`never` is what `f(G, bob: b)` and `sure` say where no number of chips suffices. It is more than any number of chips.",
        "f(B, bob: 0..2) using { pay: poorman } == [[never, never, never], [never, never, never]]" => "true";
    "top" Constant: "`top` is the first row of a board, as a side that `connected` asks about.",
        "connected(hexgrid(2, 2), alice, top, bottom)" => "false";
    "bottom" Constant: "`bottom` is the last row of a board, as a side that `connected` asks about.",
        "connected(grid(2, 2, bob), bob, top, bottom)" => "true";
    "draw" Constant: "The outcome `draw` says that each player can prevent the other's win.",
        "Draw(4*, 4) == draw" => "true";
    "undetermined" Constant: "The outcome `undetermined` says that no pure strategy forces a win for either player, nor a draw.",
        "let g = graph { start 0; alice 0 -> 1; bob 0 -> 1, Draw; alice 1 -> 0; bob 1 -> A }\ng(1*, 1) using larsson" => "undetermined";
    "left" Constant: "`left` is also the first column of a board, as a side that `connected` asks about.",
        "connected(grid(2, 2, alice), alice, left, right)" => "true";
    "right" Constant: "`right` is also the last column of a board, as a side that `connected` asks about.",
        "connected(grid(2, 2), alice, left, right)" => "false";
};
