#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lanes that call one function from two places meet in it, as on an H100 (h100/lanes-meet.txt). So do
# lanes at two instructions that do the same.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler
cp "$top_srcdir"/tests/meet/* "$tmp"
cd "$tmp" || exit 99

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

    begin="set schedule $schedule; load apart.cu; array o i32 32"
    gives "$begin; launch sums<<<1,32>>>(o); print o[0..3]" '[736000,736001,735996,736003]' \
        "$schedule: two sums"
    gives "$begin; launch shuffles<<<1,32>>>(o); print o[0..3]" '[101000,101,103006,6103]' \
        "$schedule: two shuffles"
    gives "$begin; launch votes<<<1,32>>>(o); print o[0..3]" '[-10,-11,-10,-11]' "$schedule: two votes"
    gives "$begin; launch agree<<<1,32>>>(o); print o[0..3]" '[21,11,21,11]' \
        "$schedule: all and any, a predicate and its opposite"
    gives "$begin; launch matches<<<1,32>>>(o); print o[0..7]" '[15,15,15,15,240,240,240,240]' \
        "$schedule: values that match"
    gives "$begin; launch three_groups<<<1,32>>>(o); print o[0..5]" '[10,200,3,40,500,6]' \
        "$schedule: from three places"
    gives "$begin; launch halves<<<1,32>>>(o); print o[0..3]" '[1,0,3,200]' \
        "$schedule: halves of a warp"
    say_json "$begin; launch sums<<<1,32>>>(o); launch shuffles<<<1,32>>>(o); launch votes<<<1,32>>>(o); \
launch agree<<<1,32>>>(o); launch matches<<<1,32>>>(o); launch three_groups<<<1,32>>>(o); \
launch halves<<<1,32>>>(o); launch others<<<1,32>>>(o)"
    json_is 4:.status ok "$schedule: nothing is found in copies of one line"
    for n in 5 6 7 8 9 10; do
        json_is "$n:.faults[0].cure" branch-mask "$schedule: calls of two lines, launch $n"
    done
    json_is 5:.faults.# 1 "$schedule: that is one finding"
    json_is "5:.faults[0].source" apart.cu:27 "$schedule: at the first call"
    json_is "5:.faults[0].other.source" apart.cu:30 "$schedule: and at the second"
    json_is 11:.status fault "$schedule: a shuffle down and a shuffle by xor do not meet"
done
say_json "set device sim:gtx970; load apart.cu; array o i32 32; launch shuffles<<<1,32>>>(o)"
json_is 4:.status fault 'before compute capability 7.0, all must come to one instruction'
done_testing
