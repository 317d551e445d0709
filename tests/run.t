# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whole programs by `run`. tests/whole/right has programs that are right. Each has the output that an
# H100 gives (`.out`; tests/h100/whole.txt). tests/whole/wrong has programs with one mistake each, in
# a line that ends with `// HERE`. Where another line may be named as well, that line ends with
# `// AND HERE` or `// OR HERE`.
#
# tests/run-clang.t runs this file for programs by clang: it sets RUN_BY and by_clang(), which has
# further tests. The two take turns with the programs of these folders (programs_by).
RUN_BY=${RUN_BY:-nvcc}
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
case $RUN_BY in
nvcc)
    any_kernels
    with='' at=''
    ;;
*) with="set compiler $RUN_BY; " at=2: ;;
esac

enter_work
whole=$top_srcdir/tests/whole
cp "$whole"/right/*.cu "$whole"/wrong/*.cu .
needs_programs $RUN_BY
say "${with}run vector-add.cu"
can_run

chosen=" $(programs_by $RUN_BY | tr '\n' ' ')"
is_chosen() { # is_chosen NAME: is this program tried with this compiler?
    case $chosen in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

# ---- right programs -------------------------------------------------------------------------

is "$(ls "$whole"/right/*.cu | sed 's,.*/,,' | LC_ALL=C sort)" \
    "$(grep -v '^#' "$top_srcdir/tests/h100/whole.txt")" 'an H100 has run each right program'
is "$(ls "$whole"/right/*.out | sed 's,.*/,,; s,out$,cu,' | LC_ALL=C sort)" \
    "$(grep -v '^#' "$top_srcdir/tests/h100/whole.txt")" 'and each has its output'

for out_file in "$whole"/right/*.out; do
    name=${out_file##*/} name=${name%.out}
    is_chosen "$name" || continue
    say "${with}run $name.cu $(words_of args "$name.cu")"
    head -n "$(wc -l <"$out_file")" "$out" >"$tmp/printed"
    cmp -s "$tmp/printed" "$out_file"
    verdict $? "$name: as on an H100"
    say_json "${with}run $name.cu $(words_of args "$name.cu")"
    code=$(words_of exit "$name.cu")
    json_is ${at}.result.exit_status "${code:-0}" "$name: its exit status"
    json_absent "${at}.faults[0].kind" "$name: no checker finds anything"
    json_absent "${at}.result.not_served[0]" "$name: all that it calls is served"
done

# ---- wrong programs -------------------------------------------------------------------------

for file in "$whole"/wrong/*.cu; do
    name=${file##*/} name=${name%.cu}
    is_chosen "$name" || continue
    say_json "${with}run $name.cu $(words_of args "$name.cu")"
    names_a_line "$name.cu" "$name: the line is named ($(words_of wrong "$name.cu"))" $at
done

if test $RUN_BY = clang; then
    by_clang
    done_testing
    exit
fi

# ---- what it says ---------------------------------------------------------------------------

say 'run growing_sums.cu'
status_is 0 'memory that is not freed is told, and no failure'
out_like '^n = 400, sum = 80200$' 'the output of the program'
out_has "in the host's code, at growing_sums.cu:35" 'the line of the host'
cat >short.cu <<'END'
__global__ void twice(int *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] *= 2;
}
int main()
{
    int h[400] = {1}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
    twice<<<2, 256>>>(d, 400);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return 0;
}
END
say_json 'run short.cu'
json_like '.faults[0].message' 'the copy of line 11 has only 400 of its 1600 bytes' \
    'an unwritten element: the copy that was too short is named'
sed 's/cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);/& cudaMemcpy(d + 200, h, 400, cudaMemcpyHostToDevice);/' \
    short.cu >parts.cu
say 'run parts.cu'
out_has 'reads d[100]' 'after several copies an element is unwritten as well'
out_lacks 'has only' 'and none of them is blamed'
say 'run shop_prices.cu'
status_is 1 'a fault of a kernel: status 1'
say 'run poster_circle.cu'
tr -s ' \n' '  ' <"$out" >said
is "$(grep -c 'the launch of [a-zA-Z_]* returned cudaErrorInvalidValue .*: ' said)" 1 \
    'a launch that failed without a word, and why'

# ---- streams --------------------------------------------------------------------------------

