/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device, as a program asks about it: facts.def has each fact.
 */
#include "run/run.h"

#include "cudalab_runtime_types.h"

#include <stdio.h>

/* Attributes that only the driver API names. */
enum { cudaDevAttrGather = 44, cudaDevAttrVirtualMemory = 102, cudaDevAttrCompression = 107 };

#define SINCE_6(value) (p->major >= 6 ? (value) : 0)
#define OF_9_0(value) (p->major == 9 ? (value) : 0)

int32_t run_properties(const struct run *r, struct buf *answer)
{
    const struct device_props *p = &r->session.device->props;
    struct cudaDeviceProp out = {.totalGlobalMem = p->global_bytes};
#define FACT(attribute, member, value) out.member = (__typeof__(out.member))(value);
#define ATTRIBUTE(attribute, value)
#include "run/facts.def"
#undef FACT
#undef ATTRIBUTE
    snprintf(out.name, sizeof out.name, "%s", p->name);
    buf_add(answer, (const char *)&out, sizeof out);
    return answer->failed ? cudaErrorMemoryAllocation : 0;
}

int32_t run_attribute(const struct run *r, struct run_message *m)
{
    const struct device_props *p = &r->session.device->props;
    const struct { int which; int64_t value; } known[] = {
#define FACT(attribute, member, value) {cudaDevAttr##attribute, (int64_t)(value)},
#define ATTRIBUTE(attribute, value) {cudaDevAttr##attribute, (int64_t)(value)},
#include "run/facts.def"
#undef FACT
#undef ATTRIBUTE
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (m->number[0] == (uint64_t)known[i].which) {
            m->number[0] = (uint64_t)known[i].value;
            return 0;
        }
    m->number[0] = 0; /* what it can't do, and what is not known */
    return 0;
}
