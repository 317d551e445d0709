# SPDX-License-Identifier: GPL-3.0-or-later
#
# What `run` tells of a program's costs: --summary, --report, and JSON. And a run on a GPU: --device
# and --compare, with the GPU of tests/fake, which programs without kernels are enough for.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

mkdir "$tmp/work"
CUDALAB=$(cd "$(dirname "$CUDALAB")" && pwd)/${CUDALAB##*/}
top_builddir=$(cd "$top_builddir" && pwd)
cd "$tmp/work" || exit 99
nvcc=$(command -v nvcc) || nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
test -x "$nvcc" || skip_all 'a whole program needs nvcc'
runs_programs || skip_all 'this build starts no compilers'

cat >two.cu <<'END'
#include <cstdio>
__global__ void often(float *x)
{
    for (int i = 0; i < 50; i++)
        x[threadIdx.x] += i * 0.5f;
}
__global__ void once(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}
int main()
{
    float h[64] = {0}, *x, *y;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(y, 0, sizeof h);
    often<<<1, 64>>>(x);
    often<<<1, 64>>>(x);
    once<<<1, 64>>>(x, y);
    cudaMemcpy(x, y, sizeof h, cudaMemcpyDeviceToDevice);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
    printf("<%g> & more\n", h[5]);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
END

say_json 'run two.cu'
if test "$status" != 0 && test "$BUILD_KIND" != plain; then
    skip_all 'a program of another kind cannot be started under this checker'
fi
json_is '.result.kernels[0].kernel' often 'the most expensive kernel comes first'
json_is '.result.kernels[0].launches' 2 'its launches'
json_is '.result.kernels[1].kernel' once 'then the other one'
json_is '.result.kernels[1].counters.global_load_sectors' 8 'a kernel has its counters'
first=$(json '.result.kernels[0].instructions')
second=$(json '.result.kernels[1].instructions')
is "$((first + second))" "$(json .counters.warp_instructions)" 'the instructions add up'
line=$(json '.result.lines[0].source')
is "${line##*/}" two.cu:5 'the most expensive line'
json_is '.result.lines[0].text' 'x[threadIdx.x] += i * 0.5f;' 'and its text'
json_is '.result.transfers[0].way' 'host to device' 'a copy to the device'
json_is '.result.transfers[0].bytes' 256 'its bytes'
json_is '.result.transfers[1].count' 1 'a copy to the host'
json_is '.result.transfers[2].way' 'within the device' 'a copy within the device'
json_is '.result.transfers[3].way' fill 'a fill'

say 'run --summary two.cu'
out_like 'kernel +launches +instructions' 'the summary has a table of kernels'
out_like '^ +often +2 ' 'with the launches of each'
out_like 'two\.cu:5 .* x\[threadIdx\.x\] \+= i' 'and one of lines'
out_like '^ +host to device +1 +256$' 'and one of transfers'
say 'run two.cu'
out_lacks 'transfers' 'without --summary there are no tables'
out_like 'kernel +often: 2 launches' 'but a line for each kernel'

say 'run --report r.html two.cu'
status_is 0 'a report is written'
grep -q '<h1>run two.cu</h1>' r.html
verdict $? 'the page has the command as its head'
grep -q '^<pre>&lt;2\.5&gt;\|&lt;[0-9.]*&gt; &amp; more' r.html
verdict $? 'the output is in it, and harmless'
grep -q '<td>often</td><td class="number">2</td>' r.html
verdict $? 'and the table of kernels'
grep -q 'found nothing' r.html
verdict $? 'no finding is told as such'
! grep -q 'http' r.html
verdict $? 'the page needs nothing from elsewhere'
say 'run --report r.json two.cu'
python_free=$(cat r.json)
case $python_free in '{"command":"run two.cu","status":"ok",'*'}') good=0 ;; *) good=1 ;; esac
verdict $good 'a report in JSON is the object that --json prints'
bad 'run --report r.txt two.cu' '\.html or \.json'
bad 'run --report none/r.html two.cu' 'none/r\.html'

sed 's/cudaFree(y);//; s/y\[threadIdx.x\] = x\[threadIdx.x\]/y[threadIdx.x] = x[threadIdx.x + 1]/' two.cu >wrong.cu
say 'run --report w.html wrong.cu'
status_is 1 'a program with a fault has a report'
grep -q 'out-of-bounds' w.html
verdict $? 'with its findings'

# ---- on a GPU -------------------------------------------------------------------------------

cat >host.cu <<'END'
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv)
{
    bool sim = getenv("CUDALAB_RUN") != NULL;
    printf("both\n");
    for (int i = 0; argc > 1 && i < 7; i++)
        printf("line %d on the %s\n", i, sim ? "sim" : "gpu");
    return argc > 1 && !sim ? 3 : 0;
}
END
say 'run --device gpu host.cu' --device sim
if test "$status" = 0; then
    skip 'there is a GPU here' 'without a GPU --device gpu says so'
else
    err_like 'no NVIDIA driver|no GPU' 'without a GPU --device gpu says so'
fi
with_fake_gpu libcublas.so.13
say_json 'run --device gpu host.cu x' --device sim
json_is .result.ran_on gpu 'on a GPU'
json_is '.output[1]' 'line 0 on the gpu' 'the program runs without our runtime'
json_is .result.exit_status 3 'and its exit status is told'
say_json 'run --compare host.cu' --device sim
json_is .result.compare.different 0 'outputs that are the same'
json_is .result.compare.lines 1 'all their lines'
say_json 'run --compare host.cu x' --device sim
json_is .result.compare.different 7 'outputs that differ'
json_is '.result.compare.differences[6].sim' 'line 6 on the sim' 'what the simulator gives'
json_is '.result.compare.differences[6].gpu' 'line 6 on the gpu' 'what the GPU gives'
json_is .result.compare.exit_status_on_gpu 3 'and the exit status there'
say 'run --compare host.cu x' --device sim
out_like '^  line 2$' 'the screen has the first lines that differ'
out_like 'and 2 more lines' 'and the number of the others'
out_like 'exit status: 0 on the simulator, 3 on the GPU' 'and the statuses'
done_testing
