/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver API, cu...(): what programs call that load their own kernels. It is served by the same
 * requests as the runtime, and both share one device, its memory and its streams. Names, values and
 * the layout of structs are those of CUDA 13.
 */
#ifndef RUN_DRIVER_H
#define RUN_DRIVER_H

#include "run/client/client.h"

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

enum driver_error {
#define DRIVER_ERROR(number, name) name = number,
#include "run/client/driver-errors.def"
#undef DRIVER_ERROR
};

/* A kernel of a module. A kernel of a library, CUkernel, is the same. Where the runtime gave the
 * handle, it is the function of the host that stands for the kernel. */
struct CUfunc_st {
    CUmodule module;
    char *name;
    struct called_kernel called;
    struct CUfunc_st *next; /* of all modules */
};

/* ---- driver-errors.c -------------------------------------------------------------------- */

/* A request for a function of the driver. It needs a current context. */
CUresult run_driver_with(const char *name, struct run_message *, const void *bytes, size_t n,
                         void *reply, size_t room);
CUresult run_driver(const char *name, struct run_message *);
/* A call that needs no device has failed. Returns the error. */
CUresult run_driver_failed(const char *name, CUresult);
CUresult run_driver_lacking(const char *name);
#define DRIVE(kind, ...) run_driver(__func__, &REQUEST(kind, __VA_ARGS__))

/* ---- driver-context.c ------------------------------------------------------------------- */

/* Has cuInit() been called, and is there a current context? */
CUresult run_driver_ready(void);
bool run_driver_is_begun(void);
CUcontext run_driver_context(void); /* NULL: none is current */

/* ---- driver-modules.c ------------------------------------------------------------------- */

/* JIT options that a program gives: buffers for what is said of its PTX. */
struct jit_options { unsigned count; const int *options; void **values; };
/* The number of the kernel in requests. NULL: it is none. */
const struct called_kernel *run_driver_kernel(CUfunction);
CUresult run_driver_load(const char *name, CUmodule *, const char *path, const void *image,
                         size_t bytes, struct jit_options);
/* All bytes of a file, and a NUL behind them. */
CUresult run_driver_read(const char *path, char **out, size_t *n);
/* What the last image left: why it was refused. Puts it where the options say. */
void run_driver_log(struct jit_options, size_t n);
/* The bytes of PTX, of a fat binary, or of a cubin. */
size_t run_driver_image_bytes(const void *image);

/* ---- driver-arrays.c -------------------------------------------------------------------- */

/* CUDA_MEMCPY3D. x and the width are bytes. */
enum driver_place { DRIVER_HOST = 1, DRIVER_DEVICE, DRIVER_ARRAY, DRIVER_UNIFIED };
struct driver_side {
    size_t x, y, z, level;
    int type; /* enum driver_place */
    void *host;
    CUdeviceptr device;
    cudaArray_t array;
    void *reserved;
    size_t pitch, height;
};
struct driver_copy { struct driver_side from, to; size_t width, height, depth; };
/* The same copy as the runtime has it. False: there is no such copy. */
bool run_driver_copy(const struct driver_copy *, struct cudaMemcpy3DParms *);

/* ---- of the runtime --------------------------------------------------------------------- */

cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaFuncGetName(const char **out, const void *function);
cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);

#endif
