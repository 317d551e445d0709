# SPDX-License-Identifier: GPL-3.0-or-later
#
# shared: shared memory asked for in every way, right and wrong, at many sizes and on old cards.
#
# Each variant and option, as tests/data/labs.txt explains:
#: shared                                        | right
#: shared --variant all                          | right
#: shared --variant extern                       | right
#: shared --variant static                       | right
#: shared --variant two                          | right
#: shared --variant optin                        | right
#: shared --variant noargument                   | fault out-of-bounds | luck a block may be given more than it asked for
#: shared --variant over48k                      | fault bad-launch
#: shared --variant nobarrier                    | fault race-shared uninitialized | luck its warps may happen to run in step
#: shared --variant overlap                      | wrong
#: shared -n 7 --threads 33                      | right
#: shared -n 10007 --threads 1024                | right
#: shared --variant static -n 4099               | right
#: shared --variant two -n 2^16                  | right
#: shared --variant optin --piece 12500          | right
#: shared --calls                                | told
#
# What it refuses, as tests/data/refused.txt explains:
#! shared -n 0                                | at least 1
#! shared -n -1                               | at least 1
#! shared -n 1e9                              | at most 16777216
#! shared --threads 0                         | at least 1
#! shared --threads 1025                      | at most 1024
#! shared --piece 0                           | at least 1
#! shared --variant optin --piece 60000       | 232448 are the most here: --piece 58112
#! shared --variant optin                     | --piece 12288 | gk20a
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'shared'
status_is 0 'shared runs'
out_has 'mirror_extern<<<4, 256, 1024>>>' 'the launch, with its third number'
out_like 'score +1,000 of 1,000' 'all elements are right'
out_like 'shared +1,024 bytes per block, 1,024 used' 'what a block holds and uses'
out_has 'stores     32, loads 32; the lab predicted 32 of each' 'counted as predicted'
out_has 'block 1,024 bytes, 4 for each of its 256 threads' 'why, in this run'"'"'s numbers'

# right VARIANT 'OPTIONS' HELD USED STORES
right() {
    say_json "shared --variant $1 $2"
    json_is .status ok "$1 $2: ok"
    json_is .result.ok true "$1 $2: checked itself"
    json_is .result.score "$(json .result.n)" "$1 $2: every element"
    json_is .result.held_bytes "$3" "$1 $2: bytes that a block holds"
    json_is .result.used_bytes "$4" "$1 $2: bytes that it uses"
    json_is .result.predicted "$5" "$1 $2: stores predicted"
    json_is .counters.shared_store_requests "$5" "$1 $2: and counted"
}
right extern '' 1024 1024 32
right static '' 4096 1024 32
right two '' 2048 2048 64
right optin '' 65536 65536 1024
right extern '-n 1' 1024 1024 1
right extern '-n 33 --threads 33' 132 132 2
right extern '-n 100 --threads 7' 28 28 15
right static '-n 5000 --threads 1024' 4096 4096 157
right two '-n 5 --threads 33' 264 264 2
right optin '-n 40000 --piece 20000 --threads 96' 80000 80000 1250
right optin '-n 10 --piece 3 --threads 64' 12 12 4
say_json 'shared --variant extern'
json_is .launches '(absent)' 'one launch'
json_is .shared_bytes 1024 'with its shared bytes'
json_is .result.blocks_fit 114 'blocks that an SM has room for'
say_json 'shared --variant optin'
json_is .result.blocks_fit 3 'with long pieces three'
say 'shared --variant optin --piece 1000'
out_has 'This is possible without' 'a small piece needs no asking, and the text says so'

# wrong VARIANT MENDED-BY FAULT
wrong() {
    say_json "shared --variant $1"
    status_is 1 "$1 alone ends with 1"
    json_is .result.ok false "$1: not right"
    json_like .error.message "--variant $2 fixes it" "$1: $2 fixes it"
    json_is .result.schedules.# 5 "$1: under five schedules"
    json_is .result.range.ok 0 "$1: none right"
    if test -n "$3"; then
        json_is .status fault "$1: a fault"
        json_is .faults[0].kind "$3" "$1: $3"
    else
        json_is .status error "$1: an error"
        json_absent .faults[0] "$1: nothing is found, the answer is wrong"
    fi
}
wrong noargument extern out-of-bounds
json_is .result.score 0 'nothing came out'
json_is .faults[0].array tile 'beyond the array without a size'
json_like .faults[0].source 'shared.cu:[0-9]+$' 'at its line'
wrong over48k optin bad-launch
json_like .faults[0].message '65536 bytes.*above 49152 must be asked for' \
    'it says what the limit is'
