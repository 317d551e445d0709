# SPDX-License-Identifier: GPL-3.0-or-later
#
# Hands at the keyboard: a screen that tmux keeps, and what stands on it after the keys. Editing,
# completion, lines over lines, typing ahead, pastes, Ctrl-C wherever one can be, the pager, a
# window that changes its size, history between sessions, terminals that can do little.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

command -v tmux >/dev/null || skip_all 'tmux is not installed'
has_readline=$(configured READLINE_LIBS)
pane=0 joined=
terminal() { tmux -S "$tmp/socket$pane" "$@"; }
trap 'terminal kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
mkdir "$tmp/home" "$tmp/desk"
home=$tmp/home

# ---- a screen -----------------------------------------------------------------------------

# at SETTINGS [ARGUMENT...]: a fresh cudalab in a window of 80 x 24, with those variables set.
at() {
    settings=$1
    shift
    terminal kill-server 2>/dev/null
    pane=$((pane + 1))
    # The variables are a list of words.
    # shellcheck disable=SC2086
    env -i PATH="$PATH" HOME="$home" LC_ALL=C.UTF-8 INPUTRC=/dev/null CUDA_VISIBLE_DEVICES= \
        LESSHISTFILE=- $settings \
        tmux -S "$tmp/socket$pane" -f /dev/null new-session -d -x 80 -y 24 \
        "cd '$tmp/desk'; $(printf '%s' "${settings:+env $settings }")'$CUDALAB' --device sim $*
        echo left with \$?; sleep 100" || return 1
    sees 'cudalab>'
}
keys() { terminal send-keys "$@"; }                        # by name: Enter, C-c, M-b, Up
types() { terminal send-keys -l -- "$1"; }                 # as it stands
enters() { types "$1"; keys Enter; }
screen() { terminal capture-pane -p -S -500 "$@"; }
pastes() { # pastes FILE [-p]: -p brackets it, as terminals do for who asks for it
    terminal load-buffer "$1"
    terminal paste-buffer -r ${2:-}
}

# waits COMMAND...: look at the screen, which is in $out, until the command succeeds.
waits() {
    for i in $(awk 'BEGIN { for (i = 0; i < 300; i++) print i }'); do
        screen ${joined:+-J} >"$out"
        "$@" && return 0
        sleep 0.1
    done
    return 1
}
# sees REGEX: wait until a line of the screen is like that.
sees() { waits grep -Eq -e "$1" "$out"; }
# ends_in REGEX: wait until the last line of the screen is like that.
last_is() { awk 'NF { last = $0 } END { print last }' "$out" | grep -Eq -e "$1"; }
ends_in() { waits last_is "$1"; }
# repeats REGEX: wait until two lines of the screen are like that.
twice() { test "$(grep -Ec -e "$1" "$out")" = 2; }
repeats() { # repeats REGEX NAME
    waits twice "$1"
    verdict $? "$2" "no two lines like: $1"
}
shows() { # shows REGEX NAME
    sees "$1"
    verdict $? "$2" "no line like: $1"
}

at '' || skip_all 'tmux makes no terminal here'
: >"$err"
last_run='cudalab in tmux'

# ---- editing ------------------------------------------------------------------------------

if test "$has_readline"; then
    types 'ho one two'
    keys C-a
    enters 'ec'
    shows '^one two$' 'Ctrl-A goes to the beginning'
    types 'echo three four'
    keys C-a C-e
    enters ' five'
    shows '^three four five$' 'Ctrl-E to the end'
    types 'echo six seven eight'
    keys M-b M-b C-k
    enters 'SEVEN'
    shows '^six SEVEN$' 'Alt-B over a word, Ctrl-K cuts the rest'
    types 'echo nine ten'
    keys C-w C-y C-y Enter
    shows '^nine tenten$' 'Ctrl-W cuts a word, Ctrl-Y has it again'
    types 'echo a b'
    keys C-a M-f M-d
    enters ''
    shows '^b$' 'Alt-F and Alt-D'
    types 'nosuch thing'
    keys C-u
    enters 'echo eleven'
    shows '^eleven$' 'Ctrl-U cuts the line'
    types 'echo twelve'
    keys C-w C-_
    enters ' undone'
    shows '^twelve undone$' 'Ctrl-_ undoes'
    keys Up Up Enter
    repeats '^eleven$' 'arrows go back in the history'
    keys C-r
    types 'three f'
    sees 'i-search'
    keys Enter
    repeats '^three four five$' 'Ctrl-R finds a line by a part of it'
    keys C-r
    types 'three'
    keys C-c
    enters 'echo after the search'
    shows '^after the search$' 'Ctrl-C leaves a search'
else
    skip 'built without readline' 'editing keys'
fi

# ---- completion ---------------------------------------------------------------------------

