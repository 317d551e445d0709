# SPDX-License-Identifier: GPL-3.0-or-later
#
# The times that a program of `run` gets: of events, by the model; of clocks in kernels. They are
# plausible and the same in each run, and the end of the run says what they are.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
needs_programs nvcc

# Each line of the program is a name and a number of nanoseconds.
cat >events.cu <<'END'
#include <cstdio>
__global__ void scale(float *x, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; i < n && k < rounds; k++)
        x[i] = x[i] * 0.5f + 1;
}
const int n = 1 << 18;
cudaEvent_t first, last;
void begin() { cudaEventRecord(first); }
void end(const char *name)
{
    float ms = -1;
    cudaEventRecord(last);
    cudaEventSynchronize(last);
    cudaEventElapsedTime(&ms, first, last);
    printf("%s %.0f\n", name, ms * 1e6);
}
int main()
{
    float *x, *y, *pinned, *pageable = new float[n]();
    float ms = 7;
    cudaStream_t s[2];
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&y, n * sizeof *y);
    cudaMallocHost(&pinned, n * sizeof *pinned);
    cudaMemset(x, 0, n * sizeof *x);
    cudaMemset(y, 0, n * sizeof *y);
    for (int i = 0; i < n; i++)
        pinned[i] = 1;
    cudaStreamCreate(&s[0]);
    cudaStreamCreate(&s[1]);
    cudaEventCreate(&first);
    cudaEventCreate(&last);
    scale<<<n / 256, 256>>>(x, n, 1);
    cudaDeviceSynchronize();
    begin(), scale<<<n / 256, 256>>>(x, n, 10), end("kernel");
    begin(), scale<<<n / 256, 256>>>(x, n, 100), end("long");
    begin(), scale<<<n / 256, 256>>>(x, n, 10), scale<<<n / 256, 256>>>(x, n, 10), end("two");
    begin(), scale<<<1, 32>>>(x, 1, 1), end("tiny");
    begin(), cudaMemcpy(x, pinned, n * 4, cudaMemcpyHostToDevice), end("pinned");
    begin(), cudaMemcpy(x, pageable, n * 4, cudaMemcpyHostToDevice), end("pageable");
    begin();
    cudaMemcpyAsync(x, pinned, n * 4, cudaMemcpyHostToDevice, s[0]);
    scale<<<n / 256, 256, 0, s[0]>>>(y, n, 100);
    end("one-stream");
    begin();
    cudaMemcpyAsync(x, pinned, n * 4, cudaMemcpyHostToDevice, s[0]);
    scale<<<n / 256, 256, 0, s[1]>>>(y, n, 100);
    end("two-streams");
    begin();
    scale<<<4, 256, 0, s[0]>>>(x, 1024, 10000);
    scale<<<4, 256, 0, s[0]>>>(x, 1024, 10000);
    end("small-after");
    begin();
    scale<<<4, 256, 0, s[0]>>>(x, 1024, 10000);
    scale<<<4, 256, 0, s[1]>>>(y, 1024, 10000);
    end("small-beside");
    cudaEventRecord(first);
    scale<<<n / 256, 256>>>(x, n, 1);
    cudaEventRecord(last);
    printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, first, last)));
    printf("untouched %g\n", ms);
    cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, last, first)));
    printf("backwards %d\n", ms < 0);
    cudaFree(x);
    cudaFree(y);
    cudaFreeHost(pinned);
    delete[] pageable;
}
END
say 'run events.cu'
can_run
sed '/^events.cu/,$d' "$out" >once
value() { sed -n "s/^$1 //p" once; }
longer() { # longer A B NAME: what A took is longer than what B took
    test "$(value "$1")" -gt "$(value "$2")"
    verdict $? "$3" "$1 $(value "$1"), $2 $(value "$2")"
}
for name in kernel long two tiny pinned pageable one-stream two-streams small-after small-beside; do
    ok "$name: its time is more than nothing" test "$(value $name)" -gt 0
