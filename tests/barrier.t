# SPDX-License-Identifier: GPL-3.0-or-later
#
# barrier: who waits for whom. Right waits hand every number on; wrong ones are found, with who
# came to which barrier.
#
# Each variant and option, as tests/data/labs.txt explains:
#: barrier                                       | right
#: barrier --variant all                         | right
#: barrier --variant block                       | right
#: barrier --variant outside                     | right
#: barrier --variant outside --who 5             | right
#: barrier --variant named                       | right
#: barrier --variant named --group 64 --threads 256 | right
#: barrier --variant tiles                       | right
#: barrier --variant tiles --group 4             | right
#: barrier --variant flag                        | right
#: barrier --variant grid                        | right
#: barrier --variant grid --blocks 7 --threads 100 | right
#: barrier --variant gridstride                  | right
#: barrier --variant two-launches                | right
#: barrier --variant cluster                     | right
#: barrier --variant cluster --blocks 4 --threads 1 | right
#: barrier --variant cluster --blocks 1200 --threads 1024 | right
#: barrier --variant branch                      | fault barrier-divergence deadlock | luck a card lets it go on
#: barrier --variant return                      | fault barrier-divergence deadlock | luck a card lets it go on
#: barrier --variant later                       | fault barrier-divergence deadlock timeout | luck a card may let it go on
#: barrier --variant sides                       | fault barrier-divergence | luck a card lets it go on
#: barrier --variant fullmask                    | fault deadlock timeout | luck a card may let it go on
#: barrier --variant miscount                    | fault deadlock timeout | luck a card may let it go on
#: barrier --variant toomany                     | fault timeout
#: barrier --variant toobig                      | fault bad-launch
#: barrier --variant badlaunch                   | fault trap
#: barrier --variant cluster-nosync              | fault race-shared uninitialized | luck its blocks may happen to run in step
#: barrier --variant cluster-noend               | fault use-after-free | luck what the others read may still be there
#: barrier --calls                               | told
#
# What it refuses, as tests/data/refused.txt explains:
#! barrier --who 0                            | at least 1
#! barrier --who 1025                         | at most 1024
#! barrier --who -1                           | at least 1
#! barrier --group 0                          | at least 1
#! barrier --variant tiles --group 3          | are whole groups; for example 16
#! barrier --variant tiles --group 33         | are whole groups; for example 16
#! barrier --variant named --group 40         | a multiple of 32
#! barrier --threads 0                        | at least 1
#! barrier --threads 1025                     | at most 1024
#! barrier --blocks 0                         | at least 1
#! barrier --variant grid --blocks 100000     | at most 16,777,216
#! barrier --variant gird                     | did you mean grid
#! barrier --variant grid                     | --variant two-launches | c2050
#! barrier --variant outside --who 300        | at most 64
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

sum_to() { # sum_to N: 1 + ... + N
    echo $(($1 * ($1 + 1) / 2))
}

# right VARIANT THREADS-THAT-TAKE TOGETHER [OPTION...]
right() {
    variant=$1 takers=$2 together=$3
    shift 3
    say_json "barrier --variant $variant $*"
    json_is .status ok "$variant $*: ok"
    json_is .result.ok true "$variant $*: every number was there"
    json_is .result.sum "$(sum_to "$takers")" "$variant $*: their sum"
    json_is .result.expected "$(sum_to "$takers")" "$variant $*: as expected"
    json_is .result.together "$together" "$variant $*: so many wait for each other"
}
right block 64 64
right block 1 1 --threads 1
right block 1000 1000 --threads 1000
right outside 40 64
right outside 7 64 --who 7
right outside 100 100 --who 100 --threads 100
right flag 640 640 --blocks 10 --threads 64
right grid 640 640 --blocks 10 --threads 64
right grid 64 64 --blocks 1 --threads 64
right two-launches 3200 3200 --blocks 50 --threads 64
# Two clusters of four blocks, then three of one warp each.
say_json 'barrier --variant cluster'
json_is .result.sum $((2 * 256 * 257 / 2)) 'cluster: every number is handed on, in each cluster'
json_is .result.together 256 'cluster: four blocks wait for each other'
say_json 'barrier --variant cluster --blocks 12 --threads 32'
json_is .result.sum $((3 * 128 * 129 / 2)) 'cluster: three of them'
say 'set schedule random:1..9; barrier --variant cluster'
out_has 'right in 9 of 9' 'cluster: right under every schedule'
say 'set schedule independent:1..9; barrier --variant cluster'
out_has 'right in 9 of 9' 'cluster: and where lanes drift apart'
say_json 'barrier --variant gridstride --blocks 3 --threads 64'
json_is .result.numbers $(((16 * 132 * 2 + 1) * 64)) 'gridstride: a block more than run at once'
json_is .result.together 192 'by three blocks'
json_is .result.sum "$(sum_to $(((16 * 132 * 2 + 1) * 64)))" 'and all are handed on'

