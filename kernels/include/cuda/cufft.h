/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for cuFFT's header: its numbers, which kernels take too, and what host code calls. */
#ifndef CUDALAB_CUFFT_H
#define CUDALAB_CUFFT_H
#define _CUFFT_H_ /* headers of helpers ask for it */

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;

#ifndef __CUDACC_RTC__
#include "cudalab_host_calls.h"
#include "library_types.h"

#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1
enum cufftResult_t {
    CUFFT_SUCCESS, CUFFT_INVALID_PLAN, CUFFT_ALLOC_FAILED, CUFFT_INVALID_TYPE, CUFFT_INVALID_VALUE,
    CUFFT_INTERNAL_ERROR, CUFFT_EXEC_FAILED, CUFFT_SETUP_FAILED, CUFFT_INVALID_SIZE,
    CUFFT_UNALIGNED_DATA, CUFFT_INVALID_DEVICE = 11, CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_IMPLEMENTED = 14, CUFFT_NOT_SUPPORTED = 16
};
typedef enum cufftResult_t cufftResult, cufftResult_t;
enum cufftType_t {
    CUFFT_C2C = 0x29, CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_Z2Z = 0x69, CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c
};
typedef enum cufftType_t cufftType, cufftType_t;
typedef int cufftHandle;

#define CUDALAB_CUFFT(name) CUDALAB_CALL(cufftResult, cufft##name)
CUDALAB_CUFFT(Create) CUDALAB_CUFFT(Destroy) CUDALAB_CUFFT(Plan1d) CUDALAB_CUFFT(Plan2d)
CUDALAB_CUFFT(Plan3d) CUDALAB_CUFFT(PlanMany) CUDALAB_CUFFT(MakePlan1d)
CUDALAB_CUFFT(MakePlan2d) CUDALAB_CUFFT(MakePlan3d) CUDALAB_CUFFT(MakePlanMany)
CUDALAB_CUFFT(ExecC2C) CUDALAB_CUFFT(ExecR2C) CUDALAB_CUFFT(ExecC2R) CUDALAB_CUFFT(ExecZ2Z)
CUDALAB_CUFFT(ExecD2Z) CUDALAB_CUFFT(ExecZ2D) CUDALAB_CUFFT(SetStream)
CUDALAB_CUFFT(SetWorkArea) CUDALAB_CUFFT(SetAutoAllocation) CUDALAB_CUFFT(GetSize)
CUDALAB_CUFFT(GetSize1d) CUDALAB_CUFFT(GetSize2d) CUDALAB_CUFFT(GetSizeMany)
CUDALAB_CUFFT(Estimate1d) CUDALAB_CUFFT(Estimate2d) CUDALAB_CUFFT(GetVersion)

#endif
#endif
