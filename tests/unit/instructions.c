/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a decoded instruction says about itself: its class and operation, its registers, its order
 * and scope; one kernel holds them all, a row of the table each. And the compute capability that
 * instructions need, a kernel for each. Nothing is run.
 */
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
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
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r1}, {%r2, %r3};",
     SIM_CLASS_ALU, SIM_OP_OTHER, PLAIN, "- - r1 r2 > r3 r1 r2 r3"},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3];", SIM_CLASS_LOAD, SIM_OP_OTHER,
     PLAIN, "- r3 r1 r2 > r3"},
    {"wmma.store.d.sync.aligned.row.m8n8k32.global.s32 [%d1], {%r1, %r2}, %r3;", SIM_CLASS_STORE,
     SIM_OP_OTHER, PLAIN, "- d1 > d1 r1 r2 r3"},
    {"cp.async.ca.shared.global [%r3], [%d1], 4;", SIM_CLASS_LOAD, SIM_OP_OTHER, PLAIN,
     "- d1 > r3 d1 -"},
    {"mbarrier.arrive.shared.b64 %d1, [%r3];", SIM_CLASS_MBARRIER, SIM_OP_OTHER, SIM_RELEASE,
     SIM_NO_SCOPE, "- r3 d1 > r3"},
    {"mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [%r3], %r1;",
     SIM_CLASS_MBARRIER, SIM_OP_OTHER, SIM_ACQUIRE, SIM_CLUSTER_SCOPE, "- r3 p1 > r3 r1"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%d1], 16, [%r1];",
     SIM_CLASS_BULK, SIM_OP_OTHER, PLAIN, "- d1 > r3 d1 - r1"},
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

/* ---- capabilities ---------------------------------------------------------------------- */

