# SPDX-License-Identifier: GPL-3.0-or-later
#
# What `run` tells of a program's costs: --summary, --report, and JSON. And a run on a GPU: --device
# and --compare, with the GPU of tests/fake, which programs without kernels are enough for.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
needs_programs nvcc

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
can_run
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
say 'run wrong.cu'
out_like '^  kernel +once: 1 launch *$' 'a launch that a fault ended has no counts'
say 'run --summary wrong.cu'
out_like '^ +once +1 +- +- ' 'nor has it any in the table'
say 'run --report w.html wrong.cu'
status_is 1 'a program with a fault has a report'
grep -q 'out-of-bounds' w.html
verdict $? 'with its findings'

# ---- what a lesson says of a launch ----------------------------------------------------------

cat >grid.cu <<'END'
#include <cooperative_groups.h>
#include <cstdio>
__global__ void wait(int *x)
{
    auto grid = cooperative_groups::this_grid();
    x[grid.thread_rank()] = 1;
    grid.sync(); // all
    if (x[0] > 1)
        __trap(); // own
}
int main(int argc, char **)
{
    int *x, blocks = 2;
    cudaMalloc(&x, 2 * 32 * sizeof *x);
    void *arguments[] = {&x};
    if (argc > 1)
        cudaLaunchCooperativeKernel(wait, blocks, 32, arguments);
    else
        wait<<<blocks, 32>>>(x);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(x);
    return 0;
}
END
say_json 'run grid.cu'
json_is '.faults[0].kind' trap 'grid.sync() after <<<>>> is a trap'
json_is '.faults[0].cure' cooperative-launch 'which needs a cooperative launch'
line=$(json '.faults[0].source')
is "${line##*/}" grid.cu:7 'at the call of grid.sync()'
json_like .explain 'cudaLaunchCooperativeKernel' 'and the lesson names the function'
say_json 'run grid.cu cooperative'
json_absent '.faults[0].kind' 'in a cooperative launch it is right'
sed 's/= 1;/= 2;/' grid.cu >own.cu
say_json 'run own.cu cooperative'
json_is '.faults[0].kind' trap 'a trap of the kernel itself'
json_absent '.faults[0].cure' 'has no such cure'

# ---- kernels that kernels launch --------------------------------------------------------------

cat >tree.cu <<'END'
__global__ void leaf(int *x)
{
    atomicAdd(x, 1);
}
__global__ void tree(int *x, int depth)
{
    if (depth > 0)
        tree<<<2, 1>>>(x, depth - 1);
    else
        leaf<<<1, 32>>>(x);
}
int main()
{
    int *x, h;
    cudaMalloc(&x, sizeof h);
    cudaMemset(x, 0, sizeof h);
    tree<<<1, 1>>>(x, 3);
    cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return h != 8 * 32;
}
END
say 'run --rdc true tree.cu'
status_is 0 'kernels that launch kernels'
out_like 'kernel +tree: 1 launch and 7 by kernels, [1-9]' 'one of these'
out_like 'kernel +leaf: 0 launches and 8 by kernels *$' 'and one that the host never launches'
say_json 'run --rdc true tree.cu'
json_is '.result.kernels[0].from_device' 7 'in JSON as well'

# ---- as words of a shell --------------------------------------------------------------------

cat >words.cu <<'END'
#include <cstdio>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("[%s]\n", argv[i]);
    return 0;
}
END
"$CUDALAB" --no-init --device sim run words.cu -n 'two words' 'a "q" \ b' --help '' ';x' '$HOME' \
    '#k' >got 2>&1
printf '[%s]\n' -n 'two words' 'a "q" \ b' --help '' ';x' '$HOME' '#k' >wanted
head -n 8 got | cmp -s - wanted
verdict $? 'cudalab run: all words behind it belong to the program'
"$CUDALAB" --no-init --device sim --json run --summary words.cu -1 >got 2>&1
grep -q '"command":"run --summary words.cu -1","status":"ok"' got
verdict $? 'its options stand before the program'
"$CUDALAB" --no-init --device sim run none.cu >got 2>&1
is $? 1 'a program that is not there: status 1'
"$CUDALAB" --no-init --device sim run words.cu 'a
echo b' >got 2>&1
is "$? $(grep -c '^b$' got)" '2 0' 'an argument with a line break is refused, and is no command'
echo 'echo a script' >run
"$CUDALAB" --no-init --device sim run >got 2>&1
is "$(cat got)" 'a script' 'a script of this name is a script'
rm run
mkdir run
"$CUDALAB" --no-init --device sim run words.cu x >got 2>&1
is "$(head -n 1 got)" '[x]' 'a folder of this name is no script'
rmdir run

# ---- long names -----------------------------------------------------------------------------

cat >long.cu <<'END'
namespace of_a_library { namespace of_its_details { namespace of_version_13 {
template <class T> struct holder_of_something {};
template <class T, class U> __global__ void add_up_some_numbers(int *x) { *x += sizeof(U); }
} } }
using namespace of_a_library::of_its_details::of_version_13;
int main()
{
    int *x;
    cudaMallocManaged(&x, 4);
    *x = 0;
    add_up_some_numbers<holder_of_something<int>, holder_of_something<short>><<<1, 1>>>(x);
    cudaFree(x);
    return 0;
}
END
say 'run long.cu'
out_like '^  kernel +\.\.\.add_up_some_numbers<\.\.\.>: 1 launch' \
    'a kernel with a long name is named in brief'
say 'run --summary long.cu'
out_like '^ +\.\.\.add_up_some_numbers<\.\.\.> +1 ' 'and in the summary'
say_json 'run long.cu'
name=of_a_library::of_its_details::of_version_13
json_is '.result.kernels[0].kernel' \
    "$name::add_up_some_numbers<$name::holder_of_something<int>, $name::holder_of_something<short>>" \
    'JSON has the whole name'

# A long LD_LIBRARY_PATH, as on clusters, comes to the program whole.
long=$(printf '/none/%0200d:' 1 2 3 4 5 6 7 8)/end
cat >path.cu <<'END'
#include <cstdio>
#include <cstdlib>
int main()
{
    printf("%s\n", getenv("LD_LIBRARY_PATH"));
}
END
LD_LIBRARY_PATH=$long "$CUDALAB" --no-init --device sim run path.cu >got 2>&1
grep -q ":$long\$" got
verdict $? 'LD_LIBRARY_PATH has the folders of before, all of them'

# ---- on a GPU -------------------------------------------------------------------------------

cat >host.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
int main(int argc, char **argv)
{
    const char *libraries = getenv("LD_LIBRARY_PATH");
    bool sim = libraries && strchr(libraries, ':'); /* ours lie in a folder before others */
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
