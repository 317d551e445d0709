/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of laplace.cu's programs (source/code-host.h): a grid whose upper border is hot,
 * step after step, and the same in plain C.
 */

/* One step in plain C. */
static void Step(const float *u, float *v, int I, int J)
{
    for (int j = 0; j < J; j++)
        for (int i = 0; i < I; i++) {
            int id = j * I + i;
            if (i == 0 || i == I - 1 || j == 0 || j == J - 1)
                v[id] = u[id];
            else
                v[id] = 0.25f * (u[id - 1] + u[id + 1] + u[id - I] + u[id + I]);
        }
}

static void Swap(float **a, float **b)
{
    float *old = *a;

    *a = *b;
    *b = old;
}

/* Arguments: columns, rows, steps, threads of a block in x and in y. */
int main(int argc, char *argv[])
{
    int I = (int)Argument(argc, argv, 1, 100);
    int J = (int)Argument(argc, argv, 2, 60);
    int steps = (int)Argument(argc, argv, 3, 100);
    int wide = (int)Argument(argc, argv, 4, 32);
    int high = (int)Argument(argc, argv, 5, 8);

    if (I < 1 || J < 1 || steps < 1 || wide < 1 || high < 1 || wide * high > 1024) {
        fprintf(stderr, "all numbers are at least 1, and a block has at most 1024 threads\n");
        return EXIT_FAILURE;
    }
//: used by all but vector
    dim3 threads(wide, high), blocks((I - 1) / wide + 1, (J - 1) / high + 1);
//: used by vector
    dim3 threads(wide, high);   /* each thread has four points of a row */
    dim3 blocks((I - 1) / (4 * wide) + 1, (J - 1) / high + 1);
//: used by all
    size_t row = I * sizeof(float), bytes = row * J;
    float *u = (float *)Allocate(bytes), *v = (float *)Allocate(bytes);
    float *got = (float *)Allocate(bytes);
    for (int id = 0; id < I * J; id++)
        u[id] = id < I ? 1.0f : 0.0f;   /* the first row is hot */

    float *u_d, *v_d;
//: used by global shared vector
    /* Each row begins at an aligned address. The pitch is in bytes. */
    size_t pitch;
    CHECK(cudaMallocPitch(&u_d, &pitch, row, J));
    CHECK(cudaMallocPitch(&v_d, &pitch, row, J));
//: used by packed noguard inplace
    size_t pitch = row;   /* a row begins where the last one ends */
    CHECK(cudaMalloc(&u_d, bytes));
    CHECK(cudaMalloc(&v_d, bytes));
//: used by all
    CHECK(cudaMemcpy2D(u_d, pitch, u, row, row, J, cudaMemcpyHostToDevice));

    for (int k = 0; k < steps; k++) {
//: used by global packed vector noguard
        KERNEL<<<blocks, threads>>>(u_d, v_d, I, J, (int)(pitch / sizeof(float)));
//: used by inplace
        KERNEL<<<blocks, threads>>>(u_d, u_d, I, J, I);   /* WRONG: one array for old and new */
//: used by shared
        size_t tile = (wide + 2) * (high + 2) * sizeof(float);
        KERNEL<<<blocks, threads, tile>>>(u_d, v_d, I, J, (int)(pitch / sizeof(float)));
//: used by all
        CHECK(cudaGetLastError());   /* a launch that could not start */
//: used by all but inplace
        Swap(&u_d, &v_d);   /* the new values are the old ones of the next step */
//: used by all
        Step(u, v, I, J);
        Swap(&u, &v);
    }
    CHECK(cudaDeviceSynchronize());   /* an error of a kernel shows here */

    CHECK(cudaMemcpy2D(got, row, u_d, pitch, row, J, cudaMemcpyDeviceToHost));
    int right = 0;
    for (int id = 0; id < I * J; id++)
        right += got[id] == u[id];
    printf("%d x %d points, %d steps: %d of %d as in plain C: %s\n", I, J, steps, right, I * J,
           right == I * J ? "right" : "WRONG");
    CHECK(cudaFree(u_d));
    CHECK(cudaFree(v_d));
    free(u);
    free(v);
    free(got);
    return right == I * J ? 0 : EXIT_FAILURE;
}
