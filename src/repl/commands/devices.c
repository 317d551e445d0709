/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `devices`: what --device and `set device` take on this machine, which of it is in use, and
 * why. A process that ends at once asks for the GPUs each time, so the list is right also where
 * kernels run on the simulator. `devquery` tells what one device is like.
 */
#include "repl/commands.h"
#include "repl/settings.h"

#include <stdio.h>
#include <string.h>

enum { SPEC = 64 };

/* What --device would take for the device in use. */
static void spec_in_use(const struct session *s, char out[SPEC])
{
    const struct device *d = s->device;
    if (d->cards)
        snprintf(out, SPEC, "gpu:%d", d->card);
    else if (strcmp(d->props.profile, device_default_profile) == 0)
        snprintf(out, SPEC, "sim");
    else
        snprintf(out, SPEC, "sim:%.40s", d->props.profile);
}

static void put_row(struct table *t, struct json *j, const char *spec,
                    const struct device_props *p, const char *used)
{
    bool in_use = strcmp(spec, used) == 0;
    table_cell(t, "%s", spec);
    table_cell(t, "%s", p->name);
    table_cell(t, "%d.%d", p->major, p->minor);
    table_cell(t, "%.1f GiB", (double)p->global_bytes / (1 << 30));
    table_cell(t, "%s", *spec == 's' ? "simulated" : "");
    table_cell_in(t, INK_GOOD, "%s", in_use ? "in use" : "");
    json_object(j, NULL);
    json_text(j, "device", spec);
    json_text(j, "name", p->name);
    json_int(j, "major", p->major);
    json_int(j, "minor", p->minor);
    json_uint(j, "global_bytes", p->global_bytes);
    json_bool(j, "in_use", in_use);
    json_end_object(j);
}

/* Why this device is in use; and why no GPU is, unless `auto` has just said it. */
static void say_why(struct report *r, const struct session *s, const struct err *no_gpu)
{
    const char *why = s->why_device;
    if (!why[0])
        why = "You chose it. `set device auto` takes the first GPU if it works, else sim.";
    say(r, "\n");
    say_wrapped(r, 0, "%s", why);
    json_text(&r->result, "why", why);
    if (!no_gpu)
        return;
    json_text(&r->result, "no_gpu", no_gpu->text);
    if (!strstr(why, no_gpu->text)) {
        say(r, "No GPU: ");
        say_wrapped(r, 8, "%s", no_gpu->text);
    }
}

static int run_devices(struct session *s, const void *given, struct report *r)
{
    static const struct table_column columns[] = {{.head = "device"},
                                                  {.head = "card", .folds = true},
                                                  {.head = "cc", .right = true},
                                                  {.head = "memory", .right = true},
                                                  {.head = ""},
                                                  {.head = ""}};
    struct device_cards cards = {0};
    struct table t;
    struct err no_gpu;
    char used[SPEC], spec[SPEC];
    const struct device_props usual = card_props(card_named(device_default_profile));
    const struct device_waits waits = {&s->stop, &s->progress};
    const bool none = device_list_cards(&cards, &waits, &no_gpu) != 0;
    (void)given;
    spec_in_use(s, used);
    table_begin(&t, columns, sizeof columns / sizeof columns[0], 0);
    json_array(&r->result, "devices");
    for (int i = 0; i < cards.count; i++) {
        snprintf(spec, sizeof spec, "gpu:%d", i);
        put_row(&t, &r->result, spec, &cards.at[i].props, used);
    }
    put_row(&t, &r->result, "sim", &usual, used);
    if (strncmp(used, "sim:", 4) == 0)
        put_row(&t, &r->result, used, &s->device->props, used);
    json_end_array(&r->result);
    say_table(r, &t);
    say_item(r, "", "sim:PROFILE is one of the cards in `devquery --list`, simulated");
    json_text(&r->result, "using", used);
    say_why(r, s, none ? &no_gpu : NULL);
    return 0;
}

const struct command command_devices = {
    .name = "devices", .kind = CLASS_SESSION,
    .summary = "list the devices that kernels can run on", .run = run_devices};
