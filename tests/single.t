# SPDX-License-Identifier: GPL-3.0-or-later
#
# Features that need single instructions: variadic functions, the shared memory that the system
# reserves, groups of two warps, and instructions that the simulator will never have.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

ptx=$top_srcdir/tests/ptx

# ---- the shared memory that the system reserves ----

say "load $ptx/single.ptx; array out u32 8; launch reserved<<<1, 1>>>(out); print out[0..2]"
status_is 0 'the reserved shared memory is no memory that nobody wrote'
out_like ' 0 +77 +5' 'it begins with zeros, and lies apart from variables'

# ---- instructions that the simulator will never have ----

say "load $ptx/single.ptx; launch several<<<1, 1>>>(null)"
status_is 1 'an instruction that stays closed is no success'
err_has 'it works on the memory of several GPUs' 'and a sentence says why'
say 'help unsupported-instruction'
out_has 'wgmma, tcgen05' 'what stays closed is listed'
say "load $ptx/video.ptx; ptx parts --explain"
out_has 'the other bits as in' 'video instructions have words'

# ---- in CUDA C ----

cat >"$tmp/variadic.cu" <<'CU'
#include <stdarg.h>
__device__ __noinline__ int sum(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}
__device__ __noinline__ double mixed(const char *kinds, ...)
{
    va_list ap;
    double s = 0;
    va_start(ap, kinds);
    for (; *kinds; kinds++)
        s += *kinds == 'i' ? va_arg(ap, int) : *kinds == 'l' ? va_arg(ap, long long) : va_arg(ap, double);
    va_end(ap);
    return s;
}
__global__ void sums(int *out)
{
    out[threadIdx.x] = sum(5, 1, 2, 3, 4, (int)threadIdx.x) + 100 * sum(2, 3, (int)threadIdx.x) + sum(0);
}
__global__ void kinds(double *out)
{
    out[threadIdx.x] = mixed("idld", 1, 2.5, 1LL << 40, 0.25);
}
CU
cat >"$tmp/tiles.cu" <<'CU'
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void tiles(int *out)
{
    __shared__ cg::block_tile_memory<256> room;
    cg::thread_block block = cg::this_thread_block(room);
    auto tile = cg::tiled_partition<64>(block);
    int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
    tile.sync();
    out[threadIdx.x] = 10 * sum + tile.any(threadIdx.x == 70);
}
CU

if can_load nvrtc; then
    cd "$tmp" || exit 1
    say 'load variadic.cu; array out i32 4; launch sums<<<1, 4>>>(out); print out'
    status_is 0 'a device function reads its arguments by va_arg'
    out_has '310  411  512  613' 'and they are what was passed, or none'
    say 'load variadic.cu; array out f64 2; launch kinds<<<1, 2>>>(out); print out'
    status_is 0 'arguments of several types'
    out_has '1099511627779.75' 'are read as what they are'
    say 'set arch 80; load tiles.cu; array out i32 256; launch tiles<<<1, 256>>>(out) --check memory,uninit,sync; print out[62..65]'
    status_is 0 'groups of two warps meet in the reserved memory'
    out_has '20160  20160  61121  61121' 'and compute what they should'
else
    skip 'no compiler of the toolkit' 'variadic functions and groups of two warps'
fi
done_testing
