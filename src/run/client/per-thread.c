/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of a program whose threads have default streams of their own. They are the usual
 * functions; cudalab is told, with each request, which default stream is meant.
 */
#include "run/client/driver.h"

#define OF_THREAD(type, name, suffix, parameters, arguments)                                      \
    type name parameters;                                                                         \
    API type name##_##suffix parameters                                                           \
    {                                                                                             \
        run_per_thread = true;                                                                    \
        type error = name arguments;                                                              \
        run_per_thread = false;                                                                   \
        return error;                                                                             \
    }
#define PER_THREAD(name, suffix, parameters, arguments)                                           \
    OF_THREAD(cudaError_t, name, suffix, parameters, arguments)
#include "run/client/per-thread.def"
#undef PER_THREAD

#define PER_THREAD(name, suffix, parameters, arguments)                                           \
    OF_THREAD(CUresult, name, suffix, parameters, arguments)
#include "run/client/driver-per-thread.def"
