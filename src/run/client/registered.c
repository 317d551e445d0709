/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program registers before main(): fat binaries, and which functions and variables of the
 * host stand for those of the device. And the launch, whose code the compiler makes of <<<>>>.
 */
#include "run/client/client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct fat_wrapper { int magic, version; const void *data; const void *const *more; };
struct fat_header { uint32_t magic; uint16_t version, header; uint64_t bytes; };
enum { WRAPPER_MAGIC = 0x466243b1, OF_PARTS = 2 };
#define FAT_MAGIC 0xba55ed50u

/* Fat binaries: they are sent when a kernel or a variable of them is first needed. */
struct module {
    const void *data;
    const void *const *parts; /* with -rdc: the binaries that are linked, NULL-ended; else NULL */
    uint64_t number, bytes;
    cudaError_t error;
    bool sent, has_managed, of_library;
};

struct registration {
    const void *host;
    const char *name;
    struct module *module;
    bool is_variable, known;
    bool is_shadow; /* the variable itself lies on the device only */
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

static uint64_t bytes_of(const struct fat_header *h)
{
    return h->magic == FAT_MAGIC ? h->header + h->bytes : 0;
}

/* NULL: there is no memory. Then the functions and variables of the module can't be used. */
API void **__cudaRegisterFatBinary(void *given)
{
    const struct fat_wrapper *w = given;
    struct module *m = calloc(1, sizeof *m);
    if (!m || w->magic != WRAPPER_MAGIC)
        return (void **)m;
    m->data = w->data;
    m->bytes = bytes_of(w->data);
    m->parts = w->version == OF_PARTS ? w->more : NULL;
    return (void **)m;
}

void **run_register(const char *bytes, size_t n)
{
    struct module *m = malloc(sizeof *m);
    if (m)
        *m = (struct module){.data = bytes, .bytes = n, .of_library = true};
    return (void **)m;
}

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

const char *run_shadow_name(uint64_t at)
{
    pthread_mutex_lock(&registered.lock);
    const struct registration *e = registered.first;
    while (e && (!e->is_shadow || at - number_of(e->host) >= e->size))
        e = e->next;
    pthread_mutex_unlock(&registered.lock);
    return e ? e->name : NULL;
}

/* The parts of a program with -rdc one behind the other. NULL: there is no memory. */
static char *join_parts(const struct module *m, uint64_t *bytes)
{
    enum { ALIGNED = 8 };
    *bytes = 0;
    for (unsigned i = 0; m->parts[i]; i++)
        *bytes += (bytes_of(m->parts[i]) + ALIGNED - 1) / ALIGNED * ALIGNED;
    char *all = calloc(1, (size_t)*bytes + 1), *at = all;
    for (unsigned i = 0; all && m->parts[i]; i++) {
        const uint64_t n = bytes_of(m->parts[i]);
        memcpy(at, m->parts[i], (size_t)n);
        at += (n + ALIGNED - 1) / ALIGNED * ALIGNED;
    }
    return all;
}

static cudaError_t send_module(struct module *m)
{
    struct run_message r = REQUEST(MODULE);
    if (!m)
        return cudaErrorMemoryAllocation;
    uint64_t bytes = m->bytes;
    if (m->sent)
        return m->error;
    m->sent = true;
    r.what = m->of_library ? RUN_LIBRARY : RUN_MODULE;
    char *joined = m->parts ? join_parts(m, &bytes) : NULL;
    m->error = m->parts && !joined
                   ? cudaErrorMemoryAllocation
                   : run_ask(&r, joined ? joined : m->data, (size_t)bytes, NULL, 0);
    free(joined);
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
    if (!e && (*out = run_module_kernel(function)) != NULL)
        return cudaSuccess;
    if (!e)
        return function ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
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
    struct run_message r = REQUEST(VARIABLE, m->number, size);
    if (run_ask(&r, name, strlen(name), NULL, 0) == cudaSuccess) {
        *host = pointer_of(r.number[0]);
        add((struct registration){.host = host, .name = name, .module = m, .is_variable = true,
                           .size = size, .address = r.number[0], .known = true});
    }
}

/* In a program by clang, a __managed__ variable itself lies in the shared memory. */
API void __cudaRegisterVar(void **module, char *host, char *device, const char *name, int external,
                           size_t size, int constant, int global)
{
    struct registration e = {.host = host, .name = name, .module = (struct module *)module,
                             .is_variable = true, .size = size};
    (void)device, (void)external, (void)constant, (void)global;
    if (e.module && number_of(host) - RUN_MANAGED_BASE < RUN_MANAGED_BYTES) {
        struct run_message r = REQUEST(MANAGED, number_of(host));
        e.known = e.module->has_managed =
            run_ask(&r, name, strlen(name), NULL, 0) == cudaSuccess;
        e.address = number_of(host);
    } else
        e.is_shadow = true;
    add(e);
}

/* All is registered. Managed variables must have their values before main() uses them. */
API void __cudaRegisterFatBinaryEnd(void **module)
{
    struct module *m = (struct module *)module;
    if (m && m->has_managed)
        send_module(m);
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

const void *run_function_of(uint64_t kernel, struct called_kernel **out)
{
    pthread_mutex_lock(&registered.lock);
    struct registration *e = registered.first;
    while (e && (e->is_variable || !e->known || e->kernel.number != kernel))
        e = e->next;
    pthread_mutex_unlock(&registered.lock);
    if (e)
        *out = &e->kernel;
    return e ? e->host : run_module_function(kernel, out);
}

cudaError_t run_launch_request(const struct kernel_launch *l, void **args, struct run_message *m,
                               char **params)
{
    struct called_kernel *k;
    *params = NULL;
    cudaError_t error = run_kernel_of(l->function, &k);
    if (error)
        return error;
    if (k->params && !args && (!l->buffer || l->buffer_bytes < k->bytes))
        return cudaErrorInvalidValue;
    const dim3 g = l->grid, b = l->block, c = l->cluster;
    *m = REQUEST(LAUNCH, k->number, g.x, g.y, g.z, b.x, b.y, b.z, l->shared, number_of(l->stream),
                 l->cooperative, c.x, c.y, c.z, (uint64_t)(int64_t)l->priority);
    m->bytes = k->bytes;
    *params = calloc(1, k->bytes + 1);
    if (!*params)
        return cudaErrorMemoryAllocation;
    for (unsigned i = 0; i < k->params && args; i++)
        memcpy(*params + k->at[i][0], args[i], k->at[i][1]);
    if (!args && k->bytes)
        memcpy(*params, l->buffer, k->bytes);
    return cudaSuccess;
}

cudaError_t run_launch(const char *name, const struct kernel_launch *l, void **args)
{
    struct run_message m;
    char *params;
    run_launching = l->function;
    cudaError_t error = run_launch_request(l, args, &m, &params);
    error = error ? run_failed(name, error)
                  : run_call_with(name, &m, params, (size_t)m.bytes, NULL, 0);
    run_launching = NULL;
    free(params);
    return error;
}

API cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                                 size_t shared, cudaStream_t stream)
{
    const struct kernel_launch l = {.function = function, .grid = grid, .block = block,
                                    .shared = shared, .stream = stream};
    return run_launch(__func__, &l, args);
}

API cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                            void **args, size_t shared, cudaStream_t stream)
{
    const struct kernel_launch l = {.function = function, .grid = grid, .block = block,
                                    .shared = shared, .stream = stream, .cooperative = true};
    return run_launch(__func__, &l, args);
}

