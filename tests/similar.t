# SPDX-License-Identifier: GPL-3.0-or-later
#
# similar: a copy in other words is the same, whoever compiles it; another algorithm for the same
# task is not. PTX with other names needs no compiler.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels
cd "$tmp" || exit 99

# Of JSON: all pairs, as "a b same" or "a b share" in percent.
pairs() {
    sed 's/{"a":/\n&/g' "$out" |
        sed -n 's/^{"a":"\([^"]*\)","b":"\([^"]*\)",.*"share":\([^,]*\),"same":\([a-z]*\).*/\1 \2 \3 \4/p' |
        awk '{ print $1, $2, $4 == "true" ? "same" : int(100 * $3 + 0.5) }'
}

# ---- PTX ------------------------------------------------------------------------------------

head_='.version 7.0
.target sm_75
.address_size 64'
cat >one.ptx <<X
$head_
.shared .align 4 .b8 tile[512];
.visible .entry one(.param .u64 one_0, .param .u32 one_1)
{
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [one_0];
    ld.param.u32 %r1, [one_1];
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra DONE;
    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.u32 %rd3, %r2, 4;
    add.s64 %rd4, %rd2, %rd3;
    mov.u32 %r3, tile;
    st.shared.u32 [%r3], %r2;
    ld.global.u32 %r4, [%rd4];
    add.s32 %r5, %r4, 3;
    st.global.u32 [%rd4], %r5;
DONE:
    ret;
}
X
# The same with other names, other numbers of registers, another order of functions, and remarks.
cat >two.ptx <<X
$head_
.file 1 "/home/two/hw.cu"
.visible .entry first(.param .u32 v)
{
    .reg .b32 %r<2>;
    ld.param.u32 %r1, [v];
    ret;
}
.shared .align 4 .b8 buffer[512];
.visible .entry two(.param .u64 x, .param .u32 n)
{
    .reg .b64 %rd<50>; // of two
    .reg .b32 %a, %b, %c, %d, %e;
    .reg .pred %q;
    .loc 1 5 0
    ld.param.u64 %rd40, [x];
    ld.param.u32 %a, [n];
    .loc 1 6 3
    mov.u32 %b, %tid.x; /* who I am */
    setp.ge.u32 %q, %b, %a;
    @%q bra END_OF_IT;
\$L__tmp7:
    cvta.to.global.u64 %rd7, %rd40;
    mul.wide.u32 %rd1, %b, 4;
    add.s64 %rd2, %rd7, %rd1;
    mov.u32 %c, buffer;
    st.shared.u32 [%c], %b;
    ld.global.u32 %d, [%rd2];
    add.s32 %e, %d, 3;
    st.global.u32 [%rd2], %e;
END_OF_IT:
    ret;
}
X
changed() { # changed FILE SED: one.ptx, changed
    sed "$2" one.ptx >"$1.ptx"
}
changed constant 's/%r4, 3/%r4, 5/'
changed guard 's/@%p1/@!%p1/'
changed parameter 's/\[one_1\]/[one_0]/'
changed register 's/add.s32 %r5, %r4/add.s32 %r5, %r2/'
changed opcode 's/setp.ge/setp.gt/'
changed label 's/^DONE:$//; s/^    st.global/DONE: &/'
changed order '/add.s32/{h;d}; /st.global/{G}'
changed size 's/512/1024/'
changed offset 's/\[%rd4\], %r5/[%rd4+4], %r5/'
least='--instructions 1 --least 1'
say_json "similar one.ptx two.ptx $least"
is "$(pairs)" 'one.ptx two.ptx same' 'names, registers, order of functions, remarks: the same'
json_is .result.pairs[0].kernel_a one 'the kernel of one'
json_is .result.pairs[0].kernel_b two 'the kernel of the other, and not its first'
json_is .result.pairs[0].instructions 14 'its instructions'
json_is .result.pairs[0].share 1 'its share'
for other in constant guard parameter register opcode label order size offset; do
    say_json "similar one.ptx $other.ptx $least"
    is "$(pairs | grep -c same)" 0 "another $other is not the same"
    is "$(pairs | wc -l | tr -d ' ')" 1 "another $other is similar"
done
say_json "similar one.ptx size.ptx $least"
is "$(pairs)" 'one.ptx size.ptx 100' 'how long an array is does not count for runs'
# 14 instructions have 10 runs of 5. Another constant in instruction 12 changes those that begin at
# 8, 9 and 10.
say_json "similar one.ptx constant.ptx $least"
is "$(pairs)" 'one.ptx constant.ptx 70' 'the share of runs, computed by hand'
say_json 'similar one.ptx constant.ptx --instructions 1 --least 71'
is "$(pairs)" '' '--least above it'
say_json 'similar one.ptx constant.ptx --instructions 1 --least 70'
is "$(pairs)" 'one.ptx constant.ptx 70' '--least at it'
say_json 'similar one.ptx two.ptx'
is "$(pairs)" '' 'short kernels are left out'
json_is .result.short_kernels 3 'and counted'
say 'similar one.ptx two.ptx'
out_like '3 kernels with fewer than 30 instructions are left out' 'and told'
say_json 'similar one.ptx two.ptx --instructions 14 --skeleton one.ptx'
is "$(pairs)" '' 'what is in the skeleton does not count'
json_is .result.short_kernels 3 'nothing of these kernels is their own'
# The runs that begin at 1 to 7 are in the skeleton. So the instructions 12 to 14 are in none of them.
changed again 's/one/again/g; s/%r4, 3/%r4, 5/'
say_json 'similar constant.ptx again.ptx --instructions 1 --skeleton one.ptx'
is "$(pairs)" 'constant.ptx again.ptx same' 'two with the same change of the skeleton'
json_is .result.pairs[0].instructions 3 'and the instructions that are not of the skeleton'

