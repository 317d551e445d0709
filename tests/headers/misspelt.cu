/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: undeclared identifier .threadIndex. */
__global__ void k(int *p) { p[threadIndex.x] = 1; }
