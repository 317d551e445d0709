// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array tickets i32 1 zero; launch sell<<<1, 64>>>(tickets) --check race:strict
//@ kind race-global
//@ cure atomic
//@ says atomicAdd
// all threads read 0, wait for each other, and all store 1
__global__ void sell(int *tickets)
{
#ifdef CURED
    atomicAdd(tickets, 1);
#else
    int sold = *tickets;
    __syncthreads();
    *tickets = sold + 1;
#endif
}
