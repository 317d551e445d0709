/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of barrier.cu's programs (source/code-host.h): a launch, and beside each number that
 * a thread took the one that it should have taken.
 */

//: used by block sides fullmask
/* Number k goes to the thread that is k from the end of the block. */
static int Wanted(int i, int threads)
{
    return threads - i;
}
//: used by outside branch return
/* Number k goes to the thread that is k from the end of those below who; the rest takes none. */
static int Wanted(int i, int who)
{
    return i < who ? who - i : 0;
}
//: used by later
/* What was passed on once goes to all threads, also to those that are not below who. */
static int Wanted(int i, int who)
{
    return who - i % who;
}
//: used by named tiles miscount
/* Number k goes to the thread that is k from the end of its group. */
static int Wanted(int i, int group)
{
    int first = i / group * group;
    return first + group - (i - first);
}
//: used by flag grid gridstride two-launches
/* Number k goes to the thread that is k from the end of the grid. */
static int Wanted(int i, int all)
{
    return all - i;
}
//: used by all

//: used by block
/* Argument: threads in the block. */
//: used by sides outside branch return later
/* Arguments: threads in the block, and how many of them take the branch. */
//: used by named tiles miscount
/* Arguments: threads in the block, and in a group. */
//: used by fullmask
/* Arguments: threads in the block, and lanes of a warp that come to __syncwarp(). */
//: used by flag grid gridstride two-launches
/* Arguments: threads in a block, blocks. */
//: used by all
int main(int argc, char *argv[])
{
//: used by block sides outside branch return later tiles fullmask
    int threads = (int)Argument(argc, argv, 1, 64), blocks = 1;
//: used by named miscount
    int threads = (int)Argument(argc, argv, 1, 128), blocks = 1;
//: used by flag grid gridstride two-launches
    int threads = (int)Argument(argc, argv, 1, 256);
    int blocks = (int)Argument(argc, argv, 2, 8);
//: used by sides outside branch return later
    int who = (int)Argument(argc, argv, 2, 40);
//: used by named miscount
    int group = (int)Argument(argc, argv, 2, 64);
//: used by tiles fullmask
    int group = (int)Argument(argc, argv, 2, 16);
//: used by all
    if (threads < 1 || threads > 1024 || blocks < 1 || blocks > 100000) {
        fprintf(stderr, "a block has 1 to 1024 threads, and there are 1 to 100,000 blocks\n");
        return EXIT_FAILURE;
    }
//: used by sides outside branch return later
    if (who < 1 || who > threads) {
        fprintf(stderr, "1 to %d threads take the branch\n", threads);
        return EXIT_FAILURE;
    }
//: used by named miscount
    if (group < 32 || group % 32 != 0 || threads % group != 0 || threads / group > 15) {
        fprintf(stderr, "a block has 1 to 15 groups of whole warps\n");
        return EXIT_FAILURE;
    }
//: used by tiles
    if (group < 1 || group > 32 || (group & (group - 1)) != 0 || threads % group != 0) {
        fprintf(stderr, "groups are of 1, 2, 4, 8, 16 or 32 lanes, and the block has whole ones\n");
        return EXIT_FAILURE;
    }
//: used by fullmask
    if (group < 1 || group > 31) {
        fprintf(stderr, "1 to 31 lanes of a warp\n");
        return EXIT_FAILURE;
    }
//: used by grid gridstride

    /* All blocks of a cooperative launch run at once: how many are that here? */
    int device, multiprocessors, per_sm;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, KERNEL, threads, 0));
    if (blocks > per_sm * multiprocessors) {
        fprintf(stderr, "at most %d blocks of %d threads run at once here\n",
                per_sm * multiprocessors, threads);
        return EXIT_FAILURE;
    }
//: used by all

//: used by all but gridstride
    int all = blocks * threads;
//: used by gridstride
    int all = 10 * blocks * threads + 1;   /* more numbers than threads */
//: used by all
    size_t bytes = all * sizeof(int);
    int *found = (int *)Allocate(bytes), *found_d;
    CHECK(cudaMalloc(&found_d, bytes));
    CHECK(cudaMemset(found_d, 0, bytes));

//: used by block
    KERNEL<<<blocks, threads>>>(found_d);
//: used by sides outside branch return later
    KERNEL<<<blocks, threads>>>(who, found_d);
//: used by named tiles miscount fullmask
    KERNEL<<<blocks, threads>>>(group, found_d);
//: used by flag grid gridstride two-launches
    int *left_d;
    CHECK(cudaMalloc(&left_d, bytes));
//: used by flag
    int *count_d;
    CHECK(cudaMalloc(&count_d, sizeof *count_d));
    CHECK(cudaMemset(count_d, 0, sizeof *count_d));

    /* Nothing promises that all blocks run at once: with too many this never ends. */
    KERNEL<<<blocks, threads>>>(left_d, count_d, found_d);
//: used by grid
    void *arguments[] = {&left_d, &found_d};
    CHECK(cudaLaunchCooperativeKernel((void *)KERNEL, dim3(blocks), dim3(threads), arguments,
                                      0, 0));
//: used by gridstride
    void *arguments[] = {&all, &left_d, &found_d};
    CHECK(cudaLaunchCooperativeKernel((void *)KERNEL, dim3(blocks), dim3(threads), arguments,
                                      0, 0));
//: used by two-launches
    KERNEL<<<blocks, threads>>>(left_d);
    CHECK(cudaGetLastError());
    barrier_take<<<blocks, threads>>>(left_d, found_d);   /* starts when all of those have ended */
//: used by all
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(found, found_d, bytes, cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int i = 0; i < all; i++)
//: used by block fullmask sides
        wrong += found[i] != Wanted(i, threads);
//: used by outside branch return later
        wrong += found[i] != Wanted(i, who);
//: used by named tiles miscount
        wrong += found[i] != Wanted(i, group);
//: used by flag grid gridstride two-launches
        wrong += found[i] != Wanted(i, all);
//: used by all
    printf("%d blocks of %d threads: %d of %d took what they should: %s\n", blocks, threads,
           all - wrong, all, wrong ? "WRONG" : "right");

//: used by flag
    CHECK(cudaFree(count_d));
//: used by flag grid gridstride two-launches
    CHECK(cudaFree(left_d));
//: used by all
    CHECK(cudaFree(found_d));
    free(found);
    return wrong ? EXIT_FAILURE : 0;
}
