/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of pi.cu with the generator MRG32k3a of cuRAND.
 */
#define GENERATOR curandStateMRG32k3a_t
#include "pi.cu"
