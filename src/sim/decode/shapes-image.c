/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoders of texture and surface instructions. A texture is a handle in a register of 64 bits,
 * as programs since CUDA 5 have it. Programs before CUDA 12 also have variables, .texref and
 * .surfref: the host writes the handle there. A sampler of its own closes the function.
 */
#include "sim/decode/decode.h"
#include "sim/image.h"

#include <string.h>

/* ---- words ------------------------------------------------------------------------------ */

static bool read_geometry(const struct op_tokens *t, struct image_use *u)
{
    static const struct {
        const char *name;
        enum sim_image_kind kind;
        uint8_t axes;
        bool layered;
    } known[] = {{"1d", SIM_IMAGE_1D, 1, false},     {"2d", SIM_IMAGE_2D, 2, false},
                 {"3d", SIM_IMAGE_3D, 3, false},     {"a1d", SIM_IMAGE_1D, 1, true},
                 {"a2d", SIM_IMAGE_2D, 2, true},     {"cube", SIM_IMAGE_CUBE, 3, false},
                 {"acube", SIM_IMAGE_CUBE, 3, true}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (has_token(t, known[k].name)) {
            u->kind = (uint8_t)known[k].kind;
            u->axes = known[k].axes;
            u->layered = known[k].layered;
            return true;
        }
    return false;
}

/* The place of a word in a list that ends with NULL; the list's length: none of the words. */
static unsigned which(const struct op_tokens *t, const char *const *list)
{
    unsigned k = 0;
    while (list[k] && !has_token(t, list[k]))
        k++;
    return k;
}

/* ---- operands --------------------------------------------------------------------------- */

/* [handle, {layer, x, y, z}]; -1: the function is closed. */
static int read_handle(struct decoder *d, const struct ptx_operand *o, struct image_use *u)
{
    if (o->kind != PTX_OP_ADDRESS || !o->base)
        close_function(d, "a texture or surface was expected in %s", d->from->opcode);
    else if (o->base->kind == PTX_OP_SYMBOL && o->base->var &&
             o->base->var->space == PTX_GLOBAL && o->base->var->place &&
             (o->base->var->type == PTX_TEXREF || o->base->var->type == PTX_SURFREF)) {
        u->reference = o->base->var->place;
        return 0;
    } else if (o->base->kind != PTX_OP_REGISTER)
        lacks(d, "unsupported: the texture or surface reference %s; objects passed as "
              "parameters are supported", o->base->name);
    else {
        u->handle = source(d, o->base, SIM_U64);
        return 0;
    }
    return -1;
}

static int read_point(struct decoder *d, const struct ptx_operand *o, struct image_use *u,
                      enum sim_type type)
{
    unsigned wanted = u->axes + u->layered;
    if (read_handle(d, o, u) < 0)
        return -1;
    if (o->item_count && o->items[0].kind == PTX_OP_SYMBOL) {
        lacks(d, "unsupported: a sampler of its own in %s", d->from->opcode);
        return -1;
    }
    if (o->item_count < wanted) {
        close_function(d, "%s needs %u coordinates", d->from->opcode, wanted);
        return -1;
    }
    if (u->layered)
        u->layer = source(d, &o->items[0], SIM_U32);
    for (unsigned a = 0; a < u->axes; a++)
        u->at[a] = source(d, &o->items[a + u->layered], type);
    return 0;
}

/* The offsets in texels that may be the last operand. */
static int read_shift(struct decoder *d, unsigned from, struct image_use *u)
{
    const struct ptx_operand *o = arg(d, from);
    if (d->from->operand_count <= from)
        return 0;
    bool is_float = o->kind == PTX_OP_REGISTER && o->var && o->var->type == PTX_F32;
    bool is_list = o->kind == PTX_OP_VECTOR;
    if (d->from->operand_count > from + 1 || is_float || (is_list && o->item_count < u->axes) ||
        (!is_list && u->axes > 1)) {
        unsupported(d);
        return -1;
    }
    for (unsigned a = 0; a < u->axes; a++)
        u->shift[a] = source(d, is_list ? &o->items[a] : o, SIM_S32);
    return 0;
}

/* The level that is read, or how far apart neighbours are along two axes. */
static int read_level(struct decoder *d, unsigned count, struct image_use *u)
{
    if (count == 1)
        u->level = source(d, arg(d, 2), u->whole ? SIM_S32 : SIM_F32);
    u->by_away = count == 2;
    for (unsigned k = 0; k < count && u->by_away; k++) {
        const struct ptx_operand *o = arg(d, 2 + k);
        const bool is_list = o->kind == PTX_OP_VECTOR;
        if (is_list ? o->item_count < u->axes : u->axes > 1) {
            unsupported(d);
            return -1;
        }
        for (unsigned a = 0; a < u->axes; a++)
            u->away[k][a] = source(d, is_list ? &o->items[a] : o, SIM_F32);
    }
    return 0;
}

static int read_results(struct decoder *d, const struct ptx_operand *o, struct image_use *u)
{
    const struct ptx_operand *item[4];
    unsigned n = rows_of_vector(d, o, u->values, item);
    enum sim_type type = u->row_bytes == 8 ? SIM_B64 : u->row_bytes == 4 ? SIM_B32 : SIM_B16;
    if (o->pair) {
        unsupported(d);
        return -1;
    }
    for (unsigned k = 0; k < n; k++) {
        if (item[k]->kind == PTX_OP_SINK)
            continue;
        if (register_size(item[k], type) != u->row_bytes) {
            close_function(d, "%s needs registers of %u bits", d->from->opcode,
                           8u * u->row_bytes);
            return -1;
        }
        u->value[k] = result(d, item[k], u->row_bytes);
    }
    return n ? 0 : -1;
}

static int emit_use(struct decoder *d, const char *op, const struct image_use *u)
{
    struct sim_module *m = d->m;
    if (arena_grow(&m->arena, (void **)&m->image_uses, &m->image_use_capacity,
                    m->image_use_count, sizeof *u) < 0) {
        d->failed = true;
        return 0;
    }
    struct raw *r = emit(d, op);
    r->in.target = m->image_use_count;
    r->in.bytes = u->bytes;
    r->in.count = u->values;
    m->image_uses[m->image_use_count++] = *u;
    return 0;
}

/* ---- textures --------------------------------------------------------------------------- */

/* The type of the results: four of 32 bits, four halves, or two pairs of halves. */
static bool read_result_type(const struct op_tokens *t, struct image_use *u)
{
    const char *type = t->word[t->count - 2];
    u->values = has_token(t, "v4") ? 4 : has_token(t, "v2") ? 2 : 0;
    u->to_half = strncmp(type, "f16", 3) == 0;
    u->to_pairs = strcmp(type, "f16x2") == 0;
    u->row_bytes = u->to_half && !u->to_pairs ? 2 : 4;
    bool known = u->to_half || strcmp(type, "f32") == 0 || strcmp(type, "s32") == 0 ||
                 strcmp(type, "u32") == 0;
    return known && u->values == (u->to_pairs ? 2u : 4u);
}

/* tex{.base .level .grad}.GEOMETRY.v4.TYPE.COORDINATES
 *     d, [t, {x, y}]{, level}{, grad, grad}{, e} */
int decode_texture(struct decoder *d, const struct op_tokens *t)
{
    static const char *const colours[] = {"r", "g", "b", "a", NULL};
    bool gather = strcmp(t->word[0], "tld4") == 0;
    struct image_use u = {.channel = 0};
    if (t->count < 5 || !read_geometry(t, &u) || !read_result_type(t, &u))
        return unsupported(d);
    const char *coordinates = t->word[t->count - 1];
    u.whole = strcmp(coordinates, "s32") == 0;
    u.channel = gather ? (uint8_t)which(t, colours) : 0;
    bool square = u.kind == SIM_IMAGE_2D || u.kind == SIM_IMAGE_CUBE;
    if ((!u.whole && strcmp(coordinates, "f32") != 0) || u.channel > 3 ||
        (u.whole && (gather || u.kind == SIM_IMAGE_CUBE)) || (gather && !square))
        return unsupported(d);
    unsigned past = has_token(t, "level") ? 1 : has_token(t, "grad") ? 2 : 0;
    if (wants(d, 2 + past) < 0 || read_point(d, arg(d, 1), &u, u.whole ? SIM_S32 : SIM_F32) < 0 ||
        read_level(d, past, &u) < 0 || read_shift(d, 2 + past, &u) < 0 || read_results(d, arg(d, 0), &u) < 0)
        return 0;
    return emit_use(d, gather ? "*gather" : "*texture", &u);
}

/* txq.PROPERTY.b32 d, [t]; txq.level.PROPERTY.b32 d, [t], level; suq.PROPERTY.b32 d, [s] */
int decode_image_query(struct decoder *d, const struct op_tokens *t)
{
    static const char *const properties[] = {
        [IMAGE_WIDTH] = "width", [IMAGE_HEIGHT] = "height", [IMAGE_DEPTH] = "depth",
        [IMAGE_LAYERS] = "array_size", [IMAGE_LEVELS] = "num_mipmap_levels",
        [IMAGE_CHANNEL_TYPE] = "channel_data_type", [IMAGE_CHANNEL_ORDER] = "channel_order",
        [IMAGE_NORMALIZED] = "normalized_coords", NULL};
    struct image_use u = {.channel = (uint8_t)which(t, properties), .values = 1, .row_bytes = 4};
    if (!properties[u.channel] || wants(d, 2) < 0)
        return unsupported(d);
    if (read_handle(d, arg(d, 1), &u) < 0)
        return 0;
    u.value[0] = result(d, arg(d, 0), 4);
    emit_use(d, t->word[0][0] == 't' ? "*texture.query" : "*surface.query", &u);
    finish_result(d, u.value[0], 4, false);
    return 0;
}

/* ---- surfaces --------------------------------------------------------------------------- */

/* sured.b.GEOMETRY.OP.TYPE.EDGE [s, {x, y}], a. With u32, s32, u64 and s64, x counts bytes. With
 * b32 and b64 (.p), x counts texels. OP may also come before the geometry. */
int decode_surface_reduction(struct decoder *d, const struct op_tokens *t)
{
    static const char *const edges[] = {"trap", "clamp", "zero", NULL};
    static const char *const ops[] = {"", "add", "min", "max", "and", "or", NULL};
    struct image_use u = {.edge = (uint8_t)which(t, edges), .store = true, .values = 1};
    u.reduces = (uint8_t)which(t, ops);
    u.formatted = t->count > 1 && strcmp(t->word[1], "p") == 0;
    if (t->count != 6 || (!u.formatted && strcmp(t->word[1], "b") != 0) || !read_geometry(t, &u) ||
        u.layered || u.kind == SIM_IMAGE_CUBE || !edges[u.edge] || !ops[u.reduces])
        return unsupported(d);
    const char *type = t->word[4];
    const enum sim_type element = (enum sim_type)ptx_type_named(type, strlen(type));
    u.bytes = u.row_bytes = (uint8_t)sim_type_size(element);
    u.is_signed = type[0] == 's';
    if (type[0] == 'f' || (u.bytes != 4 && u.bytes != 8) || wants(d, 2) < 0)
        return unsupported(d);
    if (read_point(d, arg(d, 0), &u, SIM_S32) < 0)
        return 0;
    u.value[0] = source(d, arg(d, 1), element);
    return emit_use(d, "*surface.store", &u);
}

/* istypep.texref p, a */
int decode_istypep(struct decoder *d, const struct op_tokens *t)
{
    static const char *const kinds[] = {"texref", "surfref", "samplerref", NULL};
    const unsigned kind = t->count == 2 ? which(t, kinds) : 3;
    if (!kinds[kind] || wants(d, 2) < 0)
        return unsupported(d);
    const uint32_t a = source(d, arg(d, 1), SIM_U64), to = predicate(d, arg(d, 0), NULL, 0);
    struct raw *r = emit(d, "*istypep");
    r->in.a = a, r->in.d = to, r->in.type = (uint8_t)kind;
    return 0;
}

/* suld.b.GEOMETRY{.cop}{.v2 .v4}.TYPE.EDGE d, [s, {x, y}]; sust.b... [s, {x, y}], d; sust.p, which
 * converts the values to the format of the surface. */
int decode_surface(struct decoder *d, const struct op_tokens *t)
{
    static const char *const edges[] = {"trap", "clamp", "zero", NULL};
    bool load = t->word[0][2] == 'l';
    struct image_use u = {.edge = (uint8_t)which(t, edges), .store = !load};
    const struct ptx_operand *item[4];
    u.formatted = !load && t->count > 1 && strcmp(t->word[1], "p") == 0;
    if (t->count < 5 || (!u.formatted && strcmp(t->word[1], "b") != 0) || !read_geometry(t, &u) ||
        !edges[u.edge] || u.kind == SIM_IMAGE_CUBE)
        return unsupported(d);
    const char *type = t->word[t->count - 2];
    enum sim_type element = (enum sim_type)ptx_type_named(type, strlen(type));
    u.bytes = type[0] == 'b' ? (uint8_t)sim_type_size(element) : 0;
    u.values = has_token(t, "v4") ? 4 : has_token(t, "v2") ? 2 : 1;
    if (!u.bytes || u.bytes * u.values > 16 || (u.formatted && u.bytes != 4) || wants(d, 2) < 0)
        return unsupported(d);
    if (read_point(d, arg(d, load), &u, SIM_S32) < 0)
        return 0;
    unsigned n = rows_of_vector(d, arg(d, !load), u.values, item);
    u.row_bytes = u.bytes < 2 ? 2 : u.bytes;
    for (unsigned k = 0; k < n; k++)
        if (register_size(item[k], SIM_B16) > u.row_bytes)
            u.row_bytes = (uint8_t)register_size(item[k], SIM_B16);
    if (load)
        return read_results(d, arg(d, 0), &u) < 0 ? 0 : emit_use(d, "*surface.load", &u);
    for (unsigned k = 0; k < n; k++)
        u.value[k] = source(d, item[k], u.row_bytes == 8   ? SIM_B64
                                        : u.row_bytes == 4 ? SIM_B32
                                                           : SIM_B16);
    return emit_use(d, "*surface.store", &u);
}
