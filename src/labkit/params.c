/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of a launch's parameters, at the places where the kernel expects them.
 */
#include "labkit/params.h"

#include <string.h>

static struct param param_of(const void *value, unsigned size, bool is_float)
{
    struct param p = {.size = size, .is_float = is_float};
    memcpy(p.bytes, value, size);
    return p;
}

#define PARAM_OF(name, type, is_float)          \
    struct param param_##name(type v)           \
    {                                           \
        return param_of(&v, sizeof v, is_float); \
    }
PARAM_OF(int, int, false)
PARAM_OF(unsigned, unsigned, false)
PARAM_OF(address, uint64_t, false)
PARAM_OF(float, float, true)
PARAM_OF(double, double, true)

/* Untyped bits (b32) may hold either kind. A type f, s or u must be the kind of the parameter. */
static bool fits(const struct param *a, const struct device_param *p)
{
    const char *type = p->type[0] == '.' ? p->type + 1 : p->type;
    if (p->is_array || a->size != p->size)
        return false;
    return type[0] == 'b' || (type[0] == 'f') == a->is_float;
}

int params_lay_out(const struct param *given, const struct kernel_info *k,
                   unsigned char block[PARAM_BYTES_MOST], struct err *e)
{
    unsigned count = 0;
    while (given && given[count].size)
        count++;
    if (k->param_bytes > PARAM_BYTES_MOST || count != k->param_count)
        return fail(e, "internal: `%s` takes %u parameters and was given %u; please report this",
                    k->name, k->param_count, count);
    for (unsigned i = 0; i < count; i++) {
        const struct device_param *p = &k->params[i];
        if (!fits(&given[i], p) || p->offset + given[i].size > k->param_bytes)
            return fail(e, "internal: parameter %u of `%s` has another type; please report this",
                        i + 1, k->name);
        memcpy(block + p->offset, given[i].bytes, given[i].size);
    }
    return 0;
}
