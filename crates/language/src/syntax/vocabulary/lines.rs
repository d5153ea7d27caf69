//! Words of the lines of graphs and rulesets, and of updates. Elsewhere they may be names.

use super::Word;
use super::WordClass::{GraphLine, GraphPart, Mover, RulesetLine, RulesetPart, Update};

/// Words of the lines of `graph { … }`.
pub(super) const GRAPH: &[Word] = words! {
    "start" GraphLine: "`start x` says at which vertex the game begins. A graph has exactly one such line.",
        "R(graph { start 0; both 0 -> A, B })" => "1/2";
    "alice" GraphLine: "`alice x -> y, z` gives Alice edges from x to y and to z.",
        "R(graph { start 0; alice 0 -> A; bob 0 -> E })" => "1/4";
    "bob" GraphLine: "`bob x -> y, z` gives Bob edges from x to y and to z.",
        "R(graph { start 0; alice 0 -> E; bob 0 -> B })" => "3/4";
    "both" GraphLine: "`both x -> y, z` gives both players edges from x to y and to z.",
        "R(graph { start 0; both 0 -> A, E })" => "1/4";
    "edges" GraphLine: "`edges \"roads.csv\"` takes vertices and edges from a file: comma-separated lines below a head like `player,from,to`, node-link JSON, or a parity \
           game (`.pg`). `both edges \"game.pg\"` makes them both players', whatever the file says; with `edges \"game.pg\" turns` a vertex with edges of one \
           player alone is that player's, who moves there without a bid.",
        "R(graph { start a; edges \"games/data/roads.csv\"; win alice: d; win bob: e })" => "5/8";
    "win" GraphLine: "`win alice: x, y` marks vertices that Alice has won, `win bob: z` vertices that Bob has won.",
        "R(graph { start 0; both 0 -> x, y; win alice: x; win bob: y })" => "1/2";
    "draw" GraphLine: "`draw: x, y` marks vertices where the game ends in a draw.",
        "graph { start 0; both 0 -> x; draw: x }(4*, 4)" => "draw";
    "score" GraphLine: "`score n: x, y` marks vertices where the game ends, worth n to Alice.",
        "o(graph { start 0; both 0 -> x, y; score 3: x; score -1: y }, 4*, 4)" => "3";
    "turn" GraphLine: "`turn alice: x, y` marks vertices where Alice moves without a bid, `turn bob: z` vertices where Bob does.",
        "R(graph { start 0; turn alice: 0; alice 0 -> 1, B; both 1 -> A, B })" => "1/2";
    "accepting" GraphLine: "`accepting: x, y` marks vertices for `objective: buchi`: Alice wins if she comes to them again and again.",
        "R(graph { start 0; both 0 <-> 1; accepting: 1 }) using { objective: buchi }" => "0";
    "priority" GraphLine: "`priority n: x, y` marks vertices for `objective: parity`: Alice wins if the greatest priority that comes again and again is even.",
        "R(graph { start 0; both 0 <-> 1; priority 1: 0; priority 2: 1 }) using { objective: parity }" => "0";
    "weight" GraphLine: "`weight n: x, y` says what a visit to these vertices adds, for `objective: mean_payoff`: Alice wins if the mean per move is positive.",
        "let g = graph { start l; both l -> l, r; both r -> r, l; weight 1: l; weight 0: r }\npayoff(g, 2, 1) using { pay: poorman }" => "2/3";
    "income" GraphLine: "`income alice r: x, y` gives Alice the part r of all money before each bid at these vertices, `income bob r: z` Bob; then both have together what \
           they had before. For real-valued bidding.",
        "R(graph { start 0; alice 0 -> 1; bob 0 -> B; both 1 -> A, B; income alice 1/8: 0, 1 })" => "175/256";
    "score" GraphPart: "`alice x -> y score n` makes the move worth n to the player who makes it: n for Alice; `bob x -> y score n` is −n for her.",
        "o(graph { start 0; both 0 -> 1 score 2; score 0: 1 }, 4*, 4)" => "2";
    "weight" GraphPart: "`both x -> y weight n` says what the move adds, for `objective: mean_payoff`.",
        "let g = graph { start l; both l -> l weight 1; both l -> r; both r -> l, r }\npayoff(g, 2, 1) using { pay: poorman }" => "4/9";
    "turns" GraphPart: "`edges \"game.pg\" turns` makes each vertex with edges of one player alone that player's, who moves there without a bid.",
        "R(graph { edges \"games/data/choices.pg\" turns }) using { objective: parity }" => "0";
    "->" GraphPart: "`x -> y, z` are edges that lead one way.",
        "R(graph { start 0; both 0 -> A, B })" => "1/2";
    "<->" GraphPart: "`x <-> y` is an edge there and an edge back.",
        "R(graph { start 0; both 0 <-> 1; both 0 -> B; both 1 -> A })" => "2/3";
};

