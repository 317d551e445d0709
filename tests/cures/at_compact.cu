// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 500 iota; array kept i32 500 zero; array n_kept i32 1 zero; launch keepMultiples<<<2, 256>>>(x, 500, kept, n_kept)
//@ kind race-global
//@ cure atomic
// packs the multiples of 3 together (the order does not matter)
__global__ void keepMultiples(const int *x, int n, int *kept, int *n_kept)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = x[i];
        if (v % 3 == 0) {
#ifdef CURED
            int place = atomicAdd(n_kept, 1);
#else
            int place = (*n_kept)++;
#endif
            kept[place] = v;
        }
    }
}
