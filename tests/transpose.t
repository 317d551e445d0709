# SPDX-License-Identifier: GPL-3.0-or-later
#
# transpose: the sectors and wavefronts of each way as predicted, at sizes that tiles do not fit and
# that allow no accesses of four elements; the copy that bounds it, and two mistakes.
#
# Each variant and option, as tests/data/labs.txt explains:
#: transpose                                       | right
#: transpose --variant all                         | right
#: transpose --variant padded                      | right
#: transpose --variant naive-read                  | right
#: transpose --variant naive-write                 | right
#: transpose --variant tiled                       | right
#: transpose --variant swizzled                    | right
#: transpose --variant rows4                       | right
#: transpose --variant best                        | right
#: transpose --variant copy                        | right
#: transpose --variant nobarrier                   | fault race-shared uninitialized | luck its warps may happen to run in step
#: transpose --variant sameplace                   | wrong
#: transpose --variant sameplace -n 70             | fault uninitialized
#: transpose -n 1 -m 1                             | right
#: transpose -n 130 -m 70 --variant best           | right
#: transpose -n 132 -m 70 --variant best           | right
#: transpose -n 70 -m 132 --variant best           | right
#: transpose -n 132 -m 68 --variant best           | right
#: transpose -n 1000 -m 3 --variant copy           | right
#: transpose -n 33 -a iota --seed 3                | right
#: transpose --calls                               | told
#
# What it refuses, as tests/data/refused.txt explains:
#! transpose -n 0                                  | at least 1
#! transpose -m 16385                              | at most 16384
#! transpose -a iota:1:2:3                         | iota
#! transpose --variant nobarrier -n 1              | at least -n 2
#! transpose --variant sameplace -n 32             | at least -n 33
#! transpose --variant paded                       | did you mean padded
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

right='padded naive-read naive-write tiled swizzled rows4 best copy'

say transpose
status_is 0 'transpose runs'
out_has 'right: all 1,048,576 elements of B are as in plain C' 'all elements'
say 'transpose --variant copy'
out_has 'B = A, A 1,024 x 1,024' 'a copy is called one'
out_has 'right: all 1,048,576 elements of B are as in A (a copy)' 'and is judged as one'

# needs VARIANT LOADED STORED WAVEFRONTS: of 128 x 128 elements
needs() {
    say_json "transpose --variant $1 -n 128"
    json_is .result.ok true "$1: right"
    json_is .result.wrong 0 "$1: no element is wrong"
    json_is .counters.global_load_sectors "$2" "$1: sectors of loads"
    json_is .counters.global_store_sectors "$3" "$1: sectors of stores"
    json_is .counters.shared_load_wavefronts "$4" "$1: wavefronts of loads from the tile"
}
needs naive-read 2048 16384 0
needs naive-write 16384 2048 0
needs tiled 2048 2048 16384
needs padded 2048 2048 512
needs swizzled 2048 2048 512
needs rows4 2048 2048 512
needs best 2048 2048 512
needs copy 2048 2048 0

# What each rung gains over the one before, in its own column.
say_json 'transpose --variant all'
json_is .status ok 'all are as documented'
json_is .variants.# 10 'ten rows'
json_is .variants[8].wrong_on_purpose true 'wrong ones last'
of() { # of VARIANT COUNTER
    for i in 0 1 2 3 4 5 6 7; do
        test "$(json ".variants[$i].variant")" = "$1" && json ".variants[$i].counters.$2"
    done
}
fewer() { # fewer VARIANT THAN COUNTER TIMES: by this factor at least
    ok "$1 needs a $4th of the $3 of $2" test "$(($(of "$1" "$3") * $4))" -le "$(of "$2" "$3")"
}
fewer tiled naive-read global_store_sectors 8
fewer tiled naive-write global_load_sectors 8
fewer padded tiled shared_load_wavefronts 32
fewer swizzled tiled shared_load_wavefronts 32
fewer best rows4 global_load_requests 4
fewer best rows4 warp_instructions 2
ok 'rows4 needs fewer instructions than padded' \
    test "$(of rows4 warp_instructions)" -lt "$(of padded warp_instructions)"
for counter in global_load_sectors global_store_sectors global_load_requests global_store_requests; do
    is "$(of best "$counter")" "$(of copy "$counter")" "best needs no more than a copy: $counter"
