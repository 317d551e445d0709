/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the PTX parser: one file with every form it takes (tests/ptx/parse-full.ptx), the
 * sentences for what is no PTX, limits, texts cut short anywhere, and an allocator that fails
 * at each call in turn.
 */
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests_run, tests_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
    tests_failed += !good;
}

static bool same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* ---- an allocator that counts, and fails when told ---------------------------------- */

struct counting {
    long calls, fail_at; /* fail_at: the call that fails, 0 for none */
    size_t held;
};

static void *count_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct counting *c = ctx;
    if (new_size && ++c->calls == c->fail_at)
        return NULL;
    c->held += new_size - old_size;
    return allocator_libc.resize(NULL, p, old_size, new_size);
}

static struct ptx_module *parse(const char *text, struct err *e)
{
    *e = (struct err){0};
    return ptx_parse(&allocator_libc, text, strlen(text), NULL, e);
}

/* ---- the file with everything --------------------------------------------------------- */

static char *read_sample(const char *name, size_t *size)
{
    const char *top = getenv("top_srcdir");
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/ptx/%s", top ? top : ".", name);
    FILE *f = fopen(path, "rb");
    char *text = f ? malloc(1 << 16) : NULL;
    *size = text ? fread(text, 1, (1 << 16) - 1, f) : 0;
    if (text)
        text[*size] = '\0';
    if (f)
        fclose(f);
    return text;
}

static const struct ptx_variable *variable(const struct ptx_variable *list, const char *name)
{
    while (list && strcmp(list->name, name) != 0)
        list = list->next;
    return list;
}

static const struct ptx_instruction *instruction(const struct ptx_function *f, const char *text)
{
    for (uint32_t i = 0; i < f->code_count; i++)
        if (strcmp(f->code[i].text, text) == 0)
            return &f->code[i];
    return NULL;
}

static void test_module(const struct ptx_module *m)
{
    const struct ptx_variable *v = m->variables;
    ok(m->version_major == 8 && m->version_minor == 5 && m->target == 90 &&
           m->target_suffix == 'a' && m->address_size == 64, "version, target, address size");
    ok(m->file_count == 4 && same(m->files[1], "folder/name.cu") && !m->files[2] &&
           same(m->files[3], "other.h"), ".file by number, with holes");
    v = variable(m->variables, "x");
    ok(v && v->is_visible && v->align == 4 && v->count == 4 && v->init_count == 4 &&
           v->init[3].offset == 4, "an array with values");
    v = variable(m->variables, "grid");
    ok(v && v->count == 6 && v->init_count == 6 && v->init[2].offset == 0 &&
           v->init[3].offset == 4, "a short row is filled up");
    v = variable(m->variables, "open_grid");
    ok(v && v->count == 4 && !v->open, "[] takes its size from the values");
    v = variable(m->variables, "dynamic");
    ok(v && v->open && v->is_extern && v->space == PTX_SHARED, ".extern .shared []");
    v = variable(m->variables, "later");
    ok(v && !v->is_extern && v->init[0].offset == 5 && !variable(v->next, "later"),
       "a definition replaces its .extern");
    v = variable(m->variables, "sized");
    ok(v && v->count == 30 && same(v->next->name, "sums") && v->next->init[0].offset == 7,
       "sizes and values are expressions, several names in one declaration");
    v = variable(m->variables, "octal");
    ok(v && v->init[0].offset == 15, "017 is octal");
    v = variable(m->variables, "picture");
    ok(v && v->type == PTX_TEXREF, ".texref");
    v = variable(m->variables, "vectors");
    ok(v && v->vector == 4 && v->count == 2, ".v4");
}

