// SPDX-License-Identifier: GPL-3.0-or-later
// The checksum CRC-32 of many messages of 64 bytes, one a thread, half a byte at a time.
// The table of 16 words lies in constant memory, and the lanes read different words of it.
//: small   array msg u8 32768 random:0:255; array crc u32 512; launch crc32<<<4, 128>>>(msg, crc, 512)
//: middle  array msg u8 1048576 random:0:255; array crc u32 16384; launch crc32<<<128, 128>>>(msg, crc, 16384)
//: large   array msg u8 33554432 random:0:255; array crc u32 524288; launch crc32<<<4096, 128>>>(msg, crc, 524288)

__constant__ unsigned table[16] = {
    0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
    0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu, 0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};

extern "C" __global__ void crc32(const unsigned char *msg, unsigned *crc, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned char *p = msg + (size_t)i * 64;
    unsigned c = 0xffffffffu;
    for (int k = 0; k < 64; ++k) {
        c ^= p[k];
        c = table[c & 15] ^ c >> 4;
        c = table[c & 15] ^ c >> 4;
    }
    crc[i] = ~c;
}
