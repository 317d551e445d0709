/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors of the driver API. Most have the number that they have in the runtime.
 */
#include "run/client/driver.h"

static const struct { CUresult number; const char *name; } names[] = {
#define DRIVER_ERROR(number, name) {number, #name},
#include "run/client/driver-errors.def"
#undef DRIVER_ERROR
};

static const struct { CUresult number; const char *text; } texts[] = {
#define ERROR(number, name, text) {number, text},
#include "run/client/errors.def"
#undef ERROR
};

/* Those that only the runtime has. */
CUresult run_driver_result(cudaError_t error)
{
    static const struct { cudaError_t of_runtime; CUresult of_driver; } others[] = {
        {cudaErrorInvalidConfiguration, CUDA_ERROR_INVALID_VALUE},
        {cudaErrorInvalidPitchValue, CUDA_ERROR_INVALID_VALUE},
        {cudaErrorInvalidSymbol, CUDA_ERROR_NOT_FOUND},
        {cudaErrorInvalidHostPointer, CUDA_ERROR_INVALID_VALUE},
        {cudaErrorInvalidDevicePointer, CUDA_ERROR_INVALID_VALUE},
        {cudaErrorInvalidMemcpyDirection, CUDA_ERROR_INVALID_VALUE},
        {cudaErrorInvalidDeviceFunction, CUDA_ERROR_INVALID_HANDLE}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].of_runtime == error)
            return others[i].of_driver;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].number == (CUresult)error)
            return (CUresult)error;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult run_driver_with(const char *name, struct run_message *m, const void *bytes, size_t n,
                         void *reply, size_t room)
{
    CUresult error = run_driver_ready();
    return error ? run_driver_failed(name, error)
                 : (CUresult)run_call_with(name, m, bytes, n, reply, room);
}

CUresult run_driver(const char *name, struct run_message *m)
{
    return run_driver_with(name, m, NULL, 0, NULL, 0);
}

CUresult run_driver_failed(const char *name, CUresult error)
{
    return (CUresult)run_failed(name, (cudaError_t)error);
}

CUresult run_driver_lacking(const char *name)
{
    return (CUresult)run_lacking(name);
}

API CUresult cuGetErrorName(CUresult error, const char **out)
{
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    *out = NULL;
    run_looked_at((cudaError_t)error);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !*out; i++)
        if (names[i].number == error)
            *out = names[i].name;
    return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuGetErrorString(CUresult error, const char **out)
{
    const char *name;
    if (cuGetErrorName(error, &name) != CUDA_SUCCESS) {
        if (out)
            *out = NULL;
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = name;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].number == error)
            *out = texts[i].text;
    return CUDA_SUCCESS;
}
