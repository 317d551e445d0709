/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for the driver API's header: what programs of the runtime API take from it. */
#ifndef CUDALAB_CUDA_H
#define CUDALAB_CUDA_H
#define CUDA_VERSION 13000
#ifndef __CUDACC_RTC__
#include "cuda_runtime_api.h"
#endif
#endif
