/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PTX that is made to harm its reader. Sizes that wrap in 32 bits: whatever a function declares, it
 * either runs in a frame that holds all of it, or is closed with the line that is too much.
 * Whatever a file has a hundred thousand of, loading it takes time in proportion.
 */
#include "base/buf.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define HEAD ".version 7.8\n.target sm_75\n.address_size 64\n"

static int tests, bad;

static void check(bool good, const char *what)
{
    tests++;
    bad += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", tests, what);
}

/* ---- one kernel, loaded and launched ---------------------------------------------------- */

struct ran {
    char closed[240]; /* why its kernel is closed, or why the file was refused */
    char fault[240];  /* what a launch of one thread said, closed or not */
    int line;
    size_t local_bytes;
    uint32_t value; /* what it left in its array of one element */
};

static void launch(struct sim *s, const struct sim_kernel *k, struct ran *r)
{
    uint64_t x = 0;
    sim_malloc(s, sizeof r->value, "x", &x);
    struct sim_run *run = sim_start(s, &(struct sim_launch){SIM_LAUNCH,
        .kernel = k, .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = &x, .step_limit = 10000});
    while (run && sim_step(run, 1000) == SIM_RUNNING)
        continue;
    if (run && sim_result(run)->fault_count)
        snprintf(r->fault, sizeof r->fault, "%s", sim_result(run)->faults[0].message);
    sim_finish(run);
    sim_read(s, x, &r->value, sizeof r->value);
}

static struct ran run(const struct buf *text)
{
    struct ran r = {.line = 0};
    struct sim *s = sim_open(NULL);
    struct sim_module *m = sim_module_load(s, "k.ptx", text->data, text->len);
    const struct sim_kernel *k = m ? sim_kernel_find(m, "k") : NULL;
    if (k) {
        snprintf(r.closed, sizeof r.closed, "%s", k->closed ? k->closed : "");
        r.line = k->closed_line;
        r.local_bytes = k->local_bytes;
        if (k->closed || k->param_bytes == sizeof(uint64_t))
            launch(s, k, &r);
    } else {
        snprintf(r.closed, sizeof r.closed, "refused: %s", sim_message(s));
        r.line = sim_message_line(s);
    }
    sim_close(s);
    return r;
}

static struct buf text_of(const char *start)
{
    struct buf b = {0};
    buf_puts(&b, start);
    return b;
}

static void is_closed(struct buf *text, const char *part, int line, const char *what)
{
    struct ran r = run(text);
    bool good = strstr(r.closed, part) && r.line == line && strstr(r.fault, part);
    check(good, what);
    if (!good)
        printf("# line %d: %s; launched: %s\n", r.line, r.closed, r.fault);
    buf_free(text);
}

static void leaves(struct buf *text, uint32_t value, const char *what)
{
    struct ran r = run(text);
    bool good = !r.closed[0] && !r.fault[0] && r.value == value;
    check(good, what);
    if (!good)
        printf("# closed: %s; launched: %s; value %u\n", r.closed, r.fault, r.value);
    buf_free(text);
}

/* ---- frames ----------------------------------------------------------------------------- */

#define KERNEL ".entry k(.param .u64 x)\n{\n"