done

# Any size: right, and as predicted. Of 4 columns or rows, of 2 x 2 tiles with a rest of each kind.
for size in '-n 1' '-n 1 -m 33' '-n 33 -m 1' '-n 2 -m 100' '-n 3 -m 70' '-n 4 -m 129' '-n 8 -m 8' \
    '-n 31 -m 65' '-n 32 -m 33' '-n 36 -m 36' '-n 64' '-n 65' '-n 66 -m 68' '-n 68 -m 66' \
    '-n 100 -m 36' '-n 127 -m 130' '-n 129 -m 4' '-n 500 -m 7'; do
    for variant in $right; do
        printf 'transpose --variant %s %s\n' "$variant" "$size"
    done >"$tmp/sizes.lab"
    lab --json "$tmp/sizes.lab" </dev/null
    status_is 0 "$size: all run"
    is "$(grep -c '"ok":true' "$out")" 8 "$size: all are right"
    sed 's/.*"load_sectors":\([0-9]*\),"store_sectors":\([0-9]*\),"wavefronts":\([0-9]*\).*/\1 \2 \3/' \
        "$out" >"$tmp/predicted"
    while IFS= read -r line; do
        for counter in global_load_sectors global_store_sectors shared_load_wavefronts; do
            echo "$line" | grep -o "\"$counter\":[0-9]*" | grep -o '[0-9]*$' || echo 0
        done | tr '\n' ' ' | sed 's/ $//'
        echo
    done <"$out" >"$tmp/counted"
    is "$(diff "$tmp/predicted" "$tmp/counted")" '' "$size: sectors and wavefronts as predicted"
done

# Accesses of four elements are possible on one side only.
say_json 'transpose --variant best -n 132 -m 70'
json_like .explain 'Each load brings a float4' 'rows of A have a multiple of four elements'
json_like .explain 'm is not a multiple of 4, so each store writes one float' 'and rows of B have none'
say_json 'transpose --variant best -n 70 -m 132'
json_like .explain 'n is not a multiple of 4, so each load brings one float' 'rows of A have none'
json_like .explain 'Each store writes a float4' 'and rows of B have one'

# Wrong on purpose.
say_json 'transpose --variant nobarrier'
status_is 1 'nobarrier ends with 1'
json_is .faults[0].kind race-shared 'nobarrier: a race in shared memory'
json_is .faults[0].array tile 'in the tile'
json_is .faults[0].cure syncthreads 'a barrier is the cure'
json_like .error.message '--variant padded fixes it' 'nobarrier: what fixes it'
say_json 'transpose --variant nobarrier -n 2 -m 1'
json_is .faults[0].kind race-shared 'nobarrier: two elements are enough'
say_json 'transpose --variant sameplace'
status_is 1 'sameplace ends with 1'
json_is .faults.# 0 'sameplace: every access is allowed'
json_is .result.wrong 2048 'all but the tiles on the diagonal are wrong'
json_is .result.range.right 0 'sameplace: under no schedule is it right'
say_json 'transpose --variant sameplace -n 70'
json_is .faults[0].kind uninitialized 'sameplace: at the edge it reads what no thread wrote'
say_json 'transpose --variant sameplace -a value:1 -n 64'
json_is .result.range.right 5 'sameplace: right by luck if all elements are the same'

for device in c2050 gk20a t4; do
    say 'transpose --variant all' --device "sim:$device"
    status_is 0 "all on $device"
done
say 'transpose --calls; transpose --variant naive-write -n 40 -m 100 --calls'
out_has 'transpose_padded<<<dim3(32, 32), dim3(32, 32)>>>(a_d, b_d, 1024, 1024)' 'the launch'
out_has 'transpose_naive_write<<<dim3(4, 2), dim3(32, 32)>>>' 'x goes along the rows'
say 'transpose --repeat 3 --trace'
out_has '3 with the same bits' '--repeat'
out_has 'ld.shared' '--trace'

say 'set projector on; transpose; transpose --variant all; transpose --variant nobarrier; transpose --calls'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say 'set plain on; transpose; transpose --variant all'
out_lacks '###' 'and without pictures'
say transpose --device sim:h100 --charset ascii
same_as golden/transpose.txt 'the whole screen is as it was'

every_try transpose
done_testing
