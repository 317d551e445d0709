# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the tests of whole programs share. A test sources this file after lib.sh.

# enter_work: from here on the test is in an empty folder, so the names that it was given are absolute.
enter_work() {
    top_srcdir=$(cd "$top_srcdir" && pwd)
    top_builddir=$(cd "$top_builddir" && pwd)
    CUDALAB=$(cd "$(dirname "$CUDALAB")" && pwd)/${CUDALAB##*/}
    JSONGET=$(cd "$(dirname "$JSONGET")" && pwd)/${JSONGET##*/}
    mkdir "$tmp/work"
    cd "$tmp/work" || exit 99
}

# needs_programs COMPILER: without this compiler, nvcc or clang, nothing is tested.
needs_programs() {
    find_nvcc || test "$1" != nvcc || skip_all 'a whole program needs nvcc'
    runs_programs || skip_all 'this build starts no compilers'
}

# can_run: looks at the program that ran last. A checker may not let it start.
can_run() {
    if test "$status" != 0 && test "$BUILD_KIND" != plain; then
        skip_all 'a program of another kind cannot be started under this checker'
    fi
}

words_of() { # words_of WORD FILE: what a comment at the beginning says
    sed -n "1,3s,^// $1: ,,p" "$2"
}

# names_a_line FILE NAME [AT]: the report in JSON, at this place, names a line of the file that ends
# with HERE.
names_a_line() {
    named=no
    for i in 0 1 2 3 4 5; do
        place=$(json "${3-}.faults[$i].source")
        line=${place##*:}
        case $place in
        "$1":*)
            sed -n "${line}p" "$1" | grep -q '// \(AND \|OR \)\{0,1\}HERE *$' && named=yes
            ;;
        esac
    done
    is $named yes "$2"
}

# programs_by COMPILER: which programs of tests/whole/right and wrong are tried by nvcc, or by clang.
# They take turns, and in full each tries all. A program that names an architecture is for nvcc.
programs_by() {
    (cd "$top_srcdir/tests/whole" && grep -c '^// arch: ' right/*.cu wrong/*.cu) | LC_ALL=C sort |
        awk -F '[/.:]' -v by="$1" -v full="${CHECK_LONG:-}" '
            $NF > 0 { if (by == "nvcc") print $2; next }
            full || ++n % 2 == (by == "nvcc") { print $2 }'
}
