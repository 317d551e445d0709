/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of streams.cu's programs (source/code-host.h): a sum of two vectors, copied and
 * computed in frames. Each sum is compared with plain C. The clock is the host's, from the first
 * copy to the last wait.
 */

#include <time.h>

static double Seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Counts the sums that are the same as in plain C. */
static int Count_right(const unsigned *x, const unsigned *y, const unsigned *z, int n, int rounds)
{
    int right = 0;

    for (int i = 0; i < n; i++) {
        unsigned v = x[i] + y[i];
        for (int r = 0; r < rounds; r++)
            v = 3 * v + 1;
        right += z[i] == v;
    }
    return right;
}

enum { STREAMS_MOST = 32 };
//: used by pipeline
enum { FRAMES_MOST = 1024 };
//: used by all

/* Arguments: n, streams, frames, rounds, threads in a block. */
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 1 << 20);
    int streams = (int)Argument(argc, argv, 2, 4);
    int frames = (int)Argument(argc, argv, 3, 8);
    int rounds = (int)Argument(argc, argv, 4, 0);
    int threads = (int)Argument(argc, argv, 5, 256);

    if (n < 1 || n > 1 << 28 || streams < 1 || streams > STREAMS_MOST || frames < 1 ||
        frames > 1024 || rounds < 0 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is 1 to 268435456, there are 1 to 32 streams, 1 to 1024 frames, no "
                        "rounds or more, and 1 to 1024 threads in a block\n");
        return EXIT_FAILURE;
    }
    int frame = (n - 1) / frames + 1;   /* elements of a frame; the last one may be shorter */
    size_t bytes = n * sizeof(unsigned);
    unsigned *x, *y, *z, *x_d, *y_d, *z_d;
//: used by pageable
    x = (unsigned *)Allocate(bytes);
    y = (unsigned *)Allocate(bytes);
    z = (unsigned *)Allocate(bytes);
//: used by all but pageable
    CHECK(cudaMallocHost(&x, bytes));   /* pinned memory: only its copies can overlap */
    CHECK(cudaMallocHost(&y, bytes));
    CHECK(cudaMallocHost(&z, bytes));
//: used by all
    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMalloc(&y_d, bytes));
    CHECK(cudaMalloc(&z_d, bytes));
    for (int i = 0; i < n; i++) {
        x[i] = 2654435761u * (unsigned)i;
        y[i] = 40503u * (unsigned)i + 7;
        z[i] = 0;
    }
    CHECK(cudaMemset(z_d, 0, bytes));
//: used by pipeline noevent
    cudaStream_t in, work, out;   /* one for each kind of work */
    CHECK(cudaStreamCreate(&in));
    CHECK(cudaStreamCreate(&work));
    CHECK(cudaStreamCreate(&out));
//: used by pipeline
    cudaEvent_t copied[FRAMES_MOST], computed[FRAMES_MOST];
    for (int f = 0; f < frames; f++) {
        CHECK(cudaEventCreate(&copied[f]));
        CHECK(cudaEventCreate(&computed[f]));
    }
//: used by streams breadth synced pageable concurrent onestream nosync onewait
    cudaStream_t stream[STREAMS_MOST];
    for (int s = 0; s < streams; s++)
        CHECK(cudaStreamCreate(&stream[s]));
//: used by all
    CHECK(cudaDeviceSynchronize());

    double start = Seconds();
//: used by once
    (void)streams;
    (void)frame;
    CHECK(cudaMemcpy(x_d, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y_d, y, bytes, cudaMemcpyHostToDevice));
    KERNEL<<<(n - 1) / threads + 1, threads>>>(x_d, y_d, z_d, n, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(z, z_d, bytes, cudaMemcpyDeviceToHost));
//: used by frames
    (void)streams;
    for (int i = 0; i < n; i += frame) {
        int count = n - i < frame ? n - i : frame;
        size_t part = count * sizeof(unsigned);
        CHECK(cudaMemcpy(x_d + i, x + i, part, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(y_d + i, y + i, part, cudaMemcpyHostToDevice));
        KERNEL<<<(count - 1) / threads + 1, threads>>>(x_d + i, y_d + i, z_d + i, count, rounds);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(z + i, z_d + i, part, cudaMemcpyDeviceToHost));
    }
//: used by streams pageable nosync onewait
    for (int i = 0, f = 0; i < n; i += frame, f++) {
        cudaStream_t s = stream[f % streams];
        int count = n - i < frame ? n - i : frame;
        size_t part = count * sizeof(unsigned);
        CHECK(cudaMemcpyAsync(x_d + i, x + i, part, cudaMemcpyHostToDevice, s));
        CHECK(cudaMemcpyAsync(y_d + i, y + i, part, cudaMemcpyHostToDevice, s));
        KERNEL<<<(count - 1) / threads + 1, threads, 0, s>>>(x_d + i, y_d + i, z_d + i, count,
                                                             rounds);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(z + i, z_d + i, part, cudaMemcpyDeviceToHost, s));
    }
