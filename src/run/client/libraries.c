/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What our libraries in place of NVIDIA's call (run/libraries/library.h): their kernels are
 * registered, and their statuses and mistakes are told as those of the runtime are.
 */
#include "run/client/client.h"

#include <string.h>

API void **cudalab_library(const char *bytes, size_t n)
{
    return run_register(bytes, n);
}

/* The functions of cuBLAS have names that the program does not see, as cublasSaxpy_v2. */
static const char *name_of(const char *call, char room[64])
{
    const char *end = strstr(call, "_v2");
    size_t n = end ? (size_t)(end - call) : strlen(call);
    n = n < 63 ? n : 63;
    memcpy(room, call, n);
    room[n] = '\0';
    return room;
}

API void cudalab_failed(const char *call, int number)
{
    char name[64];
    run_failed_in_library(name_of(call, name), number);
}

API void cudalab_looked_at(int number)
{
    run_looked_at((cudaError_t)number);
}

API void cudalab_lacking(const char *call)
{
    char name[64];
    struct run_message m = {.what = RUN_LACKING};
    name_of(call, name);
    run_ask(&m, name, strlen(name), NULL, 0);
}

API void cudalab_mistake(const char *kind, const char *text)
{
    char both[400];
    struct run_message m = {.what = RUN_MISTAKE};
    size_t n = strlen(kind) + 1, more = strlen(text);
    if (n + more > sizeof both)
        return;
    memcpy(both, kind, n);
    memcpy(both + n, text, more);
    run_ask(&m, both, n + more, NULL, 0);
}
