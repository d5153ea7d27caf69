; What the REPL colours, by the same table of words (crates/language/src/syntax/vocabulary); editors/test.sh compares them.
; Where several patterns match, the last one counts.

(identifier) @variable
(parameters (identifier) @variable.parameter)
(game_statement name: (identifier) @type)
(rules_statement name: (identifier) @type)
(definition name: (identifier) @function parameters: (parameters))
(move_line name: (identifier) @function)
(call function: (identifier) @function.call)
(field name: (identifier) @property)
(named_argument name: (identifier) @property)

((identifier) @constant.builtin
  (#any-of? @constant.builtin "A" "B" "E" "Draw" "empty" "never" "top" "bottom" "draw" "undetermined"))

[
  "use" "let" "game" "rules" "using" "show" "check" "test"
  "if" "then" "else" "in" "for" "graph"
] @keyword

[ "and" "or" "not" "at" "after" ] @keyword.operator

; Words that begin lines.
(start_line . "start" @keyword)
(win_line . "win" @keyword)
(draw_line . "draw" @keyword)
(score_line . "score" @keyword)
(turn_line . "turn" @keyword)
(accepting_line . "accepting" @keyword)
(priority_line . "priority" @keyword)
(weight_line . "weight" @keyword)
(income_line . "income" @keyword)
(edge_line . "both" @keyword)
(file_line . [ "both" "edges" ] @keyword)
(state_line . "state" @keyword)
(move_line . "move" @keyword)
(win_rule . "win" @keyword)
(turn_rule . "turn" @keyword)
(income_rule . "income" @keyword)
(draw_rule . "draw" @keyword)
(score_rule . "score" @keyword)
(stuck_line . "stuck" @keyword)
(symmetry_line . "symmetry" @keyword)
(drop_update . "drop" @keyword)
(score_update . "score" @keyword)

(player) @keyword.player
(boolean) @keyword.boolean

[ (integer) (decimal) (chips) ] @number
(string) @string
[ (comment) (doc_comment) ] @comment

[
  "==" "!=" "≠" "<" "≤" "<=" ">" "≥" ">=" "≡" "≢" "∥" "||" ".." "∧" "/\\" "+" "-" "−" "++" "±" "+/-" "*" "×" "·" "/" "%" "^" "~"
  "=" "+=" "-=" "->" "<->" "|"
] @operator

[ "," ":" ";" ] @punctuation.delimiter
[ "(" ")" "[" "]" "{" "}" ] @punctuation.bracket

; The REPL takes the first field of rules for a word that begins a line where it is one.
((_ "{" . (field name: (identifier) @keyword))
  (#eq? @keyword "income"))
