/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file starts a new process and gives it all that the last one had: modules, arrays and
 * variables with the bytes of their mirrors, and textures.
 */
#include "dev/gpu/gpu.h"

#include <string.h>

static int restore_mirror(struct gpu_device *g, struct mirror *m, struct err *e)
{
    if (!m->module && mirror_allocate(g, m, e) != 0)
        return -1;
    if (m->module && (gpu_variable_find(g, m->module, m->name, &m->there) != 0 || !m->there))
        return fail(e, "the variable `%.60s` can't be put back", m->name);
    if (m->made)
        return mirror_fill(g, m, &m->fill, e) ? -1 : 0;
    return m->written ? mirror_carry(g, GPU_UPLOAD, m, 0, m->bytes, e) : 0;
}

/* Sends modules in the order in which they were loaded. The list has the last one first. */
static int restore_modules(struct gpu_device *g, struct gpu_module *m, struct err *e)
{
    if (!m)
        return 0;
    return restore_modules(g, m->next, e) == 0 ? gpu_module_send(g, m, e) : -1;
}

static int restore(struct gpu_device *g, struct err *e)
{
    if (restore_modules(g, g->modules, e) != 0)
        return -1;
    for (size_t i = 0; i < g->mirror_count; i++)
        if (restore_mirror(g, g->mirrors[i], e) != 0)
            return -1;
    return gpu_textures_restore(g, e);
}

/* The process was ended from outside. An array that the last launch changed, and that was not
 * copied here since then, has its bytes from before that launch. The student is told so once. */
static int forget_newer(struct gpu_device *g, struct err *e)
{
    const struct mirror *lost = NULL;
    for (size_t i = 0; i < g->mirror_count; i++) {
        struct mirror *m = g->mirrors[i];
        if (!mirror_as_loaded(m) && !m->made && m->stale)
            lost = m;
        mirror_forget_newer(m);
    }
    if (!lost)
        return 0;
    return fail(e, "the process that works with the GPU was ended from outside, and what the last "
                   "launch left in `%.60s` with it; its bytes from before are still there",
                lost->name ? lost->name : "an array");
}

int gpu_ensure(struct gpu_device *g, struct err *e)
{
    const struct device_waits waits = {g->base.stop, g->base.progress};
    struct gpu_ready cards;
    struct err why;
    if (g->link.greeted && !gpu_link_lost(&g->link))
        return 0;
    if (g->link.fd < 0 && forget_newer(g, e) != 0)
        return -1;
    if ((g->link.fd >= 0 || gpu_link_start(&g->link, &why) == 0) &&
        gpu_link_greet(&g->link, &cards, &waits, &why) == 0 && restore(g, &why) == 0)
        return 0;
    gpu_link_kill(&g->link);
    return fail(e, "the GPU can't be used any more: %.*s; `set device sim` goes on without it",
                ERR_TEXT - 100, why.text);
}

int gpu_ensure_free(struct gpu_device *g, struct err *e)
{
    return g->given ? fail(e, DEVICE_HELD) : gpu_ensure(g, e);
}
