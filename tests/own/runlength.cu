// SPDX-License-Identifier: GPL-3.0-or-later
//! array data i32 200 list:5,5,5,1,1,9,9,9,9,2,7,7
//! array values i32 200 value:-1
//! array lengths i32 200 value:0
//! array runs i32 1
//! array unpacked i32 200
//! array tri i32 64
//! launch rle<<<1,256>>>(data, 200, values, lengths, runs)
//! launch unpack<<<1,32>>>(values, lengths, runs, unpacked)
//! launch triples<<<1,64>>>(tri)
//! expect values
//! expect lengths
//! expect runs
//! expect unpacked
//! expect tri
// Runs of equal numbers, found by a scan over their starts, and spread out again.

__global__ void rle(const int *d, int n, int *values, int *lengths, int *runs)
{
    __shared__ int start[257];
    int t = threadIdx.x;
    int head = t < n && (t == 0 || d[t] != d[t - 1]);
    start[t] = head;
    for (int o = 1; o < 256; o *= 2) {
        __syncthreads();
        int add = t >= o ? start[t - o] : 0;
        __syncthreads();
        start[t] += add;
    }
    int run = start[t] - 1;
    if (head) values[run] = d[t];
    if (t < n) atomicAdd(&lengths[run], 1);
    if (t == 255) *runs = run + 1;
}

__global__ void unpack(const int *values, const int *lengths, const int *runs, int *to)
{
    for (int r = threadIdx.x; r < *runs; r += blockDim.x) {
        int at = 0;
        for (int k = 0; k < r; k++) at += lengths[k];
        for (int k = 0; k < lengths[r]; k++) to[at + k] = values[r];
    }
}

// perimeters of right-angled triangles: the first found, as a * 1000 + b
__global__ void triples(int *tri)
{
    int p = threadIdx.x, a = 0, b = 0;
    do {
        a++;
        for (b = a; a + b < p; b++)
            if (a * a + b * b == (p - a - b) * (p - a - b))
                goto found;
    } while (a < p);
    a = b = 0;
found:
    tri[p] = a * 1000 + b;
}
