/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statuses of a library are told apart from errors of the runtime by what is added to them.
 */
#ifndef RUN_LIBRARIES_NUMBERS_H
#define RUN_LIBRARIES_NUMBERS_H

enum { CUBLAS_STATUSES = 0x10000, CURAND_STATUSES = 0x20000 };

#endif
