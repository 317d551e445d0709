/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pointers have an origin: made-up kernels, with the verdict known by construction.
 *
 * A kernel has some objects: arrays, module variables, shared variables, dynamic shared memory,
 * memory from malloc. It makes accesses by pointers that take detours: past the end and back,
 * through memory, calls, selections, generic addresses. All but perhaps the last one are right. The
 * last one may leave its object, by a little or by a lot, and the fault must name that object, the
 * element and the line.
 *
 *     origin               so many as `make check` wants
 *     origin SECONDS [SEED]   for so long; a failure prints its seed and the kernel
 */
#include "base/buf.h"
#include "base/random.h"
#include "os/clock.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 12, ACCESSES = 6, CASES = 1500, THREADS = 32 };
enum where { ARRAY, VARIABLE, SHARED, DYNAMIC, HEAP, WHERES };

struct object {
    enum where where;
    char name[24];
    int64_t size; /* a multiple of 16 */
    uint64_t address;
};

/* What the launch should come to. */
struct verdict {
    bool wrong;
    char name[24];
    int64_t index;
    int line;
};

struct maker {
    uint64_t random;
    struct buf text;
    struct object objects[OBJECTS];
    unsigned count, wide, narrow; /* registers in use: %d of 64 bits, %r of 32 */
    struct verdict verdict;
};

static uint64_t draw(struct maker *m, uint64_t below)
{
    return random_next(&m->random) % below;
}

static int lines_in(const struct buf *b)
{
    int n = 1;
    for (size_t i = 0; i < b->len; i++)
        n += buf_text(b)[i] == '\n';
    return n;
}

/* ---- objects --------------------------------------------------------------------------- */

static void make_objects(struct maker *m)
{
    bool dynamic = false;
    m->count = 2 + (unsigned)draw(m, OBJECTS - 1);
    for (unsigned i = 0; i < m->count; i++) {
        struct object *o = &m->objects[i];
        o->where = (enum where)draw(m, WHERES);
        if (o->where == DYNAMIC && dynamic)
            o->where = SHARED;
        dynamic |= o->where == DYNAMIC;
        o->size = 16 * (1 + (int64_t)draw(m, o->where == ARRAY ? 5000 : 60));
        snprintf(o->name, sizeof o->name, "%c%u", "avsdm"[o->where], i);
    }
}

static void declare(struct maker *m, enum where where)
{
    for (unsigned i = 0; i < m->count; i++) {
        const struct object *o = &m->objects[i];
        if (o->where == where && where == VARIABLE)
            buf_printf(&m->text, ".global .align 16 .b8 %s[%" PRId64 "];\n", o->name, o->size);
        if (o->where == where && where == SHARED)
            buf_printf(&m->text, ".shared .align 16 .b8 %s[%" PRId64 "];\n", o->name, o->size);
        if (o->where == where && where == DYNAMIC)
            buf_printf(&m->text, ".extern .shared .align 16 .b8 %s[];\n", o->name);
    }
}

static void begin(struct maker *m)
{
    const char *comma = "";
    buf_printf(&m->text, ".version 7.0\n.target sm_75\n.address_size 64\n"
                         ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
                         ".global .align 8 .b8 cell[8];\n");
    declare(m, VARIABLE);
    declare(m, SHARED);
    declare(m, DYNAMIC);
    buf_printf(&m->text, ".func touch(.param .b64 p)\n{\n    .reg .b64 %%d<2>;\n"
                         "    ld.param.u64 %%d1, [p];\n    st.u32 [%%d1], 7;\n    ret;\n}\n"
                         ".visible .entry k(");
    for (unsigned i = 0; i < m->count; i++)
        if (m->objects[i].where == ARRAY) {
            buf_printf(&m->text, "%s.param .u64 p%u", comma, i);
            comma = ", ";
        }
    buf_printf(&m->text, ")\n{\n    .reg .b64 %%d<200>;\n    .reg .b32 %%r<200>;\n"
                         "    .reg .pred %%p<4>;\n    .param .b64 n;\n    .param .b64 r;\n"
                         "    mov.u32 %%r1, %%tid.x;\n    setp.eq.u32 %%p1, %%r1, 0;\n"
                         "    setp.lt.u32 %%p2, %%r1, 1000;\n");
    m->wide = 1, m->narrow = 2;
}

/* ---- pointers -------------------------------------------------------------------------- */

/* The object's start as a generic address: the number of its register. */
static unsigned start_of(struct maker *m, unsigned i)
{
    const struct object *o = &m->objects[i];
    unsigned d = m->wide++;
    if (o->where == ARRAY)
        buf_printf(&m->text, "    ld.param.u64 %%d%u, [p%u];\n", d, i);
    else if (o->where == HEAP)
        buf_printf(&m->text, "    st.param.b64 [n], %" PRId64 ";\n    call (r), malloc, (n);\n"
                             "    ld.param.b64 %%d%u, [r];\n", o->size, d);
    else
        buf_printf(&m->text, "    mov.u64 %%d%u, %s;\n    cvta.%s.u64 %%d%u, %%d%u;\n", d, o->name,
                   o->where == VARIABLE ? "global" : "shared", d, d);
    return d;
}

