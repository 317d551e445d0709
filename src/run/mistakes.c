/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host's mistakes become faults of the report, as those of kernels do.
 */
#include "run/run.h"

#include "run/libraries/numbers.h"

#include <stdarg.h>
#include <stdio.h>

static void put_place(struct fault_place *to, const struct run_place *from)
{
    snprintf(to->file, sizeof to->file, "%s", from->file);
    to->line = from->line;
}

static void add(struct run *r, const char *kind, struct fault *f, const char *fmt, va_list args)
{
    const struct launch_result found = {.faults = f, .fault_count = 1};
    f->count = 1;
    f->of_host = true;
    snprintf(f->kind, sizeof f->kind, "%s", kind);
    vsnprintf(f->message, sizeof f->message, fmt, args);
    report_found(r->report, &found);
}

void run_mistake(struct run *r, const char *kind, const struct run_place *at, bool benign,
                 const char *fmt, ...)
{
    struct fault f = {.benign = benign, .has_place = at->line > 0};
    va_list args;
    put_place(&f.at, at);
    va_start(args, fmt);
    add(r, kind, &f, fmt, args);
    va_end(args);
}

void run_mistake_of_two(struct run *r, const char *kind, const struct run_place *at,
                        const struct run_place *other, const char *fmt, ...)
{
    struct fault f = {.has_place = at->line > 0, .has_other = other->line > 0};
    va_list args;
    put_place(&f.at, at);
    put_place(&f.other, other);
    va_start(args, fmt);
    add(r, kind, &f, fmt, args);
    va_end(args);
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
