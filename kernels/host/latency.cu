/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of latency.cu's programs (source/code-host.h): a ring through all its places, in an
 * order that no hardware guesses, laid out in the memory that is asked; then the cycles of a step,
 * and whether the chase ended where plain C ends.
 */

//: used by global l2 l1
typedef unsigned long long Place;   /* at a place stands the address of the next one */

//: used by shared constant constant-miss
typedef unsigned Place;   /* at a place stands where the next one is, in bytes from the first */

//: used by all but register
/* next[i] is the place after place i, one ring through all of them (Sattolo's algorithm). */
static void Make_ring(unsigned *next, unsigned places)
{
    unsigned long long state = 1;

    for (unsigned i = 0; i < places; i++)
        next[i] = i;
    for (unsigned i = places - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        unsigned k = (unsigned)(state >> 33) % i;   /* below i: no place leads to itself */
        unsigned kept = next[i];
        next[i] = next[k];
        next[k] = kept;
    }
}

static unsigned Walk(const unsigned *next, unsigned at, int steps)
{
    for (int k = 0; k < steps; k++)
        at = next[at];
    return at;
}

/* Arguments: bytes of the ring, bytes from one place to the next, steps. */
int main(int argc, char *argv[])
{
//: used by global
    int l2;
    CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
    long long bytes = (long long)Argument(argc, argv, 1, l2 / 256 * 1024.0);   /* four times L2 */
    long long stride = (long long)Argument(argc, argv, 2, 256);
    long long most = 1 << 30;
//: used by l2
    long long bytes = (long long)Argument(argc, argv, 1, 256 * 1024);
    long long stride = (long long)Argument(argc, argv, 2, 128);
    long long most = 1 << 30;
//: used by l1
    long long bytes = (long long)Argument(argc, argv, 1, 8192);
    long long stride = (long long)Argument(argc, argv, 2, 32);
    long long most = 1 << 30;
//: used by constant
    long long bytes = (long long)Argument(argc, argv, 1, 1024);
    long long stride = (long long)Argument(argc, argv, 2, 4);
    long long most = sizeof ring_c;
//: used by constant-miss
    long long bytes = (long long)Argument(argc, argv, 1, 65536);
    long long stride = (long long)Argument(argc, argv, 2, 256);
    long long most = sizeof ring_c;
//: used by shared
    int most;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    long long bytes = (long long)Argument(argc, argv, 1, 4096);
    long long stride = (long long)Argument(argc, argv, 2, 4);
//: used by all but register
    if (stride < 1 || stride % sizeof(Place) != 0 || bytes < stride || bytes % stride != 0 ||
        bytes > most) {
        fprintf(stderr, "the stride is a multiple of %zu, the ring a multiple of the stride, and "
                "at most %lld bytes\n", sizeof(Place), (long long)most);
        return EXIT_FAILURE;
    }
    int places = (int)(bytes / stride);
//: used by l2 l1 constant shared
    int steps = (int)Argument(argc, argv, 3, 1024);
    int warm = places;   /* once round before the clock starts: then the cache has all of it */
//: used by global constant-miss
    int steps = (int)Argument(argc, argv, 3, places < 1024 ? places : 1024);
    int warm = places > steps ? places - steps : 0;   /* those that are timed were not met before */
//: used by all but register
    if (steps < 1) {
        fprintf(stderr, "the chase has at least one step\n");
        return EXIT_FAILURE;
    }

    unsigned *next = (unsigned *)Allocate(places * sizeof *next);
    Make_ring(next, places);

//: used by global l2 l1
    Place *ring_d;
    CHECK(cudaMalloc(&ring_d, bytes));
    Place first = (Place)ring_d;
//: used by shared
    Place *ring_d, first = 0;
    CHECK(cudaMalloc(&ring_d, bytes));
//: used by constant constant-miss
    Place first = 0;
//: used by all but register
    Place *ring = (Place *)Allocate(bytes);
    long long apart = stride / (long long)sizeof(Place);
    for (long long i = 0; i < bytes / (long long)sizeof(Place); i++)
        ring[i] = 0;
    for (int i = 0; i < places; i++)
        ring[i * apart] = first + (Place)(next[i] * stride);
//: used by global l2 l1 shared
    CHECK(cudaMemcpy(ring_d, ring, bytes, cudaMemcpyHostToDevice));
//: used by constant constant-miss
    CHECK(cudaMemcpyToSymbol(ring_c, ring, bytes));   /* the variable itself, no address */
//: used by all but register

    Place end[2], *end_d;
    long long cycles, *cycles_d;
    CHECK(cudaMalloc(&end_d, sizeof end));
    CHECK(cudaMalloc(&cycles_d, sizeof cycles));
//: used by global l2 l1
    KERNEL<<<1, 1>>>(first, warm, steps, end_d, cycles_d);
//: used by shared
    /* Over 48 KB of shared memory must be asked for. */
    CHECK(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    int words = (int)(bytes / sizeof(Place));
    KERNEL<<<1, 1, bytes>>>(ring_d, words, warm, steps, end_d, cycles_d);
//: used by constant constant-miss
    KERNEL<<<1, 1>>>(warm, steps, end_d, cycles_d);
//: used by all but register
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(end, end_d, sizeof end, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&cycles, cycles_d, sizeof cycles, cudaMemcpyDeviceToHost));

    unsigned middle = Walk(next, 0, warm), last = Walk(next, middle, steps);
    bool right = end[0] == first + (Place)(middle * stride) &&
                 end[1] == first + (Place)(last * stride);
    printf("%lld bytes, %d places %lld apart: %.1f cycles a step: %s\n", bytes, places, stride,
           (double)cycles / steps, right ? "ends where plain C does" : "ends WRONG");
    CHECK(cudaFree(end_d));
    CHECK(cudaFree(cycles_d));
//: used by global l2 l1 shared
    CHECK(cudaFree(ring_d));
//: used by all but register
    free(ring);
    free(next);
    return right ? 0 : EXIT_FAILURE;
}
//: used by register
/* The chain in plain C: a value becomes 1 - value. */
static float Chain(float value, int steps)
{
    for (int k = 0; k < steps; k++)
        value = value * -1.0f + 1.0f;
    return value;
}

/* Argument: steps. */
int main(int argc, char *argv[])
{
    int steps = (int)Argument(argc, argv, 1, 1024), warm = 32;
    float end[2], *end_d;
    long long cycles, *cycles_d;

    if (steps < 1) {
        fprintf(stderr, "the chain has at least one step\n");
        return EXIT_FAILURE;
    }
    CHECK(cudaMalloc(&end_d, sizeof end));
    CHECK(cudaMalloc(&cycles_d, sizeof cycles));

    KERNEL<<<1, 1>>>(3.0f, -1.0f, 1.0f, warm, steps, end_d, cycles_d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(end, end_d, sizeof end, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&cycles, cycles_d, sizeof cycles, cudaMemcpyDeviceToHost));

    bool right = end[0] == Chain(3.0f, warm) && end[1] == Chain(3.0f, warm + steps);
    printf("%d multiply-adds in a chain: %.1f cycles each: %s\n", steps, (double)cycles / steps,
           right ? "ends where plain C does" : "ends WRONG");
    CHECK(cudaFree(end_d));
    CHECK(cudaFree(cycles_d));
    return right ? 0 : EXIT_FAILURE;
}
