/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texture and surface objects, and what a texture gives at a point. NVIDIA's guide (CUDA C++
 * Programming Guide, "Texture Fetching") says what is computed; the last bits are hardware's:
 *
 * - A coordinate, times the size if it is normalized, is rounded to 1/256 of a texel where the
 *   texture is linear. Half a texel less, its whole part names the lower of two texels and its
 *   fraction is the weight of the upper one: eight bits, so never all of it.
 * - Weights of several axes are multiplied, rounded to 1/256, and so the texels are added up. A
 *   line is a rectangle of one row, and its coordinate there the row's edge.
 *
 * The functions under "what only hardware knows" have all that the guide leaves open.
 */
#include "sim/image.h"

#include "base/half.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_OBJECTS = 1 << 20, REMEMBERED = 1024, MOST_TEXELS = 1 << 27, FACES = 6 };

/* ---- objects --------------------------------------------------------------------------- */

static const struct {
    uint8_t bytes;
    bool is_float;
    float most; /* what is read as 1 */
} channels[] = {
    [SIM_CHANNEL_U8] = {1, false, 255},    [SIM_CHANNEL_S8] = {1, false, 127},
    [SIM_CHANNEL_U16] = {2, false, 65535}, [SIM_CHANNEL_S16] = {2, false, 32767},
    [SIM_CHANNEL_U32] = {4, false, 0},     [SIM_CHANNEL_S32] = {4, false, 0},
    [SIM_CHANNEL_F16] = {2, true, 0},      [SIM_CHANNEL_F32] = {4, true, 0},
};

static bool channel_exists(const struct sim_image *i)
{
    return (size_t)i->channel < sizeof channels / sizeof *channels &&
           (i->channels == 1 || i->channels == 2 || i->channels == 4);
}

static unsigned rows_of(const struct sim_image *i)
{
    return i->kind == SIM_IMAGE_1D ? 1 : i->kind == SIM_IMAGE_CUBE ? i->width : i->height;
}

static unsigned slices_of(const struct sim_image *i)
{
    unsigned each = i->kind == SIM_IMAGE_CUBE ? FACES : i->kind == SIM_IMAGE_3D ? i->depth : 1;
    return each * (i->layers ? i->layers : 1);
}

static uint64_t pitch_of(const struct sim_image *i)
{
    return i->pitch ? i->pitch : (uint64_t)i->width * i->channels * channels[i->channel].bytes;
}

static unsigned halved(unsigned n, unsigned level)
{
    return n && n >> level == 0 ? 1 : n >> level;
}

uint64_t image_level(const struct sim_image *i, unsigned level, struct sim_image *out)
{
    uint64_t before = 0;
    for (unsigned k = 0;; k++) {
        *out = *i;
        out->levels = 1;
        out->width = halved(i->width, k);
        out->height = halved(i->height, k);
        out->depth = i->kind == SIM_IMAGE_3D ? halved(i->depth, k) : i->depth;
        if (k == level)
            return before;
        before += sim_image_bytes(out);
    }
}

/* All levels from the first one to the one of a single texel are as many as there can be. */
static uint64_t bytes_of_levels(const struct sim_image *i)
{
    struct sim_image last;
    const unsigned most = i->width | i->height | (i->kind == SIM_IMAGE_3D ? i->depth : 0);
    if (i->memory || i->pitch || i->levels > 32 || most >> (i->levels - 1) == 0)
        return 0;
    const uint64_t before = image_level(i, i->levels - 1, &last), own = sim_image_bytes(&last);
    return own ? before + own : 0;
}

uint64_t sim_image_bytes(const struct sim_image *i)
{
    if (i->levels > 1)
        return bytes_of_levels(i);
    if (i->kind < SIM_IMAGE_1D || i->kind > SIM_IMAGE_CUBE || !channel_exists(i))
        return 0;
    uint64_t row = (uint64_t)i->width * i->channels * channels[i->channel].bytes;
    uint64_t rows = (uint64_t)rows_of(i) * slices_of(i);
    bool whole = (i->kind != SIM_IMAGE_3D || !i->layers) && i->width <= MOST_TEXELS &&
                 rows_of(i) <= MOST_TEXELS && rows <= MOST_TEXELS && pitch_of(i) >= row &&
                 pitch_of(i) <= UINT32_MAX;
    return whole && row && rows ? (rows - 1) * pitch_of(i) + row : 0;
}