say_json 'run frames.cu'
json_is .faults[0].kind stream-race 'two streams that use one array'
json_is .faults[0].other.source frames.cu:49 'the other call is named'
json_absent .faults[0].other.block 'and no thread'
json_absent '.faults[1].kind' 'once for a pair of lines'
say_json 'run sales_report.cu'
json_is .faults[0].kind stream-race 'a function of the host reads after the kernel was done here'
say_json 'run score_board.cu'
json_is .faults[0].kind kernel-pending 'or before'
for seed in 1 2; do
    say_json "run --schedule random --seed $seed pipeline_kernels.cu"
    eval "above$seed=\$(json '.output[0]')"
    json_is .faults[0].kind stream-race "seed $seed: found in this order too"
done
is "$above1, $above2" 'points above zero: 1800, points above zero: 0' 'the order is drawn by the seed'
say_json 'set schedule random; set seed 2; run pipeline_kernels.cu; set schedule lockstep'
json_is '3:.output[0]' "$above2" 'the settings have the same effect'
for seed in 1 2 3; do
    say_json "run --schedule random:$seed fork-join.cu"
    json_is '.output[0]' '20 20 20' "seed $seed: what is ordered by events stays in order"
    json_absent '.faults[0].kind' "seed $seed: and nothing is found"
    say_json "run --schedule random:$seed graph-fork.cu"
    json_absent '.faults[0].kind' "seed $seed: nor where the edges of a graph give the order"
    say_json "run --schedule random:$seed garden_plan.cu"
    json_is '.faults[0].kind' stream-race "seed $seed: two nodes without an edge between them"
done
cat >lent.cu <<'END'
#include <cstdio>
__global__ void fill(int *p) { p[threadIdx.x] = 7; }
__global__ void sum(const int *p, int *s) { atomicAdd(s, p[threadIdx.x]); }
int main()
{
    cudaStream_t a, b;
    cudaEvent_t came, used;
    int *p, *s, h = 0;
    if (cudaStreamCreate(&a) || cudaStreamCreate(&b) || cudaEventCreate(&came) ||
        cudaEventCreate(&used) || cudaMalloc(&s, 4) || cudaMemset(s, 0, 4))
        return 1;
    if (cudaMallocAsync(&p, 400, a)) return 1; // brings
    if (cudaEventRecord(came, a)) return 1;
    if (!BROUGHT && cudaStreamWaitEvent(b, came, 0)) return 1;
    fill<<<1, 100, 0, b>>>(p);                 // fills
    sum<<<1, 100, 0, b>>>(p, s);               // sums
    if (cudaGetLastError() || cudaEventRecord(used, b)) return 1;
    if (!FREED && cudaStreamWaitEvent(a, used, 0)) return 1;
    if (cudaFreeAsync(p, a)) return 1;         // frees
    if (cudaStreamSynchronize(b) || cudaStreamSynchronize(a)) return 1;
    if (cudaMemcpy(&h, s, 4, cudaMemcpyDeviceToHost)) return 1;
    printf("%d\n", h);
    return cudaFree(s) || cudaEventDestroy(came) || cudaEventDestroy(used) ||
           cudaStreamDestroy(a) || cudaStreamDestroy(b);
}
END
line_of() { grep -n "// $1" lent.cu | cut -d : -f 1; }
say_json 'run -DBROUGHT=0 -DFREED=0 lent.cu'
json_is '.output[0]' 700 'memory from cudaMallocAsync, used in another stream that waits'
json_absent '.faults[0].kind' 'and nothing is found'
say_json 'run -DBROUGHT=1 -DFREED=0 lent.cu'
json_is '.faults[0].kind' stream-race 'it is used before it is there'
json_is '.faults[0].source' "lent.cu:$(line_of fills)" 'by a kernel'
json_is '.faults[0].other.source' "lent.cu:$(line_of brings)" 'in another stream than cudaMallocAsync'
say_json 'run -DBROUGHT=0 -DFREED=1 lent.cu'
json_is '.faults[0].kind' stream-race 'it is freed while it is used'
json_is '.faults[0].source' "lent.cu:$(line_of frees)" 'by cudaFreeAsync'
json_like '.faults[0].message' 'this cudaFreeAsync frees p' 'which is named'
cat >early.cu <<'END'
#include <cstdio>
__global__ void init(int2 *p)
{
    p[threadIdx.x] = make_int2(threadIdx.x, 1);
}
__global__ void swap(int2 *p, int *q)
{
    int2 v = p[threadIdx.x];
    p[threadIdx.x].x = v.y;
    q[threadIdx.x] += v.x;
}
int main(int argc, char **)
{
    int2 *p;
    int *q, h[64];
    cudaStream_t s;
    cudaMalloc(&p, 64 * sizeof *p);
    cudaMalloc(&q, sizeof h);
    if (argc < 2)
        cudaMemset(q, 0, sizeof h);
    cudaDeviceSynchronize();
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    init<<<1, 64>>>(p);
    swap<<<1, 64, 0, s>>>(p, q);
    cudaStreamSynchronize(s);
    cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[1]);
    cudaFree(p);
    cudaFree(q);
    return cudaStreamDestroy(s) != cudaSuccess;
}
END
say_json 'run early.cu'
json_is '.faults[0].kind' stream-race 'a kernel that comes too early reads what is not yet written'
json_absent '.faults[1].kind' 'and only the race is told'
say_json 'run early.cu unwritten'
json_is '.faults[0].kind' uninitialized 'what nothing writes is told beside it'
json_like '.faults[0].message' 'reads q' 'by its name'
json_is '.faults[1].kind' stream-race 'with the race'
bad 'run --schedule sideways frames.cu' 'schedule'
say_json 'run number_squares.cu'
json_is .faults[0].kind elements-for-bytes 'a number of elements for bytes'
json_like .faults[1].message 'the copy of line 32 has only 200 of its 800 bytes' 'names its effect'

