/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texture and surface instructions as they run: for each lane its object is looked up, most often
 * the one that the lane before had. image.c knows what a texture gives; here are the accesses of
 * surfaces, the sentences when an object is none, and what the host is told of objects.
 *
 * Surfaces count as loads and stores, as in the profiler, which has operations of textures and of
 * surfaces apart; none of these is a request of global memory. Checkers see neither.
 */
#include "sim/exec/op.h"
#include "sim/image.h"
#include "sim/reach.h"

#include "base/half.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- objects ---------------------------------------------------------------------------- */

struct at_hand {
    uint64_t handle;
    const struct image_object *object; /* NULL: none yet */
    struct allocation *memory;
    unsigned char *host; /* of the image's first byte */
};

static const struct image_use *use_of(const struct warp *w, const struct insn *in)
{
    return &w->launch->module->image_uses[in->target];
}

static const char *kind_name(enum sim_image_kind kind, bool layered)
{
    static const char *const names[][2] = {[SIM_IMAGE_1D] = {"1D", "layered 1D"},
                                           [SIM_IMAGE_2D] = {"2D", "layered 2D"},
                                           [SIM_IMAGE_3D] = {"3D", "layered 3D"},
                                           [SIM_IMAGE_CUBE] = {"cube", "layered cube"}};
    return names[kind][layered];
}

/* Surfaces of cubes are accessed as layered 2D ones, a face a layer. */
static bool suits(const struct image_use *u, const struct image_object *o)
{
    const struct sim_image *i = &o->as.image;
    if (!u->kind) /* a query */
        return true;
    if (o->is_surface && i->kind == SIM_IMAGE_CUBE)
        return u->kind == SIM_IMAGE_2D && u->layered;
    return u->kind == (unsigned)i->kind && u->layered == (i->layers > 0);
}

/* tex1Dfetch is for linear memory, tex1D for arrays: a card reads zeros otherwise. */
static bool by_its_numbers(const struct image_use *u, const struct image_object *o)
{
    bool row = u->kind == SIM_IMAGE_1D && !u->layered && !o->is_surface;
    return !row || u->whole == o->as.image.memory;
}

/* Says what is wrong with the object that a lane names, if anything. */
static bool object_good(struct warp *w, const struct image_use *u, unsigned lane, uint64_t handle,
                        bool surface)
{
    const struct image_object *o = image_object_at(w->launch->sim, handle);
    const char *what = surface ? "surface" : "texture";
    if (!handle && u->reference)
        run_fault(w, SIM_NULL, lane, "the thread uses a %s that is bound to no memory", what);
    else if (!handle)
        run_fault(w, SIM_NULL, lane, "the thread uses a %s, and its object is 0", what);
    else if (!o)
        run_fault(w, SIM_TRAP, lane, "the thread uses 0x%" PRIx64 " as a %s object, and it is none",
                  handle, what);
    else if (o->is_freed)
        run_fault(w, SIM_USE_AFTER_FREE, lane,
                  "the thread uses a %s object that has been destroyed", what);
    else if (o->is_surface != surface)
        run_fault(w, SIM_TRAP, lane, "the thread uses a %s object as a %s",
                  surface ? "texture" : "surface", what);
    else if (suits(u, o) && !by_its_numbers(u, o))
        run_fault(w, SIM_TRAP, lane, "%s",
                  o->as.image.memory
                      ? "the thread reads linear memory by a float, as tex1D does: it has only "
                        "whole coordinates, as tex1Dfetch has them"
                      : "the thread reads an array of one dimension by a whole number, as "
                        "tex1Dfetch does, which is for linear memory: tex1D reads an array");
    else if (!suits(u, o))
        run_fault(w, SIM_TRAP, lane, "the thread uses a %s %s as a %s one",
                  kind_name(o->as.image.kind, o->as.image.layers > 0), what,
                  kind_name((enum sim_image_kind)u->kind, u->layered));
    else
        return true;
    return false;
}

