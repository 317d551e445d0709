// SPDX-License-Identifier: GPL-3.0-or-later
//! array text u8 43 list:84,104,101,32,113,117,105,99,107,32,98,114,111,119,110,32,102,111,120,32,106,117,109,112,115,32,111,118,101,114,32,116,104,101,32,108,97,122,121,32,100,111,103
//! array plain u8 43 value:0
//! array crc u32 44
//! array block u32 128 random:0:4294967295
//! array coded u32 128
//! array back u32 128
//! array key u32 4 list:16909060,84281096,151653132,219025168
//! variable table u32 256
//! launch makeTable<<<1,256>>>()
//! launch crc32<<<2,22>>>(text, crc, 43)
//! launch caesar<<<1,64>>>(text, plain, 13, 43)
//! launch caesar<<<1,64>>>(plain, text, -13, 43)
//! launch encipher<<<2,32>>>(block, coded, key)
//! launch decipher<<<2,32>>>(coded, back, key)
//! expect table
//! expect crc
//! expect plain
//! expect text
//! expect coded
//! expect back
#include <stdint.h>
#include <cuda_runtime.h>
__device__ uint32_t table[256];

__global__ void makeTable()
{
    uint32_t c = threadIdx.x;
    for (int k = 0; k < 8; k++)
        c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[threadIdx.x] = c;
}

// thread n: the sum of the first n characters
__global__ void crc32(const unsigned char *s, uint32_t *crc, int len)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t c = 0xffffffffu;
    for (int i = 0; i < n && i < len; i++)
        c = table[(c ^ s[i]) & 0xff] ^ (c >> 8);
    crc[n] = ~c;
}

__global__ void caesar(const char *in, char *out, int shift, int len)
{
    int i = threadIdx.x;
    if (i >= len) return;
    char c = in[i];
    if (c >= 'a' && c <= 'z') c = 'a' + (c - 'a' + shift + 26) % 26;
    else if (c >= 'A' && c <= 'Z') c = 'A' + (c - 'A' + shift + 26) % 26;
    out[i] = c;
}

#define DELTA 0x9e3779b9u
#define MIX(v) (((v) << 4 ^ (v) >> 5) + (v))
__global__ void encipher(const uint2 *in, uint2 *out, const uint32_t *key)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint2 v = in[i];
    uint32_t sum = 0;
    for (int r = 0; r < 32; r++) {
        v.x += MIX(v.y) ^ (sum + key[sum & 3]);
        sum += DELTA;
        v.y += MIX(v.x) ^ (sum + key[sum >> 11 & 3]);
    }
    out[i] = v;
}

__global__ void decipher(const uint2 *in, uint2 *out, const uint32_t *key)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint2 v = in[i];
    for (uint32_t sum = 32 * DELTA; sum != 0; ) {
        v.y -= MIX(v.x) ^ (sum + key[sum >> 11 & 3]);
        sum -= DELTA;
        v.x -= MIX(v.y) ^ (sum + key[sum & 3]);
    }
    out[i] = v;
}