done
longer long tiny 'a kernel with more work takes longer'
longer long kernel 'a kernel with more rounds, too'
longer two kernel 'two kernels take longer than one'
longer pageable pinned 'pageable memory is slower than pinned memory'
longer one-stream two-streams 'streams overlap: a copy and a kernel'
longer small-after small-beside 'and two kernels that have room on the device'
out_like '^cudaErrorNotReady$' 'an event that has not happened yet: cudaErrorNotReady'
out_like '^untouched 7$' 'and no time'
out_like '^backwards 1$' 'from the later event to the earlier one the time is negative'
out_has 'times      events gave modelled times of the simulated card' 'the end says what they are'
is "$(grep -c 'times  ' "$out")" 1 'once'
say 'run --summary events.cu'
sed '/^events.cu/,$d' "$out" | diff once - >/dev/null
verdict $? 'another run has the same times'
out_has 'us, modelled' 'the summary has the modelled time of each kernel'
out_has 'modelled times' 'and says what events gave'
say_json 'set device sim:t4; run events.cu'
json_is 2:.result.events_modelled true 'JSON says it'
json_is 2:.result.clocks_of_simulator false 'no kernel asked for the time'
json_like 2:.result.kernels[0].modelled_us '^[0-9.]+$' 'and has the time of each kernel'
tail -n 1 "$out" | sed 's/.*"output":\["kernel \([0-9]*\)".*/\1/' >other
ok 'a smaller card is slower' test "$(cat other)" -gt "$(value kernel)"
say 'run --report page.html events.cu'
ok 'a report says it' grep -q 'Times: events gave modelled times' page.html

# ---- the modelled time of the launches ------------------------------------------------------

# `run` gives launches the same time as `launch` does, with the launches themselves.
cat >twice.cu <<'END'
#include "twice.h"
int main(int argc, char **argv)
{
    float *x;
    cudaMalloc(&x, n * sizeof *x);
    cudaMemset(x, 0, n * sizeof *x);
    for (int i = 1; i < argc; i++)
        if (*argv[i] == 'a')
            add<<<256, 256>>>(x);
        else if (*argv[i] == 'p')
            pause<<<1, 32>>>(5000);
        else if (*argv[i] == 'w')
            add<<<1, 256>>>(x + n);
        else
            half<<<256, 256>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
END
cat >twice.h <<'END'
const int n = 1 << 18;
__global__ void half(float *x)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] *= 0.5f;
}
__global__ void add(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 100; k++)
        x[i] += k;
}
__global__ void pause(long clocks)
{
    const long long start = clock64();
    while (clock64() - start < clocks) {
    }
}
END
cp twice.h alone.cu
num() { # num EXPRESSION: is it true?
    awk "BEGIN { exit !($1) }"
}
near() { # near A B: but for the last digits
    num "$1 / ($2) > 1 - 1e-9 && $1 / ($2) < 1 + 1e-9"
}
say_json 'load alone.cu; array x f32 2^18 zero; launch half<<<256, 256>>>(x); run twice.cu h; explain time'
once=$(json 3:.time.modelled_s)
is "$(json 4:.time.modelled_s)" "$once" 'a launch of a program has the time that `launch` gives it'
is "$(json '4:.result.kernels[0].time.modelled_s')" "$once" 'and so has its kernel'
is "$(json '5:.result.kernels[0].modelled_s')" "$once" 'explain time shows the same'
json_is 5:.result.command 'run twice.cu h' 'and of which command it is'
say_json 'run twice.cu h h; run twice.cu h h h; run twice.cu h h h h h h h h'
more=$(json 2:.time.modelled_s) less=$(json 1:.time.modelled_s)
ok 'the second launch takes less than the first' num "$less < 2 * $once"
ok 'each later one takes as long, also if it is not executed again' \
    near "$(json 3:.time.modelled_s)" "$less + 6 * ($more - $less)"
say_json 'run twice.cu p p; run twice.cu p p p; run twice.cu p p p p p p p p'
more=$(json 2:.time.modelled_s) less=$(json 1:.time.modelled_s)
ok 'so does one that waits by the clock' near "$(json 3:.time.modelled_s)" "$less + 6 * ($more - $less)"
say_json 'run twice.cu h a h; explain time'
for i in 0 1; do
    name=$(json "1:.result.kernels[$i].kernel")
    case $(json '2:.result.kernels[0].name') in "$name") at=0 ;; *) at=1 ;; esac
    ok "two kernels: $name has its own" near "$(json "1:.result.kernels[$i].time.modelled_s")" \
        "$(json "2:.result.kernels[$at].modelled_s")"
done
ok 'the time of the program is their sum' near "$(json 1:.time.modelled_s)" \
    "$(json '1:.result.kernels[0].time.modelled_s') + $(json '1:.result.kernels[1].time.modelled_s')"
say_json 'run twice.cu; run twice.cu h w; set device sim:t4; run twice.cu h'
json_absent 1:.time 'a program without launches has no time'
json_absent 2:.time 'nor has one with a launch that did not end'
for i in 0 1; do
    case $(json "2:.result.kernels[$i].kernel") in
    half*) json_is "2:.result.kernels[$i].time.modelled_s" "$once" 'a kernel that did end has it' ;;
    *) json_absent "2:.result.kernels[$i].time" 'the one that did not has none' ;;
    esac
