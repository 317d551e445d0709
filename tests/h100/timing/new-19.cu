// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the prime numbers by trial division, and counts them in each block.
//: small   array prime u8 2048; array count i32 8; launch primes<<<8, 256>>>(prime, count, 2048)
//: middle  array prime u8 32768; array count i32 128; launch primes<<<128, 256>>>(prime, count, 32768)
//: large   array prime u8 1048576; array count i32 4096; launch primes<<<4096, 256>>>(prime, count, 1048576)

__global__ void primes(unsigned char *prime, int *count, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    bool yes = i == 2 || (i > 2 && i % 2 == 1);
    for (unsigned d = 3; yes && d * d <= i; d += 2)
        yes = i % d != 0;
    if (i < n)
        prime[i] = yes;
    int found = __syncthreads_count(yes && i < n);
    if (threadIdx.x == 0)
        count[blockIdx.x] = found;
}
