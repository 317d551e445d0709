/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program is three functions and a kernel of statements; a statement is an instruction of the
 * list, or one from the tables below, in which `?` is a register's number and `$` any constant, or
 * made of statements itself: a choice, a loop of some turns, a branch by number. %r10 and up,
 * %d10 and up are the grammar's own: addresses, counters, the thread's number.
 */
#include "grammar.h"

#include "../gpu/forms.h"

enum { MOST_FORMS = 8192, STATEMENTS = 60, DEEPEST = 4, FUNCTIONS = 3, NUMBERED = 8 };

struct grammar {
    struct form forms[MOST_FORMS];
    char operands[MOST_FORMS][32];
    size_t count;
};

struct writer {
    const struct grammar *g;
    struct choices *c;
    struct buf *out;
    unsigned labels, left, depth;
};

unsigned choose(struct choices *c, unsigned below)
{
    unsigned value = 0;
    for (unsigned span = 1; span < below && c->at < c->end; span *= 256)
        value = value * 256 + *c->at++;
    return value % below;
}

/* ---- instructions ---------------------------------------------------------------------- */

static void guard(struct writer *w)
{
    unsigned n = choose(w->c, 32);
    if (n < NUMBERED)
        buf_printf(w->out, "@%s%%p%u ", choose(w->c, 2) ? "!" : "", n);
}

static uint64_t constant(struct writer *w)
{
    unsigned kind = choose(w->c, 4);
    return edge(kind == 0 ? 'h' : kind == 1 ? 'f' : 'r', choose(w->c, 256));
}

/* The text with numbers for `?` and `$`. */
static void fill(struct writer *w, const char *text)
{
    for (; *text; text++)
        if (*text == '?')
            buf_printf(w->out, "%u", choose(w->c, NUMBERED));
        else if (*text == '$')
            buf_printf(w->out, "0x%llx", (unsigned long long)constant(w));
        else
            buf_add(w->out, text, 1);
}

static void plain(struct writer *w, const struct form *f)
{
    const char *operands = strcmp(f->operands, "-") == 0 ? "" : f->operands;
    unsigned numbers[sizeof *w->g->operands], n = 0;
    guard(w);
    for (const char *p = operands; *p; p = behind_operand(next_operand(p)))
        numbers[n++] = choose(w->c, NUMBERED);
    buf_puts(w->out, f->name);
    put_operands(w->out, operands, numbers);
    buf_puts(w->out, ";\n");
}

/* %r10: an offset. Mostly within 1 KB and aligned; by thread, or by whatever a register holds. */
static void offset(struct writer *w)
{
    static const unsigned masks[] = {0x3fc, 0x3f8, 0x3ff, 0x7f0, 0xffff0, 0xffffffff};
    static const unsigned steps[] = {1, 2, 4, 4, 8, 12, 16, 16, 16, 20};
    unsigned source = choose(w->c, 12), risk = choose(w->c, 64);
    fill(w, source < NUMBERED ? "mul.lo.u32 %r10, %r?, " : "mul.lo.u32 %r10, %r19, ");
    buf_printf(w->out, "%u;\nand.b32 %%r10, %%r10, 0x%x;\n",
               steps[choose(w->c, sizeof steps / sizeof *steps)],
               risk < sizeof masks / sizeof *masks ? masks[risk] : 0x3f0);
}

/* %d10: an address in the space, as its own instructions have it; generic ones lie anywhere. */
static void address(struct writer *w, const char *space)
{
    static const char *const spaces[] = {"global", "shared", "local"};
    bool generic = !*space;
    if (generic && choose(w->c, 64) == 63) {
        fill(w, "mov.u64 %d10, %d?;\n");
        return;
    }
    if (generic)
        space = spaces[choose(w->c, 3)];
    offset(w);
    if (starts(space, "shared"))
        buf_puts(w->out, "mov.u64 %d10, room;\n");
    else if (starts(space, "local"))
        buf_puts(w->out, "mov.u64 %d10, own;\nand.b32 %r10, %r10, 0xffff00ff;\n");
    else if (starts(space, "const"))
        buf_puts(w->out, "mov.u64 %d10, cells;\nand.b32 %r10, %r10, 0xffff007f;\n");
    else
        buf_puts(w->out, "mov.u64 %d10, %d15;\n");
    buf_puts(w->out, "cvt.u64.u32 %d11, %r10;\nadd.u64 %d10, %d10, %d11;\n");
    if (generic && !starts(space, "global"))
        buf_printf(w->out, "cvta.%s.u64 %%d10, %%d10;\n", space);
}

