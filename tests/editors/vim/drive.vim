" Asks a real Vim with ALE what a person would, and writes the answers as JSON for test_vim.py to judge.
" Run as: vim -e -s -N -u CONFIG -S drive.vim, with NOTES, RECORD and RESULT in the environment.

let s:seen = {}

function! s:Await(what, Ask) abort
  for l:tries in range(200)
    let l:answer = a:Ask()
    if !empty(l:answer)
      return l:answer
    endif
    sleep 100m
  endfor
  throw 'waited in vain for ' . a:what
endfunction

function! s:Drive() abort
  execute 'edit ' . fnameescape($RECORD)
  set filetype=markdown
  ALELint
  let l:found = s:Await('diagnostics', {-> ale#engine#GetLoclist(bufnr(''))})
  let s:seen.diagnostics = map(copy(l:found), {_, it ->
  \ {'text': it.text, 'code': get(it, 'code', ''), 'line': it.lnum, 'column': it.col, 'end': get(it, 'end_col', 0)}})

  execute 'edit ' . fnameescape($NOTES)
  set filetype=markdown
  ALELint
  call search('#deploy-steps')
  normal! l
  let s:seen.definition = s:Await('the definition', function('s:Jump'))
endfunction

function! s:Jump() abort
  ALEGoToDefinition
  sleep 300m
  return expand('%:p') ==# fnamemodify($NOTES, ':p') ? '' : expand('%:p')
endfunction

try
  call s:Drive()
catch
  let s:seen.trouble = v:exception . ' at ' . v:throwpoint
endtry
call writefile([json_encode(s:seen)], $RESULT)
qall!
