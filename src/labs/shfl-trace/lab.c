/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shfl-trace: one warp shuffle, lane by lane: who reads whom, what each lane had and got.
 * The kernel's answer is held against the rule in labkit/shuffle.c, wherever it is defined.
 */
#include "labkit/lab.h"
#include "labkit/shuffle.h"

#include <stdio.h>
#include <string.h>

enum { LANES = SHUFFLE_LANES, FIRST_VALUE = 100 };
static const char *const ops[] = {"down", "up", "xor", "idx", NULL};
static const char *const kernels[] = {"shfl_down", "shfl_up", "shfl_xor", "shfl_idx"};
static const char *const calls[] = {"__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync",
                                    "__shfl_sync"};
static const char *const widths[] = {"32", "16", "8", "4", "2", NULL};

static int set_up(struct shuffle *x, const struct args *args, struct report *r)
{
    x->op = (enum shuffle_op)arg_choice(args, "OP");
    x->delta = (int)arg_int(args, "DELTA");
    x->width = LANES >> arg_choice(args, "width");
    x->lanes = (int)arg_int(args, "lanes");
    uint32_t present = x->lanes == LANES ? UINT32_MAX : (UINT32_C(1) << x->lanes) - 1;
    uint32_t mask = arg_given(args, "mask") ? (uint32_t)arg_int(args, "mask") : UINT32_MAX;
    x->active = mask & present & (arg_flag(args, "in-branch") ? 0xffff : UINT32_MAX);
    x->named = arg_given(args, "mask") ? mask : x->active;
    if (!x->active)
        return report_fail(r, "no lane is left to take part: of the %d lanes that exist, the "
                              "mask must name one, for example --mask 0xffff", x->lanes);
    for (int i = 0; i < LANES; i++)
        x->before[i] = FIRST_VALUE + i;
    shuffle_sources(x);
    return 0;
}

static int launch(struct shuffle *x, struct session *s, bool trace, struct launch_result *result,
                  struct report *r)
{
    uint64_t before, after;
    const struct lab_launch l = {.module = "shfl-trace", .kernel = kernels[x->op],
                                 .grid = {1, 1, 1}, .block = {(unsigned)x->lanes, 1, 1},
                                 .trace = trace};
    memset(x->after, 0, sizeof x->after);
    if (lab_array(s, sizeof x->before, "before", x->before, &before, r) ||
        lab_array(s, sizeof x->after, "after", x->after, &after, r) ||
        lab_launch(s, &l, result, r,
                   PARAMS(before, after, x->delta, x->width, x->named, x->active)))
        return -1;
    if (session_fetch(s, x->after, after, sizeof x->after, r) == 0)
        return 0;
    launch_result_free(result);
    return -1;
}

/* ---- what is shown ---------------------------------------------------------------------- */

static void explain(const struct shuffle *x, struct report *r)
{
    struct slots s;
    int own = 0, undefined = 0, others = 0;
    for (int i = 0; i < LANES; i++) {
        undefined += shuffle_takes_part(x, i) && x->source[i] == SHUFFLE_UNDEFINED;
        own += x->source[i] == i;
        others += x->source[i] != SHUFFLE_UNDEFINED && x->source[i] != i;
    }
    slots_init(&s);
    slot(&s, "delta", "%d", x->delta);
    slot(&s, "width", "%d", x->width);
    slot(&s, "own", "%d", own);
    slot(&s, "others", "%d", others);
    slot(&s, "undefined", "%d", undefined);
    slot(&s, "past", "%d", x->delta < x->width ? x->delta : x->width);
    slot(&s, "mask", "0x%08x", x->active);
    slot(&s, "named", "0x%08x", x->named);
    slot(&s, "absent", "%d", __builtin_popcount(x->named & ~x->active));
    const char *which = x->named & ~x->active ? "named" : undefined ? "undefined" : ops[x->op];
    lab_explain_slots(r, "shfl-trace", which, &s);
}

static int run(struct session *s, const struct args *args, struct report *r)
{
    struct shuffle x;
    struct launch_result result;
    char head[120];
    if (set_up(&x, args, r) || launch(&x, s, arg_flag(args, "trace"), &result, r))
        return -1;
    snprintf(head, sizeof head, "%s(0x%08x, v, %d, %d)", calls[x.op], x.named, x.delta, x.width);
    lab_expected(r, "invalid-shuffle"); /* it is drawn, lane by lane */
    say_head(r, s, head);
    if (r->status == REPORT_OK)
        shuffle_draw(&x, r);
    lab_extras(s, args->options, &result, r);
    launch_result_free(&result);
    if (r->status != REPORT_OK) /* stopped: shuffles came with compute capability 3.0 */
        return -1;
    json_text(&r->result, "op", ops[x.op]);
    put_shuffle(&x, &r->result);
    json_bool(&r->result, "ok", shuffle_right(&x));
    explain(&x, r);
    return shuffle_right(&x) ? 0 : report_fail(r, "a lane got another value than the rule gives");
}

static const struct arg_spec options[] = {
    {.name = "width", .type = ARG_CHOICE, .choices = widths, .initial = "32",
     .help = "lanes in a group: the warp is cut into groups that keep to themselves"},
    {.name = "lanes", .type = ARG_INT, .lo = 1, .hi = LANES, .initial = "32",
     .help = "threads in the block: lanes beyond do not exist"},
    {.name = "mask", .type = ARG_HEX,
     .help = "the lanes that the call names (those that come, if not given)"},
    {.name = "in-branch", .type = ARG_FLAG, .help = "only lanes 0 to 15 get to the shuffle"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "OP", .type = ARG_CHOICE, .choices = ops, .required = true, .help = "the shuffle"},
    {.name = "DELTA", .type = ARG_INT, .lo = 0, .hi = LANES - 1, .required = true,
     .help = "the distance; for xor the bits to flip, for idx the lane to read"},
    {0},
};
static const struct lab lab = {.module = "shfl-trace", .takes = TAKES_TRACE | TAKES_COUNTERS};

const struct command lab_shfl_trace = {
    .name = "shfl-trace",
    .kind = CLASS_LAB,
    .summary = "one warp shuffle, lane by lane",
    .options = options,
    .operands = operands,
    .lab = &lab,
    .run = run,
};
