/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: call to __host__ function */
int twice(int x) { return 2 * x; }
__global__ void k(int *p) { p[0] = twice(p[0]); }
