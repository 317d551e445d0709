/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The properties of the device as programs of CUDA 11 and 12 have them. CUDA 13 took some members
 * out of struct cudaDeviceProp, so all that follow lie elsewhere. The struct of CUDA 11 is the
 * beginning of that of CUDA 12.
 */
#include "run/run.h"

#include "cudalab_runtime_types.h"

#include <stddef.h>
#include <string.h>

struct properties_12 {
#define SAME(type, name, count) type name count;
#define GONE(name, attribute) int name;
#include "run/old-properties.def"
#undef SAME
#undef GONE
    int reserved[63];
};
enum { BYTES_12 = 1032, BYTES_11 = 728 };
_Static_assert(sizeof(size_t) != 8 || sizeof(struct properties_12) == BYTES_12, "as in CUDA 12");
_Static_assert(sizeof(size_t) != 8 || offsetof(struct properties_12, hostRegisterSupported) ==
                                          BYTES_11, "CUDA 11 has what is before it");

static int attribute_of(const struct run *r, enum cudaDeviceAttr attribute)
{
    struct run_message m = {.number = {(uint64_t)attribute}};
    run_attribute(r, &m);
    return (int)(int64_t)m.number[0];
}

int32_t run_properties_as(const struct run *r, const struct run_message *m, struct buf *answer)
{
    const bool is_second = m->number[0] != 0;
    const unsigned toolkit = is_second ? 12 : r->built.toolkit == 12 ? 11 : r->built.toolkit;
    struct cudaDeviceProp now;
    int32_t error = run_properties(r, answer);
    if (error || answer->len != sizeof now || (toolkit != 11 && toolkit != 12))
        return error;
    memcpy(&now, answer->data, sizeof now);
    struct properties_12 old = {
#define SAME(type, name, count)
#define GONE(name, attribute) .name = attribute_of(r, cudaDevAttr##attribute),
#include "run/old-properties.def"
#undef SAME
#undef GONE
    };
#define SAME(type, name, count)                                                                   \
    _Static_assert(sizeof old.name == sizeof now.name, "one member");                             \
    memcpy(&old.name, &now.name, sizeof old.name);
#define GONE(name, attribute)
#include "run/old-properties.def"
#undef SAME
#undef GONE
    buf_clear(answer);
    buf_add(answer, (const char *)&old, toolkit == 12 ? sizeof old : BYTES_11);
    return answer->failed ? cudaErrorMemoryAllocation : 0;
}
