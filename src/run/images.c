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

/* A texture that has ended goes when no launch that may use it is open. */
static void sweep(struct run *r)
{
    struct err e;
    if (!run_is_idle(r))
        return;
    for (size_t i = 0; i < r->ended_count; i++)
        r->session.device->ops->texture_destroy(r->session.device, r->ended_textures[i], &e);
    run_forget_textures(r);
}

void run_forget_textures(struct run *r)
{
    mem_free(&allocator_libc, r->ended_textures, r->ended_count * sizeof *r->ended_textures);
    r->ended_textures = NULL;
    r->ended_count = 0;
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
    m->number[0] = handle;
    return 0;
}

static int32_t end(struct run *r, const struct run_message *m)
{
    uint64_t *grown = mem_resize(&allocator_libc, r->ended_textures,
                                 r->ended_count * sizeof *grown,
                                 (r->ended_count + 1) * sizeof *grown);
    if (!grown)
        return cudaErrorMemoryAllocation;
    r->ended_textures = grown;
    grown[r->ended_count++] = m->number[0];
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