done
ok 'a smaller card takes longer' num "$(json 4:.time.modelled_s) > $once"

# ---- the host's own time --------------------------------------------------------------------

cat >host.cu <<'END'
#include <cstdio>
#include <unistd.h>
int main()
{
    cudaEvent_t first, last;
    float ms = 0;
    cudaEventCreate(&first);
    cudaEventCreate(&last);
    cudaEventRecord(first);
    usleep(30000);
    cudaEventRecord(last);
    cudaEventSynchronize(last);
    cudaEventElapsedTime(&ms, first, last);
    printf("%s\n", ms >= 30 ? "30 ms and more" : "less");
}
END
say 'run host.cu'
out_like '^30 ms and more$' 'between events without work for the device the host takes its time'
out_has 'some events had no work' 'the end says so'

# ---- clocks of kernels ----------------------------------------------------------------------

cat >clocks.cu <<'END'
#include <cstdio>
#include <ctime>
__global__ void look(long long *out, int rounds)
{
    unsigned long long timer;
    clock_t from = clock();
    long long from64 = clock64();
    float v = out[0];
    for (int i = 0; i < rounds; i++)
        v = v * 0.5f + 1;
    out[0] = (long long)v;
    out[1] = clock64() - from64;
    out[2] = clock() - from;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer));
    out[3] = (long long)timer;
}
__global__ void wait(long long cycles)
{
    long long from = clock64();
    while (clock64() - from < cycles) {
    }
}
int main()
{
    long long *out, last = 0, took[2];
    cudaEvent_t first, second;
    float ms = 0;
    cudaMallocManaged(&out, 32);
    for (int i = 0; i < 2; i++) {
        out[0] = 0;
        look<<<1, 1>>>(out, 100 * (i + 1));
        cudaDeviceSynchronize();
        took[i] = out[1];
        printf("%d %d\n", out[1] > 0 && out[2] > 0, out[3] > last);
        last = out[3];
    }
    printf("longer %d\n", took[1] > took[0]);
    cudaEventCreate(&first);
    cudaEventCreate(&second);
    cudaEventRecord(first);
    wait<<<1, 1>>>(198000);
    cudaEventRecord(second);
    cudaDeviceSynchronize();
    cudaEventElapsedTime(&ms, first, second);
    printf("waited %d\n", ms >= 0.1f);
    cudaFree(out);
}
END
say_json 'run clocks.cu'
json_is '.output[0]' '1 1' 'clocks of a kernel go on'
json_is '.output[1]' '1 1' 'and those of the next kernel are later'
json_is '.output[2]' 'longer 1' 'more instructions take longer'
json_is '.output[3]' 'waited 1' 'for events, a kernel takes at least as long as its clock says'
json_is .result.clocks_of_simulator true 'the end says whose clocks these are'
cat >waits.cu <<'END'
#include <cstdio>
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void meet(int *v)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    if (threadIdx.x == 0)
        init(&all, blockDim.x);
    __syncthreads();
    v[threadIdx.x] = threadIdx.x;
    all.arrive_and_wait();
    v[threadIdx.x + 64] = v[63 - threadIdx.x];
}
int main()
{
    int *v;
    cudaMallocManaged(&v, 128 * sizeof *v);
    meet<<<1, 64>>>(v);
    cudaDeviceSynchronize();
    printf("%d\n", v[64]);
    cudaFree(v);
}
END
say_json 'run waits.cu'
json_is '.output[0]' 63 'a barrier of libcu++'
json_is .result.clocks_of_simulator false 'which reads the timer while it waits: the kernel does not'

# ---- launches that come again ---------------------------------------------------------------

# With the same bytes in memory they are not executed again, and count as before.
cat >again.cu <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
int main(int argc, char **argv)
{
    const int n = 384, times = atoi(argv[1]);
    static float host[n * n], first;
    float *a, *c;
    for (int i = 0; i < n * n; i++)
        host[i] = i % 7;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&c, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    for (int i = 0; i < times; i++)
        multiply<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, a, c, n);
    cudaMemcpy(&first, c, sizeof first, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(c);
    printf("%g\n", first);
}
END
milliseconds() { # milliseconds TIMES: of a run that is compiled already
    start=$(date +%s%N)
    say_json "run again.cu $1"
    echo $((($(date +%s%N) - start) / 1000000))
}
milliseconds 1 >/dev/null
few=$(milliseconds 4)
for counter in warp_instructions global_load_sectors; do
    echo "$counter $(($(json .counters.$counter) * 100))"
