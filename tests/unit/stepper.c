/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Breakpoints are asked once for each time that lanes come to their line, before they execute it, and
 * nothing else runs for that. So what a search costs is bounded by counts: of conditions, and of looks
 * at Ctrl-C, of which there is one for each stretch that a search runs.
 */
#include "step/stepper.h"

#include "sim/inspect.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One warp counts %r2 from 0 on, at line 3, whose first instruction has a guard: it holds in odd
 * lanes. */
static const char text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry k(.param .u32 turns)\n{\n"
    "    .reg .pred %p<4>;\n    .reg .b32 %r<8>;\n    .loc 1 1 0\n"
    "    ld.param.u32 %r1, [turns];\n    mov.u32 %r2, 0;\n    mov.u32 %r3, 0;\n"
    "    mov.u32 %r4, %tid.x;\n    and.b32 %r4, %r4, 1;\n    setp.eq.u32 %p2, %r4, 1;\n"
    "LOOP:\n    .loc 1 3 0\n    @%p2 add.u32 %r3, %r3, 1;\n    add.u32 %r2, %r2, 1;\n"
    "    .loc 1 4 0\n    setp.lt.u32 %p1, %r2, %r1;\n    @%p1 bra LOOP;\n"
    "    .loc 1 5 0\n    ret;\n}\n.file 1 \"k.cu\"\n";

enum { TURNS = 20000, OFTEN = 256, STRETCHES = 8 };

static int tests, bad;

static void check(bool good, const char *what, uint64_t number)
{
    tests++;
    bad += !good;
    printf("%sok %d - %s: %" PRIu64 "\n", good ? "" : "not ", tests, what, number);
}

struct asked {
    struct stepper *s;
    uint64_t times, wanted, not_all, looks, stop_at;
};

/* Meant when %r2 is `wanted`. */
static uint32_t is_wanted(void *self, const struct step_lanes *l)
{
    struct asked *a = self;
    struct sim_row row;
    a->times++;
    a->not_all += l->lanes != UINT32_MAX;
    if (!sim_inspect_row(stepper_run(a->s), l->block, l->warp, 0, 0, "%r2", &row))
        return 0;
    return sim_row_value(&row, 0).bits[0] == a->wanted ? l->lanes & 0xf0 : 0;
}

static int looks(void *self, struct err *e)
{
    struct asked *a = self;
    a->looks++;
    return a->stop_at && a->looks >= a->stop_at ? fail(e, "stopped") : 0;
}

static uint64_t register_of(const struct stepper *s, const char *name, unsigned lane)
{
    struct sim_value v = {.bits = {UINT64_MAX}};
    (void)sim_inspect_register(stepper_run(s), 0, 0, lane, 0, name, &v);
    return v.bits[0];
}

static void search(struct asked *a, bool back)
{
    a->times = a->looks = a->not_all = 0;
    const enum step_stop stop = stepper_continue(a->s, back);
    const struct step_focus f = stepper_focus(a->s);
    check(stop == STEP_AT_BREAK && register_of(a->s, "%r2", 0) == a->wanted,
          back ? "backwards it stops where the condition holds" : "it stops where the condition holds",
          a->wanted);
    check(f.lane == 4, "in the first lane that the condition names", f.lane);
    check(stepper_next(a->s) && stepper_next(a->s)->line == 3, "before the line",
          (uint64_t)stepper_next(a->s)->line);
    check(!a->not_all, "lanes are counted that come to the line, whatever their guard is", a->not_all);
    check(a->times <= TURNS, "each hit is asked about once", a->times);
    check(a->looks <= TURNS / OFTEN + STRETCHES, "nothing runs for a hit that is not meant", a->looks);
}

static void conditions(struct sim *sim, const struct sim_launch *launch)
{
    struct err e;
    struct asked a = {.wanted = TURNS - 1};
    a.s = stepper_begin(sim, launch, &e);
    if (!a.s) {
        check(false, e.text, 0);
        return;
    }
    stepper_stops_by(a.s, (struct go_on){looks, &a});
    check(stepper_break(a.s, 2, is_wanted, &a) == 0, "a line without instructions has no number", 0);
    check(stepper_break(a.s, 3, is_wanted, &a) == 1, "the first breakpoint is number", 1);
    search(&a, false);
    check(a.times == TURNS, "a condition is asked once a hit", a.times);
    check(register_of(a.s, "%r3", 1) == TURNS - 1 && register_of(a.s, "%r3", 0) == 0,
          "odd lanes have counted as well", register_of(a.s, "%r3", 1));
    a.wanted = 1;
    search(&a, true);
    a.wanted = TURNS + 5;
    a.looks = 0;
    a.stop_at = 3;
    enum step_stop stop = stepper_continue(a.s, false);
    check(stop == STEP_STOPPED, "Ctrl-C stops it", stepper_place(a.s));
    check(a.looks <= 8, "at the next look", a.looks);
    a.stop_at = 0;
    stop = stepper_continue(a.s, false);
    check(stop == STEP_AT_END, "without a hit it goes to the end", stepper_place(a.s));
    stepper_end(a.s);
}

int main(void)
{
    struct sim *sim = sim_open(NULL);
    struct sim_module *m = sim ? sim_module_load(sim, "k.ptx", text, sizeof text - 1) : NULL;
    const struct sim_kernel *k = m ? sim_kernel_find(m, "k") : NULL;
    const uint32_t turns = TURNS;
    if (!k) {
        check(false, sim ? sim_message(sim) : "out of memory", 0);
    } else {
        const struct sim_launch launch = {SIM_LAUNCH,       .grid = {1, 1, 1},
                                          .block = {32, 1, 1}, .kernel = k,
                                          .params = &turns,    .step_limit = 1 << 26};
        conditions(sim, &launch);
    }
    check(sim_close(sim) == 0, "the handle can be closed", 0);
    printf("1..%d\n", tests);
    return bad != 0;
}
