// SPDX-License-Identifier: GPL-3.0-or-later
// Follows a linked list through an array with one thread.
//: small   array next u32 1024 expr:(1664525*i+1013904223)%1024; array out u32 2; launch chase<<<1, 1>>>(out, next, 64)
//: middle  array next u32 262144 expr:(1664525*i+1013904223)%262144; array out u32 2; launch chase<<<1, 1>>>(out, next, 1024)
//: large   array next u32 16777216 expr:(1664525*i+1013904223)%16777216; array out u32 2; launch chase<<<1, 1>>>(out, next, 16384)

extern "C" __global__ void chase(unsigned *out, const unsigned *next, int steps)
{
    unsigned at = 0, sum = 0;
    for (int i = 0; i < steps; i++) {
        at = next[at];
        sum += at;
    }
    out[0] = at;
    out[1] = sum;
}
