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

/* Sends a request with its bytes, and does what cudalab asks meanwhile. The answer's bytes go to
 * `reply`, at most `room`. Returns the status; the numbers of the answer are in *m. */
cudaError_t run_ask(struct run_message *m, const void *bytes, size_t n, void *reply, size_t room);
/* The same for a call of the program: its error is the thread's last error. */
cudaError_t run_call(const char *name, struct run_message *m);
cudaError_t run_call_with(const char *name, struct run_message *m, const void *bytes, size_t n,
                          void *reply, size_t room);
/* A call that makes something. *out gets the first number of the answer: its handle or address. */
cudaError_t run_make(const char *name, void **out, struct run_message m);
/* A call that needs no device has failed. Returns the error. */
cudaError_t run_failed(const char *name, cudaError_t error);
/* A call of a library has failed, with a status of its own. */
void run_failed_in_library(const char *name, int number);
/* A call that is not served. NVRTC has an error of its own for it. */
enum { NVRTC_LACKING = 11 };
void run_tell_lacking(const char *name);
cudaError_t run_lacking(const char *name);

/* A request, with its first numbers: REQUEST(LAUNCH, a, b). */
#define REQUEST(kind, ...) ((struct run_message){.what = RUN_##kind, .number = {__VA_ARGS__}})
#define CALL(kind, ...) run_call(__func__, &REQUEST(kind, __VA_ARGS__))

static inline uint64_t number_of(const void *p) { return (uint64_t)(uintptr_t)p; }
/* How many bytes rows and slices have. False: a size_t can't hold the number. */
static inline bool bytes_of_rows(size_t row, size_t rows, size_t slices, size_t *bytes)
{
    return !__builtin_mul_overflow(row, rows, bytes) &&
           !__builtin_mul_overflow(*bytes, slices, bytes);
}
static inline void *pointer_of(uint64_t n) { return (void *)(uintptr_t)n; }

/* The function that stands for the kernel, while it is launched: its callers are the program's. */
extern __thread const void *run_launching;

/* How this thread captures streams. Is its default stream its own, for this call? */
extern __thread enum cudaStreamCaptureMode run_capture_mode;
extern __thread bool run_per_thread;

/* registered.c: the kernel that a function of the host stands for. Not 0: an error. */
struct called_kernel {
    uint64_t number;
    unsigned params, bytes;
    uint32_t (*at)[2]; /* the offset and the size of each parameter */
};
/* The kernels of a library: its name, a NUL, and its PTX. NULL: no memory is left. */
void **run_register(const char *bytes, size_t n);
cudaError_t run_kernel_of(const void *function, struct called_kernel **);
/* The variable of the device that a variable of the host stands for. */
cudaError_t run_variable_of(const void *symbol, uint64_t *address, uint64_t *size);
/* The function of the host that stands for a kernel; NULL: none does. */
const void *run_function_of(uint64_t kernel, struct called_kernel **);
const char *run_function_name(const void *function); /* the kernel's, in PTX; NULL: there is none */

/* A launch, and the request that it becomes. Free the params, also where there is an error. */
struct kernel_launch {
    const void *function;
    dim3 grid, block, cluster; /* cluster: 0: as the kernel says */
    size_t shared;
    cudaStream_t stream;
    bool cooperative;
    int priority;
    const void *buffer; /* all parameters as the kernel has them, in place of args; or NULL */
    size_t buffer_bytes;
};
cudaError_t run_launch_request(const struct kernel_launch *, void **args, struct run_message *,
                               char **params);
cudaError_t run_launch(const char *name, const struct kernel_launch *, void **args);
/* False: what they ask for is not served. */
bool run_read_attributes(const cudaLaunchAttribute *, unsigned count, struct kernel_launch *);

/* memory.c: the requests of copies and fills, which graphs have too. Not 0: an error. */
cudaError_t run_copy_request(const struct cudaMemcpy3DParms *, struct run_message *);
cudaError_t run_copy(const char *name, const struct cudaMemcpy3DParms *, cudaStream_t, bool waits);
cudaError_t run_row_request(void *to, const void *from, size_t n, enum cudaMemcpyKind,
                            struct run_message *);
cudaError_t run_copy_row(const char *name, void *to, const void *from, size_t n,
                         enum cudaMemcpyKind, cudaStream_t, bool waits);
cudaError_t run_symbol_request(const void *symbol, const void *host, size_t n, size_t offset,
                               enum cudaMemcpyKind, bool to_symbol, struct run_message *);
cudaError_t run_fill_request(const struct cudaMemsetParams *, struct run_message *);
/* arrays.c: the same copy in memory, with all extents in bytes. Not 0: there is no such part. */
cudaError_t run_flatten(const struct cudaMemcpy3DParms *, struct cudaMemcpy3DParms *out);
/* registered.c: the variable of the device that has this address on the host; NULL: none. */
const char *run_shadow_name(uint64_t at);
/* room.c: false: what the host has from there on is known, and has fewer bytes. */
struct host_room { uint64_t bytes, wanted; enum run_room kind; };
bool run_has_room(uint64_t address, uint64_t wanted, struct host_room *);
/* pools.c */
cudaMemPool_t run_current_pool(void);
/* streams-told.c: this stream has ended, and its handle may become that of another one. */
void run_forget_stream(cudaStream_t);
/* objects.c: a graph was copied, or has ended. */
void run_objects_copy(uint64_t from, uint64_t to);
void run_objects_end(uint64_t graph);
/* errors.c: the program has asked what this error is. */
void run_looked_at(cudaError_t);
/* Is this thread in a function that cudalab had called? */
bool run_is_inside(void);
/* Is this thread in the middle of a request? */
bool run_is_talking(void);
/* The same as run_ask() within such a function. */
cudaError_t run_ask_inside(struct run_message *m);
/* lead.c: the functions of the runtime in the program lead here from now on. */
void run_lead(void);
/* link.c: the major version of the toolkit that the program was made with. */
unsigned run_toolkit(void);
/* Where the program lies in memory. */
uintptr_t run_program_base(void);
/* The file of the memory that host and kernels share. */
int run_memory_file(void);
/* driver-context.c: a function of the runtime was called, which makes the primary context current.
 * driver-errors.c: what the driver returns where the runtime returns this error. */
void run_runtime_is_here(void);
int run_driver_result(cudaError_t);
/* The function that the program has called, while one of the other API serves it: its name is told,
 * and its errors are returned. NULL: none. */
extern __thread const char *run_called_as;
/* driver-modules.c: kernels of the modules that the program has loaded, by their handles and by
 * their numbers. NULL: there is none. */
struct called_kernel *run_module_kernel(const void *handle);
const void *run_module_function(uint64_t kernel, struct called_kernel **);
/* due.c: a request is sent, or its answer has come; the queue may have functions of the host. */
void run_count_call(void);
void run_functions_are_due(void);
/* touched.c: the memory that host and kernels share was mapped. */
void run_watch_memory(void);

#endif