# ---- the end --------------------------------------------------------------------------------

cat >leaves.cu <<'END'
#include <cstdlib>
int main(int argc, char **)
{
    int *p;
    cudaMalloc(&p, 4);
    exit(argc > 1 ? 1 : 0);
}
END
say_json 'run leaves.cu'
json_is .faults[0].kind not-freed 'memory that is not freed'
say_json 'run leaves.cu early'
json_absent '.faults[0].kind' 'is not told of a program that leaves early'

cat >args.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
int main(int argc, char **argv)
{
    char line[80];
    for (int i = 1; i < argc; i++)
        printf("%d: %s\n", i, argv[i]);
    while (fgets(line, sizeof line, stdin))
        printf("read %s", line);
    return argc > 1 ? atoi(argv[argc - 1]) : 0;
}
END
say 'run args.cu -x "two words" --json 7'
out_like '^1: -x$' 'arguments may begin with a dash'
out_like '^2: two words$' 'and be in quotes'
out_like '^3: --json$' "options behind the file are the program's"
out_like 'exit status +7$' 'its exit status'
printf 'a\nb\n' >lines
say 'run --input lines args.cu'
out_like '^read b$' '--input: what it reads from stdin'
say 'run args.cu'
out_lacks 'read' 'without it there is nothing to read'

echo 'int main() { return x; }' >broken.cu
say 'run broken.cu'
status_is 1 'a program that does not compile'
err_like 'broken\.cu.*"x" is undefined' "the compiler's own message"
cat >old.cu <<'END'
#include <thrust/functional.h>
struct twice : thrust::unary_function<int, int> {
    __host__ __device__ int operator()(int x) const { return 2 * x; }
};
int main()
{
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    int *managed;
    cudaMallocManaged(&managed, 4);
    cudaMemPrefetchAsync(managed, 4, 0, 0);
    cudaThreadSynchronize();
    return p.clockRate + twice()(*managed);
}
END
say 'run old.cu'
tr -s ' \n' '  ' <"$err" >said
for what in '2: CUDA has no `unary_function` any more; write no base class' \
    '11: `cudaMemPrefetchAsync` has other parameters now; write cudaMemPrefetchAsync(p, bytes, {' \
    '12: CUDA has no `cudaThreadSynchronize` any more; write cudaDeviceSynchronize' \
    '13: CUDA has no `clockRate` any more; write cudaDeviceGetAttribute(&value, cudaDevAttrClock'; do
    is "$(grep -c -F "old.cu:$what" said)" 1 "an older program: what to write instead, line ${what%%:*}"
