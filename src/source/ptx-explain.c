/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file puts words beside instructions. It also finds what takes several instructions: the
 * number of a thread in the grid, which nearly every kernel computes first.
 */
#include "source/ptx-explain.h"

#include "base/hash.h"
#include "base/names.h"
#include "cxx/name.h"
#include "text/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TWO_COLUMNS = 80, /* the narrowest screen that has room for two */
    INDENT = 4, WORDS_COLUMN = 38, WORDS_UNDER = 8, GAP = 2
};

/* ---- names ---------------------------------------------------------------------------- */

/* Gives the name that is shown; _ZZ3sumE1s is s. NULL: the name of the PTX is shown. */
static const char *variable_shown(const char *name, struct arena *arena)
{
    if (strncmp(name, "__local_depot", 13) == 0)
        return "this thread's local memory";
    return cxx_variable(name, arena);
}

static const char *function_shown(const char *name, struct arena *arena)
{
    struct cxx_name cxx;
    if (strcmp(name, "vprintf") == 0)
        return "printf";
    return cxx_read(name, arena, &cxx) == 0 ? cxx.full : NULL;
}

static void add_name(struct ptx_names *names, struct ptx_name *list, const char *ptx,
                     const char *shown)
{
    if (shown)
        list[names->count++] = (struct ptx_name){ptx, shown};
}

static unsigned variable_count(const struct ptx_variable *v)
{
    unsigned n = 0;
    for (; v; v = v->next)
        n++;
    return n;
}

static void add_variables(struct ptx_names *names, struct ptx_name *list,
                          const struct ptx_variable *v, struct arena *arena)
{
    for (; v; v = v->next)
        if (v->space != PTX_REG)
            add_name(names, list, v->name, variable_shown(v->name, arena));
}

/* A parameter without a known name is called "number 2 of twice(float)". */
static const char *parameter_number(const char *function, unsigned i, struct arena *arena)
{
    char text[400];
    int n = snprintf(text, sizeof text, "number %u of %.300s", i + 1, function);
    return arena_text(arena, text, (size_t)n);
}

/* The names that only this function has. Other functions may have the same ones. */
static void add_own_names(struct ptx_names *names, struct ptx_name *list,
                          const struct ptx_function *f, const char *const *params,
                          struct arena *arena)
{
    const char *shown = function_shown(f->name, arena);
    unsigned i = 0;
    for (const struct ptx_variable *v = f->params; v && i < f->param_count; v = v->next, i++)
        add_name(names, list, v->name,
                 params && params[i] ? params[i]
                                     : parameter_number(shown ? shown : f->name, i, arena));
    add_variables(names, list, f->variables, arena);
}

int ptx_names_of(const struct ptx_text *t, const struct ptx_function *kernel,
                 const char *const *params, struct arena *arena, struct ptx_names *out)
{
    unsigned most = variable_count(t->module->variables) + 1;
    for (const struct ptx_function *f = t->module->functions; f; f = f->next)
        most += 1 + (f == kernel ? f->param_count + variable_count(f->variables) : 0);
    struct ptx_name *list = arena_alloc(arena, most * sizeof *list);
    *out = (struct ptx_names){list, 0};
    if (!list)
        return -1;
    add_variables(out, list, t->module->variables, arena);
    for (const struct ptx_function *f = t->module->functions; f; f = f->next) {
        add_name(out, list, f->name, function_shown(f->name, arena));
        if (f == kernel)
            add_own_names(out, list, f, params, arena);
    }
    names_sort(list, out->count, sizeof *list);
    return 0;
}

/* ---- the thread's number in the grid -------------------------------------------------- */

struct grid_index {
    const struct ptx_instruction *at; /* NULL: there is none */
    char axis;
    struct span variable; /* in the source; n 0: not known */
};

static struct span instruction_text(const struct ptx_instruction *i)
{
    return (struct span){i->text, strlen(i->text)};
}

/* This table says what each register was last copied from. It is a hash table by registers'
 * names. */
struct ptx_copies {
    struct copy {
        const char *to, *from;
    } *all;
    size_t mask;
};

static struct copy *copy_to(const struct ptx_copies *c, const char *name)
{
    size_t h = (size_t)hash_bytes(HASH_START, name, strlen(name)) & c->mask;
    while (c->all[h].to && strcmp(c->all[h].to, name) != 0)
        h = (h + 1) & c->mask;
    return &c->all[h];
}

/* Makes room for a copy by each instruction. -1: out of memory. */
static int copies_begin(struct ptx_copies *c, const struct ptx_function *f)
{
    for (c->mask = 15; c->mask < 2 * (size_t)f->code_count;)
        c->mask = 2 * c->mask + 1;
    c->all = calloc(c->mask + 1, sizeof *c->all);
    return c->all ? 0 : -1;
}

static void note_copy(struct ptx_copies *c, const struct ptx_instruction *i)
{
    const struct ptx_operand *to = i->operands;
    if (strncmp(i->opcode, "mov.", 4) != 0 || i->operand_count != 2 ||
        to->kind != PTX_OP_REGISTER || !to->name)
        return;
    *copy_to(c, to->name) =
        (struct copy){to->name, to[1].kind == PTX_OP_SPECIAL ? to[1].name : NULL};
}

