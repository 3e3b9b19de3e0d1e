" Game descriptions: .kif is the prefix syntax, .gdl the infix one.
autocmd BufRead,BufNewFile *.kif setfiletype gdlkif
autocmd BufRead,BufNewFile *.gdl setfiletype gdlinfix