# groups VARIANT THREADS GROUP BARRIERS THREADS-AT-EACH
groups() {
    right "$1" "$2" "$3" --threads "$2" --group "$3"
    json_is .result.group "$3" "$1 $2 by $3: the group"
    json_is .result.barriers.# "$4" "$1 $2 by $3: so many barriers"
    json_is ".result.barriers[0].threads" "$5" "$1 $2 by $3: threads at the first"
    json_is ".result.barriers[0].waiting" 0 "$1 $2 by $3: and all went on"
}
groups named 128 64 2 64
groups named 480 32 15 32
groups named 96 96 1 96
groups tiles 64 16 2 32
groups tiles 32 2 16 2
groups tiles 64 1 32 2

# ---- wrong on purpose --------------------------------------------------------------------

# wrong VARIANT KIND MENDED-BY SUM-IS-RIGHT [OPTION...]
wrong() {
    variant=$1 kind=$2 mended=$3 luck=$4
    shift 4
    say_json "barrier --variant $variant $*"
    status_is 1 "$variant $*: status 1"
    json_is .status fault "$variant $*: a fault"
    json_is .faults[0].kind "$kind" "$variant $*: is found"
    json_is .result.ok false "$variant $*: and is not ok"
    json_is .result.schedules.# 5 "$variant $*: under five schedules"
    json_is .result.schedules[0].right "$luck" "$variant $*: right by luck in lock step"
    err_has "--variant $mended fixes it" "$variant $*: and is told what fixes it"
    say "barrier --variant $mended"
    status_is 0 "$variant $*: which does"
}
wrong branch barrier-divergence outside true
wrong branch barrier-divergence outside true --who 32
wrong return barrier-divergence outside true
wrong later barrier-divergence outside false
wrong sides barrier-divergence block true
wrong fullmask deadlock tiles false
wrong miscount deadlock named false
wrong toomany timeout two-launches false
wrong toomany timeout two-launches false --threads 1024 --blocks 300
wrong toobig bad-launch gridstride false
wrong badlaunch trap grid false
wrong cluster-nosync race-shared cluster false
wrong cluster-nosync race-shared cluster false --threads 32 --blocks 4
wrong cluster-noend use-after-free cluster false

# Who is where: letters for barriers, one a lane.
say_json 'barrier --variant later'
a32=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA b32=BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB
json_is .result.arrivals[0][0] $a32 'later: warp 0 comes to the first barrier'
json_is .result.arrivals[0][1] AAAAAAAABBBBBBBBBBBBBBBBBBBBBBBB 'warp 1 to both'
json_is .result.arrivals[1][0] $b32 'warp 0 then comes to the second'
json_is .result.arrivals[1][1] BBBBBBBB........................ 'with 8 lanes of warp 1'
json_is .result.barriers[0].threads 40 '40 at the first'
json_is .result.barriers[1].threads 64 'all at the second'
json_is .faults[1].kind race-shared 'numbers are taken before they are passed on'
say_json 'barrier --variant fullmask --group 4'
json_is .result.arrivals[0][0] AAAABBBBBBBBBBBBBBBBBBBBBBBBBBBB 'fullmask: four lanes wait apart'
json_is .result.barriers[0].waiting 8 'for ever, in both warps'
json_is .result.barriers[0].lanes 0xffffffff 'for all 32'
json_is .result.barriers[1].waiting 56 'and the others for them'
say_json 'barrier --variant branch --threads 48 --who 40'
json_is .result.arrivals[0][1] 'AAAAAAAA........                ' 'a warp that is not full'

