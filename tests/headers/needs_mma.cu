/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: is a part of the CUDA Toolkit */
#include <mma.h>
__global__ void k(int *p) { p[0] = 1; }