static bool take_object(struct warp *w, const struct insn *in, unsigned lane, uint64_t handle,
                        bool surface, struct at_hand *h)
{
    const struct image_use *u = use_of(w, in);
    if (h->object && h->handle == handle)
        return true;
    if (!object_good(w, u, lane, handle, surface))
        return false;
    h->handle = handle;
    h->object = image_object_at(w->launch->sim, handle);
    uint64_t address = h->object->as.image.address;
    h->memory = memory_find(w->launch->sim, address, &w->launch->hint[w->pc - 1]);
    if (!h->memory || h->object->bytes > h->memory->size - (address - h->memory->address)) {
        run_fault(w, SIM_USE_AFTER_FREE, lane, "the thread uses a %s whose memory has been freed",
                  surface ? "surface" : "texture");
        return false;
    }
    h->host = h->memory->host + (address - h->memory->address);
    return true;
}

/* The handle of each lane. That of a reference is the same for all. */
static const uint64_t *handles_of(struct warp *w, const struct image_use *u,
                                  uint64_t bound[LANES])
{
    if (!u->reference)
        return row_of(w, u->handle);
    uint64_t handle = 0;
    const struct allocation *a = memory_find(w->launch->sim, u->reference,
                                             &w->launch->hint[w->pc - 1]);
    if (a)
        memcpy(&handle, a->host + (u->reference - a->address), sizeof handle);
    for (unsigned lane = 0; lane < LANES; lane++)
        bound[lane] = handle;
    return bound;
}

static uint32_t word_at(const struct warp *w, uint32_t row, unsigned lane)
{
    return row ? ((const uint32_t *)row_of(w, row))[lane] : 0;
}

/* ---- textures --------------------------------------------------------------------------- */

static uint32_t half_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return half_from_double(f);
}

static void give_texels(const struct warp *w, const struct image_use *u, unsigned lane, uint32_t v[4])
{
    for (unsigned k = 0; k < 4 && u->to_half; k++)
        v[k] = half_of(v[k]);
    for (unsigned k = 0; k < 2 && u->to_pairs; k++)
        v[k] = v[2 * k] | v[2 * k + 1] << 16;
    for (unsigned k = 0; k < u->values; k++) {
        if (!u->value[k])
            continue;
        if (u->row_bytes == 2)
            ((uint16_t *)row_of(w, u->value[k]))[lane] = (uint16_t)v[k];
        else
            ((uint32_t *)row_of(w, u->value[k]))[lane] = v[k];
    }
}

static struct image_point point_of(const struct warp *w, const struct image_use *u, unsigned lane)
{
    struct image_point p = {.whole = u->whole, .layer = word_at(w, u->layer, lane)};
    for (unsigned a = 0; a < u->axes; a++) {
        p.at[a] = word_at(w, u->at[a], lane);
        p.shift[a] = (int32_t)word_at(w, u->shift[a], lane);
    }
    return p;
}

static float float_at(const struct warp *w, uint32_t row, unsigned lane)
{
    const uint32_t bits = word_at(w, row, lane);
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static float level_at(const struct warp *w, const struct image_use *u, unsigned lane,
                      const struct image_object *o)
{
    float away[2][3] = {{0}};
    if (!u->by_away)
        return u->whole ? (float)(int32_t)word_at(w, u->level, lane) : float_at(w, u->level, lane);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned a = 0; a < u->axes; a++)
            away[k][a] = float_at(w, u->away[k][a], lane);
    return image_level_of(o, u->axes, away);
}

static enum after read_texture(struct warp *w, const struct insn *in, uint32_t m, bool gather)
{
    const struct image_use *u = use_of(w, in);
    uint64_t bound[LANES];
    const uint64_t *handle = handles_of(w, u, bound);
    struct at_hand h = {.object = NULL};
    EACH_LANE(i, m) {
        uint32_t v[4];
        struct image_point p = point_of(w, u, i);
        if (!take_object(w, in, i, handle[i], false, &h))
            return FAULTED;
        if (h.object->as.image.levels > 1)
            p.level = level_at(w, u, i, h.object);
        if (gather)
            image_gather(h.object, h.host, &p, u->channel, v);
        else if (h.object->as.image.levels > 1)
            image_fetch_level(h.object, h.host, &p, v);
        else
            image_fetch(h.object, h.host, &p, v);
        give_texels(w, u, i, v);
    }
    return GO;
}

