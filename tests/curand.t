# SPDX-License-Identifier: GPL-3.0-or-later
#
# `pi --variant host`, where the host's functions of cuRAND fill an array, on the fakes of a driver
# and of that library in tests/fake. Right answers, and every way in which the library can be missing
# or say no. Of the real one `make check-gpu` tells.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

with_fake_gpu libcurand.so.10

with_curand() { # with_curand HOW: "" is one that works
    FAKE_CURAND=$1
    export FAKE_CURAND
}

# ---- it works -----------------------------------------------------------------------------

with_curand ''
hits=
for rng in xorwow philox mrg; do
    say_json "pi --variant host --rng $rng; pi --variant host --rng $rng --seed 2" --device gpu
    json_is 1:.status ok "$rng: right"
    json_is '1:.launches[0].kernel' curandGenerateUniform "$rng: the library comes first"
    json_is '1:.launches[1].kernel' pi_host "$rng: then the kernel"
    json_is 1:.result.plain "$(json 1:.result.hits)" "$rng: plain C counts as many in the array"
    json_is 1:.result.distinct 1024 "$rng: no two first points are the same"
    ok "$rng: another seed, other numbers" \
        test "$(json 1:.result.hits)" != "$(json 2:.result.hits)"
    hits="$hits $(json 1:.result.hits)"
done
is "$(echo $hits | tr ' ' '\n' | sort -u | wc -l)" 3 'each generator is asked for by its own type'
for n in 1 2 255 1025 100003; do
    say_json "pi --variant host --trials $n; pi --variant host --trials $n --blocks 1 --threads 1" \
        --device gpu
    json_is 1:.result.ok true "$n trials"
    json_is 2:.result.hits "$(json 1:.result.hits)" "$n trials: as many with one thread"
done
say_json 'set volatile on; pi --variant host --repeat 3; pi --variant host' --device gpu
json_is 2:.time.runs 3 '--repeat: timed'
json_is 2:.result.hits "$(json 3:.result.hits)" '--repeat: each run begins at the first number'
say_json 'pi --variant all --trials 4096; pi --variant host --curve --trials 2^14' --device gpu
json_is 1:.status ok 'all: as documented'
json_is '1:.variants[5].ok' true 'it is one of the right ones'
json_is 2:.result.curve.# 3 '--curve'

# ---- where it is not ----------------------------------------------------------------------

# absent WHY NAME: alone an error that says why; among all a row that was not run, the others are.
absent() {
    say_json 'pi --variant host; pi --variant all --trials 4096; pi' --device gpu
    json_is 1:.status error "$2: an error"
    json_like 1:.error.message "^host can't run: $1" "$2: says why"
    json_absent 1:.result.estimate "$2: there is no estimate"
    json_is 2:.status ok "$2: all others are right"
    json_is '2:.variants[5].not_run' true "$2: not run"
    json_like '2:.variants[5].why' "^$1" "$2: and why"
    json_is 3:.result.ok true "$2: the next command works"
}
mkdir "$tmp/none" "$tmp/lacks"
cp "$fake/libcuda.so.1" "$tmp/none"
: >"$tmp/none/libcurand.so"
: >"$tmp/none/libcurand.so.10"
LD_LIBRARY_PATH=$tmp/none
absent 'there is no cuRAND here .no libcurand\.so\.10 or libcurand\.so.' 'no library'
cp "$fake/libcuda.so.1" "$tmp/lacks"
cp "$fake/libcuda.so.1" "$tmp/lacks/libcurand.so.10"
LD_LIBRARY_PATH=$tmp/lacks
absent 'the cuRAND here, libcurand\.so\.10, has no curandCreateGenerator; ' 'no such function'
LD_LIBRARY_PATH=$fake
with_curand unready
absent 'curandCreateGenerator of cuRAND failed: CURAND_STATUS_INITIALIZATION_FAILED, ' 'none made'
with_curand deaf
absent 'curandSetStream of cuRAND failed: CURAND_STATUS_INTERNAL_ERROR, ' 'no stream'
with_curand seedless
absent 'curandSetPseudoRandomGeneratorSeed of cuRAND failed: CURAND_STATUS_TYPE_ERROR, ' 'no seed'
with_curand refuses
absent 'curandGenerateUniform of cuRAND failed: CURAND_STATUS_LENGTH_NOT_MULTIPLE, ' 'a refusal'
with_curand fails
absent 'curandGenerateUniform of cuRAND failed: status 42' 'a status that nobody knows'
with_curand ''
say_json 'pi --variant host; set device gpu; pi --variant host' --device sim
json_like 1:.error.message "can't run: .* this is the simulator" 'the simulator has none'
json_is 3:.result.ok true 'and the GPU has'

# ---- what ends it -------------------------------------------------------------------------

# ends HOW KIND MESSAGE: a fault as of a launch, and all is there afterwards.
ends() {
    with_curand "$1"
    say_json 'array x i32 4 iota; pi --variant host; print x; pi' --device gpu --time-limit 1
    json_is 2:.status fault "$1: status"
    json_is '2:.faults[0].kind' "$2" "$1: kind"
    json_like '2:.faults[0].message' "$3" "$1: in words"
    json_is 3:.result.values '[0,1,2,3]' "$1: arrays are there"
    json_is 4:.result.ok true "$1: and kernels run"
}
ends hangs timeout '^no end after 1 s$'
ends dies device-lost '^the process that works with the GPU was ended \(signal 9\) during'
with_curand wrong
say_json 'pi --variant host' --device gpu
json_is .status error 'the same point again and again is found out'
json_is .result.distinct 1 'there is one point'

done_testing
