/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads `texture(ARRAY, WORD, ...)` and `surface(ARRAY, WORD, ...)`. The words may be in any order:
 * a shape, how many elements a texel has, and how it is read. One dimension without more words is
 * linear memory, which tex1Dfetch reads. Nothing checks that a kernel reads it so.
 */
#include "own/texture.h"

#include "base/near.h"

#include <inttypes.h>
#include <string.h>

enum { WORD_ROOM = 64 };

/* What was read so far. */
struct typed_texture {
    struct sim_texture *to;
    bool surface, layered, array, cubemap;
    uint64_t dims[3], texels; /* dims[0] 0: no shape yet */
};

bool texture_typed(const char *text)
{
    return strncmp(text, "texture(", 8) == 0 || strncmp(text, "surface(", 8) == 0;
}

/* ---- words ----------------------------------------------------------------------------- */

static const char *const words[] = {"wrap",  "clamp",      "mirror", "border", "linear",  "point",
                                    "array", "normalized", "float",  "x2",     "x4",      "layered",
                                    "cubemap", NULL};

static bool take_word(struct typed_texture *t, const char *word)
{
    static const enum sim_beyond beyond[] = {SIM_WRAP, SIM_CLAMP, SIM_MIRROR, SIM_BORDER};
    for (unsigned k = 0; k < 4; k++)
        if (strcmp(word, words[k]) == 0) {
            for (unsigned a = 0; a < 3; a++)
                t->to->beyond[a] = beyond[k];
            t->array = true;
            return true;
        }
    if (strcmp(word, "linear") == 0 || strcmp(word, "point") == 0)
        t->to->linear = word[0] == 'l';
    else if (strcmp(word, "normalized") == 0)
        t->to->normalized = true;
    else if (strcmp(word, "float") == 0)
        t->to->as_float = true;
    else if (strcmp(word, "layered") == 0)
        t->layered = true;
    else if (strcmp(word, "cubemap") == 0)
        t->cubemap = true;
    else if (strcmp(word, "array") == 0)
        t->array = true;
    else if (strcmp(word, "x2") == 0 || strcmp(word, "x4") == 0)
        t->to->image.channels = (unsigned)(word[1] - '0');
    else
        return false;
    return true;
}

static bool of_surface(const char *word)
{
    return strcmp(word, "x2") == 0 || strcmp(word, "x4") == 0 || strcmp(word, "layered") == 0;
}

static int one_word(struct typed_texture *t, const char *word, struct err *e)
{
    if (word[0] >= '0' && word[0] <= '9')
        return array_shape(word, t->dims, &t->texels, e);
    if (t->surface && !of_surface(word))
        return fail(e, "a surface has no property `%s`; write a shape, x2, x4 or layered",
                    word);
    if (take_word(t, word))
        return 0;
    const char *near = near_list(word, words);
    if (near)
        return fail(e, "a texture has no property `%s`: did you mean %s?", word, near);
    return fail(e, "a texture has no property `%s`: write a shape such as 16x16, linear, wrap, "
                   "clamp, mirror, border, normalized, float, x2, x4, layered, cubemap or array",
                word);
}

/* Copies the next of the words between commas, without blanks at its ends; false: there is none. */
static bool next_word(const char **at, const char *end, char word[WORD_ROOM])
{
    const char *from = *at, *to;
    if (from > end)
        return false;
    for (to = from; to < end && *to != ','; to++)
        ;
    *at = to + 1;
    while (from < to && *from == ' ')
        from++;
    while (to > from && to[-1] == ' ')
        to--;
    size_t n = (size_t)(to - from) < WORD_ROOM - 1 ? (size_t)(to - from) : WORD_ROOM - 1;
    memcpy(word, from, n);
    word[n] = '\0';
    return true;
}

/* ---- the image ------------------------------------------------------------------------- */

static int channel_of(const struct array *a, enum sim_channel *channel, struct err *e)
{
    static const struct {
        enum element type;
        enum sim_channel channel;
    } known[] = {{ELEMENT_I8, SIM_CHANNEL_S8},   {ELEMENT_U8, SIM_CHANNEL_U8},
                 {ELEMENT_I16, SIM_CHANNEL_S16}, {ELEMENT_U16, SIM_CHANNEL_U16},
                 {ELEMENT_I32, SIM_CHANNEL_S32}, {ELEMENT_U32, SIM_CHANNEL_U32},
                 {ELEMENT_F16, SIM_CHANNEL_F16}, {ELEMENT_F32, SIM_CHANNEL_F32}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].type == a->type) {
            *channel = known[k].channel;
            return 0;
        }
    return fail(e, "`%.60s` has elements of 64 bits, and texels have 8, 16 or 32", a->name);
}

