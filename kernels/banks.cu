/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One access to shared memory with any pattern. Lane i of a single warp loads or stores element
 * index[i] of an array. The elements have 4, 8 or 16 bytes.
 *
 * The array is the block's dynamic shared memory. It has `words` words of 4 bytes. All other
 * accesses to shared memory take one word per lane, in order, without conflicts. So all further
 * wavefronts come from the pattern.
 */

//: used by all
/* Word w gets the value w. */
__device__ __forceinline__ void Fill_in_order(float *array, int words)
{
#pragma unroll 1
    for (int w = threadIdx.x; w < words; w += 32)
        array[w] = w;
    __syncwarp();
}

//: used by banks4_store banks8_store banks16_store
/* Copy the whole array to out. */
__device__ __forceinline__ void Copy_out_in_order(const float *array, float *out, int words)
{
    __syncwarp();
#pragma unroll 1
    for (int w = threadIdx.x; w < words; w += 32)
        out[w] = array[w];
}

//: variant banks4
extern "C" __global__ void banks4(const int *index, float *out, int words)
{
    extern __shared__ float array4[];

    Fill_in_order(array4, words);
    out[threadIdx.x] = array4[index[threadIdx.x]];
}

//: variant banks8
extern "C" __global__ void banks8(const int *index, float2 *out, int words)
{
    extern __shared__ float2 array8[];

    Fill_in_order((float *)array8, words);
    float2 v = array8[index[threadIdx.x]];
    out[threadIdx.x] = make_float2(v.x, v.y);
}

//: variant banks16
extern "C" __global__ void banks16(const int *index, float4 *out, int words)
{
    extern __shared__ float4 array16[];

    Fill_in_order((float *)array16, words);
    float4 v = array16[index[threadIdx.x]];
    out[threadIdx.x] = make_float4(v.x, v.y, v.z, v.w);   /* part by part: clang splits a copy */
}

//: variant banks4_store
/* Lane i stores -(i + 1) in its element. If two lanes have the same element, either one may win. */
extern "C" __global__ void banks4_store(const int *index, float *out, int words)
{
    extern __shared__ float array4[];
    float mark = -1.0f - threadIdx.x;

    Fill_in_order(array4, words);
    array4[index[threadIdx.x]] = mark;
    Copy_out_in_order(array4, out, words);
}

//: variant banks8_store
extern "C" __global__ void banks8_store(const int *index, float *out, int words)
{
    extern __shared__ float2 array8[];
    float mark = -1.0f - threadIdx.x;

    Fill_in_order((float *)array8, words);
    array8[index[threadIdx.x]] = make_float2(mark, mark);
    Copy_out_in_order((const float *)array8, out, words);
}

//: variant banks16_store
extern "C" __global__ void banks16_store(const int *index, float *out, int words)
{
    extern __shared__ float4 array16[];
    float mark = -1.0f - threadIdx.x;

    Fill_in_order((float *)array16, words);
    array16[index[threadIdx.x]] = make_float4(mark, mark, mark, mark);
    Copy_out_in_order((const float *)array16, out, words);
}
