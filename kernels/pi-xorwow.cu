/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of pi.cu with XORWOW, the default generator of cuRAND.
 */
#define GENERATOR curandStateXORWOW_t
#include "pi.cu"
