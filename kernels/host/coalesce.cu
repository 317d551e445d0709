/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of coalesce.cu's programs (source/code-host.h): the elements, each launch, and
 * each result next to plain C's result. The profiler ncu counts the sectors.
 */

//: used by linear
/* Arguments: threads that read an element, stride, offset. */
//: used by misaligned strided broadcast random
/* Argument: threads that read an element. */
//: used by aos soa aosoa vector staged nobarrier unaligned
/* Arguments: structures, fields of each, fields that are read. */
//: used by all
int main(int argc, char *argv[])
{
//: used by linear misaligned strided broadcast random
    int n = (int)Argument(argc, argv, 1, 1024);
//: used by linear
    int stride = (int)Argument(argc, argv, 2, 1);
    int offset = (int)Argument(argc, argv, 3, 0);
//: used by misaligned
    int stride = 1, offset = 1;   /* sectors begin at multiples of 8 floats */
//: used by strided
    int stride = 8, offset = 0;   /* 8 floats are a sector */
//: used by broadcast
    int stride = 0, offset = 0;
//: used by aos soa aosoa vector staged nobarrier unaligned
    int n = (int)Argument(argc, argv, 1, 256);
    int fields = (int)Argument(argc, argv, 2, 4);
    int used = (int)Argument(argc, argv, 3, fields);
//: used by vector
    int offset = 0;
//: used by unaligned
    int offset = 1;   /* WRONG: an address of a float4 must be a multiple of 16 */
//: used by all
    int threads = 128, blocks = (n + threads - 1) / threads, right = 0;

//: used by linear misaligned strided broadcast
    if (n < 1 || n > 1 << 24 || stride < 0 || stride > 64 || offset < 0 || offset > 1 << 20) {
        fprintf(stderr, "threads are 1 to 2^24, the stride 0 to 64, the offset 0 to 2^20\n");
        return EXIT_FAILURE;
    }
    int elements = stride * (n - 1) + offset + 1;
//: used by random
    if (n < 1 || n > 1 << 24) {
        fprintf(stderr, "threads are 1 to 2^24\n");
        return EXIT_FAILURE;
    }
    int elements = n;
//: used by aos soa aosoa vector staged nobarrier unaligned
    if (n < 1 || n > 1 << 20 || fields < 1 || fields > 64 || used < 1 || used > fields) {
        fprintf(stderr, "structures are 1 to 2^20, of 1 to 64 fields, and one or more are read\n");
        return EXIT_FAILURE;
    }
//: used by vector unaligned
    if (fields % 4 != 0) {
        fprintf(stderr, "a float4 load needs structures of 4, 8, 12 or more fields\n");
        return EXIT_FAILURE;
    }
//: used by soa
    int pitch = (n + 31) / 32 * 32;   /* each field's array begins at the start of a cache line */
    int elements = pitch * used;
//: used by aosoa
    int elements = (n + 31) / 32 * 32 * fields;   /* whole groups of 32 structures */
//: used by aos staged nobarrier
    int elements = n * fields;
//: used by vector unaligned
    int elements = n * fields + offset;
//: used by all
    float *x = (float *)Allocate(elements * sizeof(float)), *x_d;
    float *y = (float *)Allocate(n * sizeof(float)), *y_d;
    for (int k = 0; k < elements; k++)
        x[k] = k % 1024;
    CHECK(cudaMalloc(&x_d, elements * sizeof(float)));
    CHECK(cudaMalloc(&y_d, n * sizeof(float)));
    CHECK(cudaMemcpy(x_d, x, elements * sizeof(float), cudaMemcpyHostToDevice));

//: used by linear misaligned strided broadcast
    KERNEL<<<blocks, threads>>>(x_d, y_d, n, stride, offset);
//: used by random
    /* An order of the numbers below n: each one changes places with one before it. */
    int *index = (int *)Allocate(n * sizeof(int)), *index_d;
    unsigned state = 1;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        int other = (state >> 8) % (i + 1);
        index[i] = i;
        int kept = index[other];
        index[other] = i;
        index[i] = kept;
    }
    CHECK(cudaMalloc(&index_d, n * sizeof(int)));
    CHECK(cudaMemcpy(index_d, index, n * sizeof(int), cudaMemcpyHostToDevice));
    KERNEL<<<blocks, threads>>>(index_d, x_d, y_d, n);
//: used by aos aosoa
    KERNEL<<<blocks, threads>>>(x_d, y_d, n, fields, used);
//: used by soa
    KERNEL<<<blocks, threads>>>(x_d, y_d, n, pitch, used);
//: used by vector unaligned
    KERNEL<<<blocks, threads>>>(x_d, y_d, n, fields, used, offset);
//: used by staged nobarrier
    /* More than 48 KB of shared memory must be requested. The card may refuse this. */
    int pad = fields % 2 == 0;
    size_t words = (size_t)threads * fields, shared = (words + words / 32 * pad) * sizeof(float);
    CHECK(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    KERNEL<<<blocks, threads, shared>>>(x_d, y_d, n, fields, used, pad);
//: used by all
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(y, y_d, n * sizeof(float), cudaMemcpyDeviceToHost));

    for (int i = 0; i < n; i++) {
//: used by linear misaligned strided broadcast
        right += y[i] == x[stride * i + offset];
//: used by random
        right += y[i] == x[index[i]];
//: used by aos soa aosoa vector staged nobarrier unaligned
        float sum = 0;
        for (int k = 0; k < used; k++)
//: used by aos staged nobarrier
            sum += x[i * fields + k];
//: used by aosoa
            sum += x[(i / 32 * fields + k) * 32 + i % 32];
//: used by soa
            sum += x[k * pitch + i];
//: used by vector unaligned
            sum += x[offset + i * fields + k];
//: used by aos soa aosoa vector staged nobarrier unaligned
        right += y[i] == sum;
//: used by all
    }
    printf("%d of %d results are right\n", right, n);
//: used by random
    CHECK(cudaFree(index_d));
    free(index);
//: used by all
    CHECK(cudaFree(x_d));
    CHECK(cudaFree(y_d));
    free(x);
    free(y);
    return right == n ? 0 : EXIT_FAILURE;
}
