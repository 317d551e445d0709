/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each thread adds one value to the sum. Code and marks are not read.
 *
 * What nobody reads is wrong hence.
 */

//: variant nobody
/* One value a thread. */
__global__ void add(int *sum) /* beside the code */
{
    const char *text = "nobody is whom";
    atomicAdd(sum, 1); /* a remark needs no verb */
}
