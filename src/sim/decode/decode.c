/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One function's PTX instructions to code. Registers get rows, immediates and addresses
 * become constant rows, anything an instruction can't take directly is put into a hidden row
 * first. What is not known closes the function, with the reason and the line, instead of
 * failing: only kernels that can reach it won't run.
 *
 * Opcodes with shapes of their own (memory, control, shuffles) have a decoder in `shapes`;
 * all others are looked up in the instruction table by their canonical name.
 */
#include "sim/decode/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CODE = 1 << 24 };

/* ---- raw instructions ---------------------------------------------------------------- */

struct raw *emit(struct decoder *d, const char *op_name)
{
    static const struct raw none;
    const struct op *op = ops_find(d->m->sim, op_name);
    if (!op) {
        lacks(d, "unsupported instruction %s", op_name);
        d->dummy = none;
        return &d->dummy;
    }
    if (d->raw_count >= MOST_CODE)
        close_function(d, "it comes to more than %d instructions", MOST_CODE);
    else if (mem_grow(&d->m->sim->allocator, (void **)&d->raw, &d->raw_capacity, d->raw_count,
                      sizeof *d->raw) < 0)
        d->failed = true;
    if (d->failed || d->raw_count >= MOST_CODE) {
        d->dummy = none;
        return &d->dummy;
    }
    struct raw *r = &d->raw[d->raw_count++];
    *r = none;
    r->in.run = op->run;
    r->kind = op->kind;
    r->names_all = op->d != SIM_NONE;
    r->from = d->from;
    r->target = NO_PC;
    r->in.meet = NO_PC;
    r->in.guard = d->guard;
    r->in.guard_flip = d->guard_flip;
    r->in.bytes = 1;
    r->in.count = 1;
    need(d, op->capability);
    return r;
}

/* Unguarded: what prepares an operand must not depend on who takes part. */
struct raw *emit_hidden(struct decoder *d, const char *op_name)
{
    struct raw *r = emit(d, op_name);
    r->kind = SIM_CLASS_HIDDEN;
    r->in.guard = 0;
    r->in.guard_flip = 0;
    return r;
}

void need(struct decoder *d, int capability)
{
    if (capability > d->fn->capability) {
        d->fn->capability = capability;
        d->fn->capability_what = d->from ? d->from->opcode : NULL;
    }
}

static void split_opcode(const char *opcode, struct op_tokens *t)
{
    size_t n = strlen(opcode);
    t->count = 0;
    if (n >= sizeof t->text)
        n = sizeof t->text - 1;
    memcpy(t->text, opcode, n);
    t->text[n] = 0;
    for (char *p = t->text; p && t->count < MOST_TOKENS;) {
        t->word[t->count++] = p;
        p = strchr(p, '.');
        if (p)
            *p++ = 0;
    }
}

/* The first reason stays. */
static void close_for(struct decoder *d, bool lacks, int line, const char *fmt, va_list ap)
{
    char text[200];
    if (d->fn->closed)
        return;
    vsnprintf(text, sizeof text, fmt, ap);
    d->fn->closed = arena_text(&d->m->arena, text, strlen(text));
    d->fn->closed_line = line;
    d->fn->closed_from = d->from;
    d->fn->lacks = lacks;
    if (!d->fn->closed)
        d->failed = true;
}

static int line_of(const struct decoder *d)
{
    return d->from ? d->from->ptx_line : d->fn->ptx->line;
}

int close_function(struct decoder *d, const char *fmt, ...)
{
    WITH_ARGS(fmt, close_for(d, false, line_of(d), fmt, args));
    return 0;
}

int lacks(struct decoder *d, const char *fmt, ...)
{
    WITH_ARGS(fmt, close_for(d, true, line_of(d), fmt, args));
    return 0;
}

/* Is this the first word of instructions of PTX? */
static bool is_known(const struct decoder *d, const char *word)
{
    static const char *const closed[] = {"clusterlaunchcontrol", "tcgen05", "tensormap", "wgmma", NULL};
    return one_of(word, closed) || shape_named(word) || ops_know(d->m->sim, word);
}

int unsupported(struct decoder *d)
{
    struct op_tokens t;
    split_opcode(d->from->opcode, &t);
    return (is_known(d, t.word[0]) ? lacks : close_function)(d, "unsupported instruction %s",
                                                             d->from->opcode);
}

void lacks_at(struct decoder *d, int line, const char *fmt, ...)
{
    WITH_ARGS(fmt, close_for(d, true, line, fmt, args));
}

/* ---- instructions of the table ------------------------------------------------------- */

bool has_token(const struct op_tokens *t, const char *name)
{
    for (unsigned i = 0; i < t->count; i++)
        if (same_word(t->word[i], name))
            return true;
    return false;
}

bool one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (same_word(word, *list))
            return true;
    return false;
}

