/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first forms of functions of the driver. cuda.h leads to later ones, but a program that looks
 * for a function by its name may find these. The first forms that have addresses of 32 bits are
 * not served (driver-lacking.def).
 */
#include "run/client/driver.h"

typedef struct CUlinkState_st *CUlinkState;

#define FIRST(name, later, its_parameters, parameters, arguments)                                 \
    CUresult later its_parameters;                                                                \
    API CUresult name parameters                                                                  \
    {                                                                                             \
        return later arguments;                                                                   \
    }
#define SAME(name, parameters, arguments)                                                         \
    FIRST(name, name##_v2, parameters, parameters, arguments)

SAME(cuCtxCreate, (CUcontext *out, unsigned flags, CUdevice d), (out, flags, d))
SAME(cuCtxDestroy, (CUcontext c), (c))
SAME(cuCtxPushCurrent, (CUcontext c), (c))
SAME(cuCtxPopCurrent, (CUcontext *out), (out))
SAME(cuDevicePrimaryCtxRelease, (CUdevice d), (d))
SAME(cuDevicePrimaryCtxReset, (CUdevice d), (d))
SAME(cuDevicePrimaryCtxSetFlags, (CUdevice d, unsigned flags), (d, flags))
SAME(cuStreamDestroy, (CUstream s), (s))
SAME(cuEventDestroy, (CUevent e), (e))
SAME(cuMemHostRegister, (void *at, size_t n, unsigned flags), (at, n, flags))
SAME(cuLinkCreate, (unsigned n, const int *options, void **values, CUlinkState *out),
     (n, options, values, out))
SAME(cuLinkAddData, (CUlinkState s, int kind, const void *image, size_t bytes, const char *name,
                     unsigned n, const int *options, void **values),
     (s, kind, image, bytes, name, n, options, values))
SAME(cuLinkAddFile, (CUlinkState s, int kind, const char *path, unsigned n, const int *options,
                     void **values),
     (s, kind, path, n, options, values))
/* Without a mode a capture is of the mode that forbids most. */
FIRST(cuStreamBeginCapture, cuStreamBeginCapture_v2,
      (CUstream s, enum cudaStreamCaptureMode mode), (CUstream s),
      (s, cudaStreamCaptureModeGlobal))
FIRST(cuStreamBeginCapture_ptsz, cuStreamBeginCapture_v2_ptsz,
      (CUstream s, int mode), (CUstream s),
      (s, cudaStreamCaptureModeGlobal))
