/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: curandStateMtgp32 */
#include <curand_kernel.h>
__global__ void k(curandStateMtgp32 *s, float *p) { p[0] = curand_uniform(s); }
