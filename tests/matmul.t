# SPDX-License-Identifier: GPL-3.0-or-later
#
# matmul: every rung on sizes that fit no tile, its loads as predicted, what the missing barriers
# do, where one block ends, f16, cuBLAS on the fakes.
#
# Each variant and option, as tests/data/labs.txt explains:
#: matmul                                        | right
#: matmul --variant all                          | right
#: matmul --variant oneblock                     | right
#: matmul --variant naive-rowx                   | right
#: matmul --variant naive                        | right
#: matmul --variant tiled16                      | right
#: matmul --variant tiled32                      | right
#: matmul --variant regtile                      | right
#: matmul --variant regtile8                     | right
#: matmul --variant wide                         | right
#: matmul --variant double                       | right
#: matmul --variant async                        | right
#: matmul --variant warptile                     | right
#: matmul --variant wmma                         | right
#: matmul --variant mma                          | right
#: matmul --variant cublas                       | library
#: matmul --variant nobarrier1                   | fault race-shared uninitialized | luck warps may run at the same speed
#: matmul --variant nobarrier2                   | fault race-shared | luck warps may run at the same speed
#: matmul -n 1                                   | right
#: matmul -n 100 -m 37 -k 21                     | right
#: matmul -n 130 -k 7 --variant wide             | right
#: matmul -n 67 -m 129 --variant async           | right
#: matmul -n 256 -m 512 -k 70 --variant mma      | right
#: matmul -n 256 -m 512 -k 64 --variant mma      | right
#: matmul -n 67 -m 129 -k 20 --variant warptile  | right
#: matmul -n 1024 -m 1024 -k 8 --variant warptile | right
#: matmul -n 2048 -m 1024 -k 8 --variant warptile | right
#: matmul -n 2044 -m 1023 -k 9 --variant warptile | right
#: matmul -n 33 -m 31 --variant oneblock         | right
#: matmul -n 20 -a iota -b value:0.5             | right
#: matmul -n 50 --seed 7 --variant wmma          | right
#: matmul --calls                                | told
#
# What it refuses, as tests/data/refused.txt explains:
#! matmul -n 0                                | at least 1
#! matmul -n -5                               | at least 1
#! matmul -n 4097                             | at most 4096
#! matmul -m 0                                | at least 1
#! matmul -k 5000                             | at most 4096
#! matmul --variant oneblock -n 33            | at most 1,024 threads
#! matmul --variant oneblock -m 5 -n 205      | at most 1,024 threads
#! matmul --variant wmma -a value:70000       | too large for f16
#! matmul -a value:1e18 -b value:1e18 -k 400  | too large for a float
#! matmul -a file:x                           | a lab reads no files
#! matmul --variant tiled                     | did you mean tiled16
#! matmul --variant wmma                      | compute capability 7.0 | titanx
#! matmul --variant async                     | needs compute capability 8.0 | t4
#! matmul --variant mma                       | needs compute capability 8.0 | t4
#! matmul --variant mma                       | need 147,456 bytes of shared memory | rtx3090
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

rungs='oneblock naive-rowx naive tiled16 tiled32 regtile regtile8 wide double async warptile wmma mma'

say matmul
status_is 0 'matmul runs'
out_has 'all 128 x 128, 8 x 8 blocks' 'in blocks of 16 x 16'
out_has 'right: all 16,384 elements of C' 'all elements are right'
out_has '0.125 for each multiply-add' 'a lecture has 512 loads for 4,096 multiply-adds'

# right VARIANT LOADS SECTORS LOADS-EACH FLOP-EACH: of 128 x 128
right() {
    say_json "matmul --counters --variant $1"
    json_is .status ok "$1: ok"
    json_is .result.ok true "$1: checked itself"
    json_is .result.wrong 0 "$1: no element is wrong"
    json_is .result.products 2097152 "$1: multiply-adds"
    json_is .counters.global_load_requests "$2" "$1: loads"
    json_is .counters.global_load_sectors "$3" "$1: sectors"
    json_is .result.loads_each "$4" "$1: loads for each multiply-add"
    json_is .result.flop_each "$5" "$1: FLOP per byte"
}
right naive-rowx 131072 2162688 2 0.06060606060606061
right naive 131072 327680 2 0.4
right tiled16 8192 32768 0.125 4
right tiled32 4096 16384 0.0625 8
right regtile 2048 8192 0.03125 16
right regtile8 1024 4096 0.015625 32
right wide 256 4096 0.00390625 32
right double 256 4096 0.00390625 32
right async 256 4096 0.00390625 32
right warptile 768 12288 0.01171875 10.666666666666666
right wmma 256 4096 0.00390625 32
right mma 1024 16384 0.015625 8

