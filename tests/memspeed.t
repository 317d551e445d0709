# SPDX-License-Identifier: GPL-3.0-or-later
#
# memspeed: forced accesses are counted as predicted, in each memory and at any size; what is not
# forced is gone; and what goes wrong with a short array and with shared places.
#
# Each variant and option, as tests/data/labs.txt explains:
#: memspeed                                      | right
#: memspeed --variant all                        | right
#: memspeed --variant registers                  | right
#: memspeed --variant shared                     | right
#: memspeed --variant global                     | right
#: memspeed --variant constant                   | right
#: memspeed --variant constant-many              | right
#: memspeed --variant short                      | fault out-of-bounds | luck there may be shared memory behind the array
#: memspeed --variant sameplace                  | fault race-global | luck a block may end before the next one starts
#: memspeed --as-written                         | right
#: memspeed --variant shared --as-written        | right
#: memspeed --variant global --as-written        | right
#: memspeed --variant all --as-written           | right
#: memspeed --variant constant-many --words 5    | right
#: memspeed --variant global -n 1 --rounds 1     | right
#: memspeed --variant shared -n 777 --threads 33 --seed 5 | right
#: memspeed --variant shared --calls             | told
#
# What it refuses, as tests/data/refused.txt explains:
#! memspeed -n 0                              | at least 1
#! memspeed -n 1e9                            | at most 1048576
#! memspeed --rounds 0                        | at least 1
#! memspeed -n 1M --rounds 100                | at most --rounds 64
#! memspeed --words 0                         | at least 1
#! memspeed --words 1025                      | at most 1024
#! memspeed --threads 1025                    | at most 1024
#! memspeed --as-written --rounds 5           | leave out --rounds
#! memspeed --as-written --variant constant   | for registers, shared and global only
#! memspeed --variant short --threads 64      | at least --threads 65
#! memspeed --variant short -n 64             | at least -n 65
#! memspeed --variant sameplace -n 256        | at least -n 257
#! memspeed --variant globl                   | did you mean global
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# right VARIANT 'OPTIONS' LOADS STORES GLOBAL: in its rounds, and all loads from global memory
right() {
    say_json "memspeed --variant $1 $2"
    json_is .status ok "$1 $2: ok"
    json_is .result.ok true "$1 $2: checked itself"
    json_is .result.score "$(json .result.n)" "$1 $2: every result"
    json_is .result.round_loads "$3" "$1 $2: loads of its rounds"
    json_is .result.round_loads_predicted "$3" "$1 $2: predicted"
    json_is .result.round_stores_predicted "$4" "$1 $2: and its stores"
    json_is .counters.global_load_requests "$5" "$1 $2: all loads from global memory"
}
right registers '' 0 0 32
right registers '--rounds 1000' 0 0 32
right shared '' 640 640 32
right shared '--rounds 1 -n 33' 2 2 2
right global '' 640 640 672
right global '-n 77 --threads 33 --rounds 7' 35 35 40
right constant '' 640 0 32
right constant-many '' 640 0 32
right constant-many '--words 1024 --threads 1024 --rounds 2000 -n 100' 8000 0 4
right shared '--threads 1 -n 3' 60 60 3
say_json 'memspeed --variant shared'
json_is .counters.shared_load_requests 640 'shared: counted'
json_is .counters.shared_load_conflicts 0 'shared: no bank conflict'
say_json 'memspeed'
fewer=$(json .counters.warp_instructions)
say_json 'memspeed --rounds 40'
ok 'registers: twice the rounds are more instructions' \
    test "$(json .counters.warp_instructions)" -gt $((fewer + 20 * 32 * 2))

# written VARIANT LOADS: of the source; none is left, nor is more than a store for each array
written() {
    say_json "memspeed --variant $1 --as-written"
    json_is .result.ok true "$1 as written: right"
    json_is .result.round_loads 0 "$1 as written: no load is left"
    json_is .result.round_loads_predicted "$2" "$1 as written: the source has them"
    ok "$1 as written: at most two stores for each warp" \
        test "$(json .result.round_stores)" -le 64
    ok "$1 as written: its rounds are gone" \
        test "$(json .counters.warp_instructions)" -lt $((32 * 40))
}
written registers 0
written shared 1312
written global 1312

# Constant memory: the same loads, more words.
say_json 'memspeed --variant constant'
json_is '.result.by_words.#' 6 'six rows'
json_is '.result.by_words[0].different_words' 1 'one word for a warp'
json_is '.result.by_words[5].different_words' 32 'or 32'
json_is '.result.by_words[0].constant_loads' 640 'a load each'
json_is '.result.by_words[5].constant_loads' 640 'and no more'
json_is '.result.by_words[0].global_sectors' 640 'from global memory: a sector each'
for k in 0 1 2 3 4 5; do
    json_is ".result.by_words[$k].right" true "row $k: right"
done
say_json 'memspeed --variant constant --threads 7 -n 50'
json_is '.result.by_words[5].different_words' 7 'no more words than lanes'
json_is '.result.by_words[0].global_sectors' "$(json '.result.by_words[0].global_loads')" \
    'the sectors of x are left out, also where they straddle'

# wrong VARIANT FAULT WHERE FIX
wrong() {
    say_json "memspeed --variant $1"
    status_is 1 "$1 alone ends with 1"
    json_is .status fault "$1: a fault"
    json_like .error.message "--variant $4 fixes it" "$1: $4 fixes it"
    json_is .faults[0].kind "$2" "$1: $2"
    json_like .faults[0].source "memspeed.cu:[0-9]+\$" "$1: at its line"
    json_is .faults[0].array "$3" "$1: in $3"
}
wrong short out-of-bounds place shared
json_is .faults[0].index 64 'short: the first element that is not there'
wrong sameplace race-global place global

say_json 'memspeed --variant all'
status_is 0 'all: as documented'
json_is .variants.# 7 'seven rows'
json_is .variants[0].variant global 'most accesses to global memory first'
json_is .variants[1].variant shared 'then shared memory'
json_is .variants[2].variant constant-many 'then many words'
json_is .variants[3].variant constant 'then one word'
json_is .variants[4].variant registers 'then none'
json_is .result.ok true 'all: ok'
say_json 'memspeed --variant all --as-written'
status_is 0 'all as written'
json_is .variants.# 7 'seven rows here too'
for card in c2050 gk20a t4; do
    say_json 'memspeed --variant all' --device sim:$card
    status_is 0 "$card: all"
done

say 'memspeed --variant shared --calls'
out_has 'memspeed_shared<<<4, 256, 1024>>>(x, y, n, ...)' '--calls: the launch'
say 'memspeed --variant global --as-written --calls'
out_has 'memspeed_global_written<<<4, 256>>>' '--calls: of the kernel as written'
say 'memspeed --repeat 3'
out_has '3 runs, 3 with the same bits' '--repeat'
say 'memspeed --variant shared' --schedule independent:1..5
out_has 'right in 5 of 5' 'under each of a range of seeds'
say 'set projector on; memspeed --variant all; memspeed --variant constant; memspeed --as-written'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say 'set plain on; memspeed --variant all; memspeed --variant constant'
out_lacks '####' 'plain: no bars'
say 'memspeed --variant short' --device sim:h100 --charset ascii
same_as golden/memspeed.txt 'the whole screen is as it was'
every_try memspeed
done_testing