static void vector(struct writer *w, char letter, unsigned count)
{
    unsigned first = choose(w->c, NUMBERED);
    buf_puts(w->out, count > 1 ? "{" : "");
    for (unsigned i = 0; i < count; i++)
        buf_printf(w->out, "%s%%%c%u", i ? ", " : "", letter, (first + i) % NUMBERED);
    buf_puts(w->out, count > 1 ? "}" : "");
}

static void at_address(struct writer *w, const char *space)
{
    if (strcmp(space, "param") == 0)
        buf_puts(w->out, "[given]");
    else
        buf_printf(w->out, choose(w->c, 4) ? "[%%d10]" : "[%%d10+%u]", 16 * choose(w->c, 4));
}

static void copy_async(struct writer *w, const struct form *f)
{
    address(w, "shared");
    buf_puts(w->out, "mov.u64 %d12, %d10;\n");
    address(w, "global");
    buf_printf(w->out, "%s [%%d12], [%%d10], 16;\n", f->name);
    if (choose(w->c, 2))
        buf_puts(w->out, "cp.async.commit_group;\ncp.async.wait_group 0;\n");
}

static void memory(struct writer *w, const struct form *f)
{
    const char *space = space_of(f->name), *type = strrchr(f->name, '.') + 1;
    char letter = letter_of(type);
    if (starts(f->name, "cp.async")) {
        copy_async(w, f);
        return;
    }
    if (strcmp(space, "param") != 0)
        address(w, starts(f->name, "isspacep") ? "" : space);
    guard(w);
    buf_printf(w->out, "%s ", f->name);
    if (starts(f->name, "cvta") || starts(f->name, "isspacep")) {
        fill(w, *f->name == 'c' ? "%d?, %d10;\n" : "%p?, %d10;\n");
        return;
    }
    if (starts(f->name, "ld") || starts(f->name, "atom")) {
        vector(w, letter, vector_count(f->name));
        buf_puts(w->out, ", ");
    }
    at_address(w, space);
    for (int i = starts(f->name, "ld") ? 0 : has_part(f->name, "cas") ? 2 : 1; i > 0; i--) {
        buf_puts(w->out, ", ");
        vector(w, letter, vector_count(f->name));
    }
    buf_puts(w->out, ";\n");
}

static void instruction(struct writer *w)
{
    const struct form *f = &w->g->forms[choose(w->c, (unsigned)w->g->count)];
    if (f->operands[0] == '@')
        memory(w, f);
    else
        plain(w, f);
}

/* ---- others: threads together, calls, odds and ends ------------------------------------ */

