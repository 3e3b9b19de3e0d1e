" Tries the files beside it: vim -es -u check.vim WRONG.kif, where WRONG.kif has `opne` for `open`.
set nocompatible
let &runtimepath = expand('<sfile>:p:h') . ',' . &runtimepath
filetype plugin on
syntax on

function Check()
  silent make!
  let found = getqflist()
  let colours = map(range(1, line('$')), {_, n -> synIDattr(synID(n, 5, 1), 'name')})
  let fine = &filetype ==# 'gdlkif' && len(found) == 1 && found[0].text =~# 'opne' && found[0].lnum > 1
  if fine && len(uniq(sort(colours))) > 2
    qall!
  endif
  call writefile([&filetype, string(found), string(colours)], '/dev/stderr')
  cquit!
endfunction
autocmd VimEnter * call Check()
