/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that CUDA had once. Courses and books still show them; the compiler only says that it
 * doesn't know them. Here stands what to write instead, in one table.
 */
#include "cc/compile.h"

#include <ctype.h>
#include <string.h>

struct old_name {
    const char *old;
    char follows;     /* '<' or '(': only then is it the old name; 0: any */
    const char *now;
};

#define WARP "the _sync form, with the mask of the lanes that take part: "

static const struct old_name table[] = {
    {"__shfl", '(', WARP "__shfl_sync(0xffffffff, value, lane)"},
    {"__shfl_up", '(', WARP "__shfl_up_sync(0xffffffff, value, delta)"},
    {"__shfl_down", '(', WARP "__shfl_down_sync(0xffffffff, value, delta)"},
    {"__shfl_xor", '(', WARP "__shfl_xor_sync(0xffffffff, value, mask)"},
    {"__all", '(', WARP "__all_sync(0xffffffff, test)"},
    {"__any", '(', WARP "__any_sync(0xffffffff, test)"},
    {"__ballot", '(', WARP "__ballot_sync(0xffffffff, test)"},
    {"texture", '<', "a cudaTextureObject_t, passed to the kernel as a parameter"},
    {"surface", '<', "a cudaSurfaceObject_t, passed to the kernel as a parameter"},
    {"cudaBindTexture", 0, "cudaCreateTextureObject"},
    {"cudaBindTexture2D", 0, "cudaCreateTextureObject"},
    {"cudaBindTextureToArray", 0, "cudaCreateTextureObject"},
    {"cudaUnbindTexture", 0, "cudaDestroyTextureObject"},
    {"cudaBindSurfaceToArray", 0, "cudaCreateSurfaceObject"},
    {"cudaGetTextureReference", 0, "cudaCreateTextureObject"},
    {"cudaThreadSynchronize", 0, "cudaDeviceSynchronize"},
    {"cudaThreadExit", 0, "cudaDeviceReset"},
    {"cudaThreadSetLimit", 0, "cudaDeviceSetLimit"},
    {"cudaThreadGetLimit", 0, "cudaDeviceGetLimit"},
    {"cudaThreadSetCacheConfig", 0, "cudaDeviceSetCacheConfig"},
    {"cudaThreadGetCacheConfig", 0, "cudaDeviceGetCacheConfig"},
    {"cudaConfigureCall", 0, "kernel<<<grid, block>>>(...) or cudaLaunchKernel"},
    {"cudaSetupArgument", 0, "kernel<<<grid, block>>>(...) or cudaLaunchKernel"},
    {"cudaLaunch", '(', "kernel<<<grid, block>>>(...) or cudaLaunchKernel"},
    {"cudaMemcpyToArray", 0, "cudaMemcpy2DToArray"},
    {"cudaMemcpyFromArray", 0, "cudaMemcpy2DFromArray"},
    {"cudaSetDoubleForDevice", 0, "nothing: every device has double now"},
    {"cudaSetDoubleForHost", 0, "nothing: every device has double now"},
    {"clockRate", 0, "cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, device)"},
    {"memoryClockRate", 0, "cudaDeviceGetAttribute(&value, cudaDevAttrMemoryClockRate, device)"},
    {"deviceOverlap", 0, "asyncEngineCount"},
    {"kernelExecTimeoutEnabled", 0, "cudaDeviceGetAttribute(&value, cudaDevAttrKernelExecTimeout, device)"},
    {"computeMode", 0, "cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, device)"},
    {"cuPrintf", 0, "printf"},
    {"CUDA_SAFE_CALL", 0, "a check of what each call returns, with cudaGetErrorString"},
    {"cutilSafeCall", 0, "a check of what each call returns, with cudaGetErrorString"},
    {NULL, 0, NULL}};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const struct old_name *named(const char *word, size_t n, char follows)
{
    for (const struct old_name *o = table; o->old; o++)
        if (strlen(o->old) == n && memcmp(o->old, word, n) == 0 &&
            (!o->follows || o->follows == follows))
            return o;
    return NULL;
}

/* Past a comment or a string that starts here, its lines counted; 0: neither does. */
static size_t aside(const char *at, const char *end, int *line)
{
    const char *stop = at;
    bool block = end - at > 1 && at[0] == '/' && at[1] == '*';
    if (end - at > 1 && at[0] == '/' && at[1] == '/') {
        stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
    } else if (block) {
        for (stop = at + 2; stop < end && !(stop[-1] == '*' && stop[0] == '/' && stop > at + 2);)
            *line += *stop++ == '\n';
        stop += stop < end;
    } else if (*at == '"') {
        for (stop = at + 1; stop < end && *stop != '"' && *stop != '\n'; stop++)
            stop += *stop == '\\' && stop + 1 < end;
        stop += stop < end && *stop == '"';
    }
    return (size_t)(stop - at);
}

/* From *at on, the next old name in code; *line counts along. */
static const struct old_name *next_old(const char **at, const char *end, int *line)
{
    while (*at < end) {
        size_t n = aside(*at, end, line), k = 0;
        if (n) {
            *at += n;
            continue;
        }
        *line += **at == '\n';
        while (*at + k < end && is_word((*at)[k]))
            k++;
        const char *word = *at, *after = word + k;
        *at += k ? k : 1;
        while (k && after < end && (*after == ' ' || *after == '\t'))
            after++;
        const struct old_name *o = k ? named(word, k, after < end ? *after : 0) : NULL;
        if (o)
            return o;
    }
    return NULL;
}

void old_names(const char *path, const char *text, size_t n, struct buf *out)
{
    const char *at = text;
    const struct old_name *o;
    bool told[sizeof table / sizeof *table] = {false};
    int line = 1;
    while ((o = next_old(&at, text + n, &line))) {
        if (!told[o - table])
            buf_printf(out, "%s:%d: CUDA has no `%s` any more; write %s\n", path, line, o->old,
                       o->now);
        told[o - table] = true;
    }
}