/* Tells whether the operand has the special register with this stem and axis, such as tid.x. */
static bool is_axis(const struct ptx_copies *c, const struct ptx_operand *o, const char *stem,
                    char axis)
{
    char wanted[20];
    const char *is = o->kind == PTX_OP_SPECIAL                ? o->name
                     : o->kind == PTX_OP_REGISTER && o->name ? copy_to(c, o->name)->from
                                                             : NULL;
    snprintf(wanted, sizeof wanted, "%s.%c", stem, axis);
    return is && strcmp(is, wanted) == 0;
}

static bool is_grid_index(const struct ptx_copies *c, const struct ptx_instruction *i, char axis)
{
    const struct ptx_operand *o = i->operands;
    if (strncmp(i->opcode, "mad.lo.", 7) != 0 || i->operand_count != 4)
        return false;
    return is_axis(c, &o[3], "tid", axis) &&
           ((is_axis(c, &o[1], "ctaid", axis) && is_axis(c, &o[2], "ntid", axis)) ||
            (is_axis(c, &o[2], "ctaid", axis) && is_axis(c, &o[1], "ntid", axis)));
}

/* Finds i in `int i = blockIdx.x * ...;`. */
static struct span assigned_variable(struct span source)
{
    struct span none = {"", 0};
    const char *equals = source.n ? memchr(source.at, '=', source.n) : NULL;
    if (!equals)
        return none;
    size_t to = (size_t)(equals - source.at), after = source.n - to;
    bool of_block = false;
    for (size_t i = 0; i + 8 <= after; i++)
        of_block = of_block || memcmp(equals + i, "blockIdx", 8) == 0;
    while (to > 0 && source.at[to - 1] == ' ')
        to--;
    size_t from = to;
    while (from > 0 && in_word(source.at[from - 1]))
        from--;
    return of_block ? (struct span){source.at + from, to - from} : none;
}

/* Finds the first such instruction for each of x, y and z. */
static void find_indices(const struct ptx_text *t, const struct ptx_function *f,
                         struct grid_index index[3])
{
    struct ptx_copies copies;
    for (int a = 0; a < 3; a++)
        index[a] = (struct grid_index){.axis = "xyz"[a], .variable = {"", 0}};
    if (copies_begin(&copies, f) != 0)
        return;
    for (uint32_t k = 0; k < f->code_count; k++) {
        const struct ptx_instruction *i = &f->code[k];
        for (int a = 0; a < 3; a++)
            if (!index[a].at && is_grid_index(&copies, i, index[a].axis)) {
                index[a].at = i;
                index[a].variable = assigned_variable(ptx_text_origin(t, i).text);
            }
        note_copy(&copies, i);
    }
    free(copies.all);
}

/* Says "i = blockIdx.x * blockDim.x + threadIdx.x". */
static void add_index(const struct grid_index *g, struct buf *out)
{
    if (g->variable.n)
        buf_printf(out, "%.*s = ", (int)g->variable.n, g->variable.at);
    buf_printf(out, "blockIdx.%c * blockDim.%c + threadIdx.%c", g->axis, g->axis, g->axis);
}

/* ---- the heading ---------------------------------------------------------------------- */

static const char *register_words(enum ptx_type type)
{
    unsigned bytes = ptx_type_size(type);
    return type == PTX_PRED                        ? "predicates"
           : type == PTX_F32                       ? "floats"
           : type == PTX_F64                       ? "doubles"
           : type == PTX_F16 || type == PTX_F16X2  ? "for halves"
           : bytes == 2                            ? "of 16 bits"
           : bytes == 4                            ? "of 32 bits"
           : bytes == 8                            ? "of 64 bits"
           : bytes == 16                           ? "of 128 bits"
                                                   : "of another size";
}

static void add_registers(const struct ptx_function *f, struct buf *out)
{
    unsigned all = 0;
    struct buf list = {0};
    for (const struct ptx_variable *v = f->variables; v; v = v->next) {
        if (v->space != PTX_REG || !v->range)
            continue;
        all += v->range;
        buf_printf(&list, "%s%u %s (%s0 to %s%u)", list.len ? ", " : ": ", v->range,
                   register_words(v->type), v->name, v->name, v->range - 1);
    }
    buf_printf(out, "It names %u registers, each thread has its own%s.\n", all, buf_text(&list));
    out->failed = out->failed || list.failed;
    buf_free(&list);
}

static void add_predicates(const struct ptx_function *f, struct buf *out)
{
    const char *name = NULL;
    for (const struct ptx_variable *v = f->variables; v; v = v->next)
        if (v->space == PTX_REG && v->type == PTX_PRED)
            name = v->range ? v->name : NULL;
    if (name)
        buf_printf(out, "Predicates, as %s1, are true or false in each lane; what begins with "
                   "@%s1 is done only by the lanes where it is true.\n", name, name);
    else
        buf_puts(out, "It has no predicates: no instruction is left out by some lanes.\n");
}

