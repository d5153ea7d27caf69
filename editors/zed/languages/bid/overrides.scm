[ (comment) (doc_comment) ] @comment
(string) @string
