/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: __ballot */
__global__ void k(int *p) { p[0] = __ballot(p[0]) + __any(p[1]); }
