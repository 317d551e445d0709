/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of a program whose threads have default streams of their own. They are the usual
 * functions; cudalab is told, with each request, which default stream is meant.
 */
#include "run/client/client.h"

#define PER_THREAD(name, suffix, parameters, arguments)                                           \
    cudaError_t name parameters;                                                                  \
    API cudaError_t name##_##suffix parameters                                                    \
    {                                                                                             \
        run_per_thread = true;                                                                    \
        cudaError_t error = name arguments;                                                       \
        run_per_thread = false;                                                                   \
        return error;                                                                             \
    }
#include "run/client/per-thread.def"
