// SPDX-License-Identifier: GPL-3.0-or-later
// Some lanes return early, others later.
// launch 2 128
extern "C" __global__ void diverge_return(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x, v = in[i];
    if (v % 3 == 0)
        return;
    out[i] = in[i + 1];
    if (v % 5 == 0) {
        out[i + 1024] = 1;
        return;
    }
    out[i + 2048] = in[i + 2];
}
