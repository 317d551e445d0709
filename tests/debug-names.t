# SPDX-License-Identifier: GPL-3.0-or-later
#
# Names and values of local variables in code loaded with --debug: at each line where a lane comes
# to a statement, each variable must have the value that a copy of the kernel prints there. What has
# no place is said to be away; the kernels name such variables ("// away: NAME"). Half of the kernels
# were written without sight of the code that is tested.
# All kernels take minutes: `make check-long` has them. Here are some, which have all forms.
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
    echo "$1 does not compile it" >judged
    made "$1" "$2.cu" plain.ptx && made "$1" "printed-$2.cu" printed.ptx &&
        "$top_builddir/tests/judge/locals" "$2.cu" plain.ptx printed.ptx >judged 2>&1
}

kernels='early factorial if-init inlined lambda-reference newton pointers small-types switch-cases'
more='lambda-reference small-types types'
if in_full; then
    more=
    kernels=$(cd "$top_srcdir/tests/debug" && for file in *.cu; do echo "${file%.cu}"; done)
fi
test "$(ls "$top_srcdir"/tests/debug/*.cu | wc -l)" -ge 119 || exit 99

# nvcc leaves some bools out of what it says, name and all. The others name every variable.
for by in nvrtc nvcc clang; do
    can_load "$by" || { skip "there is no $by" "$by's"; continue; }
    test "$by" = nvrtc || kernels=${more:-$kernels}
    for name in $kernels; do
        holds "$by" "$name"
        verdict $? "$by: $name: $(tail -n 1 judged)"
        test "$by" != nvrtc ||
            is "$(grep 'never away' judged)" '' "$by: $name: what may be away is away somewhere"
        test "$by" = nvcc || like "$(tail -n 1 judged)" ' 0 not named' "$by: $name: all are named"
    done
done

# Its code is another one, in the cache too.
rm -rf cache
say 'load early.cu; load --debug early.cu; load early.cu'
out_like '--debug' 'load --debug says so'
is "$(grep -l '^.version' cache/cudalab/*.made | wc -l | tr -d ' ')" 2 'the cache keeps both'
cd .. && rm -rf "$work"

done_testing
