[
  (test_block)
  (graph_block)
  (ruleset)
  (update_block)
  (rules_literal)
  (options)
  (list)
  (arguments)
  (parentheses)
] @indent.begin

[ ")" "]" "}" ] @indent.branch @indent.end

[ (comment) (doc_comment) ] @indent.auto