done
echo 'int main() { int binary_function = 1; cudaMemPrefetchAsync(0, 4, {}, 0); return nothing; }' >new.cu
say 'run new.cu'
is "$(grep -c 'any more\|other parameters' "$err")" 0 'what the compiler takes is not called old'
bad 'run none.cu' 'none\.cu'
mkdir -p toolkit/bin
echo '#!/nonexistent/sh' >toolkit/bin/nvcc
chmod +x toolkit/bin/nvcc
before=${CUDA_HOME-}
export CUDA_HOME="$PWD/toolkit"
say 'set compiler nvcc; run vector-add.cu'
err_like "nvcc can't compile here: cannot start it" 'an nvcc that cannot start refuses nothing'
CUDA_HOME=$before
test -n "$before" || unset CUDA_HOME
far=$(awk 'BEGIN { while (i++ < 5) printf "a_folder_whose_name_is_quite_long_%d/", i }')
mkdir -p "$far"
cp shop_prices.cu "$far"
say_json "run ${far}shop_prices.cu"
json_is .faults[0].source "${far}shop_prices.cu:21" 'a long path stays whole'
bad 'run' 'FILE'
cat >crash.cu <<'END'
#include <cstdio>
int main()
{
    printf("before\n");
    *(volatile int *)8 = 1;
}
END
say_json 'array x i32 4 iota; run crash.cu; print x'
json_is '2:.faults[0].kind' host-crash 'a crash of the host code'
json_is '2:.faults[0].source' crash.cu:5 'where it was'
json_absent '2:.faults[1].kind' 'and it is told once'
json_is 2:.result.signal SIGSEGV 'the signal'
json_is '2:.output[0]' before 'what came before it is there'
json_is 3:.result.values '[0,1,2,3]' "the session's arrays stay"
cat >crashes.cu <<'END'
#include <csignal>
int main(int argc, char **)
{
    char *text = (char *)"constant";
    int *d;
    cudaMalloc(&d, 64);
    if (argc == 1)
        text[0] = 'C';
    if (argc == 2)
        *d = 1;
    raise(SIGSEGV);
}
END
say_json 'run crashes.cu'
json_is '.faults[0].message' 'the host changes memory that can only be read' 'a constant is changed'
json_is '.faults[0].source' crashes.cu:8 'its line'
say_json 'run crashes.cu a'
json_is '.faults[0].message' 'the host uses d, which is memory of the device' "the device's memory"
json_absent '.faults[1].kind' 'once'
say_json 'run crashes.cu a b'
json_is '.faults[0].kind' host-crash 'a signal that was sent'
json_absent '.faults[0].source' 'has no address and no line'
cat >dies.cu <<'END'
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
static int deep(volatile int *v)
{
    volatile int a[1000];
    a[0] = *v;
    return deep(a) + a[1]; // FULL
}
int main(int argc, char **argv)
{
    volatile int zero = argc - 2;
    puts("before");
    switch (atoi(argv[1])) {
    case 0: assert(zero);
    case 1: throw std::runtime_error("mine");
    case 2: abort();
    case 3: return 5 / zero;
    case 4: __builtin_trap();
    case 5: raise(SIGBUS);
    case 6: raise(SIGUSR1);
    case 7: return deep(&zero);
    }
}
END
number=0
while read -r signal sentence; do
    say_json "run dies.cu $number"
    json_like .result.signal "^$signal" "$signal, $number"
    json_is '.faults[0].kind' host-crash 'a crash'
    json_is '.output[0]' before 'what was printed before is there'
    json_like '.faults[0].message' "$sentence" 'the message says what happened'
    case $signal in
    SIGSEGV) ;;
    *)
        case $(json .explain) in *'cannot access'* | *cudaMalloc*) false ;; *) true ;; esac
        verdict $? 'the lesson speaks of no address'
        ;;
    esac
    number=$((number + 1))
