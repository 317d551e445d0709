/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host's mistakes become faults of the report, as those of kernels do.
 */
#include "run/run.h"

#include "run/libraries/numbers.h"

#include <stdarg.h>
#include <stdio.h>

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

const char *run_error_name(int32_t error)
{
    static const struct { int number; const char *name, *text; } known[] = {
#define ERROR(number, name, text) {number, #name " (" text ")", NULL},
#include "run/client/errors.def"
#undef ERROR
#define STATUS(library, number, name, text)                                                    \
    {library##_STATUSES + number, #name " (" text ")", NULL},
#include "run/libraries/statuses.def"
#undef STATUS
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].number == error)
            return known[i].name;
    return "an unknown error";
}
