#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels that launch kernels: what child grids compute, in which order they run, which launches
# fail, and what is found in them.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler
any_kernels
cp "$top_srcdir"/tests/child/*.cu "$tmp"
cd "$tmp" || exit 99

# ---- who compiles them --------------------------------------------------------------------

compilers=
for each in nvrtc nvcc; do
    say "set compiler $each; load results.cu"
    test "$status" = 0 && compilers="$compilers $each"
done
if can_load clang; then
    say 'set compiler clang; load results.cu'
    status_is 1 'clang refuses a launch in device code'
    err_has "clang can't compile kernels that launch kernels" 'and is told why'
fi
test -n "$compilers" || skip_all 'no compiler here takes a launch in device code'
say 'load results.cu wrong.cu'
status_is 0 'files that are linked'
say 'load clean.cu; ptx child'
out_lacks '.visible .func' 'a file with launches only in host code and comments'

for each in $compilers; do
    begin="set compiler $each; load results.cu; array o i32 16; fill o zero; array n i32 1; fill n zero"
    gives "$begin; launch parameters<<<1,8>>>(o); print o[0..7]" \
        '[4321,4321,4321,4321,4321,4321,4321,4321]' "$each: a struct, a byte and a short"
    gives "$begin; launch shared_sizes<<<1,1>>>(o, 2); print o" \
        '[3,2,1,0,103,102,101,100,203,202,201,200,303,302,301,300]' "$each: dim3, shared bytes"
    gives "$begin; array d f64 2; launch templates<<<1,1>>>(d); print d" '[2.5,4.5]' \
        "$each: templates"
done

# ---- order --------------------------------------------------------------------------------

# A sequence of numbers in what the last command printed: those that begin with a digit.
of_stream() {
    sed -n "s/^grid \($1[0-9]*\) block.*/\1/p" "$out" | tr '\n' ' '
}

for schedule in lockstep independent:7 random:3; do
    begin="set schedule $schedule; load results.cu; array o i32 16; fill o zero; array n i32 1; fill n zero"
    gives "$begin; launch null_stream<<<1,32>>>(o, n); print o[0..3]" '[1,2,3,4]' \
        "$schedule: the stream of a block"
    gives "$begin; launch in_clusters<<<4,1>>>(n) --cluster 4; print n" '[14]' \
        "$schedule: the clusters of the host's launch are not those of its child grids"
    gives "$begin; launch nested<<<1,1>>>(o, n); print o[0..6]" '[1,2,3,11,12,13,99]' \
        "$schedule: a grid is complete when its children are; tail launches come last"
    gives "$begin; launch by_event<<<1,1>>>(o, n); print o[0..1]" '[1,2]' \
        "$schedule: a stream waits for an event"
    gives "$begin; launch tail_total<<<1,16>>>(o, n); print n" '[240]' \
        "$schedule: a tail launch sees what the other children wrote"
    gives "$begin; launch fill<<<1,1>>>(o, 16); print o" '[4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4]' \
        "$schedule: fire and forget"
    say "$begin; launch own_streams<<<1,1>>>()"
    is "$(of_stream 1)" '10 11 12 13 14 15 ' "$schedule: a stream of its own"
    is "$(of_stream 2)" '20 21 22 23 24 25 ' "$schedule: and another one"
    of_stream '[12]' >"order-$(echo "$schedule" | tr -d ':0-9')"
done
ok 'a schedule from a seed mixes the streams' test "$(cat order-lockstep)" != "$(cat order-random)"
same=$(cat order-random)
say 'set schedule random:3; load results.cu; launch own_streams<<<1,1>>>()'
is "$(of_stream '[12]')" "$same" 'a seed gives the same order again'

# ---- copies and fills ---------------------------------------------------------------------

for schedule in lockstep independent:7 random:3; do
    begin="set schedule $schedule; load results.cu; array a i32 8; array b i32 16; fill b zero"
    begin="$begin; fill a iota; launch copies_and_fills<<<1,1>>>(a, b, 1)"
    gives "$begin; print a" '[16843010,16843010,16843010,16843010,16843010,16843010,10,11]' \
        "$schedule: cudaMemsetAsync has its place in the stream"
    gives "$begin; print b" '[3,4,5,6,7,8,9,10,16843010,10,11,0,0,0,0,0]' \
        "$schedule: and so has cudaMemcpyAsync, also as a tail launch"
