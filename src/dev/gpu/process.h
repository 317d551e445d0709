/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that works with the GPU, as main() starts it.
 */
#ifndef DEV_GPU_PROCESS_H
#define DEV_GPU_PROCESS_H

#include <stddef.h>

/* What to execute for it: this program, where its main() knows what to do; else NULL. */
extern const char *const gpu_program;

/* argv[1] of such a process; after it the numbers of its socket, the mirror, the ring; the card. */
extern const char gpu_process_option[];
int gpu_process(int argc, char **argv); /* what main() returns */

#endif
