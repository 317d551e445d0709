# SPDX-License-Identifier: GPL-3.0-or-later
#
# The house has floors, and includes go down only:
#     main > repl > labs > labkit > dev > (check, obs, step, sim/sim.h, sim/texture.h) > (ptx, cc) > cxx > base
# Between repl and cc lies programs; below cc, dev and all above them lies os.
# Between repl and script lies grade.
# Between repl and labkit lies run, and its client, which is in a student's program, knows only how
# the two talk. Between repl and own lies script, which knows no shell. Between labkit and dev lie own > session > screen, and source > text > command > screen. What a
# lab's folder holds is for that lab alone.
# And the library keeps quiet: no mutable globals, no exit, nothing on stdout.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

# may FLOOR HEADER: is a file of FLOOR allowed to include HEADER?
may() {
    case $1:$2 in
    base:base/*) ;;
    os:os/* | os:base/*) ;;
    ptx:ptx/* | ptx:base/*) ;;
    cxx:cxx/* | cxx:base/*) ;;
    programs:programs/* | programs:cc/* | programs:cxx/* | programs:os/* | programs:base/*) ;;
    cc:cc/* | cc:cxx/* | cc:os/* | cc:base/*) ;;
    sim:sim/* | sim:ptx/* | sim:cxx/* | sim:base/*) ;;
    step:step/* | step:ptx/ptx.h | step:sim/sim.h | step:sim/travel.h | step:sim/inspect.h | step:base/*) ;;
    obs:obs/* | obs:sim/sim.h | obs:base/*) ;;
    check:check/* | check:sim/sim.h | check:base/*) ;;
    dev:dev/* | dev:check/* | dev:obs/* | dev:sim/sim.h | dev:sim/texture.h | dev:ptx/* | dev:os/* | dev:base/*) ;;
    expr:expr/* | expr:base/*) ;;
    screen:screen/* | screen:dev/* | screen:os/* | screen:cxx/* | screen:base/*) ;;
    command:command/* | command:screen/* | command:base/*) ;;
    text:text/* | text:command/* | text:screen/* | text:os/* | text:base/*) ;;
    source:source/* | source:text/* | source:screen/* | source:ptx/* | source:cc/*) ;;
    source:cxx/* | source:os/* | source:base/*) ;;
    session:session/* | session:screen/* | session:dev/* | session:os/* | session:base/*) ;;
    mpi:mpi/* | mpi:session/team.h | mpi:base/*) ;;
    own:own/* | own:session/* | own:screen/* | own:dev/* | own:cc/* | own:cxx/*) ;;
    own:expr/* | own:ptx/link.h | own:os/* | own:base/*) ;;
    labkit:labkit/* | labkit:own/* | labkit:session/* | labkit:text/* | labkit:command/*) ;;
    labkit:screen/* | labkit:dev/* | labkit:os/* | labkit:base/*) ;;
    labs:labs/labs.h | labs:labs/list.h | labs:labkit/* | labs:own/* | labs:command/*) ;;
    labs:screen/* | labs:expr/* | labs:dev/* | labs:base/*) ;;
    script:script/* | script:own/* | script:command/* | script:base/*) ;;
    run:run/* | run:labkit/* | run:own/* | run:session/* | run:screen/* | run:dev/* | run:cc/*) ;;
    run:os/* | run:base/* | run:cudalab_runtime_types.h) ;;
    grade:grade/* | grade:script/* | grade:own/* | grade:programs/* | grade:expr/* | grade:command/*) ;;
    grade:cc/* | grade:dev/cards.h) ;;
    grade:screen/* | grade:os/* | grade:base/*) ;;
    repl:sim/* | repl:check/* | repl:obs/* | repl:main*) return 1 ;;
    repl:*/*) ;;
    main:*/*) ;;
    *) return 1 ;;
    esac
}

cd "$top_srcdir" || exit 99
for floor in base os cxx ptx cc programs sim step obs check dev expr screen command text source session mpi own script labkit labs run grade repl main; do
    files=src/main.c
    test $floor = main || files=$(find src/$floor -name '*.[ch]' -o -name '*.def')
    bad=
    for file in $files; do
        for header in $(sed -n 's/^[ 	]*#[ 	]*include[ 	]*"\([^"]*\)".*/\1/p' "$file"); do
            test "src/${header%/*}" != "${file%/*}" || continue # of one folder
            test ! -f "${file%/*}/$header" || continue # by its name alone, as installed headers do
            may $floor "$header" || bad="$bad $file:$header"
        done
    done
    is "$bad" '' "$floor includes only what lies below it"
done

# A lab is what a student reads first: what labs are made of, and what its own folder has.
bad=
for name in $(lab_names); do
    for header in $(sed -n 's/^[ 	]*#[ 	]*include[ 	]*"\([^"]*\)".*/\1/p' "src/labs/$name/lab.c"); do
        case $header in
        labkit/* | "labs/$name/"*) ;;
        *) bad="$bad $name:$header" ;;
        esac
    done
done
is "$bad" '' "each lab's lab.c includes headers of labkit and its own alone"

# In src, no two structs, unions or enums have the same tag. So a search for a tag finds one thing.
bad=$(find src -name '*.[ch]' -exec sed -nE \
    's/^.*(struct|union|enum) ([a-z_0-9]+) *\{.*$/\2/p' {} + | sort | uniq -d | tr '\n' ' ')
is "$bad" '' 'no two structs, unions or enums have the same name'

library=$top_builddir/libsim.a # the objects of libcudasim, and the checkers
if test "$BUILD_KIND" = checked; then
    skip 'sanitizers and coverage add symbols of their own' 'libcudasim has no mutable globals'
else
    # b B d D C: data that can be written. Constants with relocations (d in .data.rel.ro) are
    # tables of pointers, written by the loader only; their section tells them apart.
    bad=$($NM -A -f sysv "$library" 2>/dev/null | grep -E '\| *[bBdDCsSgG] *\|' |
        grep -v '\.data\.rel\.ro' | cut -d'|' -f1 | tr '\n' ' ')
    is "$bad" '' 'libcudasim has no mutable globals'
fi

undefined=$($NM -u "$library" | sed -n 's/^ *U //p' | sort -u)
ends='_?exit|_Exit|abort|__assert_fail'
prints='printf|puts|putchar|stdout|stderr|perror|vprintf|__(v?f?)printf_chk'
asks='fopen|open|getenv|signal|sigaction'
bad=$(echo "$undefined" | grep -Ex "$ends|$prints|$asks" | tr '\n' ' ')
is "$bad" '' 'libcudasim never ends the process, prints, opens files or reads the environment'

# fma is exact by definition; all else in libm may differ in the last bit from host to host.
powers='exp|exp2|expm1|log|log2|log10|log1p|pow|sqrt|cbrt|hypot|fmod|tgamma'
bad=$($NM -u "$library" "$top_builddir/libcudalab.a" | sed -n 's/^ *U //p' | sort -u |
    grep -Ex "(a?(sin|cos|tan)h?|atan2|$powers)[fl]?" | tr '\n' ' ')
is "$bad" '' "nothing is computed by the host's libm"

bad=$(grep -lE '(^|[^_[:alnum:]])(exit|abort|_exit) *\(' $(find src/* -mindepth 1 -name '*.c') |
    grep -Ev '^src/(programs/(child|copy|nvrtc-process|scratch|sealed/sealed)|os/bug|run/client/(lead|link)|dev/gpu/(link|process))[.]c$' | tr '\n' ' ')
is "$bad" '' 'exit() is called in main.c only, _exit in child processes, abort in a test build'

done_testing
