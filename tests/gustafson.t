# SPDX-License-Identifier: GPL-3.0-or-later
#
# gustafson: the law in numbers, its lines, and the device's own points; and Amdahl's law with the
# part that fits it.
#
# Each variant and option, as tests/data/labs.txt explains:
#: gustafson                                     | right
#: gustafson --serial 0,1 -p 1                   | right
#: gustafson --serial 0.5 -p 16 --work 200       | right
#: gustafson --serial 0.01 -p 10000              | right
#: gustafson --calls                             | told
#
# What it refuses, as tests/data/refused.txt explains:
#! gustafson --serial 2                       | from 0 to 1
#! gustafson --serial 0,0,0,0,0,0,0           | at most 6 parts
#! gustafson -p 0                             | at least 1
#! gustafson --work 0                         | at least 1
#! gustafson -p 133 --calls                   | no program has calls for it
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'gustafson'
status_is 0 'gustafson runs'
by= here=120.30 # instructions, of which clang makes more
test "$KERNELS_BY" != clang || by=-clang here=119.78
out_like "^ +0\\.05 +125\\.45 +$here " 'the law, and this device'
out_has 'E here, modelled' 'its points are in the picture'

say_json 'gustafson --serial 0.25,0,1 -p 4'
json_is .result.ok true 'it checked itself'
json_is .result.parts[0].speedup 3.25 '4 - 0.25 x 3'
json_is .result.parts[1].speedup 4 'nothing is serial'
json_is .result.parts[2].speedup 1 'everything is'
json_is .result.parts[0].serial_items 5 'a quarter of 20 items'
json_is .result.parts[0].items 65 'the rest for each processor'

# Amdahl's law, with the part of one processor's time, gives the same.
say_json 'gustafson --serial 0.25 -p 4'
share=$(json .result.parts[0].one_share)
say_json "amdahl --serial $share -p 4"
json_like .result.parts[0].speedup '^3\.2(5|499999|500000)' 'both laws agree'

for p in 1 2 16 132; do
    say_json "gustafson --serial 0.05,0.5 -p $p --work 200"
    for k in 0 1; do
        ok "$p processors: near the law" awk -v a="$(json ".result.parts[$k].own")" \
            -v b="$(json ".result.parts[$k].speedup")" 'BEGIN { exit !(a <= b && a > 0.97 * b) }'
    done
done
say_json 'gustafson -p 133'
json_absent .result.parts[0].own 'more processors than SMs: no point'
say_json 'gustafson --work 1 --serial 0.5'
json_is .status ok 'a single item'

# The program of --calls has as many items as the lab.
say 'gustafson --serial 0.25 -p 4 --calls'
out_has 'laws_work<<<1, 32>>>(x, 0, 5, 8)' 'the serial items'
out_has 'laws_work<<<1, 32>>>(x, 5, 65, 8)' 'the others by one block'
out_has 'laws_work<<<4, 32>>>(x, 5, 65, 8)' 'and by four'
out_has 'each processor has time for 15 items' 'which the text explains'
say 'gustafson --serial 1 -p 4 --calls'
is "$(grep -o 'laws_work<<<[^)]*)' "$out")" 'laws_work<<<1, 32>>>(x, 0, 20, 8)' 'all items serial'
out_has 'no kernel for more than one block' 'which the text says'

if can_load; then # the program computes what the lab's text says
    say "code gustafson --host --save $tmp/law.cu; gustafson --serial 0.25 -p 132" --json
    law=$(sed -n 's/.*"speedup":\([0-9.]*\).*/\1/p' "$out" | head -n 1)
    say "run $tmp/law.cu -- 0.25 8 10"
    out_has "794 items, 2 of them serial: " 'its task grows with the number of processors'
    out_has "by the law $law; all results are right" 'its program has its own law'
else
    skip 'no compiler of CUDA C' 'its program'
fi

say 'set projector on; gustafson; gustafson -p 10000'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say gustafson --device sim:h100 --charset ascii
same_as "golden/gustafson$by.txt" 'the whole screen is as it was'
every_try gustafson
done_testing
