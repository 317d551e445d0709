/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes that are numbers of elements where CUDA wants bytes. The call itself is allowed, so it is
 * only told where the text has the same number as one of elements. A kernel that later uses what is
 * missing is told which call was too short.
 */
#include "run/area.h"

#include "cudalab_runtime_types.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- copies and fills ------------------------------------------------------------------ */

/* One side of a copy or a fill. */
struct run_side { uint64_t at, width, height, depth, pitch; };

static struct run_side side_of(const struct run_message *m, bool is_to)
{
    const uint64_t *n = m->number;
    if (m->what == RUN_FILL)
        return (struct run_side){n[FILL_TO], n[FILL_WIDTH], n[FILL_HEIGHT], 1, n[FILL_PITCH]};
    return (struct run_side){n[is_to ? COPY_TO : COPY_FROM], n[COPY_WIDTH], n[COPY_HEIGHT],
                         n[COPY_DEPTH], n[is_to ? COPY_ROW_TO : COPY_ROW_FROM]};
}

static bool is_symbol(const struct run_message *m)
{
    return m->what == RUN_COPY && m->number[COPY_SYMBOL];
}

/* For run_find_cause(): a call that writes the first bytes of an array or of its rows, and no
 * others. */
static void note(struct run *r, const struct run_message *m)
{
    const struct run_side to = side_of(m, true);
    struct run_area *a = is_symbol(m) ? NULL : area_at(r, to.at, false);
    if (!a)
        return;
    const bool rows = to.height > 1;
    const bool first_part = to.at == a->address && to.depth == 1 &&
                            to.width < (rows ? to.pitch : a->bytes);
    a->cut_bytes = first_part ? to.width : 0;
    a->cut_pitch = first_part && rows ? to.pitch : 0;
    a->cut_fills = m->what == RUN_FILL;
    if (first_part)
        a->cut = run_place_of(r, m);
}

static bool counts_elements(const struct run *r, const struct run_message *m,
                            const struct run_place *at)
{
    if (m->what == RUN_FILL)
        return m->number[FILL_HEIGHT] == 1 && run_counts_elements(r, at, "cudaMemsetAsync");
    if (m->number[COPY_HEIGHT] > 1)
        return run_counts_elements(r, at, "cudaMemcpy2DAsync");
    return is_symbol(m) ? run_counts_elements(r, at, "cudaMemcpyToSymbolAsync") ||
                              run_counts_elements(r, at, "cudaMemcpyFromSymbolAsync")
                        : run_counts_elements(r, at, "cudaMemcpyAsync");
}

/* A call from the start of an array on, or from that of its rows, whose number of bytes is that of
 * the elements. */
void run_find_short(struct run *r, const struct run_message *m)
{
    const bool fills = m->what == RUN_FILL;
    note(r, m);
    for (int i = 0; i < (fills ? 1 : 2); i++) {
        const struct run_side s = side_of(m, i == 0);
        const struct run_area *a = area_at(r, s.at, false);
        const bool rows = s.height > 1;
        const uint64_t all = rows ? s.pitch : a ? a->bytes : 0;
        const uint64_t each = s.width ? all / s.width : 0;
        if (s.depth != 1 || each < 2 || each > 64 || all != each * s.width ||
            (!rows && a->address != s.at))
            continue;
        const struct run_place place = run_place_of(r, m);
        if (!counts_elements(r, m, &place))
            continue;
        run_mistake(r, "elements-for-bytes", &place, false,
                    "the %s has %" PRIu64 " of the %" PRIu64 " bytes of %s; %" PRIu64
                    " is the number of its elements", fills ? "fill" : "copy", s.width, all,
                    rows ? "a row" : area_name(a), s.width);
        return;
    }
}

void run_find_past_room(struct run *r, const struct run_message *m)
{
    static const char *const what[ROOMS][2] = {
        [ROOM_HEAP] = {"memory of malloc or new with room for", ""},
        [ROOM_STACK] = {"a local variable,", " before the end of its function's stack frame"},
        [ROOM_VARIABLE] = {"a variable with room for", ""}};
    const struct run_place place = run_place_of(r, m);
    const char *const *words = what[m->number[3] < ROOMS ? m->number[3] : ROOM_HEAP];
    run_mistake_with_cure(r, "copy-too-large", "host-too-small", &place,
                          "the copy has %" PRIu64 " bytes, and its %s is %s %" PRIu64 " bytes%s",
                          m->number[1], m->number[0] ? "destination" : "source", words[0],
                          m->number[2], words[1]);
}

/* ---- what a kernel finds later --------------------------------------------------------- */

static void append(struct fault *f, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void append(struct fault *f, const char *fmt, ...)
{
    const size_t length = strlen(f->message);
    va_list args;
    va_start(args, fmt);
    vsnprintf(f->message + length, sizeof f->message - length, fmt, args);
    va_end(args);
}

/* The kernel reads what a copy or a fill has left out. */
static void find_cut(const struct run_area *a, struct fault *f)
{
    const uint64_t byte = f->address - a->address;
    if (!a->cut_bytes || !a->cut.line ||
        (a->cut_pitch ? byte % a->cut_pitch : byte) < a->cut_bytes)
        return;
    const char *const what = a->cut_fills ? "fill" : "copy";
    if (a->cut_pitch)
        append(f, "; the %s of line %d has only %" PRIu64 " bytes of each row", what, a->cut.line,
               a->cut_bytes);
    else
        append(f, "; the %s of line %d has only %" PRIu64 " of its %" PRIu64 " bytes", what,
               a->cut.line, a->cut_bytes, a->bytes);
}

/* The array that a fault names; NULL: none, or calls of several lines gave arrays of this name. */
static const struct run_area *area_named(const struct run *r, const char *name)
{
    const struct run_area *found = NULL;
    for (size_t i = 0; i < r->area_count; i++) {
        const struct run_area *a = &r->areas[i];
        if (a->freed || a->away || !name[0] || strcmp(a->name, name) != 0)
            continue;
        if (found && (found->got.line != a->got.line || found->pitch != a->pitch))
            return NULL;
        found = a;
    }
    return found;
}

/* The kernel goes past the end of what cudaMalloc or cudaMallocPitch gave. */
static void find_size(const struct run *r, const struct run_area *a, struct fault *f)
{
    if (a->pitch) {
        append(f, "; the pitch of %s is %" PRIu64 " bytes", a->name, a->pitch);
        f->cure = "pitch-bytes";
    } else if (run_counts_elements(r, &a->got, "cudaMalloc")) {
        append(f, "; %" PRIu64 ", the size in line %d, looks like a number of elements",
               a->bytes, a->got.line);
        f->cure = "elements-for-bytes";
    }
}

void run_find_cause(const struct run *r, struct fault *f)
{
    const struct run_area *a = f->has_address ? area_at(r, f->address, false) : NULL;
    if (a && strcmp(f->kind, "uninitialized") == 0)
        find_cut(a, f);
    const struct run_area *named = area_named(r, f->array);
    if (named && strcmp(f->kind, "out-of-bounds") == 0)
        find_size(r, named, f);
}