OP op_texture ARGS { return read_texture(w, in, m, false); }
OP op_gather ARGS { return read_texture(w, in, m, true); }

/* Formats and their order by the numbers that OpenCL gives them: PTX leaves them to the host. */
static uint32_t property(const struct image_object *o, enum image_property which)
{
    static const uint16_t types[] = {
        [SIM_CHANNEL_S8] = 0x10D7,  [SIM_CHANNEL_S16] = 0x10D8, [SIM_CHANNEL_S32] = 0x10D9,
        [SIM_CHANNEL_U8] = 0x10DA,  [SIM_CHANNEL_U16] = 0x10DB, [SIM_CHANNEL_U32] = 0x10DC,
        [SIM_CHANNEL_F16] = 0x10DD, [SIM_CHANNEL_F32] = 0x10DE};
    const struct sim_image *i = &o->as.image;
    switch (which) {
    case IMAGE_WIDTH: return i->width;
    case IMAGE_HEIGHT:
        return i->kind == SIM_IMAGE_1D ? 1 : i->kind == SIM_IMAGE_CUBE ? i->width : i->height;
    case IMAGE_DEPTH: return i->layers ? i->layers : i->depth;
    case IMAGE_LAYERS: return i->layers;
    case IMAGE_LEVELS: return i->levels ? i->levels : 1;
    case IMAGE_CHANNEL_TYPE: return types[i->channel];
    case IMAGE_CHANNEL_ORDER: return i->channels == 1 ? 0x10B0 : i->channels == 2 ? 0x10B2 : 0x10B5;
    default: return o->as.normalized;
    }
}

static enum after query_object(struct warp *w, const struct insn *in, uint32_t m, bool surface)
{
    const struct image_use *u = use_of(w, in);
    uint64_t bound[LANES];
    const uint64_t *handle = handles_of(w, u, bound);
    uint32_t *to = row_of(w, u->value[0]);
    struct at_hand h = {.object = NULL};
    EACH_LANE(i, m) {
        if (!take_object(w, in, i, handle[i], surface, &h))
            return FAULTED;
        to[i] = property(h.object, (enum image_property)u->channel);
    }
    return GO;
}

OP op_texture_query ARGS { return query_object(w, in, m, false); }
OP op_surface_query ARGS { return query_object(w, in, m, true); }

/* ---- surfaces --------------------------------------------------------------------------- */

/* The extent of a surface: bytes in a row, rows, slices, as the instruction counts them. */
static void extent(const struct image_use *u, const struct image_object *o, int64_t size[3])
{
    const struct sim_image *i = &o->as.image;
    size[0] = (int64_t)i->width * o->texel_bytes;
    size[1] = u->kind == SIM_IMAGE_1D ? 1 : i->kind == SIM_IMAGE_CUBE ? i->width : i->height;
    size[2] = o->slices;
}

static void edge_fault(struct warp *w, const struct insn *in, unsigned lane, const int64_t at[3],
                    const int64_t size[3])
{
    static const char *const places[] = {"byte %lld of a row", "row %lld", "layer or slice %lld"};
    bool store = use_of(w, in)->store;
    unsigned a = 0;
    char where[64];
    while (a < 2 && at[a] >= 0 && at[a] < size[a])
        a++;
    snprintf(where, sizeof where, a == 0 ? places[0] : a == 1 ? places[1] : places[2],
             (long long)at[a]);
    run_fault(w, SIM_OUT_OF_BOUNDS, lane, "the thread %s %s of a surface, which has %lld%s",
              store ? "writes" : "reads", where, (long long)size[a], a ? "" : " bytes");
}

/* How many bytes of memory a lane accesses: all its values, or one texel in the surface's
 * format. */