struct image_object *image_object_at(const struct sim *s, uint64_t handle)
{
    uint64_t at = (handle - SIM_FIRST_HANDLE) / SIM_HANDLE_STEP;
    bool known = handle >= SIM_FIRST_HANDLE && handle % SIM_HANDLE_STEP == 0 &&
                 at < s->image_count;
    return known ? s->images[at] : NULL;
}

void image_objects_close(struct sim *s)
{
    for (size_t i = 0; i < s->image_count; i++)
        mem_free(&s->allocator, s->images[i], sizeof *s->images[i]);
    mem_free(&s->allocator, s->images, s->image_capacity * sizeof *s->images);
}

/* Handles of what was freed are not used again while there are few, so that a use of one can be
 * named. */
static size_t free_place(const struct sim *s)
{
    size_t at = s->image_count > REMEMBERED ? 0 : s->image_count;
    while (at < s->image_count && s->images[at] && !s->images[at]->is_freed)
        at++;
    return at;
}

/* The place of a new object on the list: a free one, or the one that its handle names. */
static int make_room(struct sim *s, uint64_t handle, size_t *at)
{
    *at = handle ? (size_t)((handle - SIM_FIRST_HANDLE) / SIM_HANDLE_STEP) : free_place(s);
    if (handle && (handle < SIM_FIRST_HANDLE || handle % SIM_HANDLE_STEP || *at >= MOST_OBJECTS))
        return sim_fail(s, 0, "0x%" PRIx64 " can't be the handle of a texture", handle);
    if (image_object_at(s, handle) && !image_object_at(s, handle)->is_freed)
        return sim_fail(s, 0, "the handle 0x%" PRIx64 " is in use", handle);
    if (*at >= MOST_OBJECTS)
        return sim_fail(s, 0, "%d textures and surfaces are all there can be", MOST_OBJECTS);
    while (s->image_count <= *at) {
        if (mem_grow(&s->allocator, (void **)&s->images, &s->image_capacity, s->image_count,
                     sizeof *s->images) < 0)
            return sim_fail(s, 0, "out of memory");
        s->images[s->image_count++] = NULL;
    }
    return 0;
}

const char *sim_texture_wrong(const struct sim_texture *t)
{
    if (!sim_image_bytes(&t->image))
        return "there is no image of this kind, size and format";
    if (t->image.memory && (t->image.kind != SIM_IMAGE_1D || t->image.layers || t->linear ||
                            t->normalized))
        return "linear memory has one dimension, and is read at points, in texels";
    if (t->image.levels > 1 && !t->normalized)
        return "coordinates in texels have no meaning for several levels";
    if (channels[t->image.channel].is_float)
        return NULL;
    if (t->as_float && channels[t->image.channel].most == 0)
        return "integers of 32 bits can't be read as numbers up to 1";
    if ((t->linear || t->between_levels) && !t->as_float)
        return "between integers there is nothing to read: a linear texture has floats, or reads "
               "integers as numbers up to 1";
    return NULL;
}

static int add_object(struct sim *s, const struct sim_texture *t, bool is_surface,
                      uint64_t *handle)
{
    uint32_t hint = UINT32_MAX;
    uint64_t bytes = sim_image_bytes(&t->image);
    const struct allocation *a = memory_find(s, t->image.address, &hint);
    size_t at;
    if (sim_texture_wrong(t))
        return sim_fail(s, 0, "%s", sim_texture_wrong(t));
    if (!a || bytes > a->size - (t->image.address - a->address))
        return sim_fail(s, 0, "the image's %" PRIu64 " bytes at 0x%" PRIx64
                        " are not all in one allocation", bytes, t->image.address);
    if (make_room(s, *handle, &at) < 0)
        return -1;
    struct image_object *o = s->images[at] ? s->images[at] : mem_alloc(&s->allocator, sizeof *o);
    if (!o)
        return sim_fail(s, 0, "out of memory");
    *o = (struct image_object){
        .as = *t, .is_surface = is_surface, .bytes = bytes, .pitch = pitch_of(&t->image),
        .texel_bytes = t->image.channels * channels[t->image.channel].bytes,
        .slices = slices_of(&t->image)};
    s->images[at] = o;
    *handle = SIM_FIRST_HANDLE + at * SIM_HANDLE_STEP;
    return 0;
}

struct image_object image_level_object(const struct image_object *o, unsigned level,
                                       uint64_t *offset)
{
    struct image_object one = *o;
    *offset = image_level(&o->as.image, level, &one.as.image);
    one.pitch = pitch_of(&one.as.image);
    one.slices = slices_of(&one.as.image);
    return one;
}

