/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library that a student's program has in place of NVIDIA's runtime, libcudart. It knows
 * nothing of devices. A function of CUDA puts its arguments into a request (run/wire.h), and
 * cudalab answers it.
 *
 * This library is in somebody else's process. It has the state that the runtime has there: what is
 * registered, and the last error of each thread.
 */
#ifndef RUN_CLIENT_H
#define RUN_CLIENT_H

#include "run/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cudalab_runtime_types.h"

/* A function that programs call. */
#define API __attribute__((visibility("default")))

struct dim3 { unsigned x, y, z; };
typedef struct dim3 dim3;

/* Sends a request with its bytes, and does what cudalab asks meanwhile. The answer's bytes go to
 * `reply`, at most `room`. Returns the status; the numbers of the answer are in *m. */
cudaError_t run_ask(struct run_message *m, const void *bytes, size_t n, void *reply, size_t room);
/* The same for a call of the program: its error is the thread's last error. */
cudaError_t run_call(const char *name, struct run_message *m);
cudaError_t run_call_with(const char *name, struct run_message *m, const void *bytes, size_t n,
                          void *reply, size_t room);
/* A call that needs no device has failed. Returns the error. */
cudaError_t run_failed(const char *name, cudaError_t error);
/* A call that is not served. NVRTC has an error of its own for it. */
enum { NVRTC_LACKING = 11 };
cudaError_t run_lacking(const char *name);

/* A request, with its first numbers: REQUEST(LAUNCH, a, b). */
#define REQUEST(kind, ...) ((struct run_message){.what = RUN_##kind, .number = {__VA_ARGS__}})
#define CALL(kind, ...) run_call(__func__, &REQUEST(kind, __VA_ARGS__))

static inline uint64_t number_of(const void *p) { return (uint64_t)(uintptr_t)p; }
static inline void *pointer_of(uint64_t n) { return (void *)(uintptr_t)n; }

/* The function that stands for the kernel, while it is launched: its callers are the program's. */
extern __thread const void *run_launching;

/* registered.c: the kernel that a function of the host stands for. Not 0: an error. */
struct called_kernel {
    uint64_t number;
    unsigned params, bytes;
    uint32_t (*at)[2]; /* the offset and the size of each parameter */
};
cudaError_t run_kernel_of(const void *function, struct called_kernel **);
/* The variable of the device that a variable of the host stands for. */
cudaError_t run_variable_of(const void *symbol, uint64_t *address, uint64_t *size);
/* errors.c: the program has asked what this error is. */
void run_looked_at(cudaError_t);
/* Is this thread in a function that cudalab had called? */
bool run_is_inside(void);
/* driver-context.c: a function of the runtime was called, which makes the primary context current.
 * driver-errors.c: what the driver returns where the runtime returns this error. */
void run_runtime_is_here(void);
int run_driver_result(cudaError_t);
/* touched.c: the memory that host and kernels share was mapped. */
void run_watch_memory(void);

#endif
