/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses of textures and surfaces, the same for the simulator and for a GPU: for each case an
 * image, a kernel of one such instruction, and 1024 threads with coordinates of their own, many
 * of them at edges and beyond. tests/h100/textures.txt has the hash of what an H100 left.
 *
 * A case is what is done, and the image as images.h describes it:
 *
 *     tex, level, grad, shift   a read by floats; with a level, slopes, offsets in texels
 *     half                      the same with halves as results
 *     fetch                     a read by whole numbers; not of one dimension, where the
 *                               simulator says that it is wrong and an H100 reads zeros
 *     memory, pitch             fetch and tex of linear memory instead of an array
 *     gather0 ... gather3       one channel of four texels
 *     load.EDGE, store.EDGE     a surface, its texels whole; EDGE as in PTX
 *     width and others          a query
 */
#ifndef TESTS_GPU_TEXTURES_H
#define TESTS_GPU_TEXTURES_H

#include "numbers.h"
#include "images.h"

#include "base/buf.h"

#include <stdint.h>
#include <stdlib.h>

enum { BLOCKS = 8, THREADS = 128, COUNT = BLOCKS * THREADS };

static const char *const cases[] = {
    "tex 1d f32 16 clamp", "tex 1d f32 16 border", "tex 1d f32 16 linear clamp",
    "tex 1d f32 16 linear border", "tex 1d f32 16 wrap", "tex 1d f32 16 linear mirror",
    "tex 1d f32 16 normalized clamp", "tex 1d f32 16 normalized wrap",
    "tex 1d f32 16 normalized mirror", "tex 1d f32 16 normalized border",
    "tex 1d f32 16 linear normalized clamp", "tex 1d f32 16 linear normalized wrap",
    "tex 1d f32 16 linear normalized mirror", "tex 1d f32 16 linear normalized border",
    "tex 1d f32 13 linear normalized wrap", "tex 1d f32 13 normalized mirror",
    "tex 1d u32 16 clamp", "tex 1d s32x2 16 clamp", "tex 1d u8 16 clamp", "tex 1d s16x4 16 clamp",
    "tex 1d u8 16 float clamp", "tex 1d s8 16 float clamp", "tex 1d u16 16 float clamp",
    "tex 1d s16 16 float clamp", "tex 1d f16 16 clamp", "tex 1d u8 16 float linear clamp",
    "tex 1d s8 16 float linear clamp", "tex 1d u16 16 float linear clamp",
    "tex 1d s16 16 float linear clamp", "tex 1d f16 16 linear clamp",
    "tex 1d f32x4 4096 linear clamp", "tex 1d s8x4 16 border", "tex 1d u16x2 16 float border",
    "tex 2d f32 16x9 clamp", "tex 2d f32 16x9 border", "tex 2d f32 16x9 linear clamp",
    "tex 2d f32 16x9 linear border", "tex 2d f32 16x9 normalized wrap",
    "tex 2d f32 16x9 linear normalized wrap", "tex 2d f32 16x9 linear normalized mirror",
    "tex 2d f32 16x9 linear normalized clamp", "tex 2d f32x2 16x9 linear clamp",
    "tex 2d f32x4 16x9 linear clamp", "tex 2d u8x4 16x9 float linear clamp",
    "tex 2d u8x4 16x9 float linear normalized wrap", "tex 2d s16x2 16x9 float linear clamp",
    "tex 2d f16x4 16x9 linear clamp", "tex 2d f16x2 16x9 linear border", "tex 2d u32x4 16x9 clamp",
    "tex 2d s8x2 16x9 clamp", "tex 2d f32 300x200 linear normalized clamp",
    "tex 3d f32 8x7x5 clamp", "tex 3d f32 8x7x5 linear clamp", "tex 3d f32 8x7x5 linear border",
    "tex 3d f32 8x7x5 linear normalized wrap", "tex 3d u8x4 8x7x5 float linear normalized mirror",
    "tex a1d f32 16x3 clamp", "tex a1d f32 16x3 linear clamp", "tex a2d f32 16x9x3 clamp",
    "tex a2d f32 16x9x3 linear clamp", "tex a2d u8x4 16x9x3 float linear normalized wrap",
    "tex cube f32 8x8 normalized clamp", "tex cube f32 8x8 linear normalized clamp",
    "tex cube u8x4 8x8 float linear normalized clamp", "tex acube f32 8x8x3 normalized clamp",
    "tex acube f32 8x8x3 linear normalized clamp",
    "level 2d f32 16x9 linear clamp", "level 3d f32 8x7x5 clamp", "grad 2d f32 16x9 linear clamp",
    "shift 2d f32 16x9 clamp", "shift 2d f32 16x9 linear normalized wrap",
    "half 2d f32x4 16x9 linear clamp", "half 1d u8x4 16 float clamp", "half 2d f16x4 16x9 clamp",
    "fetch 2d u8x4 16x9 clamp",
    "fetch 2d f32 16x9 wrap", "fetch 3d f32 8x7x5 clamp", "fetch a1d f32 16x3 clamp",
    "fetch a2d s32 16x9x3 clamp",
    "memory 1d f32 16 clamp", "memory 1d u8x4 16 clamp", "memory 1d s16x2 16 float clamp",
    "memory 1d f32x4 16 clamp", "memory 1d f32 16 border",
    "pitch 2d f32 16x9 clamp", "pitch 2d f32 16x9 linear clamp",
    "pitch 2d f32 16x9 linear normalized wrap", "pitch 2d u8x4 16x9 float linear border",
    "gather0 2d f32 16x9 clamp", "gather1 2d f32x2 16x9 clamp", "gather2 2d f32x4 16x9 border",
    "gather3 2d u8x4 16x9 float normalized wrap", "gather0 2d f32 16x9 linear normalized mirror",
    "gather0 2d s32 16x9 clamp",
    "load.trap 1d f32 16", "load.clamp 1d f32x2 16", "load.zero 1d f32x4 16",
    "load.trap 2d u8 16x9", "load.clamp 2d u8x4 16x9", "load.zero 2d s16 16x9",
    "load.clamp 2d f32 16x9", "load.zero 2d f32 16x9", "load.clamp 3d f32 8x7x5",
    "load.zero 3d u16x4 8x7x5", "load.clamp a1d f32 16x3", "load.zero a1d f32 16x3",
    "load.clamp a2d f32 16x9x3", "load.zero a2d f32 16x9x3",
    "store.trap 1d f32 16", "store.clamp 1d f32 16", "store.zero 1d f32 16",
    "store.trap 2d u8 16x9", "store.clamp 2d f32x4 16x9", "store.zero 2d s16x2 16x9",
    "store.clamp 2d u16 16x9", "store.zero 3d f32 8x7x5", "store.clamp 3d f32 8x7x5",
    "store.zero a1d f32 16x3", "store.trap a2d u8x4 16x9x3", "store.zero a2d f32x2 16x9x3",
    "width 2d f32 16x9 clamp", "height 2d f32 16x9 clamp", "depth 3d f32 8x7x5 clamp",
    "width 1d f32 16 clamp", "height 1d f32 16 clamp", "depth 2d f32 16x9 clamp",
    "depth a2d f32 16x9x3 clamp", "array_size a2d f32 16x9x3 clamp",
    "num_mipmap_levels 2d f32 16x9 clamp", "channel_data_type 2d f32 16x9 clamp",
    "channel_data_type 2d u8x4 16x9 clamp", "channel_order 2d u8x4 16x9 clamp",
    "normalized_coords 2d f32 16x9 normalized clamp",
};
enum { CASES = sizeof cases / sizeof *cases };