done
say_json 'load results.cu; array a i8 1000; fill a zero; launch fills_many<<<1,1>>>(a, 1000)
print a[0..1]; print a[254..259]; print a[998..999]; kernels'
json_is 4:.result.child_grids 1 'they are child grids'
json_is 5:.result.values '[0,120]' 'a fill from the first byte'
json_is 6:.result.values '[120,120,120,120,120,120]' 'with more than one block'
json_is 7:.result.values '[120,0]' 'to the last one'
ok 'and no kernel in a list is for them' test "$(grep -c cudaMem "$out")" = 0

# ---- what is told -------------------------------------------------------------------------

say 'load results.cu; launch prints<<<2,1>>>()'
is "$(grep -c '^grid 7 block [01]' "$out")" 2 'printf in a child grid'
is "$(grep 'block' "$out" | head -n 1)" 'parent block 0' 'which comes after its parent'
out_like '^  child grids  1$' 'the screen tells how many grids there were'
say_json 'load results.cu; launch prints<<<2,1>>>(); launch says<<<1,1>>>(3)'
json_is 2:.result.child_grids 1 'and so does JSON'
json_is 2:.result.blocks 2 'the blocks are those of the launch'
json_is 2:.output[3] 'grid 7 block 1' 'the output of all grids'
json_absent 3:.result.child_grids 'nothing is told where there was none'
say_json 'load results.cu; array a i32 32; fill a zero; launch twice<<<1,32>>>(a)'
json_is 4:.counters.global_load_requests 1 'counters of the kernel alone'
say_json 'load results.cu; array a i32 32; array s i32 1; launch tail_total<<<1,32>>>(a, s)'
json_is 4:.counters.global_load_requests 33 'counters of all grids, added up'
say 'load results.cu; array a i32 32; array s i32 1; launch tail_total<<<1,32>>>(a, s); counters'
out_like '121 .*a\[threadIdx.x\] \*= 2' 'line by line as well'
gives 'load results.cu; array v i32 7; fill v zero; launch values<<<1,1>>>(v); print v' \
    '[0,1024,2048,1,0,8,1]' 'values of the device runtime'

say 'load results.cu; launch prints<<<2,1>>>() --trace'
out_like '^  113  call' 'a trace shows the grid of the launch'
out_lacks '   80  ' 'and no child grid'

# ---- launches that fail -------------------------------------------------------------------

begin='load wrong.cu; array p i32 64; fill p zero; array o i32 64; fill o zero'
gives "$begin; launch too_many_threads<<<1,1>>>(p); print p[0..3]" '[9,9,0,9]' \
    'cudaPeekAtLastError, cudaGetLastError, which forgets it, and too much shared memory'
say "$begin; launch too_many_threads<<<1,1>>>(p)"
status_is 0 'the kernel goes on'
out_has 'cudaErrorInvalidConfiguration: invalid configuration argument' 'name and words of an error'
out_like '^  child grids  0; 2 launches in device code failed, the first with$' 'the screen counts'
out_like 'wrong\.cu:19' 'and names the first'
say_json "$begin; launch too_many_threads<<<1,1>>>(p)"
json_is 6:.result.child_grids 0 'JSON: none ran'
json_is 6:.result.child_launches_refused 2 'two were refused'
json_like 6:.result.child_launch_error 'cudaErrorInvalidConfiguration .*2048 threads' 'and why'
say 'set step-limit 20000; load help:child-grids; array a i32 8; fill a zero
launch halves<<<1,1>>>(a, 0)'
out_like 'help:child-grids:7' 'in an example of the help too, never in a header'
mkdir -p usr/include/cuda
cat >usr/include/cuda/launches.cuh <<'END'
__global__ void one(int *p) { *p = 1; }
static __device__ __noinline__ void launches(int *p, int threads) { one<<<1, threads>>>(p); }
END
cat >above.cu <<'END'
#include "usr/include/cuda/launches.cuh"
__global__ void above(int *p)
{
    launches(p, 2048);
}
END
say 'load above.cu; array p i32 1; launch above<<<1,1>>>(p)'
out_like 'at (.*/)?above\.cu:4' 'a function of a header is named by the line that calls it'
gives "$begin; launch deeper<<<1,1>>>(o, p, 0) --check none; print o[0..1]" '[24,0]' '24 levels'
gives "$begin; launch deeper<<<1,1>>>(o, p, 0) --check none; print p[0..1]" '[65,0]' 'and no more'
gives "$begin; launch many<<<1,1>>>(p, 2048); print p[0..0]" '[0]' '2048 grids wait'
gives "$begin; launch many<<<1,1>>>(p, 2049); print p[0..0]" '[69]' 'and no more'
gives "$begin; launch passes_stream<<<1,1>>>(p); print p[0..0]" '[400]' 'a stream of another grid'

