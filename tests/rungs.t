# SPDX-License-Identifier: GPL-3.0-or-later
#
# The last rungs beside NVIDIA's libraries: what an H100 gave is kept with the day and the device
# (tests/h100/rungs.txt), and holds all that tests/data/rungs.txt promises. The program that measures
# names kernels that there are.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/rungs.sh"
any_kernels

kept=$top_srcdir/tests/h100/rungs.txt
ok 'the device, its driver and the day come first' \
    grep -qE '^# NVIDIA H100.*, [0-9.]+, 20[0-9]{2}-[0-9]{2}-[0-9]{2}$' "$kept"
rungs_judge "$kept" >"$tmp/verdicts"
judged "$tmp/verdicts"

# The judge finds what is missing, wrong or too slow.
grep -v '^sum-best 65536 ' "$kept" | sed 's/^\(dot-best 65536 .*\) [0-9.]*$/\1 wrong/
s/^\(heat-vector .*\) [0-9.]*$/\1 0.9/' >"$tmp/worse"
is "$(rungs_judge "$tmp/worse" | grep -c '^fail')" 3 'a missing row, a wrong answer, a slow rung'
is "$(rungs_judge "$tmp/worse" told | grep -c '^fail')" 2 'on other cards no rung is too slow'

sed -n 's/.*Kernel("\([a-z0-9-]*\)", "\([a-z0-9_]*\)").*/\1 \2/p
s/.*Launch_product("\([a-z0-9_]*\)".*"\(matmul[a-z-]*\)".*/\2 \1/p' \
    "$top_srcdir/tests/gpu/rungs.cu" >"$tmp/kernels"
ok 'the program launches many kernels' test "$(wc -l <"$tmp/kernels")" -ge 10
while read -r module kernel; do
    ok "$kernel is in $module.ptx" grep -q "\.entry $kernel(" "$PTXDIR/$module.ptx"
done <"$tmp/kernels"
done_testing
