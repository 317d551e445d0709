/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many bytes the host has where a copy uses its memory: those of a block of malloc(), or those
 * that a function has on the stack from there on. No variable of a function goes past them.
 *
 * The C library keeps the size of each block before it, and so the blocks of its heap are a list,
 * from the start of the heap on. An address is a block's only if this list comes to it. Nothing is
 * known of other variables, of a part of a block, of a large block, of another allocator, or where
 * several threads change the list.
 */
#define _GNU_SOURCE
#include "run/client/client.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

/* ---- the heap ---------------------------------------------------------------------------- */

/* A block with its header: the size is that of both, with flags in its lowest bits. */
struct heap_block { uint64_t before, size; };
enum { ALIGNED = 16, LEAST = 32, IN_USE = 1, ELSEWHERE = 2 | 4, BLOCKS_MOST = 1 << 22 };

static struct { pthread_once_t once; uint64_t first; const char *one_thread; } heap = {
    .once = PTHREAD_ONCE_INIT};

static void find_heap(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !heap.first && fgets(line, sizeof line, maps))
        if (strstr(line, "[heap]") && sscanf(line, "%" SCNx64, &heap.first) != 1)
            heap.first = 0;
    if (maps)
        fclose(maps);
    heap.one_thread = dlsym(RTLD_DEFAULT, "__libc_single_threaded");
}

static const struct heap_block *block_at(uint64_t header)
{
    return pointer_of(header);
}

static uint64_t size_at(uint64_t header)
{
    return block_at(header)->size / ALIGNED * ALIGNED;
}

/* Can this be the header of a block? Its end is before the end of the heap then. */
static bool is_header(uint64_t header, uint64_t end)
{
    const uint64_t size = size_at(header);
    return size >= LEAST && size < end - header && !(block_at(header)->size & ELSEWHERE);
}

static bool list_has(uint64_t header, uint64_t end)
{
    uint64_t at = heap.first;
    for (unsigned i = 0; at < header && i < BLOCKS_MOST; i++) {
        if (!is_header(at, end))
            return false;
        at += size_at(at);
    }
    return at == header;
}

/* The bytes of the block that begins there, where they are fewer than wanted; else UINT64_MAX. */
static uint64_t heap_room(uint64_t address, uint64_t wanted)
{
    const uint64_t end = number_of(sbrk(0)) - sizeof(struct heap_block);
    const uint64_t header = address - sizeof(struct heap_block);
    pthread_once(&heap.once, find_heap);
    if (!heap.first || address % ALIGNED || header < heap.first || header >= end ||
        !heap.one_thread || !*heap.one_thread || !is_header(header, end))
        return UINT64_MAX;
    const uint64_t room = size_at(header) - sizeof(uint64_t);
    const bool in_use = block_at(header + size_at(header))->size & IN_USE;
    return wanted > room && in_use && list_has(header, end) ? room : UINT64_MAX;
}

/* ---- the stack --------------------------------------------------------------------------- */

struct search { uint64_t at, below, room; };

/* The frames come from the last function to the first, from low addresses to high ones. */
static _Unwind_Reason_Code look_into(struct _Unwind_Context *context, void *data)
{
    struct search *s = data;
    const uint64_t here = _Unwind_GetCFA(context);
    const bool found = s->below <= s->at && s->at < here;
    if (found)
        s->room = here - s->at;
    s->below = here;
    return found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* The bytes up to the end of the frame that the address is in; UINT64_MAX: it is in none. */
static uint64_t stack_room(uint64_t address)
{
    enum { STACK_MOST = 8 << 20 };
    struct search s = {.at = address, .below = UINT64_MAX, .room = UINT64_MAX};
    if (address - number_of(&s) < STACK_MOST)
        _Unwind_Backtrace(look_into, &s);
    return s.room;
}

bool run_has_room(uint64_t address, uint64_t wanted, struct host_room *room)
{
    const uint64_t of_heap = heap_room(address, wanted);
    *room = (struct host_room){of_heap, wanted, false};
    if (of_heap != UINT64_MAX)
        return false;
    room->on_stack = true;
    room->bytes = stack_room(address);
    return room->bytes >= wanted;
}
