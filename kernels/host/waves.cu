/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of waves.cu's programs (source/code-host.h): blocks that tell where and when they
 * ran, or warps that tell how long their rounds took; and a check of every thread's number.
 */

/* What n steps make of x is a x + c, modulo 2^32, whatever x is. */
static void After_steps(unsigned n, unsigned *a, unsigned *c)
{
    *a = 1;
    *c = 0;
    for (; n > 0; n--) {
        *a = *a * 1664525u;
        *c = *c * 1664525u + 1013904223u;
    }
}

//: used by waves_blocks
/* From a seed, half to one and a half times the average. */
static void Draw_rounds(unsigned *rounds, int blocks, unsigned average, unsigned seed)
{
    for (int b = 0; b < blocks; b++) {
        seed = seed * 1103515245u + 12345u;
        rounds[b] = average / 2 + (seed >> 16) % (average + 1);
    }
}

/* Did each block run once, and each of its threads all its steps? */
static bool Is_right(const unsigned *rounds, const waves_record *record, const unsigned *out,
                     int blocks, int threads)
{
    unsigned a, c;

    for (int b = 0; b < blocks; b++) {
        if (record[b].ran != 1 || record[b].end < record[b].begin)
            return false;
        if (b == 0 || rounds[b] != rounds[b - 1])
            After_steps(rounds[b], &a, &c);
        for (int i = b * threads; i < (b + 1) * threads; i++)
            if (out[i] != a * (unsigned)i + c)
                return false;
    }
    return true;
}

/* How many blocks each multiprocessor had; their numbers may have gaps. */
static void Print_sms(const waves_record *record, int blocks)
{
    unsigned last = 0;

    for (int b = 0; b < blocks; b++)
        if (record[b].sm > last)
            last = record[b].sm;
    int *ran = (int *)Allocate((last + 1) * sizeof *ran);
    for (unsigned sm = 0; sm <= last; sm++)
        ran[sm] = 0;
    for (int b = 0; b < blocks; b++)
        ran[record[b].sm]++;
    for (unsigned sm = 0; sm <= last; sm++)
        if (ran[sm] > 0)
            printf("SM %u: %d blocks\n", sm, ran[sm]);
    free(ran);
}

/* From the first block's begin to the last one's end. */
static void Print_times(const waves_record *record, int blocks, int at_once)
{
    unsigned long long begin = record[0].begin, first_end = record[0].end, end = record[0].end;
    double busy = 0.0;
    int late = 0;

    for (int b = 0; b < blocks; b++) {
        if (record[b].begin < begin)
            begin = record[b].begin;
        if (record[b].end < first_end)
            first_end = record[b].end;
        if (record[b].end > end)
            end = record[b].end;
        busy += (double)(record[b].end - record[b].begin);
    }
    for (int b = 0; b < blocks; b++)   /* who may have waited for a place */
        late += record[b].begin >= first_end;
    printf("%.1f us in all; %d blocks began when another had ended\n", (end - begin) / 1e3, late);
    if (end > begin)
        printf("%.1f %% of all places' time was used\n", busy / at_once / (end - begin) * 100);
}

