// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the place of each key in a sorted table by binary search.
//: small   array table u32 4096 expr:3*i; array key u32 4096 random:0:12287; array at i32 4096; launch lookup<<<32, 128>>>(at, table, 4096, key, 4096)
//: middle  array table u32 262144 expr:3*i; array key u32 65536 random:0:786431; array at i32 65536; launch lookup<<<512, 128>>>(at, table, 262144, key, 65536)
//: large   array table u32 16777216 expr:3*i; array key u32 1048576 random:0:50331647; array at i32 1048576; launch lookup<<<8192, 128>>>(at, table, 16777216, key, 1048576)

extern "C" __global__ void lookup(int *at, const unsigned *table, int size, const unsigned *key,
                                  int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned k = key[i];
    int lo = 0, hi = size;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (table[mid] < k)
            lo = mid + 1;
        else
            hi = mid;
    }
    at[i] = lo;
}
