# SPDX-License-Identifier: GPL-3.0-or-later
#
# The screens of the labs, at four widths, with 0, 16 and 256 colours, in ASCII and UTF-8,
# against those kept under tests/screens/, one file a command. `make screens` keeps what came
# out; look at it before it goes in. A file holds each screen without colours whole, in UTF-8
# only where that is another, and of those with colours the lines that have some: without
# their colours they must be the screen that has none.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

escape=$(printf '\033')
compiler=$(cat "$top_builddir/kernels/ptx/compiler" 2>/dev/null)
mkdir "$tmp/screens"

# terminal TERM [COLORTERM [COLORFGBG]]: what the next commands are told of the terminal.
terminal() {
    TERM=$1 COLORTERM=${2-} COLORFGBG=${3-}
    export TERM COLORTERM COLORFGBG
}

# bare FILE: without its colours.
bare() {
    sed "s/$escape\\[[0-9;]*m//g" "$1"
}

# run_all COMMAND: $tmp/screens/WIDTH-CHARSET-COLOURS for all of them, a process for each
# number of colours.
run_all() {
    : >"$tmp/all.lab"
    for width in 60 72 80 132; do
        for charset in ascii utf8; do
            printf 'set width %s\nset charset %s\noutput %s/screens/%s-%s-COLOURS\n%s\noutput\n' \
                $width $charset "$tmp" $width $charset "$1" >>"$tmp/all.lab"
        done
    done
    for colours in 0 16 256; do
        sed "s/-COLOURS/-$colours/" "$tmp/all.lab" >"$tmp/one.lab"
        terminal xterm
        test $colours != 256 || terminal xterm-256color
        test $colours = 0 && when=auto || when=always
        lab --device sim:h100 --color $when "$tmp/one.lab" </dev/null
    done
}

# put_screen TITLE FILE OTHER: OTHER is named where the two are the same.
put_screen() {
    if cmp -s "$2" "$3"; then
        echo "==== $1: as in ASCII"
    else
        echo "==== $1"
        cat "$2"
    fi
}

# coloured FILE: its lines with colours, numbered, ESC as \e.
coloured() {
    awk '/\033/ { gsub(/\033/, "\\e"); print NR ": " $0 }' "$1"
}

# in_one COMMAND: all of it as it is kept.
in_one() {
    echo "$1"
    for width in 60 72 80 132; do
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

# what_holds: prints the names of the screens that break a rule.
what_holds() {
    for file in "$tmp"/screens/*; do
        name=${file##*/} width=${file##*/}
        width=${width%%-*}
        # All that labs draw takes one column: without the bytes that go on, a byte a column.
        bare "$file" | LC_ALL=C tr -d '\200-\277' >"$tmp/columns"
        LC_ALL=C awk -v w="$width" 'length($0) > w { exit 1 }' "$tmp/columns" ||
            echo "$name is too wide;"
        case $name in
        *-ascii-0) ! LC_ALL=C grep -q '[^ -~]' "$file" || echo "$name is not ASCII;" ;;
        *-0) ! grep -q "$escape" "$file" || echo "$name has an escape;" ;;
        *) bare "$file" | cmp -s - "${file%-*}-0" || echo "$name differs without its colours;"
            awk '/\033/ { gsub(/.*\033/, ""); if ($0 !~ /^\[0m/) exit 1 }' "$file" ||
                echo "$name leaves a colour open;" ;;
        esac
    done
}

# screen NAME COMMAND [any]: "any" where the compiler of the kernels makes no difference.
screen() {
    rm -f "$tmp"/screens/*
    run_all "$2"
    is "$(ls "$tmp/screens" | wc -l | tr -d ' ')" 24 "$2: has its screens"
    is "$(what_holds)" '' "$2: as wide as may be, ASCII where it should be, colours closed"
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
