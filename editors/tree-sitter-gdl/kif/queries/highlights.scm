; The patterns exclude each other, since editors differ in which of several they take.
(comment) @comment
(variable) @variable.parameter
((constant) @constant.numeric
 (#match? @constant.numeric "^-?[0-9]+$"))
((constant) @constant
 (#not-match? @constant "^-?[0-9]+$"))
(function name: (name) @type)
((atom name: (name) @keyword)
 (#match? @keyword "^(role|base|input|init|true|does|next|legal|goal|distinct|sees)$"))
((atom name: (name) @function)
 (#not-match? @function "^(role|base|input|init|true|does|next|legal|goal|distinct|sees)$"))
((atom !name) @keyword
 (#eq? @keyword "terminal"))
((atom !name) @function
 (#not-eq? @function "terminal"))
["<=" "and" "or" "not"] @keyword.operator
["(" ")"] @punctuation.bracket
