/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies by one thread, as functions without a pipeline object: see cudalab_copy.h. */
#ifndef CUDALAB_CUDA_PIPELINE_H
#define CUDALAB_CUDA_PIPELINE_H

#include "cudalab_copy.h"

/* `zeros` bytes at the end become 0. */
CUDALAB_FN void __pipeline_memcpy_async(void *to, const void *from, size_t n, size_t zeros = 0)
{
    cudalab_copy(cudalab_alone(), to, from, n - zeros);
    for (size_t i = n - zeros; i < n; i++)
        ((char *)to)[i] = 0;
}
CUDALAB_FN void __pipeline_commit(void) {}
CUDALAB_FN void __pipeline_wait_prior(size_t) {}

#endif
