# SPDX-License-Identifier: GPL-3.0-or-later
#
# heat: a plate with heaters by loads, textures and shared memory: the same bits as in plain C after
# each step, at many sizes and with both borders; loads as predicted; frames.
#
# Each variant and option, as tests/data/labs.txt explains:
#: heat                                          | right
#: heat --variant all                            | right
#: heat --variant global                         | right
#: heat --variant vector                         | right
#: heat --variant texture                        | right
#: heat --variant shared                         | right
#: heat --border cold --variant texture          | right
#: heat 71x9 --border cold --variant vector --tile 7x5 | right
#: heat --border cold --variant shared --tile 7x9 | right
#: heat 33x7 --steps 20 --frames 4               | right
#: heat 1x1 --steps 3 --variant texture          | right
#: heat 20x10 --heaters 3,4,19,9 --steps 50      | right
#: heat 257x65 --steps 4 --tile 16x16 -k 0.25    | right
#: heat 20x10 -k 1 --steps 60 --variant shared   | right
#: heat --calls                                  | told
#
# What it refuses, as tests/data/refused.txt explains:
#! heat 5x0                                   | at least 1
#! heat 4000x4000                             | more than 4194304 points
#! heat 4x4x4                                 | as in 100x60
#! heat --steps 0                             | at least 1
#! heat --frames 21                           | at most 20
#! heat -k 1.5                                | from 0 to 1
#! heat -k -0.1                               | from 0 to 1
#! heat --tile 64x64                          | at most 1024 threads here
#! heat --heaters 3                           | takes pairs
#! heat --heaters 3,4,5                       | takes pairs
#! heat --heaters 70,4                        | the last one is in column 69 of row 17
#! heat --border hot                          | insulated
#! heat --variant textur                      | did you mean texture
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'heat'
status_is 0 'heat runs'
out_has 'heat_global, 70x18 cells, 100 steps, k = 0.2, insulated' 'what runs'
out_has 'after each of 100 steps all 1,260 cells are as in plain C' 'each step is compared'
out_has '31,800 by all warps; the lab predicted 31,800' 'loads as predicted'
out_has 'step 100: 35 x 9 parts of the plate' 'the last frame'
out_like '^row   4 .* 9 ' 'with its first heater'

# right VARIANT 'OPTIONS' LOADS TEXTURES
right() {
    say_json "heat --variant $1 $2"
    json_is .status ok "$1 $2: ok"
    json_is .result.ok true "$1 $2: checked itself"
    json_is .result.norm 0 "$1 $2: no error"
    json_is .result.predicted "$3" "$1 $2: loads predicted"
    json_is .counters.global_load_requests "$3" "$1 $2: and counted"
    json_is .counters.texture_requests "$4" "$1 $2: textures"
}
right global '' 31800 0
right vector '' 30000 0
right vector '1x1 --steps 5' 10 0
right vector '128x18' 10600 0
right global '128x18' 42400 0
right vector '65x9 --steps 3 --tile 7x5 --border cold' 174 0
right texture '' 5400 27000
right shared '' 15300 0
right shared '--border cold' 12600 0
right global '1x1 --steps 5' 10 0
right texture '1x1 --steps 5' 5 25
right global '65x9 --steps 3 --tile 7x5' 522 0
right texture '65x9 --steps 3 --tile 7x5 --border cold' 87 435

# All of them leave the same plate.
for border in insulated cold; do
    for variant in global vector texture shared; do
        say_json "heat 37x21 --border $border --variant $variant --steps 70"
        echo "$(json .result.mean) $(json .result.coldest)"
    done | sort -u >"$tmp/plates"
    is "$(wc -l <"$tmp/plates" | tr -d ' ')" 1 "$border: all variants leave the same plate"
done
say_json 'heat --steps 1'
mean=$(json .result.mean)
say_json 'heat --steps 400'
ok 'heaters warm the plate' awk "BEGIN { exit !($(json .result.mean) > 10 * $mean) }"
say_json 'heat 9x9 --heaters 4,4 -k 0'
json_is .result.coldest 9.999999747378752e-5 'without a flow nothing changes'
json_is .result.heaters 1 'one heater'
say 'heat 20x10 -k 0.4 --steps 30'
out_has 'the values can swing up and down' 'a k that is too large'
say 'heat 20x10 -k 0.25 --steps 30'
out_lacks 'swing' 'and one that is not'

say 'heat 12x6 --heaters 2,3,9,1 --frames 3 --steps 10'
is "$(grep -o '^step [0-9]*' "$out" | tr '\n' ' ')" 'step 3 step 6 step 10 ' 'frames, evenly'
is "$(grep -c '^row   5' "$out")" 3 'each with all rows'
say 'heat 5x4 --steps 2 --frames 9'
is "$(grep -c '^step' "$out")" 2 'no more frames than steps'
say 'set plain on; heat 6x3 --steps 2 --heaters 1,1'
out_like '^row 1: [0-9. ]*1 ' 'plain: numbers instead of a picture'

say_json 'heat --variant all'
status_is 0 'all: as documented'
json_is .variants.# 4 'four rows'
json_is .variants[3].variant shared 'fewest reads last'
for card in c2050 gk20a gtx970; do
    say_json 'heat --variant all --steps 3' --device sim:$card
    status_is 0 "$card: all"
done
say_json 'heat --calls'
json_is .result.calls.# 5 '--calls'
say_json 'heat --variant texture --calls'
json_like '.result.calls[2].call' '^cudaCreateTextureObject' '--calls: textures are made'
say 'heat --repeat 2 --steps 3 --variant texture'
out_has '2 runs, 2 with the same bits' '--repeat'
say 'heat 4x4 --trace --steps 1 --variant texture'
out_has 'tex.2d' '--trace'

say 'set projector on; heat; heat --variant all; heat --calls; heat --variant texture --calls'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say heat --device sim:h100 --charset ascii
same_as golden/heat.txt 'the whole screen is as it was'
every_try heat
done_testing
