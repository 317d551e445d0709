/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions by their names. A name without a version stands for the newest form that the asked
 * version of CUDA has: cuMemAlloc is cuMemAlloc_v2 since CUDA 3.2.
 */
#define _GNU_SOURCE
#include "run/client/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum name_found { FOUND, NO_SUCH_NAME, TOO_OLD };
enum { NEWEST = 13000, SECOND_FORMS = 3020 };

/* Where a form is newer than CUDA 3.2. */
static const struct { const char *name; int version, since; } forms[] = {
    {"cuCtxCreate", 3, 11040}, {"cuCtxCreate", 4, 12050}, {"cuGetProcAddress", 2, 12000},
    {"cuMemPrefetchAsync", 2, 12020}, {"cuMemAdvise", 2, 12020}, {"cuDeviceGetUuid", 2, 11040},
    {"cuEventElapsedTime", 2, 12080}, {"cuDevicePrimaryCtxRelease", 2, 11000},
    {"cuDevicePrimaryCtxReset", 2, 11000}, {"cuDevicePrimaryCtxSetFlags", 2, 11000},
    {"cuCtxSynchronize", 2, 13000}, {"cuCtxGetDevice", 2, 13000},
    {"cuStreamBeginCapture", 2, 10010}, {"cuStreamGetCaptureInfo", 2, 11030},
    {"cuStreamGetCaptureInfo", 3, 12030}, {"cuStreamUpdateCaptureDependencies", 2, 12030},
    {"cuGraphInstantiate", 2, 11000}, {"cuGraphExecUpdate", 2, 12000},
    {"cuGraphAddKernelNode", 2, 12000}, {"cuGraphKernelNodeGetParams", 2, 12000},
    {"cuGraphKernelNodeSetParams", 2, 12000}, {"cuGraphExecKernelNodeSetParams", 2, 12000},
    {"cuGraphGetEdges", 2, 12030}, {"cuGraphNodeGetDependencies", 2, 12030},
    {"cuGraphNodeGetDependentNodes", 2, 12030}, {"cuGraphAddDependencies", 2, 12030},
    {"cuGraphRemoveDependencies", 2, 12030}, {"cuMemcpyBatchAsync", 2, 13000}};

/* Since CUDA 12, this name stands for a function of another one. */
static const struct { const char *name, *now; int since; } others[] = {
    {"cuGraphInstantiate", "cuGraphInstantiateWithFlags", 12000}};

static int since(const char *name, int version)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (forms[i].version == version && strcmp(forms[i].name, name) == 0)
            return forms[i].since;
    return version == 1 ? 0 : SECOND_FORMS;
}

static void *own_library(void)
{
    Dl_info self;
    return dladdr((const void *)forms, &self) ? dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD)
                                              : NULL;
}

/* A function as this library has it. With default streams of threads, it may have another end. */
static void *function_of(void *own, const char *name, int version, bool per_thread)
{
    static const char *const ends[] = {"_ptsz", "_ptds", ""};
    char full[128], form[16] = "";
    void *function = NULL;
    if (version > 1)
        snprintf(form, sizeof form, "_v%d", version);
    for (int i = per_thread ? 0 : 2; i < 3 && !function && strncmp(name, "cu", 2) == 0; i++) {
        snprintf(full, sizeof full, "%s%s%s", name, form, ends[i]);
        function = dlsym(own, full);
    }
    return function;
}

static enum name_found find(const char *name, int wanted, uint64_t flags, void **out)
{
    enum { FORMS = 4, PER_THREAD = 2 };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i].name, name) == 0 && wanted >= others[i].since)
            name = others[i].now;
    void *own = own_library();
    enum name_found result = NO_SUCH_NAME;
    *out = NULL;
    for (int version = FORMS; own && version > 0 && result != FOUND; version--) {
        void *function = function_of(own, name, version, flags == PER_THREAD);
        if (!function)
            continue;
        result = since(name, version) <= wanted ? FOUND : TOO_OLD;
        if (result == FOUND)
            *out = function;
    }
    if (own)
        dlclose(own);
    return result;
}

API CUresult cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags,
                                 int *status)
{
    if (!name || !out)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    enum name_found result = find(name, version, flags, out);
    if (status)
        *status = (int)result;
    return result == FOUND || status ? CUDA_SUCCESS
                                     : run_driver_failed(__func__, CUDA_ERROR_NOT_FOUND);
}

API CUresult cuGetProcAddress(const char *name, void **out, int version, uint64_t flags)
{
    return cuGetProcAddress_v2(name, out, version, flags, NULL);
}

API cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **out, unsigned version,
                                                 unsigned long long flags, int *status)
{
    if (!name || !out)
        return run_failed(__func__, cudaErrorInvalidValue);
    enum name_found result = find(name, (int)version, flags, out);
    if (status)
        *status = (int)result;
    return result == FOUND || status ? cudaSuccess
                                     : run_failed(__func__, cudaErrorSymbolNotFound);
}

API cudaError_t cudaGetDriverEntryPoint(const char *name, void **out, unsigned long long flags,
                                        int *status)
{
    return cudaGetDriverEntryPointByVersion(name, out, NEWEST, flags, status);
}
