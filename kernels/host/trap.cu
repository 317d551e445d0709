/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of trap.cu's programs (source/code-host.h): start value, h, and the product at the
 * end.  What the wrong ones leave to the kernel, or forget, their parts leave out here too.
 */

/* The same rule on the host, in double. */
static double Serial_trap(double a, double b, int n)
{
    double h = (b - a) / n;
    double sum = 0.5 * ((a * a + 1.0) + (b * b + 1.0));

    for (int i = 1; i < n; i++) {
        double x = a + i * h;
        sum += x * x + 1.0;
    }
    return h * sum;
}

//: used by all but gridstride
/* Arguments: n, threads in a block, a, b. */
//: used by gridstride
/* Arguments: n, threads in a block, a, b, blocks. */
//: used by all
int main(int argc, char *argv[])
{
//: used by all but race private init-race norange noscale partial lockstep zerofill nobarrier reuse
    int n = (int)Argument(argc, argv, 1, 1 << 20);
//: used by race private init-race norange noscale partial lockstep zerofill nobarrier reuse
    int n = (int)Argument(argc, argv, 1, 1000);
//: used by all but block-1024 partial
    int threads = (int)Argument(argc, argv, 2, 256);
//: used by block-1024
    int threads = (int)Argument(argc, argv, 2, 1024);
//: used by partial
    int threads = (int)Argument(argc, argv, 2, 40);
//: used by all
    float a = (float)Argument(argc, argv, 3, -3.0);
    float b = (float)Argument(argc, argv, 4, 3.0);
//: used by gridstride
    int blocks = (int)Argument(argc, argv, 5, 256);
//: used by all
    if (n < 1 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is at least 1, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
//: used by shuffle shared block-1024 noscale lockstep
    if (threads % 32 != 0) {
        fprintf(stderr, "this kernel adds up whole warps: threads must be a multiple of 32\n");
        return EXIT_FAILURE;
    }
//: used by all but gridstride
    int blocks = (n - 1) / threads + 1;   /* a thread for each i */
//: used by all but private
    float h = (b - a) / n;
//: used by private
    float h = 0.0f;                       /* WRONG: it is left to thread 0 */
//: used by all but init-race
    float trap = 0.5f * ((a * a + 1.0f) + (b * b + 1.0f));
//: used by init-race
    float trap = 0.0f;                    /* WRONG: the start value is left to thread 0 */
//: used by all

    float *trap_p;
    CHECK(cudaMalloc(&trap_p, sizeof *trap_p));
    CHECK(cudaMemcpy(trap_p, &trap, sizeof trap, cudaMemcpyHostToDevice));

    KERNEL<<<blocks, threads>>>(a, b, h, n, trap_p);
    CHECK(cudaGetLastError());   /* was it a grid that can be? */

    /* The copy waits for the kernel. */
    CHECK(cudaMemcpy(&trap, trap_p, sizeof trap, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(trap_p));

//: used by all but noscale private
    float area = trap * h;
//: used by noscale
    float area = trap;           /* WRONG: a sum of heights, which nobody multiplies by h */
//: used by private
    float area = trap;           /* WRONG: what thread 0 alone has added */
//: used by all
    double in_double = Serial_trap(a, b, n);
    double error = area - in_double;
    double size = in_double < 0 ? -in_double : in_double;
    bool right = error <= 1e-3 * size && -error <= 1e-3 * size;

    printf("%d blocks of %d threads: %.9g, in double %.15g: %s\n", blocks, threads, area,
           in_double, right ? "right" : "WRONG");
    return right ? 0 : EXIT_FAILURE;
}
