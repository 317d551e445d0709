// SPDX-License-Identifier: GPL-3.0-or-later
// Binary search: each thread looks up one number in a sorted array. Every step depends on the load
// before it.
//: small   array key i32 1024 iota; array q i32 4096 random:0:1023; array at i32 4096; launch search<<<32, 128>>>(key, 1024, q, at, 4096)
//: middle  array key i32 65536 iota; array q i32 131072 random:0:65535; array at i32 131072; launch search<<<1024, 128>>>(key, 65536, q, at, 131072)
//: large   array key i32 8388608 iota; array q i32 4194304 random:0:8388607; array at i32 4194304; launch search<<<32768, 128>>>(key, 8388608, q, at, 4194304)

__global__ void search(const int *key, int keys, const int *q, int *at, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int wanted = q[i];
    int low = 0, high = keys;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (key[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    at[i] = low;
}
