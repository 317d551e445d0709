/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modules: PTX and fat binaries that a program loads itself, and their kernels and variables. A
 * library, CUlibrary, is a module here, and its kernels are the module's functions. A handle stays
 * valid memory after cuModuleUnload(), so that its use is an error and no crash.
 */
#include "run/client/driver.h"

#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUmod_st {
    uint64_t number;
    bool is_unloaded;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of functions, and of what is left */
static CUfunction first;

/* ---- images ---------------------------------------------------------------------------- */

struct image_head { uint32_t magic; uint16_t version, header; uint64_t bytes; };
struct image_wrapper { uint32_t magic, version; const void *data; };
#define WRAPPER_MAGIC 0x466243b1u
#define FAT_MAGIC 0xba55ed50u

static size_t end_of(size_t end, uint64_t at, uint64_t n)
{
    return at + n > end ? (size_t)(at + n) : end;
}

/* A cubin tells its size only by what it has. */
static size_t cubin_bytes(const char *image)
{
    Elf64_Ehdr h;
    memcpy(&h, image, sizeof h);
    size_t end = end_of(sizeof h, h.e_shoff, (uint64_t)h.e_shnum * sizeof(Elf64_Shdr));
    end = end_of(end, h.e_phoff, (uint64_t)h.e_phnum * sizeof(Elf64_Phdr));
    for (unsigned i = 0; i < h.e_shnum; i++) {
        Elf64_Shdr s;
        memcpy(&s, image + h.e_shoff + i * sizeof s, sizeof s);
        if (s.sh_type != SHT_NOBITS)
            end = end_of(end, s.sh_offset, s.sh_size);
    }
    return end;
}

size_t run_driver_image_bytes(const void *image)
{
    struct image_head h;
    if (memcmp(image, ELFMAG, SELFMAG) == 0)
        return cubin_bytes(image);
    memcpy(&h.magic, image, sizeof h.magic);
    if (h.magic != FAT_MAGIC)
        return strlen(image);
    memcpy(&h, image, sizeof h);
    return h.header + (size_t)h.bytes;
}

