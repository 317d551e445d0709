/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mirrors: the bytes of arrays and variables, in a file without a name that both processes have
 * open. A mirror that is stale has newer bytes on the card; bytes past what was ever written are
 * zero, there and here. This file doesn't know why a mirror must be fresh.
 */
#define _GNU_SOURCE /* fallocate */
#include "dev/gpu/gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FETCH_AT_ONCE = 32 << 20 }; /* bytes that are brought home after each launch */

int mirror_write(const struct gpu_device *g, const struct mirror *m, uint64_t at,
                        const void *from, size_t bytes, struct err *e)
{
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

/* Bytes past what was ever written are zero. */
int mirror_read(int file, const struct mirror *m, uint64_t at, void *to, size_t bytes)
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

struct mirror *mirror_at(const struct gpu_device *g, uint64_t address, size_t bytes,
                                struct err *e)
{
    for (size_t i = 0; i < g->mirror_count; i++) {
        struct mirror *m = g->mirrors[i];
        if (address - m->address < m->bytes && bytes <= m->bytes - (address - m->address))
            return m;
    }
    fail(e, "%zu bytes at 0x%llx are not all in one array", bytes, (unsigned long long)address);
    return NULL;
}

int mirror_carry(struct gpu_device *g, enum gpu_op op, const struct mirror *m, uint64_t at,
                 uint64_t bytes, struct err *e)
{
    struct gpu_message message = {.op = op, .address = m->there + at, .offset = m->offset + at,
                                  .bytes = bytes};
    return gpu_request(g, &message, NULL, NULL, 0, e);
}

int mirror_freshen(struct gpu_device *g, struct mirror *m, struct err *e)
{
    if (!m->stale)
        return 0;
    if (mirror_carry(g, GPU_DOWNLOAD, m, 0, m->bytes, e) != 0)
        return -1;
    m->stale = false;
    m->written = true;
    return 0;
}

int mirrors_freshen(struct gpu_device *g, struct err *e)
{
    for (size_t i = 0; i < g->mirror_count; i++)
        if (mirror_freshen(g, g->mirrors[i], e) != 0)
            return -1;
    return 0;
}

/* Not to be lost if the process is, as long as that takes no time that anyone feels. */
int mirrors_fetch_small(struct gpu_device *g, struct err *e)
{
    uint64_t all = 0;
    for (size_t i = 0; i < g->mirror_count; i++)
        all += g->mirrors[i]->bytes;
    return all <= FETCH_AT_ONCE ? mirrors_freshen(g, e) : 0;
}

void mirror_drop(struct gpu_device *g, size_t i)
{
    struct mirror *m = g->mirrors[i];
    fallocate(g->link.mirror, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)m->offset,
              (off_t)m->bytes);
    memmove(&g->mirrors[i], &g->mirrors[i + 1],
            (g->mirror_count - i - 1) * sizeof g->mirrors[0]);
    g->mirror_count--;
    free(m->name);
    mem_put(&allocator_libc, m, sizeof *m);
}

/* The mirror stands in the file after all others; its place is never used again. */
struct mirror *mirror_add(struct gpu_device *g, uint64_t bytes, const char *name,
                                 struct err *e)
{
    enum { PAGE = 4096 };
    struct mirror *m = NULL;
    if (mem_grow(&allocator_libc, (void **)&g->mirrors, &g->mirror_capacity, g->mirror_count,
                 sizeof g->mirrors[0]) < 0 ||
        !(m = mem_get(&allocator_libc, sizeof *m))) {
        fail_memory(e);
        return NULL;
    }
    *m = (struct mirror){.bytes = bytes, .offset = g->next_offset};
    m->name = name ? strdup(name) : NULL;
    if (name && !m->name) {
        mem_put(&allocator_libc, m, sizeof *m);
        fail_memory(e);
        return NULL;
    }
    g->next_offset += (bytes + PAGE) / PAGE * PAGE;
    g->mirrors[g->mirror_count++] = m;
    return m;
}
