/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the lanes of a warp read global memory: in order, shifted, with gaps, all the same element,
 * in random order, and from structures.
 *
 * Only the loads differ. Thread i always stores its result in y[i], in order. No mistake here
 * depends on the optimiser: stride, offset, and the size of a structure are parameters.
 */

//: variant linear misaligned strided broadcast
/* Thread i reads element stride * i + offset. */
extern "C" __global__ void coalesce4(const float *x, float *y, int n, int stride, int offset)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        y[i] = x[stride * i + offset];
}

/* The same for elements of 1, 2, 8 and 16 bytes (--width). */
extern "C" __global__ void coalesce1(const unsigned char *x, unsigned char *y, int n, int stride,
                                     int offset)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        y[i] = x[stride * i + offset];
}

extern "C" __global__ void coalesce2(const unsigned short *x, unsigned short *y, int n, int stride,
                                     int offset)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        y[i] = x[stride * i + offset];
}

extern "C" __global__ void coalesce8(const float2 *x, float2 *y, int n, int stride, int offset)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        float2 v = x[stride * i + offset];
        y[i] = make_float2(v.x, v.y);
    }
}

extern "C" __global__ void coalesce16(const float4 *x, float4 *y, int n, int stride, int offset)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        float4 v = x[stride * i + offset];
        y[i] = make_float4(v.x, v.y, v.z, v.w);
    }
}

//: variant random
/* A gather: index[i] says which element thread i reads. The loads from index are in order. */
extern "C" __global__ void coalesce_random(const int *index, const float *x, float *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        y[i] = x[index[i]];
}

//: variant aos
/*
 * An array of structures. A structure has `fields` floats, and the next structure follows it.
 * Thread i adds the first `used` fields of structure i.
 */
extern "C" __global__ void coalesce_aos(const float *x, float *y, int n, int fields, int used)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        float sum = 0.0f;
#pragma unroll 1
        for (int k = 0; k < used; k++)
            sum += x[i * fields + k];      /* the next lane reads `fields` floats further */
        y[i] = sum;
    }
}

//: variant soa
/*
 * A structure of arrays: all first fields, then all second fields. The arrays are `pitch` floats
 * apart, so each of them begins at the start of a cache line.
 */
extern "C" __global__ void coalesce_soa(const float *x, float *y, int n, int pitch, int used)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        float sum = 0.0f;
#pragma unroll 1
        for (int k = 0; k < used; k++)
            sum += x[k * pitch + i];       /* the next lane reads the next float */
        y[i] = sum;
    }
}

//: variant aosoa
/*
 * Groups of 32 structures. A group has the first fields of its structures, then the second fields.
 * So a warp reads neighbouring floats, and the fields of a structure stay near each other.
 */
extern "C" __global__ void coalesce_aosoa(const float *x, float *y, int n, int fields, int used)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        float sum = 0.0f;
#pragma unroll 1
        for (int k = 0; k < used; k++)
            sum += x[(i / 32 * fields + k) * 32 + i % 32];
        y[i] = sum;
    }
}

//: variant vector unaligned
/*
 * Structures as in aos, but one load reads four fields. The address of a float4 must be a multiple
 * of 16. So `fields` is a multiple of 4, and so is `offset`: the number of floats before the first
 * structure.
 */
extern "C" __global__ void coalesce_vector(const float *x, float *y, int n, int fields, int used,
                                           int offset)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    const float4 *four = (const float4 *)(x + offset);

    if (i < n) {
        float sum = 0.0f;
#pragma unroll 1
        for (int k = 0; k < used; k += 4) {
            float4 v = four[(i * fields + k) / 4];
            sum += v.x;
            sum += k + 1 < used ? v.y : 0.0f;
            sum += k + 2 < used ? v.z : 0.0f;
            sum += k + 3 < used ? v.w : 0.0f;
        }
        y[i] = sum;
    }
}

//: used by staged nobarrier
/*
 * Where word w lies in shared memory. An even number of fields would make bank conflicts. Then
 * `pad` is 1, and one word is left out after every 32. Otherwise it is 0.
 */
__device__ __forceinline__ int Place(int w, int pad)
{
    return w + w / 32 * pad;
}

//: variant staged
/*
 * Structures as in aos, read by way of shared memory. The block loads all its structures in order,
 * one word per lane. Then each thread takes the fields of its own structure.
 */
extern "C" __global__ void coalesce_staged(const float *x, float *y, int n, int fields, int used,
                                           int pad)
{
    extern __shared__ float stage[];
    int first = blockDim.x * blockIdx.x;
    int structures = n - first < (int)blockDim.x ? n - first : blockDim.x;
    int i = threadIdx.x;

#pragma unroll 1
    for (int w = i; w < structures * fields; w += blockDim.x)
        stage[Place(w, pad)] = x[first * fields + w];
    __syncthreads();
    if (i < structures) {
        float sum = 0.0f;
#pragma unroll 1
        for (int k = 0; k < used; k++)
            sum += stage[Place(i * fields + k, pad)];
        y[first + i] = sum;
    }
}

//: variant nobarrier
/* WRONG: a thread may read a field before another thread has stored it. */
extern "C" __global__ void coalesce_nobarrier(const float *x, float *y, int n, int fields, int used,
                                              int pad)
{
    extern __shared__ float stage[];
    int first = blockDim.x * blockIdx.x;
    int structures = n - first < (int)blockDim.x ? n - first : blockDim.x;
    int i = threadIdx.x;

#pragma unroll 1
    for (int w = i; w < structures * fields; w += blockDim.x)
        stage[Place(w, pad)] = x[first * fields + w];
    /* __syncthreads() is missing here */
    if (i < structures) {
        float sum = 0.0f;
#pragma unroll 1
        for (int k = 0; k < used; k++)
            sum += stage[Place(i * fields + k, pad)];
        y[first + i] = sum;
    }
}
