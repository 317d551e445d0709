// SPDX-License-Identifier: GPL-3.0-or-later
// Does one step of k-means: each point finds the nearest of 32 centres in shared memory. Atomics
// in shared memory add up the points of each centre; the block then adds its sums to those of
// the grid.
//: small   array point f32 8192 random; array centre f32 128 random; array label i32 2048; array sum f32 128 zero; array size i32 32 zero; launch kmeans<<<16, 128>>>(label, sum, size, point, centre, 2048)
//: middle  array point f32 131072 random; array centre f32 128 random; array label i32 32768; array sum f32 128 zero; array size i32 32 zero; launch kmeans<<<256, 128>>>(label, sum, size, point, centre, 32768)
//: large   array point f32 2097152 random; array centre f32 128 random; array label i32 524288; array sum f32 128 zero; array size i32 32 zero; launch kmeans<<<4096, 128>>>(label, sum, size, point, centre, 524288)

__global__ void kmeans(int *label, float *sum, int *size, const float *point, const float *centre,
                       int n)
{
    __shared__ float c[128], part[128];
    __shared__ int members[32];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    c[t] = centre[t];
    part[t] = 0;
    if (t < 32)
        members[t] = 0;
    __syncthreads();
    if (i < n) {
        float p[4], best = 1e30f;
        int which = 0;
        for (int d = 0; d < 4; d++)
            p[d] = point[d * n + i];
        for (int k = 0; k < 32; k++) {
            float distance = 0;
            for (int d = 0; d < 4; d++) {
                float r = p[d] - c[4 * k + d];
                distance += r * r;
            }
            if (distance < best) {
                best = distance;
                which = k;
            }
        }
        label[i] = which;
        for (int d = 0; d < 4; d++)
            atomicAdd(&part[4 * which + d], p[d]);
        atomicAdd(&members[which], 1);
    }
    __syncthreads();
    atomicAdd(&sum[t], part[t]);
    if (t < 32)
        atomicAdd(&size[t], members[t]);
}
