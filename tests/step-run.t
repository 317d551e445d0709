# SPDX-License-Identifier: GPL-3.0-or-later
#
# step run: a launch of a whole program is stepped like any other. The program runs up to it, and
# nothing of the program is left after `quit`.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"

mkdir "$tmp/tmp"
export TMPDIR="$tmp/tmp"
enter_work
needs_programs "$KERNELS_BY"
cat >prog.cu <<'CU'
#include <cstdio>
#include <cstdlib>

__device__ int calls;

__global__ void fill(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i;
    if (i == 0)
        calls++;
}

namespace turn {
template <typename T>
__global__ void rev(T *x, int n)
{
    __shared__ T s[64];
    int i = threadIdx.x;
    s[i] = x[i];
    x[i] = s[n - 1 - i];                // HERE
    if (i == 0)
        printf("kernel %g\n", (double)x[0]);
}
}

int main(int argc, char **argv)
{
    float *mine, *both;
    const int n = 64;
    if (argc > 1 && atoi(argv[1]) == 3) {
        printf("no launch");
        return 3;
    }
    if (argc > 1 && atoi(argv[1]) == 4)
        abort();
    if (argc > 1 && atoi(argv[1]) == 5)
        return 0;
    printf("first line\n");
    cudaMalloc(&mine, n * sizeof(float));
    cudaMallocManaged(&both, n * sizeof(float));
    fill<<<2, 32>>>(mine, n);
    cudaDeviceSynchronize();
    printf("no newline");
    both[3] = 42;
    fill<<<2, 32>>>(mine, n);
    turn::rev<<<1, 64>>>(both, n);
    turn::rev<<<1, 64>>>(mine, n);
    cudaDeviceSynchronize();
    printf("last line %g\n", both[60]);
    cudaFree(mine);
    cudaFree(both);
    return 0;
}
CU
line() { # line TEXT: its number in the source
    grep -nF "$1" prog.cu | head -1 | cut -d: -f1
}

# ---- up to the launch ---------------------------------------------------------------------------

say 'step run prog.cu; list; quit; run prog.cu'
can_run
cp "$out" both
sed '/^step/,$d; /The launch is left/,$d' both >"$out"
out_has 'first line' 'what the program printed before the launch is shown'
out_lacks 'no newline' 'what it would print later is not'
out_has 'fill<<<2, 32>>>' 'its first launch is stepped'
out_lacks 'This is launch' 'which needs no number'
sed '1,/The launch is left/d' both >"$out"
out_has 'last line 42' 'after quit the program runs as always'
say_json 'step run prog.cu; next; print i; print calls[0]; print mine[lane + 1]; to end; quit'
json_is 1:.output '["first line"]' 'in JSON its output is in the object'
json_is 1:.result.place 0 'the launch stands at its begin'
json_is 1:.result.file "$(pwd)/prog.cu" 'the source is known'
json_like 2:.result.line '^[0-9]+$' 'with its lines'
json_is '4:.result.values[0]' 0 'variables of the program have their names'
json_is '5:.result.values[0]' 0 'arrays of the program have the names of its host code'
json_is 6:.result.ended true 'it can be stepped to its end'
json_is 7:.result.left true 'and left'

# ---- which launch -------------------------------------------------------------------------------

say_json 'step --launch 3 run prog.cu; until '"$(line 'x[i] = s')"'; print x[lane]; print both[lane]
    print s[lane]; print n; quit'
json_is 1:.result.launch 3 'an option names the launch by its number'
json_is 1:.output '["first line","no newline"]' 'and what was printed until then comes first'
json_is '3:.result.values[3]' 42 'a parameter of a template has its type, and managed memory its values'
json_is '4:.result.values[3]' 42 'the array has the type that the parameter has'
json_is '5:.result.values[3]' 42 'shared arrays are there'
json_is '6:.result.values[3]' 64 'and parameters'
say_json 'step --kernel rev run prog.cu; quit; step --kernel turn::rev --launch 2 run prog.cu; quit
    step --kernel "turn::rev<float>" run prog.cu; to end'
json_is 1:.result.launch 3 'an option names the kernel'
json_is 3:.result.launch 4 'both together count the launches of the kernel'
json_is 5:.result.launch 3 'template arguments may be written'
json_is 6:.result.output '["kernel 0"]' 'what the kernel prints comes while it is stepped'
say_json 'step --launch 5 run prog.cu; step --kernel none run prog.cu; step --kernel fill --launch 3 run prog.cu
    step run prog.cu 3; step run prog.cu 4; step run prog.cu 5; step --launch 2; step --launch 0 run prog.cu
    step run --device gpu prog.cu; step run none.cu; run prog.cu'
