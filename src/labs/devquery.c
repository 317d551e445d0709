/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * devquery: what a device says of itself, as cudaGetDeviceProperties and
 * cudaDeviceGetAttribute would tell a program, and the peaks that follow from it. A small
 * kernel asks the device from inside too, and both must agree. What the fields are called
 * is in teach/props.c.
 */
#include "teach/lab.h"

#include <stdio.h>
#include <string.h>

enum { SAYS_WARP_SIZE, SAYS_SMS, SAYS_COUNT = 7 }; /* what device_says leaves, in order */

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
        lab_launch(s, &l, &result, r, "p", out))
        return -1;
    const bool ended = launch_result_ended(&result);
    launch_result_free(&result);
    if (ended || lab_fetch(s, says, out, sizeof says, r))
        return -1;
    *agrees = says[SAYS_WARP_SIZE] == (unsigned)p->warp_size &&
              (p->multiprocessors == 0 || says[SAYS_SMS] == (unsigned)p->multiprocessors);
    return 0;
}

static void explain(const struct device_props *p, const char *which, struct report *r)
{
    struct slots s;
    slots_init(&s);
    slot(&s, "name", "%s", p->name ? p->name : "this device");
    slot(&s, "sms", "%d", p->multiprocessors);
    slot(&s, "threads", "%d", p->max_threads_per_sm);
    slot(&s, "resident", "%lld", (long long)p->multiprocessors * p->max_threads_per_sm);
    slot(&s, "gbs", "%.0f", peak_gb_s(p));
    slot(&s, "gflops", "%.0f", peak_gflop_s(p, p->cores_per_sm));
    slot(&s, "balance", "%.0f",
         peak_gb_s(p) > 0 ? peak_gflop_s(p, p->cores_per_sm) / (peak_gb_s(p) / 4) : 0.0);
    lab_explain(r, "devquery", which, &s);
}

static const char *short_name(const char *name)
{
    static const char maker[] = "NVIDIA ";
    size_t n = sizeof maker - 1;
    return strncmp(name, maker, n) == 0 ? name + n : name;
}

static void put_profile(struct table *t, const struct device_props *p)
{
    table_cell(t, "%s", p->profile);
    table_cell(t, "%s", short_name(p->name));
    table_cell(t, "%s", architecture_of(p));
    table_cell(t, "%d.%d", p->major, p->minor);
    table_cell(t, "%d", p->multiprocessors);
    table_cell(t, "%.0f", peak_gb_s(p));
    if (p->clock_khz)
        table_cell(t, "%.0f", peak_gflop_s(p, p->cores_per_sm));
    else
        table_cell(t, "-");
}

static int run_list(struct session *s, struct report *r)
{
    static const struct table_column columns[] = {
        {.head = "profile"},
        {.head = "card", .folds = true},
        {.head = "architecture", .gives_way = 1},
        {.head = "cc", .right = true},
        {.head = "SMs", .right = true},
        {.head = "GB/s", .right = true},
        {.head = "GFLOPs", .right = true},
    };
    struct table t;
    say_head(r, s, "cards that the simulator can stand for");
    table_begin(&t, columns, sizeof columns / sizeof columns[0], 0);
    json_array(&r->result, "profiles");
    for (size_t i = 0; i < device_profile_count; i++) {
        const struct device_props *p = &device_profiles[i];
        put_profile(&t, p);
        json_object(&r->result, NULL);
        json_props(&r->result, p);
        json_end_object(&r->result);
    }
    json_end_array(&r->result);
    say_table(r, &t);
    say_architectures(r);
    explain(&s->device->props, "list", r);
    return 0;
}

static void put_device(struct report *r, const struct device_props *p)
{
    json_object(&r->result, NULL);
    json_props(&r->result, p);
    json_end_object(&r->result);
}

/* All of them, whichever the screen is about. */
static void put_devices(const struct device *d, struct report *r)
{
    json_array(&r->result, "devices");
    for (int i = 0; d->cards && i < d->cards->count; i++)
        put_device(r, &d->cards->at[i].props);
    if (!d->cards)
        put_device(r, &d->props);
    json_end_array(&r->result);
}

static int no_such_device(struct report *r, int64_t number, int count)
{
    if (count == 1)
        return report_fail(r, "-d %lld: there is 1 device here, and counting starts at 0, so -d 0 "
                              "is the only one (CUDA says cudaErrorInvalidDevice)",
                           (long long)number);
    return report_fail(r, "-d %lld: there are %d devices here, and counting starts at 0, so -d %d "
                          "is the last (CUDA says cudaErrorInvalidDevice)",
                       (long long)number, count, count - 1);
}

static int run(struct session *s, const struct args *args, struct report *r)
{
    const struct device *d = s->device;
    const int count = d->cards ? d->cards->count : 1;
    const int64_t number = arg_given(args, "d") ? arg_int(args, "d") : d->card;
    const bool in_use = number == d->card;
    bool agrees = true;
    char head[60];
    if (arg_flag(args, "list"))
        return run_list(s, r);
    if (number >= count)
        return no_such_device(r, number, count);
    const struct device_props *p = in_use ? &d->props : &d->cards->at[number].props;
    if (in_use && ask_inside(s, &agrees, r))
        return -1;
    snprintf(head, sizeof head, "device %d of %d", (int)number, count);
    say_head(r, s, head);
    say_props(r, p, !in_use ? NULL : agrees ? "agrees" : "SAYS OTHERWISE");
    if (!in_use)
        say_item(r, "", "kernels run on gpu:%d; `set device gpu:%d` lets one ask from inside here",
                 d->card, (int)number);
    put_devices(d, r);
    if (in_use)
        json_bool(&r->result, "ok", agrees);
    explain(p, NULL, r);
    return agrees ? 0 : report_fail(r, "the kernel and the properties disagree");
}

static const struct arg_spec options[] = {
    {.name = "d", .value = "N", .type = ARG_INT, .lo = 0, .hi = 1023,
     .help = "which device, the first is 0; the one in use if not given"},
    {.name = "list", .type = ARG_FLAG, .help = "the cards that the simulator can stand for"},
    {0},
};
static const struct lab lab = {.module = "devquery"};

const struct command lab_devquery = {
    .name = "devquery",
    .kind = CLASS_LAB,
    .summary = "what the device says of itself",
    .options = options,
    .lab = &lab,
    .run = run,
};
