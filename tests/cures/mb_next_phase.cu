// SPDX-License-Identifier: GPL-3.0-or-later
// The first half of the block opens rounds at an mbarrier. All threads wait for each round, but the
// second half does not arrive, and so two rounds can end before one of its threads looks.
//@ arch 80
//@ launch array y i32 128 zero; launch rounds<<<1, 128>>>(y)
//@ kind race-shared
//@ cure phase
//@ place -
//@ says waited arrive
#define N 128
#define PLACE(b) ((unsigned)__cvta_generic_to_shared(&(b)))

__device__ int over(unsigned long long *b, int parity)
{
    int is;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
                 "selp.b32 %0, 1, 0, p; }" : "=r"(is) : "r"(PLACE(*b)), "r"(parity) : "memory");
    return is;
}

__global__ void rounds(int *y)
{
    __shared__ unsigned long long b;
    int t = threadIdx.x;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(PLACE(b)), "r"(N / 2) : "memory");
    __syncthreads();
    for (int round = 0; round < 4; round++) {
        if (t < N / 2)
            asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(PLACE(b))
                         : "memory");
        while (!over(&b, round & 1))
            ;
#ifdef CURED
        __syncthreads();
#endif
    }
    y[t] = t;
}
