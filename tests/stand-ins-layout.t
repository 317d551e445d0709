# SPDX-License-Identifier: GPL-3.0-or-later
#
# A program that was compiled with the toolkit's headers gives its structs to the runtime of
# src/run, which knows them from the stand-ins. tests/stand-ins/layout.c prints sizes and places of
# members, which must be the same with both.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

find_nvcc || skip_all 'there is no toolkit to compare with'
cc=$(command -v gcc || command -v cc) || skip_all 'there is no C compiler'
headers=$(cd "$(dirname "$(readlink -f "$nvcc")")/../include" && pwd)
case $(sed -n 's,^#define CUDART_VERSION *,,p' "$headers/cuda_runtime_api.h") in
13*) ;;
*) skip_all 'the stand-ins have the layout of CUDA 13' ;;
esac

source=$top_srcdir/tests/stand-ins/layout.c
"$cc" -DSTAND_IN -I"$top_srcdir/kernels/include/cuda" "$source" -o "$tmp/ours" 2>"$tmp/log"
is "$?:$(cat "$tmp/log")" 0: 'it compiles with the stand-ins'
"$cc" -I"$headers" "$source" -o "$tmp/theirs" 2>"$tmp/log"
is "$?:$(cat "$tmp/log")" 0: "it compiles with the toolkit's headers"
"$tmp/ours" >"$tmp/ours.txt"
"$tmp/theirs" >"$tmp/theirs.txt"
is "$(diff "$tmp/ours.txt" "$tmp/theirs.txt" | head -n 5)" '' 'all members lie at the same places'
test "$(wc -l <"$tmp/ours.txt")" -gt 150
verdict $? 'many were compared'

done_testing