/* The name that the table knows: default rounding dropped, bit moves by size. */
static void canonical(const struct op_tokens *t, char *out, size_t size)
{
    static const char *const rounds[] = {"add", "sub",  "mul", "fma", "mad",
                                         "div", "sqrt", "rcp", NULL};
    static const char *const by_bits[] = {"mov", "selp", "slct", NULL};
    static const char *const combine[] = {"and", "or", "xor", NULL};
    size_t n = (size_t)snprintf(out, size, "%s", t->word[0]);
    bool setp = strcmp(t->word[0], "setp") == 0;
    if (setp)
        for (unsigned i = 1; i < t->count; i++)
            if (one_of(t->word[i], combine))
                n += (size_t)snprintf(out + n, size - n, ".%s", t->word[i]);
    const unsigned last = t->count - 1;
    /* min.s32.relu; ptxas takes lg2.approx.f32.ftz too, and curand_poisson has it */
    const bool type_first = last > 1 && (same_word(t->word[last], "relu") ||
                                         same_word(t->word[last], "ftz"));
    for (unsigned i = 1; i < t->count && n < size; i++) {
        const char *w = t->word[type_first && i + 1 >= last ? 2 * last - 1 - i : i];
        if (strcmp(w, "rn") == 0 && one_of(t->word[0], rounds))
            continue;
        if (setp && one_of(w, combine))
            continue;
        bool slct = t->word[0][0] == 's' && t->word[0][1] == 'l'; /* its type comes first */
        if (i == t->count - (slct ? 2 : 1) && one_of(t->word[0], by_bits) &&
            strcmp(w, "pred") != 0) {
            unsigned bytes = sim_type_size((enum sim_type)ptx_type_named(w, strlen(w)));
            n += (size_t)snprintf(out + n, size - n, ".b%u", bytes * 8);
            continue;
        }
        n += (size_t)snprintf(out + n, size - n, ".%s", w);
    }
}

int number_of_word(const struct word_number *list, const char *word)
{
    for (; list->name; list++)
        if (same_word(list->name, word))
            return list->number;
    return -1;
}

static uint32_t operand(struct decoder *d, enum sim_type type, unsigned i, uint8_t *flags,
                        uint8_t flip)
{
    if (wants(d, i + 1) < 0)
        return 0;
    return type == SIM_PRED ? predicate(d, arg(d, i), flags, flip) : source(d, arg(d, i), type);
}

int decode_table(struct decoder *d, const struct op_tokens *t)
{
    char name[96];
    canonical(t, name, sizeof name);
    const struct op *op = ops_find(d->m->sim, name);
    if (!op || name[0] == '*' || (name[0] == 'v' && decode_has_parts(d)))
        return decode_arithmetic(d, t);
    if (d->from->operand_count < 1)
        return close_function(d, "%s has no operands", d->from->opcode);
    if (d->from->operand_count > 1u + !!op->a + !!op->b + !!op->c + !!op->e)
        return lacks(d, "unsupported: %s with so many operands", d->from->opcode);
    struct insn in = {0};
    const struct ptx_operand *to = &d->from->operands[0];
    unsigned bytes = row_size(op->d);
    if (op->a)
        in.a = in.b = in.c = operand(d, op->a, 1, &in.flags, INSN_FLIP_A);
    if (op->b)
        in.b = in.c = operand(d, op->b, 2, &in.flags, 0);
    if (op->c)
        in.c = operand(d, op->c, 3, &in.flags, INSN_FLIP_C);
    if (op->e)
        in.e = operand(d, op->e, 4, &in.flags, 0);
    if (op->d == SIM_PRED) {
        in.d = predicate(d, to, NULL, 0);
        if (to->pair)
            in.e = predicate(d, to->pair, NULL, 0);
    } else {
        in.d = result(d, to, bytes);
    }
    struct raw *r = emit(d, name);
    r->in.d = in.d, r->in.a = in.a, r->in.b = in.b, r->in.c = in.c, r->in.e = in.e;
    r->in.flags = in.flags;
    if (op->d != SIM_PRED)
        finish_result(d, in.d, bytes, op->d >= SIM_S8 && op->d <= SIM_S64);
    return 0;
}

/* ---- the whole function -------------------------------------------------------------- */

static int decode_one(struct decoder *d, const struct ptx_instruction *p)
{
    struct op_tokens t;
    d->from = p;
    d->guard = p->guard_var ? (uint32_t)(p->guard_var->place + p->guard_index) : 0;
    d->guard_flip = p->guard_var && p->guard_negated ? ALL_LANES : 0;
    d->now = &d->described[p - d->fn->ptx->code];
    split_opcode(p->opcode, &t);
    const struct instruction_shape *shape = shape_named(t.word[0]);
    d->writes = !shape || shape->writes;
    need(d, shape ? shape->capability : 0);
    if ((shape ? shape->decode(d, &t) : decode_table(d, &t)) < 0)
        return -1;
    if (decode_describe(d, t.word[0]) < 0)
        return -1;
    if (d->fn->closed_from == p) {
        d->fn->closed_file = d->now->file;
        d->fn->closed_source_line = d->now->line;
    }
    return 0;
}

