// SPDX-License-Identifier: GPL-3.0-or-later
// The first reduction of every lecture: a tree with interleaved addresses.
// A remainder decides who adds, so every warp diverges in every step.
//: small   array x f32 16384 random; array sums f32 64; launch reduce<<<64, 256>>>(x, sums)
//: middle  array x f32 524288 random; array sums f32 2048; launch reduce<<<2048, 256>>>(x, sums)
//: large   array x f32 16777216 random; array sums f32 65536; launch reduce<<<65536, 256>>>(x, sums)

__global__ void reduce(const float *x, float *sums)
{
    __shared__ float part[256];
    unsigned t = threadIdx.x;
    part[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}