static void add(struct maker *m, unsigned d, int64_t bytes)
{
    buf_printf(&m->text, "    add.s64 %%d%u, %%d%u, %" PRId64 ";\n", d, d, bytes);
}

/* What changes nothing: the pointer is the same afterwards, in the register whose number comes. */
static unsigned detour(struct maker *m, unsigned d, const struct object *o)
{
    unsigned to = m->wide++;
    switch (draw(m, 5)) {
    case 0: /* past the end and back */
        add(m, d, o->size);
        add(m, d, -o->size);
        return d;
    case 1: /* through memory */
        buf_printf(&m->text, "    st.global.u64 [cell], %%d%u;\n    ld.global.u64 %%d%u, [cell];\n",
                   d, to);
        return to;
    case 2: /* one of two */
        buf_printf(&m->text, "    add.s64 %%d%u, %%d%u, 99;\n"
                             "    selp.b64 %%d%u, %%d%u, %%d%u, %%p2;\n", to, d, to, d, to);
        return to;
    case 3: /* a difference of pointers, added again */
        buf_printf(&m->text, "    add.s64 %%d%u, %%d%u, 48;\n    sub.s64 %%d%u, %%d%u, %%d%u;\n"
                             "    add.s64 %%d%u, %%d%u, %%d%u;\n", to, d, to, to, d, to, d, to);
        add(m, to, -48);
        return to;
    default: return d;
    }
}

/* Bytes from the object's start at which an access of `all` bytes leaves it. */
static int64_t outside_of(struct maker *m, const struct object *o, int64_t all)
{
    static const unsigned bits[WHERES] = {31, 31, 18, 18, 29}; /* that an index may have */
    const unsigned most = bits[o->where];
    int64_t end = o->size / all, far;
    switch (draw(m, 6)) {
    case 0: return -all;
    case 1: return end * all;
    case 2: return (end + (int64_t)draw(m, 300)) * all;
    case 3: return -(1 + (int64_t)draw(m, 300)) * all;
    case 4: far = INT64_C(1) << draw(m, most); break;
    default: far = (int64_t)draw(m, UINT64_C(1) << most); break;
    }
    far = far < end ? end : far;
    return (draw(m, 2) ? far : -far) * all;
}

/* ---- accesses -------------------------------------------------------------------------- */

static const struct form {
    const char *text; /* behind it: the address's register */
    int bytes, all;   /* of an element, of the access */
    bool global_only;
} forms[] = {
    {"ld.u32 %r0, [%d", 4, 4, false},          {"st.u32 [%d", 4, 4, false},
    {"st.u8 [%d", 1, 1, false},                {"ld.u16 %r0, [%d", 2, 2, false},
    {"ld.u64 %d0, [%d", 8, 8, false},          {"ld.v4.u32 {%r0,%r0,%r0,%r0}, [%d", 4, 16, false},
    {"atom.add.u32 %r0, [%d", 4, 4, false},    {"red.add.u32 [%d", 4, 4, false},
    {"ld.v2.u64 {%d0,%d0}, [%d", 8, 16, false}, {"ld.global.u32 %r0, [%d", 4, 4, true},
    {"st.global.u32 [%d", 4, 4, true},         {"red.global.add.u32 [%d", 4, 4, true},
};

/* In the shared space itself, by a 32-bit address. Gives the line. */
static int access_shared(struct maker *m, unsigned d, bool guarded)
{
    unsigned r = m->narrow++;
    buf_printf(&m->text, "    cvta.to.shared.u64 %%d%u, %%d%u;\n    cvt.u32.u64 %%r%u, %%d%u;\n", d,
               d, r, d);
    int line = lines_in(&m->text);
    buf_printf(&m->text, "    %s%s [%%r%u]%s;\n", guarded ? "@%p1 " : "",
               draw(m, 2) ? "st.shared.u32" : "red.shared.add.u32", r, ", 1");
    return line;
}

static int access_by(struct maker *m, const struct form *f, unsigned d, bool guarded)
{
    bool gives = f->text[0] == 's' || f->text[0] == 'r' || f->text[0] == 'a';
    int line = lines_in(&m->text);
    buf_printf(&m->text, "    %s%s%u]%s;\n", guarded ? "@%p1 " : "", f->text, d,
               gives ? ", 1" : "");
    return line;
}

static int access_by_call(struct maker *m, unsigned d)
{
    buf_printf(&m->text, "    st.param.b64 [n], %%d%u;\n    call touch, (n);\n", d);
    const char *body = strstr(buf_text(&m->text), "    st.u32 [%d1]");
    int line = 1;
    for (const char *p = buf_text(&m->text); p < body; p++)
        line += *p == '\n';
    return line;
}

static void expect(struct maker *m, const struct object *o, int64_t off, int bytes, int line)
{
    struct verdict *v = &m->verdict;
    *v = (struct verdict){.wrong = true, .index = off / bytes, .line = line};
    snprintf(v->name, sizeof v->name, "%s", o->where == HEAP ? "memory from malloc" : o->name);
}

