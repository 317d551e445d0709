/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of hello.cu's programs (source/code-host.h): the launch returns at once, and the
 * lines come when the host waits.
 */

//: used by hello
/* Arguments: blocks, threads in each. */
int main(int argc, char *argv[])
{
    int blocks = (int)Argument(argc, argv, 1, 2);
    int threads = (int)Argument(argc, argv, 2, 4);

    KERNEL<<<blocks, threads>>>();
//: used by hello3d
/* Arguments: blocks in x, y and z, then threads in each, in x, y and z. */
int main(int argc, char *argv[])
{
    unsigned size[6], usual[6] = {2, 3, 1, 4, 2, 1};

    for (int i = 0; i < 6; i++)
        size[i] = (unsigned)Argument(argc, argv, i + 1, usual[i]);
    dim3 blocks(size[0], size[1], size[2]);
    dim3 threads(size[3], size[4], size[5]);

    KERNEL<<<blocks, threads>>>();
//: used by all
    CHECK(cudaGetLastError());        /* was it a grid that can be? */
    CHECK(cudaDeviceSynchronize());   /* wait for it, and print its lines */
    return 0;
}
