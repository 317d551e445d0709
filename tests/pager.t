# SPDX-License-Identifier: GPL-3.0-or-later
#
# The pager, in a terminal that expect makes. Our own pager shows which keys to press, and a key
# that it does not know goes to the prompt. CUDALAB_PAGER and PAGER name another program. A text that
# fits the screen is not paged.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

has_terminal || skip_all 'no readline, no expect, or no terminal here'
runs_programs || skip_all 'this cudalab starts no pager'
at_home
unset PAGER
NO_COLOR=1 TERM=xterm
export NO_COLOR TERM

# pages ROWS [SETTING...] <<END: runs cudalab in a terminal with this many rows
pages() {
    high=$1
    shift
    at_terminal "stty rows $high columns 80; exec env $* '$CUDALAB' --quiet --no-init --device sim"
}

pages 24 COLUMNS=80 <<'END'
see "cudalab> "
key "help\r"
see "Space: more, Enter: a line, G: all, q: back; or type the next command"
key "q"
see "cudalab> "
key "help\r"
see "Space: more"
key "\r"
see "Space: more"
key "        "
see "cudalab> "
key "echo 'after it'\r"
see "after it\r"
see "cudalab> "
key "help\r"
see "Space: more"
key "\003"
see "cudalab> "
key "hello 2 40\r"
see "Space: more"
key "G"
see "another order of the blocks"
see "cudalab> "
key "hello 2 40\r"
see "Space: more"
key "\033\[6~"
see "Space: more"
key "echo 'typed into it'\r"
see "`explain` shows the end of it: Why and Try."
see "cudalab> echo 'typed into it'"
see "typed into it\r"
see "cudalab> "
key "hello 2 40\r"
see "Space: more"
key "v"
see "cudalab> v"
key "\177echo 'letters'\r"
see "letters\r"
key "\004"
END
status_is 0 'our own pager says what to press, and what is typed there begins the next command'

mkdir "$tmp/bin"
printf '#!/bin/sh\necho paged\nexec cat\n' >"$tmp/bin/marks"
chmod +x "$tmp/bin/marks"

say 'array x i32 200 iota; print x[0..150]'
rows=$(($(wc -l <"$out") - 1)) # of `print` alone
ok 'the text has some rows' test "$rows" -gt 10
times_paged() { grep -c '^paged' "$out"; }
shown() { # shown ROWS COMMAND TEXT: the command, and the last of what it shows
    pages "$1" "CUDALAB_PAGER='$tmp/bin/marks'" PAGER=false <<END
see "cudalab> "
key "array x i32 200 iota; $2\r"
see "$3"
key "\004"
END
}
shown $((rows + 1)) 'print x\[0..150]' ' 150'
is "$(times_paged)" 0 'what fits above the prompt is not paged'
shown "$rows" 'print x\[0..150]' ' 150'
is "$(times_paged)" 1 'one row more is, by CUDALAB_PAGER'
shown 5 'set width 400; print x\[0..150]' ' 150'
is "$(times_paged)" 1 'long lines count as the rows that they take'

pages 10 "CUDALAB_PAGER=$tmp/bin/nothere" <<'END'
see "cudalab> "
key "help warp\r"
see "cudalab> "
key "echo 'after it'\r"
see "after it\r"
key "\004"
END
ok 'a pager that is not there: the text is shown' grep -q 'warp: 32 threads' "$out"

done_testing
