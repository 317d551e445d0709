# SPDX-License-Identifier: GPL-3.0-or-later
#
# Names and values of local variables in code loaded with --debug: at each line where a lane comes
# to a statement, each variable must have the value that a copy of the kernel prints there.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler
any_kernels

work=$PWD/debug-names.work
rm -rf "$work"
mkdir "$work" && cd "$work" || exit 99
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

# made COMPILER FILE OUT: the PTX of a file as `load --debug` has it. The cache keeps it behind a line.
made() {
    rm -rf cache
    say "set compiler $1; load --debug $2"
    kept=$(grep -l '^.version' cache/cudalab/*.made 2>/dev/null) && sed 1d "$kept" >"$3"
}

# holds COMPILER KERNEL: rows of the judge are in ./judged.
holds() {
    cp "$top_srcdir/tests/debug/$2.cu" .
    awk -f "$top_srcdir/tests/debug/print.awk" "$2.cu" >"printed-$2.cu"
    made "$1" "$2.cu" plain.ptx && made "$1" "printed-$2.cu" printed.ptx &&
        "$top_builddir/tests/judge/locals" plain.ptx printed.ptx >judged 2>&1
}

total=0
for file in "$top_srcdir"/tests/debug/*.cu; do
    name=$(basename "$file" .cu)
    test "$name" != unused || continue
    holds auto "$name"
    verdict $? "$name: $(tail -n 1 judged)"
    total=$((total + 1))
done
ok "all of them: $total" test "$total" -ge 59

# A value that the code does not need has no place: it is said to be away, and nothing is wrong.
holds auto unused
like "$(tail -n 1 judged)" ' 0 wrong, ' 'variables that are not used: none is wrong'
like "$(cat judged)" 'said to be away: .*, never' 'and one is away'

for by in nvcc clang; do
    can_load "$by" || { skip "there is no $by" "$by's"; continue; }
    for name in early inlined loops pointers structs types; do
        holds "$by" "$name"
        verdict $? "$by: $name: $(tail -n 1 judged)"
    done
done

# Its code is another one, in the cache too.
rm -rf cache
say 'load early.cu; load --debug early.cu; load early.cu'
out_like '--debug' 'load --debug says so'
is "$(grep -l '^.version' cache/cudalab/*.made | wc -l | tr -d ' ')" 2 'the cache keeps both'
cd .. && rm -rf "$work"

done_testing