static void test_values(const struct ptx_module *m)
{
    const struct ptx_variable *v = variable(m->variables, "addresses");
    ok(v && same(v->init[0].symbol, "x") && !v->init[0].generic, "the address of a symbol");
    ok(v && same(v->init[1].symbol, "x") && v->init[1].generic && v->init[1].offset == 8,
       "generic(x)+8");
    ok(v && v->init[2].offset == 4, "x+(1<<2)");
    ok(v && same(v->init[3].symbol, "x") && v->init[3].mask_shift == 9, "0xFF00(x)");
    ok(v && !v->init[4].symbol && v->init[4].offset == -1, "a negative number");
    const double wanted[] = {1, 1.5, -20, 2};
    bool good = (v = variable(m->variables, "floats")) != NULL;
    for (int i = 0; good && i < 4; i++) {
        double d;
        memcpy(&d, &v->init[i].offset, sizeof d);
        good = v->init[i].is_float && d == wanted[i];
    }
    ok(good, "floats in all spellings");
}

static void test_functions(const struct ptx_module *m)
{
    struct ptx_function *f = ptx_function_named(m, "vprintf");
    ok(f && f->is_extern && !f->has_body && f->param_count == 2 && f->return_count == 1,
       "an external function");
    f = ptx_function_named(m, "twice");
    ok(f && f->is_weak && f->code_count == 2 && f->params->space == PTX_REG &&
           f->code[0].operands[0].var == f->returns, "register parameters");
    const struct ptx_function *again = ptx_function_named(m, "again");
    ok(f && again && again->code == f->code && same(again->name, "again"), ".alias");
    f = ptx_function_named(m, "callee");
    ok(f && f->noreturn && !f->has_body && f->line == 13, ".noreturn");
    ok(!ptx_function_named(m, "nobody"), "no function of that name");
    f = ptx_function_named(m, "kernel");
    ok(f && f->is_entry && f->is_visible && f->param_count == 3, "an entry");
    ok(f && f->maxntid[0] == 256 && f->maxntid[1] == 2 && f->maxntid[2] == 1 &&
           f->minnctapersm == 2 && f->maxnreg == 64, "performance directives, unknown ones too");
    ok(f && f->cluster[0] == 2 && f->cluster[1] == 1 && f->cluster[2] == 1 &&
           f->explicit_cluster && !f->blocks_are_clusters, "the size of a cluster");
    ok(f && f->params->space == PTX_PARAM && f->params->align == 0 && !f->params->in &&
           f->params->next->count == 12 && f->params->next->align == 4, "parameters, with .ptr");
    const struct ptx_variable *v = f ? variable(f->variables, "tile") : NULL;
    ok(v && v->in == f && v->space == PTX_SHARED, "a demoted shared array");
    v = f ? variable(f->variables, "%r") : NULL;
    ok(v && v->range == 10, ".reg %r<10>");
}

