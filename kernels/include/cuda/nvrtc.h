/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for NVRTC's header: what host code needs to be read. */
#ifndef CUDALAB_NVRTC_H
#define CUDALAB_NVRTC_H
#ifndef __CUDACC_RTC__
#include "cudalab_host_calls.h"

enum nvrtcResult {
    NVRTC_SUCCESS, NVRTC_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_PROGRAM_CREATION_FAILURE,
    NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM, NVRTC_ERROR_INVALID_OPTION,
    NVRTC_ERROR_COMPILATION
};
typedef struct _nvrtcProgram *nvrtcProgram;
#define CUDALAB_NVRTC(name) CUDALAB_CALL_HEADER(nvrtcResult, nvrtc##name, "nvrtc.h")
CUDALAB_NVRTC(Version) CUDALAB_NVRTC(CreateProgram) CUDALAB_NVRTC(DestroyProgram)
CUDALAB_NVRTC(CompileProgram) CUDALAB_NVRTC(GetPTXSize) CUDALAB_NVRTC(GetPTX)
CUDALAB_NVRTC(GetCUBINSize) CUDALAB_NVRTC(GetCUBIN) CUDALAB_NVRTC(GetProgramLogSize)
CUDALAB_NVRTC(GetProgramLog) CUDALAB_NVRTC(AddNameExpression) CUDALAB_NVRTC(GetLoweredName)
CUDALAB_CALL_HEADER(const char *, nvrtcGetErrorString, "nvrtc.h")

#endif
#endif