say 'load wrong.cu; launch copies<<<1,1>>>()'
out_has 'unsupported: cudaMemcpy2DAsync in device code' 'what the simulator does not have'

# ---- faults -------------------------------------------------------------------------------

say "$begin; array q i32 32; launch past_the_end<<<1,32>>>(q); print q"
out_like 'q\[32\], past the end.*' 'a fault in a child grid'
out_has 'in a child grid of' 'says so'
out_like 'block 1, thread 0, at wrong\.cu:7' 'and where: the line, the block, the thread'
say_json "$begin; fill p iota; array q i32 32; fill q iota; launch past_the_end<<<1,32>>>(q) --check memory; print q[30..31]"
json_is 9:.faults[0].kind out-of-bounds 'JSON: its kind'
json_is 9:.faults[0].source wrong.cu:7 'its line'
json_is '9:.faults[0].block' '[1,0,0]' 'its block'
json_is '10:.result.values' '[30,31]' 'the writes of the parent are undone as well'
say_json "load wrong.cu; array q i32 32; fill q zero; launch after_sync<<<1,32>>>(q); print q[0..1]"
json_is 4:.faults[0].source wrong.cu:7 'a fault in a child of a grid that synchronised'
json_is 5:.result.values '[0,0]' 'its writes are undone as well'
for pointer in shared local; do
    call='shared_pointer<<<1,32>>>()'
    test $pointer = shared || call='local_pointer<<<1,1>>>(3)'
    say_json "$begin; launch $call"
    json_is 6:.faults[0].kind out-of-bounds "a pointer to $pointer memory: a fault"
    json_is 6:.faults[0].cure child-pointer 'its cure'
    json_like 6:.faults[0].message "gets a pointer to $pointer memory" 'its words'
done
say "$begin; launch shared_pointer<<<1,32>>>()"
out_has 'launches a kernel with a pointer to its shared' 'and its lesson'
cat >local.cu <<'END'
__global__ void child(int *x) { x[0] = 1; }
__global__ void parent(int *x) { int mine[4]; child<<<1, 1>>>(mine); child<<<1, 2000>>>(x); }
END
say 'load local.cu'
out_like 'Warning: A pointer to local memory was stored' 'the compiler warns of it'
is "$(LC_ALL=C tr -d '\n -~' <"$out" | wc -c)" 0 'in words that can be read'
say_json "$begin; array q i32 32; fill q iota; launch fills_past<<<1,1>>>(q); print q[30..31]"
json_is 8:.faults[0].kind out-of-bounds 'a fill past the end'
json_like 8:.faults[0].message 'q\[32\], past the end.* in a child grid of cudaMemsetAsync' 'in words'
json_is 8:.faults[0].source wrong.cu:161 'and at which call'
json_is 9:.result.values '[30,31]' 'which changes nothing'
say_json "$begin; launch copies_shared<<<1,4>>>(p)"
json_is 6:.faults[0].cure child-pointer 'a copy from shared memory'
gives "$begin; launch copies_from_host<<<1,1>>>(p, o); print p[0..4]" '[1,1,400,400,0]' \
    'a copy from the host, and a fill in a stream that does not exist'
say_json "$begin; array u i32 4; launch copies_unwritten<<<1,1>>>(u, o)"
json_is 7:.faults[0].kind uninitialized 'a copy of memory that nothing wrote'
for schedule in lockstep independent:7 random:3; do
    say "set step-limit 100000; set schedule $schedule; $begin; launch for_ever<<<1,1>>>()"
    out_has 'no end after 100000 warp instructions' "$schedule: the step limit"
done
say_json "$begin; array f i32 32; launch unwritten<<<1,1>>>(f, o)"
json_is 7:.faults[0].kind uninitialized 'memory that no grid wrote'
json_is 7:.faults[0].source wrong.cu:85 'and where a child reads it'

# ---- races between grids ------------------------------------------------------------------

