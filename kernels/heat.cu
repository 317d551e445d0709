/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Heat spreads in a plate of wide x high cells. In each step a cell gets k times the differences
 * to its four neighbours. A heater keeps its temperature: it is in `fixed`, where all other cells
 * have 0.
 *
 * At the border a cell has fewer neighbours. If the plate is insulated, a missing neighbour
 * changes nothing: it counts as equally warm. Else it has the temperature `outside`. The number
 * `outside` is negative if the plate is insulated.
 *
 * A kernel reads the old temperatures in u and writes the new ones to v. One launch is one step.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by all
/* The product is rounded before the sum, as in C. The compiler must not fuse the two. */
__device__ __forceinline__ float Next(float my, float left, float right, float up, float down,
                                      float k)
{
    return my + __fmul_rn(k, (left - my) + (right - my) + (up - my) + (down - my));
}

//: variant global
/* Each thread loads its cell and its neighbours, as far as there are any. */
extern "C" __global__ void heat_global(const float *u, float *v, const float *fixed, int wide,
                                       int high, int pitch, float k, float outside)
{
    int x = blockDim.x * blockIdx.x + threadIdx.x;
    int y = blockDim.y * blockIdx.y + threadIdx.y;

    if (x < wide && y < high) {
        int id = y * pitch + x;
        float my = u[id], heater = fixed[id];
        float none = outside < 0.0f ? my : outside;   /* for a missing neighbour */
        float left = x > 0 ? u[id - 1] : none;
        float right = x < wide - 1 ? u[id + 1] : none;
        float up = y > 0 ? u[id - pitch] : none;
        float down = y < high - 1 ? u[id + pitch] : none;
        float next = Next(my, left, right, up, down, k);

        v[id] = heater > 0.0f ? heater : next;
    }
}

//: used by vector
/* The next temperature of one cell, as in `global`. */
__device__ __forceinline__ float Next_of_cell(const float *u, const float *fixed, int x, int y,
                                              int wide, int high, int pitch, float k,
                                              float outside)
{
    int id = y * pitch + x;
    float my = u[id], heater = fixed[id];
    float none = outside < 0.0f ? my : outside;   /* for a missing neighbour */
    float left = x > 0 ? u[id - 1] : none;
    float right = x < wide - 1 ? u[id + 1] : none;
    float up = y > 0 ? u[id - pitch] : none;
    float down = y < high - 1 ? u[id + pitch] : none;
    float next = Next(my, left, right, up, down, k);

    return heater > 0.0f ? heater : next;
}

/* Four neighbouring cells of a row, by one load. The address must be a multiple of 16. */
__device__ __forceinline__ float4 Four_cells(const float *from)
{
    float4 v = *(const float4 *)from;
    return make_float4(v.x, v.y, v.z, v.w);   /* part by part: clang splits a copy */
}

//: variant vector
/* Each thread computes four neighbouring cells of a row. At the end of a row there may be fewer. Then
 * it computes them one by one. */
extern "C" __global__ void heat_vector(const float *u, float *v, const float *fixed, int wide,
                                       int high, int pitch, float k, float outside)
{
    int x = 4 * (blockDim.x * blockIdx.x + threadIdx.x);
    int y = blockDim.y * blockIdx.y + threadIdx.y;
    int id = y * pitch + x;

    if (x >= wide || y >= high)
        return;
    if (x + 4 > wide) {
        for (int i = x; i < wide; i++)
            v[y * pitch + i] = Next_of_cell(u, fixed, i, y, wide, high, pitch, k, outside);
        return;
    }
    float4 my = Four_cells(&u[id]), heater = Four_cells(&fixed[id]);
    float4 none = outside < 0.0f ? my : make_float4(outside, outside, outside, outside);
    float4 up = y > 0 ? Four_cells(&u[id - pitch]) : none;
    float4 down = y < high - 1 ? Four_cells(&u[id + pitch]) : none;
    float left = x > 0 ? u[id - 1] : none.x, right = x + 4 < wide ? u[id + 4] : none.w;
    float4 next = make_float4(Next(my.x, left, my.y, up.x, down.x, k),
                              Next(my.y, my.x, my.z, up.y, down.y, k),
                              Next(my.z, my.y, my.w, up.z, down.z, k),
                              Next(my.w, my.z, right, up.w, down.w, k));

    *(float4 *)&v[id] = make_float4(heater.x > 0.0f ? heater.x : next.x,
                                    heater.y > 0.0f ? heater.y : next.y,
                                    heater.z > 0.0f ? heater.z : next.z,
                                    heater.w > 0.0f ? heater.w : next.w);
}

//: variant texture
/*
 * Each thread reads u as a texture. It needs no tests for the border: the texture object says
 * what lies outside, the nearest cell or a fixed value. 0.5 is the middle of a cell.
 */
extern "C" __global__ void heat_texture(cudaTextureObject_t u, float *v, const float *fixed,
                                        int wide, int high, int pitch, float k)
{
    int x = blockDim.x * blockIdx.x + threadIdx.x;
    int y = blockDim.y * blockIdx.y + threadIdx.y;

    if (x < wide && y < high) {
        int id = y * pitch + x;
        float s = x + 0.5f, t = y + 0.5f, heater = fixed[id];
        float next = Next(tex2D<float>(u, s, t), tex2D<float>(u, s - 1, t),
                          tex2D<float>(u, s + 1, t), tex2D<float>(u, s, t - 1),
                          tex2D<float>(u, s, t + 1), k);

        v[id] = heater > 0.0f ? heater : next;
    }
}

//: variant shared
/* Each block loads its cells and one more on each side into shared memory. */
extern "C" __global__ void heat_shared(const float *u, float *v, const float *fixed, int wide,
                                       int high, int pitch, float k, float outside)
{
    extern __shared__ float tile[];
    int across = blockDim.x + 2, down = blockDim.y + 2;
    int left = blockDim.x * blockIdx.x - 1, top = blockDim.y * blockIdx.y - 1;

    for (int i = blockDim.x * threadIdx.y + threadIdx.x; i < across * down;
         i += blockDim.x * blockDim.y) {
        int x = left + i % across, y = top + i / across;
        int near_x = min(max(x, 0), wide - 1), near_y = min(max(y, 0), high - 1);
        bool inside = x == near_x && y == near_y;

        /* Outside of an insulated plate: the nearest cell, which is as warm as its neighbour. */
        tile[i] = inside || outside < 0.0f ? u[near_y * pitch + near_x] : outside;
    }
    __syncthreads();

    int x = blockDim.x * blockIdx.x + threadIdx.x;
    int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x < wide && y < high) {
        int id = y * pitch + x;
        int my = across * (threadIdx.y + 1) + threadIdx.x + 1;   /* its place in the tile */
        float heater = fixed[id];
        float next = Next(tile[my], tile[my - 1], tile[my + 1], tile[my - across],
                          tile[my + across], k);

        v[id] = heater > 0.0f ? heater : next;
    }
}
