# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels of today's style (tests/modern/*.cu): tensor products, pipelines, double buffers, producer
# and consumer warps, clusters, cooperative groups, atomics with scopes, halves. They were written
# without sight of the checkers. The right ones must be found right under every schedule, and leave
# the values of tests/modern/expect.txt. The wrong ones lack a synchronisation, which must be named.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/checks.sh"

case $KERNELS_BY in clang) skip_all 'clang makes no PTX for 9.0' ;; esac
can_load nvrtc || can_load nvcc || skip_all 'these kernels need the compilers of the CUDA Toolkit'
compiler=auto

for file in "$top_srcdir"/tests/modern/*.cu; do
    run_file "$file" "$(basename "$file" .cu)"
done

# Each line of expect.txt becomes: kernel, array, how many elements, their sum, the first of them.
awk '!/^#/ && NF { sum = ""; first = ""
        for (i = 5; i <= NF; i++)
            if ($i == "sum:") { sum = $(i + 1); break } else first = first " " $i
        print $1, $2, substr($3, 3), sum first }' "$top_srcdir/tests/modern/expect.txt" >"$tmp/expect"

for file in "$top_srcdir"/tests/modern/*.cu; do
    values_of "$file" sim "$tmp/expect" >"$tmp/got"
    while read -r kernel array count sum first; do
        grep -q "^$kernel $array " "$tmp/got" || continue
        is "$(awk -v key="$kernel $array" -v n="$(echo "$first" | wc -w)" '$1 " " $2 == key {
                sum = 0; first = ""
                for (i = 3; i <= NF; i++) { sum += $i; if (i < 3 + n) first = first " " ($i + 0) }
                print NF - 2, sum + 0 first }' OFMT=%.17g CONVFMT=%.17g "$tmp/got")" \
            "$count $(awk -v CONVFMT=%.17g -v l="$sum $first" 'BEGIN { n = split(l, f)
                for (i = 1; i <= n; i++) s = s (i > 1 ? " " : "") (f[i] + 0)
                print s }')" "$kernel: $array"
    done <"$tmp/expect"
done
is "$(awk '{ print $1, $2 }' "$tmp/expect" | wc -l)" 76 'all of expect.txt was looked at'
done_testing