//: used by breadth synced
    int round = streams < frames ? streams * frame : n;   /* a frame for each stream */
    for (int first = 0; first < n; first += round) {
        for (int i = first, s = 0; i < n && s < streams; i += frame, s++) {
            size_t part = (n - i < frame ? n - i : frame) * sizeof(unsigned);
            CHECK(cudaMemcpyAsync(x_d + i, x + i, part, cudaMemcpyHostToDevice, stream[s]));
            CHECK(cudaMemcpyAsync(y_d + i, y + i, part, cudaMemcpyHostToDevice, stream[s]));
        }
        for (int i = first, s = 0; i < n && s < streams; i += frame, s++) {
            int count = n - i < frame ? n - i : frame;
            KERNEL<<<(count - 1) / threads + 1, threads, 0, stream[s]>>>(x_d + i, y_d + i, z_d + i,
                                                                         count, rounds);
            CHECK(cudaGetLastError());
        }
//: used by synced
        for (int s = 0; s < streams; s++)   /* no copy back can overlap these kernels */
            CHECK(cudaStreamSynchronize(stream[s]));
//: used by breadth synced
        for (int i = first, s = 0; i < n && s < streams; i += frame, s++) {
            size_t part = (n - i < frame ? n - i : frame) * sizeof(unsigned);
            CHECK(cudaMemcpyAsync(z + i, z_d + i, part, cudaMemcpyDeviceToHost, stream[s]));
        }
    }
//: used by pipeline noevent
    (void)streams;
    for (int i = 0, f = 0; i < n; i += frame, f++) {
        int count = n - i < frame ? n - i : frame;
        size_t part = count * sizeof(unsigned);
        CHECK(cudaMemcpyAsync(x_d + i, x + i, part, cudaMemcpyHostToDevice, in));
        CHECK(cudaMemcpyAsync(y_d + i, y + i, part, cudaMemcpyHostToDevice, in));
//: used by pipeline
        CHECK(cudaEventRecord(copied[f], in));
        CHECK(cudaStreamWaitEvent(work, copied[f]));   /* the kernel needs these copies */
//: used by pipeline noevent
        KERNEL<<<(count - 1) / threads + 1, threads, 0, work>>>(x_d + i, y_d + i, z_d + i, count,
                                                                rounds);
        CHECK(cudaGetLastError());
//: used by pipeline
        CHECK(cudaEventRecord(computed[f], work));
        CHECK(cudaStreamWaitEvent(out, computed[f]));   /* the copy needs this kernel */
//: used by pipeline noevent
        CHECK(cudaMemcpyAsync(z + i, z_d + i, part, cudaMemcpyDeviceToHost, out));
    }
//: used by concurrent onestream
    CHECK(cudaMemcpy(x_d, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y_d, y, bytes, cudaMemcpyHostToDevice));
    for (int i = 0, f = 0; i < n; i += frame, f++) {
        int count = n - i < frame ? n - i : frame;
//: used by concurrent
        cudaStream_t s = stream[f % streams];
//: used by onestream
        cudaStream_t s = stream[0];
//: used by concurrent onestream
        KERNEL<<<(count - 1) / threads + 1, threads, 0, s>>>(x_d + i, y_d + i, z_d + i, count,
                                                             rounds);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(z, z_d, bytes, cudaMemcpyDeviceToHost));
//: used by streams breadth synced pageable pipeline noevent
    CHECK(cudaDeviceSynchronize());   /* the host waits for all streams */
//: used by onewait
    CHECK(cudaStreamSynchronize(stream[0]));   /* WRONG: the other streams may still work */
//: used by all
    double seconds = Seconds() - start;

    int right = Count_right(x, y, z, n, rounds);
    CHECK(cudaDeviceSynchronize());
    printf("n = %d: %.1f us, %d sums are right: %s\n", n, seconds * 1e6, right,
           right == n ? "right" : "WRONG");

//: used by pipeline
    for (int f = 0; f < frames; f++) {
        CHECK(cudaEventDestroy(copied[f]));
        CHECK(cudaEventDestroy(computed[f]));
    }
//: used by pipeline noevent
    CHECK(cudaStreamDestroy(in));
    CHECK(cudaStreamDestroy(work));
    CHECK(cudaStreamDestroy(out));
//: used by streams breadth synced pageable concurrent onestream nosync onewait
    for (int s = 0; s < streams; s++)
        CHECK(cudaStreamDestroy(stream[s]));
//: used by all
    CHECK(cudaFree(x_d));
    CHECK(cudaFree(y_d));
    CHECK(cudaFree(z_d));
//: used by pageable
    free(x);
    free(y);
    free(z);
//: used by all but pageable
    CHECK(cudaFreeHost(x));
    CHECK(cudaFreeHost(y));
    CHECK(cudaFreeHost(z));
//: used by all
    return right == n ? 0 : EXIT_FAILURE;
}
