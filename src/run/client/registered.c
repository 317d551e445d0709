/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program registers before main(): fat binaries, and which functions and variables of the
 * host stand for those of the device. And the launch, whose code the compiler makes of <<<>>>.
 */
#include "run/client/client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct fat_wrapper { int magic, version; const void *data, *more; };
struct fat_header { uint32_t magic; uint16_t version, header; uint64_t bytes; };
enum { WRAPPER_MAGIC = 0x466243b1 };
#define FAT_MAGIC 0xba55ed50u

/* A fat binary: it is sent when a kernel or a variable of it is first needed. */
struct module {
    const void *data;
    uint64_t number, bytes;
    cudaError_t error;
    bool sent, of_library;
};

struct registration {
    const void *host;
    const char *name;
    struct module *module;
    bool is_variable, known;
    uint64_t size, address;
    struct called_kernel kernel;
    struct registration *next;
};

static struct {
    pthread_mutex_t lock;    /* of the list */
    pthread_mutex_t loading; /* one thread sends a module, and asks what is in it */
    struct registration *first;
} registered = {.lock = PTHREAD_MUTEX_INITIALIZER, .loading = PTHREAD_MUTEX_INITIALIZER};

/* ---- registering ----------------------------------------------------------------------- */

API void **__cudaRegisterFatBinary(void *given)
{
    const struct fat_wrapper *w = given;
    struct module *m = calloc(1, sizeof *m);
    if (!m || w->magic != WRAPPER_MAGIC)
        return (void **)m;
    const struct fat_header *h = w->data;
    m->data = h;
    m->bytes = h->magic == FAT_MAGIC ? h->header + h->bytes : 0;
    return (void **)m;
}

void **run_register(const char *bytes, size_t n)
{
    struct module *m = malloc(sizeof *m);
    if (m)
        *m = (struct module){.data = bytes, .bytes = n, .of_library = true};
    return (void **)m;
}

API void __cudaRegisterFatBinaryEnd(void **module) { (void)module; }
API void __cudaUnregisterFatBinary(void **module) { (void)module; }
API char __cudaInitModule(void **module) { (void)module; return 1; }

static void add(struct registration e)
{
    struct registration *kept = malloc(sizeof *kept);
    if (!kept)
        return;
    *kept = e;
    pthread_mutex_lock(&registered.lock);
    kept->next = registered.first;
    registered.first = kept;
    pthread_mutex_unlock(&registered.lock);
}

