# SPDX-License-Identifier: GPL-3.0-or-later
#
# Screens. What must hold for every screen is checked for all commands at one width, and at two more
# for a sample of the labs' commands, as tests/judge/screens.c says. Some screens are kept as well, in
# tests/screens, one file a command: at two widths, in ASCII and UTF-8, with 0, 16 and 256 colours.
# `make screens` keeps what comes out now; look at its diff before it goes in. A file has each screen
# without colours whole, in UTF-8 only where that is another, and of those with colours the lines that
# have some.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/labs.sh"

escape=$(printf '\033')
compiler=$(cat "$top_builddir/kernels/ptx/compiler" 2>/dev/null)

# terminal TERM [COLORTERM [COLORFGBG]]: what the next commands are told of the terminal
terminal() {
    TERM=$1 COLORTERM=${2-} COLORFGBG=${3-}
    export TERM COLORTERM COLORFGBG
}

# bare FILE: the file without its colours
bare() {
    sed "s/$escape\\[[0-9;]*m//g" "$1"
}

# ---- all commands --------------------------------------------------------------------------

# The commands of tests/data/labs.txt, with small sizes where a big one shows the same picture. A
# few barriers take long; what they show, the others show too.
labs_list
cut -f 3 "$tmp/rows" | sed -E '/^barrier --variant (all|toomany|gridstride)$/d
    s/ -n (2\^24|1\.7e7|1000003)/ -n 5000/
    s/^oddeven -n 100000 /oddeven -n 5000 /
    / -n /!s/^(trap|sum|dot)( |$)/\1 -n 5000 /
    / --(steps|table|calls)/!s/^throughput( |$)/throughput --steps 64 /' >"$tmp/labs"
cat >"$tmp/others" <<'END'
array x i32 200 iota; print x; print x --stats
array m f32 4x8 random:-1:1; print m; print m[1][2]
array b u8 2x2x3 iota; print b --hex; arrays
compare x value:3
trap -n 5000 --variant all --long
sum -n 5000 --variant all --long
throughput --steps 64 --long
sweep n=2^6..2^9 trap --variant all --show warp_instructions,shuffles
sweep a=-1..1:0.5 trap -n 64 --show area
sweep variant=shuffle,race trap -n 64 --show area
atomics --list --long
help
help warp
help trap
help launch
apropos warp
devices
costs
END
# all_screens NAME SETTINGS [COLOUR]: $tmp/NAME has the screens of all commands, with marks
all_screens() {
    { echo "set $2"; cat "$tmp/marked"; } >"$tmp/all.lab"
    lab --device sim:h100 --color "${3-never}" "$tmp/all.lab" </dev/null
    cp "$out" "$tmp/$1"
}

# holds WIDTH LIMIT COLOURS PLAIN: what must hold of $tmp/commands at a width; LIMIT is 0 where
# commands to try don't fit; - for a file that is not made
holds() {
    awk '{ print "echo @" NR "@"; print }' "$tmp/commands" >"$tmp/marked"
    terminal xterm-256color
    all_screens ascii "width $1; set charset ascii"
    all_screens utf8 "width $1; set charset utf8" always
    test "$4" = - || all_screens plain "width $1; set charset utf8; set plain on"
    terminal xterm
    test "$3" = - || all_screens colours "width $1; set charset ascii" always
    (cd "$tmp" && "$JUDGES/screens" "$2" commands ascii utf8 "$3" "$4") >"$tmp/verdicts"
    judged "$tmp/verdicts"
}
case $JUDGES in /*) ;; *) JUDGES=$PWD/$JUDGES ;; esac
sample 3 <"$tmp/labs" | cat - "$tmp/others" >"$tmp/some"
# How wide they are does not depend on who compiled the kernels: .ci/run tries all once.
if test -z "${KERNELS_ONLY:-}"; then
    cat "$tmp/labs" "$tmp/others" >"$tmp/commands"
    holds 60 60 - -
    cp "$tmp/some" "$tmp/commands"
    holds 40 0 - plain
    holds 132 132 colours plain
else
    cp "$tmp/some" "$tmp/commands"
    holds 60 60 - -
fi

# ---- screens that are kept ------------------------------------------------------------------

# run_all COMMAND: $tmp/screens/WIDTH-CHARSET-COLOURS for all of them, a process for each number
# of colours
run_all() {
    rm -rf "$tmp/screens"
    mkdir "$tmp/screens"
    for width in 60 80; do
        for charset in ascii utf8; do
            printf 'set width %s\nset charset %s\noutput %s/screens/%s-%s-COLOURS\n%s\noutput\n' \
                $width $charset "$tmp" $width $charset "$1"
        done
    done >"$tmp/all.lab"
    for colours in 0 16 256; do
        sed "s/-COLOURS/-$colours/" "$tmp/all.lab" >"$tmp/one.lab"
        terminal xterm
        test $colours != 256 || terminal xterm-256color
        test $colours = 0 && when=auto || when=always
        lab --device sim:h100 --color $when "$tmp/one.lab" </dev/null
    done
}

# put_screen TITLE FILE ASCII: the screen, or a word where it is as in ASCII
put_screen() {
    if cmp -s "$2" "$3"; then
        echo "==== $1: as in ASCII"
    else
        echo "==== $1"
        cat "$2"
    fi
}

# coloured FILE: its lines with colours, numbered, with \e for ESC
coloured() {
    awk '/\033/ { gsub(/\033/, "\\e"); print NR ": " $0 }' "$1"
}

# in_one COMMAND: all its screens as they are kept
in_one() {
    echo "$1"
    for width in 60 80; do
        s=$tmp/screens/$width
        echo "==== $width columns"
        cat "$s-ascii-0"
        put_screen "$width columns, UTF-8" "$s-utf8-0" "$s-ascii-0"
        for colours in 16 256; do
            coloured "$s-ascii-$colours" >"$tmp/ascii"
            coloured "$s-utf8-$colours" >"$tmp/utf8"
            echo "==== $width columns, $colours colours"
            cat "$tmp/ascii"
            put_screen "$width columns, $colours colours, UTF-8" "$tmp/utf8" "$tmp/ascii"
        done
    done
}

# differs_bare: the names of the screens that are others without their colours
differs_bare() {
    for file in "$tmp"/screens/*-16 "$tmp"/screens/*-256; do
        bare "$file" | cmp -s - "${file%-*}-0" || echo "${file##*/}"
    done
}

