# SPDX-License-Identifier: GPL-3.0-or-later
#
# amdahl: the law in numbers, its curves, and the device's own points.
#
# Each variant and option, as tests/data/labs.txt explains:
#: amdahl                                        | right
#: amdahl --serial 0,1 -p 1                      | right
#: amdahl --serial 0.3 -p 7 --work 3             | right
#: amdahl --serial 0.01,0.001 -p 10000           | right
#: amdahl --calls                                | told
#
# What it refuses, as tests/data/refused.txt explains:
#! amdahl --serial 1.5                        | from 0 to 1
#! amdahl --serial -0.1                       | from 0 to 1
#! amdahl --serial 0,0,0,0,0,0,0              | at most 6 parts
#! amdahl --serial half                       | is not a number
#! amdahl -p 0                                | at least 1
#! amdahl -p 1e9                              | at most 1048576
#! amdahl --work 0                            | at least 1
#! amdahl --work 1001                         | at most 1000
#! amdahl -p 133 --calls                      | no program has calls for it
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'amdahl'
status_is 0 'amdahl runs'
out_has "Amdahl's law: the speed-up by 132 processors" 'as many as the device has SMs'
by= here=17.39 # instructions, of which clang makes more
test "$KERNELS_BY" != clang || by=-clang here=17.38
out_like "^ +0\\.05 +17\\.48 +$here +20 " 'the law, this device, the limit'
out_has 'modelled by instructions: one block on each of 132 of 132 SMs' 'a simulator says that it is a model'
out_has 'E here, modelled' 'its points are in the picture'

say_json 'amdahl --serial 0.25,0,1 -p 4'
json_is .status ok 'it runs'
json_is .result.ok true 'it checked itself'
json_is .result.modelled true 'and says that it is a model'
json_is .result.parts[0].speedup 2.2857142857142856 '1 / (0.25 + 0.75 / 4)'
json_is .result.parts[0].limit 4 'at most four times'
json_is .result.parts[0].gustafson 3.25 'the other law'
json_is .result.parts[1].speedup 4 'nothing is serial'
json_absent .result.parts[1].limit 'so there is no limit'
json_is .result.parts[2].speedup 1 'everything is'
json_is .result.parts[2].own 1 'on the device too'
json_is .result.parts[0].serial_items 20 'a quarter of 80 items'
json_is .result.parts[0].items 80 'of all processors'

# The model keeps within a few percent of the law, where shares are equal.
for p in 1 2 16 132; do
    say_json "amdahl --serial 0.05,0.5 -p $p --work 40"
    for k in 0 1; do
        ok "$p processors: near the law" awk -v a="$(json ".result.parts[$k].own")" \
            -v b="$(json ".result.parts[$k].speedup")" 'BEGIN { exit !(a <= b && a > 0.97 * b) }'
    done
done
say_json 'amdahl -p 133'
json_absent .result.parts[0].own 'more processors than SMs: no point'
json_absent .kernel 'and no launch'
say 'amdahl -p 133'
out_has 'the device has fewer SMs' 'which it says'
say_json 'amdahl' --device sim:gtx970
json_is .result.processors 13 'another card has other SMs'
say 'set plain on; amdahl'
out_like '^0.05: 64 points' 'plain: the curves in sentences'
say 'amdahl -p 1 --serial 0'
status_is 0 'one processor'
say 'amdahl --counters --serial 0.5 -p 2'
out_has 'warp instructions' '--counters'

# The program of --calls does what the lab does: its first launch has the serial items, the others
# have what is left, with one block and with one for each processor.
launches() { # launches COMMAND LAUNCHES
    say_json "$1 --calls"
    json_is .status ok "$1 --calls: told"
    is "$(grep -o 'laws_work<<<[^)]*)' "$out" | sed 's/laws_work//' | tr '\n' ' ')" "$2" \
        "$1: the launches of its program"
    json_absent .kernel "$1 --calls: and none is made"
}
launches 'amdahl --serial 0.25 -p 4' \
    '<<<1, 32>>>(x, 0, 20, 8) <<<1, 32>>>(x, 20, 80, 8) <<<4, 32>>>(x, 20, 80, 8) '
launches 'amdahl --serial 0 -p 4' '<<<1, 32>>>(x, 0, 80, 8) <<<4, 32>>>(x, 0, 80, 8) '

say 'set projector on; amdahl; amdahl -p 10000'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say amdahl --device sim:h100 --charset ascii
same_as "golden/amdahl$by.txt" 'the whole screen is as it was'
every_try amdahl
done_testing
