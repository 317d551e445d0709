# SPDX-License-Identifier: GPL-3.0-or-later
#
# Mistakes of the host code that `run` tells with their reason: sizes in elements, launches that are
# refused, times that are asked for too early, addresses of the host. One mistake is told once. Right
# programs that look like these are here too.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
cp "$top_srcdir"/tests/whole/right/vector-add.cu .
needs_programs nvcc
say 'run vector-add.cu'
can_run

# told NAME [ARGS]: the kinds of all that is found in NAME.cu, and the lines, one finding a line.
told() {
    say_json "run $*"
    for i in 0 1 2 3 4 5 6 7; do
        kind=$(json ".faults[$i].kind")
        test "$kind" = '(absent)' && break
        echo "$kind $(json ".faults[$i].source")"
    done
}

# each_line WHAT FILE.cu KIND: each line that ends with // HERE has one finding of this kind, and
# there are no others.
each_line() {
    is "$(told "$2")" "$(grep -n '// HERE$' "$2" | sed "s/:.*//; s/^/$3 $2:/")" "$1"
}

# ---- sizes ----------------------------------------------------------------------------------

cat >symbols.cu <<'END'
#include <cstdio>
#define TAPS 7
#define OK(call) do { if ((call) != cudaSuccess) { puts(#call); return 1; } } while (0)
__constant__ float taps[TAPS];
__constant__ double numbers[256];
__device__ int grid[4][TAPS];
__device__ short left[32], other[16];
__device__ float4 points[3];
__device__ unsigned char bytes[64];
__device__ float rows[8][8];
__global__ void use(float *sum)
{
    *sum = taps[1] + (float)numbers[1] + grid[0][1] + left[1] + points[1].x + bytes[1] + rows[0][1] +
           other[1];
}
int main()
{
    static double h[256];
    float *sum;
    int n = 32;
    OK(cudaMemcpyToSymbol(taps, h, TAPS)); // HERE
    OK(cudaMemcpyToSymbol(numbers, h, 256)); // HERE
    if (cudaMemcpyToSymbolAsync(grid, h, 4 * TAPS, 0, cudaMemcpyHostToDevice) != cudaSuccess) // HERE
        return 1;
    OK(cudaMemcpyFromSymbol(h, left, 32)); // HERE
    cudaError_t e = cudaMemcpyToSymbol(points, h, 3, 0); // HERE
    if (e != cudaSuccess)
        return 1;
    // right: all bytes, a part that was meant, a size that has another meaning
    OK(cudaMemcpyToSymbol(bytes, h, 64));
    OK(cudaMemcpyToSymbol(rows, h, 8));
    OK(cudaMemcpyToSymbol(numbers, h, 16 * sizeof(double)));
    OK(cudaMemcpyToSymbol(other, h, n));
    OK(cudaMemcpyToSymbol(taps, h, sizeof taps));
    OK(cudaMemcpyToSymbol(taps, h, TAPS * sizeof(float) / 2, sizeof(float)));
    OK(cudaMalloc(&sum, sizeof *sum));
    use<<<1, 1>>>(sum);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(sum));
}
END
each_line 'symbols: the bounds of the variable in place of its bytes' symbols.cu elements-for-bytes
json_like '.faults[0].message' 'the copy has 7 of the 28 bytes of taps; 7 is the number of its elements' \
    'the numbers'

