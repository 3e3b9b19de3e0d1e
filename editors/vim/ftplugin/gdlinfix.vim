setlocal commentstring=%%\ %s comments=:% expandtab
setlocal makeprg=ludex\ check\ % errorformat=%f:%l:%c:\ %trror%m,%f:%l:%c:\ %tarning%m,%-G%.%#
