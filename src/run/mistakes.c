/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host's mistakes become faults of the report, as those of kernels do.
 */
#include "run/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void run_mistake(struct run *r, const char *kind, const struct run_place *at, bool benign,
                 const char *fmt, ...)
{
    struct fault f = {.benign = benign, .count = 1, .has_place = at->line > 0,
                      .of_host = true};
    struct launch_result found = {.faults = &f, .fault_count = 1};
    va_list args;
    snprintf(f.kind, sizeof f.kind, "%s", kind);
    va_start(args, fmt);
    vsnprintf(f.message, sizeof f.message, fmt, args);
    va_end(args);
    snprintf(f.at.file, sizeof f.at.file, "%s", at->file);
    f.at.line = at->line;
    report_found(r->report, &found);
}

enum family { OF_RUNTIME, OF_DRIVER, OF_NVRTC };

static enum family family_of(const char *function)
{
    bool is_driver = strncmp(function, "cu", 2) == 0 && strncmp(function, "cuda", 4) != 0;
    return strncmp(function, "nvrtc", 5) == 0 ? OF_NVRTC : is_driver ? OF_DRIVER : OF_RUNTIME;
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
                                        [OF_NVRTC] = "NVRTC_ERROR_INTERNAL_ERROR"};
    return names[family_of(function)];
}