CUresult run_driver_read(const char *path, char **out, size_t *n)
{
    enum { PIECE = 1 << 16 };
    FILE *f = path ? fopen(path, "rb") : NULL;
    char *text = NULL, *grown;
    size_t have = 0, got = 1;
    if (!f)
        return CUDA_ERROR_FILE_NOT_FOUND;
    while (got && (grown = realloc(text, have + PIECE + 1))) {
        text = grown;
        have += got = fread(text + have, 1, PIECE, f);
    }
    bool failed = ferror(f) || got;
    fclose(f);
    if (failed) {
        free(text);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    text[have] = '\0';
    *out = text;
    *n = have;
    return CUDA_SUCCESS;
}

/* ---- JIT options ----------------------------------------------------------------------- */

enum { WALL_TIME = 2, INFO_LOG, INFO_LOG_SIZE, ERROR_LOG, ERROR_LOG_SIZE };

static void **option(struct jit_options o, int which)
{
    for (unsigned i = 0; i < o.count && o.options && o.values; i++)
        if (o.options[i] == which)
            return &o.values[i];
    return NULL;
}

static void put_log(struct jit_options o, int buffer, const char *text)
{
    void **to = option(o, buffer), **size = option(o, buffer + 1);
    if (!to || !*to || !size || !*size)
        return;
    size_t room = (size_t)(uint32_t)(uintptr_t)*size;
    int n = room ? snprintf(*to, room, "%s", text) : 0;
    *size = pointer_of((size_t)n < room ? (uint64_t)n : room);
}

/* What is said of PTX is about errors. */
void run_driver_log(struct jit_options o, size_t n)
{
    char *text = calloc(1, n + 1);
    struct run_message m = {.what = RUN_LEFT};
    void **time = option(o, WALL_TIME);
    const float none = 0;
    if (text && n && run_ask(&m, NULL, 0, text, n) != cudaSuccess)
        text[0] = '\0';
    put_log(o, INFO_LOG, "");
    put_log(o, ERROR_LOG, text ? text : "");
    if (time) /* it is a float in place of a pointer */
        memcpy(time, &none, sizeof none);
    free(text);
}

/* ---- loading --------------------------------------------------------------------------- */

/* The request has the file's name, a NUL, and the image. */
static CUresult send_image(const char *name, struct run_message *m, const char *path,
                           const void *image, size_t bytes, struct jit_options o)
{
    const size_t head = path ? strlen(path) + 1 : 1;
    char *all = malloc(head + bytes + 1);
    if (!all)
        return run_driver_failed(name, CUDA_ERROR_OUT_OF_MEMORY);
    memcpy(all, path ? path : "", head);
    memcpy(all + head, image, bytes);
    pthread_mutex_lock(&lock);
    CUresult error = run_driver_with(name, m, all, head + bytes, NULL, 0);
    run_driver_log(o, error ? (size_t)m->number[1] : 0);
    pthread_mutex_unlock(&lock);
    free(all);
    return error;
}

CUresult run_driver_load(const char *name, CUmodule *out, const char *path, const void *image,
                         size_t bytes, struct jit_options o)
{
    struct run_message m = {.what = RUN_IMAGE};
    CUmodule made = calloc(1, sizeof *made);
    if (!made)
        return run_driver_failed(name, CUDA_ERROR_OUT_OF_MEMORY);
    CUresult error = send_image(name, &m, path, image, bytes, o);
    if (error) {
        free(made);
        return error;
    }
    made->number = m.number[0];
    *out = made;
    return CUDA_SUCCESS;
}

static CUresult load_data(const char *name, CUmodule *out, const void *image,
                          struct jit_options o)
{
    struct image_wrapper w;
    CUresult error = run_driver_ready();
    if (!error && (!out || !image))
        error = CUDA_ERROR_INVALID_VALUE;
    if (error)
        return run_driver_failed(name, error);
    memcpy(&w.magic, image, sizeof w.magic);
    if (w.magic == WRAPPER_MAGIC) {
        memcpy(&w, image, sizeof w);
        image = w.data;
    }
    return run_driver_load(name, out, NULL, image, run_driver_image_bytes(image), o);
}

static CUresult load_file(const char *name, CUmodule *out, const char *path, struct jit_options o)
{
    char *text;
    size_t n;
    CUresult error = run_driver_ready();
    if (!error)
        error = out ? run_driver_read(path, &text, &n) : CUDA_ERROR_INVALID_VALUE;
    if (error)
        return run_driver_failed(name, error);
    error = run_driver_load(name, out, path, text, n, o);
    free(text);
    return error;
}

API CUresult cuModuleLoad(CUmodule *out, const char *path)
{
    return load_file(__func__, out, path, (struct jit_options){0});
}

API CUresult cuModuleLoadData(CUmodule *out, const void *image)
{
    return load_data(__func__, out, image, (struct jit_options){0});
}

API CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned count,
                                const int *options, void **values)
{
    return load_data(__func__, out, image, (struct jit_options){count, options, values});
}

API CUresult cuModuleLoadFatBinary(CUmodule *out, const void *image)
{
    return load_data(__func__, out, image, (struct jit_options){0});
}

static CUresult check(const char *name, CUmodule m)
{
    CUresult error = run_driver_ready();
    if (!error && (!m || m->is_unloaded))
        error = CUDA_ERROR_INVALID_HANDLE;
    return error ? run_driver_failed(name, error) : CUDA_SUCCESS;
}

static CUresult unload(const char *name, CUmodule m)
{
    CUresult error = check(name, m);
    if (error)
        return error;
    error = (CUresult)run_call(name, &REQUEST(DEVICE_WAIT));
    m->is_unloaded = true;
    return error;
}

/* As a card does without a wish of the program's: it loads kernels when they are needed. */
API CUresult cuModuleGetLoadingMode(int *mode)
{
    enum { LAZY = 2 };
    if (!mode || !run_driver_is_begun())
        return run_driver_failed(__func__, mode ? CUDA_ERROR_NOT_INITIALIZED
                                                : CUDA_ERROR_INVALID_VALUE);
    *mode = LAZY;
    return CUDA_SUCCESS;
}

API CUresult cuModuleUnload(CUmodule m) { return unload(__func__, m); }

/* ---- kernels --------------------------------------------------------------------------- */

/* NULL: it is none of a module that is loaded. */
static CUfunction known_handle(const void *handle)
{
    pthread_mutex_lock(&lock);
    CUfunction f = first;
    while (f && f != handle)
        f = f->next;
    pthread_mutex_unlock(&lock);
    return f && !f->module->is_unloaded ? f : NULL;
}

