/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file keeps the mirrors. The file's memory counts as this process's own, and a mirror takes
 * its part when it first gets bytes (base/room.h).
 *
 * After a launch, small arrays are fetched. To fetch a large one takes longer than most kernels. So
 * the card makes a digest of its bytes, before and after the launch. An array that has not changed
 * is not fetched. Nor is one fetched that the card can fill again.
 */
#define _GNU_SOURCE /* fallocate */
#include "dev/gpu/gpu.h"

#include "base/room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FETCH_AT_ONCE = 32 << 20, /* so many bytes are fetched after each launch */
    LARGE = 8 << 20           /* an array of more bytes: to fetch it takes longer than a digest */
};

/* Memory of this computer for the mirror's bytes. */
static int take_room(struct gpu_device *g, struct mirror *m, struct err *e)
{
    if (m->room)
        return 0;
    m->room = room_take(m->bytes);
    if (!m->room)
        return fail_limit(e, "this computer has no %llu bytes left for its copy of `%.60s`",
                    (unsigned long long)m->bytes, m->name ? m->name : "an array");
    g->base.held_bytes += m->bytes;
    return 0;
}

int mirror_write(struct gpu_device *g, struct mirror *m, uint64_t at, const void *from,
                 uint64_t bytes, struct err *e)
{
    if (take_room(g, m, e) != 0)
        return -1;
    m->written = true;
    m->made = m->digested = false;
    m->stale = m->stale && bytes < m->bytes;
    for (size_t done = 0; done < bytes;) {
        ssize_t n = pwrite(g->link.mirror, (const char *)from + done, bytes - done,
                           (off_t)(m->offset + at + done));
        if (n <= 0 && errno != EINTR)
            return fail(e, "this computer has no memory left for `%.60s`: %s",
                        m->name ? m->name : "an array", strerror(errno));
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

int mirror_read(int file, const struct mirror *m, uint64_t at, void *to, uint64_t bytes)
{
    size_t done = 0;
    while (done < bytes) {
        ssize_t n = pread(file, (char *)to + done, bytes - done, (off_t)(m->offset + at + done));
        if (n < 0 && errno != EINTR)
            return -1;
        if (n == 0)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    memset((char *)to + done, 0, bytes - done);
    return 0;
}

struct mirror *mirror_at(const struct gpu_device *g, uint64_t address, uint64_t bytes,
                         struct err *e)
{
    for (size_t i = 0; i < g->mirror_count; i++) {
        struct mirror *m = g->mirrors[i];
        if (address - m->address < m->bytes && bytes <= m->bytes - (address - m->address))
            return m;
    }
    fail(e, "%llu bytes at 0x%llx are not all in one array", (unsigned long long)bytes,
         (unsigned long long)address);
    return NULL;
}

int mirror_carry(struct gpu_device *g, enum gpu_op op, const struct mirror *m, uint64_t at,
                 uint64_t bytes, struct err *e)
{
    struct gpu_message message = {.op = op, .address = m->there + at, .offset = m->offset + at,
                                  .bytes = bytes};
    return gpu_request(g, &message, NULL, NULL, 0, e);
}

int mirror_allocate(struct gpu_device *g, struct mirror *m, struct err *e)
{
    struct gpu_message message = {.op = GPU_ALLOCATE, .offset = m->address - g->arena,
                                  .bytes = m->bytes};
    if (gpu_request(g, &message, NULL, NULL, 0, e) != 0)
        return -1;
    m->there = message.address;
    return 0;
}

int mirror_freshen(struct gpu_device *g, struct mirror *m, struct err *e)
{
    if (!m->stale)
        return 0;
    if (take_room(g, m, e) != 0 || mirror_carry(g, GPU_DOWNLOAD, m, 0, m->bytes, e) != 0)
        return -1;
    m->stale = m->made = false;
    m->written = true;
    return 0;
}

/* ---- what need not be fetched ----------------------------------------------------------- */

static bool is_large(const struct mirror *m)
{
    return m->bytes > LARGE;
}

int mirror_fill(struct gpu_device *g, struct mirror *m, const struct device_fill *fill,
                struct err *e)
{
    struct gpu_message message = {.op = GPU_FILL, .address = m->there, .bytes = m->bytes,
                                  .payload = sizeof *fill};
    if (!is_large(m) || m->module)
        return 1;
    if (gpu_request(g, &message, fill, NULL, 0, e) != 0)
        return gpu_link_lost(&g->link) ? -1 : 1;
    m->fill = *fill;
    m->made = m->stale = m->written = true;
    m->digested = false;
    return 0;
}

/* -1: the process was lost. A driver that refuses leaves the array without a digest. */
static int make_digest(struct gpu_device *g, struct mirror *m, struct err *e)
{
    struct gpu_message message = {.op = GPU_DIGEST, .address = m->there, .bytes = m->bytes};
    m->digested = gpu_request(g, &message, NULL, m->digest, sizeof m->digest, e) == 0;
    return !m->digested && gpu_link_lost(&g->link) ? -1 : 0;
}

int mirrors_ready(struct gpu_device *g, bool all, struct err *e)
{
    for (size_t i = 0; i < g->mirror_count; i++) {
        struct mirror *m = g->mirrors[i];
        if ((all || !m->made) && mirror_freshen(g, m, e) != 0)
            return -1;
        if (is_large(m) && !m->digested && make_digest(g, m, e) != 0)
            return -1;
    }
    return 0;
}

int mirrors_launched(struct gpu_device *g, struct err *e)
{
    for (size_t i = 0; i < g->mirror_count; i++) {
        struct mirror *m = g->mirrors[i];
        const uint64_t before[2] = {m->digest[0], m->digest[1]};
        const bool known = is_large(m) && m->digested;
        if (known && make_digest(g, m, e) != 0)
            return -1;
        if (known && m->digested && memcmp(before, m->digest, sizeof before) == 0)
            continue;
        m->stale = true;
        m->made = false;
    }
    return 0;
}

static int mirrors_freshen(struct gpu_device *g, struct err *e)
{
    for (size_t i = 0; i < g->mirror_count; i++)
        if (mirror_freshen(g, g->mirrors[i], e) != 0)
            return -1;
    return 0;
}

int mirrors_fetch_small(struct gpu_device *g, struct err *e)
{
    uint64_t all = 0;
    for (size_t i = 0; i < g->mirror_count; i++)
        all += g->mirrors[i]->bytes;
    return all <= FETCH_AT_ONCE ? mirrors_freshen(g, e) : 0;
}

void mirror_remove(struct gpu_device *g, size_t i)
{
    struct mirror *m = g->mirrors[i];
    fallocate(g->link.mirror, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)m->offset,
              (off_t)m->bytes);
    memmove(&g->mirrors[i], &g->mirrors[i + 1],
            (g->mirror_count - i - 1) * sizeof g->mirrors[0]);
    g->mirror_count--;
    if (m->room)
        g->base.held_bytes -= m->bytes;
    room_give_back(m->room, m->bytes);
    free(m->name);
    mem_free(&allocator_libc, m, sizeof *m);
}

/* The mirror is behind all others in the file, and its place is never used again. */
struct mirror *mirror_add(struct gpu_device *g, uint64_t bytes, const char *name, struct err *e)
{
    enum { PAGE = 4096 };
    struct mirror *m = NULL;
    if (mem_grow(&allocator_libc, (void **)&g->mirrors, &g->mirror_capacity, g->mirror_count,
                 sizeof g->mirrors[0]) < 0 ||
        !(m = mem_alloc(&allocator_libc, sizeof *m))) {
        fail_memory(e);
        return NULL;
    }
    *m = (struct mirror){.bytes = bytes, .offset = g->next_offset};
    m->name = name ? strdup(name) : NULL;
    if (name && !m->name) {
        mem_free(&allocator_libc, m, sizeof *m);
        fail_memory(e);
        return NULL;
    }
    g->next_offset += (bytes + PAGE) / PAGE * PAGE;
    g->mirrors[g->mirror_count++] = m;
    return m;
}

void mirrors_translate(const struct gpu_device *g, const uint64_t *now,
                       const struct kernel_info *k, char *params)
{
    for (unsigned i = 0; i < k->param_count; i++) {
        uint64_t value;
        if (k->params[i].size != sizeof value)
            continue;
        memcpy(&value, params + k->params[i].offset, sizeof value);
        for (size_t m = 0; m < g->mirror_count; m++)
            if (value - g->mirrors[m]->address < g->mirrors[m]->bytes) {
                value = value - g->mirrors[m]->address + now[m];
                break;
            }
        memcpy(params + k->params[i].offset, &value, sizeof value);
    }
}
