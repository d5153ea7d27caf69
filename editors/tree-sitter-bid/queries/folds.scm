[
  (test_block)
  (graph_block)
  (ruleset)
  (update_block)
  (rules_literal)
  (options)
  (list)
] @fold
