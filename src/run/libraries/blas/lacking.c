/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of cuBLAS that are not served. The end of the run names those that the program called.
 */
#include "run/libraries/blas/handle.h"

#define LACKING(name)                                                                          \
    API int name(void)                                                                         \
    {                                                                                          \
        cudalab_lacking(#name);                                                                \
        return blas_status(#name, NOT_SUPPORTED);                                              \
    }
#include "run/libraries/blas/lacking.def"
#undef LACKING
