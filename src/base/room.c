/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel counts a mapping of private memory against the bound when it is made, touched or
 * not. So a mapping that is made for a moment tells whether there is room. No file is read here.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "base/room.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define SPARE ((size_t)16 << 20) /* left for small things, so that what was refused can be told */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHADOWED 1 /* most of its memory is a shadow that is never touched */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                      \
    __has_feature(memory_sanitizer)
#define SHADOWED 1
#endif
#endif
#ifndef SHADOWED
#define SHADOWED 0
#endif

void *room_take(size_t bytes)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    void *p = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, flags, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void room_give_back(void *taken, size_t bytes)
{
    if (taken)
        munmap(taken, bytes ? bytes : 1);
}

bool room_for(uint64_t bytes)
{
    if (bytes < ROOM_ASKS)
        return true;
    if (bytes > SIZE_MAX / 2 - SPARE)
        return false;
#ifdef WITH_WEB /* there mmap() would write all of it; a compiler leaves out an unused malloc() */
    void *volatile p = malloc((size_t)bytes + SPARE);
    const bool is_there = p != NULL;
    free(p);
#else
    void *p = room_take((size_t)bytes + SPARE);
    const bool is_there = p != NULL;
    room_give_back(p, (size_t)bytes + SPARE);
#endif
    return is_there;
}

uint64_t room_limit(void)
{
    struct rlimit limit;
    bool none = getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY;
    return none ? UINT64_MAX : limit.rlim_cur;
}

void room_bound(uint64_t bytes)
{
    struct rlimit limit;
    if (SHADOWED || getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    bool below = limit.rlim_max == RLIM_INFINITY || bytes < limit.rlim_max;
    limit.rlim_cur = below ? (rlim_t)bytes : limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
}

void room_unbound(void)
{
    room_bound(RLIM_INFINITY);
}
