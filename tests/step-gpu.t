# SPDX-License-Identifier: GPL-3.0-or-later
#
# step on a GPU: the simulator steps a copy of the launch. All that is seen there must be as on the
# simulator, and the GPU's arrays must stay as they are. tests/fake has the driver.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

fake=$(cd "$top_builddir/tests/fake" 2>/dev/null && pwd)
test -f "$fake/libcuda.so.1" || skip_all 'the libcuda for tests is not built'
can_load || skip_all 'nothing compiles CUDA C here'
LD_LIBRARY_PATH=$fake FAKE_CUDA= CUDALAB_TEST=$tmp
export LD_LIBRARY_PATH FAKE_CUDA CUDALAB_TEST
unset CUDA_VISIBLE_DEVICES
say 'show device' --device gpu
if test "$status" != 0 && { test -n "$CUDALAB_WRAPPER" || test "$BUILD_KIND" != plain; }; then
    skip_all 'a process of another kind cannot be started under this checker'
fi

cd "$tmp" || exit 99
cat >k.cu <<'CU'
#include <stdio.h>
__device__ int calls;
__constant__ int by[4];

extern "C" __global__ void sum(float *x, int n)
{
    __shared__ float s[64];
    int i = threadIdx.x;
    s[i] = i < n ? x[i] : 0;
    __syncthreads();
    if (i == 0) {
        calls += by[1];
        printf("block %d: %g\n", blockIdx.x, s[1]);
    }
    x[i] = 7;
}

extern "C" __global__ void indirect(float **table, int *count)
{
    table[0][threadIdx.x] = threadIdx.x;
    atomicAdd(count, 1);
}

extern "C" __global__ void beyond(float *x, int n)
{
    x[threadIdx.x + n] = 1;
}
CU
begin='load k.cu; fill by list:3,4,5,6; array x f32 64 iota; step launch sum<<<2,64>>>(x, 60)'
moves='next 3; print x[lane]; print s[lane]; print calls[0]; print x[0..4]; to end; print calls; print x; back 9
    to barrier; rstep; to begin; to race'

# ---- the same as on the simulator ----------------------------------------------------------------

# told: what the commands told, but for the device and for addresses
told() {
    sed -E 's/,"device":"[a-z]*","model":"[^"]*"//; s/"copy":true,//
            s/"%rd[0-9]+":\[[^]]*\],?//g; s/,"at":\[[^]]*\]//g' "$out"
}
say_json "$begin; $moves" --device sim:h100
told | sed '1,3d' >there
say_json "$begin; $moves" --device gpu
json_is 4:.status ok 'a launch on a GPU can be stepped'
json_is 4:.device gpu 'the session stays on the GPU'
json_is 4:.result.copy true 'and JSON says that it is a copy'
json_is '6:.result.values[3]' 3 'arrays are those of the GPU'
json_is 11:.result.values '[8]' 'variables and constants too: the step has changed them'
told | sed '1,3d' >here
cmp -s here there
is $? 0 'every step tells what it tells on the simulator'
diff here there | head -4 | cut -c1-300 | sed 's/^/# /'
say "$begin" --device gpu
out_has 'steps a copy of this launch' 'the screen says that it is a copy'

# ---- the GPU stays as it is ------------------------------------------------------------------

say_json "$begin; to end; quit; print x[0..2]; print calls; launch sum<<<2,64>>>(x, 60); print x[0..2]; print calls" \
    --device gpu
json_is 7:.result.values '[0,1,2]' 'after quit arrays are as before'
json_is 8:.result.values '[0]' 'and variables'
json_is 9:.status ok 'a launch runs on the GPU afterwards'
json_is 10:.result.values '[7,7,7]' 'and leaves its results'
json_is 11:.result.values '[8]' 'in variables, too'
say_json "$begin; launch sum<<<2,64>>>(x, 60); array y f32 4; fill x zero; fill x value:2; load k.cu; set device sim
    step launch sum<<<1,64>>>(x, 60); print x[3]; quit; array y f32 4" --device gpu
for n in 5 6 7 8 9 10 11; do
    json_is $n:.status error "command $n is refused while a launch is stepped"
    json_like $n:.error.message 'quit. ends' "command $n says how to end it"
done
json_is '12:.result.values[0]' 3 'arrays can be read'
json_is 14:.status ok 'after quit the GPU has memory to give'
say_json "$begin; free x; to end; quit; print calls" --device gpu
json_is 6:.result.ended true 'an array that was freed stays for the launch'
json_is 8:.result.values '[0]' 'and the others are as before'

# ---- labs, and which launch ----------------------------------------------------------------------

for lab in trap sumtree matmul 'trap --variant all -n 4096' 'sum --repeat 3'; do
    say "step $lab; stepi 5; to end; back; to begin; quit; $lab" --device gpu
    status_is 0 "$lab can be stepped"
done
say_json "$begin; quit; step --kernel beyond launch sum<<<1,64>>>(x, 60); step --launch 2 launch sum<<<1,64>>>(x, 60)
    step launch sum<<<1,2000>>>(x, 60); launch sum<<<1,64>>>(x, 60)" --device gpu
json_like 6:.error.message 'launches no kernel .beyond.' 'no such kernel'
json_like 7:.error.message 'makes 1 launch' 'no such launch'
json_like 8:.error.message 'bad-launch' 'a launch that is refused'
json_is 9:.status ok 'is not stepped'

# ---- from a finding ----------------------------------------------------------------------------

say_json "$begin; quit; launch beyond<<<1,64>>>(x, 1000000000); step; back; quit; print x[1]" --device gpu
json_is '6:.faults[0].kind' out-of-bounds 'a GPU says that there was a fault'
json_is 7:.result.finding.kind out-of-bounds 'step alone finds it on the simulator'
json_is 7:.result.line "$(grep -n 'threadIdx.x + n' k.cu | cut -d: -f1)" 'with its line'
json_is 7:.result.finding.thread.lane 0 'and its thread'
json_is 10:.result.values '[1]' 'the array is as before'
say_json "$begin; quit; launch sum<<<1,64>>>(x, 60); step" --device gpu
json_like 7:.error.message 'nothing was found' 'without a fault there is nothing to go to'
done_testing
