/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Textures and surfaces as tests describe them, in words:
 *
 *     KIND TYPE SIZE [linear] [normalized] [float] [memory] [wrap|clamp|mirror|border]
 *
 * KIND is as in PTX: 1d 2d 3d a1d a2d cube acube; TYPE that of a channel, with x2 or x4 behind it;
 * SIZE such as 16x8, of a layered one its layers last. `float` reads integers as numbers up to 1.
 */
#ifndef TESTS_GPU_IMAGES_H
#define TESTS_GPU_IMAGES_H

#include "sim/texture.h"

#include <stdio.h>
#include <string.h>

static const char *const image_types[] = {"u8",  "s8",  "u16", "s16", "u32",
                                          "s32", "f16", "f32", NULL}; /* by enum sim_channel */

static inline unsigned image_word(const char *word, const char *const *list)
{
    unsigned k = 0;
    while (list[k] && strcmp(list[k], word) != 0)
        k++;
    return k;
}

static inline bool image_kind(struct sim_image *i, const char *word, const unsigned n[3])
{
    static const char *const kinds[] = {"1d", "2d", "3d", "cube", NULL};
    bool layered = word[0] == 'a';
    unsigned kind = image_word(word + layered, kinds);
    i->kind = (enum sim_image_kind)(kind + 1);
    i->width = n[0];
    i->height = kind == 0 ? 0 : n[1];
    i->depth = kind == 2 ? n[2] : 0;
    i->layers = !layered ? 0 : kind == 0 ? n[1] : n[2];
    return kind < 4;
}

static inline bool image_type(struct sim_image *i, char *word)
{
    char *x = strchr(word, 'x');
    i->channels = x ? (unsigned)(x[1] - '0') : 1;
    if (x)
        *x = '\0';
    i->channel = (enum sim_channel)image_word(word, image_types);
    return image_types[i->channel] != NULL;
}

static inline bool image_flag(struct sim_texture *t, const char *word)
{
    static const char *const beyond[] = {"wrap", "clamp", "mirror", "border", NULL};
    unsigned k = image_word(word, beyond);
    t->linear |= strcmp(word, "linear") == 0;
    t->normalized |= strcmp(word, "normalized") == 0;
    t->as_float |= strcmp(word, "float") == 0;
    t->image.memory |= strcmp(word, "memory") == 0;
    for (unsigned a = 0; beyond[k] && a < 3; a++)
        t->beyond[a] = (enum sim_beyond)k;
    return beyond[k] || strcmp(word, "linear") == 0 || strcmp(word, "normalized") == 0 ||
           strcmp(word, "float") == 0 || strcmp(word, "memory") == 0;
}

/* Goes past the description, up to = or : or the end; false: it is none. */
static inline bool image_described(const char **p, struct sim_texture *t)
{
    char kind[16], type[16], size[48], word[24];
    unsigned n[3] = {0, 0, 0};
    int used = 0;
    *t = (struct sim_texture){.beyond = {SIM_CLAMP, SIM_CLAMP, SIM_CLAMP}};
    if (sscanf(*p, "%15s %15s %47s %n", kind, type, size, &used) < 3 ||
        sscanf(size, "%ux%ux%u", &n[0], &n[1], &n[2]) < 1 || !image_kind(&t->image, kind, n) ||
        !image_type(&t->image, type))
        return false;
    for (*p += used; **p && !strchr("=:", **p); *p += used)
        if (sscanf(*p, "%23s %n", word, &used) < 1 || !image_flag(t, word))
            return false;
    return true;
}

#endif