/* What the target notes of the PTX ISA say; 0: no more than the first card that is simulated. */
static const struct {
    const char *text;
    int capability;
} needs[] = {
    {"add.s32 %r1, %r2, %r3;", 0},
    {"fma.rn.f32 %f1, %f2, %f3, %f1;", 0},
    {"add.rn.f64 %x1, %x1, %x1;", 0},
    {"bfe.u32 %r1, %r2, 1, 2;", 0},
    {"lg2.approx.f32.ftz %f1, %f2;", 0}, /* the type before .ftz, as ptxas takes it */
    {"prmt.b32 %r1, %r2, %r3, 0;", 0},
    {"popc.b32 %r1, %r2;", 0},
    {"membar.gl;", 0},
    {"bar.sync 0;", 0},
    {"vote.ballot.b32 %r1, %p1;", 0},
    {"atom.global.add.f32 %f1, [%d1], %f2;", 0},
    {"atom.shared.add.u64 %d1, [s], %d1;", 0},
    {"atom.global.exch.b64 %d1, [%d1], %d1;", 0},
    {"cvt.rn.f16.f32 %h1, %f1;", 0},
    {"cvt.f32.f16 %f1, %h1;", 0},
    {"shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", 30},
    {"vote.sync.any.pred %p1, %p2, -1;", 30},
    {"activemask.b32 %r1;", 30},
    {"barrier.sync 0;", 30},
    {"fns.b32 %r1, %r2, 0, 1;", 30},
    {"vabsdiff4.u32.u32.u32 %r1, %r2, %r3, %r1;", 30},
    {"vabsdiff4.u32.u32.s32 %r1.b1, %r2, %r3, %r1;", 30},
    {"vadd2.s32.s32.s32.sat %r1, %r2.h01, %r3, %r1;", 30},
    {"vadd.s32.s32.s32.sat %r1.b1, %r2.h1, %r3, %r1;", 0},
    {"vmad.s32.s32.s32 %r1, -%r2, %r3, %r1;", 0},
    {"shf.l.wrap.b32 %r1, %r2, %r3, 4;", 32},
    {"ld.global.nc.u32 %r1, [%d1];", 32},
    {"atom.global.max.u64 %d1, [%d1], %d1;", 32},
    {"red.global.and.b64 [%d1], %d1;", 32},
    {"sured.b.1d.add.u32.trap [%d1, {%r1}], %r2;", 30},
    {"sust.p.1d.b32.trap [%d1, {%r1}], {%r2};", 30},
    {"istypep.surfref %p1, %d1;", 30},
    {"lop3.b32 %r1, %r1, %r2, %r3, 0x80;", 50},
    {"alloca.u64 %d1, 16;", 52},
    {"add.f16 %h1, %h1, %h1;", 53},
    {"fma.rn.f16x2 %r1, %r1, %r2, %r3;", 53},
    {"neg.f16 %h1, %h1;", 53},
    {"setp.lt.f16 %p1, %h1, %h1;", 53},
    {"set.eq.f16.f16 %h1, %h1, %h1;", 53},
    {"atom.global.add.f64 %x1, [%d1], %x1;", 60},
    {"red.global.add.noftz.f16x2 [%d1], %r1;", 60},
    {"dp4a.s32.s32 %r1, %r1, %r2, %r3;", 61},
    {"dp2a.lo.u32.u32 %r1, %r1, %r2, %r3;", 61},
    {"match.any.sync.b32 %r1, %r2, -1;", 70},
    {"lop3.or.b32 %r1|%p1, %r1, %r2, %r3, 0x80, %p2;", 70},
    {"ld.global.b128 %q1, [%d1];", 70},
    {"mov.b128 {%d1, %d0}, %q1;", 70},
    {"bmsk.clamp.b32 %r1, %r2, %r3;", 70},
    {"szext.wrap.s32 %r1, %r2, %r3;", 70},
    {"atom.global.cas.b16 %h1, [%d1], %h1, %h1;", 70},
    {"red.global.add.noftz.f16 [%d1], %h1;", 70},
    {"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%r1, %r1}, {%r1, %r1, %r1, %r1};", 70},
    {"wmma.mma.sync.aligned.row.row.m16n16k16.f16.f16 {%r1, %r1, %r1, %r1}, {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1}, {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1}, {%r1, %r1, %r1, %r1};", 70},
    {"wmma.load.c.sync.aligned.row.m16n16k16.global.f16 {%r1, %r1, %r1, %r1}, [%d1];", 70},
    {"ld.global.L1::evict_last.u32 %r1, [%d1];", 70},
    {"cvt.pack.sat.u16.s32 %r1, %r2, %r3;", 72},
    {"wmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%r1, %r1}, [s], 16;", 72},
    {"wmma.store.d.sync.aligned.row.m16n16k16.global.s32 [%d1], {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1};", 72},
    {"tanh.approx.f32 %f1, %f1;", 75},
    {"ex2.approx.f16 %h1, %h1;", 75},
    {"ld.global.L2::128B.u32 %r1, [%d1];", 75},
    {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r1, %r1}, {%r1, %r1}, %r1, {%r1, %r1};", 75},
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%r1, %r1}, %r1, %r1, {%r1, %r1};", 75},
    {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%r1, %r1}, %r1, %r1, {%r1, %r1};", 75},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r1, [s];", 75},
    {"movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r1;", 75},
    {"redux.sync.add.u32 %r1, %r2, -1;", 80},
    {"cp.async.ca.shared.global [%r3], [%d1], 4;", 80},
    {"cp.async.commit_group;", 80},
    {"mov.u32 %r1, %reserved_smem_offset_1;", 80},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r1, %r1}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%r1, %r1};", 80},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%r1, %r1, %r1, %r1}, {%r1, %r1}, %r1, {%r1, %r1, %r1, %r1};", 80},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1, %d1}, %d1, %d1, {%d1, %d1};", 80},
    {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%r1, %r1}, %r1, %r1, {%r1, %r1};", 80},
    {"mbarrier.init.shared.b64 [s], 1;", 80},
    {"mbarrier.arrive.shared.b64 %d1, [s];", 80},
    {"mbarrier.arrive_drop.shared.b64 %d1, [s];", 80},
    {"mbarrier.arrive.noComplete.shared.b64 %d1, [s], 1;", 80},
    {"mbarrier.test_wait.parity.shared.b64 %p1, [s], 0;", 80},
    {"cp.async.mbarrier.arrive.noinc.shared.b64 [s];", 80},
    {"min.NaN.f32 %f1, %f1, %f2;", 80},
    {"min.f16 %h1, %h1, %h1;", 80},
    {"fma.rn.bf16 %h1, %h1, %h1, %h1;", 80},
    {"neg.bf16 %h1, %h1;", 80},
    {"cvt.rn.bf16.f32 %h1, %f1;", 80},
    {"cvt.rna.tf32.f32 %r1, %f1;", 80},
    {"cvt.rn.relu.f16.f32 %h1, %f1;", 80},
    {"cvt.rn.f16x2.f32 %r1, %f1, %f2;", 80},
    {"createpolicy.fractional.L2::evict_last.b64 %d1, 1.0;", 80},
    {"min.xorsign.abs.f32 %f1, %f1, %f2;", 86},
    {"cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;", 89},
    {"cvt.rn.f16x2.e5m2x2 %r1, %h1;", 89},
    {"mma.sync.aligned.m16n8k16.row.col.f16.e4m3.e5m2.f16 {%r1, %r1}, {%r1, %r1}, %r1, {%r1, %r1};", 89},
    {"add.bf16 %h1, %h1, %h1;", 90},
    {"setp.lt.bf16 %p1, %h1, %h1;", 90},
    {"add.u16x2 %r1, %r2, %r3;", 90},
    {"min.relu.s32 %r1, %r2, %r3;", 90},
    {"max.s16x2.relu %r1, %r2, %r3;", 90},
    {"fma.rn.oob.f16 %h1, %h1, %h1, %h1;", 90},
    {"cvt.rn.tf32.f32 %r1, %f1;", 90},
    {"red.global.add.noftz.bf16 [%d1], %h1;", 90},
    {"red.global.v2.f32.add [%d1], {%f1, %f2};", 90},
    {"elect.sync %r1|%p1, -1;", 90},
    {"atom.global.exch.b128 %q1, [%d1], %q1;", 90},
    {"red.global.v2.f16.min.noftz [%d1], {%h1, %h1};", 90},
    {"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%d1, %d1, %d1, %d1}, {%d1, %d1}, %d1, {%d1, %d1, %d1, %d1};", 90},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [s], %r1;", 90},
    {"mapa.u64 %d1, %d1, 1;", 90},
    {"mbarrier.arrive.shared.b64 %d1, [s], 2;", 90},
    {"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3];", 90},
    {"mbarrier.expect_tx.relaxed.cta.shared.b64 [s], 16;", 90},
    {"mbarrier.try_wait.shared.b64 %p1, [s], %d1;", 90},
    {"cp.async.bulk.global.shared::cta.bulk_group [%d1], [s], 16;", 90},
    {"cp.async.bulk.wait_group 0;", 90},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%d1], [s], 16;", 90},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r3], %r1, [%r2];", 90},
    {"fence.proxy.async;", 90},
    {"barrier.cluster.arrive;", 90},
    {"ld.shared::cluster.u32 %r1, [%r3];", 90},
    {"mov.u32 %r1, %cluster_ctarank;", 90},
    {"griddepcontrol.wait;", 90},
};
enum { NEEDS = sizeof needs / sizeof *needs };

