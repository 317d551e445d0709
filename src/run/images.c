/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Textures and surfaces. An array of CUDA is memory of the device without gaps, so the simulator
 * reads and writes it in place.
 */
#include "run/run.h"

#include "base/mem.h"

#include "cudalab_runtime_types.h"

#include <string.h>

enum { KIND, WIDTH, HEIGHT, DEPTH, LAYERS, MEMORY, CHANNEL, CHANNELS, ADDRESS, PITCH, SURFACE,
       LEVELS };

static const enum sim_beyond beyond[] = {SIM_WRAP, SIM_CLAMP, SIM_MIRROR, SIM_BORDER};

struct run_texture {
    uint64_t handle, address, bytes;
    bool surface;
    bool ended; /* open operations may still use it */
};

/* A texture that has ended goes when no launch that may use it is open. */
static void sweep(struct run *r)
{
    struct err e;
    size_t left = 0;
    if (!run_is_idle(r))
        return;
    for (size_t i = 0; i < r->texture_count; i++) {
        if (r->textures[i].ended)
            r->session.device->ops->texture_destroy(r->session.device, r->textures[i].handle, &e);
        else
            r->textures[left++] = r->textures[i];
    }
    if (left == r->texture_count)
        return;
    r->textures = mem_resize(&allocator_libc, r->textures, r->texture_count * sizeof *r->textures,
                             left * sizeof *r->textures);
    r->texture_count = left;
    r->textures_made++;
}

void run_forget_textures(struct run *r)
{
    mem_free(&allocator_libc, r->textures, r->texture_count * sizeof *r->textures);
    r->textures = NULL;
    r->texture_count = 0;
}

/* False: memory is out. */
static bool add(struct run *r, const struct run_texture *t)
{
    struct run_texture *grown = mem_resize(&allocator_libc, r->textures,
                                           r->texture_count * sizeof *grown,
                                           (r->texture_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    r->textures = grown;
    grown[r->texture_count++] = *t;
    r->textures_made++;
    return true;
}

bool run_texture_bytes(const struct run *r, struct byte_set *set)
{
    for (size_t i = 0; i < r->texture_count; i++)
        if (byte_set_add(set, r->textures[i].address, r->textures[i].bytes) != 0)
            return false;
    return true;
}

bool run_has_surfaces(const struct run *r)
{
    for (size_t i = 0; i < r->texture_count; i++)
        if (r->textures[i].surface)
            return true;
    return false;
}

static int32_t make(struct run *r, struct run_message *m, const struct buf *bytes)
{
    const uint64_t *n = m->number;
    struct cudaTextureDesc how;
    struct err e;
    struct device *d = r->session.device;
    uint64_t handle = 0;
    if (bytes->len != sizeof how)
        return cudaErrorInvalidValue;
    memcpy(&how, bytes->data, sizeof how);
    struct sim_texture t = {
        .image = {.kind = (enum sim_image_kind)n[KIND], .width = (unsigned)n[WIDTH],
                  .height = (unsigned)n[HEIGHT], .depth = (unsigned)n[DEPTH],
                  .layers = (unsigned)n[LAYERS], .memory = n[MEMORY],
                  .channel = (enum sim_channel)n[CHANNEL], .channels = (unsigned)n[CHANNELS],
                  .address = n[ADDRESS], .pitch = n[PITCH], .levels = (unsigned)n[LEVELS]},
        .linear = !n[MEMORY] && how.filterMode == cudaFilterModeLinear,
        .normalized = !n[MEMORY] && how.normalizedCoords,
        .as_float = how.readMode == cudaReadModeNormalizedFloat,
        .between_levels = n[LEVELS] > 1 && how.mipmapFilterMode == cudaFilterModeLinear,
        .least_level = how.minMipmapLevelClamp, .most_level = how.maxMipmapLevelClamp,
        .bias = how.mipmapLevelBias};
    for (int i = 0; i < 3; i++) {
        if ((unsigned)how.addressMode[i] > cudaAddressModeBorder)
            return cudaErrorInvalidValue;
        t.beyond[i] = beyond[how.addressMode[i]];
    }
    memcpy(t.border, how.borderColor, sizeof t.border);
    sweep(r);
    if (sim_texture_wrong(&t) ||
        d->ops->texture_create(d, &t, n[SURFACE], &handle, &e) != 0)
        return cudaErrorInvalidValue;
    const struct run_texture made = {.handle = handle, .address = t.image.address,
                                     .bytes = sim_image_bytes(&t.image), .surface = n[SURFACE]};
    if (!add(r, &made)) {
        d->ops->texture_destroy(d, handle, &e);
        return cudaErrorMemoryAllocation;
    }
    m->number[0] = handle;
    return 0;
}

static int32_t end(struct run *r, const struct run_message *m)
{
    for (size_t i = 0; i < r->texture_count; i++)
        r->textures[i].ended |= r->textures[i].handle == m->number[0];
    sweep(r);
    return 0;
}

/* Launches so far use the object that was bound before. */
static int32_t bind(struct run *r, const struct run_message *m)
{
    struct err e;
    struct device *d = r->session.device;
    const uint64_t handle = m->number[1];
    const int32_t error = run_wait_all(r);
    if (error)
        return error;
    return d->ops->write(d, m->number[0], &handle, sizeof handle, &e) == 0
               ? 0 : cudaErrorInvalidValue;
}

int32_t run_image_request(struct run *r, struct run_message *m, const struct buf *bytes,
                          bool *known)
{
    switch (m->what) {
    case RUN_TEXTURE: return make(r, m, bytes);
    case RUN_TEXTURE_END: return end(r, m);
    case RUN_BIND: return bind(r, m);
    default: *known = false; return 0;
    }
}
