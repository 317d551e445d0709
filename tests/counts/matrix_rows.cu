// SPDX-License-Identifier: GPL-3.0-or-later
// ldmatrix with one, two and four matrices. Their rows are next to each other, 64 bytes apart, or
// all at the same address.
// launch 1 32
extern "C" __global__ void matrix_rows(const int *in, int *out, int n)
{
    __shared__ __align__(16) int s[32 * 16 + 32];
    for (int i = threadIdx.x; i < 32 * 16 + 32; i += 32)
        s[i] = in[i];
    __syncthreads();
    unsigned base = (unsigned)__cvta_generic_to_shared(s), sum = 0;
#pragma unroll 1
    for (int step = 0; step <= 80; step += 16) {
        unsigned at = base + threadIdx.x * step % 2048, a, b, c, d;
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(at));
        sum = sum * 3 + a;
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(a), "=r"(b) : "r"(at));
        sum = sum * 3 + a + 5 * b;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
        sum = sum * 3 + a + 5 * b + 7 * c + 9 * d;
    }
    out[threadIdx.x] = sum;
}