static void test_operands(const struct ptx_function *f)
{
    const struct ptx_instruction *i = instruction(
        f, "ld.global.nc.L2::128B.v4.f32 {%f1, %f2, %f3, _}, [%rd1+-4];");
    ok(i && i->operand_count == 2 && i->operands[0].kind == PTX_OP_VECTOR &&
           i->operands[0].item_count == 4 && i->operands[0].items[2].index == 3 &&
           i->operands[0].items[3].kind == PTX_OP_SINK, "a vector with a sink");
    ok(i && i->operands[1].kind == PTX_OP_ADDRESS && i->operands[1].offset == -4 &&
           i->operands[1].base->index == 1, "[%rd1+-4]");
    ok(i && i->file == 1 && i->line == 20 && i->call && i->call->line == 11 && !i->call->outer,
       "inlined once");
    i = instruction(f, "setp.lt.and.f32 %p1|%p2, %f1, 0f40000000, !%p3;");
    ok(i && i->operands[0].pair && i->operands[0].pair->index == 2 &&
           i->operands[2].kind == PTX_OP_F32 && i->operands[2].bits == 0x40000000 &&
           i->operands[3].negated, "p|q, a float, a negated predicate");
    ok(i && i->file == 3 && i->line == 30 && i->call && i->call->file == 1 &&
           i->call->line == 20 && i->call->outer && i->call->outer->line == 11 &&
           !i->call->outer->outer,
       "inlined twice: both calls, from inside out");
    i = instruction(f, "@!%p1 bra $L__BB0_2;");
    ok(i && i->guard_negated && i->guard_index == 1 && i->guard_var->type == PTX_PRED &&
           i->line == 12 && !i->call && i->operands[0].kind == PTX_OP_SYMBOL, "a guarded branch");
    i = instruction(f, "mov.u32 %r2, %tid.x;");
    ok(i && i->operands[1].kind == PTX_OP_SPECIAL && same(i->operands[1].name, "tid.x"), "%tid.x");
    i = instruction(f, "mov.b32 %r1_2, -5;");
    ok(i && same(i->operands[0].var->name, "%r1_") && i->operands[0].index == 2 &&
           (int64_t)i->operands[1].bits == -5, "the register's stem, a negative number");
    i = instruction(f, "mov.u64 %rd2, x+(2*4);");
    ok(i && i->operands[1].offset == 8 && i->operands[1].var, "x+(2*4)");
    i = instruction(f, "ld.global.u32 %r4, [16];");
    ok(i && !i->operands[1].base && i->operands[1].offset == 16, "[16]");
    i = instruction(f, "vadd.u32.u32.u32 %r5, %r4.b0, %r3.h1, %r2;");
    ok(i && i->operands[1].index == 4 && same(i->operands[1].component, "b0"), "%r4.b0");
    i = instruction(f, "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [picture, {%f5, %f6}];");
    ok(i && i->operands[1].var->type == PTX_TEXREF && i->operands[1].item_count == 2 &&
           i->operands[1].items[1].index == 6, "texture coordinates");
    i = instruction(f, "mov.u32 %r2, 0xFFFFFFFF;");
    ok(i && i->operands[1].bits == 0xFFFFFFFF, "0xFFFFFFFF");
}

static void test_calls_and_scopes(const struct ptx_function *f)
{
    const struct ptx_instruction *i = instruction(
        f, "call.uni (retval0), vprintf, (param0, param1);");
    ok(i && i->operand_count == 3 && i->operands[2].item_count == 2 &&
           i->operands[0].items[0].var && i->locals && same(i->locals->name, "temp_param_reg"),
       "a call over six lines");
    const struct ptx_variable *outer = i ? i->operands[2].items[0].var : NULL;
    i = instruction(f, "call (param0), %rd2, (param0), prototype_0;");
    ok(i && i->operand_count == 4 && i->operands[2].items[0].var != outer,
       "the next scope's param0 is another one");
    i = instruction(f, "mov.u32 %r2, 1;");
    ok(i && i->operands[0].var->range == 3, "an inner .reg hides the outer one");
    int64_t first = ptx_label_at(f, "WAIT");
    ok(first > 0 && (uint32_t)first + 3 < f->code_count, "a label of inline assembly");
    const struct ptx_instruction *loop = &f->code[first];
    ok(same(loop[1].operands[0].name, "WAIT") && same(loop[0].operands[0].name, "DONE"),
       "its branches go to it");
    ok(!same(loop[3].operands[0].name, "WAIT") &&
           ptx_label_at(f, loop[3].operands[0].name) == first + 2 &&
           ptx_label_at(f, loop[2].operands[0].name) == first + 4,
       "the same label in the next scope is another one");
    const struct ptx_targets *table = ptx_targets_named(f, "table");
    ok(table && table->count == 2 && same(table->labels[1], "$L__BB0_3"), ".branchtargets");
    ok(ptx_targets_named(f, "prototype_0"), ".callprototype");
    ok(ptx_label_at(f, "$L__end") == f->code_count && ptx_label_at(f, "none") == -1,
       "a label after the last instruction, and one that isn't there");
}

/* ---- what is refused ------------------------------------------------------------------ */

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"
#define IN_BODY(text) HEAD ".entry k(){\n.reg .b32 %r<4>;\n.reg .pred %p<2>;\n" text "\n}"

static void refused(const char *text, int line, const char *part, const char *what)
{
    struct err e;
    struct ptx_module *m = parse(text, &e);
    bool good = !m && e.line == line && strstr(e.text, part);
    ok(good, what);
    if (!good)
        printf("# line %d: %s\n", e.line, e.text);
    ptx_free(m);
}