static struct sim_module *load_needs(struct sim *s)
{
    char text[1 << 16];
    int n = snprintf(text, sizeof text, ".version 8.0\n.target sm_90\n.address_size 64\n");
    for (int i = 0; i < NEEDS; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      ".visible .entry k%d()\n{\n.shared .align 8 .b8 s[64];\n.reg .pred %%p<3>;\n"
                      ".reg .b16 %%h<2>;\n.reg .b32 %%r<4>;\n.reg .b64 %%d<2>;\n.reg .b128 %%q<2>;\n"
                      ".reg .f32 %%f<4>;\n.reg .f64 %%x<2>;\n%s\nret;\n}\n", i, needs[i].text);
    return sim_module_load(s, "needs.ptx", text, (size_t)n);
}

/* Of cards below that capability it is said why the kernel can't run; the others start it. */
static void test_launch(struct sim *s, const struct sim_kernel *k, int capability)
{
    struct sim_limits limits = {SIM_LIMITS};
    struct sim_launch l = {SIM_LAUNCH, .kernel = k, .grid = {1, 1, 1}, .block = {32, 1, 1}};
    char what[100];
    sim_limits_default(&limits);
    limits.capability = capability;
    sim_set_limits(s, &limits);
    struct sim_run *run = sim_start(s, &l);
    const struct sim_result *r = run ? sim_result(run) : NULL;
    const bool refused = r && r->fault_count && r->faults[0].kind == SIM_UNSUPPORTED &&
                         strstr(r->faults[0].message, "needs compute capability");
    snprintf(what, sizeof what, "on a card of %d", capability);
    check(run && refused == (k->needs_capability > capability), k->needs_what, what);
    sim_finish(run);
}