enum verb { READ, HALF, FETCH, GATHER, LOAD, STORE, QUERY };
struct access_case {
    enum verb verb;
    char word[24];       /* as the case has it */
    char kind[8];        /* "a2d" */
    const char *edge;    /* of a surface */
    bool linear_memory, pitched;
    struct sim_texture texture;
    unsigned texel_bytes;
    size_t bytes;        /* of the image */
};

/* What a thread gets. */
struct thread {
    float at[4];
    int32_t whole[3]; /* of a surface, the first one in bytes */
    uint32_t layer;
    uint32_t value[4]; /* to store */
};

/* false: it isn't well written. */
static bool case_read(const char *text, struct access_case *c)
{
    int used = 0;
    *c = (struct access_case){.verb = QUERY};
    if (sscanf(text, "%23s %n%7s", c->word, &used, c->kind) < 2)
        return false;
    const char *rest = text + used;
    if (!image_described(&rest, &c->texture))
        return false;
    char *dot = strchr(c->word, '.');
    c->edge = dot ? dot + 1 : NULL;
    c->linear_memory = strcmp(c->word, "memory") == 0;
    c->texture.image.memory = c->linear_memory;
    c->pitched = strcmp(c->word, "pitch") == 0;
    static const struct {
        const char *word;
        enum verb verb;
    } verbs[] = {{"tex", READ}, {"level", READ}, {"grad", READ}, {"shift", READ}, {"pitch", READ},
                 {"half", HALF}, {"fetch", FETCH}, {"memory", FETCH}, {"gather", GATHER},
                 {"load", LOAD}, {"store", STORE}};
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs; k++)
        if (strncmp(c->word, verbs[k].word, strlen(verbs[k].word)) == 0)
            c->verb = verbs[k].verb;
    static const unsigned sizes[] = {1, 1, 2, 2, 4, 4, 2, 4};
    c->texel_bytes = sizes[c->texture.image.channel] * c->texture.image.channels;
    const struct sim_image *i = &c->texture.image;
    unsigned slices = i->kind == SIM_IMAGE_CUBE ? 6 : i->kind == SIM_IMAGE_3D ? i->depth : 1;
    c->bytes = (size_t)c->texel_bytes * i->width * (i->kind == SIM_IMAGE_1D ? 1 : i->height) *
               slices * (i->layers ? i->layers : 1);
    return c->bytes > 0;
}

