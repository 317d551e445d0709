# SPDX-License-Identifier: GPL-3.0-or-later
#
# diverge: results as in plain C, divergent branches as the rule says, the steps of one warp with
# its idle lanes, and lanes that meet after a branch.
#
# Each variant and option, as tests/data/labs.txt explains:
#: diverge                                       | right
#: diverge --variant all                         | right
#: diverge --variant data                        | right
#: diverge --negative 3 -n 1000 --threads 50     | right
#: diverge --negative 0                          | right
#: diverge --variant sorted                      | right
#: diverge --variant sorted --warp 1 -n 100      | right
#: diverge --variant lane                        | right
#: diverge --variant lane --group 5 -n 77        | right
#: diverge --variant warp                        | right
#: diverge --variant select                      | right
#: diverge --variant loop                        | right
#: diverge --variant loop --rounds 30 --seed 4   | right
#: diverge --variant switch                      | right
#: diverge --variant switch --ways 8             | right
#: diverge --variant return                      | right
#: diverge --variant return --rounds 20 --negative 90 | right
#: diverge --variant meet                        | right
#: diverge --variant meet -n 45 --threads 33     | right
#: diverge --variant nosync                      | fault race-shared uninitialized | luck its lanes may happen to run in step
#: diverge --calls                               | told
#: diverge --variant loop --calls                | told
#
# What it refuses, as tests/data/refused.txt explains:
#! diverge -n 0                               | at least 1
#! diverge -n 2^23                            | at most 4194304
#! diverge --negative 101                     | at most 100
#! diverge --negative -1                      | at least 0
#! diverge --group 0 --variant lane           | at least 1
#! diverge --group 4                          | --variant lane takes --group
#! diverge --group 4 --variant warp           | --variant lane takes --group
#! diverge --ways 9 --variant switch          | at most 8
#! diverge --ways 2                           | --variant switch takes --ways
#! diverge --rounds 0 --variant loop          | at least 1
#! diverge --rounds 4                         | --variant loop takes --rounds
#! diverge --negative 4 --variant loop        | --variant data takes --negative
#! diverge --warp 4                           | at most 3
#! diverge --threads 1025                     | at most 1024
#! diverge --variant slect                    | did you mean select
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# parts 'OPTIONS' WARPS MIXED: so many warps, of which so many have lanes on several sides
parts() {
    say_json "diverge $1"
    json_is .status ok "diverge $1: ok"
    json_is .result.ok true "diverge $1: every result is right, and counted as predicted"
    json_is .result.warps "$2" "diverge $1: $2 warps"
    json_is .result.mixed_warps "$3" "diverge $1: $3 of them with several sides"
}
parts '' 8 8
parts '--negative 0' 8 0
parts '--negative 100' 8 0
parts '--variant sorted' 8 1
parts '--variant lane' 8 8
parts '--variant lane --group 16' 8 8
parts '--variant lane --group 32' 8 0
parts '--variant lane --group 48' 8 2
parts '--variant warp' 8 0
parts '--variant select' 8 0
parts '--variant switch' 8 8
parts '--variant switch --ways 1' 8 0
parts '--variant loop --rounds 1' 8 0
parts '--variant return --negative 100' 8 0
parts '--variant meet' 8 8
parts '-n 1' 4 0
parts '-n 1000 --threads 50 --variant lane' 40 40

# A warp that takes both sides runs both; where whole warps go apart, each runs one.
say_json 'diverge --variant lane'
json_is .counters.divergent_branches 8 'lane: a divergent branch in each warp'
both=$(json .counters.warp_instructions)
ok 'lanes are idle' awk -v busy="$(json .result.busy)" 'BEGIN { exit !(busy < 1) }'
say_json 'diverge --variant warp'
json_is .counters.divergent_branches 0 'warp: none'
json_is .result.busy 1 'and every lane is busy'
ok 'with fewer instructions' test "$(json .counters.warp_instructions)" -lt "$both"
say_json 'diverge --variant select'
json_is .counters.divergent_branches 0 'select: none'
json_is .result.busy 1 'and every lane is busy'
say_json 'diverge --variant switch --ways 8'
json_is .result.body 0.125 'eight ways: an eighth of the lanes works'
say_json 'diverge --variant loop --rounds 1'
json_is .result.body 1 'rounds of the same number: all of them'

say_json 'diverge --variant lane --group 8'
json_is .result.drawn.# 1 'one warp is drawn'
json_is .result.drawn[0].warp 0 'the first'
masks=$(grep -o '"mask":"[^"]*"' "$out" | tr -d '\n')
like "$masks" '0x00ff00ff' 'eight lanes and eight lanes on one side'
like "$masks" '0xff00ff00' 'the others on the other'
say_json 'diverge --variant warp --warp 1'
json_is .result.drawn.# 2 'two warps side by side'
json_is .result.drawn[1].warp 2 'the one that was asked for, and the next'
is "$(grep -o '"mask":"[^"]*"' "$out" | sort -u)" '"mask":"0xffffffff"' 'no lane is idle in them'

say 'diverge --variant lane' --charset ascii
out_like '^ +[0-9]+  (#\.){4} (#\.){4} (#\.){4} (#\.){4} +16 +[0-9]+  x\[i\] \+= 1;$' 'one side'
out_like '^ +[0-9]+  (\.#){4} (\.#){4} (\.#){4} (\.#){4} +16 +[0-9]+  x\[i\] -= 2;$' 'and the other'
say 'diverge --variant lane --threads 20 -n 20'
out_like '^ +1  #{8} #{8} #{4} +20 ' 'lanes without a thread are not drawn'
say 'set plain on; diverge --variant lane --group 8'
out_like '16 busy lanes: 0 to 7, 16 to 23\.' 'in sentences'
say 'set width 40; diverge --variant loop'
ok 'within 40 columns' test "$(awk 'length > 40' "$out" | wc -l)" -eq 0

say 'diverge --negative 0'
out_has 'All lanes of each warp go the same way' 'where nothing diverges, that is explained'

say 'diverge --variant nosync'
status_is 1 'nosync fails'
err_has 'meet fixes it' 'and what fixes it'
out_like 'lockstep +256 +right, by luck; race-shared' 'in lockstep it is right by luck'
say_json 'diverge --variant nosync'
json_is .result.schedules[3].ok false 'lanes on their own'

say_json 'diverge --variant all'
status_is 0 'all: as documented'
json_is .variants.# 10 'ten rows'
json_is .variants[9].variant nosync 'the wrong one last'
for profile in $(cards); do
    say_json 'diverge --variant all' --device "sim:$profile"
    json_is .result.ok true "$profile: all"
done
say 'set schedule independent:3; diverge'
out_has 'the lanes of a warp run together' 'lanes run together to be counted'
status_is 0 'and it is right'
say 'help diverge'
out_has 'two warps of one SM are enough' 'what the textbook says of two SMs'

every_try diverge
done_testing