/* Without a typed shape the array's own is taken, if a texel is one element. */
static void own_shape(struct typed_texture *t, const struct array *a)
{
    unsigned each = t->to->image.channels;
    if (t->dims[0])
        return;
    memcpy(t->dims, a->dims, sizeof t->dims);
    t->texels = a->count;
    if (each == 1 && a->dims[0])
        return;
    t->dims[0] = t->texels = a->count / each;
    t->dims[1] = t->dims[2] = 0;
}

/* A cube has six square faces, or six for each layer. */
static int set_cube(const struct typed_texture *t, struct sim_image *i, struct err *e)
{
    const uint64_t *n = t->dims;
    if (!n[2] || n[1] != n[2] || n[0] % 6 || (n[0] != 6 && !t->layered))
        return fail(e, "a cubemap has six square faces: 6x8x8; a layered one six for each layer: "
                       "12x8x8 has 2");
    i->layers = t->layered ? (unsigned)(n[0] / 6) : 0;
    i->width = i->height = (unsigned)n[1];
    i->kind = SIM_IMAGE_CUBE;
    return 0;
}

/* Sets the image's sizes. They are given slowest first, and the first may count layers. */
static int set_sizes(const struct typed_texture *t, const struct array *a, struct err *e)
{
    struct sim_image *i = &t->to->image;
    const uint64_t *n = t->dims;
    unsigned axes = n[2] ? 3 : n[1] ? 2 : 1;
    if (t->layered && axes < 2)
        return fail(e, "a layered one has a shape, its layers first: 4x64 is 4 layers of 64");
    if (t->texels * i->channels > a->count)
        return fail(e, "`%.60s` has %" PRIu64 " elements, and the texture takes %" PRIu64, a->name,
                    a->count, t->texels * i->channels);
    for (unsigned k = 0; k < axes; k++)
        if (n[k] > INT32_MAX)
            return fail(e, "%" PRIu64 " texels a side are more than a texture can have", n[k]);
    if (t->cubemap)
        return set_cube(t, i, e);
    i->layers = t->layered ? (unsigned)n[0] : 0;
    i->width = (unsigned)n[axes - 1];
    i->height = axes > 1 && !(t->layered && axes == 2) ? (unsigned)n[axes - 2] : 0;
    i->depth = axes == 3 && !t->layered ? (unsigned)n[0] : 0;
    i->memory = axes == 1 && !t->surface && !t->array && !t->to->linear && !t->to->normalized;
    i->kind = i->depth ? SIM_IMAGE_3D : i->height ? SIM_IMAGE_2D : SIM_IMAGE_1D;
    return 0;
}

int texture_parse(struct session *s, const char *text, struct sim_texture *to, bool *surface,
                  struct err *e)
{
    struct typed_texture t = {.to = to, .surface = text[0] == 's'};
    const char *at = text + 8, *end = text + strlen(text) - 1;
    char word[WORD_ROOM];
    *surface = t.surface;
    *to = (struct sim_texture){.beyond = {SIM_CLAMP, SIM_CLAMP, SIM_CLAMP}};
    to->image.channels = 1;
    if (*end != ')')
        return fail(e, "a ) is missing after `%.60s`", text);
    next_word(&at, end, word);
    const struct array *a = array_or_near(s, word, e);
    if (!a || channel_of(a, &to->image.channel, e) != 0)
        return -1;
    while (next_word(&at, end, word))
        if (one_word(&t, word, e) != 0)
            return -1;
    own_shape(&t, a);
    if (set_sizes(&t, a, e) != 0)
        return -1;
    if (to->image.kind == SIM_IMAGE_1D)
        to->beyond[1] = SIM_CLAMP; /* a line has borders only at its ends, as programs expect */
    to->image.address = a->address;
    return sim_texture_wrong(to) ? fail(e, "%s", sim_texture_wrong(to)) : 0;
}