static const char *const others[] = {
    "bar.sync 0;\n", "bar.sync 0;\n", "bar.sync 0;\n", "bar.warp.sync -1;\n",
    "barrier.sync 1;\n", "bar.red.popc.u32 %r?, 0, %p?;\n", "bar.red.and.pred %p?, 0, !%p?;\n",
    "activemask.b32 %r14;\nvote.sync.ballot.b32 %r?, %p?, %r14;\n",
    "activemask.b32 %r14;\nshfl.sync.idx.b32 %r?|%p?, %r?, %r?, %r?, %r14;\n",
    "shfl.sync.bfly.b32 %r?|%p?, %r?, $, 31, -1;\n", "shfl.sync.up.b32 %r?, %r?, 1, 0, %r?;\n",
    "shfl.sync.down.b32 %r?|%p?, %r?, %r?, 0x181f, -1;\n", "vote.sync.any.pred %p?, %p?, %r?;\n",
    "match.any.sync.b32 %r?, %r?, -1;\n", "match.all.sync.b64 %r?|%p?, %d?, %r?;\n",
    "redux.sync.add.s32 %r?, %r?, -1;\n", "activemask.b32 %r?;\n",
    "membar.gl;\n", "fence.acq_rel.cta;\n", "nanosleep.u32 %r?;\n", "@%p? exit;\n",
    "@%p? ret;\n", "mov.u32 %r?, $;\n", "mov.u64 %d?, $;\n", "mov.b32 %f?, $;\n",
    "mov.u32 %r?, %laneid;\n", "mov.u32 %r?, %tid.x;\n", "mov.u32 %r?, %ctaid.x;\n",
    "mov.u32 %r?, %lanemask_lt;\n", "mov.u32 %r?, %r19;\n", "mov.u32 %r?, %clock;\n",
    "mov.b64 {%r?, %r?}, %d?;\n", "mov.b64 %d?, {%r?, %r?};\n", "mov.b32 %r?, {%h?, %h?};\n",
    "{\n.param .b64 n;\n.param .b64 p;\nst.param.b64 [n], 12;\ncall (p), malloc, (n);\n"
    "ld.param.b64 %d?, [p];\n}\n",
    "{\n.param .b64 f;\n.param .b64 v;\n.param .b32 n;\nst.local.u32 [own], %r?;\n"
    "mov.u64 %d11, words;\ncvta.global.u64 %d11, %d11;\nst.param.b64 [f], %d11;\n"
    "mov.u64 %d11, own;\ncvta.local.u64 %d11, %d11;\nst.param.b64 [v], %d11;\n"
    "call (n), vprintf, (f, v);\nld.param.b32 %r?, [n];\n}\n",
};

/* Few programs survive these. */
static const char *const risky[] = {
    "@%p? bar.sync 0;\n", "bar.sync 2, 32;\n", "bar.arrive 2, 32;\n", "bar.sync %r?;\n",
    "bar.red.or.pred %p?, %r?, %r?, %p?;\n", "@%p? trap;\n", "bar.warp.sync %r?;\n",
    "redux.sync.max.u32 %r?, %r?, %r?;\n", "elect.sync %r?|%p?, %r?;\n",
    "{\n.param .b64 p;\nst.param.b64 [p], %d?;\n@%p? call free, (p);\n}\n",
};

static void other(struct writer *w)
{
    if (choose(w->c, 32) == 31)
        fill(w, risky[choose(w->c, sizeof risky / sizeof *risky)]);
    else
        fill(w, others[choose(w->c, sizeof others / sizeof *others)]);
}

static void call(struct writer *w)
{
    unsigned to = choose(w->c, FUNCTIONS), pointer = choose(w->c, 4) == 3, n = ++w->labels;
    fill(w, "{\n.param .b32 a;\n.param .b64 b;\n.param .b32 r;\nst.param.b32 [a], %r?;\n"
            "st.param.b64 [b], %d15;\n");
    if (pointer)
        buf_printf(w->out, "mov.u64 %%d11, f%u;\n"
                   "P%u: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n",
                   to, n);
    guard(w);
    if (pointer)
        buf_printf(w->out, "call (r), %%d11, (a, b), P%u;\n", n);
    else
        buf_printf(w->out, "call (r), f%u, (a, b);\n", to);
    fill(w, "ld.param.b32 %r?, [r];\n}\n");
}

/* ---- statements of statements ---------------------------------------------------------- */

static void statements(struct writer *w, unsigned most);

