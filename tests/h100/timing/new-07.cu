// SPDX-License-Identifier: GPL-3.0-or-later
// Adds each value to the sum of its group, and keeps the maximum of the group, by atomics in
// global memory. There are 1000 groups.
//: small   array group i32 4096 random:0:999; array value f32 4096 random; array sum f32 1000 zero; array top i32 1000 zero; launch by_group<<<16, 256>>>(sum, top, group, value, 4096)
//: middle  array group i32 131072 random:0:999; array value f32 131072 random; array sum f32 1000 zero; array top i32 1000 zero; launch by_group<<<512, 256>>>(sum, top, group, value, 131072)
//: large   array group i32 4194304 random:0:999; array value f32 4194304 random; array sum f32 1000 zero; array top i32 1000 zero; launch by_group<<<16384, 256>>>(sum, top, group, value, 4194304)

__global__ void by_group(float *sum, int *top, const int *group, const float *value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&sum[group[i]], value[i]);
        atomicMax(&top[group[i]], (int)(value[i] * 1000));
    }
}