API void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name,
                                int threads, void *tid, void *bid, dim3 *block, dim3 *grid,
                                int *warp)
{
    (void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    add((struct registration){.host = host, .name = name, .module = (struct module *)module});
}

API void __cudaRegisterVar(void **module, char *host, char *device, const char *name, int external,
                           size_t size, int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    add((struct registration){.host = host, .name = name, .module = (struct module *)module,
                       .is_variable = true, .size = size});
}

/* ---- finding --------------------------------------------------------------------------- */

static struct registration *find(const void *host, bool is_variable)
{
    pthread_mutex_lock(&registered.lock);
    struct registration *e = registered.first;
    while (e && (e->host != host || e->is_variable != is_variable))
        e = e->next;
    pthread_mutex_unlock(&registered.lock);
    return e;
}

static cudaError_t send_module(struct module *m)
{
    struct run_message r = REQUEST(MODULE);
    if (m->sent)
        return m->error;
    m->sent = true;
    r.what = m->of_library ? RUN_LIBRARY : RUN_MODULE;
    m->error = run_ask(&r, m->data, (size_t)m->bytes, NULL, 0);
    m->number = r.number[0];
    return m->error;
}

/* Answers of entries are kept, so that a launch is one request. */
static cudaError_t look_up_kernel(struct registration *e)
{
    enum { PARAMS_MOST = 4096 };
    struct run_message r = REQUEST(KERNEL, e->module->number);
    uint32_t(*at)[2] = malloc(PARAMS_MOST * sizeof *at);
    cudaError_t error = at ? run_ask(&r, e->name, strlen(e->name), at, PARAMS_MOST * sizeof *at)
                           : cudaErrorMemoryAllocation;
    if (error) {
        free(at);
        return error;
    }
    e->kernel = (struct called_kernel){
        r.number[0], (unsigned)r.number[1], (unsigned)r.number[2], at};
    e->known = true;
    return cudaSuccess;
}

cudaError_t run_kernel_of(const void *function, struct called_kernel **out)
{
    struct registration *e = find(function, false);
    if (!e)
        return cudaErrorInvalidDeviceFunction;
    pthread_mutex_lock(&registered.loading);
    cudaError_t error = send_module(e->module);
    if (!error && !e->known)
        error = look_up_kernel(e);
    pthread_mutex_unlock(&registered.loading);
    if (!error)
        *out = &e->kernel;
    return error;
}

static cudaError_t look_up_variable(struct registration *e)
{
    struct run_message r = REQUEST(VARIABLE, e->module->number, e->size);
    cudaError_t error = run_ask(&r, e->name, strlen(e->name), NULL, 0);
    e->address = r.number[0];
    e->known = error == cudaSuccess;
    return error;
}

cudaError_t run_variable_of(const void *symbol, uint64_t *address, uint64_t *size)
{
    struct registration *e = find(symbol, true);
    if (!e)
        return cudaErrorInvalidSymbol;
    pthread_mutex_lock(&registered.loading);
    cudaError_t error = send_module(e->module);
    if (!error && !e->known)
        error = look_up_variable(e);
    pthread_mutex_unlock(&registered.loading);
    if (error)
        return error;
    *address = e->address;
    *size = e->size;
    return cudaSuccess;
}

/* The variable is a pointer in the program, which must have its value before main() uses it. */
API void __cudaRegisterManagedVar(void **module, void **host, char *device, const char *name,
                                  int external, size_t size, int constant, int global)
{
    struct module *m = (struct module *)module;
    (void)device, (void)external, (void)constant, (void)global;
    if (send_module(m))
        return;
    struct run_message r = REQUEST(VARIABLE, m->number, size, true);
    if (run_ask(&r, name, strlen(name), NULL, 0) == cudaSuccess) {
        *host = pointer_of(r.number[0]);
        add((struct registration){.host = host, .name = name, .module = m, .is_variable = true,
                           .size = size, .address = r.number[0], .known = true});
    }
}

/* ---- launching ------------------------------------------------------------------------- */

enum { NESTED = 16 }; /* launches whose arguments are being evaluated */
struct configuration { dim3 grid, block; size_t shared; void *stream; };
static __thread struct { struct configuration at[NESTED]; unsigned count; } pushed;

API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    if (pushed.count == NESTED)
        return 1;
    pushed.at[pushed.count++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (!pushed.count)
        return cudaErrorMissingConfiguration;
    const struct configuration *c = &pushed.at[--pushed.count];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    *(void **)stream = c->stream;
    return cudaSuccess;
}

static cudaError_t launch(const char *name, const void *function, dim3 grid, dim3 block,
                          void **args, size_t shared, cudaStream_t stream, uint64_t cooperative)
{
    struct called_kernel *k;
    run_launching = function;
    cudaError_t error = run_kernel_of(function, &k);
    if (error) {
        error = run_failed(name, error);
        run_launching = NULL;
        return error;
    }
    struct run_message r = REQUEST(LAUNCH, k->number, grid.x, grid.y, grid.z, block.x, block.y,
                                   block.z, shared, number_of(stream), cooperative);
    char *params = calloc(1, k->bytes + 1);
    if (!params)
        return run_failed(name, cudaErrorMemoryAllocation);
    for (unsigned i = 0; i < k->params; i++)
        memcpy(params + k->at[i][0], args[i], k->at[i][1]);
    error = run_call_with(name, &r, params, k->bytes, NULL, 0);
    run_launching = NULL;
    free(params);
    return error;
}

API cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                                 size_t shared, cudaStream_t stream)
{
    return launch(__func__, function, grid, block, args, shared, stream, 0);
}

API cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                            void **args, size_t shared, cudaStream_t stream)
{
    return launch(__func__, function, grid, block, args, shared, stream, 1);
}

/* What cudaLaunchKernelEx() asks for besides. A cluster's size is not served yet. */
struct wanted_attribute { int id; char pad[4]; union { char all[64]; int number; } value; };
struct wanted_launch {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const struct wanted_attribute *attributes;
    unsigned attribute_count;
};

API cudaError_t cudaLaunchKernelExC(const struct wanted_launch *c, const void *function,
                                    void **args)
{
    enum { COOPERATIVE = 2, CLUSTER = 4 };
    uint64_t cooperative = 0;
    for (unsigned i = 0; i < c->attribute_count; i++) {
        if (c->attributes[i].id == CLUSTER)
            return run_lacking("cudaLaunchKernelExC with clusters");
        if (c->attributes[i].id == COOPERATIVE)
            cooperative = (uint64_t)c->attributes[i].value.number;
    }
    return launch(__func__, function, c->grid, c->block, args, c->shared, c->stream, cooperative);
}

/* Since CUDA 12 the code of <<<>>> asks for a handle first. Ours is the function itself. */
API cudaError_t __cudaGetKernel(const void **kernel, const void *function)
{
    *kernel = function;
    return cudaSuccess;
}

API cudaError_t cudaGetKernel(const void **kernel, const void *function)
{
    return __cudaGetKernel(kernel, function);
}

API cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args,
                                   size_t shared, cudaStream_t stream)
{
    return launch("cudaLaunchKernel", kernel, grid, block, args, shared, stream, 0);
}

API cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    uint64_t at, size;
    cudaError_t error = run_variable_of(symbol, &at, &size);
    if (error)
        return run_failed(__func__, error);
    *address = pointer_of(at);
    return cudaSuccess;
}

API cudaError_t cudaGetSymbolSize(size_t *out, const void *symbol)
{
    uint64_t at, size;
    cudaError_t error = run_variable_of(symbol, &at, &size);
    if (error)
        return run_failed(__func__, error);
    *out = (size_t)size;
    return cudaSuccess;
}

/* ---- what is known of a kernel --------------------------------------------------------- */

API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *function)
{
    struct called_kernel *k;
    cudaError_t error = run_kernel_of(function, &k);
    struct run_message r = {.what = RUN_FUNCTION};
    if (error)
        return run_failed(__func__, error);
    r.number[0] = k->number;
    return run_call_with(__func__, &r, NULL, 0, out, sizeof *out);
}

static cudaError_t set_attribute(const char *name, const void *function, int attribute, int value)
{
    struct called_kernel *k;
    cudaError_t error = run_kernel_of(function, &k);
    if (error)
        return run_failed(name, error);
    return run_call(name, &REQUEST(FUNCTION_SET, k->number, (uint64_t)attribute,
                                   (uint64_t)(int64_t)value));
}

API cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                     int value)
{
    return set_attribute(__func__, function, (int)attribute, value);
}

API cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    struct called_kernel *k;
    cudaError_t error = run_kernel_of(function, &k);
    (void)config;
    return error ? run_failed(__func__, error) : cudaSuccess;
}

static cudaError_t occupancy(const char *name, int *blocks, const void *function, int threads,
                             size_t shared)
{
    struct called_kernel *k;
    cudaError_t error = run_kernel_of(function, &k);
    if (error)
        return run_failed(name, error);
    struct run_message r = REQUEST(OCCUPANCY, k->number, (uint64_t)threads, shared);
    error = run_call(name, &r);
    *blocks = error ? 0 : (int)r.number[0];
    return error;
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                              int threads, size_t shared)
{
    return occupancy(__func__, blocks, function, threads, shared);
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                       const void *function,
                                                                       int threads, size_t shared,
                                                                       unsigned flags)
{
    (void)flags;
    return occupancy(__func__, blocks, function, threads, shared);
}
