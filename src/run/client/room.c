/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many bytes the host has where a copy uses its memory: those of a block of malloc(), of a
 * variable that is not local, or those that a function has on the stack from there on. No variable
 * of a function goes past them.
 *
 * The C library keeps the size of each block before it, and so the blocks of its heap are a list,
 * from the start of the heap on. An address is a block's only if this list comes to it. Nothing is
 * known of a part of a block, of a large block, of another allocator, or where several threads
 * change the list.
 */
#define _GNU_SOURCE
#include "run/client/symbols.h"

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

/* ---- variables --------------------------------------------------------------------------- */

static struct { pthread_once_t once; struct symbols symbols; uint64_t low, high; } program = {
    .once = PTHREAD_ONCE_INIT};
static __thread struct { uint64_t at, end; } last; /* the variable that was found last */

static bool is_variable(const Elf64_Sym *s)
{
    return ELF64_ST_TYPE(s->st_info) == STT_OBJECT && s->st_shndx != SHN_UNDEF && s->st_size;
}

static void find_variables(void)
{
    struct symbols *s = &program.symbols;
    program.low = UINT64_MAX;
    if (!run_open_symbols(s))
        return;
    for (size_t i = 0; i < s->count; i++) {
        const uint64_t at = s->base + s->all[i].st_value, end = at + s->all[i].st_size;
        if (is_variable(&s->all[i])) {
            program.low = at < program.low ? at : program.low;
            program.high = end > program.high ? end : program.high;
        }
    }
}

/* The bytes up to the end of the variable that the address is in; UINT64_MAX: it is in none. */
static uint64_t variable_room(uint64_t address)
{
    const struct symbols *s = &program.symbols;
    pthread_once(&program.once, find_variables);
    if (address < program.low || address >= program.high)
        return UINT64_MAX;
    if (address >= last.at && address < last.end)
        return last.end - address;
    last.end = 0;
    for (size_t i = 0; i < s->count; i++) {
        const uint64_t at = s->base + s->all[i].st_value, end = at + s->all[i].st_size;
        if (is_variable(&s->all[i]) && address >= at && address < end && end > last.end) {
            last.at = at;
            last.end = end;
        }
    }
    return last.end ? last.end - address : UINT64_MAX;
}

bool run_has_room(uint64_t address, uint64_t wanted, struct host_room *room)
{
    *room = (struct host_room){heap_room(address, wanted), wanted, ROOM_HEAP};
    if (room->bytes == UINT64_MAX)
        *room = (struct host_room){stack_room(address), wanted, ROOM_STACK};
    if (room->bytes == UINT64_MAX)
        *room = (struct host_room){variable_room(address), wanted, ROOM_VARIABLE};
    return room->bytes >= wanted;
}
