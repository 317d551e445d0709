# SPDX-License-Identifier: GPL-3.0-or-later
#
# normcdf: the same formula with its coefficients in four kinds of memory, as the counters prove;
# its errors, and those of normcdff; and the three ways in which it goes wrong.
#
# Each variant and option, as tests/data/labs.txt explains:
#: normcdf                                       | right
#: normcdf --variant all                         | right
#: normcdf --variant registers                   | right
#: normcdf --variant shared                      | right
#: normcdf --variant constant                    | right
#: normcdf --variant global                      | right
#: normcdf --variant normcdff                    | right
#: normcdf --variant nobarrier                   | fault race-shared uninitialized | luck its warps may happen to run in step
#: normcdf --variant paren                       | wrong
#: normcdf --variant cancel                      | wrong
#: normcdf -n 1 --range 1                        | right
#: normcdf -n 10007 --threads 1024 --range 12    | right
#: normcdf --variant shared -n 77 --threads 3    | right
#: normcdf --calls                               | told
#: normcdf --variant constant --calls            | told
#
# What it refuses, as tests/data/refused.txt explains:
#! normcdf -n 0                               | at least 1
#! normcdf -n 1e9                             | at most 1048576
#! normcdf --range 0                          | at least 1
#! normcdf --range 13                         | at most 12
#! normcdf --threads 1025                     | at most 1024
#! normcdf --variant nobarrier --threads 1    | at least --threads 2
#! normcdf --variant cancel --range 2         | at least --range 3
#! normcdf --variant constnat                 | did you mean constant
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'normcdf'
status_is 0 'normcdf runs'
out_has 'normcdf_registers<<<4, 256>>>' 'the launch'
out_like 'score +1,001 of 1,001 results agree with the formula' 'all results'
ok 'the screen fits 24 lines' test "$(wc -l <"$out")" -le 24
say 'normcdf --variant constant'
out_has '224 of coefficients from constant memory; predicted 224' \
    'loads, counted and predicted'

# right VARIANT 'OPTIONS' GLOBAL SHARED CONSTANT: loads
right() {
    say_json "normcdf --variant $1 $2"
    json_is .status ok "$1 $2: ok"
    json_is .result.ok true "$1 $2: checked itself"
    json_is .result.score "$(json .result.n)" "$1 $2: every result"
    json_is .result.predicted "$3" "$1 $2: loads predicted"
    json_is .counters.global_load_requests "$3" "$1 $2: and counted"
    json_is .counters.shared_load_requests "$4" "$1 $2: from shared memory"
    json_is .counters.constant_load_requests "$5" "$1 $2: from constant memory"
    json_is .counters.local_load_requests 0 "$1 $2: none from local memory"
}
for v in registers normcdff; do
    right $v '' 32 0 0
    right $v '-n 1' 1 0 0
    right $v '-n 100000 --range 12 --threads 96' 3125 0 0
done
right shared '' 36 224 0
right shared '-n 1' 2 7 0
right shared '-n 77 --threads 33 --range 1' 8 35 0
right shared '-n 5 --threads 1' 40 35 0
right shared '-n 20 --threads 3 --range 12' 28 49 0
right constant '' 32 0 224
right constant '-n 33 --range 12' 2 0 14
right global '' 256 0 0
right global '-n 1000 --threads 7 --range 12' 1144 0 0

# under MOST NUMBER WHAT
under() {
    ok "$3" awk -v most="$1" -v number="$2" 'BEGIN { exit !(number > 0 && number < most) }'
}
say_json normcdf
tail=$(json .result.relative)
under 3e-7 "$(json .result.absolute)" 'the absolute error is small'
under 0.004 "$tail" 'the relative error is larger'
ok 'and it is 0.36 percent' awk -v e="$tail" 'BEGIN { exit !(e > 0.0035) }'
json_is .result.relative_at -6 'far out'
json_is .result.points.# 5 'five points'
json_is .result.points[2].exact 0.5 'N(0)'
json_like .result.points[0].exact '^9\.86587645037' 'N(-6)'
json_like .result.points[1].exact '^0\.00134989803163' 'N(-3)'
for v in shared constant global; do
    say_json "normcdf --variant $v"
    json_is .result.relative "$tail" "$v: the same error as with registers"
done
say_json 'normcdf --range 12'
json_like .result.points[0].exact '^1\.77648211207' 'N(-12)'
under 0.04 "$(json .result.relative)" 'three percent there'
say_json 'normcdf --variant normcdff --range 12'
under 2e-6 "$(json .result.relative)" 'normcdff keeps its digits in the tail'
under 1e-7 "$(json .result.absolute)" 'and is nearer everywhere'
say_json 'normcdf -n 1'
json_is .result.points.# 1 'one element, one point'

# wrong VARIANT CURE 'OPTIONS'
wrong() {
    say_json "normcdf --variant $1 ${3-}"
    status_is 1 "$1 ${3-} ends with 1"
    json_is .result.ok false "$1 ${3-}: not right"
    json_like .error.message "--variant $2 fixes it" "$1 ${3-}: $2 fixes it"
    json_is .result.range.ok 0 "$1 ${3-}: none of the schedules is fine"
}
wrong nobarrier shared
json_is .faults[0].kind race-shared 'nobarrier: a race'
json_is .faults[0].array copy 'nobarrier: in the copy'
json_is .faults[0].cure syncthreads 'nobarrier: a barrier is the cure'
wrong nobarrier shared '--threads 2 -n 1'
wrong paren constant
json_absent .faults[0].kind 'paren: no checker finds it'
wrong paren constant '-n 1'
wrong cancel registers
json_absent .faults[0].kind 'cancel: no checker finds it'
json_is .result.points[0].result 0 'cancel: nothing is left of N(-6)'
json_is .result.points[0].relative 1 'so all of it is lost'
wrong cancel registers '--range 3 -n 100'

say_json 'normcdf --variant all'
status_is 0 'all: as documented'
json_is .variants.# 8 'eight rows'
json_is .variants[0].variant global 'most loads from global memory first'
json_is .variants[1].variant shared 'then the copies'
json_is .variants[2].variant constant 'then constant memory'
json_is .variants[5].wrong_on_purpose true 'the wrong ones last'
json_is .result.ok true 'all: ok'
say_json 'normcdf --variant all --range 1 --threads 1 -n 3'
status_is 0 'all, where two do not show themselves'
for card in $(cards); do
    say_json 'normcdf --variant all' --device "sim:$card"
    status_is 0 "$card: all"
done

say_json 'normcdf --calls'
json_is .result.calls.# 4 '--calls: four'
say_json 'normcdf --variant constant --calls'
json_like '.result.calls[1].call' '^cudaMemcpyToSymbol' '--calls: by name'
say_json 'normcdf --variant global --calls'
json_is '.result.calls[2].call' 'normcdf_global<<<4, 256>>>(x, y, n, c)' '--calls: the launch'
say 'normcdf --repeat 3'
out_has '3 runs, 3 with the same bits' '--repeat'
say 'normcdf --variant constant --trace'
out_has 'ld.const' '--trace shows the loads'
say_json 'normcdf --range 2 --variant shared' --schedule random:1..5
json_is .result.x_range 2 'how far x goes'
json_is .result.range.ok 5 'and how many of a range of seeds were right'
say 'normcdf --variant shared' --schedule independent:1..5
out_has 'right in 5 of 5' 'under each of a range of seeds'

say 'set projector on; normcdf --variant all; normcdf --variant nobarrier; normcdf
normcdf --variant cancel; normcdf --variant constant --calls'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
every_try normcdf
done_testing