json_absent .counters 'nothing ran'
wrong nobarrier extern race-shared
json_is .faults.# 1 'the same lines the other way round are no second mistake'
wrong overlap two ''
say 'shared --variant noargument'
out_has 'all 5 tried' 'what all schedules agree in is one row'
say 'shared --variant nobarrier'
out_like '^ +[0-9]+  y\[base \+ i\] = tile' 'the line is quoted'
say 'shared --variant nobarrier --threads 32'
out_like 'right, by luck; race-shared' 'one warp: right by luck, and a race all the same'
say 'shared --variant nobarrier' --schedule random:1..12
err_has 'under 12 of 12' 'a range of schedules'
say 'shared --variant nobarrier --threads 1'
err_has 'no thread waits' 'a piece of one needs no barrier'

say_json 'shared --variant all'
status_is 0 'all: as documented'
json_is .variants.# 8 'eight rows'
json_is .variants[0].variant optin 'the costliest first'
json_is .variants[3].wrong_on_purpose false 'four right ones'
json_is .variants[4].wrong_on_purpose true 'then the wrong ones'
json_is .result.ok true 'all: ok'
say_json 'shared --variant all -n 1 --threads 1'
status_is 0 'all, with nothing to wait for'
json_is .variants[7].not_run true 'leaves out what is about waiting'

# Older cards: 48 KB and no more.
for card in c2050 gk20a gtx970; do
    say_json 'shared --variant all' --device sim:$card
    status_is 0 "$card: all"
    json_is .variants[3].not_run true "$card: no opting in there"
    json_like .variants[3].why '--piece 12288' "$card: what would fit"
done
say 'shared --variant optin' --device sim:gk20a
status_is 1 'optin alone is refused there'
err_has '65536 bytes per block are asked for, and 49152 are the most here' 'and says why'
say 'shared --variant over48k' --device sim:gk20a
out_has 'gives more than 49,152' 'over48k knows that asking would not help'
say_json 'shared --variant optin --piece 12288' --device sim:gk20a
json_is .result.ok true 'what fits runs'

bad 'shared -n 0' 'at least 1'
bad 'shared -n 1e9' 'at most 16777216'
bad 'shared --threads 0' 'at least 1'
bad 'shared --threads 1025' 'at most 1024'
bad 'shared --piece 65537' 'at most 65536'
bad 'shared --variant optin --piece 60000' 'piece 58112'
bad 'shared --variant over48k --piece 100' 'at least --piece 12289'
bad 'shared --variant nobarier' 'nobarrier'
bad 'shared 5' '.'

say 'shared --variant optin --calls'
out_has 'cudaFuncSetAttribute(mirror_big, ...)' '--calls: who asks for more'
out_has '131072 bytes to the device' '--calls: bytes and direction'
say_json 'shared --calls'
json_is .result.calls.# 4 '--calls: four of them without'
json_is '.result.calls[1].call' 'mirror_extern<<<4, 256, 1024>>>(x, y, n)' '--calls: the launch'
say 'shared --repeat 3'
out_has '3 runs, 3 with the same bits' '--repeat'
say 'shared --trace -n 64 --threads 32'
out_has 'st.shared.f32' '--trace shows the store'
say 'shared --counters'
out_has 'shared store requests' '--counters'

say 'set projector on; shared --variant all; shared --variant nobarrier
shared --variant optin --calls'
ok 'a projector: 72 columns' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0
say 'set plain on; shared --variant all'
out_lacks '####' 'plain: no bars'
say shared --device sim:h100 --charset ascii
same_as golden/shared.txt 'the whole screen is as it was'

every_try shared
say 'shared --variant all'
out_like '^optin +32,768 +32,768' 'each row has its own n'
out_has 'race-shared finding under' 'what does not end a launch is a finding'
out_has 'out-of-bounds fault under' 'and what does is a fault'
done_testing
