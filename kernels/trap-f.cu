/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of trap.cu with f as a function that is really called, trap_f. So cudalab can put
 * the student's expression in its place (trap -f EXPR) without a compiler.
 */
#define F_IS_CALLED
#include "trap.cu"