static unsigned bytes_of(const struct image_use *u, const struct image_object *o)
{
    return u->formatted ? o->texel_bytes : (unsigned)u->bytes * u->values;
}

enum surface_place { PLACE_GOOD, PLACE_NOWHERE, PLACE_WRONG };

/* Where a lane's bytes are: an offset into the image, or nothing, or a fault. */
static enum surface_place place_of(struct warp *w, const struct insn *in, unsigned lane,
                           const struct at_hand *h, uint64_t *offset)
{
    const struct image_use *u = use_of(w, in);
    unsigned bytes = bytes_of(u, h->object);
    int64_t size[3], at[3] = {0, 0, 0};
    bool good = true;
    extent(u, h->object, size);
    for (unsigned a = 0; a < u->axes; a++)
        at[a] = (int32_t)word_at(w, u->at[a], lane);
    if (u->layered)
        at[2] = (int32_t)word_at(w, u->layer, lane);
    if (u->formatted)
        at[0] *= bytes;
    if (at[0] % bytes) {
        run_fault(w, SIM_MISALIGNED, lane, "the thread reaches %u bytes of a surface at byte %lld, "
                  "which is not a multiple of %u", bytes, (long long)at[0], bytes);
        return PLACE_WRONG;
    }
    for (unsigned a = 0; a < 3; a++) {
        int64_t most = a ? size[a] - 1 : size[0] / bytes * bytes - bytes;
        bool in_range = at[a] >= 0 && at[a] <= most;
        good = good && in_range;
        if (!in_range && u->edge == EDGE_CLAMP)
            at[a] = at[a] < 0 ? 0 : most;
    }
    if (size[0] < (int64_t)bytes) /* no row has room for it */
        good = false, at[0] = size[0];
    if (!good && u->edge == EDGE_TRAP)
        edge_fault(w, in, lane, at, size);
    *offset = (uint64_t)(at[2] * size[1] + at[1]) * h->object->pitch + (uint64_t)at[0];
    return good                       ? PLACE_GOOD
           : u->edge == EDGE_TRAP     ? PLACE_WRONG
           : u->edge == EDGE_ZERO     ? PLACE_NOWHERE
           : size[0] < (int64_t)bytes ? PLACE_NOWHERE
                                      : PLACE_GOOD;
}

static unsigned char *element(const struct warp *w, const struct image_use *u, unsigned k,
                              unsigned lane)
{
    return (unsigned char *)row_of(w, u->value[k]) + (size_t)lane * u->row_bytes;
}

OP op_surface_load ARGS
{
    const struct image_use *u = use_of(w, in);
    uint64_t bound[LANES];
    const uint64_t *handle = handles_of(w, u, bound);
    struct at_hand h = {.object = NULL};
    EACH_LANE(i, m) {
        uint64_t offset;
        if (!take_object(w, in, i, handle[i], true, &h))
            return FAULTED;
        enum surface_place place = place_of(w, in, i, &h, &offset);
        if (place == PLACE_WRONG)
            return FAULTED;
        for (unsigned k = 0; k < u->values; k++) {
            uint64_t v = 0;
            if (place == PLACE_GOOD)
                memcpy(&v, h.host + offset + k * u->bytes, u->bytes);
            if (u->value[k])
                memcpy(element(w, u, k, i), &v, u->row_bytes);
        }
    }
    return GO;
}

static void store_texel(const struct warp *w, const struct image_use *u, unsigned lane,
                        const struct image_object *o, unsigned char *to)
{
    uint32_t value[4] = {0, 0, 0, 0};
    for (unsigned k = 0; k < u->values; k++)
        memcpy(&value[k], element(w, u, k, lane), sizeof *value);
    image_store(o, to, value);
}