/* ---- the image and the coordinates ------------------------------------------------------- */

/* Floats are of the size of 1 and have all their bits; halves are finite. */
static void image_fill(const struct access_case *c, unsigned char *to)
{
    for (size_t i = 0; i < c->bytes; i += 4) {
        uint64_t any = mixed(i + 12345);
        uint32_t word = (uint32_t)any;
        float f = (float)((int32_t)(any & 0xffffff) - 0x800000) * 0x1p-22f;
        if (c->texture.image.channel == SIM_CHANNEL_F32)
            memcpy(&word, &f, 4);
        if (c->texture.image.channel == SIM_CHANNEL_F16)
            word &= 0xbfffbfffu; /* below 2 */
        memcpy(to + i, &word, c->bytes - i < 4 ? c->bytes - i : 4);
    }
}

/* In texels: whole ones, middles, 1/256 and 1/512 of them, and any place, often outside. */
static float coordinate(uint64_t any, unsigned size)
{
    double n = size, part = (double)(any >> 40) * 0x1p-24; /* from 0 to 1 */
    int texel = (int)(any >> 8 & 0xffff) % (3 * (int)size) - (int)size;
    switch (any & 7) {
    case 0: return (float)texel;
    case 1: return (float)(texel + 0.5);
    case 2: return (float)(texel + (double)(any >> 48 & 255) / 256);
    case 3: return (float)(texel + (double)(any >> 48 & 511) / 512);
    case 4: return (float)(part * 3 * n - n);
    default: return (float)(part * n);
    }
}

static unsigned size_of_axis(const struct sim_image *i, unsigned a)
{
    unsigned n = a == 0 ? i->width : a == 1 ? i->height : i->depth;
    return n ? n : 1;
}