/* The sum of so many pieces is 0 in 32 bits; the last one is what a kernel would then write to. */
static void test_sums(void)
{
    struct buf b = text_of(HEAD KERNEL);
    for (int i = 0; i < 256; i++)
        buf_printf(&b, ".local .b8 a%d[16777216];\n", i);
    buf_puts(&b, "st.local.u32 [a255], 1;\nret;\n}\n");
    is_closed(&b, "4294967296 bytes of local memory", 4, "locals of 4 GB together");

    b = text_of(HEAD ".func f(.param .b8 huge[4294967304], .param .b32 v)\n{\nret;\n}\n" KERNEL
                ".param .b8 a[4294967304];\n.param .b32 v;\nst.param.b32 [v], 1;\n"
                "call f, (a, v);\nret;\n}\n");
    is_closed(&b, "bytes of local memory", 4, "an argument of 4 GB and 8 bytes");

    b = text_of(HEAD ".func f(");
    for (int i = 0; i < 300; i++)
        buf_printf(&b, "%s.param .align 1048576 .b8 a%d[1]", i ? ", " : "", i);
    buf_puts(&b, ")\n{\nret;\n}\n" KERNEL ".param .b8 a[1];\ncall f, (a");
    for (int i = 1; i < 300; i++)
        buf_puts(&b, ", a");
    buf_puts(&b, ");\nret;\n}\n");
    is_closed(&b, "bytes of local memory", 4, "alignments of 300 MB together");

    b = text_of(HEAD ".entry k(");
    for (int i = 0; i < 65537; i++)
        buf_printf(&b, "%s.param .align 8 .b8 p%d[65536]", i ? ",\n" : "", i);
    buf_puts(&b, ")\n{\nret;\n}\n");
    is_closed(&b, "parameters take more than 65536 bytes", 5, "parameters of 4 GB together");

    b = text_of(HEAD KERNEL);
    for (int i = 0; i < 40; i++)
        buf_printf(&b, ".reg .b64 %%r%d_<1048576>;\n", i);
    buf_puts(&b, "mov.u64 %r39_1048575, 1;\nret;\n}\n");
    is_closed(&b, "registers take more than 256 MiB", 4, "registers of 10 GB together");

    b = text_of(HEAD KERNEL);
    for (int i = 0; i < 1100; i++)
        buf_printf(&b, ".reg .pred %%p%d_<1048576>;\n", i);
    buf_puts(&b, "setp.eq.u32 %p1099_1048575, 1, 1;\nret;\n}\n");
    is_closed(&b, "registers take more than 256 MiB", 4, "predicates of 4 GB together");
}

/* Seventy thousand predicates: a guard names the one it says. */
static void test_guards(void)
{
    struct buf b = text_of(HEAD KERNEL ".reg .pred %p<70000>;\n.reg .b64 %d<2>;\n.reg .b32 %r<2>;\n"
                           "ld.param.u64 %d1, [x];\nmov.u32 %r1, 0;\nsetp.eq.u32 %p3464, 1, 2;\n"
                           "setp.eq.u32 %p69000, 1, 1;\n@%p69000 mov.u32 %r1, 7;\n"
                           "st.global.u32 [%d1], %r1;\nret;\n}\n");
    leaves(&b, 7, "a guard that is predicate 69000");
}

/* What has a place in no frame, or in another function's. */
static void test_places(void)
{
    struct buf b = text_of(HEAD ".entry other(.param .b8 big[65536])\n{\nret;\n}\n" KERNEL
                           ".param .b8 a[65536];\ncall other, (a);\nret;\n}\n");
    is_closed(&b, "a call of the kernel other", 11, "a call of a kernel");
    b = text_of(HEAD KERNEL ".reg .texref t;\nmov.b64 t, 1;\nret;\n}\n");
    is_closed(&b, "holds no number", 6, "a register of no size");
    b = text_of(HEAD KERNEL ".param .b64 a<4>;\nst.param.b64 [a3], 1;\nret;\n}\n");
    is_closed(&b, "not registers", 6, "parameters counted like registers");
    b = text_of(HEAD ".func f(.param .b64 a)\n{\n.local .b8 own[4000];\nret;\n}\n" KERNEL
                ".param .b64 a;\n.reg .b64 %d<3>;\n.reg .b32 %r<2>;\nstacksave.u64 %d1;\n"
                "alloca.u64 %d2, 8;\nstackrestore.u64 -16;\ncall f, (a);\nret;\n}\n");
    struct ran r = run(&b);
    check(strstr(r.fault, "no stacksave gave"), "a stack put back to where it never was");
    buf_free(&b);
}

/* ---- frames of any sizes ----------------------------------------------------------------- */

static uint64_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Sizes round powers of two, where sums wrap and limits lie. */
static uint64_t any_size(uint64_t *state)
{
    uint64_t size = UINT64_C(1) << draw(state) % 37;
    return size + draw(state) % 3 + (draw(state) % 4 == 0 ? size / 2 : 0);
}

static uint64_t declare_any(struct buf *b, const char *space, int number, uint64_t *state,
                            uint64_t used)
{
    uint64_t size = any_size(state), align = UINT64_C(1) << draw(state) % 21;
    if (draw(state) % 2)
        size %= 512;
    buf_printf(b, "%s .align %llu .b8 v%d[%llu]", space, (unsigned long long)align, number,
               (unsigned long long)size);
    return (used + align - 1) / align * align + size;
}

