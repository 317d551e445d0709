/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of the device, read inside a kernel by one thread from PTX's special registers.
 * out[0..6] are the warp size, the SM and warp slots, where this thread runs, and the block's
 * bytes of shared memory.
 */

//: variant device_says
extern "C" __global__ void device_says(unsigned *out)
{
    unsigned sms, sm, warp_slots, warp_slot, lane, shared_bytes;

    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(sms));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warp_slots));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp_slot));
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(shared_bytes));

    if (threadIdx.x == 0) {
        out[0] = warpSize;
        out[1] = sms;
        out[2] = sm;
        out[3] = warp_slots;
        out[4] = warp_slot;
        out[5] = lane;
        out[6] = shared_bytes;
    }
}