int sim_texture_make(struct sim *s, const struct sim_texture *t, uint64_t *handle)
{
    return add_object(s, t, false, handle);
}

int sim_surface_make(struct sim *s, const struct sim_image *i, uint64_t *handle)
{
    return add_object(s, &(struct sim_texture){.image = *i}, true, handle);
}

int sim_texture_free(struct sim *s, uint64_t handle)
{
    struct image_object *o = image_object_at(s, handle);
    if (sim_not_running(s, "a texture or a surface is freed") != 0)
        return -1;
    if (!o || o->is_freed)
        return sim_fail(s, 0, "0x%" PRIx64 " is not a texture or surface", handle);
    o->is_freed = true;
    return 0;
}

/* ---- texels ---------------------------------------------------------------------------- */

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* One channel as a float's bits, or as an integer of 32. */
static uint32_t channel_value(const struct image_object *o, const unsigned char *from)
{
    enum sim_channel channel = o->as.image.channel;
    uint16_t half;
    uint32_t word;
    memcpy(&half, from, channels[channel].bytes == 2 ? 2 : 1);
    int32_t v = *from;
    switch (channel) {
    case SIM_CHANNEL_U8: break;
    case SIM_CHANNEL_S8: v = (int8_t)*from; break;
    case SIM_CHANNEL_U16: v = half; break;
    case SIM_CHANNEL_S16: v = (int16_t)half; break;
    case SIM_CHANNEL_F16: return bits_of((float)half_to_double(half));
    default: memcpy(&word, from, sizeof word); return word;
    }
    if (!o->as.as_float)
        return (uint32_t)v;
    float part = (float)v / channels[channel].most;
    return bits_of(part < -1 ? -1 : part);
}

static int64_t limited(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least : v > most ? most : v;
}

void image_store(const struct image_object *o, unsigned char *texel, const uint32_t value[4])
{
    const enum sim_channel channel = o->as.image.channel;
    const unsigned bytes = channels[channel].bytes;
    for (unsigned k = 0; k < o->as.image.channels; k++) {
        const int64_t as_signed = (int32_t)value[k];
        uint32_t v = value[k];
        switch (channel) {
        case SIM_CHANNEL_U8: v = v > UINT8_MAX ? UINT8_MAX : v; break;
        case SIM_CHANNEL_U16: v = v > UINT16_MAX ? UINT16_MAX : v; break;
        case SIM_CHANNEL_S8: v = (uint32_t)limited(as_signed, INT8_MIN, INT8_MAX); break;
        case SIM_CHANNEL_S16: v = (uint32_t)limited(as_signed, INT16_MIN, INT16_MAX); break;
        case SIM_CHANNEL_F16: v = half_from_double((double)float_of(v)); break;
        default: break;
        }
        memcpy(texel + (size_t)k * bytes, &v, bytes);
    }
}

/* x, y, slice; an x below 0 is the border. */
static inline void texel(const struct image_object *o, const unsigned char *host,
                         const int64_t at[3], uint32_t out[4])
{
    const struct sim_image *i = &o->as.image;
    out[0] = out[1] = out[2] = out[3] = 0; /* so a card has it; the guide has 1 for the last */
    if (at[0] < 0) {
        for (unsigned k = 0; k < 4; k++)
            out[k] = bits_of(o->as.border[k]);
        return;
    }
    const unsigned char *from = host + ((uint64_t)at[2] * rows_of(i) + (uint64_t)at[1]) * o->pitch +
                                (uint64_t)at[0] * o->texel_bytes;
    for (unsigned k = 0; k < i->channels; k++)
        out[k] = channel_value(o, from + k * channels[i->channel].bytes);
}

/* ---- what only hardware knows ----------------------------------------------------------- */

static int64_t whole_below(double v)
{
    int64_t i = (int64_t)v;
    return i - (v < (double)i);
}

/* A normalized coordinate in texels: of its fraction an H100 keeps 21 bits before it multiplies. */
static double in_texels(double normalized, int64_t size)
{
    const double part = 0x1p-21, most = 0x1p40;
    if (normalized > -most && normalized < most) /* else far outside, or a NaN */
        normalized = (double)whole_below(normalized / part) * part;
    return normalized * (double)size;
}

/* A coordinate in texels, as 1/256 of them; far outside it says only that. */
static int64_t in_parts(double texels)
{
    const double most = 0x1p40;
    if (!(texels > -most))
        return texels == texels ? -((int64_t)1 << 48) : 0;
    return texels < most ? whole_below(texels * 256 + 0.5) : (int64_t)1 << 48;
}