# What is no fault by the rules of barriers isn't found.
say_json 'barrier --variant sides --who 32'
json_is .result.range.ok 5 'whole warps at two barriers of one number: nothing is found'
say_json 'barrier --variant return --who 64'
json_is .result.range.ok 5 'nobody leaves early: nothing is found'
say_json 'barrier --variant miscount --group 128'
json_is .result.range.ok 5 'one group of all: the count is right'

# ---- all, calls, other cards -------------------------------------------------------------

say_json 'barrier --variant all'
json_is .status ok 'all: each as documented'
json_is .variants.# 20 'all: every variant'
json_is .variants[0].wrong_on_purpose false 'all: right ones first'
json_is .variants[19].wrong_on_purpose true 'all: wrong ones last'
json_is .variants[0].counters.barriers \
    "$(sed 's/.*"variants":\[{[^}]*"predicted":\([0-9]*\).*/\1/' "$out")" \
    'all: as many waits as predicted'
say 'barrier --variant all --threads 96 --group 32 --who 40 --blocks 5'
status_is 0 'all: sizes go to those that they fit'

say_json 'barrier --variant grid --calls'
json_like .result.calls[2].call cudaLaunchCooperativeKernel 'calls: a cooperative launch'
say_json 'barrier --calls'
json_like .result.calls[1].call 'barrier_block<<<1, 64>>>' 'calls: a plain one'
say 'barrier --variant two-launches --calls'
out_has 'barrier_take<<<' 'calls: two kernels'

say 'barrier --trace --counters'
out_like 'ld.shared.u32 .*64 63 62' 'trace: what was taken'
out_like 'barriers +2$' 'counters: two waits'
say 'barrier --repeat 3'
out_has '3 runs, 3 with the same bits' 'repeated'
say 'set schedule random:1..9; barrier --variant named'
out_has 'right in 9 of 9' 'right under every schedule'

say_json 'barrier --variant flag' --device sim:t4
json_is .result.blocks_at_once 40 't4: 40 blocks of 1024 threads at once'
json_is .result.blocks 40 't4: and so many wait'
say 'barrier --variant grid' --device sim:gk20a
status_is 1 'before 6.0 no grid waits'
err_has '6.0' 'which is said'
err_has 'two-launches' 'with what does'
say 'barrier --variant all' --device sim:gk20a
status_is 0 'but all others run'
say 'barrier --variant cluster' --device sim:t4
status_is 1 'before 9.0 there are no clusters'
err_has '9.0' 'which is said'
err_has 'set device sim:h100' 'with how to simulate one that has'
say_json 'barrier --variant all' --device sim:t4
json_is .status ok 'but all others run'
json_like '.variants[8].not_run' . 'and of clusters it is said that they did not'

# ---- refused -----------------------------------------------------------------------------

while read -r command; do
    say "barrier $command"
    status_is 1 "barrier $command: refused"
    err_like 'at most|at least|for example|shows what|multiple|to be read|larger groups|fewer' \
        "barrier $command: and told what would do"
done <<'END'
--threads 0
--threads 1025
--blocks 0
--blocks 2147483647
--who 0
--variant outside --who 65
--variant named --group 48
--variant named --group 32 --threads 80
--variant named --group 32 --threads 1024
--variant tiles --group 3
--variant tiles --group 64
--variant tiles --group 16 --threads 40
--variant fullmask --group 32
--variant flag --blocks 265
--variant grid --blocks 265
--variant cluster --blocks 6
--variant gridstride --blocks 265
--variant toomany --blocks 264
--variant toobig --blocks 1
END

# ---- the screen --------------------------------------------------------------------------

for variant in block later fullmask toomany all; do
    say "set projector on; barrier --variant $variant" --charset ascii
    is "$(awk 'length($0) > 72' "$out")" '' "$variant: fits a projector"
done
say 'set plain on; barrier --variant later'
out_has 'warp 1: lanes 0 to 7 are at A; 8 to 31 at B' 'plain: who is where is told'
out_lacks 'lane        0' 'plain: not drawn'
say 'barrier' --device sim:h100 --charset ascii
same_as golden/barrier.txt 'the whole screen is as it was'

every_try barrier
done_testing