done >"$tmp/hundred-times"
many=$(milliseconds 400)
for counter in warp_instructions global_load_sectors; do
    echo "$counter $(json .counters.$counter)"
done >"$tmp/many"
is "$(cat "$tmp/many")" "$(cat "$tmp/hundred-times")" \
    'a hundred times as many launches count a hundred times as much'
ok "the same launch a hundred times as often takes less than 20 times as long ($few, $many ms)" \
    test "$many" -lt $((20 * few))
is "$(say 'run again.cu 400'; head -n 1 "$out")" "$(say 'run again.cu 1'; head -n 1 "$out")" \
    'and computes the same'

# A kernel that only waits by the clock does the same whenever it begins. Its waits are not executed
# again. What a kernel keeps of the clock itself is right each time.
cat >pauses.cu <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void pause(long clocks)
{
    const long long start = clock64();
    while (clock64() - start < clocks) {
    }
}
__global__ void ask(long long *t) { *t = clock64(); }
int main(int argc, char **argv)
{
    const int times = atoi(argv[1]);
    long long *t, last = 0, now;
    bool later = true;
    cudaMalloc(&t, sizeof now);
    for (int i = 0; i < times; i++) {
        pause<<<100, 64>>>(20000);
        ask<<<1, 1>>>(t);
        cudaMemcpy(&now, t, sizeof now, cudaMemcpyDeviceToHost);
        later = later && now - last > 20000;
        last = now;
    }
    cudaFree(t);
    puts(later ? "later each time" : "not later");
}
END
pauses() { # pauses TIMES: milliseconds of a run that is compiled already
    start=$(date +%s%N)
    say_json "run pauses.cu $1"
    echo $((($(date +%s%N) - start) / 1000000))
}
pauses 1 >/dev/null
few=$(pauses 4)
some=$(json .counters.warp_instructions)
many=$(pauses 400)
is "$(json .counters.warp_instructions)" $((some * 100)) 'waits by the clock count each time'
json_is '.output[0]' 'later each time' 'a kernel that keeps the time is executed each time'
ok "a hundred times as many waits take less than 20 times as long ($few, $many ms)" \
    test "$many" -lt $((20 * few))

# A texture of the memory that the kernel writes: nobody sees what the kernel reads there.
cat >grows.cu <<'END'
#include <cstdio>
__global__ void grow(cudaTextureObject_t t, int *v)
{
    v[threadIdx.x] = tex1Dfetch<int>(t, threadIdx.x) + 1;
}
int main()
{
    int *v, host[32];
    cudaTextureObject_t t;
    cudaResourceDesc what = {};
    cudaTextureDesc how = {};
    cudaMalloc(&v, sizeof host);
    cudaMemset(v, 0, sizeof host);
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = v;
    what.res.linear.desc = cudaCreateChannelDesc<int>();
    what.res.linear.sizeInBytes = sizeof host;
    cudaCreateTextureObject(&t, &what, &how, nullptr);
    for (int i = 0; i < 8; i++)
        grow<<<1, 32>>>(t, v);
    cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[31]);
    cudaDestroyTextureObject(t);
    cudaFree(v);
}
END
say 'run grows.cu'
is "$(head -n 1 "$out")" '8 8' 'a kernel that reads by a texture what it writes is executed each time'

# ---- long launches at a terminal ------------------------------------------------------------

cat >long.cu <<'END'
__global__ void work(float *x, int rounds)
{
    float v = x[blockIdx.x];
    for (int k = 0; k < rounds; k++)
        v = v * 0.5f + 1;
    x[blockIdx.x] = v;
}
int main()
{
    float *x;
    cudaMalloc(&x, 65536 * sizeof *x);
    cudaMemset(x, 0, 65536 * sizeof *x);
    work<<<65536, 256>>>(x, 20000);
    cudaDeviceSynchronize();
    cudaFree(x);
}
END
say 'set time-limit 4; run long.cu'
is "$(cat "$out" "$err" | grep -c 'about [0-9]')" 0 'a pipe gets no estimate'
if has_terminal; then
    at_home
    at_terminal "TERM=xterm '$CUDALAB' --no-init --quiet" <<'END'
see "cudalab> "
key "run long.cu\r"
see "in all"
key "\003"
see "stopped"
see "cudalab> "
key "echo it goes on\r"
see "it goes on\r\n"
see "cudalab> "
key "quit\r"
END
    status_is 0 'a terminal gets one, and Ctrl-C ends the launch and the run, not cudalab'
    out_like 'about [0-9]+ (s|minutes|hours) in all' 'in a unit of time'
else
    skip 'there is no terminal' 'a terminal gets an estimate'
fi
done_testing
