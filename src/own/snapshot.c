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

/* Gets the bytes chunk by chunk. */
typedef int each_chunk(void *self, uint64_t done, const unsigned char *chunk, size_t n,
                       struct err *);

static int by_chunks(struct device *d, uint64_t from, uint64_t bytes, each_chunk *use, void *self,
                     struct report *r)
{
    unsigned char chunk[CHUNK];
    struct err e = {0};
    for (uint64_t done = 0; done < bytes; done += CHUNK) {
        size_t n = bytes - done < CHUNK ? (size_t)(bytes - done) : CHUNK;
        if (d->ops->read(d, chunk, from + done, n, &e) != 0 || use(self, done, chunk, n, &e) != 0)
            return report_fail_err(r, &e);
    }
    return 0;
}

struct copy_target {
    struct device *device;
    uint64_t address;
};

static int write_chunk(void *self, uint64_t done, const unsigned char *chunk, size_t n,
                       struct err *e)
{
    const struct copy_target *to = self;
    return to->device->ops->write(to->device, to->address + done, chunk, n, e);
}

static int copy(struct device *d, uint64_t from, uint64_t to, uint64_t bytes, struct report *r)
{
    struct copy_target target = {d, to};
    if (by_chunks(d, from, bytes, write_chunk, &target, r) != 0)
        return -1;
    if (d->ops->mark_copied)
        d->ops->mark_copied(d, to, d, from);
    return 0;
}

int snapshot_take(struct session *s, struct snapshot *out, struct report *r)
{
    struct device *d = s->device;
    struct err e = {0};
    unsigned count = s->own ? s->own->count : 0;
    *out = (struct snapshot){.count = count, .room = (count + 1) * sizeof *out->copies};
    out->copies = mem_get(&allocator_libc, out->room);
    if (!out->copies)
        return report_fail(r, "out of memory");
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
    mem_put(&allocator_libc, all->copies, all->room);
    *all = (struct snapshot){.copies = NULL};
}

/* ---- comparing -------------------------------------------------------------------------- */

struct snapshot_comparison {
    struct device *device;
    const struct array *array;
    uint64_t copy, digest;
    struct snapshot_difference *difference;
};

static int compare_chunk(void *self, uint64_t done, const unsigned char *chunk, size_t n,
                         struct err *e)
{
    struct snapshot_comparison *c = self;
    unsigned char before[CHUNK];
    c->digest = hash_words(c->digest, chunk, n);
    if (c->difference->of)
        return 0;
    if (c->device->ops->read(c->device, before, c->copy + done, n, e) != 0)
        return -1;
    size_t at = 0, size = element_size(c->array->type);
    while (at < n && before[at] == chunk[at])
        at++;
    if (at == n)
        return 0;
    at -= at % size;
    *c->difference = (struct snapshot_difference){.of = c->array, .index = (done + at) / size};
    memcpy(c->difference->was, before + at, size);
    memcpy(c->difference->is, chunk + at, size);
    return 0;
}

int snapshot_compare(struct session *s, const struct snapshot *with,
                     struct snapshot_difference *difference, uint64_t *digest, struct report *r)
{
    struct snapshot_comparison c = {.device = s->device, .difference = difference,
                           .digest = HASH_START};
    *difference = (struct snapshot_difference){.of = NULL};
    for (unsigned i = 0; i < with->count; i++) {
        c.array = array_at(s, i);
        c.copy = with->copies[i];
        if (by_chunks(s->device, c.array->address, array_bytes(c.array), compare_chunk, &c, r) != 0)
            return -1;
    }
    *digest = c.digest;
    return 0;
}
