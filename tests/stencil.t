# SPDX-License-Identifier: GPL-3.0-or-later
#
# stencil: sums of neighbours with and without a tile, at any radius and size, and the four ways in
# which the kernel of the lecture goes wrong.
#
# Each variant and option, as tests/data/labs.txt explains:
#: stencil                                       | right
#: stencil --variant all                         | right
#: stencil --variant shared                      | right
#: stencil --variant global                      | right
#: stencil --variant vector                      | right
#: stencil --variant vector -n 100003 --radius 9 | right
#: stencil --variant vector --radius 500 -n 300  | right
#: stencil --variant nobarrier                   | fault race-shared uninitialized | luck its warps may happen to run in step
#: stencil --variant noleft                      | fault out-of-bounds | luck there may be memory before x
#: stencil --variant noright                     | fault out-of-bounds | luck there may be memory behind x
#: stencil --variant shorthalo                   | fault uninitialized
#: stencil --radius 0                            | right
#: stencil --radius 1 -n 1                       | right
#: stencil --radius 40 --threads 33 -n 777       | right
#: stencil --radius 7000 -n 300                | right
#: stencil --variant global --radius 500 -n 300  | right
#: stencil -n 10007 --threads 1024 --seed 5      | right
#: stencil --calls                               | told
#: stencil --radius 8000 --calls                 | told
#
# What it refuses, as tests/data/refused.txt explains:
#! stencil -n 0                               | at least 1
#! stencil -n 1e9                             | at most 4194304
#! stencil --radius -1                        | at least 0
#! stencil --radius 1M                        | at most 65536
#! stencil --threads 1025                     | at most 1024
#! stencil --radius 40000                     | --radius 28928, or --variant global
#! stencil --radius 6500                      | --radius 6016, or --variant global | gk20a
#! stencil --variant noleft --radius 0        | at least --radius 1
#! stencil --variant nobarrier --threads 1    | at least --threads 2
#! stencil --variant shorthalo --radius 64    | at least --radius 65
#! stencil --variant nobarier                 | did you mean nobarrier
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'stencil'
status_is 0 'stencil runs'
out_has 'stencil_shared<<<4, 256, 1048>>>' 'the launch, with the bytes of the tile'
out_like 'score +1,000 of 1,000 sums right: each of 7 elements' 'all sums'
out_like 'tile +262 elements in shared memory' 'a tile with its halo'
out_has '35 by all warps, 1.09 for each element; predicted 35' 'loads, counted and predicted'
say 'stencil --variant global'
out_has '224 by all warps, 7.00 for each element; predicted 224' 'without a tile seven times as many'

# right VARIANT 'OPTIONS' LOADS
right() {
    say_json "stencil --variant $1 $2"
    json_is .status ok "$1 $2: ok"
    json_is .result.ok true "$1 $2: checked itself"
    json_is .result.score "$(json .result.n)" "$1 $2: every sum"
    json_is .result.predicted "$3" "$1 $2: loads predicted"
    json_is .counters.global_load_requests "$3" "$1 $2: and counted"
}
right shared '' 35
right global '' 224
right vector '' 68
right vector '--radius 0' 8
right vector '-n 1 --radius 5' 1
right vector '-n 100000' 2390
right vector '-n 4099 --radius 16' 595
right vector '-n 77 --radius 500' 600
right vector '-n 1001 --radius 40 --threads 33' 947
right shared '--radius 0' 32
right global '--radius 0' 32
right shared '-n 1 --radius 1' 1
right global '-n 1 --radius 5' 1
right shared '-n 77 --radius 40 --threads 33' 13
right global '-n 77 --radius 40 --threads 33' 329
right shared '-n 1000 --radius 1000 --threads 32' 1024
right shared '-n 4096 --radius 32 --threads 1024' 134
right global '-n 100 --radius 500' 496
right shared '-n 1000 --threads 1' 6988
right shared '-n 300 --radius 7000' 22
say_json 'stencil --radius 7000 -n 300'
json_is .result.tile_bytes 57024 'a tile that must be asked for'
say_json 'stencil --radius 7000 -n 300 --calls'
json_like '.result.calls[1].call' '^cudaFuncSetAttribute' '--calls: who asks for it'
say_json 'stencil --calls'
json_is .result.calls.# 4 '--calls: four without'
json_is '.result.calls[1].call' 'stencil_shared<<<4, 256, 1048>>>(x, y, n, radius)' \
    '--calls: the launch'
