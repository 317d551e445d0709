/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of shfl-trace.cu's programs (source/code-host.h): one warp, all lanes of which take
 * part, and the rule in plain C beside what they got.
 */

//: used by down
/* Whom a lane reads: at the end of its group, itself. */
static int Source(int lane, int delta, int width)
{
    return lane % width + delta < width ? lane + delta : lane;
}
//: used by up
/* Whom a lane reads: at the start of its group, itself. */
static int Source(int lane, int delta, int width)
{
    return lane % width >= delta ? lane - delta : lane;
}
//: used by xor
/* Whom a lane reads: itself, where that would be in a group further on. */
static int Source(int lane, int delta, int width)
{
    int other = lane ^ delta;
    return other / width <= lane / width ? other : lane;
}
//: used by idx
/* Whom a lane reads: the same one of its group for all. */
static int Source(int lane, int delta, int width)
{
    return lane / width * width + delta % width;
}
//: used by all

/* Arguments: delta, width. */
int main(int argc, char *argv[])
{
    enum { LANES = 32 };
    int delta = (int)Argument(argc, argv, 1, 1);
    int width = (int)Argument(argc, argv, 2, LANES);
    int before[LANES], after[LANES], wrong = 0;

    if (delta < 0 || delta >= LANES || width < 2 || width > LANES || (width & (width - 1)) != 0) {
        fprintf(stderr, "delta is 0 to 31, width 2, 4, 8, 16 or 32\n");
        return EXIT_FAILURE;
    }
    for (int lane = 0; lane < LANES; lane++)
        before[lane] = 100 + lane;

    int *before_d, *after_d;
    CHECK(cudaMalloc(&before_d, sizeof before));
    CHECK(cudaMalloc(&after_d, sizeof after));
    CHECK(cudaMemcpy(before_d, before, sizeof before, cudaMemcpyHostToDevice));

    KERNEL<<<1, LANES>>>(before_d, after_d, delta, width, 0xffffffffu, 0xffffffffu);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(after, after_d, sizeof after, cudaMemcpyDeviceToHost));

    for (int lane = 0; lane < LANES; lane++) {
        int wanted = before[Source(lane, delta, width)];
        printf("lane %2d had %d, got %d%s\n", lane, before[lane], after[lane],
               after[lane] == wanted ? "" : ", WRONG");
        wrong += after[lane] != wanted;
    }
    CHECK(cudaFree(before_d));
    CHECK(cudaFree(after_d));
    return wrong ? EXIT_FAILURE : 0;
}
