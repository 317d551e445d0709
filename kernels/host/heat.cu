/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of heat.cu's programs (source/code-host.h): a plate with two heaters, step after
 * step, and the same in plain C.
 */

//: used by texture
#include <string.h>

//: used by all
/* One step in plain C, of an insulated plate. */
static void Step(const float *u, float *v, const float *fixed, int wide, int high, float k)
{
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            int id = y * wide + x;
            float my = u[id];
            float left = x > 0 ? u[id - 1] : my, right = x < wide - 1 ? u[id + 1] : my;
            float up = y > 0 ? u[id - wide] : my, down = y < high - 1 ? u[id + wide] : my;
            volatile float flow = k * ((left - my) + (right - my) + (up - my) + (down - my));
            v[id] = fixed[id] > 0.0f ? fixed[id] : my + flow;   /* the product is rounded first */
        }
}

static void Swap(float **a, float **b)
{
    float *old = *a;

    *a = *b;
    *b = old;
}

//: used by texture
/* Makes a texture object of a plate. What lies outside is the nearest cell. */
static cudaTextureObject_t Texture_of(float *plate_d, int wide, int high, size_t pitch)
{
    struct cudaResourceDesc what;
    struct cudaTextureDesc how;
    cudaTextureObject_t texture;

    memset(&what, 0, sizeof what);
    what.resType = cudaResourceTypePitch2D;
    what.res.pitch2D.devPtr = plate_d;
    what.res.pitch2D.desc.x = 32;   /* bits: a float */
    what.res.pitch2D.desc.f = cudaChannelFormatKindFloat;
    what.res.pitch2D.width = wide;
    what.res.pitch2D.height = high;
    what.res.pitch2D.pitchInBytes = pitch;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    CHECK(cudaCreateTextureObject(&texture, &what, &how, NULL));
    return texture;
}

//: used by all
/* Arguments: columns, rows, steps, threads of a block in x and in y. */
int main(int argc, char *argv[])
{
    int wide = (int)Argument(argc, argv, 1, 70);
    int high = (int)Argument(argc, argv, 2, 42);
    int steps = (int)Argument(argc, argv, 3, 100);
    int across = (int)Argument(argc, argv, 4, 32);
    int down = (int)Argument(argc, argv, 5, 8);
    float k = 0.2f;

    if (wide < 1 || high < 1 || steps < 1 || across < 1 || down < 1 || across * down > 1024) {
        fprintf(stderr, "all numbers are at least 1, and a block has at most 1024 threads\n");
        return EXIT_FAILURE;
    }
//: used by all but vector
    dim3 threads(across, down), blocks((wide - 1) / across + 1, (high - 1) / down + 1);
//: used by vector
    dim3 threads(across, down);   /* each thread has four cells of a row */
    dim3 blocks((wide - 1) / (4 * across) + 1, (high - 1) / down + 1);
//: used by all
    size_t row = wide * sizeof(float), bytes = row * high;
    float *u = (float *)Allocate(bytes), *v = (float *)Allocate(bytes);
    float *fixed = (float *)Allocate(bytes), *got = (float *)Allocate(bytes);
    for (int id = 0; id < wide * high; id++)
        fixed[id] = 0.0f;
    fixed[high / 4 * wide + wide / 4] = fixed[high / 2 * wide + wide / 2] = 1.0f;   /* heaters */
    for (int id = 0; id < wide * high; id++)
        u[id] = fixed[id] > 0.0f ? fixed[id] : 0.0001f;

    /* Each row begins at an aligned address. The pitch is in bytes, the same for all plates. */
    float *u_d, *v_d, *fixed_d;
    size_t pitch;
    CHECK(cudaMallocPitch(&u_d, &pitch, row, high));
    CHECK(cudaMallocPitch(&v_d, &pitch, row, high));
    CHECK(cudaMallocPitch(&fixed_d, &pitch, row, high));
    CHECK(cudaMemcpy2D(u_d, pitch, u, row, row, high, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(fixed_d, pitch, fixed, row, row, high, cudaMemcpyHostToDevice));
//: used by texture
    cudaTextureObject_t texture[2] = {Texture_of(u_d, wide, high, pitch),
                                      Texture_of(v_d, wide, high, pitch)};
//: used by all

    for (int step = 0; step < steps; step++) {
//: used by global vector
        KERNEL<<<blocks, threads>>>(u_d, v_d, fixed_d, wide, high, (int)(pitch / sizeof(float)),
                                    k, -1.0f);
//: used by texture
        KERNEL<<<blocks, threads>>>(texture[step % 2], v_d, fixed_d, wide, high,
                                    (int)(pitch / sizeof(float)), k);
//: used by shared
        size_t tile = (across + 2) * (down + 2) * sizeof(float);
        KERNEL<<<blocks, threads, tile>>>(u_d, v_d, fixed_d, wide, high,
                                          (int)(pitch / sizeof(float)), k, -1.0f);
//: used by all
        CHECK(cudaGetLastError());   /* a launch that could not start */
        Swap(&u_d, &v_d);            /* the new values are the old ones of the next step */
        Step(u, v, fixed, wide, high, k);
        Swap(&u, &v);
    }
    CHECK(cudaDeviceSynchronize());   /* an error of a kernel shows here */

    CHECK(cudaMemcpy2D(got, row, u_d, pitch, row, high, cudaMemcpyDeviceToHost));
    int right = 0;
    for (int id = 0; id < wide * high; id++)
        right += got[id] == u[id];
    printf("%d x %d cells, %d steps: %d of %d as in plain C: %s\n", wide, high, steps, right,
           wide * high, right == wide * high ? "right" : "WRONG");
//: used by texture
    CHECK(cudaDestroyTextureObject(texture[0]));
    CHECK(cudaDestroyTextureObject(texture[1]));
//: used by all
    CHECK(cudaFree(u_d));
    CHECK(cudaFree(v_d));
    CHECK(cudaFree(fixed_d));
    free(u);
    free(v);
    free(fixed);
    free(got);
    return right == wide * high ? 0 : EXIT_FAILURE;
}
