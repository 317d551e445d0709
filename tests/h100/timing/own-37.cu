// SPDX-License-Identifier: GPL-3.0-or-later
// The median of 31 numbers a thread, by insertion into an array of the thread's own.
// The array is indexed at run time, so it lies in local memory.
//: small   array in i32 31744 random:0:100000; array out i32 1024; launch median<<<8, 128>>>(in, out, 1024)
//: middle  array in i32 507904 random:0:100000; array out i32 16384; launch median<<<128, 128>>>(in, out, 16384)
//: large   array in i32 8126464 random:0:100000; array out i32 262144; launch median<<<2048, 128>>>(in, out, 262144)

extern "C" __global__ void median(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v[31];
    for (int k = 0; k < 31; ++k) {
        int x = in[k * n + i];
        int j = k;
        while (j > 0 && v[j - 1] > x) {
            v[j] = v[j - 1];
            --j;
        }
        v[j] = x;
    }
    out[i] = v[15];
}