say_json 'stencil --variant global --calls'
json_is '.result.calls[1].call' 'stencil_global<<<4, 256>>>(x, y, n, radius)' \
    '--calls: no third number without a tile'

# wrong VARIANT FAULT WHERE 'OPTIONS'
wrong() {
    say_json "stencil --variant $1 ${4-}"
    status_is 1 "$1 ${4-} alone ends with 1"
    json_is .status fault "$1 ${4-}: a fault"
    json_is .result.ok false "$1 ${4-}: not right"
    json_like .error.message "--variant shared fixes it" "$1 ${4-}: shared fixes it"
    json_is .result.range.ok 0 "$1 ${4-}: none of the schedules is fine"
    json_is .faults[0].kind "$2" "$1 ${4-}: $2"
    json_like .faults[0].source "stencil.cu:[0-9]+\$" "$1 ${4-}: at its line"
    json_is .faults[0].array "$3" "$1 ${4-}: in $3"
}
wrong nobarrier race-shared tile
json_is .faults[0].cure syncthreads 'nobarrier: a barrier is the cure'
wrong noleft out-of-bounds x
json_is .faults[0].index -3 'noleft: before the start'
wrong noleft out-of-bounds x '--radius 1 -n 1'
wrong noright out-of-bounds x
wrong noright out-of-bounds x '-n 1024'
json_is .faults[0].index 1024 'noright: behind the end, though blocks fit exactly'
wrong shorthalo uninitialized tile
json_is .result.radius 100 'shorthalo: with a radius of its own'
json_is .result.threads 64 'and a block'
wrong shorthalo uninitialized tile '--radius 33 --threads 32'
say 'stencil --variant nobarrier --radius 1 --threads 32'
out_like 'right, by luck; race-shared|WRONG; race-shared' 'one warp: a race all the same'
say 'stencil --variant nobarrier' --schedule random:1..12
err_has 'under 12 of 12' 'a range of schedules'

say_json 'stencil --variant all'
status_is 0 'all: as documented'
json_is .variants.# 7 'seven rows'
json_is .variants[0].variant global 'most loads first'
json_is .variants[2].variant shared 'then the tile'
json_is .variants[3].wrong_on_purpose true 'then the wrong ones'
json_is .result.ok true 'all: ok'
say_json 'stencil --variant all --radius 0'
status_is 0 'all, with nothing to share'
json_is .variants[6].not_run true 'leaves out what is about neighbours'
say_json 'stencil --variant all --radius 30 --threads 32 -n 100'
status_is 0 'all, elsewhere'
for card in c2050 gk20a t4; do
    say_json 'stencil --variant all' --device sim:$card
    status_is 0 "$card: all"
done

say 'stencil --repeat 3'
out_has '3 runs, 3 with the same bits' '--repeat'
say 'stencil --trace -n 64 --threads 32'
out_has 'ld.shared' '--trace shows the loads'
say 'stencil' --schedule independent:1..5
out_has 'right in 5 of 5' 'under each of a range of seeds'

say 'set projector on; stencil --variant all; stencil --variant nobarrier; stencil
stencil --radius 8000 --calls'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say 'set plain on; stencil --variant all'
out_lacks '####' 'plain: no bars'
say stencil --device sim:h100 --charset ascii
same_as golden/stencil.txt 'the whole screen is as it was'
every_try stencil
done_testing