race() { # race CALL COUNT WORDS NAME
    for schedule in lockstep independent:7 random:3; do
        say_json "set schedule $schedule; $begin; launch $1"
        if test "$2" = 0; then
            json_is '7:.faults.#' 0 "$schedule: $4"
        else
            json_is '7:.faults[0].kind' race-global "$schedule: $4"
            json_is '7:.faults[0].cure' child-grid "$schedule: its cure"
            json_like '7:.faults[0].message' "$3" "$schedule: its words"
        fi
    done
}
race 'reads_at_once<<<1,1>>>(p, o)' 1 'of the parent grid' 'the parent reads after the launch'
race 'without_barrier<<<1,64>>>(p)' 1 'of the parent grid' 'other threads wrote before the launch'
race 'with_barrier<<<1,64>>>(p)' 0 '' 'a barrier before the launch'
race 'one_stream<<<1,1>>>(p)' 0 '' 'two grids of one stream'
race 'no_stream<<<1,1>>>(p)' 1 'of another grid' 'two grids that nothing orders'
race 'each_block<<<2,1>>>(p)' 1 'of another grid' 'the streams of two blocks'
race 'tail<<<1,1>>>(p, o)' 0 '' 'a tail launch'
race 'fills_at_once<<<1,1>>>(p)' 1 'of the parent grid' 'the parent writes what is filled'
say "$begin; launch reads_at_once<<<1,1>>>(p, o)"
out_has 'in a tail launch' 'the lesson of such a race'

# ---- a GPU --------------------------------------------------------------------------------

on_gpu=
if test -f "$top_builddir/tests/fake/libcuda.so.1"; then
    LD_LIBRARY_PATH=$top_builddir/tests/fake
    FAKE_CUDA='' CUDALAB_TEST=$tmp
    export LD_LIBRARY_PATH FAKE_CUDA CUDALAB_TEST
    say 'show device' --device gpu
    if test "$status" = 0; then
        say 'load results.cu' --device gpu
        grep -q 'there is no libcudadevrt.a' "$err" && on_gpu='' || on_gpu=yes
    fi
fi
if test "$on_gpu"; then
    status_is 0 'a GPU gets such a file'
    alike() { # alike BEGIN LAUNCH PRINT: the same on both devices
        for device in gpu sim; do
            say_json "$1; launch $2; print $3" --device $device
            sed -n 's/.*"values":\(\[[^]]*\]\).*/\1/p' "$out" | tail -n 1 >"values-$device"
        done
        is "$(cat values-gpu)" "$(cat values-sim)" "$2: on a GPU as on the simulator"
        ok "$2: there are values" test -s values-gpu
    }
    begin='load results.cu; array o i32 16; fill o zero; array n i32 1; fill n zero'
    alike "$begin" 'parameters<<<1,8>>>(o)' o
    alike "$begin" 'nested<<<1,1>>>(o, n)' o
    alike "$begin" 'by_event<<<1,1>>>(o, n)' o
    alike "$begin" 'tail_total<<<1,16>>>(o, n)' n
    alike "$begin; array a i32 8; fill a iota" 'copies_and_fills<<<1,1>>>(a, o, 1)' o
    begin='load wrong.cu; array p i32 64; fill p zero; array o i32 64; fill o zero'
    alike "$begin" 'too_many_threads<<<1,1>>>(p)' p
    say_json 'load results.cu; launch prints<<<2,1>>>()' --device gpu
    json_is 2:.output.# 4 'printf of all grids'
    json_like '2:.output[0]' '^parent block' 'in the order in which it came'
    json_absent 2:.result.child_grids 'a GPU does not tell how many grids there were'
    say_json "$begin; launch for_ever<<<1,1>>>(); launch one_stream<<<1,1>>>(p); print p[0..1]" \
        --device gpu --time-limit 2
    json_is '6:.faults[0].kind' timeout 'grids without end are stopped'
    json_is 8:.result.values '[2,2]' 'and the next launch works'
    say_json 'load results.cu; array o i32 16; fill o zero; set device gpu
launch parameters<<<1,8>>>(o); print o[0..1]; set device sim; print o[6..8]' --device sim
    json_is 6:.result.values '[4321,4321]' 'a file moves to a GPU'
    json_is 8:.result.values '[4321,4321,0]' 'and back'
    cat >here.cu <<'END'
extern __device__ int total;
__global__ void child(int by);
__global__ void parent(int by) { child<<<1, 4>>>(by); total = 100; }
END
    cat >there.cu <<'END'
__device__ int total;
__global__ void child(int by) { atomicAdd(&total, by); }
END
    say_json 'load here.cu there.cu; launch parent<<<1,1>>>(5); print total' --device gpu
    json_is 3:.result.values '[120]' 'several files: a kernel and a variable of another one'
else
    skip 'there is no libcudadevrt.a here' 'child grids on a GPU'
fi
done_testing
