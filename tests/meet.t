#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lanes that call one function from two places meet in it, as on an H100 (h100/lanes-meet.txt).
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler
cp "$top_srcdir"/tests/meet/* .

for schedule in lockstep independent:7 random:3; do
    begin="set schedule $schedule; load calls.cu; array o i32 32"
    gives "$begin; launch votes<<<1,32>>>(o); print o[0..3]" '[-10,-11,-10,-11]' "$schedule: a vote"
    gives "$begin; launch shuffles<<<1,32>>>(o); print o[0..5]" '[2001,1000,2003,1004,2005,1008]' \
        "$schedule: a shuffle"
    gives "$begin; launch deep<<<1,32>>>(o); print o[0..7]" \
        '[3003,1002,2005,1006,3007,1014,2009,1014]' "$schedule: in calls of calls, from three places"
    say_json "$begin; launch votes<<<1,32>>>(o); launch shuffles<<<1,32>>>(o); launch deep<<<1,32>>>(o)"
    json_is 4:.status ok "$schedule: nothing is found in the vote"
    json_is 5:.status ok "$schedule: nor in the shuffle"
    json_is 6:.status ok "$schedule: nor in calls of calls"
done
done_testing