/* Places of surfaces, each once: those of the image and, but with .trap, a ring around it. */
static void surface_place(const struct access_case *c, unsigned thread, struct thread *t)
{
    const struct sim_image *i = &c->texture.image;
    int ring = strcmp(c->edge, "trap") == 0 ? 0 : 1;
    int size[3] = {(int)i->width, i->kind == SIM_IMAGE_1D ? 0 : (int)i->height,
                   i->layers ? (int)i->layers : i->kind == SIM_IMAGE_3D ? (int)i->depth : 0};
    int at[3] = {0, 0, 0}, inside[3] = {0, 0, 0};
    unsigned rest = thread;
    for (int a = 0; a < 3; a++)
        if (size[a]) {
            /* beyond the last layer lie a GPU's own affairs: layers are always there */
            int around = a == 2 && i->layers ? 0 : ring, all = size[a] + 2 * around;
            at[a] = (int)(rest % (unsigned)all) - around;
            inside[a] = at[a] < 0 ? 0 : at[a] >= size[a] ? size[a] - 1 : at[a];
            rest /= (unsigned)all;
        }
    t->whole[0] = at[0] * (int)c->texel_bytes;
    t->whole[1] = at[1];
    t->whole[2] = at[2];
    t->layer = (uint32_t)at[2];
    for (unsigned k = 0; k < 4; k++) /* whoever is moved to one place brings the same there */
        t->value[k] = (uint32_t)mixed((uint64_t)inside[0] << 32 | (uint64_t)inside[1] << 16 |
                                      (uint64_t)inside[2] << 8 | k);
}

static void threads_fill(const struct access_case *c, struct thread threads[COUNT])
{
    const struct sim_image *i = &c->texture.image;
    for (unsigned n = 0; n < COUNT; n++) {
        struct thread *t = &threads[n];
        *t = (struct thread){.layer = (uint32_t)(mixed(n) % (i->layers + 2))};
        for (unsigned a = 0; a < 3; a++) {
            uint64_t any = mixed(n * 3 + a + 777);
            unsigned size = size_of_axis(i, a);
            t->at[a] = coordinate(any, size);
            t->whole[a] = (int32_t)(any >> 20) % (int32_t)(size + 4) - 2;
            if (c->texture.normalized)
                t->at[a] = t->at[a] / (float)size;
            if (i->kind == SIM_IMAGE_CUBE)
                t->at[a] = t->at[a] - 0.37f; /* to all sides; seldom two of a size */
        }
        if (c->edge)
            surface_place(c, n, t);
    }
}

/* ---- the kernel -------------------------------------------------------------------------- */

static void put_point(struct buf *b, const struct access_case *c, const char *letter)
{
    unsigned axes = c->texture.image.kind == SIM_IMAGE_1D ? 1
                    : c->texture.image.kind == SIM_IMAGE_2D ? 2 : 3;
    bool layered = c->kind[0] == 'a';
    buf_printf(b, "[%%t, {%s%s0", layered ? "%l, " : "", letter);
    for (unsigned a = 1; a < axes; a++)
        buf_printf(b, ", %s%u", letter, a);
    if (axes + layered == 3)
        buf_printf(b, ", %s%u", letter, axes - 1);
    buf_puts(b, "}]");
}

static void put_texture(struct buf *b, const struct access_case *c)
{
    static const char *const types[] = {"u32", "s32", "u32", "s32", "u32", "s32", "f32", "f32"};
    const char *type = c->texture.as_float ? "f32" : types[c->texture.image.channel];
    const char *how = strcmp(c->word, "level") == 0  ? ".level"
                      : strcmp(c->word, "grad") == 0 ? ".grad"
                                                     : "";
    if (c->verb == GATHER)
        buf_printf(b, "tld4.%c.%s.v4.%s.f32 ", "rgba"[c->word[6] - '0'], c->kind, type);
    else if (c->verb == HALF)
        buf_printf(b, "tex.%s.v2.f16x2.f32 ", c->kind);
    else
        buf_printf(b, "tex%s.%s.v4.%s.%s ", how, c->kind, type, c->verb == FETCH ? "s32" : "f32");
    buf_puts(b, c->verb == HALF ? "{%r0, %r1}, " : "{%r0, %r1, %r2, %r3}, ");
    put_point(b, c, c->verb == FETCH ? "%i" : "%f");
    if (how[0])
        buf_puts(b, how[1] == 'l' ? ", 0f3F000000"
                                  : ", {0f3F800000, 0f00000000}, {0f00000000, 0f3F800000}");
    if (strcmp(c->word, "shift") == 0)
        buf_puts(b, ", {3, -2}");
    buf_puts(b, ";\n");
}

