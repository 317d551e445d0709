/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * devquery: what a device says of itself, as cudaGetDeviceProperties and
 * cudaDeviceGetAttribute would tell a program, and the peaks that follow from it. A small
 * kernel asks the device from inside too, and both must agree. What the fields are called
 * is in labkit/props.c.
 */
#include "labs/devquery/cards.h"
#include "labkit/lab.h"
#include "labkit/props.h"

#include <stdio.h>
#include <string.h>

struct devquery_options {
    struct lab_options lab;
    int d;
    bool d_given, list, architectures, names;
};

enum { SAYS_WARP_SIZE, SAYS_SMS, SAYS_COUNT = 7 }; /* what device_says stores, in order */

/* Does a kernel see the warp size and the multiprocessors that the properties name? */
static int ask_inside(struct session *s, bool *agrees, struct report *r)
{
    uint64_t out;
    unsigned says[SAYS_COUNT] = {0};
    struct launch_result result;
    const struct lab_launch l = {.module = "devquery", .kernel = "device_says",
                                 .grid = {1, 1, 1}, .block = {1, 1, 1}};
    const struct device_props *p = &s->device->props;
    if (lab_array(s, sizeof says, "out", says, &out, r) ||
        lab_launch(s, &l, &result, r, PARAMS(out)))
        return -1;
    const bool ended = launch_result_ended(&result);
    launch_result_free(&result);
    if (ended || session_fetch(s, says, out, sizeof says, r))
        return -1;
    *agrees = says[SAYS_WARP_SIZE] == (unsigned)p->warp_size &&
              (p->multiprocessors == 0 || says[SAYS_SMS] == (unsigned)p->multiprocessors);
    return 0;
}

static int explain(const struct device_props *p, const char *which, struct report *r)
{
    const struct props_peaks peaks = props_peaks(p);
    lab_explain(r, "devquery", which || peaks.balance > 0 ? which : "unpeaked",
                props_peak_facts, &peaks);
    return 0;
}

/* The number of the error was another one until CUDA 10.0, so its name is given too. */
static int no_such_device(struct report *r, int number, int count)
{
    return report_fail(r, "-d %d: there %s %d device%s here, and counting starts at 0, so -d %d "
                          "is the %s (CUDA says cudaErrorInvalidDevice, 101)",
                       number, count == 1 ? "is" : "are", count, count == 1 ? "" : "s",
                       count - 1, count == 1 ? "only one" : "last");
}

/* What is shown besides the fields of one device: calls and tables. */
static int run_calls(struct session *s, int number, struct report *r)
{
    static const struct fact facts[] = {{.name = "number", .kind = FACT_INT}, {.name = NULL}};
    say_head(r, s, "the calls that devquery stands for");
    lab_calls(r, "devquery", NULL, facts, &number);
    return explain(&s->device->props, "calls", r);
}

static int run_tables(struct session *s, bool cards, struct report *r)
{
    say_head(r, s, cards ? "cards that the simulator can stand for"
                         : "what an SM has room for, by compute capability");
    if (cards)
        say_cards(r);
    if (cards)
        say_architectures(r);
    else if (say_capabilities(r))
        return -1;
    return explain(&s->device->props, cards ? "list" : "architectures", r);
}

static int run(struct session *s, const void *given, struct report *r)
{
    const struct devquery_options *o = given;
    const struct device *d = s->device;
    const int count = d->cards ? d->cards->count : 1, number = o->d_given ? o->d : d->card;
    const bool in_use = number == d->card;
    bool agrees = true;
    char head[60];
    if (number >= count)
        return no_such_device(r, number, count);
    if (o->lab.calls)
        return run_calls(s, number, r);
    if (o->list || o->architectures)
        return run_tables(s, o->list, r);
    const struct device_props *p = in_use ? &d->props : &d->cards->at[number].props;
    if (in_use && ask_inside(s, &agrees, r))
        return -1;
    snprintf(head, sizeof head, "device %d of %d", number, count);
    say_head(r, s, head);
    if (o->names)
        say_props_names(r, p);
    else
        say_props(r, p, !in_use ? NULL : agrees ? "agrees" : "SAYS OTHERWISE");
    if (!in_use)
        say_item(r, "", "kernels run on gpu:%d; `set device gpu:%d` lets one ask from inside here",
                 d->card, number);
    put_devices(d, &r->result); /* all devices, also where the screen shows one */
    if (in_use)
        json_bool(&r->result, "ok", agrees);
    explain(p, o->names ? "names" : NULL, r);
    return agrees ? 0 : report_fail(r, "the kernel and the properties disagree");
}

static const struct arg_spec options[] = {
    {OPTION(struct devquery_options, d), GIVEN(struct devquery_options, d), .type = ARG_INT,
     .lo = 0, .hi = 1023, .help = "which device, the first is 0; the one in use if not given"},
    {OPTION(struct devquery_options, list), .help = "the cards that the simulator can stand for"},
    {OPTION(struct devquery_options, architectures),
     .help = "every compute capability and its limits"},
    {OPTION(struct devquery_options, names), .help = "the fields as a program in CUDA reads them"},
    {0},
};
static const struct lab lab = {.module = "devquery", .takes = TAKES_CALLS};

const struct command lab_devquery = {
    .name = "devquery",
    .kind = CLASS_LAB,
    .summary = "what the device says of itself",
    .options = options,
    .size = sizeof(struct devquery_options),
    .lab = &lab,
    .run = run,
};