if test "$has_readline"; then
    types 'shfl'
    keys Tab
    shows 'cudalab> shfl-trace *$' 'Tab completes a command'
    keys C-u
    types 'trap --variant block-'
    keys Tab
    shows 'block-1024 +block-shared +block-shuffle' 'Tab lists what there is'
    keys C-u
    types 'set color al'
    keys Tab Enter
    types 'show color'
    keys Enter
    shows '^color +always' 'Tab completes a value'
    enters 'set color auto'
    echo 'echo sourced' >"$tmp/desk/two words.lab"
    types 'source tw'
    keys Tab Enter
    shows '^sourced$' 'a file name with a blank is quoted'
    rm "$tmp/desk/two words.lab"
else
    skip 'built without readline' 'completion'
fi

# ---- lines over lines ---------------------------------------------------------------------

if test "$has_readline"; then
    at ''
    enters 'echo thirteen \'
    shows '^       > $|^       >$' 'a backslash goes on, with a prompt of its own'
    enters 'fourteen'
    shows '^thirteen fourteen$' 'and joins the lines'
    enters 'echo "fifteen'
    shows '^      "> *$' 'an open quote too, and the prompt shows it'
    shows '^`"` is missing. Go on with the line, or press Ctrl-C.$' 'and it is said what is missing'
    enters 'sixteen"'
    shows '^fifteen sixteen$' 'what it ends on another line is one text'
    enters 'echo (1,'
    enters '2)'
    shows '^\(1, 2\)$' 'and an open parenthesis'
    enters 'launch k<<<1, 32>>(x)'
    shows 'the <<< in column 9 is not closed; >>> must end it' 'a > too few is no line that goes on'
    enters 'echo "given up'
    sees '^      "> *$'
    keys C-c
    ends_in '^cudalab> *$'
    keys Up
    ends_in '^cudalab> echo "given up'
    verdict $? 'Ctrl-C leaves what was typed in the history'
    keys C-e C-u
    enters 'echo "lost'
    keys C-c
    enters 'echo kept'
    shows '^kept$' 'Ctrl-C leaves the command'
    is "$(screen | grep -c '^lost')" 0 'which does not run'
    enters 'echo "open'
    keys C-d
    shows 'the quote " in column' 'Ctrl-D there: it says what is missing'
    enters 'echo still here'
    shows '^still here$' 'and the prompt is back'
else
    skip 'built without readline' 'lines over lines'
fi

# ---- pastes -------------------------------------------------------------------------------

at ''
seq 200 | sed 's/.*/echo line & of a paste that is long enough/' \
    >"$tmp/paste"
sed 's/^echo //' "$tmp/paste" >"$tmp/lines"
holds() { # holds FILE: until the last line is in it
    for i in $(awk 'BEGIN { for (i = 0; i < 300; i++) print i }'); do
        grep -q '^line 200 of' "$1" && cmp -s "$tmp/lines" "$1" && return 0
        sleep 0.1
    done
    diff "$tmp/lines" "$1" >"$out"
    return 1
}
enters "output $tmp/pasted"
sees '> output'
pastes "$tmp/paste"
holds "$tmp/pasted"
verdict $? '200 pasted lines run, all and in order'
if test "$has_readline"; then
    at ''
    enters "output $tmp/bracketed"
    sees '> output'
    pastes "$tmp/paste" -p
    sees 'line 200 of a paste that is long enough$'
    keys Enter
    holds "$tmp/bracketed"
    verdict $? 'and where the terminal brackets the paste'
    enters 'output'
    enters 'echo after it'
    sees '^after it$'
    is "$(tail -n 3 "$home/.local/state/cudalab/history" | tr '\n' '|')" \
        'echo line 200 of a paste that is long enough|output|echo after it|' \
        'the history has each line'
    types 'echo a'
    terminal set-buffer "$(printf '\033[200~unfinished')"
    terminal paste-buffer -r
    keys C-c
    enters 'echo after an unfinished paste'
    shows '^after an unfinished paste$' 'a paste without an end: Ctrl-C leaves it'
else
    skip 'built without readline' 'bracketed paste'
fi

# ---- typing ahead -------------------------------------------------------------------------

long='trap -n 2^30 --variant atomic' # Ctrl-C ends it each time
at ''
enters "$long"
sleep 1
enters 'echo ahead one'
enters 'echo ahead two'
keys C-c
ends_in '^cudalab> *$'
enters 'echo and now'
shows '^and now$' 'Ctrl-C in a simulation: the prompt is back'
is "$(screen | grep -c '^ahead')" 0 'and what was typed ahead is dropped'
enters 'trap -n 2^21 --variant atomic'
enters 'echo ahead three'
types 'echo ahead four'
keys Enter C-d
shows '^left with 0' 'typed ahead: lines run, and Ctrl-D ends'
is "$(screen | sed -n 's/^\(cudalab> \)*ahead/ahead/p' | tr '\n' '|')" 'ahead three|ahead four|' \
    'in order'

