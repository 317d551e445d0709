# SPDX-License-Identifier: GPL-3.0-or-later
#
# matadd: who has which element, the sectors of each way as predicted, padded rows of any pitch, the
# two mistakes with the pitch.
#
# Each variant and option, as tests/data/labs.txt explains:
#: matadd                                        | right
#: matadd --variant all                          | right
#: matadd --variant colx                         | right
#: matadd --variant rowx                         | right
#: matadd --variant flat                         | right
#: matadd --variant rowblocks                    | right
#: matadd --variant dense                        | right
#: matadd --variant nopitch                      | fault uninitialized
#: matadd --variant bytepitch                    | fault out-of-bounds | luck a card sees no overrun within its mapped memory
#: matadd 1x1                                    | right
#: matadd 62x76 --block 16x16                    | right
#: matadd 97x33 --variant rowx --block 7x5       | right
#: matadd 3x1000 --variant flat --block 100      | right
#: matadd 40x50 --pitch 204 --variant rowblocks  | right
#: matadd 30x31 --seed 7                         | right
#: matadd --calls                                | told
#
# What it refuses, as tests/data/refused.txt explains:
#! matadd 5x0                                 | at least 1
#! matadd 5x4097                              | at most 4096
#! matadd 2x3x4                               | rows and columns, as in 96x96
#! matadd 4x50 --pitch 196                    | a row of 50 floats has 200 bytes
#! matadd 4x50 --pitch 202                    | a multiple of 4
#! matadd --block 64x32                       | at most 1024
#! matadd --block 2x2x2                       | as in 32x8
#! matadd --variant row                       | did you mean rowx
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say matadd
status_is 0 'matadd runs'
out_has 'right: all 9,216 sums are as in plain C, the padding is unchanged' 'all sums are right'
out_has '512 bytes from row to row: 384 of elements, 128 of padding' 'the pitch'
out_has 'lane 0 has row 0, column 0; lane 31 has row 0, column 31' 'who has what'
say 'matadd --variant rowx'
out_has 'lane 0 has row 0, column 0; lane 31 has row 31, column 0' 'x is the row'

# sectors 'COMMAND' EACH REQUESTS SECTORS
sectors() {
    say_json "$1 --counters"
    json_is .result.ok true "$1: right"
    json_is .result.wrong 0 "$1: no element is wrong"
    json_is .result.sectors_each "$2" "$1: sectors for each load"
    json_is .counters.global_load_requests "$3" "$1: loads"
    json_is .counters.global_load_sectors "$4" "$1: sectors"
}
sectors 'matadd' 4 576 2304
sectors 'matadd --variant rowx' 32 576 18432
sectors 'matadd --variant flat' 4 576 2304
sectors 'matadd --variant rowblocks' 4 576 2304
sectors 'matadd --variant dense' 4 576 2304
sectors 'matadd 32x32 --variant rowx --block 8x32' 8 64 512
sectors 'matadd --block 16x16' 4 576 2304
say_json 'matadd; matadd --variant rowx'
json_is 1:.result.bytes_used 1 'every byte of a sector'
json_is 2:.result.bytes_used 0.125 'four of its 32 bytes'

# A picture of a textbook: 76 columns, 62 rows, blocks of 16 x 16.
say_json 'matadd 62x76 --block 16x16'
json_is .result.blocks 20 'five blocks along x, four along y'
json_is .result.threads 256 'of 256 threads'
json_is .result.idle 408 'some have no element'

# Any shape, block and pitch: sectors as predicted.
for how in 1x1 1x33 33x1 '31x33 --block 32x1' '65x70 --block 1x64' '17x100 --block 7x5' \
    '96x97' '40x41 --pitch 164' '40x41 --pitch 168' '9x300 --block 256x1' '300x9 --block 3x3' \
    '20x50 --seed 3 --block 1024x1' '2x4096 --block 33x3'; do
    say_json "matadd $how --variant all"
    json_is .status ok "$how: all are as documented"
    for i in 0 1 2 3 4; do
        json_is ".variants[$i].counters.global_load_sectors" "$(json ".variants[$i].predicted")" \
            "$how: $(json ".variants[$i].variant"): as many sectors as predicted"
    done
done
say_json 'matadd 96x97 --variant colx; matadd 96x97 --variant dense'
ok 'rows that begin inside a sector need more' \
    test "$(json 2:.counters.global_load_sectors)" -gt "$(json 1:.counters.global_load_sectors)"
say_json 'matadd --variant all'
json_is .variants[0].variant rowx 'most sectors first'
json_is .variants.# 7 'seven rows'
json_is .variants[5].wrong_on_purpose true 'wrong ones last'

# Wrong on purpose.
say_json 'matadd --variant nopitch'
status_is 1 'nopitch ends with 1'
json_is .faults[0].kind uninitialized 'nopitch: reads what no one wrote'
json_like .error.message '--variant colx fixes it' 'nopitch: what fixes it'
say 'matadd --variant nopitch 4x128'
err_has 'right in 5 of 5 schedules' 'nopitch: without padding it is right'
say_json 'matadd --variant bytepitch'
status_is 1 'bytepitch ends with 1'
json_is .faults[0].kind out-of-bounds 'bytepitch: past the end'
say_json 'matadd --variant bytepitch 1x40'
json_is .result.range.right 5 'bytepitch: one row is right'
say_json 'matadd 1x128 --variant all'
json_is .status ok 'in the table they have a size that shows it'

for device in c2050 gk20a t4; do
    say "matadd --variant all" --device "sim:$device"
    status_is 0 "all on $device"
done
say 'matadd --calls; matadd --variant dense --calls'
out_has 'cudaMemcpy2D(a_d, pitch, a, 384, 384, 96, cudaMemcpyHostToDevice)' '--calls'
out_has 'cudaMalloc(&a_d, 384 * 96)' 'dense has no pitch'
out_has 'matadd_colx<<<dim3(3, 12), dim3(32, 8)>>>' 'the launch'
say 'matadd --repeat 3 --trace'
out_has '3 with the same bits' '--repeat'
out_has 'ld.global' '--trace'

say 'set projector on; matadd; matadd --variant all; matadd --variant nopitch; matadd --calls'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say 'set plain on; matadd; matadd --variant all'
out_lacks '###' 'and without pictures'
say matadd --device sim:h100 --charset ascii
same_as golden/matadd.txt 'the whole screen is as it was'

every_try matadd
done_testing