/* Of the other attributes none changes a result. */
bool run_read_attributes(const cudaLaunchAttribute *all, unsigned count, struct kernel_launch *l)
{
    for (unsigned i = 0; i < count; i++) {
        const cudaLaunchAttributeValue *v = &all[i].val;
        if (all[i].id == cudaLaunchAttributeCooperative)
            l->cooperative = v->cooperative;
        if (all[i].id == cudaLaunchAttributePriority)
            l->priority = v->priority;
        if (all[i].id == cudaLaunchAttributeClusterDimension)
            l->cluster = (dim3){v->clusterDim.x, v->clusterDim.y, v->clusterDim.z};
        if (all[i].id == cudaLaunchAttributeProgrammaticEvent ||
            all[i].id == cudaLaunchAttributeLaunchCompletionEvent)
            return false;
    }
    return true;
}

API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *function, void **args)
{
    if (!c)
        return run_failed(__func__, cudaErrorInvalidValue);
    struct kernel_launch l = {.function = function, .grid = c->gridDim, .block = c->blockDim,
                              .shared = c->dynamicSmemBytes, .stream = c->stream};
    return run_read_attributes(c->attrs, c->numAttrs, &l)
               ? run_launch(__func__, &l, args) : run_lacking("cudaLaunchKernelExC with events");
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
    const struct kernel_launch l = {.function = kernel, .grid = grid, .block = block,
                                    .shared = shared, .stream = stream};
    return run_launch("cudaLaunchKernel", &l, args);
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

/* Handles of kernels are the functions themselves. */
API cudaError_t cudaKernelSetAttributeForDevice(const void *kernel, enum cudaFuncAttribute id,
                                                int value, int device)
{
    return device == 0 ? set_attribute(__func__, kernel, (int)id, value)
                       : run_failed(__func__, cudaErrorInvalidDevice);
}

API cudaError_t cudaGetFuncBySymbol(const void **out, const void *function)
{
    struct called_kernel *k;
    cudaError_t error = run_kernel_of(function, &k);
    if (error || !out)
        return run_failed(__func__, error ? error : cudaErrorInvalidValue);
    *out = function;
    return cudaSuccess;
}

const char *run_function_name(const void *function)
{
    const struct registration *e = find(function, false);
    return e ? e->name : NULL;
}

API cudaError_t cudaFuncGetName(const char **out, const void *function)
{
    const char *name = run_function_name(function);
    if (!out || !name)
        return run_failed(__func__, out ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    *out = name;
    return cudaSuccess;
}

API cudaError_t cudaFuncGetParamInfo(const void *function, size_t i, size_t *offset, size_t *size)
{
    struct called_kernel *k;
    cudaError_t error = run_kernel_of(function, &k);
    if (!error && (!offset || i >= k->params))
        error = cudaErrorInvalidValue;
    if (error)
        return run_failed(__func__, error);
    *offset = k->at[i][0];
    if (size)
        *size = k->at[i][1];
    return cudaSuccess;
}

API cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
    struct called_kernel *k;
    cudaError_t error = run_kernel_of(function, &k);
    (void)config; /* banks of other sizes were those of older cards */
    return error ? run_failed(__func__, error) : cudaSuccess;
}

API cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    struct called_kernel *k;
    static const int parts[] = {
        [cudaFuncCachePreferNone] = cudaSharedmemCarveoutDefault,
        [cudaFuncCachePreferShared] = cudaSharedmemCarveoutMaxShared,
        [cudaFuncCachePreferL1] = cudaSharedmemCarveoutMaxL1, [cudaFuncCachePreferEqual] = 50};
    cudaError_t error = run_kernel_of(function, &k);
    if (!error && (unsigned)config > cudaFuncCachePreferEqual)
        error = cudaErrorInvalidValue;
    return error ? run_failed(__func__, error)
                 : set_attribute(__func__, function,
                                 cudaFuncAttributePreferredSharedMemoryCarveout, parts[config]);
}