/* Rounds to the nearest float, and away from zero where two floats are equally near. */
static float rounded_away(double v)
{
    float f = (float)v;
    double other = (double)f + 2 * (v - (double)f);
    bool tie = v != (double)f && (double)(float)other == other;
    return tie && (other < 0 ? other < f : other > f) ? (float)other : f;
}

static double whole_near(double v)
{
    return (double)whole_below(v + 0.5);
}

/* What is blended has 16 bits, unless texels have 32. As which number is 1 kept? 0: as floats. */
static double blended_as(const struct image_object *o)
{
    enum sim_channel type = o->as.image.channel;
    return type == SIM_CHANNEL_U8 || type == SIM_CHANNEL_U16   ? 65535
           : type == SIM_CHANNEL_S16 || type == SIM_CHANNEL_S8 ? 32767
                                                               : 0;
}

static float rounded(const struct image_object *o, double most, double v)
{
    if (most)
        return (float)(whole_near(v) / most);
    if (o->as.image.channel == SIM_CHANNEL_F16)
        return (float)half_to_double(half_from_double(v));
    return rounded_away(v);
}

float image_rounded(const struct image_object *o, double value)
{
    const double most = blended_as(o);
    return rounded(o, most, most ? value * most : value);
}

/*
 * One channel of the texels at the corners, as one number: weights add up to 256, and the sum is
 * exact but for a double's last bit.
 */
static float blend(const struct image_object *o, const uint32_t corners[8][4], unsigned channel,
                   const uint32_t weights[8], unsigned axes)
{
    enum sim_channel type = o->as.image.channel;
    double most = blended_as(o);
    double sum = 0;
    for (unsigned k = 0; k < 1u << axes; k++) {
        double texel = weights[k] ? (double)float_of(corners[k][channel]) : 0;
        sum += (type == SIM_CHANNEL_S8 ? texel * most : most ? whole_near(texel * most) : texel) *
               weights[k];
    }
    return rounded(o, most, sum / 256);
}

/* ---- coordinates ------------------------------------------------------------------------ */

/* The texel of the image that is read for a coordinate beyond the edge; -1: the border. */
static inline int64_t within(enum sim_beyond beyond, int64_t i, int64_t n)
{
    if (i >= 0 && i < n)
        return i;
    int64_t turn = beyond == SIM_MIRROR ? 2 * n : n, left = (i % turn + turn) % turn;
    switch (beyond) {
    case SIM_WRAP: return left;
    case SIM_MIRROR: return left < n ? left : 2 * n - 1 - left;
    case SIM_CLAMP: return i < 0 ? 0 : n - 1;
    default: return -1;
    }
}

/* The square of a texture that a point falls into, and where it lies there. */
struct footprint {
    unsigned axes;
    int64_t low[3];     /* the lower corner's texel */
    unsigned weight[3]; /* of the upper one, in 1/256 */
    int64_t size[3];
    enum sim_beyond beyond[3];
    int64_t slice;
};

/* The face of a cube that a direction points at, and where it hits it, from 0 to 1. */
static unsigned cube_face(const float v[3], double at[2])
{
    float size[3];
    for (unsigned k = 0; k < 3; k++)
        size[k] = v[k] < 0 ? -v[k] : v[k];
    unsigned axis = size[2] >= size[0] && size[2] >= size[1] ? 2 : size[1] >= size[0] ? 1 : 0;
    bool back = v[axis] < 0;
    double m = size[axis];
    double s = axis == 0 ? (back ? v[2] : -v[2]) : axis == 1 ? v[0] : back ? -v[0] : v[0];
    double t = axis != 1 ? -v[1] : back ? -v[2] : v[2];
    at[0] = (s / m + 1) / 2;
    at[1] = (t / m + 1) / 2;
    return 2 * axis + back;
}

static void one_axis(const struct image_object *o, struct footprint *f, unsigned a, double texels,
                     bool between, int32_t shift)
{
    f->weight[a] = 0;
    if (between) {
        int64_t parts = in_parts(texels) - 128;
        f->low[a] = parts >> 8;
        f->weight[a] = (unsigned)(parts & 255);
    } else {
        const double most = 0x1p40;
        f->low[a] = texels > -most && texels < most ? whole_below(texels)
                    : texels == texels              ? (texels < 0 ? -((int64_t)1 << 40)
                                                                  : (int64_t)1 << 40)
                                                    : 0;
    }
    f->low[a] += shift;
    enum sim_beyond beyond = o->as.beyond[a];
    bool turns = beyond == SIM_WRAP || beyond == SIM_MIRROR;
    f->beyond[a] = turns && !o->as.normalized ? SIM_CLAMP : beyond;
}

