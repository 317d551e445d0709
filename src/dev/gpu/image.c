/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Textures and surfaces in the process that works with the GPU. A card has storage of its own for
 * images, in an order that only the card knows. Before a launch each image is filled from its
 * array. After the launch a surface's array is filled from its image. A texture of linear memory
 * needs no storage: it reads the array itself.
 */
#include "dev/gpu/process-parts.h"

#include "base/mem.h"

#include <string.h>

enum { GATHER_MOST = 16384 }; /* texels a side of an array that can be gathered from */

static int format_of(enum sim_channel c)
{
    static const int formats[] = {
        [SIM_CHANNEL_U8] = FORMAT_U8,   [SIM_CHANNEL_S8] = FORMAT_S8,
        [SIM_CHANNEL_U16] = FORMAT_U16, [SIM_CHANNEL_S16] = FORMAT_S16,
        [SIM_CHANNEL_U32] = FORMAT_U32, [SIM_CHANNEL_S32] = FORMAT_S32,
        [SIM_CHANNEL_F16] = FORMAT_F16, [SIM_CHANNEL_F32] = FORMAT_F32};
    return formats[c];
}

/* To the driver, layers count as depth, and a cube counts as six layers. */
static struct image_storage storage_of(const struct sim_image *i, bool surface)
{
    bool cube = i->kind == SIM_IMAGE_CUBE, flat = i->kind == SIM_IMAGE_2D && !i->layers;
    struct image_storage s = {.width = i->width, .format = format_of(i->channel),
                              .channels = i->channels};
    s.height = i->kind == SIM_IMAGE_1D ? 0 : cube ? i->width : i->height;
    s.depth = i->kind == SIM_IMAGE_3D ? i->depth : (cube ? 6u : 1u) * i->layers;
    if (cube && !i->layers)
        s.depth = 6;
    s.flags = (i->layers ? IMAGE_LAYERED : 0) | (cube ? IMAGE_CUBEMAP : 0) |
              (surface ? IMAGE_SURFACE : 0);
    if (flat && i->width <= GATHER_MOST && i->height <= GATHER_MOST)
        s.flags |= IMAGE_GATHER;
    return s;
}

static struct copy_box filling(const struct sim_image *i, const struct image_storage *s,
                               void *storage)
{
    size_t rows = s->height ? s->height : 1, slices = s->depth ? s->depth : 1;
    struct sim_image one = {.kind = SIM_IMAGE_1D, .width = i->width, .channel = i->channel,
                            .channels = i->channels};
    size_t row = sim_image_bytes(&one);
    return (struct copy_box){
        .from = {.memory = MEMORY_OF_DEVICE, .device = i->address,
                 .pitch = i->pitch ? i->pitch : row, .height = rows},
        .to = {.memory = MEMORY_OF_IMAGE, .image = storage},
        .width_bytes = row, .height = rows, .depth = slices};
}

static struct image_reading reading_of(const struct sim_texture *t)
{
    struct image_reading r = {.linear = t->linear};
    bool integers = t->image.channel < SIM_CHANNEL_F16 && !t->as_float;
    for (int a = 0; a < 3; a++)
        r.beyond[a] = (int)t->beyond[a]; /* the same numbers */
    r.flags = (integers ? READING_INTEGERS : 0u) | (t->normalized ? READING_NORMALIZED : 0u);
    memcpy(r.border, t->border, sizeof r.border);
    return r;
}

/* Makes the storage if there has to be one, and says where the object reads. */
static int find_source(const struct driver *d, const struct gpu_texture *t, struct gpu_image *made,
                       struct image_source *source)
{
    const struct sim_image *i = &t->as.image;
    struct image_storage s = storage_of(i, t->surface);
    if (i->memory && !t->surface) {
        *source = (struct image_source){.type = SOURCE_MEMORY};
        source->of.memory.address = i->address;
        source->of.memory.format = s.format;
        source->of.memory.channels = i->channels;
        source->of.memory.bytes = sim_image_bytes(i);
        return DRIVER_OK;
    }
    int status = d->cuArray3DCreate_v2(&made->storage, &s);
    made->fill = filling(i, &s, made->storage);
    *source = (struct image_source){.type = SOURCE_IMAGE};
    source->of.image = made->storage;
    return status;
}

static void release(const struct driver *d, const struct gpu_image *i)
{
    if (i->handle && i->surface)
        d->cuSurfObjectDestroy(i->handle);
    else if (i->handle)
        d->cuTexObjectDestroy(i->handle);
    if (i->storage)
        d->cuArrayDestroy(i->storage);
}

static int make_image(struct process *p, const struct gpu_texture *t, uint64_t *handle)
{
    struct gpu_images *images = &p->images;
    struct gpu_image made = {.surface = t->surface};
    struct image_reading reading = reading_of(&t->as);
    struct image_source source;
    if (mem_grow(&allocator_libc, (void **)&images->all, &images->capacity, images->count,
                 sizeof *images->all) < 0)
        return DRIVER_OUT_OF_MEMORY;
    int status = find_source(&p->d, t, &made, &source);
    if (status != DRIVER_OK)
        return status;
    status = t->surface ? p->d.cuSurfObjectCreate(&made.handle, &source)
                        : p->d.cuTexObjectCreate(&made.handle, &source, &reading, NULL);
    if (status != DRIVER_OK) {
        made.handle = 0;
        release(&p->d, &made);
        return status;
    }
    images->all[images->count++] = made;
    *handle = made.handle;
    return DRIVER_OK;
}

int process_create_texture(struct process *p, struct gpu_message *m, const char *payload)
{
    struct gpu_texture t;
    memcpy(&t, payload, sizeof t);
    int status = make_image(p, &t, &m->address);
    return status == DRIVER_OK ? status
                               : process_refuse(p, status, "the GPU can't have this %s",
                                                t.surface ? "surface" : "texture");
}

int process_destroy_texture(struct process *p, struct gpu_message *m, const char *payload)
{
    struct gpu_images *images = &p->images;
    (void)payload;
    for (size_t i = 0; i < images->count; i++)
        if (images->all[i].handle == m->address) {
            images->all[i].gone = true;
            break;
        }
    if (!process_keeps(p))
        process_release_images(p);
    return DRIVER_OK;
}

void process_release_images(struct process *p)
{
    struct gpu_images *images = &p->images;
    for (size_t i = images->count; i-- > 0;)
        if (images->all[i].gone) {
            release(&p->d, &images->all[i]);
            images->all[i] = images->all[--images->count];
        }
}

int process_fill_images(struct process *p)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < p->images.count && status == DRIVER_OK; i++)
        if (p->images.all[i].storage)
            status = p->d.cuMemcpy3DAsync_v2(&p->images.all[i].fill, p->stream);
    return status;
}

int process_return_images(struct process *p)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < p->images.count && status == DRIVER_OK; i++) {
        const struct copy_box *fill = &p->images.all[i].fill;
        struct copy_box back = {fill->to, fill->from, fill->width_bytes, fill->height, fill->depth};
        if (p->images.all[i].surface)
            status = p->d.cuMemcpy3DAsync_v2(&back, p->stream);
    }
    return status;
}
