/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of scale.cu's programs (source/code-host.h): one process with all GPUs of the
 * computer. It starts the kernels of all before it waits for the first.
 */

enum { MOST_GPUS = 64 };

//: used by scale_trap
/* Arguments: n, GPUs, threads in a block, a, b. */
//: used by scale_sum
/* Arguments: n, GPUs, threads in a block. */
//: used by all
int main(int argc, char *argv[])
{
    int there, gpus, n = (int)Argument(argc, argv, 1, 1 << 20);
    int threads = (int)Argument(argc, argv, 3, 256);
    float *sums_d[MOST_GPUS], *total_d[MOST_GPUS];
//: used by scale_trap
    float a = (float)Argument(argc, argv, 4, -3.0), b = (float)Argument(argc, argv, 5, 3.0);
    float h = (b - a) / n;
//: used by scale_sum
    float *x_d[MOST_GPUS];
//: used by all
    double all = 0.0, expected = 0.0;

    CHECK(cudaGetDeviceCount(&there));
    gpus = (int)Argument(argc, argv, 2, there);
    if (gpus < 1 || gpus > there || gpus > MOST_GPUS) {
        fprintf(stderr, "%d GPUs are asked for, and this computer has %d\n", gpus, there);
        return EXIT_FAILURE;
    }
    if (n < 1 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is at least 1, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
    for (int gpu = 0; gpu < gpus; gpu++) {
        int first = (int)((long long)n * gpu / gpus);
        int last = (int)((long long)n * (gpu + 1) / gpus), blocks;

        CHECK(cudaSetDevice(gpu));   /* all calls that follow are for this GPU */
        CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, gpu));
        CHECK(cudaMalloc(&sums_d[gpu], blocks * sizeof(float)));
        CHECK(cudaMalloc(&total_d[gpu], sizeof(float)));
        CHECK(cudaMemset(total_d[gpu], 0, sizeof(float)));
//: used by scale_sum
        float *x = (float *)Allocate((last - first + 1) * sizeof(float));
        for (int i = first; i < last; i++)
            x[i - first] = (float)(i % 10);
        CHECK(cudaMalloc(&x_d[gpu], (last - first + 1) * sizeof(float)));
        CHECK(cudaMemcpy(x_d[gpu], x, (last - first) * sizeof(float), cudaMemcpyHostToDevice));
        free(x);
//: used by all
        if (last == first)           /* more GPUs than terms */
            continue;
//: used by scale_trap
        KERNEL<<<blocks, threads>>>(a, h, first, last, sums_d[gpu]);
//: used by scale_sum
        KERNEL<<<blocks, threads>>>(x_d[gpu], last - first, sums_d[gpu]);
//: used by all
        CHECK(cudaGetLastError());
        scale_add<<<1, threads>>>(sums_d[gpu], blocks, total_d[gpu]);
        CHECK(cudaGetLastError());   /* the host does not wait here: it starts the next GPU */
    }
    for (int gpu = 0; gpu < gpus; gpu++) {
        float sum;

        CHECK(cudaSetDevice(gpu));
        CHECK(cudaMemcpy(&sum, total_d[gpu], sizeof(float), cudaMemcpyDeviceToHost));
        all += sum;
        CHECK(cudaFree(sums_d[gpu]));
        CHECK(cudaFree(total_d[gpu]));
//: used by scale_sum
        CHECK(cudaFree(x_d[gpu]));
//: used by all
    }
//: used by scale_trap
    all *= h;
    expected = ((double)b * b * b - (double)a * a * a) / 3 + ((double)b - a);
//: used by scale_sum
    for (int i = 0; i < n; i++)
        expected += i % 10;
//: used by all
    printf("%d GPUs: %.9g, exact %.9g\n", gpus, all, expected);
    return all - expected < 1e-3 * expected && expected - all < 1e-3 * expected ? 0 : EXIT_FAILURE;
}
