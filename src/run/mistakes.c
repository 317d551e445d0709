/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host's mistakes become faults of the report, as those of kernels do.
 */
#include "run/run.h"

#include "run/libraries/numbers.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void put_place(struct fault_place *to, const struct run_place *from)
{
    path_put(to->file, sizeof to->file, from->file);
    to->line = from->line;
}

static void add(struct run *r, const char *kind, struct fault *f, const struct run_place *at,
                const char *fmt, va_list args)
{
    const struct launch_result found = {.faults = f, .fault_count = 1};
    put_place(&f->at, at);
    f->has_place = at->line > 0;
    f->count = 1;
    f->of_host = true;
    snprintf(f->kind, sizeof f->kind, "%s", kind);
    vsnprintf(f->message, sizeof f->message, fmt, args);
    report_found(r->report, &found);
    r->blamed = at->call;
}

void run_mistake(struct run *r, const char *kind, const struct run_place *at, bool benign,
                 const char *fmt, ...)
{
    struct fault f = {.benign = benign};
    va_list args;
    va_start(args, fmt);
    add(r, kind, &f, at, fmt, args);
    va_end(args);
}

void run_mistake_with_cure(struct run *r, const char *kind, const char *cure,
                           const struct run_place *at, const char *fmt, ...)
{
    struct fault f = {.cure = cure};
    va_list args;
    va_start(args, fmt);
    add(r, kind, &f, at, fmt, args);
    va_end(args);
}

void run_mistake_of_two(struct run *r, const char *kind, const struct run_place *at,
                        const struct run_place *other, const char *fmt, ...)
{
    struct fault f = {.has_other = other->line > 0};
    va_list args;
    put_place(&f.other, other);
    va_start(args, fmt);
    add(r, kind, &f, at, fmt, args);
    va_end(args);
}

enum family { OF_RUNTIME, OF_DRIVER, OF_NVRTC, OF_LIBRARY };

static enum family family_of(const char *function)
{
    bool is_driver = strncmp(function, "cu", 2) == 0 && isupper((unsigned char)function[2]);
    bool is_runtime = strncmp(function, "cuda", 4) == 0 || strncmp(function, "__cuda", 6) == 0;
    return strncmp(function, "nvrtc", 5) == 0 ? OF_NVRTC
           : is_driver ? OF_DRIVER : is_runtime ? OF_RUNTIME : OF_LIBRARY;
}

struct error_name { int number; const char *name; };

static const char *find_name(const struct error_name *all, size_t count, int32_t error)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].number == error)
            return all[i].name;
    return "an unknown error";
}

const char *run_error_name(const char *function, int32_t error)
{
    static const struct error_name of_runtime[] = {
#define ERROR(number, name, text) {number, #name " (" text ")"},
#include "run/client/errors.def"
#undef ERROR
#define STATUS(library, number, name, text) {library##_STATUSES + number, #name " (" text ")"},
#include "run/libraries/statuses.def"
#undef STATUS
    };
    static const struct error_name of_driver[] = {
#define DRIVER_ERROR(number, name) {number, #name},
#include "run/client/driver-errors.def"
#undef DRIVER_ERROR
    };
    static const struct error_name of_nvrtc[] = {
#define NVRTC_RESULT(number, name) {number, #name},
#include "run/client/nvrtc-errors.def"
#undef NVRTC_RESULT
    };
#define FIND(all) find_name(all, sizeof all / sizeof all[0], error)
    switch (family_of(function)) {
    case OF_DRIVER: return FIND(of_driver);
    case OF_NVRTC: return FIND(of_nvrtc);
    default: return FIND(of_runtime);
    }
#undef FIND
}

const char *run_lacking_error(const char *function)
{
    static const char *const names[] = {[OF_RUNTIME] = "cudaErrorNotSupported",
                                        [OF_DRIVER] = "CUDA_ERROR_NOT_SUPPORTED",
                                        [OF_NVRTC] = "NVRTC_ERROR_INTERNAL_ERROR",
                                        [OF_LIBRARY] = "an error"};
    return names[family_of(function)];
}
