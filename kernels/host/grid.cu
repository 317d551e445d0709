/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of grid.cu's program (source/code-host.h): every thread's index, and how many
 * threads each element has, beside the same in plain C.
 */

/* The formula of grid_index in plain C: who changes one changes both. */
static int Index_of(int block, int thread, int threads)
{
    return block * threads + thread;
}

/* Each thread's index, one line a block; of a large grid that would be much. */
static void Print_indices(const int *index, int blocks, int threads)
{
    for (int block = 0; block < blocks && blocks * threads <= 400; block++) {
        printf("block %d:", block);
        for (int thread = 0; thread < threads; thread++)
            printf(" %d", index[block * threads + thread]);
        printf("\n");
    }
}

/* Arguments: blocks, threads in each, n. */
int main(int argc, char *argv[])
{
    enum { MOST = 1 << 20 };
    int blocks = (int)Argument(argc, argv, 1, 4);
    int threads = (int)Argument(argc, argv, 2, 5);

    if (threads < 1 || threads > 1024 || blocks < 1 || blocks > MOST / threads) {
        fprintf(stderr, "a block has 1 to 1024 threads, all together at most %d here\n", MOST);
        return EXIT_FAILURE;
    }
    int all = blocks * threads;
    int n = (int)Argument(argc, argv, 3, all);
    if (n < 1 || n > MOST) {
        fprintf(stderr, "n is 1 to %d here\n", MOST);
        return EXIT_FAILURE;
    }

    int *index = (int *)Allocate(all * sizeof(int)), *index_d;
    unsigned *hits = (unsigned *)Allocate(n * sizeof(unsigned)), *hits_d;
    unsigned *wanted = (unsigned *)Allocate(n * sizeof(unsigned));
    CHECK(cudaMalloc(&index_d, all * sizeof(int)));
    CHECK(cudaMalloc(&hits_d, n * sizeof(unsigned)));
    CHECK(cudaMemset(hits_d, 0, n * sizeof(unsigned)));   /* the threads only add */

    KERNEL<<<blocks, threads>>>(index_d, hits_d, n);
    CHECK(cudaGetLastError());   /* was it a grid that can be? */
    CHECK(cudaMemcpy(index, index_d, all * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(hits, hits_d, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(index_d));
    CHECK(cudaFree(hits_d));

    int wrong = 0, idle = 0, never = 0, shared = 0;
    for (int i = 0; i < n; i++)
        wanted[i] = 0;
    for (int t = 0; t < all; t++) {
        int i = Index_of(t / threads, t % threads, threads);
        wrong += index[t] != i;
        if (0 <= i && i < n)
            wanted[i]++;
        else
            idle++;
    }
    for (int i = 0; i < n; i++) {
        wrong += hits[i] != wanted[i];
        never += hits[i] == 0;
        shared += hits[i] > 1;
    }
    Print_indices(index, blocks, threads);
    printf("%d threads, n = %d: %d idle; %d elements without a thread, %d with several; %s\n", all,
           n, idle, never, shared, wrong ? "NOT as in plain C" : "as in plain C");
    free(index);
    free(hits);
    free(wanted);
    return wrong ? EXIT_FAILURE : 0;
}
