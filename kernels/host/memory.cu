/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of memory.cu's programs (source/code-host.h): what each kernel finds in the memory
 * that it is about, how it got there, and every result beside plain C's.
 */

//: used by all but carveout
/* The same numbers each time. */
static unsigned Random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state ^ *state >> 16;
}

//: used by hierarchy
/* Arguments: blocks, threads in each, which of four constants is read. */
//: used by symbol unset
/* Arguments: blocks, threads in each, coefficients, launches. */
//: used by registers spill shared-array
/* Arguments: blocks, threads in each, keys of each thread. */
//: used by carveout
/* Arguments: blocks, threads in each, bytes of shared memory that a block takes. */
//: used by all
int main(int argc, char *argv[])
{
    int blocks = (int)Argument(argc, argv, 1, 1);
    int threads = (int)Argument(argc, argv, 2, 128);
//: used by hierarchy
    int which = (int)Argument(argc, argv, 3, 2);
//: used by symbol unset
    int terms = (int)Argument(argc, argv, 3, 8);
    int times = (int)Argument(argc, argv, 4, 2);
//: used by registers spill shared-array
    int keys_each = (int)Argument(argc, argv, 3, 64);
//: used by carveout
    int shared = (int)Argument(argc, argv, 3, 64 * 1024);
//: used by all

    if (blocks < 1 || blocks > 65535 || threads < 1 || threads > 1024) {
        fprintf(stderr, "blocks are 1 to 65535, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
//: used by hierarchy
    if (which < 0 || which > 3) {
        fprintf(stderr, "there are four constants: 0 to 3\n");
        return EXIT_FAILURE;
    }
//: used by symbol unset
    if (terms < 1 || terms > COEFFICIENTS || times < 1) {
        fprintf(stderr, "coefficients are 1 to %d, launches at least 1\n", COEFFICIENTS);
        return EXIT_FAILURE;
    }
//: used by registers spill shared-array
    if (keys_each < 1 || (double)keys_each * blocks * threads > 1 << 28) {
        fprintf(stderr, "each thread has at least one key, all of them at most 2^28\n");
        return EXIT_FAILURE;
    }
//: used by carveout
    int words = shared / (int)sizeof(int);
    if (shared < 4 || shared % 4 != 0 || (double)blocks * words > 1 << 28) {
        fprintf(stderr, "a block takes words of 4 bytes, all blocks at most 2^28 words\n");
        return EXIT_FAILURE;
    }
//: used by all
    int right = 0;
//: used by hierarchy symbol unset
    int n = blocks * threads, results = n;
    unsigned state = 1;
    size_t bytes = results * sizeof(unsigned);
    unsigned *out = (unsigned *)Allocate(bytes), *out_d;
//: used by registers spill shared-array
    int n = blocks * threads, results = BINS * n;
    unsigned state = 1;
    size_t bytes = results * sizeof(int);
    int *out = (int *)Allocate(bytes), *out_d;
//: used by carveout
    int results = blocks * words;
    size_t bytes = results * sizeof(int);
    int *out = (int *)Allocate(bytes), *out_d;
//: used by all
    CHECK(cudaMalloc(&out_d, bytes));

//: used by hierarchy
    unsigned *in = (unsigned *)Allocate(bytes), *in_d, four[4];
    for (int i = 0; i < n; i++)
        in[i] = Random(&state);
    for (int k = 0; k < 4; k++)
        four[k] = Random(&state);
    CHECK(cudaMalloc(&in_d, bytes));
    CHECK(cudaMemcpy(in_d, in, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(chosen, four, sizeof four));   /* the variable itself, no address */

    KERNEL<<<blocks, threads>>>(in_d, out_d, which);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, out_d, bytes, cudaMemcpyDeviceToHost));

    for (int i = 0; i < n; i++) {
        int next = i / threads * threads + (i % threads + 1) % threads;   /* in its block */
        right += out[i] == in[i] + in[i] * (which + 3) + in[next] + four[which];
    }
    CHECK(cudaFree(in_d));
    free(in);
//: used by symbol unset
    unsigned *given = (unsigned *)Allocate(terms * sizeof *given), none = 0, counted;
    for (int k = 0; k < terms; k++)
        given[k] = Random(&state);
    CHECK(cudaMemcpyToSymbol(coefficient, given, terms * sizeof *given));
    CHECK(cudaMemcpyToSymbol(launches, &none, sizeof none));
//: used by symbol
    CHECK(cudaMemcpyToSymbol(where, &out_d, sizeof out_d));   /* the address in out_d, 8 bytes */
//: used by unset
    /* WRONG: nobody gives `where` an address, so the kernel stores through a null pointer. */
//: used by symbol unset

    for (int k = 0; k < times; k++) {
        KERNEL<<<blocks, threads>>>(terms);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaMemcpyFromSymbol(&counted, launches, sizeof counted));
    CHECK(cudaMemcpy(out, out_d, bytes, cudaMemcpyDeviceToHost));

    for (int i = 0; i < n; i++) {
        unsigned sum = 0;
        for (int k = terms - 1; k >= 0; k--)
            sum = sum * i + given[k];
        right += out[i] == sum;
    }
    printf("the kernel has counted %u launches of %d\n", counted, times);
    if (counted != (unsigned)times)
        right = 0;
    free(given);
//: used by registers spill shared-array
    size_t keys_bytes = (size_t)keys_each * n * sizeof(int);
    int *keys = (int *)Allocate(keys_bytes), *keys_d;
    int *want = (int *)Allocate(bytes);
    for (int i = 0; i < results; i++)
        want[i] = 0;
    for (int k = 0; k < keys_each * n; k++) {
        keys[k] = Random(&state) % BINS;
        want[keys[k] * n + k % n]++;   /* key k is of thread k mod n */
    }
    CHECK(cudaMalloc(&keys_d, keys_bytes));
    CHECK(cudaMemcpy(keys_d, keys, keys_bytes, cudaMemcpyHostToDevice));

//: used by registers spill
    KERNEL<<<blocks, threads>>>(keys_d, out_d, keys_each);
    CHECK(cudaGetLastError());
//: used by shared-array
    /* Over 48 KB of shared memory must be asked for; too much of it is refused here. */
    size_t shared = BINS * threads * sizeof(int);
    CHECK(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    KERNEL<<<blocks, threads, shared>>>(keys_d, out_d, keys_each);
    CHECK(cudaGetLastError());
//: used by registers spill shared-array
    CHECK(cudaMemcpy(out, out_d, bytes, cudaMemcpyDeviceToHost));

    for (int i = 0; i < results; i++)
        right += out[i] == want[i];
    CHECK(cudaFree(keys_d));
    free(keys);
    free(want);
//: used by carveout
    /* Over 48 KB must be asked for. How an SM is divided is a wish: percent for shared memory. */
    int fit;
    CHECK(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaFuncSetAttribute(KERNEL, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, KERNEL, threads, shared));
    printf("%d blocks of %d bytes fit an SM\n", fit, shared);

    KERNEL<<<blocks, threads, shared>>>(out_d, words);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, out_d, bytes, cudaMemcpyDeviceToHost));

    for (int i = 0; i < results; i++)
        right += out[i] == 3 * (words - 1 - i % words) + i / words;
//: used by all

    printf("%d of %d results are right\n", right, results);
    CHECK(cudaFree(out_d));
    free(out);
    return right == results ? 0 : EXIT_FAILURE;
}
