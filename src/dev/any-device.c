/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * These functions work in the same way for every kind of device.
 */
#include "dev/device.h"

#include <stdlib.h>
#include <string.h>

void launch_result_free(struct launch_result *r)
{
    arena_free(&r->memory);
    *r = (struct launch_result){0};
}

void timing_free(struct timing *t)
{
    arena_free(&t->memory);
    *t = (struct timing){.memory = {.from = NULL}};
}

bool launch_result_failed(const struct launch_result *r)
{
    for (unsigned i = 0; i < r->fault_count; i++)
        if (!r->faults[i].benign)
            return true;
    return false;
}

bool launch_result_ended(const struct launch_result *r)
{
    for (unsigned i = 0; i < r->fault_count; i++)
        if (r->faults[i].ends)
            return true;
    return false;
}

void device_close(struct device *d)
{
    if (d)
        d->ops->close(d);
}

int device_copy(struct device *from, uint64_t at, struct device *to, uint64_t address,
                uint64_t bytes, struct err *e)
{
    enum { CHUNK = 1 << 20 };
    unsigned char *chunk = malloc(CHUNK);
    int rc = chunk ? 0 : fail_memory(e);
    for (uint64_t done = 0; rc == 0 && done < bytes; done += CHUNK) {
        size_t n = bytes - done < CHUNK ? (size_t)(bytes - done) : CHUNK;
        progress_tell(from->progress, (double)done / (double)bytes);
        rc = from->ops->read(from, chunk, at + done, n, e);
        if (rc == 0)
            rc = to->ops->write(to, address + done, chunk, n, e);
    }
    free(chunk);
    if (rc == 0 && to->ops->mark_copied)
        to->ops->mark_copied(to, address, from, at);
    return rc;
}

const void *device_find_kernel(struct device *d, void *module, const char *name,
                               struct kernel_info *info)
{
    const void *kernel;
    for (size_t i = 0; (kernel = d->ops->kernel_at(d, module, i, info)); i++)
        if (strcmp(info->name, name) == 0)
            return kernel;
    return NULL;
}

uint64_t device_find_variable(struct device *d, void *module, const char *name)
{
    struct variable_info v;
    for (size_t i = 0; d->ops->variable_at(d, module, i, &v) == 0; i++)
        if (strcmp(v.name, name) == 0)
            return v.address;
    return 0;
}
