/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Textures with several levels, each of half the size of the one before it. An instruction names a
 * level, or says how far apart the points of neighbours are: then a level is read in which these
 * are about a texel apart. The number of a level is rounded to 1/256.
 */
#include "sim/image.h"

#include <string.h>

enum { PARTS = 256 };

static int32_t parts_of(float level)
{
    const float most = 64;
    if (!(level > -most)) /* a NaN too */
        return -(int32_t)most * PARTS;
    const double parts = (double)(level < most ? level : most) * PARTS + 0.5;
    const int32_t whole = (int32_t)parts;
    return whole - (parts < (double)whole);
}

/* The logarithm to the base 2, to 1/256. Squaring a number between 1 and 2 gives the digits. */
static float log2_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    double level = (double)(int32_t)(bits >> 52 & 0x7ff) - 1023, digit = 1;
    bits = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52;
    memcpy(&v, &bits, sizeof v);
    for (int i = 0; i < 9; i++) {
        digit /= 2;
        v *= v;
        if (v >= 2) {
            v /= 2;
            level += digit;
        }
    }
    return (float)level;
}

float image_level_of(const struct image_object *o, unsigned axes, const float away[2][3])
{
    const struct sim_image *i = &o->as.image;
    const double size[] = {i->width, i->height, i->depth};
    double most = 0;
    for (unsigned k = 0; k < 2; k++) {
        double square = 0;
        for (unsigned a = 0; a < axes; a++) {
            const double texels = (double)away[k][a] * size[a];
            square += texels * texels;
        }
        most = square > most ? square : most;
    }
    return most >= 0x1p-100 && most < 0x1p200 ? log2_of(most) / 2 : most < 1 ? -64.0f : 64.0f;
}

static void fetch_one(const struct image_object *o, const unsigned char *host, unsigned level,
                      const struct image_point *p, uint32_t out[4])
{
    uint64_t offset;
    const struct image_object one = image_level_object(o, level, &offset);
    image_fetch(&one, host + offset, p, out);
}

void image_fetch_level(const struct image_object *o, const unsigned char *host,
                       const struct image_point *p, uint32_t out[4])
{
    const struct sim_texture *t = &o->as;
    const int32_t least = parts_of(t->least_level), most = parts_of(t->most_level);
    const int32_t last = (int32_t)(t->image.levels - 1) * PARTS;
    int32_t level = parts_of(p->level + t->bias);
    uint32_t upper[4];
    level = level > most ? most : level;
    level = level < least ? least : level;
    level = level < 0 ? 0 : level > last ? last : level;
    if (!t->between_levels) {
        fetch_one(o, host, (unsigned)(level + PARTS / 2) / PARTS, p, out);
        return;
    }
    const unsigned low = (unsigned)level / PARTS, weight = (unsigned)level % PARTS;
    fetch_one(o, host, low, p, out);
    if (!weight)
        return;
    fetch_one(o, host, low + 1, p, upper);
    for (unsigned k = 0; k < 4; k++) {
        float a, b;
        memcpy(&a, &out[k], sizeof a);
        memcpy(&b, &upper[k], sizeof b);
        const float mean = image_rounded(o, ((double)a * (PARTS - weight) + (double)b * weight) /
                                                PARTS);
        memcpy(&out[k], &mean, sizeof mean);
    }
}
