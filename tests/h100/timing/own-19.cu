// SPDX-License-Identifier: GPL-3.0-or-later
// A small virtual machine: every thread runs its own program of 64 random instructions.
// The lanes of a warp disagree at the switch almost every time.
//: small   array code u8 131072 random:0:7; array out i32 2048; launch run<<<16, 128>>>(code, out, 2048)
//: middle  array code u8 2097152 random:0:7; array out i32 32768; launch run<<<256, 128>>>(code, out, 32768)
//: large   array code u8 67108864 random:0:7; array out i32 1048576; launch run<<<8192, 128>>>(code, out, 1048576)

extern "C" __global__ void run(const unsigned char *code, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = i, b = 1, c = 0;
    float f = 1.0f;
    for (int pc = 0; pc < 64; ++pc) {
        switch (code[(size_t)pc * n + i]) {
        case 0: a += b; break;
        case 1: b = a * 31 + pc; break;
        case 2: c ^= a << (b & 7); break;
        case 3: a = a % (2 * (b & 1023) + 1); break;
        case 4: f = sqrtf(f + (a & 255)); break;
        case 5: { int s = a; a = c; c = s; } break;
        case 6: for (int k = 0; k < (b & 3); ++k) a = a * 5 + c; break;
        default: c += (int)(f * 16.0f); break;
        }
    }
    out[i] = a ^ b ^ c;
}