json_like 1:.error.message 'makes 4 launches, so there is no launch 5' 'too few launches'
json_like 2:.error.message 'no kernel .none.: it launches fill, turn::rev<float>' 'no such kernel'
json_like 3:.error.message 'makes 2 launches of fill' 'too few of a kernel'
json_like 4:.error.message 'exit status 3' 'a program that ends before'
json_like 5:.error.message 'SIGABRT' 'one that is ended before'
json_like 6:.error.message 'launches no kernel' 'one that launches nothing'
json_like 7:.error.message 'what launches' 'an option alone'
json_is 8:.status error 'launch 0'
json_like 9:.error.message 'without --device gpu' 'a program on a GPU'
json_like 10:.error.message 'none.cu' 'a file that is not there'
json_is 11:.result.launches 4 'afterwards a program runs as always'
echo '__global__ void k() { wrong } int main() { k<<<1, 1>>>(); }' >refused.cu
say 'step run refused.cu'
err_has wrong 'what the compiler says of a program is shown'
say_json 'step --launch 2 trap -n 64; step --launch 2 diverge; quit; step --kernel trap_race trap --variant race -n 64'
json_like 1:.error.message 'makes 1 launch, so there is no launch 2' 'a lab can have too few launches'
json_is 4:.status ok 'and its kernels have names'

# ---- from a finding ----------------------------------------------------------------------------

say_json 'run prog.cu; step; back; quit; step run prog.cu; quit; step'
json_is 2:.result.launch 3 'step alone runs the program again, up to the launch with the mistake'
json_is 2:.result.finding.kind race-shared 'to just before it'
json_like 2:.result.finding.other.line '^[0-9]+$' 'with the other thread'
json_is 3:.status ok 'and back'
json_is 7:.status ok 'the finding stays'
cat >differs.cu <<'CU'
#include <cstdio>
__global__ void bad(int *x) { x[threadIdx.x / 2] = threadIdx.x; }
__global__ void good(int *x) { x[threadIdx.x] = threadIdx.x; }
int main()
{
    int *x;
    cudaMalloc(&x, 256);
    FILE *f = fopen("been", "r");
    if (f) {
        good<<<1, 64>>>(x);
    } else {
        fclose(fopen("been", "w"));
        bad<<<1, 64>>>(x);
    }
    cudaDeviceSynchronize();
    cudaFree(x);
}
CU
say 'run differs.cu; step'
out_has 'a launch of `bad`. This time launch 1 is another one' 'a program that is not the same again is told'
cat >host.cu <<'CU'
__global__ void k() {}
int main() { int *x; k<<<1, 1>>>(); cudaMalloc(&x, 4); cudaFree(x); cudaFree(x); return cudaDeviceSynchronize(); }
CU
say_json 'run host.cu; step; run prog.cu 5; step'
json_like 2:.error.message 'in the host code' 'a mistake of the host can not be stepped'
sed 's/s\[i\] = x\[i\];/&\n    __syncthreads();/' prog.cu >right.cu
say_json 'run prog.cu; run right.cu; step'
json_like 3:.error.message 'nothing was found' 'findings of an earlier program are forgotten'

# ---- names of variables ------------------------------------------------------------------------

say_json 'step --launch 3 run --debug prog.cu; next 3; print i * 2; quit; run --debug prog.cu'
json_is '3:.result.values[3]' 6 '--debug keeps the variables of kernels'
json_is 5:.result.launches 4 'and the program is the same'
json_is 5:.result.log '(absent)' 'the compiler does not warn'

# ---- nothing is left -----------------------------------------------------------------------------

say 'step run prog.cu; stepi 3; where; quit'
is "$(ls "$tmp/tmp")" '' 'no file is left'
say 'step run prog.cu; stepi 3'
is "$(ls "$tmp/tmp")" '' 'nor where cudalab ends while the launch is stepped'
cat >process.cu <<'CU'
#include <cstdio>
#include <unistd.h>
__global__ void k() {}
int main() { printf("process %d\n", getpid()); k<<<1, 1>>>(); cudaDeviceSynchronize(); pause(); }
CU
say_json 'step run process.cu'
number=$(json .output[0])
number=${number#process }
kill -0 "$number" 2>/dev/null
is $? 1 'the process of the program has ended'
say_json 'array a i32 4; step run prog.cu; fill a value:1; print a; to end; quit; print a'
json_is 4:.status error 'while a program is stepped, names are those of the program'
json_is 3:.status ok 'arrays of the session are not of the program, and can be changed meanwhile'
json_is 7:.result.values '[1,1,1,1]' 'and keep their values'
say 'step run prog.cu; step run prog.cu; trap -n 64; quit; step run prog.cu; quit'
err_like 'quit. ends' 'stepping does not nest'
out_has 'area       24.00879' 'a lab can launch meanwhile, since it does so on another device'

# ---- under --safe ------------------------------------------------------------------------------

say 'step run prog.cu; next; quit' --safe --allow prog.cu
if grep -q 'is not here\|no Landlock' "$err"; then
    skip 'no whole program runs under --safe here' 'under --safe a program can be stepped'
else
    out_has 'The launch is left' 'under --safe a program can be stepped'
fi
done_testing
