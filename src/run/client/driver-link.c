/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver's linker: several images become one. What comes of it is PTX, which cudalab knows
 * again when it is loaded.
 */
#include "run/client/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum link_input { INPUT_CUBIN, INPUT_PTX, INPUT_FAT, INPUT_OBJECT, INPUT_LIBRARY };

struct CUlinkState_st {
    char *parts; /* of each: the bytes of its name, those of its image, the name, the image */
    size_t bytes;
    unsigned count;
    struct jit_options options;
    char *linked;
};
typedef struct CUlinkState_st *CUlinkState;

API CUresult cuLinkCreate_v2(unsigned count, const int *options, void **values, CUlinkState *out)
{
    CUresult error = run_driver_ready();
    CUlinkState s = error ? NULL : calloc(1, sizeof *s);
    if (!error)
        error = !out ? CUDA_ERROR_INVALID_VALUE : s ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    if (error) {
        free(s);
        return run_driver_failed(__func__, error);
    }
    s->options = (struct jit_options){count, options, values};
    *out = s;
    return CUDA_SUCCESS;
}

/* CUDA's own library for launches in device code is not needed here. */
static bool is_needless(int kind, const char *name)
{
    return kind == INPUT_LIBRARY && name && strstr(name, "cudadevrt");
}

static CUresult add(const char *caller, CUlinkState s, int kind, const char *name,
                    const void *image, size_t n)
{
    uint64_t sizes[2] = {name ? strlen(name) : 0, n};
    if (is_needless(kind, name))
        return CUDA_SUCCESS;
    if (kind != INPUT_PTX && kind != INPUT_FAT && kind != INPUT_CUBIN)
        return run_driver_lacking("cuLinkAddData of an object or a library");
    if (kind == INPUT_PTX) /* with its NUL, or without it */
        sizes[1] = strnlen(image, n);
    const size_t more = sizeof sizes + (size_t)sizes[0] + (size_t)sizes[1];
    char *grown = realloc(s->parts, s->bytes + more);
    if (!grown)
        return run_driver_failed(caller, CUDA_ERROR_OUT_OF_MEMORY);
    s->parts = grown;
    grown += s->bytes;
    memcpy(grown, sizes, sizeof sizes);
    memcpy(grown + sizeof sizes, name ? name : "", (size_t)sizes[0]);
    memcpy(grown + sizeof sizes + sizes[0], image, (size_t)sizes[1]);
    s->bytes += more;
    s->count++;
    return CUDA_SUCCESS;
}

API CUresult cuLinkAddData_v2(CUlinkState s, int kind, const void *image, size_t n,
                              const char *name, unsigned count, const int *options, void **values)
{
    (void)count, (void)options, (void)values;
    return s && image && n ? add(__func__, s, kind, name, image, n)
                           : run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
}

API CUresult cuLinkAddFile_v2(CUlinkState s, int kind, const char *path, unsigned count,
                              const int *options, void **values)
{
    char *text;
    size_t n;
    (void)count, (void)options, (void)values;
    if (s && is_needless(kind, path))
        return CUDA_SUCCESS;
    CUresult error = s ? run_driver_read(path, &text, &n) : CUDA_ERROR_INVALID_VALUE;
    if (error)
        return run_driver_failed(__func__, error);
    error = add(__func__, s, kind, path, text, n);
    free(text);
    return error;
}

/* What the request leaves is the linked PTX, or why there is none. */
API CUresult cuLinkComplete(CUlinkState s, void **image, size_t *bytes)
{
    if (!s || !image || !bytes || !s->count)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    struct run_message m = REQUEST(LINK, s->count);
    CUresult error = run_driver_with(__func__, &m, s->parts, s->bytes, NULL, 0);
    const size_t n = (size_t)m.number[1];
    if (error) {
        run_driver_log(s->options, n);
        return error;
    }
    free(s->linked);
    s->linked = calloc(1, n + 1);
    struct run_message left = {.what = RUN_LEFT};
    error = s->linked ? (CUresult)run_ask(&left, NULL, 0, s->linked, n)
                      : CUDA_ERROR_OUT_OF_MEMORY;
    if (error)
        return run_driver_failed(__func__, error);
    run_driver_log(s->options, 0);
    *image = s->linked;
    *bytes = n + 1;
    return CUDA_SUCCESS;
}

API CUresult cuLinkDestroy(CUlinkState s)
{
    if (!s)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_HANDLE);
    free(s->parts);
    free(s->linked);
    free(s);
    return CUDA_SUCCESS;
}