static void either(struct writer *w)
{
    unsigned n = ++w->labels;
    fill(w, choose(w->c, 2) ? "@%p? bra " : "@!%p? bra ");
    buf_printf(w->out, "E%u;\n", n);
    statements(w, 1 + choose(w->c, 6));
    if (choose(w->c, 2)) {
        buf_printf(w->out, "bra%s O%u;\n", choose(w->c, 2) ? ".uni" : "", n);
        buf_printf(w->out, "E%u:\n", n);
        statements(w, 1 + choose(w->c, 6));
        buf_printf(w->out, "O%u:\n", n);
    } else {
        buf_printf(w->out, "E%u:\n", n);
    }
}

/* Up to 8 turns, as many for all or not; a way out in the middle, at times. */
static void loop(struct writer *w)
{
    unsigned n = ++w->labels, counter = 15 + w->depth;
    if (choose(w->c, 2))
        buf_printf(w->out, "mov.u32 %%c%u, %u;\n", counter, choose(w->c, 8));
    else
        buf_printf(w->out, "and.b32 %%c%u, %%r%u, 7;\n", counter, choose(w->c, NUMBERED));
    buf_printf(w->out, "L%u:\n", n);
    statements(w, 1 + choose(w->c, 6));
    if (choose(w->c, 2)) {
        buf_printf(w->out, "@%%p%u bra B%u;\n", choose(w->c, NUMBERED), n);
        statements(w, 1 + choose(w->c, 4));
    }
    buf_printf(w->out, "sub.s32 %%c%u, %%c%u, 1;\nsetp.gt.s32 %%p9, %%c%u, 0;\n@%%p9 bra L%u;\n"
               "B%u:\n", counter, counter, counter, n, n);
}

static void by_number(struct writer *w)
{
    unsigned n = ++w->labels, ways = 2 + choose(w->c, 3);
    buf_printf(w->out, "T%u: .branchtargets ", n);
    for (unsigned i = 0; i < ways; i++)
        buf_printf(w->out, "%sW%u_%u", i ? ", " : "", n, i);
    buf_printf(w->out, ";\nrem.u32 %%r10, %%r%u, %u;\nbrx.idx %%r10, T%u;\n",
               choose(w->c, NUMBERED), ways, n);
    for (unsigned i = 0; i < ways; i++) {
        buf_printf(w->out, "W%u_%u:\n", n, i);
        statements(w, 1 + choose(w->c, 4));
        if (choose(w->c, 2))
            buf_printf(w->out, "bra D%u;\n", n);
    }
    buf_printf(w->out, "D%u:\n", n);
}

static void statement(struct writer *w)
{
    switch (choose(w->c, 16)) {
    case 0: either(w); break;
    case 1: loop(w); break;
    case 2: by_number(w); break;
    case 3: call(w); break;
    case 4: case 5: case 6: other(w); break;
    default: instruction(w);
    }
}

static void statements(struct writer *w, unsigned most)
{
    w->depth++;
    for (; most > 0 && w->left > 0 && w->c->at < w->c->end; most--) {
        w->left--;
        if (w->depth < DEEPEST)
            statement(w);
        else
            instruction(w);
    }
    w->depth--;
}

/* ---- programs -------------------------------------------------------------------------- */

static void head(struct buf *out)
{
    buf_puts(out, ".version 8.6\n.target sm_90\n.address_size 64\n"
                  ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
                  ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
                  ".extern .func free(.param .b64 p);\n"
                  ".global .align 1 .b8 words[9] = {110, 32, 37, 100, 32, 37, 115, 10, 0};\n"
                  ".const .align 16 .b8 cells[128] = {");
    for (unsigned i = 0; i < 128; i++)
        buf_printf(out, "%s%u", i ? "," : "", (unsigned)(mixed(i) & 0xFF));
    buf_puts(out, "};\n.shared .align 16 .b8 room[1088];\n");
    for (unsigned i = 0; i < FUNCTIONS; i++)
        buf_printf(out, ".func (.param .b32 result) f%u(.param .b32 a, .param .b64 b);\n", i);
}

