/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies of arrays on their own device. Bytes that were never written count as unwritten in the
 * copy, and again when they are restored.
 */
#include "own/snapshot.h"

#include "base/hash.h"
#include "base/mem.h"

#include <string.h>

enum { CHUNK = 1 << 12 }; /* on the stack */

static const struct array *array_at(const struct session *s, unsigned i)
{
    return s->own->all[i];
}

static int copy(struct device *d, uint64_t from, uint64_t to, uint64_t bytes, struct report *r)
{
    struct err e = {0};
    return device_copy(d, from, d, to, bytes, &e) == 0 ? 0 : report_fail_err(r, &e);
}

int snapshot_take(struct session *s, struct snapshot *out, struct report *r)
{
    struct device *d = s->device;
    struct err e = {0};
    unsigned count = s->own ? s->own->count : 0;
    *out = (struct snapshot){.count = count, .room = (count + 1) * sizeof *out->copies};
    out->copies = mem_alloc(&allocator_libc, out->room);
    if (!out->copies)
        return report_fail_limit(r, "out of memory");
    for (unsigned i = 0; i < count; i++) {
        const struct array *a = array_at(s, i);
        bool failed = d->ops->allocate(d, array_bytes(a), NULL, &out->copies[i], &e) != 0;
        if (failed)
            report_fail_err(r, &e);
        if (failed || copy(d, a->address, out->copies[i], array_bytes(a), r) != 0) {
            snapshot_drop(s, out);
            return -1;
        }
    }
    return 0;
}

int snapshot_put_back(struct session *s, const struct snapshot *from, struct report *r)
{
    for (unsigned i = 0; i < from->count; i++) {
        const struct array *a = array_at(s, i);
        if (copy(s->device, from->copies[i], a->address, array_bytes(a), r) != 0)
            return -1;
    }
    return 0;
}

void snapshot_drop(struct session *s, struct snapshot *all)
{
    struct err ignored;
    for (unsigned i = 0; i < all->count; i++)
        if (all->copies[i])
            s->device->ops->free(s->device, all->copies[i], &ignored);
    mem_free(&allocator_libc, all->copies, all->room);
    *all = (struct snapshot){.copies = NULL};
}

/* ---- comparing -------------------------------------------------------------------------- */

/* The first element in which two chunks of an array differ, `done` bytes after its start. */
static void find_difference(const struct array *a, const unsigned char *before,
                            const unsigned char *now, uint64_t done, size_t n,
                            struct snapshot_difference *difference)
{
    size_t at = 0, size = element_size(a->type);
    while (at < n && before[at] == now[at])
        at++;
    if (at == n)
        return;
    at -= at % size;
    *difference = (struct snapshot_difference){.of = a, .index = (done + at) / size};
    memcpy(difference->was, before + at, size);
    memcpy(difference->is, now + at, size);
}

static int compare_array(struct device *d, const struct array *a, uint64_t copy,
                         struct snapshot_difference *difference, uint64_t *digest, struct err *e)
{
    unsigned char now[CHUNK], before[CHUNK];
    for (uint64_t done = 0, bytes = array_bytes(a); done < bytes; done += CHUNK) {
        size_t n = bytes - done < CHUNK ? (size_t)(bytes - done) : CHUNK;
        if (d->ops->read(d, now, a->address + done, n, e) != 0 ||
            (!difference->of && d->ops->read(d, before, copy + done, n, e) != 0))
            return -1;
        *digest = hash_words(*digest, now, n);
        if (!difference->of)
            find_difference(a, before, now, done, n, difference);
    }
    return 0;
}

int snapshot_compare(struct session *s, const struct snapshot *with,
                     struct snapshot_difference *difference, uint64_t *digest, struct report *r)
{
    struct err e = {0};
    *difference = (struct snapshot_difference){.of = NULL};
    *digest = HASH_START;
    for (unsigned i = 0; i < with->count; i++)
        if (compare_array(s->device, array_at(s, i), with->copies[i], difference, digest, &e) != 0)
            return report_fail_err(r, &e);
    return 0;
}
