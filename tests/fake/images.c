/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Images, textures and surfaces of the libcuda for tests.
 */
#include "fake.h"

struct image {
    struct sim_image as;
    unsigned texel_bytes;
};

/* -1: no format of the driver's. */
static int channel_of(int format)
{
    static const int formats[] = {FORMAT_U8,  FORMAT_S8,  FORMAT_U16, FORMAT_S16,
                                  FORMAT_U32, FORMAT_S32, FORMAT_F16, FORMAT_F32};
    for (int i = 0; i < 8; i++)
        if (formats[i] == format)
            return i;
    return -1;
}

/* A driver's depth counts layers, and of a cube six for each. */
static struct sim_image image_of(const struct image_storage *s)
{
    struct sim_image i = {.width = (unsigned)s->width, .height = (unsigned)s->height,
                          .channel = (enum sim_channel)channel_of(s->format),
                          .channels = s->channels};
    int cube = (s->flags & IMAGE_CUBEMAP) != 0, layered = (s->flags & IMAGE_LAYERED) != 0;
    i.kind = cube                    ? SIM_IMAGE_CUBE
             : s->depth && !layered ? SIM_IMAGE_3D
             : s->height            ? SIM_IMAGE_2D
                                    : SIM_IMAGE_1D;
    i.layers = layered ? (unsigned)s->depth / (cube ? 6 : 1) : 0;
    i.depth = i.kind == SIM_IMAGE_3D ? (unsigned)s->depth : 0;
    return i;
}

int cuArray3DCreate_v2(void **image, const struct image_storage *storage)
{
    static const unsigned sizes[] = {1, 1, 2, 2, 4, 4, 2, 4};
    struct image *i = malloc(sizeof *i);
    if (!i || channel_of(storage->format) < 0) {
        free(i);
        return i ? DRIVER_INVALID_VALUE : DRIVER_OUT_OF_MEMORY;
    }
    i->as = image_of(storage);
    i->texel_bytes = sizes[i->as.channel] * i->as.channels;
    *image = i;
    return sim_malloc(fake.sim, sim_image_bytes(&i->as), NULL, &i->as.address) == 0
               ? state() : DRIVER_OUT_OF_MEMORY;
}

int cuArrayDestroy(void *image)
{
    struct image *i = image;
    int status = sim_free(fake.sim, i->as.address) == 0 ? state() : DRIVER_INVALID_VALUE;
    free(i);
    return status;
}

/* Where a row of one side of a copy begins: an address, or NULL's if it is in the host. */
static uint64_t row_of(const struct copy_side *side, size_t y, size_t z)
{
    const struct image *i = side->image;
    size_t rows = side->memory != MEMORY_OF_IMAGE ? side->height
                  : i->as.kind == SIM_IMAGE_1D    ? 1 : i->as.height;
    size_t pitch = side->memory == MEMORY_OF_IMAGE ? (size_t)i->as.width * i->texel_bytes
                                                   : side->pitch;
    uint64_t start = side->memory == MEMORY_OF_IMAGE  ? i->as.address
                     : side->memory == MEMORY_OF_HOST ? (uint64_t)(uintptr_t)side->host
                                                      : side->device;
    return start + ((side->z + z) * rows + side->y + y) * pitch + side->x_bytes;
}

int cuMemcpy3DAsync_v2(const struct copy_box *c, void *stream)
{
    int status = state();
    (void)stream;
    for (size_t n = 0; n < c->height * c->depth && status == DRIVER_OK; n++) {
        uint64_t from = row_of(&c->from, n % c->height, n / c->height);
        uint64_t to = row_of(&c->to, n % c->height, n / c->height);
        if (c->from.memory == MEMORY_OF_HOST)
            status = put_bytes(to, (const void *)(uintptr_t)from, c->width_bytes);
        else if (c->to.memory == MEMORY_OF_HOST)
            status = get_bytes((void *)(uintptr_t)to, from, c->width_bytes);
        else
            status = cuMemcpyDtoDAsync_v2(to, from, c->width_bytes, NULL);
    }
    return status;
}

static struct sim_image image_in(const struct image_source *s)
{
    struct sim_image i = {.kind = s->type == SOURCE_MEMORY ? SIM_IMAGE_1D : SIM_IMAGE_2D};
    if (s->type == SOURCE_IMAGE)
        return ((const struct image *)s->of.image)->as;
    i.address = s->of.memory.address;
    i.channel = (enum sim_channel)channel_of(s->of.memory.format);
    i.channels = s->of.memory.channels;
    i.width = i.height = 1;
    if (s->type == SOURCE_MEMORY) {
        i.width = (unsigned)(s->of.memory.bytes / sim_image_bytes(&i));
        i.memory = true;
    } else {
        i.width = (unsigned)s->of.pitched.width;
        i.height = (unsigned)s->of.pitched.height;
        i.pitch = s->of.pitched.pitch;
    }
    return i;
}

int cuTexObjectCreate(uint64_t *handle, const struct image_source *source,
                      const struct image_reading *reading, const void *view)
{
    struct sim_texture t = {.image = image_in(source), .linear = reading->linear,
                            .normalized = (reading->flags & READING_NORMALIZED) != 0,
                            .as_float = !(reading->flags & READING_INTEGERS)};
    (void)view;
    t.as_float = t.as_float && t.image.channel < SIM_CHANNEL_F16;
    for (int i = 0; i < 3; i++)
        t.beyond[i] = (enum sim_beyond)reading->beyond[i];
    memcpy(t.border, reading->border, sizeof t.border);
    *handle = 0;
    return sim_texture_make(fake.sim, &t, handle) == 0 ? state() : DRIVER_INVALID_VALUE;
}

int cuTexObjectDestroy(uint64_t handle)
{
    return sim_texture_free(fake.sim, handle) == 0 ? state() : DRIVER_INVALID_VALUE;
}

int cuSurfObjectCreate(uint64_t *handle, const struct image_source *source)
{
    struct sim_image i = image_in(source);
    *handle = 0;
    return sim_surface_make(fake.sim, &i, handle) == 0 ? state() : DRIVER_INVALID_VALUE;
}

int cuSurfObjectDestroy(uint64_t handle)
{
    return cuTexObjectDestroy(handle);
}
