/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Textures and surfaces of a GPU, seen from the side that survives its process. Each stands for an
 * array's memory and has a handle that stays the same for good. When a kernel gets the handle as an
 * argument, it is replaced by what the card calls the object. The next process makes all of them
 * anew. How the array's bytes come into a texture, image.c knows.
 */
#include "dev/gpu/gpu.h"

#include <string.h>

/* A simulator would give the same handle, so a replay has the same handles (replay.c). */
static uint64_t next_handle(const struct gpu_device *g)
{
    uint64_t next = SIM_FIRST_HANDLE;
    for (size_t i = 0; i < g->texture_count; i++)
        if (g->textures[i].handle >= next)
            next = g->textures[i].handle + SIM_HANDLE_STEP;
    return next;
}

/* Makes a texture of the memory where the array is on the card now. */
static int make_on_card(struct gpu_device *g, struct gpu_texture *t, struct err *e)
{
    uint64_t bytes = sim_image_bytes(&t->as.image);
    const struct mirror *m = mirror_at(g, t->as.image.address, bytes, e);
    struct gpu_message message = {.op = GPU_TEXTURE_CREATE, .payload = sizeof *t};
    struct gpu_texture there = *t;
    if (!m)
        return -1;
    there.as.image.address += m->there - m->address;
    if (gpu_request(g, &message, &there, NULL, 0, e) != 0)
        return -1;
    t->there = message.address;
    return 0;
}

int gpu_texture_make(struct gpu_device *g, const struct sim_texture *as, bool surface,
                     uint64_t *handle, struct err *e)
{
    struct gpu_texture t = {.as = *as, .surface = surface};
    if (sim_texture_wrong(as))
        return fail(e, "%s", sim_texture_wrong(as));
    if (mem_grow(&allocator_libc, (void **)&g->textures, &g->texture_capacity, g->texture_count,
                 sizeof g->textures[0]) < 0)
        return fail_memory(e);
    if (make_on_card(g, &t, e) != 0)
        return -1;
    *handle = t.handle = next_handle(g);
    g->textures[g->texture_count++] = t;
    return 0;
}

static int destroy(struct gpu_device *g, size_t i, struct err *e)
{
    struct gpu_message message = {.op = GPU_TEXTURE_DESTROY, .address = g->textures[i].there};
    g->textures[i] = g->textures[--g->texture_count];
    return g->link.greeted ? gpu_request(g, &message, NULL, NULL, 0, e) : 0;
}

int gpu_texture_destroy(struct device *d, uint64_t handle, struct err *e)
{
    struct gpu_device *g = gpu_of(d);
    for (size_t i = 0; i < g->texture_count; i++)
        if (g->textures[i].handle == handle)
            return destroy(g, i, e);
    return fail(e, "0x%llx is not a texture or surface", (unsigned long long)handle);
}

int gpu_textures_restore(struct gpu_device *g, struct err *e)
{
    for (size_t i = 0; i < g->texture_count; i++)
        if (make_on_card(g, &g->textures[i], e) != 0)
            return -1;
    return 0;
}

int gpu_textures_forget(struct gpu_device *g, const struct mirror *m, struct err *e)
{
    for (size_t i = g->texture_count; i-- > 0;)
        if (g->textures[i].as.image.address - m->address < m->bytes && destroy(g, i, e) != 0)
            return -1;
    return 0;
}

/* A handle may be a parameter, or a field of a parameter that is a struct. */
static void translate(const struct gpu_device *g, char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    for (size_t n = 0; n < g->texture_count; n++)
        if (g->textures[n].handle == value)
            memcpy(at, &g->textures[n].there, sizeof value);
}

void gpu_textures_translate(const struct gpu_device *g, const struct kernel_info *k, char *params)
{
    for (unsigned i = 0; i < k->param_count && g->texture_count; i++) {
        const struct device_param *p = &k->params[i];
        for (unsigned at = 0; at + sizeof(uint64_t) <= p->size; at += sizeof(uint64_t))
            translate(g, params + p->offset + at);
    }
}