static uint64_t reduced(const struct image_use *u, uint64_t a, uint64_t b, bool is_signed)
{
    const uint64_t flip = is_signed ? UINT64_C(1) << (8 * u->bytes - 1) : 0;
    const bool less = (a ^ flip) < (b ^ flip);
    switch ((enum image_reduction)u->reduces) {
    case REDUCES_ADD: return a + b;
    case REDUCES_MIN: return less ? a : b;
    case REDUCES_MAX: return less ? b : a;
    case REDUCES_AND: return a & b;
    case REDUCES_OR: return a | b;
    case REDUCES_NOT: break;
    }
    return b;
}

/* The type of sured.p does not say whether numbers are signed. The surface's format says it. */
static void reduce(const struct warp *w, const struct image_use *u, unsigned lane,
                   const struct image_object *o, unsigned char *at)
{
    uint64_t a = 0, b = 0;
    memcpy(&a, at, u->bytes);
    memcpy(&b, element(w, u, 0, lane), u->bytes);
    a = reduced(u, a, b, u->formatted ? o->as.image.channel == SIM_CHANNEL_S32 : u->is_signed);
    memcpy(at, &a, u->bytes);
}

static void store_values(const struct warp *w, const struct image_use *u, unsigned lane,
                         const struct image_object *o, unsigned char *to)
{
    if (u->reduces)
        reduce(w, u, lane, o, to);
    else if (u->formatted)
        store_texel(w, u, lane, o, to);
    else
        for (unsigned k = 0; k < u->values; k++)
            memcpy(to + k * u->bytes, element(w, u, k, lane), u->bytes);
}

OP op_surface_store ARGS
{
    const struct image_use *u = use_of(w, in);
    uint64_t bound[LANES];
    const uint64_t *handle = handles_of(w, u, bound);
    struct at_hand h = {.object = NULL};
    EACH_LANE(i, m) {
        uint64_t offset, bytes;
        if (!take_object(w, in, i, handle[i], true, &h))
            return FAULTED;
        bytes = bytes_of(u, h.object);
        if (u->reduces && bytes != u->bytes)
            return fault_stop(w, SIM_TRAP, i,
                              "the thread updates texels of %u bytes as numbers of %u",
                              (unsigned)bytes, u->bytes);
        enum surface_place place = place_of(w, in, i, &h, &offset);
        if (place == PLACE_WRONG)
            return FAULTED;
        if (place == PLACE_NOWHERE)
            continue;
        uint64_t from = (uint64_t)(h.host - h.memory->host) + offset;
        if (memory_save(w->launch, h.memory, from, from + bytes) < 0)
            return run_out_of_memory(w->launch);
        store_values(w, u, i, h.object, h.host + offset);
    }
    return GO;
}

/* istypep.texref p, a; istypep.surfref p, a: is the number `a` a texture or surface? There are no
 * separate samplers. */
enum { ASKS_TEXTURE, ASKS_SURFACE };
OP op_istypep ARGS
{
    const uint64_t *a = row_of(w, in->a);
    uint32_t yes = 0, *p = predicate_of(w, in->d);
    EACH_LANE(i, m) {
        const struct image_object *o = image_object_at(w->launch->sim, a[i]);
        yes |= (uint32_t)(o && !o->is_freed && in->type == (o->is_surface ? ASKS_SURFACE
                                                                          : ASKS_TEXTURE)) << i;
    }
    if (in->d)
        *p = (*p & ~m) | yes;
    return GO;
}

/* ---- the table -------------------------------------------------------------------------- */

static const struct op rows[] = {
    OP_ROW("*texture", op_texture, SIM_CLASS_TEXTURE, 30)
    OP_ROW("*gather", op_gather, SIM_CLASS_TEXTURE, 30)
    OP_ROW("*texture.query", op_texture_query, SIM_CLASS_TEXTURE, 30)
    OP_ROW("*surface.query", op_surface_query, SIM_CLASS_ALU, 30)
    OP_ROW("*surface.load", op_surface_load, SIM_CLASS_LOAD, 30)
    OP_ROW("*surface.store", op_surface_store, SIM_CLASS_STORE, 30)
    OP_ROW("*istypep", op_istypep, SIM_CLASS_ALU, 30)
};

OP_TABLE(image_ops)