static void put_surface(struct buf *b, const struct access_case *c)
{
    unsigned n = c->texture.image.channels, bits = 8 * c->texel_bytes / n;
    char name[48], list[48];
    snprintf(name, sizeof name, "%s.b%u.%s", n == 1 ? "" : n == 2 ? ".v2" : ".v4", bits, c->edge);
    const char *letter = bits < 32 ? "%h" : "%r";
    snprintf(list, sizeof list, n == 1 ? "{%s0}" : n == 2 ? "{%s0, %s1}" : "{%s0, %s1, %s2, %s3}",
             letter, letter, letter, letter);
    for (unsigned k = 0; k < 4 && c->verb == STORE; k++)
        buf_printf(b, bits < 32 ? "cvt.u16.u32 %%h%u, %%v%u;\n" : "mov.b32 %%r%u, %%v%u;\n", k, k);
    buf_printf(b, "%s.b.%s%s ", c->verb == LOAD ? "suld" : "sust", c->kind, name);
    if (c->verb == LOAD)
        buf_printf(b, "%s, ", list);
    put_point(b, c, "%i");
    if (c->verb == STORE)
        buf_printf(b, ", %s", list);
    buf_puts(b, ";\n");
    for (unsigned k = 0; k < n && c->verb == LOAD && bits < 32; k++)
        buf_printf(b, "cvt.u32.u16 %%r%u, %%h%u;\n", k, k);
}

/* Threads from `count` on do nothing. */
static void case_ptx(struct buf *b, const struct access_case *c)
{
    buf_puts(b, ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 t, "
                ".param .u64 in, .param .u64 out, .param .u32 count)\n{\n"
                ".reg .b64 %t, %a, %o, %w;\n"
                ".reg .b32 %n, %x, %y, %r<4>, %i<4>, %v<4>, %l, %c;\n.reg .b16 %h<4>;\n"
                ".reg .f32 %f<4>;\n.reg .pred %p;\n"
                "ld.param.u64 %t, [t];\nld.param.u64 %a, [in];\nld.param.u64 %o, [out];\n"
                "ld.param.u32 %c, [count];\n"
                "mov.u32 %x, %ctaid.x;\nmov.u32 %y, %ntid.x;\nmov.u32 %n, %tid.x;\n"
                "mad.lo.u32 %n, %x, %y, %n;\nsetp.ge.u32 %p, %n, %c;\n@%p ret;\n"
                "mul.wide.u32 %w, %n, 48;\nadd.u64 %a, %a, %w;\n"
                "mul.wide.u32 %w, %n, 16;\nadd.u64 %o, %o, %w;\n"
                "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%a];\n"
                "ld.global.v4.u32 {%i0, %i1, %i2, %l}, [%a+16];\n"
                "ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%a+32];\n"
                "mov.b32 %r0, 0;\nmov.b32 %r1, 0;\nmov.b32 %r2, 0;\nmov.b32 %r3, 0;\n");
    if (c->edge)
        put_surface(b, c);
    else if (c->verb == QUERY)
        buf_printf(b, "txq.%s.b32 %%r0, [%%t];\n", c->word);
    else
        put_texture(b, c);
    buf_puts(b, "st.global.v4.u32 [%o], {%r0, %r1, %r2, %r3};\nret;\n}\n");
}

/* How many threads take part: of a surface, as many as there are places. */
static unsigned case_threads(const struct access_case *c)
{
    const struct sim_image *i = &c->texture.image;
    unsigned ring = c->edge && strcmp(c->edge, "trap") != 0 ? 2 : 0, n = i->width + ring;
    if (!c->edge)
        return COUNT;
    n *= i->kind == SIM_IMAGE_1D ? 1 : i->height + ring;
    n *= i->layers ? i->layers : i->kind == SIM_IMAGE_3D ? i->depth + ring : 1;
    return n < COUNT ? n : COUNT;
}

/* ---- results ----------------------------------------------------------------------------- */

/* What counts: of a store the image, else 16 bytes a thread. */
static size_t result_bytes(const struct access_case *c)
{
    return c->verb == STORE ? c->bytes : (size_t)COUNT * 16;
}

static uint64_t result_hash(const struct access_case *c, const unsigned char *left)
{
    uint64_t h = 0;
    for (size_t i = 0; i < result_bytes(c); i++)
        h = mixed(h ^ left[i]);
    return h;
}

#endif