cat >sizes.cu <<'END'
#include <cstdio>
#include <cstdlib>
#define OK(call) do { if ((call) != cudaSuccess) { puts(#call); return 1; } } while (0)
int main()
{
    const int n = 40, w = 120, h = 9;
    int *bins, *host = (int *)calloc(w * h, sizeof(int));
    float *d;
    size_t pitch;
    OK(cudaMalloc(&bins, n * sizeof(int)));
    OK(cudaMallocPitch(&d, &pitch, w * sizeof(float), h));
    OK(cudaMemset(bins, 0, n)); // HERE
    OK(cudaMemsetAsync(bins, 0, n, 0)); // HERE
    OK(cudaMemcpy2D(d, pitch, host, w * sizeof(float), w, h, cudaMemcpyHostToDevice)); // HERE
    // right
    OK(cudaMemset(bins, 0, n * sizeof(int)));
    OK(cudaMemset(bins, 0, n / 2));
    OK(cudaMemset2D(d, pitch, 0, w * sizeof(float), h));
    OK(cudaMemcpy2D(d, pitch, host, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(d, pitch, host, w * sizeof(float), w / 4 * sizeof(float), h,
                    cudaMemcpyHostToDevice));
    OK(cudaFree(bins));
    OK(cudaFree(d));
    free(host);
}
END
each_line 'fills and rows: elements for bytes' sizes.cu elements-for-bytes

cat >later.cu <<'END'
#include <cstdlib>
__global__ void add(int *v, int n, size_t pitch)
{
    if (threadIdx.x < n)
        ((int *)((char *)v + blockIdx.x * pitch))[threadIdx.x]++;
}
__global__ void rows(double *v, size_t pitch, int n)
{
    v[blockIdx.x * pitch + threadIdx.x] = n;
}
int main(int argc, char **argv)
{
    const int n = 40, h = 6, part = atoi(argv[2]);
    int *v, *host = (int *)calloc(n * h, sizeof(int));
    double *d;
    size_t pitch = 0;
    switch (atoi(argv[1])) {
    case 0:
        cudaMalloc(&v, n * sizeof(int));
        cudaMemset(v, 0, part); // FILL
        add<<<1, 64>>>(v, n, 0);
        break;
    case 1:
        cudaMallocPitch(&v, &pitch, n * sizeof(int), h);
        cudaMemcpy2D(v, pitch, host, n * sizeof(int), part, h, cudaMemcpyHostToDevice); // ROWS
        add<<<h, 64>>>(v, n, pitch);
        break;
    case 2:
        cudaMalloc(&d, n); // SIZE
        rows<<<1, 40>>>(d, 0, n);
        break;
    case 3:
        cudaMallocPitch(&d, &pitch, n * sizeof(double), h);
        rows<<<h, 40>>>(d, pitch, h);
        break;
    case 4:
        cudaMalloc(&d, 80);
        rows<<<1, 40>>>(d, 0, n);
        break;
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
line() { grep -n "// $1\$" later.cu | sed 's/:.*//'; }
say_json 'run later.cu 0 30'
json_like '.faults[0].message' "; the fill of line $(line FILL) has only 30 of its 160 bytes" \
    'a kernel reads what a fill left out: the fill is named'
say_json 'run later.cu 0 160'
json_is '.faults[0].kind' not-freed 'a fill of all bytes is not'
say_json 'run later.cu 1 30'
json_like '.faults[0].message' "; the copy of line $(line ROWS) has only 30 bytes of each row" \
    'a copy of a part of each row'
say_json 'run later.cu 1 160'
json_is '.faults[0].kind' not-freed 'a copy of whole rows is right'
say_json 'run later.cu 2 0'
json_like '.faults[0].message' "; 40, the size in line $(line SIZE), looks like a number of elements" \
    'past the end of an array that cudaMalloc got too few bytes for'
json_like .explain 'number of bytes' 'and its lesson'
say_json 'run later.cu 3 0'
json_like '.faults[0].message' '; the pitch of d is 512 bytes' 'past the end of rows with a pitch'
json_like .explain 'pitch' 'and its lesson'
say_json 'run later.cu 4 0'
json_like '.faults[0].message' '10 elements of 8 bytes$' 'another array that is too small: no guess'

# ---- the host has too little ----------------------------------------------------------------

cat >small.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <list>
#include <vector>
#define OK(call) do { if ((call) != cudaSuccess) { puts(#call); return 1; } } while (0)
struct pair { int n; int many[200]; };
int global[40];
int sum(const int *v, int n) { return n ? v[n - 1] + sum(v, n - 1) : 0; }
int into(int *d, pair p)
{
    OK(cudaMemcpy(d, p.many, sizeof p.many, cudaMemcpyHostToDevice));
    return cudaMemcpy(d, &p, sizeof p, cudaMemcpyHostToDevice);
}
int main(int argc, char **argv)
{
    int *d, few[10] = {1}, many[200] = {2}, *block = (int *)malloc(40), all[2][100];
    static int fixed[200];
    std::list<int> others(1000, 33);
    std::vector<int> part(10), whole(200), reserved;
    int *larger = new int[5000], *odd = (int *)malloc(41);
    OK(cudaMalloc(&d, 4 * 1024));
    OK(cudaMemset(d, 0, 4 * 1024));
    free(malloc(100));
    switch (atoi(argv[1])) {
    case 0: OK(cudaMemcpy(d, few, 4000, cudaMemcpyHostToDevice)); break;
    case 1: OK(cudaMemcpy(block, d, 44, cudaMemcpyDeviceToHost)); break;
    case 2: OK(cudaMemcpy(d, block, 400, cudaMemcpyHostToDevice)); break;
    case 3: OK(cudaMemcpy(d, part.data(), 400, cudaMemcpyDefault)); break;
    case 4: OK(cudaMemcpyAsync(d, &whole, 4000, cudaMemcpyHostToDevice)); break;
    case 5: OK(cudaMemcpy2D(d, 16, block, 8, 8, 6, cudaMemcpyHostToDevice)); break;
    case 6: OK(cudaMemcpy2D(d, 8, few, 800, 8, 5, cudaMemcpyHostToDevice)); break;
    case 7: OK(cudaMemcpy(fixed + 4, d, 800, cudaMemcpyDeviceToHost)); break;
    case 8: OK(cudaMemcpy(d, global, 640, cudaMemcpyHostToDevice)); break;
    default: // right
        OK(cudaMemcpy(global + 30, d, 40, cudaMemcpyDeviceToHost));
        reserved.reserve(200);
        OK(cudaMemcpy(d, many, sizeof many, cudaMemcpyHostToDevice));
        OK(cudaMemcpy(many + 100, d, 400, cudaMemcpyDeviceToHost));
        OK(cudaMemcpy(&all[1][10], d, 360, cudaMemcpyDeviceToHost));
        OK(cudaMemcpy(fixed, d, sizeof fixed, cudaMemcpyDeviceToHost));
        OK(cudaMemcpy(block, d, 40, cudaMemcpyDeviceToHost));
        OK(cudaMemcpy(odd, d, 41, cudaMemcpyDeviceToHost));
        OK(cudaMemcpy(whole.data() + 100, d, 400, cudaMemcpyDeviceToHost));
        OK(cudaMemcpy(reserved.data(), d, 800, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 5000; i++)
            larger[i] = i % 2 ? 0 : 33; // as the size of a block looks
        for (int i = 0; i < 4000; i += 2)
            OK(cudaMemcpy(d, larger + i, 800, cudaMemcpyHostToDevice));
        OK((cudaError_t)into(d, pair{1, {2}}));
        printf("%d %d\n", sum(many, 200), all[1][10]);
    }
    OK(cudaFree(d));
    free(block);
    free(odd);
    delete[] larger;
}
END
small_line() { grep -n "case $1:" small.cu | sed 's/:.*//'; }
number=0
while IFS='|' read -r sentence; do
    say_json "run small.cu $number"
    json_is '.faults[0].kind' copy-too-large "the host has too little, $number"
    json_is '.faults[0].source' "small.cu:$(small_line $number)" 'the line of the copy'
    json_like '.faults[0].message' "$sentence" 'the numbers'
    number=$((number + 1))
done <<'END'
4000 bytes, and its source is a local variable, [0-9]* bytes before the end of its function's stack frame$
44 bytes, and its destination is memory of malloc or new with room for 40 bytes$
400 bytes, and its source is memory of malloc or new with room for 40 bytes$
400 bytes, and its source is memory of malloc or new with room for 40 bytes$
4000 bytes, and its source is a local variable, [0-9]* bytes before the end of its function's stack frame$
48 bytes, and its source is memory of malloc or new with room for 40 bytes$
3208 bytes, and its source is a local variable, [0-9]* bytes before the end of its function's stack frame$
800 bytes, and its destination is a variable with room for 784 bytes$
640 bytes, and its source is a variable with room for 160 bytes$
END
for options in -O0 '-O3 -Xcompiler -fomit-frame-pointer' '-cudart static'; do
    is "$(told "--nvcc '$options' small.cu 9")" '' "memory that is large enough: $options"
    say_json "run --nvcc '$options' small.cu 9"
    json_is '.output[0]' '4 2' 'and the program came to its end'
    say_json "run --nvcc '$options' small.cu 2"
    json_is '.faults[0].kind' copy-too-large "memory that is too small: $options"
done

# ---- launches that are refused --------------------------------------------------------------

cat >refused.cu <<'END'
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
__global__ void plain(int *p) { if (p) *p = 1; }
__global__ void __launch_bounds__(128) bound(int *p) { if (p) *p = 1; }
__global__ void big(int *p)
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    if (p)
        *p = s[threadIdx.x];
}
int main(int argc, char **argv)
{
    int *none = nullptr;
    void *args[] = {&none};
    switch (atoi(argv[1])) {
    case 0: plain<<<1, dim3(33, 33)>>>(none); break;
    case 1: plain<<<1, 2000>>>(none); break;
    case 2: plain<<<1, dim3(1, 1, 128)>>>(none); break;
    case 3: plain<<<dim3(1, 70000), 32>>>(none); break;
    case 4: plain<<<0, 32>>>(none); break;
    case 5: plain<<<1, dim3(32, 0)>>>(none); break;
    case 6: bound<<<1, 256>>>(none); break;
    case 7: big<<<1, 32, 65536>>>(none); break;
    case 8:
        cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
        big<<<1, 32, 65540>>>(none);
        break;
    case 9: cudaLaunchCooperativeKernel((void *)plain, 100000, 256, args, 0, 0); break;
    case 10: cudaLaunchKernel((void *)plain, 1, 2048, args, 0, 0); break;
    }
    if (argc > 2) {
        cudaError_t e = cudaGetLastError();
        puts(cudaGetErrorName(e));
        return e != cudaSuccess;
    }
    return 0;
}
END
number=0
while IFS='|' read -r kernel error reason; do
    say_json "run refused.cu $number"
    json_is '.faults[0].kind' error-ignored "$reason: the launch is told"
    json_like '.faults[0].message' "the launch of $kernel returned $error.*: $reason\$" 'with its reason'
    json_absent '.faults[1].kind' 'once'
    number=$((number + 1))
done <<'END'
plain|cudaErrorInvalidValue|a block has 1089 threads, and this device allows 1024
plain|cudaErrorInvalidValue|blockDim.x is 2000, and this device allows 1024
plain|cudaErrorInvalidValue|blockDim.z is 128, and this device allows 64
plain|cudaErrorInvalidValue|gridDim.y is 70000, and this device allows 65535
plain|cudaErrorInvalidValue|gridDim.x is 0
plain|cudaErrorInvalidValue|blockDim.y is 0
bound|cudaErrorInvalidValue|a block has 256 threads, and __launch_bounds__ of the kernel allows 128
big|cudaErrorInvalidValue|a block has 65536 bytes of shared memory, and it may have 49152 without cudaFuncSetAttribute
big|cudaErrorInvalidValue|a block has 65540 bytes of shared memory, and it may have 65536 by cudaFuncSetAttribute
plain|cudaErrorCooperativeLaunchTooLarge|a cooperative grid has 100000 blocks, more than the device can run at the same time
plain|cudaErrorInvalidValue|blockDim.x is 2048, and this device allows 1024
END
say 'run refused.cu 0 look'
out_lacks error-ignored 'a program that looks at the error is right'
err_like 'the launch of plain in line [0-9]* was refused: a block has 1089 threads' \
    'it ends with this error: the reason is told all the same'
out_like '^cudaErrorInvalidValue$' 'as it saw it'

# ---- an error that nobody looks at ----------------------------------------------------------

cat >early.cu <<'END'
#include <cstdio>
#define OK(call) do { if ((call) != cudaSuccess) { puts(#call); return 1; } } while (0)
__global__ void work(float *p) { p[threadIdx.x] = threadIdx.x; }
int main(int argc, char **)
{
    float *d, ms = -1;
    cudaEvent_t start, stop;
    OK(cudaMalloc(&d, 256));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaEventRecord(start));
    work<<<1, 64>>>(d);
    OK(cudaEventRecord(stop));
    cudaEventQuery(stop);
    if (argc > 1) {
        cudaStreamQuery(0);
        OK(cudaEventSynchronize(stop));
    }
    cudaEventElapsedTime(&ms, start, stop); // HERE
    OK(cudaDeviceSynchronize());
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(stop));
    OK(cudaFree(d));
}
END
each_line 'the time to an event that has not happened yet' early.cu error-ignored
json_like .explain 'cudaEventSynchronize' 'and what to do'
is "$(told early.cu wait)" '' 'after a wait nothing is told, and nothing of the questions whether all is done'

# ---- addresses of the host ------------------------------------------------------------------

cat >shadows.cu <<'END'
#include <cstdio>
__device__ unsigned found;
__constant__ float numbers[4];
int main()
{
    unsigned count = 1;
    float h[4] = {};
    void *none = nullptr;
    cudaMemcpy(&count, &found, sizeof count, cudaMemcpyDeviceToHost); // HERE
    cudaMemcpy(&numbers, h, sizeof h, cudaMemcpyHostToDevice); // HERE
    cudaMemcpyAsync(numbers + 1, h, 4, cudaMemcpyHostToDevice); // HERE
    cudaMemset(&found, 0, sizeof found); // HERE
    cudaMemcpy(&count, h, 4, cudaMemcpyDeviceToHost); // HERE
    cudaMemcpy2D(none, 4, h, 4, 4, 1, cudaMemcpyHostToDevice); // HERE
    cudaMemcpyToSymbol(found, &count, sizeof count);
    printf("%u\n", count);
}
END
each_line 'the address of a variable of the device on the host: one finding a call' shadows.cu \
    wrong-direction
number=0
while read -r sentence; do
    json_like ".faults[$number].message" "$sentence" "what is told, $number"
    number=$((number + 1))
done <<'END'
the source is the host's address of found, a variable of the device: call cudaMemcpyFromSymbol$
the destination is the host's address of numbers, a variable of the device: call cudaMemcpyToSymbol$
the destination is the host's address of numbers, a variable of the device: call cudaMemcpyToSymbol$
the host's address of found, a variable of the device: get the other one with cudaGetSymbolAddress$
the source should be on the device, and it is memory of the host$
the destination should be on the device, and it is a null pointer$
END
say_json 'run shadows.cu'
ok 'no address that changes from run to run is told' test "$(grep -c 0x7 "$out")" = 0

cat >frees.cu <<'END'
#include <cstdlib>
int main()
{
    int *p, *q, *r = (int *)malloc(64);
    if (cudaMallocHost(&p, 64) != cudaSuccess || cudaMalloc(&q, 64) != cudaSuccess)
        return 1;
    cudaFree(p); // HERE
    cudaFreeHost(q); // HERE
    cudaFree(q + 1); // HERE
    cudaFree(r); // HERE
    return cudaFreeHost(p) != cudaSuccess || cudaFree(q) != cudaSuccess;
}
END
each_line 'memory that is freed wrongly: one finding a call' frees.cu bad-free

cat >broken.cu <<'END'
#include <cstdio>
#define OK(call) do { if ((call) != cudaSuccess) { puts(#call); return 1; } } while (0)
__global__ void work(int *p) { p[threadIdx.x] = 1; }
int main()
{
    int *p;
    cudaStream_t s;
    cudaGraph_t g = nullptr;
    cudaGraphExec_t exec = nullptr;
    OK(cudaMalloc(&p, 128));
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    work<<<1, 32, 0, s>>>(p);
    cudaStreamSynchronize(s); // HERE
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&exec, g, 0);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(exec, s);
    OK(cudaDeviceSynchronize());
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    work<<<1, 32, 0, s>>>(p);
    OK(cudaStreamEndCapture(s, &g));
    cudaGraphInstantiate(nullptr, g, 0); // HERE
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(s));
    OK(cudaFree(p));
}
END
each_line 'a capture that an error has ended: what follows from it is not told' broken.cu error-ignored
done_testing
