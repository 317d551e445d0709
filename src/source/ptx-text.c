/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parser says which lines a function has, and which source line each instruction came from.
 * This file shows the lines of the PTX itself.
 */
#include "source/ptx-text.h"

#include <stdlib.h>
#include <string.h>

/* The module names files by numbers. Each file is asked for once, and kept. */
struct ptx_source {
    bool known;
    struct text_file file;
    struct text_lines lines;
};

int ptx_text_open(struct ptx_text *t, struct err *e)
{
    t->module = ptx_parse(&allocator_libc, t->ptx.text.at, t->ptx.text.n, NULL, e);
    t->sources = t->module ? calloc(t->module->file_count + 1, sizeof *t->sources) : NULL;
    return !t->module ? -1 : t->sources ? 0 : fail_memory(e);
}

void ptx_text_close(struct ptx_text *t)
{
    for (unsigned i = 0; t->sources && i < t->module->file_count; i++)
        text_lines_free(&t->sources[i].lines);
    free(t->sources);
    if (t->module)
        ptx_free(t->module);
    t->sources = NULL;
    t->module = NULL;
}

const struct ptx_function *ptx_text_function(const struct ptx_text *t, const char *name)
{
    const struct ptx_function *f = ptx_function_named(t->module, name);
    return f && f->has_body ? f : NULL;
}

/* ---- what it calls -------------------------------------------------------------------- */

static void add_callees(const struct ptx_text *t, const struct ptx_function *f, bool *known,
                        const struct ptx_function **list, unsigned *count)
{
    for (uint32_t k = 0; k < f->code_count; k++) {
        const struct ptx_instruction *i = &f->code[k];
        for (unsigned o = 0; ptx_is_call(i) && o < i->operand_count; o++) {
            const struct ptx_function *called =
                i->operands[o].kind == PTX_OP_SYMBOL
                    ? ptx_text_function(t, i->operands[o].name) : NULL;
            if (called && !known[called->number]) {
                known[called->number] = true;
                list[(*count)++] = called;
            }
        }
    }
}

static int by_line(const void *a, const void *b)
{
    const struct ptx_function *const *x = a, *const *y = b;
    return ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

const struct ptx_function **ptx_text_called(const struct ptx_text *t, const struct ptx_function *f,
                                            unsigned *count)
{
    const unsigned most = t->module->function_count;
    const struct ptx_function **list = arena_alloc(&t->module->arena, most * sizeof *list);
    bool *known = arena_alloc(&t->module->arena, most * sizeof *known);
    if (!list || !known)
        return NULL;
    list[0] = f;
    known[f->number] = true;
    *count = 1;
    for (unsigned i = 0; i < *count; i++)
        add_callees(t, list[i], known, list, count);
    qsort(list + 1, *count - 1, sizeof *list, by_line);
    return list;
}

/* Is this the call of CUDA's device runtime that launches a kernel? */
static bool is_launch(const struct ptx_instruction *i)
{
    static const char launch[] = "__cudaCDP2LaunchDevice";
    for (unsigned o = 0; ptx_is_call(i) && o < i->operand_count; o++)
        if (i->operands[o].kind == PTX_OP_SYMBOL &&
            strncmp(i->operands[o].name, launch, sizeof launch - 1) == 0)
            return true;
    return false;
}

bool ptx_text_launches(const struct ptx_text *t, const struct ptx_function *f)
{
    unsigned count = 0;
    const struct ptx_function **all = ptx_text_called(t, f, &count);
    for (unsigned i = 0; all && i < count; i++)
        for (uint32_t k = 0; k < all[i]->code_count; k++)
            if (is_launch(&all[i]->code[k]))
                return true;
    return false;
}

/* ---- origins -------------------------------------------------------------------------- */

static struct ptx_origin origin_at(const struct ptx_text *t, int file, int line)
{
    struct ptx_origin o = {NULL, 0, {"", 0}};
    struct err ignored;
    if (line <= 0 || file <= 0 || (unsigned)file >= t->module->file_count ||
        !t->module->files[file])
        return o;
    struct ptx_source *source = &t->sources[file];
    if (!source->known) {
        source->file = t->source(t->ctx, t->module->files[file]);
        if (source->file.name)
            text_lines(&source->lines, source->file.text.at, source->file.text.n, &ignored);
        source->known = true;
    }
    if ((unsigned)line > source->lines.count)
        return o;
    o.text = trim(source->lines.line[line - 1]);
    o.file = o.text.n ? source->file.name : NULL;
    o.line = line;
    return o;
}

struct ptx_origin ptx_text_origin(const struct ptx_text *t, const struct ptx_instruction *i)
{
    struct ptx_origin o = origin_at(t, i->file, i->line);
    for (const struct ptx_call *c = i->call; c && !o.file; c = c->outer)
        o = origin_at(t, c->file, c->line);
    return o;
}

bool ptx_same_origin(const struct ptx_origin *a, const struct ptx_origin *b)
{
    return a->file && b->file && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* ---- lines ---------------------------------------------------------------------------- */

/* Writes the source line of an instruction, once for each run of instructions that came from it. */
static void add_origin(struct buf *out, const struct ptx_text *t, const struct ptx_instruction *i,
                       struct ptx_origin *last)
{
    struct ptx_origin here = ptx_text_origin(t, i);
    if (!here.file || ptx_same_origin(&here, last))
        return;
    buf_printf(out, "    // %s:%d  %.*s\n", base_name(here.file), here.line,
               (int)here.text.n, here.text.at);
    *last = here;
}

void ptx_text_lines(const struct ptx_text *t, const struct ptx_function *f, struct buf *out)
{
    struct span rest = t->ptx.text, line;
    struct ptx_origin last = {NULL, 0, {"", 0}};
    uint32_t next = 0;
    bool blank = false;
    for (int number = 1; number <= f->end_line && next_line(&rest, &line); number++) {
        struct span bare = trim(line);
        if (number < f->line || begins(bare, ".loc ") || begins(bare, ".loc\t") ||
            (blank && !bare.n))
            continue;
        while (next < f->code_count && f->code[next].ptx_line < number)
            next++;
        if (next < f->code_count && f->code[next].ptx_line == number)
            add_origin(out, t, &f->code[next], &last);
        buf_printf(out, "%.*s\n", (int)line.n, line.at);
        blank = bare.n == 0;
    }
}
