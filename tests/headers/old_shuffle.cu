/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: __shfl_down */
__global__ void k(int *p) { p[0] = __shfl_down(p[0], 1); }
