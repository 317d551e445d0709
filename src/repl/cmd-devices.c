/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `devices`: what --device and `set device` take on this machine, which of it is in use, and
 * why. The GPUs are asked for anew each time, by a process that ends at once, so the list is
 * right also where kernels run on the simulator. What one device is like, `devquery` tells.
 */
#include "repl/families.h"
#include "repl/settings.h"
#include "repl/shell.h"

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

static void put_row(struct report *r, const char *spec, const struct device_props *p,
                    const char *used)
{
    struct json *j = &r->result;
    bool in_use = strcmp(spec, used) == 0;
    say(r, "%c %-12s %-30.30s %2d.%d %8.1f GiB%s\n", in_use ? '*' : ' ', spec, p->name, p->major,
        p->minor, (double)p->global_bytes / (1 << 30), *spec == 's' ? "  simulated" : "");
    json_object(j, NULL);
    json_text(j, "device", spec);
    json_text(j, "name", p->name);
    json_int(j, "major", p->major);
    json_int(j, "minor", p->minor);
    json_uint(j, "global_bytes", p->global_bytes);
    json_bool(j, "in_use", in_use);
    json_end_object(j);
}

static void put_gpus(struct report *r, const struct gpu_cards *cards, const char *used)
{
    for (int i = 0; i < cards->count; i++) {
        char spec[SPEC];
        snprintf(spec, sizeof spec, "gpu:%d", i);
        put_row(r, spec, &cards->at[i].props, used);
    }
}

/* Why this one; and why no GPU, where `auto` has not just said it. */
static void say_why(struct report *r, const struct session *s, const struct err *no_gpu)
{
    const char *why = s->why_device;
    if (!why[0])
        why = "Chosen by you; `set device auto` takes the first GPU if it works, else sim.";
    say(r, "\n");
    text_wrap(&r->screen, why, strlen(why), r->width, 0);
    json_text(&r->result, "why", why);
    if (!no_gpu)
        return;
    json_text(&r->result, "no_gpu", no_gpu->text);
    if (!strstr(why, no_gpu->text)) {
        say(r, "No GPU: ");
        text_wrap(&r->screen, no_gpu->text, strlen(no_gpu->text), r->width, 8);
    }
}

static int run_devices(struct session *s, const struct args *a, struct report *r)
{
    struct gpu_cards cards = {0};
    struct err no_gpu;
    char used[SPEC];
    const bool none = gpu_list(&cards, &no_gpu) != 0;
    (void)a;
    spec_in_use(s, used);
    say(r, "  %-12s %-30s %4s %12s\n", "device", "card", "cc", "memory");
    json_array(&r->result, "devices");
    put_gpus(r, &cards, used);
    put_row(r, "sim", device_profile(device_default_profile), used);
    if (strncmp(used, "sim:", 4) == 0)
        put_row(r, used, &s->device->props, used);
    json_end_array(&r->result);
    say(r, "  %-12s one of the cards in `devquery --list`, simulated\n", "sim:PROFILE");
    json_text(&r->result, "using", used);
    say_why(r, s, none ? &no_gpu : NULL);
    return 0;
}

const struct command command_devices = {
    .name = "devices", .kind = CLASS_SESSION,
    .summary = "list what kernels can run on, and what is in use", .run = run_devices};
