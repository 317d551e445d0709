// SPDX-License-Identifier: GPL-3.0-or-later
// Structures of three words in shared memory: a stride of three, no conflict.
// launch 1 96
struct point {
    float x, y, z;
};

extern "C" __global__ void bank_structs3(const int *in, int *out, int n)
{
    __shared__ point s[96];
    int t = threadIdx.x;
    s[t].x = in[t] & 255;
    s[t].y = in[t + 96] & 255;
    s[t].z = in[t + 192] & 255;
    __syncthreads();
    point p = s[95 - t];
    out[t] = (int)p.x + 256 * (int)p.y + 65536 * (int)p.z;
}
