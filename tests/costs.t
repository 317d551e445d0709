# SPDX-License-Identifier: GPL-3.0-or-later
# What the checkers cost on each way to reach memory (tests/data/patterns.cu), in small launches.
# The bounds are wide, since other work disturbs the times: `make bench-patterns` has the figures.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler

CUDALAB=$CUDALAB SIZE=2 RUNS=3 SHOW=100 sh "$top_srcdir/tests/bench-patterns" >"$tmp/costs"
is "$?" 0 'every pattern runs, and none has a finding'
is "$(awk 'NR > 1' "$tmp/costs" | wc -l)" "$(grep -c '^__global__' \
    "$top_srcdir/tests/data/patterns.cu" | awk '{ print $1 + 1 }')" 'each kernel is one of them'
is "$(awk 'NR > 1 && $1 > 60' "$tmp/costs")" '' 'the checkers cost at most 60 times the launch'
is "$(awk 'NR > 1 { print $1 }' "$tmp/costs" | sort -n | awk '{ v[NR] = $1 }
    END { print (v[int((NR + 1) / 2)] > 8) }')" 0 'and 8 times in the median'
done_testing
