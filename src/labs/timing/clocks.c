/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a clock includes follows from a few rules: a call begins before it returns, and before
 * what it starts; the device does what is in a stream in order; a host that waits goes on after the
 * end. Nothing orders the return of a launch and the launched kernel: all differences come from
 * that.
 */
#include "labs/timing/clocks.h"

#include "screen/picture.h"
#include <stddef.h>
#include <string.h>

static const struct clock_kind clock_kinds[] = {
    {"events", "cudaEventRecord(a)", "cudaEventRecord(b)", "the device's time",
     CLOCK_MARK, CLOCK_MARK2, false},
    {"wall-sync", "before the launch", "after cudaDeviceSynchronize()",
     "time on the wall", CLOCK_CALL, CLOCK_WAITED, false},
    {"wall", "before the launch", "when the launch returns", "time on the wall", CLOCK_CALL,
     CLOCK_RETURN, false},
    {"clock", "before the launch", "after cudaDeviceSynchronize()",
     "processor time of this program", CLOCK_CALL, CLOCK_WAITED, true},
    {0},
};

const struct clock_kind *clock_named(const char *name)
{
    for (const struct clock_kind *k = clock_kinds; k->name; k++)
        if (strcmp(k->name, name) == 0)
            return k;
    return NULL;
}

/* Does `a` come before `b` in every legal order? */
static bool clock_before(enum moment a, enum moment b)
{
    static const struct {
        enum moment first, then;
    } rules[] = {
        {CLOCK_CALL, CLOCK_RETURN},   {CLOCK_CALL, CLOCK_BEGIN}, {CLOCK_BEGIN, CLOCK_END},
        {CLOCK_MARK, CLOCK_BEGIN},    {CLOCK_END, CLOCK_MARK2},  {CLOCK_MARK2, CLOCK_WAITED},
        {CLOCK_RETURN, CLOCK_WAITED},
    };
    if (a == b)
        return true;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].first == a && clock_before(rules[i].then, b))
            return true;
    return false;
}

bool clock_holds_kernel(const struct clock_kind *k)
{
    return clock_before(k->from, CLOCK_BEGIN) && clock_before(CLOCK_END, k->to);
}

bool clock_holds_call(const struct clock_kind *k)
{
    return clock_before(k->from, CLOCK_CALL) && clock_before(CLOCK_RETURN, k->to);
}

double clock_measured(const struct clock_kind *k, const struct launch_result *r)
{
    if (k->from == CLOCK_MARK)
        return r->measured_s;
    if (k->to == CLOCK_RETURN)
        return r->host.call;
    return k->cpu ? r->host.wait_cpu : r->host.wait;
}

/* ---- the picture ------------------------------------------------------------------------ */

enum { ROW_HOST, ROW_DEVICE, ROW_CLOCKS };
enum { SPAN_CALL, SPAN_WAIT, SPAN_KERNEL, SPAN_RUNS, SPAN_PERHAPS };

void say_clocks(struct report *r, const struct clock_kind *one)
{
    static const double at[CLOCK_MOMENTS] = {2, 1, 3, 4, 11, 11, 12}; /* moments by steps */
    static const char *const kinds[] = {"the host launches", "the host waits", "the kernel runs",
                                        "this clock runs",
                                        "it runs only if the host does not sleep"};
    const char *rows[2 + 4] = {"host", "device"};
    struct time_span spans[3 + 2 * 4] = {{ROW_HOST, SPAN_CALL, at[CLOCK_CALL], at[CLOCK_RETURN]},
                                         {ROW_HOST, SPAN_WAIT, at[CLOCK_RETURN], at[CLOCK_WAITED]},
                                         {ROW_DEVICE, SPAN_KERNEL, at[CLOCK_BEGIN], at[CLOCK_END]}};
    unsigned count = 3, row = ROW_CLOCKS;
    bool has_cpu = false;
    for (const struct clock_kind *k = clock_kinds; k->name; k++) {
        if (one ? k != one : k->cpu && !r->whole)
            continue;
        has_cpu |= k->cpu;
        double to = k->cpu ? at[CLOCK_RETURN] : at[k->to];
        spans[count++] = (struct time_span){row, SPAN_RUNS, at[k->from], to};
        if (k->cpu)
            spans[count++] = (struct time_span){row, SPAN_PERHAPS, to, at[k->to]};
        rows[row++] = k->name;
    }
    const struct timeline t = {rows, row, kinds, has_cpu ? 5 : 4, spans, count, "steps"};
    say_timeline(r, &t);
}
