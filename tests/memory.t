# SPDX-License-Identifier: GPL-3.0-or-later
#
# memory: sizes are the device's own, and the counters say which memory a kernel touched: none
# local where an array has no index, a load for each key and each bin where it has one.
#
# Each variant and option, as tests/data/labs.txt explains:
#: memory                                        | right
#: memory --variant all                          | right
#: memory --variant hierarchy                    | right
#: memory --variant symbol                       | right
#: memory --variant symbol --terms 100 --launches 7 | right
#: memory --variant registers                    | right
#: memory --variant registers --keys 97          | right
#: memory --variant spill                        | right
#: memory --variant spill --blocks 3 --threads 50 | right
#: memory --variant shared-array                 | right
#: memory --variant carveout                     | right
#: memory --variant carveout --shared 40000      | right
#: memory --variant unset                        | fault null out-of-bounds
#: memory --variant symbol --calls               | told
#
# What it refuses, as tests/data/refused.txt explains:
#! memory --variant spil                      | did you mean spill
#! memory --keys 0                            | at least 1
#! memory --terms 16001 --variant symbol      | at most 16000
#! memory --launches 0 --variant symbol       | at least 1
#! memory --shared 3 --variant carveout       | at least 4
#! memory --shared 1G --variant carveout      | at most 232,448
#! memory --threads 1025                      | at most 1024
#! memory --threads 0                         | at least 1
#! memory --blocks 0                          | at least 1
#! memory --blocks 2147483647 --threads 1024  | are possible; take fewer blocks
#! memory --variant carveout --shared 64K     | at most 49,152 | gk20a
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'memory'
status_is 0 'memory runs'
out_like '^register +1,020 B per thread, 256 KiB per SM' 'registers, in bytes'
out_like '^shared +48 KiB per block, 227 KiB on' 'shared memory, also on request'
out_like '^L2 +50 MiB' 'L2'
say 'help memory'
out_has '504' "the textbook's claim"
say 'set width 72; memory'
ok 'within 72 columns' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0
say_json 'memory --threads 100 --blocks 3'
json_is .result.ok true 'checked itself'
json_is .result.results 300 'all threads'
json_is .result.memories.# 8 'eight kinds'
json_is .result.memories[0].bytes 1020 'registers of a thread'
json_is .result.memories[7].bytes 85017493504 'global memory'
for k in 1 2 4 7; do
    json_is ".result.memories[$k].load_requests" 12 "memory $k: a request a warp"
done
json_is .result.memories[5].load_requests 0 'no texture was read'
json_is .counters.constant_load_requests 12 'as the counters say'
json_is .result.table_6_7.# 3 'table 6.7'
json_is .result.table_6_7[0].bytes 252 '63 registers'
json_is .result.table_6_7[1].bytes 1020 '255 registers'
json_is .result.table_6_7[1].claimed_bytes 504 'and what it claims'
say_json 'memory' --device sim:quadro600
json_is .result.memories[0].bytes 252 'a Quadro 600 has 63 a thread'

say_json 'memory --variant symbol --launches 5 --terms 100'
json_is .result.ok true 'symbol: right'
json_is .result.launches 5 'the variable counted on'
json_is .counters.constant_load_requests 2000 'a request a term, warp and launch'
say_json 'memory --variant symbol; memory --variant symbol'
json_is 2:.result.launches 2 'a second run begins at 0'
say_json 'memory --variant symbol --terms 16000 --threads 32'
json_is .result.ok true 'nearly all of constant memory'