static void registers(struct buf *out)
{
    buf_puts(out, "{\n.reg .b16 %h<10>;\n.reg .b32 %r<20>;\n.reg .b32 %c<24>;\n"
                  ".reg .b64 %d<20>;\n.reg .f32 %f<10>;\n.reg .f64 %g<10>;\n.reg .pred %p<10>;\n"
                  ".local .align 16 .b8 own[320];\n");
}

/* Its registers hold nothing but zeros, and its argument in one of them. */
static void function(struct writer *w, unsigned number)
{
    buf_printf(w->out, ".func (.param .b32 result) f%u(.param .b32 given, .param .b64 b)\n",
               number);
    registers(w->out);
    buf_puts(w->out, "ld.param.u32 %r0, [given];\nld.param.u64 %d15, [b];\n"
                     "mov.u32 %r19, %tid.x;\n");
    w->left = STATEMENTS / 4;
    statements(w, w->left);
    buf_puts(w->out, "st.param.b32 [result], %r0;\nret;\n}\n");
}

/* The registers from x or to out, each kind in its 64 bytes of x. */
static void each_register(struct buf *out, bool load)
{
    for (unsigned k = 0; k < KINDS - 1; k++)
        for (unsigned i = 0; i < NUMBERED; i++) {
            static const unsigned sizes[] = {2, 4, 8, 4, 8}, starts_at[] = {0, 16, 48, 112, 144};
            unsigned at = load ? 64 * k + 8 * i : starts_at[k] + sizes[k] * i;
            if (load)
                buf_printf(out, "ld.global.b%u %%%c%u, [%%d10+%u];\n", 8 * sizes[k], kinds[k], i,
                           at);
            else
                buf_printf(out, "st.global.b%u [%%d10+%u], %%%c%u;\n", 8 * sizes[k], at, kinds[k],
                           i);
        }
    for (unsigned i = 0; i < NUMBERED; i++)
        if (load)
            buf_printf(out, "setp.lt.s32 %%p%u, %%r%u, %u;\n", i, i, 5 * i);
        else
            buf_printf(out, "selp.u32 %%r10, 1, 0, %%p%u;\nst.global.u32 [%%d10+%u], %%r10;\n", i,
                       208 + 4 * i);
}

static void kernel(struct writer *w)
{
    buf_puts(w->out, ".visible .entry k(.param .u64 x, .param .u64 out, "
                     ".param .align 16 .b8 given[64])\n");
    registers(w->out);
    buf_printf(w->out, "ld.param.u64 %%d15, [x];\nmov.u32 %%r19, %%tid.x;\n"
               "mov.u32 %%r12, %%ctaid.x;\nmov.u32 %%r13, %%ntid.x;\n"
               "mad.lo.u32 %%r18, %%r12, %%r13, %%r19;\nmad.wide.u32 %%d10, %%r19, %u, %%d15;\n",
               GRAMMAR_IN);
    each_register(w->out, true);
    w->left = STATEMENTS;
    statements(w, w->left);
    buf_printf(w->out, "ld.param.u64 %%d14, [out];\nmad.wide.u32 %%d10, %%r18, %u, %%d14;\n",
               GRAMMAR_OUT);
    each_register(w->out, false);
    buf_puts(w->out, "ret;\n}\n");
}

void grammar_program(const struct grammar *g, struct choices *c, struct buf *ptx)
{
    struct writer w = {.g = g, .c = c, .out = ptx};
    head(ptx);
    kernel(&w);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        function(&w, i);
}

struct grammar *grammar_open(const char *forms_path)
{
    FILE *file = fopen(forms_path, "r");
    struct grammar *g = file ? calloc(1, sizeof *g) : NULL;
    struct form f;
    while (g && g->count < MOST_FORMS && form_read(file, &f)) {
        snprintf(g->operands[g->count], sizeof *g->operands, "%s", f.operands);
        g->forms[g->count] = f;
        g->forms[g->count].operands = g->operands[g->count];
        g->count++;
    }
    if (file)
        fclose(file);
    return g;
}

void grammar_close(struct grammar *g)
{
    free(g);
}
