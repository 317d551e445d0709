# SPDX-License-Identifier: GPL-3.0-or-later
#
# laplace: Jacobi's iteration on grids of many shapes, each step the same bits as in plain C; loads
# as predicted; rows with and without padding; and the two mistakes.
#
# Each variant and option, as tests/data/labs.txt explains:
#: laplace                                       | right
#: laplace --variant all                         | right
#: laplace --variant global                      | right
#: laplace --variant packed                      | right
#: laplace --variant shared                      | right
#: laplace --variant noguard                     | fault out-of-bounds race-global | luck there may be memory behind the arrays
#: laplace --variant inplace                     | fault race-global | luck the order of its warps
#: laplace 33x7 --iters 20                       | right
#: laplace 1x1 --iters 3                         | right
#: laplace 3x3 --variant shared                  | right
#: laplace 257x130 --iters 4 --tile 16x16 --variant shared | right
#: laplace 40 --iters 2                          | right
#: laplace --calls                               | told
#
# What it refuses, as tests/data/refused.txt explains:
#! laplace 5x0                                | at least 1
#! laplace 70000x5                            | at most 65536
#! laplace 4000x4000                          | more than 4194304 points
#! laplace 4x4x4                              | as in 100x60
#! laplace --iters 0                          | at least 1
#! laplace --iters 1e6                        | at most 10000
#! laplace --tile 64x64                       | at most 1024 threads here
#! laplace --tile 8x0                         | at least 1
#! laplace 64x64 --variant noguard            | take 65x64
#! laplace 3x3 --variant inplace              | at least 4x3
#! laplace --variant inplac                   | did you mean inplace
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'laplace'
status_is 0 'laplace runs'
out_has 'laplace_global, 100x60 points, 100 steps, blocks of 32x8' 'what runs'
out_has 'after each of 100 steps all 6,000 points are as in plain C' 'each step is compared'
out_has '105,200 by all warps; the lab predicted 105,200' 'loads as predicted'
out_like '^ *0[.]1 [+]' 'how the residual falls, on a logarithmic axis'

# right VARIANT 'OPTIONS' LOADS SECTORS
right() {
    say_json "laplace --variant $1 $2"
    json_is .status ok "$1 $2: ok"
    json_is .result.ok true "$1 $2: checked itself"
    json_is .result.norm 0 "$1 $2: no error"
    json_is .result.steps "$(json .result.iters)" "$1 $2: all steps"
    json_is .result.predicted "$3" "$1 $2: loads predicted"
    json_is .counters.global_load_requests "$3" "$1 $2: and counted"
    test -z "${4-}" || json_is .counters.global_load_sectors "$4" "$1 $2: sectors"
}
right global '' 105200 350600
json_is .result.pitch 128 'rows begin at multiples of 512 bytes'
right packed '' 105200 368300
json_is .result.pitch 100 'or where the last one ends'
right shared '' 32000
right global '96x60' 81800
right packed '96x60' 81800
right packed '1x1 --iters 7' 7 7
right shared '1x1 --iters 7' 7 7
right global '5x1 --iters 2' 2 2
right global '3x3 --iters 1 --tile 32x1' 7
right shared '65x9 --iters 3 --tile 7x5' 174
right global '65x9 --iters 3 --tile 7x5' 408
right global '2x60000 --iters 1 --tile 1x1024' 3750

# The same iteration ends where the same bits come again.
say_json 'laplace 20x20 --iters 1000'
json_like .result.last_change 'e-8$' 'a small grid settles'
json_is .result.first_change 0.25 'from a quarter on'
for variant in packed shared; do
    say_json "laplace 20x20 --iters 1000 --variant $variant"
    json_like .result.last_change 'e-8$' "$variant does too"
done

# wrong VARIANT KIND 'OPTIONS'
wrong() {
    say_json "laplace --variant $1 ${3-}"
    status_is 1 "$1 ${3-} alone ends with 1"
    json_is .status fault "$1 ${3-}: a fault"
    json_is .result.ok false "$1 ${3-}: not right"
    json_like .error.message '--variant packed fixes it' "$1 ${3-}: packed fixes it"
    json_is .result.range.ok 0 "$1 ${3-}: none of the schedules is fine"
    json_is .faults[0].kind "$2" "$1 ${3-}: $2"
    case $KERNELS_BY in
    clang) ok "$1 ${3-}: a line" grep -q '"source":"kernels/laplace.cu:[0-9]' "$out" ;; # two stores
    *) json_like .faults[0].source 'laplace.cu:[0-9]+$' "$1 ${3-}: at its line" ;; # become one
    esac
}
wrong noguard race-global
wrong noguard out-of-bounds '96x60'
json_is .faults[0].array u 'rows below the grid'
wrong noguard race-global '101x64'
wrong inplace race-global
json_is .result.steps 1 'inplace: in its first step'
wrong inplace race-global '4x3'
say 'laplace --variant inplace' --schedule random:1..8
err_has 'under 8 of 8' 'a range of schedules'

say_json 'laplace --variant all'
status_is 0 'all: as documented'
json_is .variants.# 5 'five rows'
json_is .variants[0].variant packed 'most sectors first'
json_is .variants[2].variant shared 'fewest last'
json_is .variants[3].wrong_on_purpose true 'then the wrong ones'
say_json 'laplace 64x64 --variant all --iters 3'
status_is 0 'all, on a grid that the blocks fit'
json_is .variants[4].not_run true 'leaves out what needs threads outside'
for card in c2050 gtx970; do
    say_json 'laplace --variant all --iters 3' --device sim:$card
    status_is 0 "$card: all"
done
bad 'laplace 2x65536 --tile 1x1 --iters 1' 'a grid has at most 65535 in y'

say_json 'laplace --calls'
json_like '.result.calls[0].call' '^cudaMemcpy2D[(]u, 512' '--calls: rows with a pitch'
say_json 'laplace --variant shared --calls'
json_is '.result.calls[1].call' \
    'laplace_shared<<<dim3(4,8), dim3(32,8), 1360>>>(u, v, 100, 60, 128)' '--calls: the launch'
say 'laplace --repeat 2 --iters 3'
out_has '2 runs, 2 with the same bits' '--repeat'
say 'laplace --trace 4x4 --iters 1'
out_has 'ld.global' '--trace'

say 'set projector on; laplace --variant all; laplace --variant noguard; laplace --variant inplace
laplace --calls; laplace --variant shared'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say 'set plain on; laplace'
out_has '100 points, step and residual' 'plain: the plot in sentences'
say laplace --device sim:h100 --charset ascii
same_as golden/laplace.txt 'the whole screen is as it was'
every_try laplace
done_testing
