/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: no known conversion from 'const float \*' to .*cudalab_memory */
#include <mma.h>
__global__ void k(const float *p)
{
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> a;
    nvcuda::wmma::load_matrix_sync(a, p, 16);
}
