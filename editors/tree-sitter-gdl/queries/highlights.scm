(comment) @comment
(variable) @variable
(constant) @constant
(atom name: (name) @function)
(function name: (name) @type)
["<=" "and" "or" "not"] @keyword.operator
((atom name: (name) @keyword)
 (#match? @keyword "^(role|base|input|init|true|does|next|legal|goal|terminal|distinct|sees)$"))
