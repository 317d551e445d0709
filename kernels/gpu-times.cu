/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two kernels that cudalab itself uses where it times launches on a GPU (src/dev/gpu/process-times.c).
 */

/* One thread waits. Meanwhile the host queues what is timed, so that the GPU need not wait for the
 * host later. It touches no memory, and so it leaves the cache as it is. */
extern "C" __global__ void cudalab_wait(unsigned long long cycles)
{
    const unsigned long long begin = clock64();
    while (clock64() - begin < cycles)
        ;
}

/* Sets *differ where two pieces of memory differ. Both begin at a multiple of 8, or are read byte by
 * byte. */
extern "C" __global__ void cudalab_differ(const char *a, const char *b, unsigned long long bytes,
                                          unsigned *differ)
{
    typedef unsigned long long word;
    const word thread = (word)blockIdx.x * blockDim.x + threadIdx.x;
    const word threads = (word)gridDim.x * blockDim.x;
    const bool whole = ((word)a | (word)b) % sizeof(word) == 0;
    const word words = whole ? bytes / sizeof(word) : 0;
    bool found = false;
    for (word i = thread; i < words; i += threads)
        found |= ((const word *)a)[i] != ((const word *)b)[i];
    for (word i = words * sizeof(word) + thread; i < bytes; i += threads)
        found |= a[i] != b[i];
    if (found)
        *differ = 1;
}