/* One function, called with as many arguments; `used` is what its frame holds. */
static void test_any_frames(void)
{
    enum { ROUNDS = 400, MOST = 6, LIMIT = 512 << 10 };
    uint64_t state = 1;
    int wrong = 0, open = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int args = 1 + (int)(draw(&state) % MOST), locals = (int)(draw(&state) % MOST);
        uint64_t used = 0, before = state;
        struct buf b = text_of(HEAD ".func f(");
        for (int i = 0; i < args; i++) {
            buf_puts(&b, i ? ", " : "");
            used = declare_any(&b, ".param", i, &state, used);
        }
        buf_puts(&b, ")\n{\n");
        for (int i = 0; i < locals; i++) {
            used = declare_any(&b, ".local", args + i, &state, used);
            buf_printf(&b, ";\nst.local.u8 [v%d], 1;\n", args + i);
        }
        buf_puts(&b, "ret;\n}\n" KERNEL);
        uint64_t own = 0;
        for (int i = 0; i < args; i++) {
            own = declare_any(&b, ".param", i, &before, own);
            buf_puts(&b, ";\n");
        }
        buf_puts(&b, "call f, (");
        for (int i = 0; i < args; i++)
            buf_printf(&b, "%sv%d", i ? ", " : "", i);
        buf_puts(&b, ");\nret;\n}\n");
        struct ran r = run(&b);
        bool fits = used + 15 <= LIMIT && own + 15 <= LIMIT;
        bool closes = used > LIMIT || own > LIMIT;
        wrong += (fits && r.closed[0]) || (closes && !strstr(r.closed, "bytes of local memory"));
        open += fits;
        buf_free(&b);
    }
    check(wrong == 0 && open > 20 && open < ROUNDS - 20, "frames of any sizes run or are closed");
    printf("# %d wrong, %d of %d fit\n", wrong, open, ROUNDS);
}

/* ---- much of everything ------------------------------------------------------------------- */

/* A file of `before`, `each` so many times, `between`, `other` so many times, `after`. In `each`
 * and `other`, # is the number, ^ the next one, and the last of a list goes without its comma. */
struct kind { const char *name, *before, *each, *between, *other, *after; };

#define BODY KERNEL ".reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .pred %p<3>;\n"
#define END  "ret;\n}\n"
static const struct kind kinds[] = {
    {"constants", BODY, "mov.u32 %r1, 77#;\n", "", "", END},
    {"labels of a list", BODY "T: .branchtargets ", "L#,", ";\nbrx.idx %r1, T;\n",
     "L#: add.u32 %r2, %r2, 1;\n", END},
    {"lists of labels", BODY, "T#: .branchtargets E;\nbrx.idx %r1, T#;\n", "", "", "E: " END},
    {"variables", "", ".global .u32 v# = #;\n", BODY END, "", ""},
    {"variables without bytes", "", ".global .u32 v#[0];\n", BODY END, "", ""},
    {"symbols in initial values", ".global .u64 t[] = {", "f#,", "};\n", ".func f#() { ret; }\n",
     BODY END},
    {"numbers in initial values", ".global .u32 t[] = {", "0x#,", "};\n" BODY END, "", ""},
    {"functions", "", ".func f#() { ret; }\n", BODY, "call f#;\n", END},
    {"a chain of calls", ".func f0() { ret; }\n", ".func f^() { call f#; ret; }\n",
     BODY "call f9;\n", "", END},
    {"functions through pointers", "", ".func f#() { ret; }\n", BODY, "mov.u64 %d1, f#;\n", END},
    {"kernels", BODY END, ".entry k#(.param .u64 x) { .shared .b32 s; .reg .b32 %r<3>; "
     "mov.u32 %r1, s; ret; }\n", "", "", ""},
    {"kernels that call pointers", BODY END, ".entry k#() { .reg .b64 %d<3>; call %d1, P; "
     "P: .callprototype _ (); ret; }\n", ".func at() { ret; }\n",
     ".func f#() { .reg .b64 %d<2>; mov.u64 %d1, at; ret; }\n", ""},
    {"registers", BODY, ".reg .b32 q#;\nmov.u32 q#, 1;\n", "", "", END},
    {"labels", BODY, "L#: @%p1 bra L#;\n", "", "", END},
    {"branches to one place", BODY, "@%p1 bra E;\n", "", "", "E: " END},
    {"branches over branches", BODY, "@%p1 bra A;\nbra Z;\n", "A: @%p1 bra A;\n",
     "L#: @%p1 bra L#;\nadd.u32 %r1, %r1, 1;\n", "Z: " END},
    {"loops in loops", BODY, "L#: @%p2 bra L0;\n", "", "@%p1 bra L#;\n", END},
    {"lines", ".file 1 \"a.cu\"\n" BODY, ".loc 1 # 3\nadd.u32 %r1, %r1, 1;\n", "", "", END},
    {"prototypes", ".func f() { ret; }\n" BODY, "P#: .callprototype _ ();\ncall %d1, P#;\n", "",
     "", END},
    {"shared variables", "", ".shared .b8 s#[1];\n", BODY, "mov.u32 %r1, s#;\n", END},
    {"parameters of calls", BODY, "{ .param .b32 p; st.param.b32 [p], 1; }\n", "", "", END},
    {"scopes", BODY, "{ .reg .b32 t; mov.u32 t, %r1; L: @%p1 bra L; }\n", "", "", END},
    {"aliases", ".func g() { ret; }\n", ".alias a#, g;\n", BODY, "call a#;\n", END},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void add_each(struct buf *b, const char *each, int count)
{
    for (int i = 0; i < count; i++)
        for (const char *c = each; *c; c++)
            if (*c == '#' || *c == '^')
                buf_printf(b, "%d", i + (*c == '^'));
            else if (*c != ',' || c[1] || i + 1 < count)
                buf_add(b, c, 1);
}

static struct buf many(const struct kind *k, int count)
{
    struct buf b = text_of(HEAD);
    buf_puts(&b, k->before);
    add_each(&b, k->each, count);
    buf_puts(&b, k->between);
    add_each(&b, k->other, count);
    buf_puts(&b, k->after);
    return b;
}

/* The time that this program computes; what the system does for its memory is not counted. */
static double computed_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + (double)u.ru_utime.tv_usec / 1e6;
}

