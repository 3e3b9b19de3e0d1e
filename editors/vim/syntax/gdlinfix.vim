" Game descriptions in infix syntax.
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax keyword gdlWord role base input init true does next legal goal terminal distinct sees
syntax keyword gdlConnective and or not
syntax match gdlConnective /:-\|[&|~]\|\\=/
syntax match gdlVariable /\<[A-Z_]\w*\>/
syntax match gdlNumber /\<\d\+\>/
syntax match gdlQuoted /'[^']*'/
syntax match gdlComment /%.*$/
highlight default link gdlWord Keyword
highlight default link gdlConnective Operator
highlight default link gdlVariable Identifier
highlight default link gdlNumber Number
highlight default link gdlQuoted String
highlight default link gdlComment Comment
let b:current_syntax = "gdlinfix"
