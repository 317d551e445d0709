/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cudaHostRegister(): memory of malloc() or a variable, which kernels then use. The pages that it
 * lies on become pages of the file that cudalab has mapped too, with the bytes that they had. So
 * both see the same from then on, and the rest of these pages stays as it was.
 */
#define _GNU_SOURCE
#include "run/client/client.h"
#include "run/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/* What is registered, with its whole pages. */
struct pages { char *at; char *first; size_t bytes; struct pages *next; };
static struct { pthread_mutex_t lock; struct pages *list; } registered = {
    .lock = PTHREAD_MUTEX_INITIALIZER};

/* The pages get others in their place, with the same bytes. `fd` -1: memory of their own. What is
 * needed meanwhile may not lie on these pages, as memory of malloc() may. */
static bool replace(char *first, size_t bytes, int fd, uint64_t offset)
{
    const int flags = MAP_FIXED | (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);
    char *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return false;
    memcpy(copy, first, bytes);
    void *now = mmap(first, bytes, PROT_READ | PROT_WRITE, flags, fd, (off_t)offset);
    if (now != MAP_FAILED)
        memcpy(first, copy, bytes);
    munmap(copy, bytes);
    return now != MAP_FAILED;
}

static bool is_mapped(const struct pages *p)
{
    unsigned char *there = malloc(p->bytes / PAGE);
    bool all = there && mincore(p->first, p->bytes, there) == 0;
    free(there);
    return all;
}

API cudaError_t cudaHostRegister(void *at, size_t n, unsigned flags)
{
    enum { KNOWN = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly };
    if (flags & cudaHostRegisterIoMemory)
        return run_lacking("cudaHostRegister of memory of a device");
    if (!at || !n || (flags & ~(unsigned)KNOWN))
        return run_failed(__func__, cudaErrorInvalidValue);
    struct pages *p = malloc(sizeof *p);
    if (!p)
        return run_failed(__func__, cudaErrorMemoryAllocation);
    const uint64_t first = number_of(at) / PAGE * PAGE;
    *p = (struct pages){.at = at, .first = pointer_of(first),
                        .bytes = (number_of(at) + n - first + PAGE - 1) / PAGE * PAGE};
    struct run_message m = REQUEST(REGISTER, number_of(at), n, flags);
    cudaError_t error = is_mapped(p) ? run_call(__func__, &m)
                                     : run_failed(__func__, cudaErrorInvalidValue);
    if (!error && !replace(p->first, p->bytes, run_memory_file(), m.number[0] - RUN_SHARED_BASE)) {
        CALL(REGISTER_END, number_of(at));
        error = run_failed(__func__, cudaErrorMemoryAllocation);
    }
    if (error) {
        free(p);
        return error;
    }
    pthread_mutex_lock(&registered.lock);
    p->next = registered.list;
    registered.list = p;
    pthread_mutex_unlock(&registered.lock);
    return cudaSuccess;
}

API cudaError_t cudaHostUnregister(void *at)
{
    if (!at)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = CALL(REGISTER_END, number_of(at));
    if (error)
        return error;
    pthread_mutex_lock(&registered.lock);
    struct pages **p = &registered.list;
    while (*p && (*p)->at != at)
        p = &(*p)->next;
    struct pages *found = *p;
    if (found)
        *p = found->next;
    pthread_mutex_unlock(&registered.lock);
    if (found)
        replace(found->first, found->bytes, -1, 0);
    free(found);
    return cudaSuccess;
}

API cudaError_t cudaHostGetFlags(unsigned *flags, void *at)
{
    struct run_message m = REQUEST(POINTER, number_of(at));
    if (!flags)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    if (error || m.number[0] != MEMORY_PINNED)
        return error ? error : run_failed(__func__, cudaErrorInvalidValue);
    *flags = (unsigned)m.number[3];
    return cudaSuccess;
}
