// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array a i32 256 iota; array most i32 1 zero; launch largest<<<2, 128>>>(a, most)
//@ kind race-global
//@ cure atomic-scope
//@ says cuda::thread_scope_block
#include <cuda/atomic>
#ifdef CURED
#define SCOPE cuda::thread_scope_device
#else
#define SCOPE cuda::thread_scope_block
#endif
__global__ void largest(const int *a, int *most)
{
    cuda::atomic_ref<int, SCOPE> m(*most);
    m.fetch_max(a[blockIdx.x * blockDim.x + threadIdx.x]);
}