# bins VARIANT LOCAL-LOADS SHARED-LOADS
bins() {
    say_json "memory --variant $1 --keys 10 --blocks 2 --threads 96"
    json_is .result.ok true "$1: right"
    json_is .result.results 3072 "$1: 16 bins a thread"
    json_is .counters.local_load_requests "$2" "$1: local loads"
    json_is .counters.shared_load_requests "$3" "$1: shared loads"
    json_is .result.places.# 3 "$1: beside the others"
    json_is .result.places[0].local_load_requests 0 'registers: none local'
    json_is .result.places[1].local_load_requests 156 'spill: 10 keys and 16 bins a warp'
}
bins registers 0 0
bins spill 156 0
bins shared-array 0 156
say_json 'memory --variant registers'
json_is .counters.local_store_requests 0 'registers: nothing is stored in local memory'
say_json 'memory --variant shared-array'
json_is .counters.shared_load_conflicts 0 'shared-array: no conflict'

# carveout PROFILE BYTES BLOCKS DIVISIONS
carveout() {
    say_json "memory --variant carveout --shared $2" --device "sim:$1"
    json_is .result.ok true "$1: $2 bytes can be used"
    json_is .result.blocks_per_sm "$3" "$1: $3 blocks of $2 fit"
    json_is .result.carveouts.# "$4" "$1: divided in $4 ways"
}
carveout h100 65536 3 10
carveout h100 232448 1 10
carveout h100 4 227 10
carveout a100 32768 4 8
carveout rtx3090 32K 3 6
carveout t4 64K 1 2
carveout gtx970 48K 2 1
carveout gk20a 16K 3 3
carveout c2050 48K 1 2
say_json 'memory --variant carveout'
json_is .result.opted_in true 'more than 48 KB were asked for'
json_is .result.carveouts[9].shared_bytes 233472 'the most'
json_is .result.carveouts[9].l1_bytes 28672 'and what L1 keeps'
say_json 'memory --variant carveout' --device sim:gtx970
json_is .result.shared_bytes 49152 'the usual size is what the card has'
json_is .result.opted_in false 'without asking'
json_absent .result.carveouts[0].l1_bytes 'L1 lies apart on Maxwell'

say 'memory --variant unset'
status_is 1 'unset fails'
err_has 'symbol fixes it' 'and what fixes it'
out_like '^fault +null' 'a null pointer'
out_like 'kernels/memory.cu:[0-9]+' 'with its line'
say_json 'memory --variant unset'
json_is .result.ok false 'ok is false'
json_is .result.schedules.# 5 'under five schedules'
json_is .faults[0].kind null 'the fault'
say_json 'memory --variant unset; memory --variant symbol'
json_is 2:.result.ok true 'and symbol is right after it'

say_json 'memory --variant all'
status_is 0 'all: as documented'
json_is .variants.# 7 'seven rows'
json_is .variants[0].variant spill 'most requests first'
json_is .variants[0].predicted 320 'predicted'
json_is .variants[0].counters.local_load_requests 320 'and counted'
json_is .variants[6].variant unset 'the wrong one last'
json_is .variants[6].wrong_on_purpose true 'and marked'
for profile in $(cards); do
    say_json 'memory --variant all' --device "sim:$profile"
    json_is .result.ok true "$profile: all"
done
say 'memory --variant symbol --calls'
out_has 'cudaMemcpyToSymbol' 'calls: by name'
say 'memory --variant carveout --calls'
out_has 'MaxDynamicSharedMemorySize' 'calls: opting in'
say 'memory --variant spill --trace'
out_has 'ld.local' 'the trace has the local load'

for bad in '--shared 5 --variant carveout' '--shared 228K --variant carveout' '--blocks 100000000' \
    '--threads 0' '--threads 1025' '--terms 16001' '--terms 0' '--launches 0' '--keys -1' \
    '--variant spil' '--keys 65536 --blocks 10 --variant spill' 'x' \
    '--variant symbol --terms 16000 --blocks 100000'; do
    say "memory $bad"
    status_is 1 "memory $bad: refused"
    err_like 'at most|at least|multiple|the most|did you mean|whole number|usage is' \
        "memory $bad: told why"
done
say 'memory --variant shared-array --threads 1024' --device sim:c2050
status_is 1 'a Fermi has no 64 KB a block'
err_has '49,152' 'and says what it has'

every_try memory
done_testing