done <<'END'
SIGABRT it called abort.*failed assert
SIGABRT it called abort.*exception that nothing catches
SIGABRT it called abort
SIGFPE divided an integer by 0
SIGILL does not have
SIGBUS memory that is not there
signal by signal
SIGSEGV no room left on its stack
END
mkdir -p deep
cat >deep/name.cu <<'END'
#include <cstdio>
int main(int argc, char **argv) { printf("%s %d\n", argv[0], argc); }
END
say "${with}run deep/name.cu a"
is "$(head -n 1 "$out")" 'deep/name 2' 'a program is called like its source, and the same in each run'
(cd deep && say "${with}run name.cu" && head -n 1 "$out" >"$tmp/name")
is "$(cat "$tmp/name")" './name 1' 'also without a folder'
cat >leaves.cu <<'END'
#include <cstdio>
__global__ void twice(int *v) { v[threadIdx.x] *= 2; }
int main()
{
    int *v, host[32], joined = 0;
    cudaStream_t one, two;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMalloc(&v, sizeof host);
    for (int i = 0; i < 32; i++)
        host[i] = i;
    cudaMemcpy(v, host, sizeof host, cudaMemcpyHostToDevice);
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, one);
    cudaStreamWaitEvent(two, fork);
    twice<<<1, 32, 0, two>>>(v);
    cudaEventRecord(join, two);
    cudaStreamWaitEvent(one, join);
    joined = cudaStreamDestroy(two);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    twice<<<1, 32, 0, one>>>(v);
    int ended = cudaStreamEndCapture(one, &graph);
    cudaGraphInstantiate(&exec, graph);
    cudaGraphLaunch(exec, one);
    cudaStreamSynchronize(one);
    cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", joined, ended, host[31]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(one);
    cudaFree(v);
}
END
say "${with}run leaves.cu"
is "$(head -n 1 "$out")" '0 0 124' 'a stream that a capture has joined may be destroyed before the capture ends'
cat >family.cu <<'END'
#include <cstdio>
__global__ void child(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void parent(int *p) { child<<<1, 32>>>(p); }
int main()
{
    cudaFuncAttributes a, b;
    cudaFuncGetAttributes(&a, parent);
    cudaFuncGetAttributes(&b, child);
    printf("%s\n", a.numRegs > 0 && b.numRegs > 0 ? "known" : "unknown");
}
END
if test "$RUN_BY" = nvcc; then
    say 'run -rdc=true family.cu'
    status_is 0 'a program whose kernels launch kernels asks for their registers'
    is "$(head -n 1 "$out")" known 'ptxas tells them'
fi
cat >endless.cu <<'END'
#include <cstdio>
int main() { puts("begins"); for (volatile int i = 0;; i++) continue; }
END
say_json 'set time-limit 3; run endless.cu; set time-limit 60; hello 1'
json_is 2:.faults[0].kind host-timeout 'a program that never ends'
json_is '2:.output[0]' begins 'what it printed is there'
json_is 4:.status ok 'and the next command works'
printf '#!/bin/sh\nsleep 5\nexec "%s" "$@"\n' "$nvcc" >toolkit/bin/nvcc
cat >late.cu <<'END'
#include <cstdio>
int main() { puts("late"); }
END
before=${CUDA_HOME-}
export CUDA_HOME="$PWD/toolkit"
say_json 'set compiler nvcc; set time-limit 4; run late.cu'
CUDA_HOME=$before
test -n "$before" || unset CUDA_HOME
json_is '3:.output[0]' late "the compiler's time is not the program's"
cat >spins.cu <<'END'
#include <cstdio>
__global__ void spin(volatile int *p) { while (*p == 0) continue; }
int main()
{
    int *d;
    cudaMalloc(&d, 4);
    cudaMemset(d, 0, 4);
    printf("begun\n");
    spin<<<1, 1>>>(d);
    cudaDeviceSynchronize();
}
END
say_json 'set time-limit 4; run spins.cu'
json_is 2:.faults[0].kind timeout 'a kernel that never ends'
json_is '2:.output[0]' begun 'what the program printed before is there'
json_absent '2:.faults[1].kind' 'is told once'
cat >sleeps.cu <<'END'
#include <unistd.h>
static void sleeps(void *) { pause(); }
int main()
{
    cudaLaunchHostFunc(nullptr, sleeps, nullptr);
    cudaDeviceSynchronize();
}
END
say_json 'set time-limit 4; run sleeps.cu; set time-limit 60; hello 1'
json_is 2:.faults[0].kind host-timeout 'a function of the host that never returns'
json_is 4:.status ok 'and the next command works'
cat >flood.cu <<'END'
#include <cstdio>
int main() { for (;;) puts("0123456789012345678901234567890123456789012345678901234567890123456789"); }
END
say_json 'run flood.cu'
json_like .error.message 'printed more than 64 MiB' 'a program that prints without end'
cat >nested.cu <<'END'
#include <cstdio>
int main()
{
    cudaGraph_t inner, outer;
    cudaGraphNode_t node;
    cudaError_t error = cudaGraphCreate(&inner, 0);
    int deep = 0;
    for (; error == cudaSuccess && deep < 1000; deep += error == cudaSuccess, inner = outer) {
        cudaGraphCreate(&outer, 0);
        error = cudaGraphAddChildGraphNode(&node, outer, nullptr, 0, inner);
    }
    printf("%d %s\n", deep, cudaGetErrorName(error));
}
END
say_json 'run nested.cu'
json_is '.output[0]' '512 cudaErrorNotSupported' 'a graph lies in 512 others, and in no more'
cat >chain.cu <<'END'
#include <cstdio>
__global__ void more(int *count) { ++*count; }
int main()
{
    cudaGraph_t inner, outer;
    cudaGraphNode_t node;
    cudaGraphExec_t run;
    int *count, seen = 0;
    void *args[] = {&count};
    cudaMalloc(&count, 4);
    cudaMemset(count, 0, 4);
    cudaKernelNodeParams k = {};
    k.func = (void *)more;
    k.gridDim = k.blockDim = dim3(1);
    k.kernelParams = args;
    cudaGraphCreate(&inner, 0);
    cudaGraphAddKernelNode(&node, inner, nullptr, 0, &k);
    for (int deep = 0; deep < 300; deep++, inner = outer) {
        cudaGraphCreate(&outer, 0);
        cudaGraphAddChildGraphNode(&node, outer, nullptr, 0, inner);
        cudaGraphDestroy(inner);
    }
    printf("%s\n", cudaGetErrorName(cudaGraphInstantiate(&run, inner, 0)));
    cudaGraphLaunch(run, 0);
    cudaGraphLaunch(run, 0);
    cudaMemcpy(&seen, count, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", seen);
    cudaGraphConditionalHandle h;
    cudaGraphConditionalHandleCreate(&h, inner, 1, cudaGraphCondAssignDefault);
    printf("%s\n", cudaGetErrorName(cudaGraphInstantiate(&run, inner, 0)));
    cudaFree(count);
}
END
say_json 'run chain.cu'
json_is '.output[0]' cudaSuccess '300 graphs, one in the other'
json_is '.output[1]' 2 'are launched'
json_is '.output[2]' cudaErrorInvalidValue 'a condition that no node has'
json_absent '.faults[0].kind' 'and nothing is found'
cat >layers.cu <<'END'
#include <cstdio>
__global__ void read(cudaTextureObject_t t, int *out)
{
    out[threadIdx.x] = tex2DLayered<int>(t, 0.5f, 0.5f, threadIdx.x);
}
int main()
{
    int texels[5] = {0, 10, 20, 30, 40}, *out, seen[3];
    const cudaChannelFormatDesc number = cudaCreateChannelDesc<int>();
    cudaResourceDesc what = {};
    cudaTextureDesc how = {};
    cudaResourceViewDesc view = {};
    cudaTextureObject_t t;
    cudaMemcpy3DParms copy = {};
    cudaMalloc3DArray(&what.res.array.array, &number, make_cudaExtent(1, 1, 5), cudaArrayLayered);
    copy.srcPtr = make_cudaPitchedPtr(texels, 4, 1, 1);
    copy.dstArray = what.res.array.array;
    copy.extent = make_cudaExtent(1, 1, 5);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    view.format = cudaResViewFormatSignedInt1;
    view.width = view.height = 1;
    view.firstLayer = 1;
    view.lastLayer = 3;
    cudaCreateTextureObject(&t, &what, &how, &view);
    cudaMalloc(&out, sizeof seen);
    read<<<1, 3>>>(t, out);
    cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", seen[0], seen[1], seen[2]);
    view.lastLayer = 5;
    cudaTextureObject_t none;
    printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&none, &what, &how, &view)));
    cudaDestroyTextureObject(t);
    cudaFreeArray(what.res.array.array);
    cudaFree(out);
}
END
say_json 'run layers.cu'
json_is '.output[0]' '10 20 30' 'some of the layers of an array'
json_is '.output[1]' cudaErrorInvalidValue 'of those that it has'
cat >turns.cu <<'END'
#include <cstdio>
__global__ void always(cudaGraphConditionalHandle h) { cudaGraphSetConditional(h, 1); }
int main(int argc, char **)
{
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaGraphNode_t node, inner;
    cudaGraphConditionalHandle h;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&h, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h;
    const cudaGraphConditionalNodeType kinds[] = {cudaGraphCondTypeIf, cudaGraphCondTypeWhile,
                                                  cudaGraphCondTypeSwitch, cudaGraphCondTypeWhile};
    const unsigned sizes[] = {3, 2, 0, 1};
    for (int i = 0; i < 4; i++) {
        p.conditional.type = kinds[i];
        p.conditional.size = sizes[i];
        printf("%s ", cudaGetErrorName(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p)));
    }
    printf("\n");
    fflush(stdout);
    void *args[] = {&h};
    cudaKernelNodeParams k = {};
    k.func = (void *)always;
    k.gridDim = k.blockDim = dim3(1);
    k.kernelParams = args;
    cudaGraphAddKernelNode(&inner, p.conditional.phGraph_out[0], nullptr, 0, &k);
    cudaGraphInstantiate(&run, graph, 0);
    if (argc > 1) {
        cudaGraphLaunch(run, 0);
        cudaDeviceSynchronize();
    }
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(graph);
}
END
invalid=cudaErrorInvalidValue
say 'run turns.cu'
out_has "$invalid $invalid $invalid cudaSuccess" 'conditional nodes of a wrong shape'
"$nvcc" -o turns turns.cu
say_json 'set time-limit 4; run ./turns loop; set time-limit 60; hello 1'
json_is 2:.faults[0].kind host-timeout 'a loop of a graph that never ends'
json_is 4:.status ok 'and the next command works'
cat >lacks.cu <<'END'
#include <cstdio>
int main()
{
    cudaIpcMemHandle_t h;
    printf("%s\n", cudaGetErrorName(cudaIpcGetMemHandle(&h, nullptr)));
}
END
say_json 'run lacks.cu'
json_is '.output[0]' cudaErrorNotSupported 'a function that is not served'
json_is '.result.not_served[0]' cudaIpcGetMemHandle 'is named at the end'
cat >host_fill.cu <<'END'
#include <cstdio>
#include <cstdlib>
int main()
{
    int *h = (int *)malloc(64), *d;
    printf("%s\n", cudaGetErrorName(cudaMemset(h, 0, 64)));
    cudaMalloc(&d, 64);
    printf("%s\n", cudaGetErrorName(cudaFreeHost(d)));
    cudaFree(d);
    free(h);
}
END
say 'run host_fill.cu'
out_like '^cudaErrorInvalidValue$' 'a fill of memory of the host is refused'
out_has 'is memory of the host, which the device' 'and told'
out_has 'd is memory of cudaMalloc, which cudaFree frees' 'memory that another call frees'
cat >own_stream.cu <<'END'
#include <cstdio>
__global__ void put(int *v) { *v = 7; }
int main()
{
    int *d, h = 0;
    cudaMalloc(&d, 4);
    put<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("got %d\n", h);
    cudaFree(d);
}
END
say 'run -D CUDA_API_PER_THREAD_DEFAULT_STREAM own_stream.cu'
status_is 0 'default streams of threads'
out_like '^got 7$' 'its output'
cat >heap.cu <<'END'
#include <cstdio>
__global__ void get(int *n)
{
    void *p = malloc(12 << 20);
    *n = p != nullptr;
    free(p);
}
int main()
{
    int *n;
    cudaMallocManaged(&n, 4);
    get<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    printf("before: %d\n", *n);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20);
    get<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    printf("after: %d\n", *n);
    cudaFree(n);
}
END
say 'run heap.cu'
out_like '^before: 0$' 'the heap of kernels has its usual size'
out_like '^after: 1$' 'and the one that the program sets'
cat >forks.cu <<'END'
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
int main()
{
    int *p;
    cudaMalloc(&p, 4);
    fflush(stdout);
    if (fork() == 0) {
        printf("child: %s\n", cudaGetErrorName(cudaMalloc(&p, 4)));
        fflush(stdout);
        _exit(0);
    }
    wait(nullptr);
    printf("parent: %s\n", cudaGetErrorName(cudaFree(p)));
}
END
say 'run forks.cu'
out_has 'child: cudaErrorInitializationError' 'a process of fork() has no device'
out_has 'parent: cudaSuccess' 'the parent keeps its own'
cat >prints.cu <<'END'
#include <cstdio>
__global__ void print(int n)
{
    for (int i = 0; i < n; i++)
        printf("line %d of what the kernel prints\n", i);
}
int main()
{
    print<<<1, 1>>>(6000);
    return cudaDeviceSynchronize();
}
END
say 'set time-limit 20; run prints.cu'
out_has 'line 5999 of' 'what a kernel prints may be more than a pipe holds'
is "$(grep -c 'line [0-9]* of' "$out")" 6000 'and no line is lost'

done_testing
