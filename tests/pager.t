# SPDX-License-Identifier: GPL-3.0-or-later
#
# The pager, in a terminal that expect makes. less shows which keys to press, starts no shell, and
# ends at the end of the text. A text that fits the screen is not paged.
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

if command -v less >/dev/null; then
    pages 24 LESS=-M <<'END'
see "cudalab> "
key "help\r"
see "Space: more, q: back"
key "!"
see "Command not available"
key "\r"
see "Space: more, q: back"
key "q"
see "cudalab> "
key "help\r"
see "Space: more, q: back"
key "    "
see "cudalab> "
key "echo 'after it'\r"
see "after it\r"
key "\004"
END
    status_is 0 'less says what to press, starts no shell, and ends at the end of the text'
else
    skip 'less is not installed' 'less says what to press'
fi

mkdir "$tmp/bin"
printf '#!/bin/sh\necho paged\nexec cat\n' >"$tmp/bin/marks"
printf '#!/bin/sh\necho what is -E\nexit 1\n' >"$tmp/bin/less"
chmod +x "$tmp/bin/marks" "$tmp/bin/less"

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

pages 10 "PATH='$tmp/bin:$PATH'" <<'END'
see "cudalab> "
key "help warp\r"
see "cudalab> "
key "echo 'after it'\r"
see "after it\r"
key "\004"
END
ok 'a less that knows no such options: the text is shown' grep -q '^warp: ' "$out"

done_testing
