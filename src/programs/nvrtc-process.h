/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The other half of cudalab that opens NVRTC. main.c calls it when the first argument is its
 * option.
 */
#ifndef PROGRAMS_NVRTC_PROCESS_H
#define PROGRAMS_NVRTC_PROCESS_H

extern const char nvrtc_process_option[];

/* Its exit status. */
enum { NVRTC_SERVED, NVRTC_REFUSED, NVRTC_BROKEN, NVRTC_OUT_OF_MEMORY };
int nvrtc_process(void);

#endif
