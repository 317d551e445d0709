# SPDX-License-Identifier: GPL-3.0-or-later
#
# Students' ordinary files, host code and all, become PTX by clang without the CUDA Toolkit:
# with this machine's C and C++ headers, and with none but the stand-ins. A file of
# tests/headers/ says in its second line what it is about; `error: REGEX` there means that
# the compiler must refuse it and say so.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# Nothing here comes from the build, and .ci/run makes one by clang too.
test "$KERNELS_BY" != nvcc || skip_all 'tried where clang compiles the kernels'
clang=$(command -v clang) || skip_all 'clang is not installed'
kernels=$top_srcdir/kernels
printf '#include <vector>\n' >"$tmp/cpp.cc"
has_cpp=no
"$clang" -fsyntax-only "$tmp/cpp.cc" 2>"$err" && has_cpp=yes

# compile FILE OPTION...: to $tmp/ptx; leaves $status and $err.
compile() {
    file=$1
    shift
    status=0
    rm -f "$tmp/ptx"
    last_run="clang $* $file"
    "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++17 \
        -fdeclspec -Xclang -target-feature -Xclang +ptx64 -O2 -S -gline-tables-only \
        -ffp-contract=fast -Wno-unknown-cuda-version -Wno-unknown-pragmas \
        -isystem "$kernels/include/clang" -isystem "$kernels/include/cuda" \
        -idirafter "$kernels/include/libc" \
        -include "$kernels/cudalab_device.h" -include cuda_runtime.h \
        "$@" -o "$tmp/ptx" "$file" >"$out" 2>"$err" || status=$?
}

# What a kernel may call and not have in itself: the simulator provides these.
stands_alone() {
    test -f "$tmp/ptx" || return 0
    awk '/^\.extern \.func/ { name = $0; sub(/.*[ )]/, "", name)
             if (name ~ /^(vprintf|malloc|free|__assertfail)$/) next
             print "# calls " name; bad = 1 }
         END { exit bad }' "$tmp/ptx"
}

refused() { # refused REGEX NAME
    test "$status" != 0 && grep -Eq -e "error:|note:" "$err" && grep -Eq -e "$1" "$err"
    verdict $? "$2" "should be refused, saying: $1"
}

accepted() { # accepted NAME
    test "$status" = 0 && test ! -s "$err" && stands_alone
    verdict $? "$1" 'should compile without a word'
}

# check FILE HOW OPTION...
check() {
    file=$1 how=$2
    shift 2
    about=$(sed -n '2s|^/\* \(.*\) \*/$|\1|p' "$file")
    name="$(basename "$file" .cu), $how"
    compile "$file" "$@"
    case $about in
    error:*) refused "${about#error: }" "$name: ${about#error: }" ;;
    *) accepted "$name: $about" ;;
    esac
}

# Kernels become the same PTX either way, so with the large headers they are only read.
for file in "$top_srcdir"/tests/headers/*.cu; do
    read_only=-fsyntax-only
    case $file in
    */host_cpp*) read_only= ;;
    *) check "$file" 'only stand-ins' -nostdinc -nostdinc++ ;;
    esac
    if test "$has_cpp" = yes; then
        check "$file" "this machine's headers" $read_only
    else
        skip 'no C++ library' "$(basename "$file" .cu), this machine's headers"
    fi
done

# ---- what the functions compute ------------------------------------------------------------

compile "$top_srcdir/tests/headers/values.cu" -nostdinc -nostdinc++
"$top_builddir/tests/unit/mathsim" "$tmp/ptx" >"$tmp/values" 2>&1 || :
while IFS= read -r line; do
    case $line in
    'ok - '*) pass "${line#ok - }" ;;
    'not ok - '*) flunk "${line#not ok - }" ;;
    *) echo "$line" ;;
    esac
done <"$tmp/values"
ok 'all functions have been asked' test "$(grep -c '^ok' "$tmp/values")" -ge 40

# ---- what those headers must not change ---------------------------------------------------

cat >"$tmp/where.cu" <<'END'
__global__ void where(float *p)
{
    p[0] = sinf(p[1]);
    p[1] = atan2f(p[2], p[3]);
}
END
compile "$tmp/where.cu"
loc=$(awk '$1 == ".loc" { print $2 ":" $3 }' "$tmp/ptx" | sort -u | tr '\n' ' ')
is "$loc" '1:2 1:3 1:4 1:5 ' "each instruction counts for the student's line, none for a header's"

done_testing
