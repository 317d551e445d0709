/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shfl-trace: one warp shuffle, lane by lane: which lane reads which, what each had and got. The
 * kernel's answer is compared with the rule in labkit/shuffle.c, wherever that defines one.
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

struct shfl_options {
    struct lab_options lab;
    int op, delta, width, lanes; /* op and width: which of their choices */
    unsigned mask;
    bool mask_given, in_branch;
};

static int set_up(struct shuffle *x, const struct shfl_options *o, struct report *r)
{
    *x = (struct shuffle){.op = (enum shuffle_op)o->op, .op_name = ops[o->op], .delta = o->delta,
                          .width = LANES >> o->width, .lanes = o->lanes};
    uint32_t present = x->lanes == LANES ? UINT32_MAX : (UINT32_C(1) << x->lanes) - 1;
    uint32_t mask = o->mask_given ? o->mask : UINT32_MAX;
    x->active = mask & present & (o->in_branch ? 0xffff : UINT32_MAX);
    x->named = o->mask_given ? mask : x->active;
    if (!x->active)
        return report_fail(r, "no lane takes part: the mask must name one of the %d lanes that "
                              "exist, for example --mask 0xffff", x->lanes);
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

static int run(struct session *s, const void *given, struct report *r)
{
    const struct shfl_options *o = given;
    struct shuffle x;
    struct launch_result result;
    char head[120];
    if (set_up(&x, o, r))
        return -1;
    snprintf(head, sizeof head, "%s(0x%08x, v, %d, %d)", calls[x.op], x.named, x.delta, x.width);
    if (o->lab.calls) {
        say_head(r, s, head);
        lab_calls(r, "shfl-trace", NULL, shuffle_facts, &x);
        lab_explain(r, "shfl-trace", "calls", shuffle_facts, &x);
        return 0;
    }
    if (launch(&x, s, o->lab.trace, &result, r))
        return -1;
    lab_expected(r, "invalid-shuffle"); /* it is drawn, lane by lane */
    say_head(r, s, head);
    if (r->status == REPORT_OK)
        shuffle_draw(&x, r);
    lab_extras(s, &o->lab, &result, r);
    launch_result_free(&result);
    if (r->status != REPORT_OK) /* stopped: shuffles came with compute capability 3.0 */
        return -1;
    x.right = shuffle_right(&x);
    facts_json(shuffle_facts, &x, &r->result);
    lab_explain(r, "shfl-trace", x.absent ? "named" : x.undefined ? "undefined" : x.op_name,
                shuffle_facts, &x);
    return x.right ? 0 : report_fail(r, "a lane got a value that differs from the rule");
}

static const struct arg_spec options[] = {
    {OPTION(struct shfl_options, width), .type = ARG_CHOICE, .choices = widths, .initial = "32",
     .help = "lanes of a group; lanes exchange values only within their group"},
    {OPTION(struct shfl_options, lanes), .type = ARG_INT, .lo = 1, .hi = LANES, .initial = "32",
     .help = "threads in the block; the other lanes of the warp have no thread"},
    {OPTION(struct shfl_options, mask), GIVEN(struct shfl_options, mask), .type = ARG_HEX,
     .help = "the mask of the call (default: the lanes that execute it)"},
    {.name = "in-branch", BIND(struct shfl_options, in_branch),
     .help = "only lanes 0 to 15 execute the shuffle"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "OP", BIND(struct shfl_options, op), .type = ARG_CHOICE, .choices = ops,
     .required = true, .example = "down", .help = "the shuffle"},
    {.name = "DELTA", BIND(struct shfl_options, delta), .type = ARG_INT, .lo = 0, .hi = LANES - 1,
     .required = true, .example = "1",
     .help = "the distance; for xor the bits to change, for idx the lane to read"},
    {0},
};
static const struct lab lab = {.module = "shfl-trace", .takes = TAKES_TRACE | TAKES_CALLS |
                                                             TAKES_COUNTERS};

const struct command lab_shfl_trace = {
    LAB_COMMAND(struct shfl_options),
    .name = "shfl-trace",
    .summary = "one warp shuffle, lane by lane",
    .options = options,
    .operands = operands,
};
