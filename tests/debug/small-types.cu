// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0
extern "C" __global__ void smalltypes(const int *x, int *out) {
    int id = threadIdx.x;
    bool first = (id == 0);
    bool odd = id & 1;
    char c = 'a';
    c = (char)(c + id % 26);
    signed char sc = (signed char)(id - 16);
    unsigned char uc = (unsigned char)(x[id] * 9);
    short s = (short)(id * -300);
    unsigned short us = (unsigned short)(id * 4000);
    uc = (unsigned char)(uc + 200);
    s = (short)(s - sc);
    us ^= 0x00ff;
    bool both = first || (odd && uc > 100);
    int sum = c + sc + uc + s + us;
    if (!both) {
        sum = -sum;
    }
    out[id] = sum;
}
