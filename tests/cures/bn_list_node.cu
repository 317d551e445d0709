// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array out i32 4 zero; launch nodes<<<1, 4>>>(out)
//@ kind out-of-bounds
//@ cure bounds
//@ says Allocate more bytes
//@ unsaid A grid
// Each thread builds a list of 5 numbers in memory of its own. malloc counts bytes, not numbers.
__global__ void nodes(int *out)
{
#ifdef CURED
    int *list = (int *)malloc(5 * sizeof(int));
#else
    int *list = (int *)malloc(5);
#endif
    int sum = 0;
    for (int i = 0; i < 5; i++)
        list[i] = threadIdx.x + i;
    for (int i = 0; i < 5; i++)
        sum += list[i];
    out[threadIdx.x] = sum;
    free(list);
}
