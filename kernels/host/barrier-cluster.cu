/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of barrier-cluster.cu's programs (source/code-host.h): a plain launch, whose blocks
 * are whole clusters, and beside each number the one that should have been taken.
 */

//: nvcc -arch=sm_90
/* Number k goes to the thread that is k from the end of its cluster. */
static int Wanted(int i, int together)
{
    return together - i % together;
}

/* Arguments: threads in a block, blocks. */
int main(int argc, char *argv[])
{
    int threads = (int)Argument(argc, argv, 1, 64), blocks = (int)Argument(argc, argv, 2, 8);
    int all = blocks * threads;
    size_t bytes = all * sizeof(int);
    int *found = (int *)Allocate(bytes), *found_d;

    if (threads < 1 || threads > 1024 || blocks < 1 || blocks > 10000 || blocks % CLUSTER != 0) {
        fprintf(stderr, "a block has 1 to 1024 threads, and blocks are a multiple of %d\n",
                CLUSTER);
        return EXIT_FAILURE;
    }
    CHECK(cudaMalloc(&found_d, bytes));
    CHECK(cudaMemset(found_d, 0, bytes));

    /* The kernel itself says how large its clusters are. */
    KERNEL<<<blocks, threads>>>(found_d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(found, found_d, bytes, cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int i = 0; i < all; i++)
        wrong += found[i] != Wanted(i, CLUSTER * threads);
    printf("%d blocks of %d threads: %d of %d took what they should: %s\n", blocks, threads,
           all - wrong, all, wrong ? "WRONG" : "right");
    CHECK(cudaFree(found_d));
    free(found);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