struct called_kernel *run_module_kernel(const void *handle)
{
    const CUfunction f = known_handle(handle);
    return f ? &f->called : NULL;
}

const void *run_module_function(uint64_t kernel, struct called_kernel **out)
{
    pthread_mutex_lock(&lock);
    CUfunction f = first;
    while (f && f->called.number != kernel)
        f = f->next;
    pthread_mutex_unlock(&lock);
    if (f)
        *out = &f->called;
    return f;
}

const struct called_kernel *run_driver_kernel(CUfunction handle)
{
    struct called_kernel *k;
    return run_kernel_of(handle, &k) == cudaSuccess ? k : NULL;
}

static CUfunction known_function(CUmodule m, const char *name)
{
    CUfunction f = first;
    while (f && (f->module != m || strcmp(f->name, name) != 0))
        f = f->next;
    return f;
}

static CUresult ask_function(const char *caller, CUmodule module, const char *name, CUfunction *out)
{
    enum { PARAMS_MOST = 4096 };
    struct run_message m = REQUEST(KERNEL, module->number);
    CUfunction f = calloc(1, sizeof *f);
    uint32_t(*at)[2] = malloc(PARAMS_MOST * sizeof *at);
    char *copy = strdup(name);
    cudaError_t error = f && at && copy
                            ? run_ask(&m, name, strlen(name), at, PARAMS_MOST * sizeof *at)
                            : cudaErrorMemoryAllocation;
    if (error) {
        free(f);
        free(at);
        free(copy);
        return run_driver_failed(caller, error == cudaErrorInvalidDeviceFunction
                                             ? CUDA_ERROR_NOT_FOUND : (CUresult)error);
    }
    *f = (struct CUfunc_st){module, copy, {m.number[0], (unsigned)m.number[1],
                                           (unsigned)m.number[2], at}, first};
    first = *out = f;
    return CUDA_SUCCESS;
}

static CUresult get_function(const char *caller, CUfunction *out, CUmodule m, const char *name)
{
    CUresult error = check(caller, m);
    if (error)
        return error;
    if (!out || !name)
        return run_driver_failed(caller, CUDA_ERROR_INVALID_VALUE);
    pthread_mutex_lock(&lock);
    CUfunction f = known_function(m, name);
    if (!f)
        error = ask_function(caller, m, name, &f);
    pthread_mutex_unlock(&lock);
    if (!error)
        *out = f;
    return error;
}

API CUresult cuModuleGetFunction(CUfunction *out, CUmodule m, const char *name)
{
    return get_function(__func__, out, m, name);
}

static CUresult count_functions(const char *caller, CUmodule m, unsigned *out)
{
    CUresult error = check(caller, m);
    if (!error && !out)
        error = run_driver_failed(caller, CUDA_ERROR_INVALID_VALUE);
    if (error)
        return error;
    struct run_message r = REQUEST(KERNEL_NAME, m->number, UINT64_MAX);
    error = run_driver(caller, &r);
    *out = error ? 0 : (unsigned)r.number[0];
    return error;
}

static CUresult list_functions(const char *caller, CUfunction *out, unsigned n, CUmodule m)
{
    enum { NAME_MOST = 1 << 16 };
    unsigned count;
    CUresult error = count_functions(caller, m, &count);
    char *name = malloc(NAME_MOST);
    if (!error && (!name || !out))
        error = run_driver_failed(caller, name ? CUDA_ERROR_INVALID_VALUE
                                               : CUDA_ERROR_OUT_OF_MEMORY);
    for (unsigned i = 0; i < n && i < count && !error; i++) {
        struct run_message r = REQUEST(KERNEL_NAME, m->number, i);
        memset(name, 0, NAME_MOST);
        error = run_driver_with(caller, &r, NULL, 0, name, NAME_MOST - 1);
        if (!error)
            error = get_function(caller, &out[i], m, name);
    }
    free(name);
    return error;
}

API CUresult cuModuleGetFunctionCount(unsigned *out, CUmodule m)
{
    return count_functions(__func__, m, out);
}

API CUresult cuModuleEnumerateFunctions(CUfunction *out, unsigned n, CUmodule m)
{
    return list_functions(__func__, out, n, m);
}

API CUresult cuLibraryGetKernelCount(unsigned *out, CUmodule m)
{
    return count_functions(__func__, m, out);
}

API CUresult cuLibraryEnumerateKernels(CUfunction *out, unsigned n, CUmodule m)
{
    return list_functions(__func__, out, n, m);
}