# From shared memory: two for each multiply-add, then one for each tile of registers.
for pair in tiled16:2 regtile:0.5 regtile8:0.25 wide:0.0625 double:0.0625 async:0.0625 warptile:0.125; do
    say_json "matmul --variant ${pair%:*}"
    json_is .result.shared_each "${pair#*:}" "${pair%:*}: loads from shared memory"
done
say_json 'matmul --counters --variant wide; matmul --counters --variant double
matmul --counters --variant async'
json_is 1:.counters.barriers 256 'wide: two barriers a step'
json_is 2:.counters.barriers 136 'double: one, and one before the first'
json_is 3:.counters.barriers 128 'async: one'

# The last rungs: the loads of double with fewer instructions, and larger tiles than those of wmma.
say_json 'matmul -n 2048 -m 1024 -k 16 --variant double
matmul -n 2048 -m 1024 -k 16 --variant warptile
matmul -n 512 -k 64 --variant wmma; matmul -n 512 -k 64 --variant mma'
json_is 2:.counters.global_load_requests "$(json 1:.counters.global_load_requests)" 'the same loads'
json_is 2:.counters.shared_load_requests "$(json 1:.counters.shared_load_requests)" 'everywhere'
ok 'warptile: fewer instructions' test "$(json 2:.counters.warp_instructions)" \
    -lt "$(json 1:.counters.warp_instructions)"
json_is 3:.counters.global_load_requests 2048 'wmma: 8 times all of A and of B'
json_is 4:.counters.global_load_requests 768 'mma: 4 times A and twice B'

# Any shape, also where no row begins at a multiple of 16 bytes; the loads are as predicted.
for sizes in '-n 1' '-n 3 -m 2 -k 5' '-n 31 -m 33 -k 17' '-n 16 -m 64 -k 128' '-n 65 -m 20 -k 130' \
    '-n 100 -m 37 -k 21' '-n 132 -m 4 -k 12' '-n 129 -m 129 -k 9' '-n 4 -m 300 -k 3' \
    '-n 300 -m 1 -k 64' '-n 136 -m 70 -k 24' '-n 258 -m 66 -k 18'; do
    say_json "matmul $sizes --variant all"
    json_is .status ok "$sizes: all are as documented"
    for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13; do
        predicted=$(json ".variants[$i].predicted")
        test "$(json ".variants[$i].not_run")" = true ||
            json_is ".variants[$i].counters.global_load_requests" "$predicted" \
                "$sizes: $(json ".variants[$i].variant"): as many loads as predicted"
    done
done

# All but tensor cores add the products of an element in the same order: the same bits.
say_json 'matmul -n 32 --variant all'
norm=$(json .variants[0].norm)
for i in 1 2 3 4 5 6 7 8 9 10; do
    json_is ".variants[$i].norm" "$norm" "$(json ".variants[$i].variant"): the same error"
done
json_is .variants[0].variant oneblock 'the first rung first'
json_is .variants[12].variant mma 'tensor cores last'
json_is .variants[13].not_run true 'cublas is not run'
json_is .variants[14].wrong_on_purpose true 'then the wrong ones'
json_is .variants.# 16 '16 rows'
say_json 'matmul --variant all'
json_is .variants[12].variant oneblock 'what can not run comes after all that did'
json_like .variants[12].why 'at most 1,024 threads' 'and says why'

# Whole numbers need no rounding.
for v in $rungs; do
    say_json "matmul -n 30 -m 20 -k 50 -a iota -b value:1 --variant $v"
    json_is .result.ok true "$v: whole numbers"
    json_is .result.norm 0 "$v: without rounding"
done
say_json 'matmul -n 40 -a random:-1e-30:1e-30 -b random:-1e-20:1e-20'
json_is .result.ok true 'products below the least normal float'
say_json 'matmul -n 40 --variant wmma'
json_like .result.half_off '^0\.00' 'what f16 makes of A and B'
say_json 'matmul -n 40 --variant wmma -a value:1 -b value:0.5'
json_is .result.half_off 0 'nothing, where f16 has the numbers'
say_json 'matmul -n 70 -k 40 -b value:1e5 --variant all'
json_is .status ok 'all, where f16 is too small'
json_like '.variants[11].why' '65,504' 'wmma says so'
json_like '.variants[12].why' '65,504' 'and mma'