static bool uses_alloca(const struct ptx_function *p)
{
    for (uint32_t i = 0; i < p->code_count; i++)
        if (strncmp(p->code[i].opcode, "alloca", 6) == 0)
            return true;
    return false;
}

static int decode_all(struct decoder *d)
{
    const struct ptx_function *p = d->fn->ptx;
    if (p->broken && !d->fn->closed) {
        d->fn->closed = p->broken;
        d->fn->closed_line = p->broken_line;
    }
    d->fn->allocates = uses_alloca(p);
    if (d->fn->allocates && !p->is_entry)
        emit_hidden(d, "*stacksave")->in.d = d->stack_row = new_row(d, 8);
    for (uint32_t i = 0; i < p->code_count && !d->failed; i++) {
        d->raw_at[i] = (uint32_t)d->raw_count;
        if (module_goes_on(d->m, 1) < 0 || decode_one(d, &p->code[i]) < 0)
            return -1;
    }
    d->from = NULL;
    d->guard = 0;
    d->guard_flip = 0;
    d->raw_at[p->code_count] = d->end = (uint32_t)d->raw_count;
    if (d->stack_row)
        emit_hidden(d, "*stackrestore")->in.a = d->stack_row;
    struct raw *end = emit(d, p->is_entry ? "*exit" : "*return");
    end->kind = SIM_CLASS_HIDDEN;
    end->ends = true;
    return d->failed ? sim_fail(d->m->sim, 0, "out of memory") : 0;
}

/* Targets were PTX indices until now; rets of a device function go to its end. */
static void resolve_targets(struct decoder *d)
{
    for (size_t i = 0; i < d->raw_count; i++)
        if (d->raw[i].target == TO_END)
            d->raw[i].target = d->end;
        else if (d->raw[i].target == TO_NEXT)
            d->raw[i].target = (uint32_t)i + 2; /* over the one instruction after it */
        else if (d->raw[i].target != NO_PC)
            d->raw[i].target = d->raw_at[d->raw[i].target];
}

/* Final order: a MEET before each instruction where lanes may meet again. */
static int lay_out(struct decoder *d)
{
    struct sim_module *m = d->m;
    uint32_t extra = 0, at = m->count;
    uint32_t *pc = arena_alloc(&d->scratch, (d->raw_count + 1) * sizeof *pc);
    if (!pc)
        return sim_fail(m->sim, 0, "out of memory");
    for (size_t i = 0; i < d->raw_count; i++) {
        pc[i] = at + (uint32_t)i + extra;
        extra += d->raw[i].meet_here;
    }
    uint32_t total = (uint32_t)d->raw_count + extra;
    if (module_reserve(m, total) < 0)
        return -1;
    d->fn->entry = at;
    const struct op *meet = ops_find(m->sim, "*meet");
    for (size_t i = 0; i < d->raw_count; i++) {
        struct raw *r = &d->raw[i];
        if (r->meet_here) {
            struct raw here = {
                .in = {.run = meet->run, .meet = NO_PC, .target = pc[r->gather_from]},
                .kind = SIM_CLASS_HIDDEN, .from = r->from};
            m->code[m->count] = here.in;
            decode_show(d, &here, &m->shown[m->count++]);
        }
        if (r->target != NO_PC)
            r->in.target = pc[r->target];
        if (r->in.meet != NO_PC)
            r->in.meet = pc[r->in.meet];
        r->in.shows = decode_shown_type(r);
        m->code[m->count] = r->in;
        decode_show(d, r, &m->shown[m->count]);
        m->shown[m->count].target = r->target != NO_PC ? r->in.target : m->count;
        m->count++;
    }
    d->fn->end = m->count;
    return 0;
}

int decode_function(struct sim_module *m, uint32_t number)
{
    struct decoder d = {.m = m, .fn = &m->functions[number],
                        .scratch.from = &m->sim->allocator};
    const struct ptx_function *p = d.fn->ptx;
    int rc = -1;
    d.row_bytes = d.fn->row_bytes;
    d.raw_at = arena_alloc(&d.scratch, ((size_t)p->code_count + 1) * sizeof *d.raw_at);
    d.described = arena_alloc(&d.scratch, ((size_t)p->code_count + 1) * sizeof *d.described);
    if (!d.raw_at || !d.described)
        sim_fail(m->sim, 0, "out of memory");
    else if (decode_all(&d) == 0) {
        d.fn->needs_clock = d.fn->reads_clock && !clock_is_relative(&d.scratch, d.fn);
        resolve_targets(&d);
        layout_take(&d.row_bytes, 0, ROW_ALIGN);
        d.fn->frame_bytes = rows_full(&d) ? 0 : (uint32_t)d.row_bytes;
        if (flow_meets(m->sim, d.raw, (uint32_t)d.raw_count) == 0)
            rc = lay_out(&d);
    }
    mem_free(&m->sim->allocator, d.raw, d.raw_capacity * sizeof *d.raw);
    arena_free(&d.scratch);
    return rc;
}
