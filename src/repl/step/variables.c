/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local variables by their names in a stepped launch, where the kernel was loaded with --debug.
 * What they are follows from step/names.h; here they are shown by lane, and given to expressions.
 */
#include "repl/step/variables.h"

#include "repl/step/frames.h"
#include "step/names.h"

#include <stdio.h>
#include <string.h>

enum { VARIABLES_MOST = 64 };

/* Only the text that was compiled: a file on the disk may have changed since then. */
static bool source_at(void *ctx, const char *path, struct source_text *out)
{
    struct stepped *st = ctx;
    const struct unit *u = st->sources.unit;
    const struct text_file file = u && u->source.len ? sources_find(&st->sources, path)
                                                     : (struct text_file){0};
    *out = (struct source_text){file.text.at, file.text.n};
    return file.name && file.text.at == sources_of_kernel(&st->sources).text.at;
}

void variables_begin(struct stepped *st, const struct unit *u)
{
    const struct buf *ptx = u ? unit_ptx(u) : NULL;
    struct err ignored; /* most PTX has no names */
    st->names = ptx ? names_read(buf_text(ptx), ptx->len, &ignored) : NULL;
    if (st->names)
        names_set_source(st->names, source_at, st);
}

/* A type that is a number: one row has it for all lanes. An address tells nothing. */
static bool is_number(const struct name_type *t)
{
    return t && t->bytes <= sizeof(uint64_t) && t->kind != NAME_UNKNOWN &&
           t->kind != NAME_POINTER && t->kind != NAME_ARRAY && t->kind != NAME_STRUCT;
}

static bool is_listed(const struct name_variable *all, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0)
            return true;
    return false;
}

/* The variables where these lanes stand, the innermost scope's first. In a calling function those
 * of functions further in are none of them. */
static size_t variables_of(struct stepped *st, const struct lane_place *p,
                           struct name_variable out[VARIABLES_MOST])
{
    size_t kept = 0;
    if (!st->names || !p->at)
        return 0;
    const size_t n = names_at(st->names, p->at->function, p->at->ptx_line, out, VARIABLES_MOST);
    for (size_t i = 0; i < n && i < VARIABLES_MOST; i++) {
        const bool hidden = p->inlined ? is_listed(out, kept, out[i].name) : out[i].is_hidden;
        if (hidden || out[i].inlined < p->inlined || !is_number(names_shown(&out[i])))
            continue;
        out[kept] = out[i];
        out[kept++].calls = p->calls;
    }
    return kept;
}

static bool value_of(const struct stepped *st, const struct lane_place *p, unsigned lane,
                     const struct name_variable *v, unsigned char bytes[sizeof(uint64_t)])
{
    memset(bytes, 0, sizeof(uint64_t));
    return names_value(stepper_run(st->stepper), p->block, p->warp, lane, v, bytes,
                       sizeof(uint64_t));
}

/* ---- the view ------------------------------------------------------------------------------- */

static int say_variable(struct stepped *st, const struct lane_place *p,
                        const struct name_variable *v, struct report *r)
{
    struct lane_text text[STEP_LANES];
    unsigned char bytes[sizeof(uint64_t)];
    uint32_t has = 0;
    for (unsigned lane = 0; lane < STEP_LANES; lane++)
        if ((p->lanes >> lane & 1) && value_of(st, p, lane, v, bytes)) {
            struct buf shown = {0};
            names_print(names_shown(v), bytes, &shown);
            snprintf(text[lane].text, sizeof text[lane].text, "%s", buf_text(&shown));
            buf_free(&shown);
            has |= UINT32_C(1) << lane;
        }
    return has ? stepping_say_row(r, v->name, text, has) : 0;
}

/* The place of the group, in the chosen frame. */
static bool place_of(struct stepped *st, const struct step_group *g, struct lane_place *p)
{
    for (unsigned lane = 0; g && lane < STEP_LANES; lane++)
        if (g->mask >> lane & 1)
            return frames_place(st, lane, p);
    return false;
}

int variables_say(struct stepped *st, const struct step_group *g, int most, struct report *r)
{
    struct name_variable all[VARIABLES_MOST];
    struct buf away = {0};
    struct lane_place p;
    const size_t count = place_of(st, g, &p) ? variables_of(st, &p, all) : 0;
    int lines = 0;
    for (size_t i = 0; i < count; i++) {
        const struct name_variable *v = &all[i];
        if (v->where == NAME_AWAY)
            buf_printf(&away, "%s%s", away.len ? ", " : "", v->name);
        else if (lines < most)
            lines += say_variable(st, &p, v, r);
    }
    if (away.len && lines < most) {
        say_wrapped(r, 0, "The compiler keeps no value here of: %s.", buf_text(&away));
        lines++;
    }
    buf_free(&away);
    return lines;
}

void variables_json(struct stepped *st, const struct step_group *g, struct json *j)
{
    struct name_variable all[VARIABLES_MOST];
    struct lane_place p;
    const size_t count = place_of(st, g, &p) ? variables_of(st, &p, all) : 0;
    if (!st->names)
        return;
    json_object(j, "variables");
    for (size_t i = 0; i < count; i++) {
        struct lane_number n;
        json_array(j, all[i].name);
        for (unsigned lane = 0; lane < STEP_LANES; lane++)
            if (!(p.lanes >> lane & 1) || !variable_in(st, &p, lane, &all[i], &n))
                json_null(j, NULL);
            else if (n.is_real)
                json_f64(j, NULL, n.real);
            else
                json_int(j, NULL, n.whole);
        json_end_array(j);
    }
    json_end_object(j);
}

/* ---- expressions ------------------------------------------------------------------------------
 */

struct lane_number variable_number(const struct name_type *t, const unsigned char *bytes)
{
    struct lane_number n = {.is_real = t->kind == NAME_FLOAT};
    const enum element real = t->bytes == 2   ? ELEMENT_F16
                              : t->bytes == 4 ? ELEMENT_F32
                                              : ELEMENT_F64;
    uint64_t bits = 0;
    memcpy(&bits, bytes, (size_t)t->bytes);
    const unsigned above = (unsigned)(sizeof bits - t->bytes) * 8;
    if (n.is_real)
        n.real = element_real(real, bytes);
    else if (t->kind == NAME_SIGNED || t->kind == NAME_CHAR)
        n.whole = (int64_t)(bits << above) >> above;
    else
        n.whole = (int64_t)bits;
    return n;
}

enum variable_found variable_at(struct stepped *st, const struct lane_place *p, const char *name,
                                struct name_variable *out)
{
    struct name_variable all[VARIABLES_MOST];
    const size_t count = variables_of(st, p, all);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0) {
            *out = all[i];
            return out->where == NAME_AWAY      ? VARIABLE_AWAY
                   : out->state == NAME_NOT_SET ? VARIABLE_NOT_SET
                                                : VARIABLE_VALUE;
        }
    return NO_VARIABLE;
}

bool variable_in(const struct stepped *st, const struct lane_place *p, unsigned lane,
                 const struct name_variable *v, struct lane_number *out)
{
    unsigned char bytes[sizeof(uint64_t)];
    const bool has = value_of(st, p, lane, v, bytes);
    if (has)
        *out = variable_number(names_shown(v), bytes);
    return has;
}

bool variables_have(const struct stepped *st, const char *name)
{
    return st->names && names_have(st->names, name);
}

void variables_try(const struct stepped *st, struct near *n)
{
    if (st->names)
        names_try(st->names, n);
}
