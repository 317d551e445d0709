// SPDX-License-Identifier: GPL-3.0-or-later
// Sixteen bytes with some lanes only.
// launch 1 64
extern "C" __global__ void bank16_partial(const int *in, int *out, int n)
{
    __shared__ int4 s[64];
    int t = threadIdx.x, lane = t & 31, sum = 0;
    s[t] = make_int4(in[t], 1, 2, t);
    __syncthreads();
    if (lane < 8) {
        int4 v = s[lane];
        sum += v.x + v.y + v.z + v.w;
    }
    __syncwarp();
    if (lane & 1) {
        int4 v = s[t];
        sum += v.x - v.y + v.z - v.w;
    }
    __syncwarp();
    if (lane % 8 == 5) {
        int4 v = s[lane * 2];
        sum += v.x ^ v.y ^ v.z ^ v.w;
    }
    out[t] = sum;
}
