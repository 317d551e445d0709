/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: undefined template .*fragment<.*16, 16, 8, __half */
#include <mma.h>
__global__ void k()
{
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 8, half, nvcuda::wmma::row_major> a;
}
