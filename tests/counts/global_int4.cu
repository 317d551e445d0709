// SPDX-License-Identifier: GPL-3.0-or-later
// Sixteen bytes a lane: sixteen sectors a request.
// launch 2 64
extern "C" __global__ void global_int4(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    int4 v = ((const int4 *)in)[i];
    ((int4 *)out)[i] = make_int4(v.w, v.z, v.y, v.x);
}
