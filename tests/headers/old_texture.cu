/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: texture */
texture<float, 1> t;
__global__ void k(float *p) { p[0] = tex1Dfetch(t, 0); }
