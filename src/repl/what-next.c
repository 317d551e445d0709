/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines are sections of help/load.txt and help/launch.txt, with slots for names. They are shown
 * to whoever types at the prompt. A script's output has nothing of them.
 */
#include "repl/what-next.h"

#include "dev/checks.h"
#include "labkit/run.h"
#include "own/arrays.h"
#include "own/cause.h"
#include "own/type-text.h"
#include "screen/wrap.h"
#include "source/ptx-text.h"
#include "text/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_COUNT = 1000, USUAL_BLOCK = 256, SMALL_COUNT = 8, LAUNCH_COLUMN = 15 };

struct what_next {
    struct buf arrays_text, launch_text; /* for the two slots below */
    const char *arrays, *launch, *array, *file;
    int line;
};

static const struct fact facts[] = {
    {FACT(struct what_next, arrays)},
    {FACT(struct what_next, launch)},
    {FACT(struct what_next, array), .if_set = true},
    {FACT(struct what_next, file)},
    {FACT(struct what_next, line)},
    {.label = NULL},
};

static bool is_const(const char *type)
{
    return strncmp(type, "const ", 6) == 0;
}

/* The type of the elements that a pointer points to, as `array` takes it; false: it takes none. */
static bool array_type(const char *type, char out[TYPE_ROOM])
{
    char bare[TYPE_ROOM];
    enum element ignored;
    type_bare(type, bare);
    return type_pointee(bare, out) && element_named(out, &ignored) == 0 && !strchr(out, ' ');
}

/* ---- after load ------------------------------------------------------------------------ */

/* A value for a parameter that is no pointer; NULL: there is no simple one. */
static const char *scalar_for(const char *type, uint64_t count, char text[NUM_TEXT])
{
    char bare[TYPE_ROOM];
    enum element e;
    type_bare(type, bare);
    if (element_named(bare, &e) != 0)
        return NULL;
    if (element_kind(e) == KIND_FLOAT)
        return "2";
    snprintf(text, NUM_TEXT, "%" PRIu64, element_size(e) < 4 ? 1 : count);
    return text;
}

/* An argument for the i-th parameter. An array that is not there yet gets a line of its own. */
static int add_argument(const struct session *s, const struct unit_kernel *k, unsigned i,
                        uint64_t count, struct what_next *w)
{
    char element[TYPE_ROOM], number[NUM_TEXT];
    struct err ignored;
    const char *type = unit_param_type(k, i), *name = unit_param_name(k, i);
    const char *value = scalar_for(type, count, number);
    const bool pointer = array_type(type, element);
    if (pointer && name && !array_named(s, name)) {
        if (array_name_check(name, &ignored) != 0)
            return -1;
        buf_printf(&w->arrays_text, "array %s %s %" PRIu64 " %s\n", name, element, count,
                   is_const(type) ? "iota" : "zero");
    }
    if (pointer && name && !is_const(type))
        w->array = name;
    if (pointer ? !name : !value)
        return -1;
    buf_printf(&w->launch_text, "%s%s", i ? ", " : "", pointer ? name : value);
    return 0;
}

/* Does the kernel's code launch kernels? */
static bool launches_kernels(const struct unit *u, const struct unit_kernel *k)
{
    const struct buf *ptx = unit_ptx(u);
    struct ptx_text text = {.ptx = {u->path, {buf_text(ptx), ptx->len}}};
    struct err ignored;
    if (!strstr(buf_text(ptx), "__cudaCDP2LaunchDevice"))
        return false;
    const struct ptx_function *f = ptx_text_open(&text, &ignored) == 0
                                       ? ptx_text_function(&text, k->info.name)
                                       : NULL;
    const bool launches = f && ptx_text_launches(&text, f);
    ptx_text_close(&text);
    return launches;
}

/* As many elements as the first array has that is there already. */
static uint64_t usual_count(const struct session *s, const struct unit_kernel *k)
{
    for (unsigned i = 0; i < k->info.param_count; i++) {
        const char *name = unit_param_name(k, i);
        const struct array *a = name ? array_named(s, name) : NULL;
        if (a)
            return a->count;
    }
    return USUAL_COUNT;
}

/* A launch of the kernel, and the arrays that it lacks. Each thread of a kernel that launches
 * kernels may do so, and these do it again, so one thread and small numbers are enough. */
