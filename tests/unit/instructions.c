/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a decoded instruction says about itself: its class and operation, its registers, its order
 * and scope. One kernel holds them all, a row of the table each; nothing is run.
 */
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

/* Registers as the table names them: the n-th of the results, or of what is read. */
static const struct {
    const char *text;
    enum sim_class kind;
    enum sim_operation operation;
    enum sim_order order;
    enum sim_scope scope;
    const char *registers; /* guard, base, those written > those read */
} rows[] = {
    /* clang-format off */
#define PLAIN SIM_WEAK, SIM_NO_SCOPE
    {"add.u32 %r1, %r2, %r3;", SIM_CLASS_ALU, SIM_OP_ADD, PLAIN, "- - r1 > r2 r3"},
    {"sub.u32 %r1, %r2, 7;", SIM_CLASS_ALU, SIM_OP_SUB, PLAIN, "- - r1 > r2 -"},
    {"@%p1 mov.u32 %r1, %r2;", SIM_CLASS_ALU, SIM_OP_MOV, PLAIN, "p1 - r1 > r2"},
    {"@!%p2 mov.u32 %r1, %tid.x;", SIM_CLASS_ALU, SIM_OP_MOV, PLAIN, "p2 - r1 > -"},
    {"setp.lt.u32 %p1|%p2, %r1, %r2;", SIM_CLASS_ALU, SIM_OP_OTHER, PLAIN, "- - p1 p2 > r1 r2"},
    {"selp.b32 %r1, %r2, %r3, %p2;", SIM_CLASS_ALU, SIM_OP_SELP, PLAIN, "- - r1 > r2 r3 p2"},
    {"fma.rn.f32 %f1, %f2, %f3, %f1;", SIM_CLASS_ALU, SIM_OP_FMA, PLAIN, "- - f1 > f2 f3 f1"},
    {"mov.b64 {%r1, %r2}, %d1;", SIM_CLASS_ALU, SIM_OP_MOV, PLAIN, "- - r1 r2 > d1"},
    {"mov.b64 %d1, {%r1, %r2};", SIM_CLASS_ALU, SIM_OP_MOV, PLAIN, "- - d1 > r1 r2"},
    {"ld.global.u32 %r1, [%d1+4];", SIM_CLASS_LOAD, SIM_OP_OTHER, PLAIN, "- d1 r1 > d1"},
    {"ld.global.v2.u32 {%r1, _}, [%d1];", SIM_CLASS_LOAD, SIM_OP_OTHER, PLAIN, "- d1 r1 - > d1"},
    {"ld.shared.u32 %r1, [s+8];", SIM_CLASS_LOAD, SIM_OP_OTHER, PLAIN, "- - r1 > -"},
    {"ld.volatile.shared.u32 %r1, [s];", SIM_CLASS_LOAD, SIM_OP_OTHER, SIM_VOLATILE,
     SIM_NO_SCOPE, "- - r1 > -"},
    {"ld.acquire.gpu.global.u32 %r1, [%d1];", SIM_CLASS_LOAD, SIM_OP_OTHER, SIM_ACQUIRE,
     SIM_GPU_SCOPE, "- d1 r1 > d1"},
    {"ld.relaxed.cluster.global.u32 %r1, [%d1];", SIM_CLASS_LOAD, SIM_OP_OTHER, SIM_RELAXED,
     SIM_CLUSTER_SCOPE, "- d1 r1 > d1"},
    {"st.release.sys.global.u32 [%d1], %r2;", SIM_CLASS_STORE, SIM_OP_OTHER, SIM_RELEASE,
     SIM_ALL_SCOPE, "- d1 > d1 r2"},
    {"st.global.v2.u32 [%d1], {%r1, %r2};", SIM_CLASS_STORE, SIM_OP_OTHER, PLAIN,
     "- d1 > d1 r1 r2"},
    {"atom.acq_rel.cta.global.add.u32 %r1, [%d1], %r2;", SIM_CLASS_ATOMIC, SIM_OP_OTHER,
     SIM_ACQ_REL, SIM_BLOCK_SCOPE, "- d1 r1 > d1 r2"},
    {"atom.global.cas.b32 %r1, [%d1], %r2, %r3;", SIM_CLASS_ATOMIC, SIM_OP_OTHER, PLAIN,
     "- d1 r1 > d1 r2 r3"},
    {"red.shared.add.u32 [s], %r2;", SIM_CLASS_ATOMIC, SIM_OP_OTHER, PLAIN, "- - > - r2"},
    {"membar.cta;", SIM_CLASS_FENCE, SIM_OP_OTHER, SIM_ACQ_REL, SIM_BLOCK_SCOPE, "- - >"},
    {"fence.acq_rel.gpu;", SIM_CLASS_FENCE, SIM_OP_OTHER, SIM_ACQ_REL, SIM_GPU_SCOPE, "- - >"},
    {"prefetch.global.L2 [%d1];", SIM_CLASS_FENCE, SIM_OP_OTHER, PLAIN, "- d1 > d1"},
    {"bar.sync 0, %r1;", SIM_CLASS_BARRIER, SIM_OP_OTHER, PLAIN, "- - > - r1"},
    {"bar.red.and.pred %p1, 0, %p2;", SIM_CLASS_BARRIER, SIM_OP_OTHER, PLAIN, "- - p1 > - p2"},
    {"shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;", SIM_CLASS_SHUFFLE, SIM_OP_OTHER, PLAIN,
     "- - r1 p1 > r2 - - -"},
    {"vote.sync.ballot.b32 %r1, %p2, -1;", SIM_CLASS_VOTE, SIM_OP_OTHER, PLAIN, "- - r1 > p2 -"},
    {"cp.async.ca.shared.global [%r3], [%d1], 4;", SIM_CLASS_LOAD, SIM_OP_OTHER, PLAIN,
     "- d1 > r3 d1 -"},
    {"barrier.cluster.arrive;", SIM_CLASS_ARRIVE, SIM_OP_OTHER, PLAIN, "- - >"},
    {"@%p2 bra END;", SIM_CLASS_BRANCH, SIM_OP_OTHER, PLAIN, "p2 - > -"},
    /* clang-format on */
};
enum { ROWS = sizeof rows / sizeof *rows };