# ---- CUDA C ---------------------------------------------------------------------------------

cat >ann.cu <<'X'
#include <cstdio>
// two kernels, by Ann
__global__ void add(const float *x, const float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = x[i] + y[i];
}
__device__ float bend(float v) { return v * v + 1; }
__global__ void sum(const float *x, float *out, int n)
{
    __shared__ float part[256];
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += bend(x[i]);
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, part[0]);
}
int main() { printf("Ann\n"); }
X
cat >bob.cu <<'X'
/* All this is my own work.
 * Bob */
#define TILE 256
#define ME threadIdx.x
#define SQUARE_AND_ONE(v) ((v) * (v) + 1)
__global__ void reduction(const float *values, float *result, int count)
{
    __shared__ float buffer[TILE];
    float s = 0; /* mine */
    for (int k = blockIdx.x * blockDim.x + ME; k < count; k += gridDim.x * blockDim.x) {
        s += SQUARE_AND_ONE(values[k]);
    }
    buffer[ME] = s;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) { if (ME < d) buffer[ME] += buffer[ME + d];
        __syncthreads(); }
    if (ME == 0) atomicAdd(result, buffer[0]);
}
__global__ void plus_(const float *a, const float *b, float *c, int d)
{
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    if (me < d) c[me] = a[me] + b[me];
}
X
# The same task: by shuffles, with another order of pairs, by one thread, and by atomics.
cat >shuffles.cu <<'X'
__global__ void sum(const float *x, float *out, int n)
{
    __shared__ float warps[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] * x[i] + 1 : 0;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(0xffffffff, v, d);
        if (threadIdx.x == 0)
            atomicAdd(out, v);
    }
}
X
cat >strides.cu <<'X'
__global__ void sum(const float *x, float *out, int n)
{
    __shared__ float t[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[threadIdx.x] = i < n ? x[i] * x[i] + 1 : 0;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (threadIdx.x % (2 * s) == 0)
            t[threadIdx.x] += t[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, t[0]);
}
X
cat >serial.cu <<'X'
__global__ void sum(const float *x, float *out, int n)
{
    float s = 0;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < n; i++)
            s += x[i] * x[i] + 1;
        *out = s;
    }
}
X
cat >atomics.cu <<'X'
__global__ void sum(const float *x, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(out, x[i] * x[i] + 1);
}
X
echo '__global__ void sum(float *x { }' >broken.cu
: >empty.cu
all='ann.cu bob.cu shuffles.cu strides.cu serial.cu atomics.cu'
for compiler in nvrtc nvcc clang; do
    if ! can_load $compiler; then
        skip "no $compiler" "$compiler: similar"
        continue
    fi
    say_json "set compiler $compiler; similar $all broken.cu empty.cu"
    is "$(pairs)" 'ann.cu bob.cu same' "$compiler: the copy, and no other algorithm"
    json_is 2:.result.pairs[0].kernel_a sum "$compiler: its kernel"
    json_is 2:.result.pairs[0].kernel_b reduction "$compiler: and that of the copy"
    json_is 2:.result.not_compared[0].file broken.cu "$compiler: what does not compile"
    json_is 2:.result.not_compared[1].file empty.cu "$compiler: what is empty"
    status_is 0 "$compiler: they do not end the command"
    say_json "set compiler $compiler; similar $all --instructions 1"
    is "$(pairs)" "ann.cu bob.cu same
ann.cu bob.cu same" "$compiler: short kernels, when asked for"
done
if can_load; then
    "$CUDALAB" similar ann.cu bob.cu >"$out" 2>"$err"
    out_like 'same .*ann.cu:sum .*bob.cu:reduction' 'alone on the command line'
    "$CUDALAB" --safe --allow ann.cu --allow bob.cu similar ann.cu bob.cu >"$out" 2>"$err"
    grep -q 'no Landlock' "$err" && skip 'no Landlock' '--safe' ||
        out_like 'same .*ann.cu:sum .*bob.cu:reduction' 'and with --safe'
    "$CUDALAB" --safe --allow ann.cu similar ann.cu bob.cu >"$out" 2>"$err"
    out_like 'not compared: .*bob.cu' '--safe reads only what --allow names'
fi

# ---- many files -----------------------------------------------------------------------------

# Numbers that leave the same rest when divided by 97 give the same kernel. Of 1 to 200, six rests
# have three numbers, which are 3 pairs each, and 91 rests have two: 6 * 3 + 91 pairs.
i=0
while test $i -lt 200; do
    i=$((i + 1))
    awk -v "n=$i" '/ret;/ { for (i = 0; i < 200; i++) print "    add.s32 %r" i % 4 + 1 ", %r5, " (i * n) % 97 ";" }
        { print }' one.ptx >"many$i.ptx"
done
say_json 'similar one.ptx '"$(echo many*.ptx)"
is "$(pairs | grep -c same)" 109 'of 200 files those that are the same'
json_is .result.kernels 200 'and all were compared'
say "similar $(echo many*.ptx)"
cp "$out" first
say "similar $(ls many*.ptx | sort -r | tr '\n' ' ')"
is "$(grep -c same "$out")" "$(grep -c same first)" 'in another order there are as many'
done_testing