static void add_indices(const struct ptx_text *t, const struct ptx_function *f, struct buf *out)
{
    bool any = false;
    struct grid_index index[3];
    find_indices(t, f, index);
    for (int a = 0; a < 3; a++) {
        if (!index[a].at)
            continue;
        buf_printf(out, "%s%s holds ", any ? ", " : "", index[a].at->operands[0].name);
        add_index(&index[a], out);
        any = true;
    }
    buf_puts(out, any ? ": the thread's number in the whole grid.\n"
                      : "No register holds blockIdx * blockDim + threadIdx, the thread's number "
                        "in the grid.\n");
}

void ptx_explain_head(const struct ptx_text *t, const struct ptx_function *f, struct report *r)
{
    struct buf head = {0};
    add_registers(f, &head);
    add_predicates(f, &head);
    add_indices(t, f, &head);
    struct span rest = {buf_text(&head), head.len}, line;
    while (next_line(&rest, &line))
        text_wrap(&r->screen, line.at, line.n, r->width, 0);
    report_said(r, &head);
}

/* ---- instructions --------------------------------------------------------------------- */

static void say_two(struct report *r, struct span text, const struct buf *words)
{
    int used = INDENT + (int)text.n, column = r->width < TWO_COLUMNS ? WORDS_UNDER : WORDS_COLUMN;
    say(r, "%*s%.*s", INDENT, "", (int)text.n, text.at);
    if (r->width < TWO_COLUMNS || used + GAP > column)
        say(r, "\n%*s", column, "");
    else
        say(r, "%*s", column - used, "");
    text_wrap(&r->screen, buf_text(words), words->len, r->width, column);
}

static void add_json(struct json *j, const struct ptx_instruction *i, const struct buf *words,
                     const struct ptx_origin *from)
{
    char source[400];
    json_object(j, NULL);
    json_text(j, "text", i->text);
    json_text(j, "words", buf_text(words));
    if (from->file) {
        snprintf(source, sizeof source, "%.350s:%d", from->file, from->line);
        json_text(j, "source", source);
    }
    json_int(j, "line", i->ptx_line);
    json_end_object(j);
}

/* Tells whether clang set a label for debuggers alone. */
static bool is_mark(const char *label)
{
    return strncmp(label, "Ltmp", 4) == 0 || strncmp(label, "Lfunc_", 6) == 0;
}

static int by_place(const void *a, const void *b)
{
    const struct ptx_label *const *x = a, *const *y = b;
    if ((*x)->at != (*y)->at)
        return (*x)->at < (*y)->at ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

/* Lists the labels that are shown, in the order of the code; the list ends with NULL. NULL: no
 * memory. */
static const struct ptx_label **labels_of(const struct ptx_function *f)
{
    const struct ptx_label **list = calloc((size_t)f->label_count + 1, sizeof *list);
    unsigned count = 0;
    for (uint32_t k = 0; list && k < f->label_count; k++)
        if (!is_mark(f->labels[k].name))
            list[count++] = &f->labels[k];
    if (list)
        qsort(list, count, sizeof *list, by_place);
    return list;
}

static void say_labels(struct report *r, const struct ptx_label *const **next, uint32_t at)
{
    for (; **next && (**next)->at == at; ++*next)
        say(r, "%s:\n", (**next)->name);
}

static void say_origin(struct report *r, const struct ptx_origin *here, struct ptx_origin *last)
{
    char lead[60];
    if (!here->file || ptx_same_origin(here, last))
        return;
    say(r, "  // %s:%d  ", base_name(here->file), here->line);
    snprintf(lead, sizeof lead, "  //%*s", (int)strlen(base_name(here->file)) + 8, "");
    code_wrap(&r->screen, here->text.at, here->text.n, r->width, lead);
    *last = *here;
}

int ptx_explain(const struct ptx_text *t, const struct ptx_function *f,
                const struct ptx_names *names, struct report *r)
{
    struct ptx_origin last = {NULL, 0, {"", 0}};
    struct grid_index index[3];
    struct buf words = {0};
    const struct ptx_label **labels = labels_of(f), *const *label = labels;
    if (!labels)
        return -1;
    find_indices(t, f, index);
    for (uint32_t k = 0; k < f->code_count; k++) {
        const struct ptx_instruction *i = &f->code[k];
        struct ptx_origin from = ptx_text_origin(t, i);
        buf_clear(&words);
        ptx_words(instruction_text(i), names, &words);
        for (int a = 0; a < 3; a++)
            if (index[a].at == i) {
                buf_puts(&words, ": ");
                add_index(&index[a], &words);
            }
        say_labels(r, &label, k);
        say_origin(r, &from, &last);
        say_two(r, instruction_text(i), &words);
        add_json(&r->result, i, &words, &from);
    }
    say_labels(r, &label, f->code_count);
    report_said(r, &words);
    free(labels);
    return 0;
}
