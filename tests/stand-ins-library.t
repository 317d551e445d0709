# SPDX-License-Identifier: GPL-3.0-or-later
#
# What clang makes with the stand-in headers must do what nvcc makes with the toolkit's: each file
# of tests/library is loaded by both, launched as its //! lines say, and all bytes of its arrays are
# compared. Where the toolkit is missing, the bytes are compared with the sums in sums.txt, which
# `make check TESTS=stand-ins-library.t UPDATE_GOLDEN=1` writes where it is there.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

can_load clang || skip_all 'there is no clang'
toolkit=
for each in nvrtc nvcc; do
    test -n "$toolkit" || ! can_load $each || toolkit=$each
done
library=$top_srcdir/tests/library
sums=$library/sums.txt

# A launch says --check where the toolkit's headers have a race themselves: in tiles of several
# warps, lanes read what only the first of them acquired. Ours have all checkers.
run() { # run NAME COMPILER: leaves its arrays in one file, $tmp/NAME.COMPILER
    all_checks=
    test "$2" != clang || all_checks='s| --check .*||'
    {
        echo "set compiler $2"
        echo "load $1.cu$(sed -n 's|^//! options||p' "$library/$1.cu")"
        sed -n "s|^//! ||; t print; d; :print $all_checks; p" "$library/$1.cu" |
            grep -E '^(array|fill|launch) '
        sed -n 's|^//! array \([^ ]*\).*|save \1 '"$tmp"'/\1.raw|p' "$library/$1.cu"
    } >"$tmp/lines.lab"
    rm -f "$tmp"/*.raw
    last_run="$1.cu by $2"
    status=0
    (cd "$library" && "$CUDALAB" --no-init "$tmp/lines.lab") >"$out" 2>"$err" || status=$?
    test ! -s "$err" && cat "$tmp"/*.raw >"$tmp/$1.$2"
    verdict $? "$1: $(sed -n '2s|^/\* \(.*\) \*/$|\1|p' "$library/$1.cu"), by $2" "$(head -9 "$err")"
}

# A sample's folder of helpers is read by each compiler.
! can_load nvcc || run sample nvcc

for file in "$library"/*.cu; do
    name=$(basename "$file" .cu)
    run "$name" clang
    test -s "$tmp/$name.clang" || continue
    if test -n "$toolkit"; then
        run "$name" "$toolkit"
        test -s "$tmp/$name.$toolkit" || continue
        cmp "$tmp/$name.$toolkit" "$tmp/$name.clang" >"$out" 2>&1
        verdict $? "$name: the same bytes as by $toolkit" "$(cat "$out")"
        sha256sum <"$tmp/$name.$toolkit" | sed "s/ .*/ $name/" >>"$tmp/sums"
    elif grep -q " $name\$" "$sums"; then
        is "$(sha256sum <"$tmp/$name.clang" | sed "s/ .*/ $name/")" "$(grep " $name\$" "$sums")" \
            "$name: the same bytes as by the toolkit's compiler"
    else
        flunk "$name has no sum in sums.txt"
    fi
done
# ---- headers of NVIDIA's samples that the student has too, and what has no stand-in -----------

cd "$tmp" || exit 99
mkdir own
echo '__device__ inline int answer() { return 42; }' >own/helper_math.h
{
    echo '#include <fstream>'
    cat own/helper_math.h
} >own/helper_image.h
printf '#include <helper_%s.h>\n__global__ void k(int *p) { *p = %s; }\n' \
    math 'answer()' >math.cu
printf '#include <helper_%s.h>\n__global__ void k(int *p) { *p = %s; }\n' image 7 >image.cu
printf '#include <cub/cub.cuh>\n__global__ void k(int *p) { *p = 7; }\n' >cub.cu
for compiler in clang nvrtc; do
    can_load $compiler || continue
    say "set compiler $compiler; load math.cu -I own; array p i32 1 zero
launch k<<<1,1>>>(p); print p"
    out_has 42 "$compiler takes the student's helper_math.h"
done
if can_load nvrtc; then
    say 'set compiler nvrtc; load image.cu -I own'
    out_has "note: NVRTC can't read your \`helper_image.h\`" 'NVRTC takes our header, and says so'
fi
say 'set compiler clang; load cub.cu'
err_has 'note: `cub/cub.cuh` comes with the CUDA Toolkit' 'cub needs the toolkit'

if test -n "$toolkit"; then
    test -z "${UPDATE_GOLDEN:-}" || cp "$tmp/sums" "$sums"
    is "$(cat "$tmp/sums")" "$(cat "$sums")" 'sums.txt has the sums of what the toolkit made'
fi

done_testing