static cudaError_t occupancy(const char *name, int *blocks, const void *function, int threads,
                             size_t shared)
{
    struct called_kernel *k;
    cudaError_t error = run_kernel_of(function, &k);
    if (error)
        return run_failed(name, error);
    if (!blocks || threads <= 0)
        return run_failed(name, cudaErrorInvalidValue);
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

API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                          int blocks, int threads)
{
    struct called_kernel *k;
    cudaError_t error = run_kernel_of(function, &k);
    if (error || !bytes)
        return run_failed(__func__, error ? error : cudaErrorInvalidValue);
    struct run_message m = REQUEST(OCCUPANCY_ROOM, k->number, (uint64_t)threads, (uint64_t)blocks);
    error = run_call(__func__, &m);
    if (!error)
        *bytes = (size_t)m.number[0];
    return error;
}

API cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *function,
                                                     const cudaLaunchConfig_t *c)
{
    struct called_kernel *k;
    cudaError_t error = run_kernel_of(function, &k);
    if (error || !blocks || !c)
        return run_failed(__func__, error ? error : cudaErrorInvalidValue);
    struct run_message m = REQUEST(CLUSTER, k->number,
                                   (uint64_t)c->blockDim.x * c->blockDim.y * c->blockDim.z,
                                   c->dynamicSmemBytes);
    error = run_call(__func__, &m);
    if (!error)
        *blocks = (int)m.number[0];
    return error;
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                       const void *function,
                                                                       int threads, size_t shared,
                                                                       unsigned flags)
{
    (void)flags;
    return occupancy(__func__, blocks, function, threads, shared);
}
