/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A variable's bytes in a lane, from where it is.
 */
#include "sim/inspect.h"
#include "step/names.h"

#include <string.h>

/* A register has at least as many bytes as what it holds: a short is in the low half of 32 bits. */
static bool from_register(const struct sim_run *r, uint64_t block, unsigned warp, unsigned lane,
                          const struct name_variable *v, void *out)
{
    struct sim_value value;
    if (v->type->bytes > sizeof value.bits ||
        !sim_inspect_register(r, block, warp, lane, v->calls, v->place, &value))
        return false;
    if (value.type != SIM_PRED && v->type->bytes > sim_type_size(value.type))
        return false;
    memcpy(out, value.bits, (size_t)v->type->bytes);
    return true;
}

static bool from_shared(const struct sim_run *r, uint64_t block, const struct name_variable *v,
                        void *out)
{
    struct sim_shared_array a;
    uint64_t bytes;
    const unsigned char *shared = sim_inspect_shared(r, block, &bytes);
    for (uint32_t i = 0; shared && sim_inspect_shared_array(r, i, &a); i++) {
        if (!a.name || strcmp(a.name, v->place) != 0)
            continue;
        if (v->offset > a.bytes || v->type->bytes > a.bytes - v->offset || a.at > bytes ||
            a.bytes > bytes - a.at)
            return false;
        memcpy(out, shared + a.at + v->offset, (size_t)v->type->bytes);
        return true;
    }
    return false;
}

static bool from_bytes(const unsigned char *from, uint64_t bytes, const struct name_variable *v,
                       void *out)
{
    if (!from || v->offset > bytes || v->type->bytes > bytes - v->offset)
        return false;
    memcpy(out, from + v->offset, (size_t)v->type->bytes);
    return true;
}

static bool from_constant(const struct name_variable *v, void *out)
{
    if (v->type->bytes > sizeof v->offset)
        return false;
    for (unsigned i = 0; i < v->type->bytes; i++)
        ((unsigned char *)out)[i] = (unsigned char)(v->offset >> 8 * i);
    return true;
}

static bool own_value(const struct sim_run *r, uint64_t block, unsigned warp, unsigned lane,
                      const struct name_variable *v, void *out)
{
    uint64_t bytes = 0;
    const unsigned char *from;
    switch (v->where) {
    case NAME_IN_REGISTER: return from_register(r, block, warp, lane, v, out);
    case NAME_IN_LOCAL:
        from = sim_inspect_local(r, block, warp, lane, v->calls, v->place, &bytes);
        return from_bytes(from, bytes, v, out);
    case NAME_IN_PARAM:
        from = sim_inspect_param(r, v->place, &bytes);
        return from_bytes(from, bytes, v, out);
    case NAME_IN_SHARED: return from_shared(r, block, v, out);
    case NAME_IS_CONSTANT: return from_constant(v, out);
    default: return false;
    }
}

bool names_value(const struct sim_run *r, uint64_t block, unsigned warp, unsigned lane,
                 const struct name_variable *v, void *out, size_t size)
{
    const struct name_type *shown = names_shown(v);
    uint64_t address = 0, bytes;
    if (v->state == NAME_NOT_SET || !shown || !shown->bytes || shown->bytes > size ||
        !v->type->bytes)
        return false;
    if (!v->type->is_reference)
        return own_value(r, block, warp, lane, v, out);
    if (v->type->bytes != sizeof address || !own_value(r, block, warp, lane, v, &address))
        return false;
    const unsigned char *from = sim_inspect_generic(r, block, warp, lane, address, &bytes);
    if (!from || bytes < shown->bytes)
        return false;
    memcpy(out, from, (size_t)shown->bytes);
    return true;
}
