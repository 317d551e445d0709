/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that works with the GPU.
 */
#ifndef DEV_GPU_PROCESS_H
#define DEV_GPU_PROCESS_H

/* argv[1] of such a process; after it the numbers of its socket, the mirror, the ring; the card. */
extern const char gpu_process_option[];
int gpu_process(int argc, char **argv); /* what main() returns */

#endif