static void test_refusals(void)
{
    struct err e = {0};
    ok(!ptx_parse(&allocator_libc, "\177ELF\2\1\1\0\0", 9, NULL, &e) && strstr(e.text, "ELF"), "ELF");
    ok(!ptx_parse(&allocator_libc, "ab\0cd", 5, NULL, &e) && strstr(e.text, "binary"), "binary data");
    refused("", 0, "empty", "an empty text");
    refused(" \n// no more\n", 3, ".version", "a comment and nothing else");
    refused("#include <stdio.h>\nint main(void) { }\n", 0, "CUDA C", "C source");
    refused("hello, world", 1, ".version", "prose");
    refused(IN_BODY(".reg .b32 %q<4000000000>;"), 7, "at most 1048576", "too many registers");
    refused(HEAD ".reg .b64 %g<1000>;", 4, "inside a function", "registers of no function");
    refused(HEAD ".local .b8 x[8];", 4, "inside a function", "local memory of no function");
    refused(HEAD ".global .b8 x[99999999999999];", 4, "too big", "an array too big");
    refused(HEAD ".global .b8 x[1048576][1048576][1048576];", 4, "too big", "a product too big");
    refused(HEAD ".global .u32 x[2] = {1,2,3};", 4, "2 elements", "too many values");
    refused(HEAD ".global .u32 x[2][1000000000] = {{1},{2}};", 4, "smaller", "endless padding");
    refused(HEAD ".global .u32 x = 1/0;", 4, "zero", "division by zero");
    refused(HEAD ".global .align 3 .b8 x;", 4, "power of two", "an odd alignment");
    refused(HEAD ".global .u32 x;\n.global .u32 x;", 5, "twice", "a variable twice");
    refused(HEAD ".entry k(){ret;}\n.entry k(){ret;}", 5, "twice", "a function twice");
    refused(HEAD ".alias a, b;", 4, "no body", "an alias of nothing");
    refused(HEAD ".global .f32 x = 0f123;", 4, "8 hexadecimal", "a short float");
    refused(HEAD ".section .debug_x {", 4, "no }", "an open section");
    refused(HEAD ".file 1 \"x\n", 4, "closing", "an open text");
    refused(HEAD ".file 99999999 \"x\"\n", 4, "too big", "a huge file number");
    refused(IN_BODY("mov.u32 %r5, 1;"), 7, "%r<4> ends at %r3", "a register beyond its range");
    refused(IN_BODY("@%q bra L;"), 7, "not a predicate", "an unknown guard");
    refused(IN_BODY("L: ret;\nL: ret;"), 8, "twice", "a label twice");
    refused(IN_BODY("mov.u32 %r1 %r2;"), 7, "`%r2`", "a comma is missing");
    refused(IN_BODY("mov.u32 %r1, #;"), 7, "'#'", "a foreign letter");
    refused(IN_BODY("mov.u32 %r1, 99999999999999999999;"), 7, "64 bits", "a number too long");
    refused(HEAD ".entry k(){ ret;", 4, "'}'", "a body without an end");
}

static char *nested(const char *head, char open, size_t n)
{
    size_t length = strlen(head);
    char *text = malloc(length + n + 1);
    if (text) {
        memcpy(text, head, length);
        memset(text + length, open, n);
        text[length + n] = '\0';
    }
    return text;
}

static void test_depth(void)
{
    static const struct {
        const char *head;
        char open;
    } cases[] = {{HEAD ".entry k()", '{'},
                 {HEAD ".global .u32 x = ", '('},
                 {HEAD ".global .u32 x = ", '-'},
                 {HEAD ".global .u32 x[4] = ", '{'},
                 {HEAD ".entry k(){mov.u32 ", '{'},
                 {HEAD ".entry k(){mov.u32 ", '['},
                 {HEAD ".attribute", '('},
                 {HEAD ".section .x ", '{'}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err e;
        char *text = nested(cases[i].head, cases[i].open, 200000);
        struct ptx_module *m = text ? parse(text, &e) : NULL;
        ok(text && !m, "200000 brackets inside each other");
        ptx_free(m);
        free(text);
    }
}