# Wrong on purpose.
for v in nobarrier1 nobarrier2; do
    say_json "matmul --variant $v"
    status_is 1 "$v ends with 1"
    json_is .status fault "$v: a finding"
    json_is '.faults[0].kind' race-shared "$v: a race"
    json_is .result.n 40 "$v: with small matrices"
    json_like .error.message '--variant tiled16 fixes it' "$v: what fixes it"
    say_json "matmul --variant $v -n 20 -m 17 -k 35"
    status_is 1 "$v: with other sizes too"
    json_is .result.k 35 "$v: as typed"
done
say 'matmul --variant nobarrier2 -k 16 -n 20'
err_has 'right in 5 of 5 schedules' 'nobarrier2: nothing to overwrite with one step'
say 'matmul --variant oneblock -n 33'
err_has 'C has 1,089 elements, and one block has at most 1,024 threads' 'where one block ends'
say_json 'matmul --variant oneblock'
json_is .result.n 32 'oneblock: the largest square'

for device in c2050 gk20a titanx t4 a100; do
    say "matmul --variant all" --device "sim:$device"
    status_is 0 "all on $device"
done
say 'matmul --variant all' --device sim:t4
out_has 'cp.async needs compute capability 8.0, and this device has 7.5' 'it says what async needs'

# Large matrices: some rows are checked, and it says so.
say_json 'matmul -n 4096 -m 17 -k 4096 --variant naive'
json_is .result.ok true 'some rows'
json_is .result.checked 16 'it says how many'

say 'matmul --variant cublas'
status_is 1 'cublas is absent'
err_like 'NVIDIA' 'and it says why'
say 'matmul --calls; matmul --variant wmma --calls; matmul --variant cublas --calls'
status_is 0 '--calls'
out_has 'matmul_tiled16<<<dim3(8, 8), dim3(16, 16)>>>' 'the launch'
out_has '2 m k' 'wmma: two bytes for each element'
out_has 'cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k' 'the library has the transposes'
say 'matmul --repeat 3 --trace'
out_has '3 with the same bits' '--repeat'
out_has 'ld.global' '--trace'
say 'code matmul --diff wide double; code matmul --variant async'
out_has 'next_a' 'what double buffering changes'
out_has 'cp.async' 'the instruction of async'

say 'set projector on; matmul; matmul --variant all; matmul --variant nobarrier1; matmul --calls'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say matmul --device sim:h100 --charset ascii
same_as golden/matmul.txt 'the whole screen is as it was'

# The library, on the fakes of a driver and of cuBLAS.
fake=$(cd "$top_builddir/tests/fake" 2>/dev/null && pwd)
if test -f "$fake/libcublas.so.13" && test -z "$CUDALAB_WRAPPER" && test "$BUILD_KIND" = plain; then
    LD_LIBRARY_PATH=$fake
    export LD_LIBRARY_PATH
    for sizes in '-n 1' '-n 7 -m 3 -k 5' '-n 100 -m 64 -k 33'; do
        say_json "matmul --variant cublas $sizes" --device gpu
        json_is .kernel cublasSgemm "cublas $sizes: by the library"
        json_is .result.ok true "cublas $sizes: right"
    done
    say_json 'matmul -n 40 --variant all; set volatile on; matmul -n 40 --variant tiled16' \
        --device gpu
    json_is 1:.status ok 'all on a GPU'
    json_like 3:.result.rate '^[0-9]' 'with times, the rate'
    say_json 'matmul -n 40 --variant tiled16' --device gpu
    json_absent .result.rate 'without, none'
    FAKE_CUBLAS=wrong
    export FAKE_CUBLAS
    say 'matmul --variant cublas' --device gpu
    err_has 'cublas: the result is wrong' 'a wrong answer is found'
    FAKE_CUBLAS=refuses
    say_json 'matmul -n 40 --variant all' --device gpu
    json_is .status ok 'a library that refuses'
    unset FAKE_CUBLAS LD_LIBRARY_PATH
else
    skip 'the fakes are not built' 'cublas'
fi

every_try matmul
done_testing