# screen NAME COMMAND [any]: "any" where the compiler of the kernels makes no difference
screen() {
    run_all "$2"
    is "$(ls "$tmp/screens" | wc -l | tr -d ' ')" 12 "$2: has its screens"
    is "$(differs_bare)" '' "$2: colours change nothing else"
    test "${3-}" = any && by=any || by=$compiler
    in_one "$2 (kernels by $by)" >"$out"
    last_run=$2
    : >"$err"
    if test -z "${UPDATE_GOLDEN:-}" && ! head -n 1 "$top_srcdir/tests/screens/$1.txt" |
        grep -Fq "(kernels by $by)"; then
        skip 'kept from kernels by another compiler' "$2: its screens are as they were"
        return
    fi
    same_as "screens/$1.txt" "$2: its screens are as they were"
}

screen occupancy 'occupancy --threads 256 --regs 40 --smem 9000' any
screen waves 'waves 133 512' any
screen hello 'hello 2 4' any
screen devquery 'devquery' any
screen devquery-list 'devquery --list' any
screen banks 'banks 32' any
screen banks-grid 'banks 4 --grid' any
screen shfl-trace 'shfl-trace down 1' any
screen shfl-trace-branch 'shfl-trace xor 8 --in-branch --width 16' any
screen barrier-later 'barrier --variant later'
screen sweep 'sweep n=2^6..2^14 variant=atomic,shuffle,race trap --show global_atomics'
screen trap 'trap --variant shuffle -n 65536' any
screen trap-all 'trap --variant all -n 65536'
screen trap-race 'trap --variant race'

# Nothing but what was asked for is drawn for a screen reader, and a projector has its own.
say 'set plain on; set charset utf8; trap --variant all -n 4096; banks 4; shfl-trace xor 1'
! LC_ALL=C grep -q '[^ -~]' "$out"
verdict $? 'set plain on: words only'
out_has 'Lane 0 takes its value from lane 1, 1 from 0' 'and arrows are told'
terminal xterm-256color
say 'set color always; set projector on; banks 4'
grep -q "$escape\\[1;" "$out" && ! grep -q "8;5;" "$out"
verdict $? 'a projector has bold and 16 colours'
bare "$out" | awk 'length($0) > 72 { exit 1 }'
verdict $? 'and 72 columns'

# Who asked for no colours gets none.
say 'banks 32' --color auto
! grep -q "$escape" "$out"
verdict $? 'a pipe has no escapes'
terminal xterm truecolor
FORCE_COLOR=1 CLICOLOR_FORCE=1
export FORCE_COLOR CLICOLOR_FORCE
say 'banks 32'
! grep -q "$escape" "$out"
verdict $? 'whatever the environment says'
say 'banks 32' --color always
grep -q "48;5;" "$out"
verdict $? 'COLORTERM brings 256 colours'
terminal xterm-256color '' '0;15'
say 'banks 32' --color always && cp "$out" "$tmp/light"
say 'set theme dark; banks 32' --color always && cp "$out" "$tmp/dark"
terminal xterm-256color
say 'set theme light; banks 32' --color always
ok 'COLORFGBG tells a light screen' cmp -s "$out" "$tmp/light"
say 'banks 32' --color always
ok 'dark is meant where nothing tells; set theme decides' cmp -s "$out" "$tmp/dark"
! cmp -s "$tmp/dark" "$tmp/light"
verdict $? 'and they differ'

# Colours are written in one place; src/repl reads them back, and knows the terminal's other codes.
is "$(cd "$top_srcdir" && grep -lE '\\(033|x1[bB]|e)\[' $(find src/* -mindepth 1 -name '*.c') |
    grep -v '^src/repl/' | tr '\n' ' ')" 'src/screen/paint.c ' \
    'escapes are written by src/screen/paint.c alone'

done_testing
