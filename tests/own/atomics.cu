// SPDX-License-Identifier: GPL-3.0-or-later
//! array r i32 20 list:0,0,2147483647,-2147483648,-1,0,0,5,0,10
//! array u u32 4 list:4294967295,0,0,0
//! array w u64 4 list:18446744073709551615,0,0,0
//! array once i32 256 zero
//! array data i32 256 random:-1000000:1000000
//! launch all<<<2,128>>>(data, r)
//! launch unsignedOnes<<<2,128>>>(data, u)
//! launch wideOnes<<<2,128>>>(data, w)
//! launch tickets<<<4,64>>>(r+10, once)
//! launch inShared<<<1,256>>>(data, r+11)
//! expect r
//! expect u
//! expect w
//! expect once
__global__ void all(const int *data, int *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&r[0], data[i]);
    atomicSub(&r[1], data[i] * 2);
    atomicMin(&r[2], data[i]);
    atomicMax(&r[3], data[i]);
    atomicAnd(&r[4], data[i] | 0xff00ff00);
    atomicOr(&r[5], data[i] & 0x10101);
    atomicXor(&r[6], data[i]);
    atomicExch(&r[7], 77);
    atomicCAS(&r[8], 0, 4711);
    atomicAdd(r + 9, 1);
}

__global__ void unsignedOnes(const int *data, unsigned *u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMin(&u[0], (unsigned)data[i]);
    atomicMax(&u[1], (unsigned)data[i]);
    atomicInc(&u[2], 99u);                 // 256 steps round a clock of 100
    atomicDec(&u[3], 40u);                 // and backwards, of 41
}

__global__ void wideOnes(const int *data, unsigned long long *w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long v = (unsigned long long)(data[i] + 1000000) << 20;
    atomicMin(&w[0], v);
    atomicMax(&w[1], v);
    atomicAdd(&w[2], v);
    atomicXor(&w[3], v | 1);
}

// everyone draws a ticket, and no ticket is drawn twice
__global__ void tickets(int *next, int *once)
{
    int mine = atomicAdd(next, 1);
    once[mine] = 1;
}

__global__ void inShared(const int *data, int *r)
{
    __shared__ int lo, hi, odd, last;
    __shared__ unsigned mask;
    if (threadIdx.x == 0) {
        lo = 1 << 30;
        hi = -lo;
        odd = last = 0;
        mask = 0;
    }
    __syncthreads();
    int v = data[threadIdx.x];
    atomicMin(&lo, v);
    atomicMax(&hi, v);
    if (v & 1) atomicAdd(&odd, 1);
    atomicOr(&mask, 1u << (threadIdx.x & 15));
    atomicExch(&last, 5);
    __syncthreads();
    if (threadIdx.x < 5)
        r[threadIdx.x] = threadIdx.x == 0 ? lo : threadIdx.x == 1 ? hi
                       : threadIdx.x == 2 ? odd : threadIdx.x == 3 ? (int)mask : last;
}