static const char *const names[] = {"r1", "r2", "r3", "p1", "p2", "d1", "f1", "f2", "f3"};
enum { NAMES = sizeof names / sizeof *names };
/* One instruction for each name, whose first result it is. */
static const char naming[] = "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\n"
                             "setp.eq.u32 %p1, 0, 0;\nsetp.eq.u32 %p2, 0, 0;\nmov.u64 %d1, 0;\n"
                             "mov.f32 %f1, 0f00000000;\nmov.f32 %f2, 0f00000000;\n"
                             "mov.f32 %f3, 0f00000000;\n";

static int tests, bad;

static void check(int good, const char *text, const char *what)
{
    tests++;
    bad += !good;
    printf("%sok %d - %s %s\n", good ? "" : "not ", tests, text, what);
}

static const char *name_of(const uint32_t known[NAMES], uint32_t number)
{
    for (int i = 0; i < NAMES; i++)
        if (number && known[i] == number)
            return names[i];
    return number ? "?" : "-";
}

static void write_registers(const uint32_t known[NAMES], const struct sim_operands *o,
                            char out[100])
{
    int n = snprintf(out, 100, "%s %s", name_of(known, o->guard), name_of(known, o->base));
    for (uint32_t k = 0; k < o->written + o->read; k++)
        n += snprintf(out + n, 100 - (size_t)n, "%s %s", k == o->written ? " >" : "",
                      name_of(known, o->number[k]));
    if (!o->read)
        snprintf(out + n, 100 - (size_t)n, " >");
}

static void test_row(const struct sim_result *r, const uint32_t known[NAMES], int row)
{
    const char *text = rows[row].text;
    char registers[100];
    for (uint32_t pc = 0; pc < r->code_count; pc++) {
        const struct sim_instruction *i = &r->code[pc];
        if (i->kind == SIM_CLASS_HIDDEN || strcmp(i->text, text) != 0)
            continue;
        write_registers(known, i->operands, registers);
        check(i->kind == rows[row].kind && i->operation == rows[row].operation, text,
              "has its class and operation");
        check(i->order == rows[row].order && i->scope == rows[row].scope, text,
              "has its order and scope");
        check(strcmp(registers, rows[row].registers) == 0, text, registers);
        return;
    }
    check(0, text, "is in the code");
}

/* "%r" 2 of a kernel that only names registers has the number of the table's r2. */
static void find_names(const struct sim_result *r, uint32_t known[NAMES])
{
    int found = 0;
    for (uint32_t pc = 0; pc < r->code_count && found < NAMES; pc++)
        if (r->code[pc].kind == SIM_CLASS_ALU)
            known[found++] = r->code[pc].operands->number[0];
}

int main(void)
{
    char text[1 << 14];
    uint32_t known[NAMES] = {0};
    struct sim *s = sim_open(NULL);
    int n = snprintf(text, sizeof text,
                     ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                     ".shared .align 4 .b8 s[64];\n.reg .pred %%p<3>;\n.reg .b32 %%r<4>;\n"
                     ".reg .b64 %%d<2>;\n.reg .f32 %%f<4>;\n%s", naming);
    for (int i = 0; i < ROWS; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s\n", rows[i].text);
    n += snprintf(text + n, sizeof text - (size_t)n, "END: ret;\n}\n");
    struct sim_module *m = s ? sim_module_load(s, "k.ptx", text, (size_t)n) : NULL;
    struct sim_launch l = {SIM_LAUNCH, .grid = {1, 1, 1}, .block = {32, 1, 1}};
    l.kernel = m ? sim_kernel_find(m, "k") : NULL;
    struct sim_run *run = l.kernel ? sim_start(s, &l) : NULL;
    const struct sim_result *r = run ? sim_result(run) : NULL;
    check(r && r->code_count > ROWS, "the kernel", s && !r ? sim_message(s) : "is decoded");
    if (r)
        find_names(r, known);
    for (int i = 0; r && i < ROWS; i++)
        test_row(r, known, i);
    sim_finish(run);
    sim_close(s);
    printf("1..%d\n", tests);
    return bad != 0;
}