/* One launch: who ran where and when, and is every number right? */
static bool Run(const unsigned *rounds, int blocks, int threads, int at_once)
{
    size_t rounds_size = blocks * sizeof *rounds, record_size = blocks * sizeof(waves_record);
    size_t out_size = rounds_size * threads;
    waves_record *record = (waves_record *)Allocate(record_size), *record_d;
    unsigned *out = (unsigned *)Allocate(out_size), *out_d, *rounds_d;

    CHECK(cudaMalloc(&rounds_d, rounds_size));
    CHECK(cudaMalloc(&record_d, record_size));
    CHECK(cudaMalloc(&out_d, out_size));
    CHECK(cudaMemcpy(rounds_d, rounds, rounds_size, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(record_d, 0, record_size));   /* none has run yet */

    KERNEL<<<blocks, threads>>>(rounds_d, record_d, out_d);
    CHECK(cudaGetLastError());   /* was it a grid that can be? */

    /* The copy waits for the kernel. */
    CHECK(cudaMemcpy(record, record_d, record_size, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(out, out_d, out_size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(rounds_d));
    CHECK(cudaFree(record_d));
    CHECK(cudaFree(out_d));

    bool right = Is_right(rounds, record, out, blocks, threads);
    Print_sms(record, blocks);
    Print_times(record, blocks, at_once);
    free(record);
    free(out);
    return right;
}

/* Arguments: blocks, threads in each, rounds, and a seed for blocks of unlike length. */
int main(int argc, char *argv[])
{
    int device, sms, places;
    int threads = (int)Argument(argc, argv, 2, 256);
    int average = (int)Argument(argc, argv, 3, 16384);

    if (threads < 1 || threads > 1024 || average < 1 || average > 1 << 20) {
        fprintf(stderr, "a block has 1 to 1024 threads, and 1 to %d rounds\n", 1 << 20);
        return EXIT_FAILURE;
    }
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&places, KERNEL, threads, 0));
    int at_once = sms * places;
    int blocks = (int)Argument(argc, argv, 1, at_once + 1);   /* one that has to wait */
    if (blocks < 1 || blocks > (1 << 22) / threads) {
        fprintf(stderr, "blocks are 1 to %d, of %d threads each\n", (1 << 22) / threads, threads);
        return EXIT_FAILURE;
    }

    unsigned *rounds = (unsigned *)Allocate(blocks * sizeof *rounds);
    for (int b = 0; b < blocks; b++)
        rounds[b] = average;
    if (argc > 4)
        Draw_rounds(rounds, blocks, average, (unsigned)Argument(argc, argv, 4, 1));
    bool right = Run(rounds, blocks, threads, at_once);
    printf("%d SMs with %d places each hold %d blocks: %d are %d waves\n", sms, places, at_once,
           blocks, (blocks - 1) / at_once + 1);
    printf("each block once, and its numbers: %s\n", right ? "right" : "WRONG");
    free(rounds);
    return right ? 0 : EXIT_FAILURE;
}
//: used by waves_warps
enum { LANES = 32, MOST_WARPS = 32 };

/* Thread t's load leads to t + threads, and so on; its steps go on from there. */
static bool Is_right(const unsigned *out, int threads, int rounds, int steps)
{
    unsigned a, c;

    After_steps(steps, &a, &c);
    for (int t = 0; t < threads; t++) {
        unsigned at = t, x = t;
        for (int i = 0; i < rounds; i++) {
            at += threads;
            x = a * (x ^ at) + c;
        }
        if (out[2 * t] != at || out[2 * t + 1] != x)
            return false;
    }
    return true;
}

/* From the first warp's begin to the last one's end. */
static double Clocks_a_round(const unsigned long long *clocks, int warps, int rounds)
{
    unsigned long long first = clocks[0], last = clocks[1];

    for (int w = 1; w < warps; w++) {
        if (clocks[2 * w] < first)
            first = clocks[2 * w];
        if (clocks[2 * w + 1] > last)
            last = clocks[2 * w + 1];
    }
    return (double)(last - first) / rounds;
}

/* So many warps, all of one block, hence on one multiprocessor, whose clock they read. */
static bool Run(int warps, int rounds, int steps)
{
    int threads = warps * LANES, words = threads * (rounds + 1);
    unsigned out[2 * MOST_WARPS * LANES], *out_d, *next_d;
    unsigned long long clocks[2 * MOST_WARPS], *clocks_d;
    unsigned *next = (unsigned *)Allocate(words * sizeof *next);

    for (int i = 0; i < words; i++)
        next[i] = i + threads;
    CHECK(cudaMalloc(&next_d, words * sizeof *next));
    CHECK(cudaMalloc(&out_d, sizeof out));
    CHECK(cudaMalloc(&clocks_d, sizeof clocks));
    CHECK(cudaMemcpy(next_d, next, words * sizeof *next, cudaMemcpyHostToDevice));

    KERNEL<<<1, threads>>>(next_d, out_d, clocks_d, rounds, steps);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, out_d, 2 * threads * sizeof *out, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(clocks, clocks_d, 2 * warps * sizeof *clocks, cudaMemcpyDeviceToHost));

    bool right = Is_right(out, threads, rounds, steps);
    double each = Clocks_a_round(clocks, warps, rounds);
    printf("%5d %16.1f %20.2f  %s\n", warps, each, each / warps, right ? "right" : "WRONG");
    CHECK(cudaFree(next_d));
    CHECK(cudaFree(out_d));
    CHECK(cudaFree(clocks_d));
    free(next);
    return right;
}

/* Arguments: rounds, and steps in each.  While more warps cost no more clocks, waits are hidden. */
int main(int argc, char *argv[])
{
    int rounds = (int)Argument(argc, argv, 1, 1000);
    int steps = (int)Argument(argc, argv, 2, 8);
    bool right = true;

    if (rounds < 1 || rounds > 100000 || steps < 1 || steps > 4096) {
        fprintf(stderr, "rounds are 1 to 100000, steps 1 to 4096\n");
        return EXIT_FAILURE;
    }
    printf("warps   clocks a round   for a round of one\n");
    for (int warps = 1; warps <= MOST_WARPS; warps *= 2)
        right = Run(warps, rounds, steps) && right;
    return right ? 0 : EXIT_FAILURE;
}