static int put_launch(const struct session *s, const struct unit *u, const struct unit_kernel *k,
                      struct what_next *w)
{
    const bool small = launches_kernels(u, k);
    const uint64_t usual = usual_count(s, k);
    const uint64_t count = small && usual > SMALL_COUNT ? SMALL_COUNT : usual;
    int rc = 0;
    buf_printf(&w->launch_text, "%s<<<%" PRIu64 ", %d>>>(", k->shown,
               small ? 1 : (count + USUAL_BLOCK - 1) / USUAL_BLOCK, small ? 1 : USUAL_BLOCK);
    for (unsigned i = 0; rc == 0 && i < k->info.param_count; i++)
        rc = add_argument(s, k, i, count, w);
    buf_puts(&w->launch_text, ")");
    return rc;
}

bool what_next_launch(const struct session *s, const struct unit *u, const struct unit_kernel *k,
                      struct buf *out)
{
    struct what_next w = {.file = ""};
    const bool simple = put_launch(s, u, k, &w) == 0;
    if (simple)
        buf_puts(out, buf_text(&w.launch_text));
    buf_free(&w.arrays_text);
    buf_free(&w.launch_text);
    return simple;
}

void what_next_loaded(const struct session *s, const struct unit *u, struct report *r)
{
    struct what_next w = {.file = u->path};
    struct slots slots = {0};
    const struct unit_kernel *k = u->kernel_count ? &u->kernels[0] : NULL;
    int rc = k && r->told ? 0 : -1;
    buf_puts(&w.launch_text, "launch ");
    if (rc == 0)
        rc = put_launch(s, u, k, &w);
    w.arrays = buf_text(&w.arrays_text);
    w.launch = buf_text(&w.launch_text);
    slots_facts(&slots, facts, &w);
    if (rc == 0) {
        say(r, "\n");
        explain_try(r, "load", w.array ? "loaded" : "alone", &slots);
    }
    buf_free(&w.arrays_text);
    buf_free(&w.launch_text);
}

/* ---- after launch ---------------------------------------------------------------------- */

/* The array that the kernel most likely wrote: the last that it may write; NULL: there is none. */
static const char *result_of(const struct session *s, const struct unit_kernel *k,
                             const struct own_call *c)
{
    const char *result = NULL;
    for (unsigned i = 0; i < c->arg_count && i < k->info.param_count; i++)
        if (array_named(s, c->args[i].text) && !is_const(unit_param_type(k, i)))
            result = c->args[i].text;
    return result;
}

void what_next_launched(const struct session *s, const struct unit_kernel *k,
                        const struct own_call *c, unsigned checks, struct report *r)
{
    struct what_next w = {.array = result_of(s, k, c)};
    struct slots slots = {0};
    struct buf names = {0};
    if (!r->told || session_on_gpu(s))
        return;
    checks_put(checks, &names);
    say(r, "  %-13s", "checked");
    if (names.len)
        say_wrapped(r, LAUNCH_COLUMN, "no mistake found, by the checkers %s (help checks)",
                    buf_text(&names));
    else
        say_wrapped(r, LAUNCH_COLUMN, "nothing: no checker was on");
    slots_facts(&slots, facts, &w);
    explain_try(r, "launch", w.array ? "ended" : "silent", &slots);
    buf_free(&names);
}

void what_next_stopped(const struct session *s, const struct unit_kernel *k,
                       const struct own_call *c, struct report *r)
{
    char file[ERR_SOURCE];
    struct slots slots = {0};
    const char *colon = strrchr(r->error.source, ':');
    struct what_next w = {.array = result_of(s, k, c), .line = colon ? atoi(colon + 1) : 0};
    if (!r->told || !w.line)
        return;
    snprintf(file, sizeof file, "%.*s", (int)(colon - r->error.source), r->error.source);
    struct span line = trim(line_at(kernel_source(s, file), w.line));
    if (line.n) {
        say(r, "       %6d  ", w.line);
        code_wrap(&r->screen, line.at, line.n, r->width, "               ");
    }
    slots_facts(&slots, facts, &w);
    explain_why(r, "launch", "stopped", &slots);
    explain_try(r, "launch", w.array ? "stopped" : "halted", &slots);
}
