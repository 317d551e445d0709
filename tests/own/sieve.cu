// SPDX-License-Identifier: GPL-3.0-or-later
//! array composite u8 1000 zero
//! array primes i32 1 zero
//! array state u32 64 iota
//! array dice u8 640
//! array hits i32 6 zero
//! launch mark<<<1,1024>>>(composite, 1000)
//! launch count<<<8,128>>>(composite, primes, 1000)
//! launch roll<<<2,32>>>(state, dice, 10)
//! launch roll<<<2,32>>>(state, dice, 10)
//! launch tally<<<5,128>>>(dice, hits)
//! expect composite
//! expect primes
//! expect state
//! expect dice
//! expect hits

// Two threads may strike out the same number: so only the owner writes, and
// each thread looks for divisors of its own number.
__global__ void mark(unsigned char *composite, int n)
{
    __shared__ unsigned char small[32];         // the primes below 32
    int i = threadIdx.x;
    if (i < 32) {
        bool prime = i > 1;
        for (int d = 2; d * d <= i && prime; d++)
            prime = i % d != 0;
        small[i] = prime;
    }
    __syncthreads();
    if (i >= n)
        return;
    composite[i] = i < 2;
    for (int p = 2; p < 32; p++) {
        if (!small[p] || p >= i)
            continue;
        if (i % p == 0) {
            composite[i] = 1;
            break;
        }
    }
}

__global__ void count(const unsigned char *composite, int *primes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int prime = i < n && !composite[i];
    int inBlock = __syncthreads_count(prime);
    if (threadIdx.x == 0)
        atomicAdd(primes, inBlock);
}

__device__ unsigned lcg(unsigned &s)
{
    s = 1664525u * s + 1013904223u;
    return s;
}

__global__ void roll(unsigned *state, unsigned char *dice, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned s = state[i];
    for (int k = 0; k < n; k++)
        dice[k * gridDim.x * blockDim.x + i] = (unsigned char)((lcg(s) >> 16) % 6 + 1);
    state[i] = s;
}

__global__ void tally(const unsigned char *dice, int *hits)
{
    atomicAdd(&hits[dice[blockIdx.x * blockDim.x + threadIdx.x] - 1], 1);
}
