// SPDX-License-Identifier: GPL-3.0-or-later
//! array sorted i32 1000 iota
//! array keys i32 300 random:-50:3100
//! array where i32 300
//! array lower i32 300
//! launch spread<<<4,256>>>(sorted, 1000)
//! launch find<<<3,128>>>(sorted, 1000, keys, where, 300)
//! launch lowerBound<<<2,150>>>(sorted, 1000, keys, lower)
//! expect where
//! expect lower
#include <assert.h>

__global__ void spread(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 3 * i + i % 3;
}

__device__ int binarySearch(const int *a, int lo, int hi, int key)
{
    while (lo <= hi) {
        int mid = (lo + hi) / 2;
        if (a[mid] == key)
            return mid;
        if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return -1;
}

__global__ void find(const int *a, int n, const int *keys, int *where, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(n > 0);
    if (i < m) {
        int w = binarySearch(a, 0, n - 1, keys[i]);
        assert(w >= -1 && w < n);
        assert(w == -1 || a[w] == keys[i]);
        where[i] = w;
    }
}

// the first place whose value is not less than the key
__global__ void lowerBound(const int *a, int n, const int *keys, int *lower)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = 0, len = n;
    while (len > 0) {
        int half = len >> 1;
        if (a[first + half] < keys[i]) {
            first += half + 1;
            len -= half + 1;
        } else {
            len = half;
        }
    }
    assert(first == n || a[first] >= keys[i]);
    lower[i] = first;
}
