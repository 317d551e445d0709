// SPDX-License-Identifier: GPL-3.0-or-later
// The edit distance of two strings of 256 bytes, a pair for each block. The table is filled along
// its diagonals, a thread for each row, with one barrier a diagonal.
//: small   array s u8 256 random:97:100; array t u8 256 random:97:100; array d i32 1; launch distance<<<1, 256>>>(s, t, d)
//: middle  array s u8 8192 random:97:100; array t u8 8192 random:97:100; array d i32 32; launch distance<<<32, 256>>>(s, t, d)
//: large   array s u8 262144 random:97:100; array t u8 262144 random:97:100; array d i32 1024; launch distance<<<1024, 256>>>(s, t, d)

extern "C" __global__ void distance(const unsigned char *s, const unsigned char *t, int *d)
{
    __shared__ unsigned char other[256];
    __shared__ int diagonal[3][257];
    int i = threadIdx.x + 1;
    unsigned char mine = s[blockIdx.x * 256 + threadIdx.x];
    other[threadIdx.x] = t[blockIdx.x * 256 + threadIdx.x];
    if (threadIdx.x == 0)
        diagonal[0][0] = 0;
    if (threadIdx.x == 0) {
        diagonal[1][0] = 1;
        diagonal[1][1] = 1;
    }
    __syncthreads();
    int two = 0, one = 1, now = 2;
    for (int k = 2; k <= 512; ++k) {
        int j = k - i;
        if (j >= 1 && j <= 256) {
            int best = diagonal[two][i - 1] + (mine != other[j - 1]);
            best = min(best, diagonal[one][i] + 1);
            best = min(best, diagonal[one][i - 1] + 1);
            diagonal[now][i] = best;
        } else if (j == 0) {
            diagonal[now][i] = i;
        }
        if (threadIdx.x == 0 && k <= 256)
            diagonal[now][0] = k;
        __syncthreads();
        int free = two;
        two = one;
        one = now;
        now = free;
    }
    if (threadIdx.x == 255)
        d[blockIdx.x] = diagonal[one][256];
}