/* For loading it, a launch, and unloading; -1: it doesn't load. */
static double seconds_for(const struct buf *text, const char *what)
{
    double start = computed_seconds();
    struct ran r = run(text);
    if (!r.closed[0])
        return computed_seconds() - start;
    printf("# %s: %s\n", what, r.closed);
    return -1;
}

/* Four times as much takes four times as long: half of what a square would take is the limit. */
static void test_growth(const struct kind *k)
{
    enum { FEW = 16000, MANY = 4 * FEW, TRIES = 3 };
    struct buf few = many(k, FEW), more = many(k, MANY);
    double small = 0, large = 0;
    bool good = false;
    for (int i = 0; i < TRIES && !good && large >= 0; i++) {
        small = seconds_for(&few, k->name);
        large = seconds_for(&more, k->name);
        good = small >= 0 && large >= 0 && large < 8 * small + 0.1;
    }
    check(good, k->name);
    if (!good)
        printf("# %g s for %d, %g s for %d\n", small, FEW, large, MANY);
    buf_free(&few);
    buf_free(&more);
}

/* ---- giving up ---------------------------------------------------------------------------- */

struct patience { int asked, most; };

static bool goes_on(void *ctx)
{
    struct patience *p = ctx;
    return p->asked++ < p->most;
}

/* Asked all along: whenever the answer is no, that is the end, and nothing is left over. */
static void test_giving_up(const struct kind *k)
{
    enum { MUCH = 30000 };
    struct buf b = many(k, MUCH);
    struct patience all = {0, 1 << 30};
    bool stops = true;
    for (int round = 0; round < 6; round++) {
        struct patience some = {0, round ? all.asked * (round - 1) / 5 : 1 << 30};
        struct sim *s = sim_open(NULL);
        sim_set_go_on(s, goes_on, &some);
        struct sim_module *m = sim_module_load(s, "k.ptx", b.data, b.len);
        if (round == 0)
            all.asked = some.asked;
        stops = stops && (round == 0 ? m != NULL : !m && strcmp(sim_message(s), "stopped") == 0) &&
                (round == 0 || some.asked == some.most + 1);
        sim_close(s);
    }
    check(stops && all.asked >= 8, k->name);
    printf("# asked %d times\n", all.asked);
    buf_free(&b);
}

int main(void)
{
    const char *kind = getenv("BUILD_KIND");
    test_sums();
    test_guards();
    test_places();
    test_any_frames();
    for (int i = 0; i < KINDS && !(kind && strcmp(kind, "valgrind") == 0); i++)
        test_growth(&kinds[i]);
    for (int i = 0; i < KINDS; i += 7)
        test_giving_up(&kinds[i]);
    printf("1..%d\n", tests);
    return bad != 0;
}
