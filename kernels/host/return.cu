/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of return.cu's programs (source/code-host.h): whose memory the sum is left in, and
 * how it gets from there into the host's variable.
 */

/* Arguments: the two numbers. */
int main(int argc, char *argv[])
{
    int x = (int)Argument(argc, argv, 1, 2);
    int y = (int)Argument(argc, argv, 2, 3);
    int got = -1;
//: used by copy

    int *sum_d;
    CHECK(cudaMalloc(&sum_d, sizeof *sum_d));
    KERNEL<<<1, 1>>>(x, y, sum_d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, sum_d, sizeof got, cudaMemcpyDeviceToHost));   /* waits for it */
    CHECK(cudaFree(sum_d));
//: used by managed

    int *sum_p;
    CHECK(cudaMallocManaged(&sum_p, sizeof *sum_p));
    KERNEL<<<1, 1>>>(x, y, sum_p);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());   /* nothing else waits */
    got = *sum_p;
    CHECK(cudaFree(sum_p));
//: used by global

    KERNEL<<<1, 1>>>(x, y);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyFromSymbol(&got, sum, sizeof got));   /* waits for it */
//: used by hostptr

    KERNEL<<<1, 1>>>(x, y, &got);   /* WRONG: an address on the host's stack */
    CHECK(cudaGetLastError());         /* which is fine by the launch */
    CHECK(cudaDeviceSynchronize());    /* here it comes out; unchecked, got is still -1 */
//: used by all

    printf("%d + %d = %d: %s\n", x, y, got, got == x + y ? "right" : "WRONG");
    return got == x + y ? 0 : EXIT_FAILURE;
}