static void test_needs(void)
{
    struct sim *s = sim_open(NULL);
    struct sim_module *m = load_needs(s);
    char what[40];
    check(m != NULL, "all kernels", m ? "are loaded" : sim_message(s));
    for (int i = 0; m && i < NEEDS; i++) {
        const struct sim_kernel *k = sim_kernel_at(m, (size_t)i);
        snprintf(what, sizeof what, "needs %d", k->needs_capability);
        check(!k->closed && k->needs_capability == needs[i].capability, needs[i].text,
              k->closed ? k->closed : what);
        if (k->needs_capability == 61 || k->needs_capability == 90)
            test_launch(s, k, 61);
    }
    sim_close(s);
}

/* ---- what there is -------------------------------------------------------------------- */

static bool runs_alone(struct sim *s, const char *instruction, const char **why, bool *lacks)
{
    static char text[2048], said[300];
    int n = snprintf(text, sizeof text,
                     ".version 9.0\n.target sm_90a\n.address_size 64\n.global .align 16 .b8 gmem[64];\n"
                     ".global .texref tx;\n.global .surfref sf;\n.visible .entry k(.param .u64 in)\n{\n"
                     ".reg .pred %%p<4>;\n.reg .b8 %%b<6>;\n.reg .b16 %%h<9>;\n.reg .b32 %%r<9>;\n"
                     ".reg .b64 %%d<9>;\n.reg .b128 %%q<4>;\n.reg .f32 %%f<9>;\n.reg .f64 %%g<5>;\n"
                     ".shared .align 16 .b8 room[64];\n.local .align 16 .b8 own[64];\n%s\nret;\n}\n",
                     instruction);
    struct sim_module *m = sim_module_load(s, "isa.ptx", text, (size_t)n);
    const struct sim_kernel *k = m ? sim_kernel_at(m, 0) : NULL;
    snprintf(said, sizeof said, "%s", !m ? sim_message(s) : k && k->closed ? k->closed : "");
    *why = said;
    *lacks = k && k->lacks;
    if (m)
        sim_module_unload(s, m);
    return !said[0];
}

/* A name that PTX does not have is a mistake, and nothing that the simulator lacks. */
static void test_lacks(void)
{
    static const struct { const char *line; bool lacks; } all[] = {
        {"frobnicate.u32 %r1, %r2;", false}, {"wgmmas.fence.sync.aligned;", false},
        {"wgmma.fence.sync.aligned;", true}, {"add.s32 %r1;", false}, {"bra nowhere;", false}};
    struct sim *s = sim_open(NULL);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *why;
        bool lacks;
        runs_alone(s, all[i].line, &why, &lacks);
        check(*why && lacks == all[i].lacks, all[i].line, all[i].lacks ? "lacking" : "wrong");
    }
    sim_close(s);
}

static void test_isa(void)
{
    const char *top = getenv("top_srcdir"), *why;
    char line[300];
    int lines = 0, wrong = 0;
    bool lacks;
    snprintf(line, sizeof line, "%s/tests/data/isa.txt", top ? top : ".");
    struct sim *s = sim_open(NULL);
    FILE *f = fopen(line, "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        const bool closed = strncmp(line, "closed ", 7) == 0;
        if (*line == '#')
            continue;
        const bool runs = runs_alone(s, line + (closed ? 7 : 0), &why, &lacks);
        const bool good = runs != closed && lacks == closed;
        if (!good)
            printf("# %s: %s\n", line, runs ? "runs" : why);
        wrong += !good;
        lines++;
    }
    check(lines > 300 && !wrong, "isa.txt:", "each instruction runs, or is closed, as it says");
    if (f)
        fclose(f);
    sim_close(s);
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
    test_needs();
    test_isa();
    test_lacks();
    printf("1..%d\n", tests);
    return bad != 0;
}