/* ---- cut short, damaged, out of memory ------------------------------------------------ */

/* An exact copy on the heap, so that a sanitizer sees one byte read too many. */
static bool survives(const char *text, size_t n)
{
    struct counting c = {0};
    const struct allocator a = {count_resize, &c};
    struct err e = {0};
    char *copy = malloc(n ? n : 1);
    if (!copy)
        return false;
    memcpy(copy, text, n);
    struct ptx_module *m = ptx_parse(&a, copy, n, NULL, &e);
    bool told = m || e.text[0];
    ptx_free(m);
    free(copy);
    return told && c.held == 0;
}

static void test_damage(const char *text, size_t n)
{
    bool good = true;
    for (size_t cut = 0; cut < n; cut++)
        good = good && survives(text, cut);
    ok(good, "a text cut anywhere: a message or a module, and no memory lost");
    char *copy = malloc(n);
    uint32_t random = 1;
    good = copy != NULL;
    for (int round = 0; good && round < 2000; round++) {
        memcpy(copy, text, n);
        for (int k = 0; k < 3; k++) {
            random = random * 1664525u + 1013904223u;
            copy[(random >> 8) % n] = text[(random >> 4) % n];
        }
        good = survives(copy, n);
    }
    ok(good, "letters exchanged: the same");
    free(copy);
}

static void test_memory(const char *text, size_t n)
{
    bool clean = true;
    long at = 0;
    for (bool done = false; !done && at < 100000;) {
        struct counting c = {.fail_at = ++at};
        const struct allocator a = {count_resize, &c};
        struct err e = {0};
        struct ptx_module *m = ptx_parse(&a, text, n, NULL, &e);
        done = m != NULL;
        clean = clean && (m || strstr(e.text, "memory"));
        ptx_free(m);
        clean = clean && c.held == 0;
    }
    ok(clean && at > 10, "each allocation fails in turn");
    printf("# %ld allocations\n", at - 1);
}

/* Text of 20000 instructions and as many labels: a quadratic step would be felt. */
static void test_long(void)
{
    enum { COUNT = 20000 };
    char *text = malloc(64 * COUNT + 200), *o = text;
    struct err e;
    if (!text)
        return;
    o += sprintf(o, "%s.entry k(){\n.reg .b32 %%r<%d>;\n", HEAD, COUNT);
    for (int i = 0; i < COUNT; i++)
        o += sprintf(o, "L%d: add.s32 %%r%d, %%r%d, 1;\n", i, i, COUNT - 1 - i);
    strcpy(o, "}\n");
    struct ptx_module *m = parse(text, &e);
    ok(m && m->functions->code_count == COUNT && ptx_label_at(m->functions, "L777") == 777,
       "20000 instructions with labels");
    ptx_free(m);
    free(text);
}

int main(void)
{
    struct err e = {0};
    size_t size;
    char *text = read_sample("parse-full.ptx", &size);
    struct ptx_module *m = text ? parse(text, &e) : NULL;
    ok(m != NULL, "parse-full.ptx");
    if (!m)
        printf("# line %d: %s\n1..%d\n", e.line, e.text, tests_run);
    if (!m)
        return 1;
    test_module(m);
    test_values(m);
    test_functions(m);
    test_operands(ptx_function_named(m, "kernel"));
    test_calls_and_scopes(ptx_function_named(m, "kernel"));
    ptx_free(m);
    test_refusals();
    test_depth();
    test_damage(text, size);
    test_memory(text, size);
    test_long();
    free(text);
    ok(ptx_type_named("u32", 3) == PTX_U32 && ptx_type_named("u3", 2) == PTX_NONE &&
           ptx_type_size(PTX_BF16X2) == 4, "types by name");
    printf("1..%d\n", tests_run);
    return tests_failed != 0;
}
