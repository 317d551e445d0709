/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for cuSOLVER's header of dense matrices: what host code needs to be read. */
#ifndef CUDALAB_CUSOLVER_H
#define CUDALAB_CUSOLVER_H
#define CUSOLVERDN_H_ /* headers of helpers ask for it */
#define CUSOLVER_COMMON_H_
#ifndef __CUDACC_RTC__
#include "cublas_v2.h"

enum cusolverStatus_t {
    CUSOLVER_STATUS_SUCCESS, CUSOLVER_STATUS_NOT_INITIALIZED, CUSOLVER_STATUS_ALLOC_FAILED,
    CUSOLVER_STATUS_INVALID_VALUE, CUSOLVER_STATUS_ARCH_MISMATCH, CUSOLVER_STATUS_MAPPING_ERROR,
    CUSOLVER_STATUS_EXECUTION_FAILED, CUSOLVER_STATUS_INTERNAL_ERROR,
    CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED, CUSOLVER_STATUS_NOT_SUPPORTED,
    CUSOLVER_STATUS_ZERO_PIVOT, CUSOLVER_STATUS_INVALID_LICENSE
};
enum cusolverEigMode_t { CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR };
typedef struct cusolverDnContext *cusolverDnHandle_t;

#define CUDALAB_CUSOLVER(name) CUDALAB_CALL(cusolverStatus_t, cusolverDn##name)
#define CUDALAB_CUSOLVER_STEP(name)                                                            \
    CUDALAB_CUSOLVER(S##name) CUDALAB_CUSOLVER(D##name) CUDALAB_CUSOLVER(C##name)              \
    CUDALAB_CUSOLVER(Z##name)
#define CUDALAB_CUSOLVER_ALL(name)                                                             \
    CUDALAB_CUSOLVER_STEP(name) CUDALAB_CUSOLVER_STEP(name##_bufferSize)
CUDALAB_CUSOLVER(Create) CUDALAB_CUSOLVER(Destroy) CUDALAB_CUSOLVER(SetStream)
CUDALAB_CUSOLVER_ALL(potrf) CUDALAB_CUSOLVER_ALL(getrf) CUDALAB_CUSOLVER_ALL(geqrf)
CUDALAB_CUSOLVER_ALL(gesvd) CUDALAB_CUSOLVER_ALL(ormqr) CUDALAB_CUSOLVER_ALL(orgqr)
CUDALAB_CUSOLVER_ALL(syevd) CUDALAB_CUSOLVER_ALL(syevj) CUDALAB_CUSOLVER_STEP(potrs)
CUDALAB_CUSOLVER_STEP(getrs)

#endif
#endif