static void make_access(struct maker *m, bool wrong)
{
    unsigned i = (unsigned)draw(m, m->count);
    const struct object *o = &m->objects[i];
    const struct form *f = &forms[draw(m, sizeof forms / sizeof *forms)];
    bool shared = o->where == SHARED || o->where == DYNAMIC;
    bool guarded = draw(m, 2), by_call = draw(m, 4) == 0, by_space = shared && draw(m, 2);
    if (by_call || by_space || (f->global_only && shared))
        f = &forms[0];
    int64_t off = wrong ? outside_of(m, o, f->all)
                        : (int64_t)draw(m, (uint64_t)(o->size / f->all)) * f->all;
    unsigned d = start_of(m, i);
    int64_t part = (int64_t)draw(m, 100) - 50; /* the way there in two steps */
    add(m, d, part);
    d = detour(m, d, o);
    add(m, d, off - part);
    d = detour(m, d, o);
    int line = by_call    ? access_by_call(m, d)
               : by_space ? access_shared(m, d, guarded)
                          : access_by(m, f, d, guarded);
    if (wrong)
        expect(m, o, off, f->bytes, line);
}

static void make_kernel(struct maker *m, uint64_t seed)
{
    *m = (struct maker){.random = seed};
    make_objects(m);
    begin(m);
    for (uint64_t left = draw(m, ACCESSES); left > 0; left--)
        make_access(m, false);
    if (draw(m, 3))
        make_access(m, true);
    buf_printf(&m->text, "    ret;\n}\n");
}

/* ---- running --------------------------------------------------------------------------- */

static bool as_expected(const struct verdict *v, const struct sim_result *got)
{
    const struct sim_fault *f = NULL;
    for (unsigned i = 0; i < got->fault_count && !f; i++)
        if (sim_fault_ends(got->faults[i].kind))
            f = &got->faults[i];
    if (!v->wrong || !f)
        return !v->wrong && !f;
    return f->kind == SIM_OUT_OF_BOUNDS && f->array && strcmp(f->array, v->name) == 0 &&
           f->index == v->index && f->ptx_line == v->line;
}

static bool run_kernel(struct sim *s, struct maker *m, const char **why)
{
    uint64_t params[OBJECTS], shared = 0;
    unsigned n = 0;
    *why = "it does not start";
    for (unsigned i = 0; i < m->count; i++) {
        struct object *o = &m->objects[i];
        if (o->where == DYNAMIC)
            shared = (uint64_t)o->size;
        if (o->where == ARRAY && sim_malloc(s, (size_t)o->size, o->name, &o->address) < 0)
            return false;
        if (o->where == ARRAY)
            params[n++] = o->address;
    }
    struct sim_module *module = sim_module_load(s, "k.ptx", buf_text(&m->text), m->text.len);
    if (!module) {
        *why = sim_message(s);
        return false;
    }
    struct sim_run *run = sim_start(s, &(struct sim_launch){SIM_LAUNCH, .kernel = sim_kernel_find(module, "k"),
                                                            .grid = {1, 1, 1},
                                                            .block = {THREADS, 1, 1},
                                                            .shared_bytes = shared,
                                                            .params = params});
    while (run && sim_step(run, 1 << 20) == SIM_RUNNING)
        ;
    bool good = run && as_expected(&m->verdict, sim_result(run));
    *why = "no fault";
    static char last[300];
    if (run && sim_result(run)->fault_count) {
        const struct sim_fault *f = &sim_result(run)->faults[0];
        snprintf(last, sizeof last, "%s %s[%" PRId64 "] line %d: %s", sim_fault_name(f->kind),
                 f->array ? f->array : "?", f->index, f->ptx_line, f->message);
        *why = last;
    }
    if (run)
        sim_finish(run);
    return good;
}

static bool try_seed(uint64_t seed)
{
    struct maker m;
    const char *why = "out of memory";
    struct sim *s = sim_open(NULL);
    make_kernel(&m, seed);
    bool good = s && !m.text.failed && run_kernel(s, &m, &why);
    if (!good) {
        printf("# seed %" PRIu64 ": got %s\n# wanted ", seed, why);
        printf(m.verdict.wrong ? "%s[%" PRId64 "] line %d\n" : "nothing\n", m.verdict.name,
               m.verdict.index, m.verdict.line);
        printf("%s", m.text.failed ? "" : buf_text(&m.text));
    }
    if (s)
        sim_close(s);
    buf_free(&m.text);
    return good;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 0, start = clock_seconds();
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, tried = 0;
    bool good = true;
    while (good && (argc > 1 ? tried == 0 || clock_seconds() - start < seconds : tried < CASES)) {
        good = try_seed(seed++ * 1000003);
        tried++;
    }
    printf("%sok 1 - %" PRIu64 " kernels made up, each with the right verdict\n1..1\n",
           good ? "" : "not ", tried);
    return !good;
}
