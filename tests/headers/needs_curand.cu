/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: no matching function for call to 'curand_poisson4' */
#include <curand_kernel.h>
__global__ void k(curandState *s, uint4 *p) { p[0] = curand_poisson4(s, 3.0); }