/* A layer beyond the last one means the last layer. With whole numbers it means the border, -1. */
static int64_t layer_of(const struct sim_image *i, uint32_t layer, bool whole)
{
    return !i->layers ? 0 : layer < i->layers ? layer : whole ? -1 : (int64_t)i->layers - 1;
}

static struct footprint footprint_of(const struct image_object *o, const struct image_point *p,
                                     bool between)
{
    const struct sim_image *i = &o->as.image;
    struct footprint f = {.axes = i->kind == SIM_IMAGE_CUBE ? 2 : (unsigned)i->kind,
                          .size = {i->width, rows_of(i), i->depth},
                          .slice = layer_of(i, p->layer, p->whole)};
    double at[3];
    float given[3];
    for (unsigned a = 0; a < 3; a++)
        at[a] = given[a] = float_of(p->at[a]);
    if (i->kind == SIM_IMAGE_CUBE)
        f.slice = f.slice * FACES + cube_face(given, at);
    if (i->kind == SIM_IMAGE_1D && between) { /* one row, whose edge is as near as its middle */
        f.axes = 2;
        at[1] = 0;
    }
    for (unsigned a = 0; a < f.axes; a++) {
        if (p->whole) {
            f.low[a] = (int64_t)(int32_t)p->at[a] + p->shift[a];
            f.beyond[a] = SIM_BORDER;
        } else {
            bool cube = i->kind == SIM_IMAGE_CUBE;
            double texels = cube               ? at[a] * (double)f.size[a]
                            : o->as.normalized ? in_texels(at[a], f.size[a])
                                               : at[a];
            one_axis(o, &f, a, texels, between, a < (unsigned)i->kind ? p->shift[a] : 0);
            if (cube)
                f.beyond[a] = SIM_CLAMP;
        }
    }
    return f;
}

/* Corner k of the footprint: bit a of k is set for the upper side of axis a. False: beyond the
 * border, which has four channels. */
static bool corner(const struct image_object *o, const unsigned char *host,
                   const struct footprint *f, unsigned k, uint32_t out[4])
{
    int64_t at[3] = {0, 0, f->slice};
    bool border = f->slice < 0;
    for (unsigned a = 0; a < f->axes; a++) {
        at[a] = within(f->beyond[a], f->low[a] + (k >> a & 1), f->size[a]);
        border |= at[a] < 0;
    }
    if (border)
        at[0] = -1;
    texel(o, host, at, out);
    return !border;
}

/* The weight of each corner: those of its sides multiplied, in whole 1/256; what rounding leaves
 * over or short is the lowest corner's. */
static void weigh(const struct footprint *f, uint32_t weights[8])
{
    weights[0] = 256;
    for (unsigned a = 0; a < f->axes; a++) {
        uint32_t left = f->weight[a];
        for (unsigned k = (1u << a) - 1; k > 0; k--) {
            uint32_t upper = (weights[k] * f->weight[a] + 128) >> 8;
            weights[k | 1u << a] = upper;
            weights[k] -= upper;
            left -= upper;
        }
        weights[1u << a] = left;
        weights[0] -= left;
    }
}

void image_fetch(const struct image_object *o, const unsigned char *host,
                 const struct image_point *p, uint32_t out[4])
{
    bool between = o->as.linear && !p->whole, inside = true;
    struct footprint f = footprint_of(o, p, between);
    uint32_t corners[8][4], weights[8];
    if (!between) {
        corner(o, host, &f, 0, out);
        return;
    }
    for (unsigned k = 0; k < 1u << f.axes; k++)
        inside &= corner(o, host, &f, k, corners[k]);
    weigh(&f, weights);
    memcpy(out, corners[0], sizeof corners[0]); /* channels that aren't there are all alike */
    for (unsigned c = 0; c < (inside ? o->as.image.channels : 4); c++)
        out[c] = bits_of(blend(o, corners, c, weights, f.axes));
}

void image_gather(const struct image_object *o, const unsigned char *host,
                  const struct image_point *p, unsigned channel, uint32_t out[4])
{
    static const uint8_t turn[4] = {2, 3, 1, 0}; /* (0,1) (1,1) (1,0) (0,0) */
    struct footprint f = footprint_of(o, p, true);
    uint32_t texels[4];
    for (unsigned k = 0; k < 4; k++) {
        corner(o, host, &f, turn[k], texels);
        out[k] = texels[channel];
    }
}
