/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for the CUDA Toolkit's header: all that it says is known before any file begins. */
#ifndef CUDALAB_DRIVER_TYPES_H
#define CUDALAB_DRIVER_TYPES_H
#ifndef __CUDACC_RTC__
#include "cuda_runtime_api.h"
#endif
#endif