# ---- Ctrl-C and other signals -------------------------------------------------------------

at ''
enters 'array x i32 8 iota'
sees '8 elements' # Ctrl-C drops what is typed and not read yet
types 'nosuch line'
keys C-c
enters "$long"
sleep 1
keys C-c C-c C-c C-c C-c
enters 'print x'
shows '0 +1 +2 +3 +4 +5 +6 +7 *$' 'five times Ctrl-C: arrays are as they were'
is "$(screen | grep -c 'nosuch`')" 0 'Ctrl-C at the prompt drops the line'
keys 'C-\'
enters 'echo after the slip'
shows '^after the slip$' 'Ctrl-\ is no worse than Ctrl-C'
enters "$long"
shows '^trap: [0-9]+ % +[0-9.]+ s(, about [0-9]+ s in all)?  \(Ctrl-C stops it\)$' \
    'what takes long says how far it is'
keys C-c
ends_in '^cudalab> *$' # before, the terminal itself would show what is typed
enters 'echo it is wiped'
sees '^it is wiped$'
is "$(screen | grep -c 'Ctrl-C stops it')" 0 'and wipes that away'

# Whatever the host does for long says so too: it fills arrays, compares them with others, computes
# what a lab expects and predicts.
at ''
enters 'set threads 1; array a u8 2^28'
while read -r command; do
    enters "$command"
    shows "^${command%% *}:( [0-9]+ %)? +[0-9.]+ s(, about [0-9]+ s in all)?  \(Ctrl-C stops it\)\$" \
        "$command: says that it works"
    keys C-c
    ends_in '^cudalab> *$'
    keys C-l
done <<'END'
fill a random
fill a expr:i*i%7
compare a value:0
sum -n 2^28 --fill random --variant serial
dot -n 2^28 --variant serial
trap -n 2^28 -f sin(x)*cos(x)/x --variant serial
matmul -n 4096 --variant naive
oddeven -n 2^20 --variant bitonic
coalesce -n 2^22 --variant all
diverge -n 2^22 --variant all
END

mkdir "$tmp/bin"
printf '#!/bin/sh\nsleep 97\n' >"$tmp/bin/clang"
chmod +x "$tmp/bin/clang"
echo '__global__ void k() { }' >"$tmp/desk/k.cu"
printf '.version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n' \
    >"$tmp/desk/k.ptx"
at "PATH=$tmp/bin:$PATH"
if runs_programs; then
    enters 'set compiler clang'
    enters 'load k.cu'
    shows '^compiling k\.cu: +[0-9.]+ s  \(Ctrl-C stops it\)$' 'so does a compiler'
    keys C-c
    enters 'echo after the compiler'
    shows '^after the compiler$' 'Ctrl-C while it works'
    is "$(ps -e -o args= | grep -cx 'sleep 97')" 0 'and it is gone'
else
    skip 'this cudalab starts no compiler' 'Ctrl-C in a compiler'
fi

# A whole program that takes long: what it prints, and how far its kernel is, have lines of their
# own.
printf '%s\n' '#include <cstdio>' \
    '__global__ void spin(int *x) { for (int i = 0; i < 40000; i++) atomicAdd(x, *x + i); }' \
    'int main() { int *x; cudaMalloc(&x, 4); cudaMemset(x, 0, 4); puts("it begins"); fflush(stdout);' \
    'spin<<<4096, 256>>>(x); cudaDeviceSynchronize(); cudaFree(x); }' >"$tmp/desk/slow.cu"
at ''
if runs_programs && test "$BUILD_KIND" = plain &&
    { nvcc --version || clang --version; } >/dev/null 2>&1; then
    enters 'run slow.cu'
    shows '^slow\.cu: +[0-9]+ % +[0-9.]+ s  \(Ctrl-C stops it\)$' 'a whole program says how far it is'
    shows '^it begins *$' 'below what it has printed'
    keys C-c
    shows '^stopped$' 'and Ctrl-C stops it'
else
    skip 'no whole program can be run here' 'Ctrl-C in a whole program'
fi
enters 'watch k.ptx'
sees '1 kernel'
keys C-c
enters 'echo after watching'
shows '^after watching$' 'Ctrl-C while a file is watched'

if runs_programs && command -v less >/dev/null; then
    at 'PAGER=less'
    enters 'help'
    shows '^:$|\(END\)' 'a long text goes to the pager'
    keys C-c C-c C-c C-c
    sleep 0.3 # Ctrl-C would drop the q that is on its way
    keys q
    enters 'echo after the pager'
    shows '^after the pager$' 'Ctrl-C there is the pager'"'"'s, q leaves it'