/// Words of the lines of `game NAME { … }`, of the updates in its moves, and the players there.
pub(super) const RULESET: &[Word] = words! {
    "state" RulesetLine: "`state x = E` is a variable of the position: an integer, a truth value, a player, or a list or board of them. E is its value at the start.",
        "game climb { state n = 0; move step if n < 2 { n += 1 }; win alice if n == 2 }\nR(climb)" => "0";
    "let" RulesetLine: "`let x = E` names a value that depends on the position; with parameters, a function.",
        "game climb { state n = 0; let next = n + 1; move step if n < 2 { n = next }; win alice if n == 2 }\nR(climb)" => "0";
    "move" RulesetLine: "`move NAME(x) for x in LIST if C { … }` is a move of both players for each x for which C holds; the braces hold what it changes. `move alice …` \
           and `move bob …` are moves of one player.",
        "game heap { state n = 3; move take(s) for s in 1..2 if s <= n { n -= s }; stuck loses }\nR(heap)" => "1/2";
    "win" RulesetLine: "`win alice if C` ends the game with a win for Alice where C holds. `win me if C` asks C for each player in turn as `me`.",
        "game strip { state b = grid(1, 3); move place(c) for c in cells(b) if b[c] == empty { b[c] = me }; win me if line(b, me, 2); draw if full(b) }\nR(strip)" => "5/8";
    "turn" RulesetLine: "`turn alice if C` lets Alice move without a bid where C holds. The first such line that holds decides; where the game has ended, none does.",
        "game two { state n = 0; move once { n = 2 * n + 1 }; move twice { n = 2 * n + 2 }; turn alice if n == 0; win alice if n >= 5; win bob if n >= 3 }\nR(two)" => "0";
    "income" RulesetLine: "`income alice r if C` gives Alice the part r of all money before each bid where C holds, `income bob r if C` Bob. Of several lines of a player the \
           first that holds counts.",
        "game climb { state n = 0; state lost = false; move alice up { n += 1 }; move bob down { lost = true }; win alice if n == 2; win bob if lost; \
           income alice 1/8 if true }\nR(climb)" => "175/256";
    "draw" RulesetLine: "`draw if C` ends the game with a draw where C holds.",
        "game short { state n = 0; move step { n += 1 }; draw if n == 2 }\nshort(4*, 4)" => "draw";
    "score" RulesetLine: "`score n if C` ends the game where C holds, worth n to Alice.",
        "game tally { state n = 0; move alice up { n += 1 }; move bob down { n -= 1 }; score n if abs(n) == 2 }\no(tally[6], 4*, 4)" => "0";
    "stuck" RulesetLine: "`stuck loses` says what happens to a player who must move and cannot: `loses`, `wins`, `draws`, `passes` or `score n`. Without the line the other player \
           moves, and the game is a draw if neither can.",
        "game heap { state n = 3; move take(s) for s in 1..2 if s <= n { n -= s }; stuck loses }\nR(heap)" => "1/2";
    "symmetry" RulesetLine: "`symmetry board`, `symmetry mirror(board)` and `symmetry rotate(board)` declare a symmetry of the game: \
           positions that differ only by it are one. The program checks that the game respects it.",
        "game strip { state b = grid(1, 3); move place(c) for c in cells(b) if b[c] == empty { b[c] = me }; win me if line(b, me, 2); draw if full(b); symmetry b }\nsize(strip)" => "positions  18\nmoves      26\nendings    8\ncyclic     false";
    "loses" RulesetPart: "`stuck loses`: the player who must move and cannot loses.",
        "game end { state n = 0; move alice step if n < 1 { n += 1 }; stuck loses }\nend(4*, 4)" => "alice";
    "wins" RulesetPart: "`stuck wins`: the player who must move and cannot wins.",
        "game end { state n = 0; move alice step if n < 1 { n += 1 }; stuck wins }\nend(4*, 4)" => "bob";
    "draws" RulesetPart: "`stuck draws`: the game is a draw if the player who must move cannot.",
        "game end { state n = 0; move alice step if n < 1 { n += 1 }; stuck draws }\nend(4*, 4)" => "draw";
    "passes" RulesetPart: "`stuck passes`: the player who must move and cannot passes.",
        "game end { state n = 0; move alice step if n < 2 { n += 1 }; win alice if n == 2; stuck passes }\nR(end)" => "0";
    "mirror" RulesetPart: "`symmetry mirror(board)`: positions that are mirror images, left and right exchanged, are one.",
        "game strip { state b = grid(1, 3); move place(c) for c in cells(b) if b[c] == empty { b[c] = me }; win me if line(b, me, 2); draw if full(b); symmetry mirror(b) }\nsize(strip)" => "positions  18\nmoves      26\nendings    8\ncyclic     false";
    "rotate" RulesetPart: "`symmetry rotate(board)`: positions that differ by quarter turns of a square are one; on other boards, by the half turn.",
        "game small { state b = hexgrid(2, 2); move place(c) for c in cells(b) if b[c] == empty { b[c] = me }; \
           win alice if connected(b, alice, left, right); win bob if connected(b, bob, top, bottom); symmetry rotate(b) }\nsize(small)" => "positions  43\nmoves      76\nendings    22\ncyclic     false";
    "me" Mover: "`me` is the player who moves; in `win me if C`, each player in turn.",
        "game take { state w = bob; move grab { w = me }; win me if w == me and me == alice; stuck passes }\nR(take)" => "0";
    "other" Mover: "`other` is the opponent of the player who moves.",
        "game pass { state n = 0; state last = bob; move give if n == 0 { last = other; n = 1 }; win me if n == 1 and last == me }\nR(pass)" => "1/2";
    "drop" Update: "`drop(board, column, x)` puts x on the lowest empty cell of the column.",
        "game stack { state b = grid(2, 1); move put if height(b, 0) < 2 { drop(b, 0, me) }; win me if line(b, me, 2); draw if full(b) }\nR(stack)" => "3/4";
    "score" Update: "`score n` adds n for the player who moves: plus n for Alice, minus n if Bob moves.",
        "game heap { state n = 3; move take(s) for s in 1..2 if s <= n { n -= s; score s } }\no(heap, 4*, 4)" => "1";
    "if" Update: "`if C { … } else { … }` makes the updates between the braces only where C holds, or only where it fails.",
        "game jump { state n = 0; move step if n < 3 { if n == 0 { n += 2 } else { n += 1 } }; win alice if n == 3 }\nR(jump)" => "0";
    "=" RulesetPart: "`x = E` changes a variable, and `board[c] = E` a cell of a board.",
        "game flip { state n = 0; move set { n = 1 }; win alice if n == 1 }\nR(flip)" => "0";
    "+=" RulesetPart: "`x += E` adds E to a variable.",
        "game climb { state n = 0; move step if n < 2 { n += 1 }; win alice if n == 2 }\nR(climb)" => "0";
    "-=" RulesetPart: "`x -= E` takes E from a variable.",
        "game climb { state n = 2; move step if n > 0 { n -= 1 }; win alice if n == 0 }\nR(climb)" => "0";
};