static CUresult get_global(const char *caller, CUdeviceptr *at, size_t *bytes, CUmodule m,
                           const char *name)
{
    CUresult error = check(caller, m);
    if (error)
        return error;
    if (!name || (!at && !bytes))
        return run_driver_failed(caller, CUDA_ERROR_INVALID_VALUE);
    struct run_message r = REQUEST(VARIABLE, m->number);
    error = run_driver_result(run_ask(&r, name, strlen(name), NULL, 0));
    if (at) /* a card has 0 where there is no variable */
        *at = error ? 0 : r.number[0];
    if (bytes)
        *bytes = error ? 0 : (size_t)r.number[1];
    return error ? run_driver_failed(caller, error) : CUDA_SUCCESS;
}

API CUresult cuModuleGetGlobal_v2(CUdeviceptr *at, size_t *bytes, CUmodule m, const char *name)
{
    return get_global(__func__, at, bytes, m, name);
}

API CUresult cuFuncGetName(const char **out, CUfunction f)
{
    const CUfunction own = known_handle(f);
    if (!out || (!own && !run_driver_kernel(f)))
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    if (!own)
        return (CUresult)cudaFuncGetName(out, f);
    *out = own->name;
    return CUDA_SUCCESS;
}

API CUresult cuFuncGetModule(CUmodule *out, CUfunction f)
{
    const CUfunction own = known_handle(f);
    if (!out || !own)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_HANDLE);
    *out = own->module;
    return CUDA_SUCCESS;
}

/* A kernel is loaded with its module. */
API CUresult cuFuncLoad(CUfunction f)
{
    return run_driver_kernel(f) ? CUDA_SUCCESS
                                : run_driver_failed(__func__, CUDA_ERROR_INVALID_HANDLE);
}

API CUresult cuFuncIsLoaded(int *state, CUfunction f)
{
    if (!state || !run_driver_kernel(f))
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    *state = 1;
    return CUDA_SUCCESS;
}

/* ---- libraries ------------------------------------------------------------------------- */

/* A library needs no context: it goes by the primary one where there is none. */
API CUresult cuLibraryLoadData(CUmodule *out, const void *image, const int *options, void **values,
                               unsigned count, const int *more, void **more_values, unsigned n)
{
    (void)more, (void)more_values, (void)n;
    return load_data(__func__, out, image, (struct jit_options){count, options, values});
}

API CUresult cuLibraryLoadFromFile(CUmodule *out, const char *path, const int *options,
                                   void **values, unsigned count, const int *more,
                                   void **more_values, unsigned n)
{
    (void)more, (void)more_values, (void)n;
    return load_file(__func__, out, path, (struct jit_options){count, options, values});
}

API CUresult cuLibraryUnload(CUmodule m) { return unload(__func__, m); }

API CUresult cuLibraryGetKernel(CUfunction *out, CUmodule m, const char *name)
{
    return get_function(__func__, out, m, name);
}

API CUresult cuLibraryGetModule(CUmodule *out, CUmodule m)
{
    CUresult error = check(__func__, m);
    if (!error)
        *out = m;
    return error;
}

API CUresult cuLibraryGetGlobal(CUdeviceptr *at, size_t *bytes, CUmodule m, const char *name)
{
    return get_global(__func__, at, bytes, m, name);
}

/* A managed variable lies in the memory that the host has too. */
API CUresult cuLibraryGetManaged(CUdeviceptr *at, size_t *bytes, CUmodule m, const char *name)
{
    CUdeviceptr found;
    CUresult error = get_global(__func__, &found, bytes, m, name);
    if (!error && found - RUN_SHARED_BASE >= RUN_SHARED_BYTES)
        error = run_driver_failed(__func__, CUDA_ERROR_NOT_FOUND);
    if (!error && at)
        *at = found;
    return error;
}

API CUresult cuKernelGetFunction(CUfunction *out, CUfunction kernel)
{
    if (!out || !run_driver_kernel(kernel))
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_HANDLE);
    *out = kernel;
    return CUDA_SUCCESS;
}

API CUresult cuKernelGetLibrary(CUmodule *out, CUfunction kernel)
{
    return cuFuncGetModule(out, kernel);
}

API CUresult cuKernelGetName(const char **out, CUfunction kernel)
{
    return cuFuncGetName(out, kernel);
}