else
    skip 'there is no pager, or less is not installed' 'the pager'
fi

signals() { # signals NAME: what is left when cudalab is told so
    at ''
    enters "echo before $1"
    sees "^before $1\$"
    pid=$(terminal list-panes -F '#{pane_pid}')
    kill -s "$1" $(ps -o pid= --ppid "$pid")
}
if ps -o pid= --ppid $$ >/dev/null 2>&1; then
    signals TERM
    shows '^left with 143' 'SIGTERM ends it'
    test ! "$has_readline" || is "$(tail -n 1 "$home/.local/state/cudalab/history")" \
        'echo before TERM' 'and the history is kept'
    signals HUP
    shows '^left with 129' 'so does SIGHUP'
else
    skip 'ps does not list children' 'SIGTERM and SIGHUP'
fi

if command -v bash >/dev/null && test "$has_readline"; then
    terminal kill-server 2>/dev/null
    pane=$((pane + 1))
    env -i PATH="$PATH" HOME="$home" LC_ALL=C.UTF-8 INPUTRC=/dev/null CUDA_VISIBLE_DEVICES= \
        tmux -S "$tmp/socket$pane" -f /dev/null new-session -d -x 80 -y 24 bash --norc -i
    enters "'$CUDALAB' --device sim"
    sees 'cudalab>'
    types 'echo one li'
    ends_in '^cudalab> echo one li$' # Ctrl-Z drops what is not read yet
    keys C-z
    sees 'Stopped'
    enters 'echo $((20 + 3)) and bash'
    shows '^23 and bash$' 'Ctrl-Z: the shell has its terminal as it was'
    enters 'fg'
    ends_in '^cudalab> echo one li$'
    enters 'ne'
    shows '^one line$' 'and fg finds the line that was begun'
else
    skip 'no bash, or no readline' 'Ctrl-Z and fg'
fi

# ---- windows ------------------------------------------------------------------------------

widest() { screen | awk '{ if (length($0) > most) most = length($0) } END { print most }'; }
at 'PAGER=cat'
terminal resize-window -x 50 -y 24
enters 'help trap'
sees '^cudalab> help trap'
ends_in '^cudalab> *$'
is "$(widest | awk '{ print ($1 <= 50 && $1 > 40 ? "fits" : $1) }')" fits \
    'a window made narrower: the next output fits it'
terminal resize-window -x 100 -y 24
types 'echo one line that is longer than fifty columns of a window'
terminal resize-window -x 60 -y 24
sleep 0.3
keys Enter
shows '^one line that is longer than fifty columns of a window$' 'resized while a line is typed'
terminal resize-window -x 40 -y 24
sleep 0.3
enters 'echo forty columns are enough for a long line too, if need be'
joined=yes
shows '^forty columns are enough for a long line too, if need be' 'forty columns'
joined=
at 'TERM=dumb PAGER=false'
enters 'trap -n 1000; show seed'
shows '^seed +1' 'a dumb terminal'

# ---- history and inputrc ------------------------------------------------------------------

if test "$has_readline"; then
    at ''
    enters 'echo from the first session'
    sees '^from the first session'
    keys C-d
    sees '^left with 0'
    at ''
    keys Up
    shows 'cudalab> echo from the first session' 'history goes from one session to the next'
    at "CUDALAB_HISTORY=$tmp/mine"
    enters 'echo elsewhere'
    sees '^elsewhere'
    is "$(cat "$tmp/mine")" 'echo elsewhere' 'CUDALAB_HISTORY names its file'
    at "XDG_STATE_HOME=$tmp/state"
    enters 'echo by XDG'
    sees '^by XDG'
    is "$(cat "$tmp/state/cudalab/history")" 'echo by XDG' 'XDG_STATE_HOME says where it lies'
    printf '$if cudalab\n"\\C-xe": "echo from inputrc"\nset editing-mode vi\n$endif\n' \
        >"$tmp/inputrc"
    at "INPUTRC=$tmp/inputrc"
    types 'echo vi xx'
    keys Escape
    sleep 0.7
    keys h x
    keys x
    enters ''
    sees '^vi'
    shows '^vi *$' 'inputrc: $if cudalab, and editing as in vi'
    types 'echo x'
    printf '\300\200' >"$tmp/no-characters"
    pastes "$tmp/no-characters"
    keys Escape
    sleep 0.7
    keys 0
    keys e e e w w w E W
    keys C-c
    enters 'echo and goes on'
    sees '^and goes on'
    shows '^and goes on$' 'words as in vi, in a line that ends in what is no UTF-8'
else
    skip 'built without readline' 'history and inputrc'
fi

done_testing
