" Game descriptions in prefix syntax (KIF).
if exists("b:current_syntax")
  finish
endif
syntax case ignore
setlocal iskeyword+=-,<,=,?
syntax keyword gdlWord role base input init true does next legal goal terminal distinct sees
syntax keyword gdlConnective and or not <=
syntax match gdlVariable /?[^ \t();]\+/
syntax match gdlNumber /\v(^|[ \t(])@<=\d+\ze([ \t)]|$)/
syntax match gdlComment /;.*$/
highlight default link gdlWord Keyword
highlight default link gdlConnective Operator
highlight default link gdlVariable Identifier
highlight default link gdlNumber Number
highlight default link gdlComment Comment
let b:current_syntax = "gdlkif"
