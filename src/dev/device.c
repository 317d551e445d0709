/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file lists the kinds of devices and chooses one by its name.
 */
#include "dev/device.h"

#include "base/buf.h"
#include "base/near.h"

#include <stdio.h>
#include <string.h>

/* The kinds of devices. `auto` tries them from the last to the first, which is always there. */
static const struct device_kind *const kinds[] = {
    &device_sim,
#ifdef WITH_GPU
    &device_gpu,
#endif
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static struct device *open_auto(char why[200], const struct device_waits *waits, struct err *e)
{
    struct err no = {.text = "this cudalab knows no other device"};
    for (size_t i = KINDS; i-- > 1;) {
        const struct device_kind *k = kinds[i];
        struct device *d = k->find(&no) == 0 ? k->open(NULL, waits, &no) : NULL;
        if (d) {
            snprintf(why, 200, "%s", k->chosen);
            return d;
        }
    }
    snprintf(why, 200, "On the simulator: %.180s.", no.text);
    return kinds[0]->open(NULL, waits, e);
}

static struct device *unknown_spec(const char *spec, struct err *e)
{
    const struct card *card = card_named(spec);
    struct buf all = {0};
    struct near near = {.word = spec};
    buf_puts(&all, "auto");
    near_try(&near, "auto");
    for (size_t i = 0; i < KINDS; i++) {
        const char *name = kinds[i]->name;
        near_try(&near, name);
        buf_printf(&all, ", %s, %s:%s", name, name, kinds[i]->which);
    }
    if (near.best)
        fail(e, "there is no device `%.40s`; did you mean %s? The devices are: %s", spec, near.best,
             buf_text(&all));
    else if (card && card_is_simulated(card))
        fail(e, "there is no device `%.40s`; for the profile of this name, write sim:%.40s",
        spec, spec);
    else if (KINDS == 1 && strncmp(spec, "gpu", 3) == 0)
        fail(e, "this cudalab was built without GPUs (configure --disable-gpu); there are: %s",
             buf_text(&all));
    else
        fail(e, "there is no device `%.40s`; the devices are: %s", spec, buf_text(&all));
    buf_free(&all);
    return NULL;
}

struct device *device_open(const char *spec, char why[200], const struct device_waits *waits,
                           struct err *e)
{
    const size_t n = strcspn(spec, ":");
    why[0] = '\0';
    if (strcmp(spec, "auto") == 0)
        return open_auto(why, waits, e);
    for (size_t i = 0; i < KINDS; i++)
        if (strlen(kinds[i]->name) == n && strncmp(spec, kinds[i]->name, n) == 0)
            return kinds[i]->open(spec[n] ? spec + n + 1 : NULL, waits, e);
    return unknown_spec(spec, e);
}

int device_list_cards(struct device_cards *all, const struct device_waits *waits, struct err *e)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i]->list)
            return kinds[i]->list(all, waits, e);
    return fail(e, "this cudalab knows only the simulator");
}

bool device_serve(int argc, char **argv, int *status)
{
    for (size_t i = 0; i < KINDS; i++)
        if (argc > 1 && kinds[i]->option && strcmp(argv[1], kinds[i]->option) == 0) {
            *status = kinds[i]->serve(argc, argv);
            return true;
        }
    return false;
}
