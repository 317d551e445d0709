/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a struct sim holds between launches: its modules and its global memory. The header is
 * for src/sim/ alone.
 */
#ifndef SIM_HANDLE_H
#define SIM_HANDLE_H

#include "base/threads.h"
#include "base/random.h"
#include "sim/code.h"

enum { PAGE = 4096, HOST_LINE = 64 };

/* Where a cache line of this computer begins in memory that has HOST_LINE bytes to spare. What is
 * read and written by vectors starts there. Else a row of 128 bytes may lie in three lines instead
 * of two, and how long a launch takes depends on what was allocated before it. */
static inline unsigned char *host_line(unsigned char *memory)
{
    return memory + (HOST_LINE - (uintptr_t)memory % HOST_LINE) % HOST_LINE;
}

/* Windows of the generic address space. Below NULL_TOP nothing is ever mapped. */
#define NULL_TOP      UINT64_C(0x10000)
#define SHARED_WINDOW UINT64_C(0x600000000000)
#define LOCAL_WINDOW  UINT64_C(0x610000000000)
#define PARAM_WINDOW  UINT64_C(0x620000000000)
#define CODE_WINDOW   UINT64_C(0x630000000000) /* addresses of functions, CODE_STEP apart */
#define CODE_STEP     UINT64_C(16)
#define WINDOW_SIZE   UINT64_C(0x1000000)

/* One piece of global memory. The simulator's list is sorted by address. */
struct allocation {
    uint64_t address, size;
    unsigned char *given, *host; /* what the allocator gave, NULL: host is the caller's; and its
                                  * first byte in use */
    char *name;
    bool freed, constant, module_owned;
    bool going;   /* memory_drop_now() frees it and takes it off the list */
    bool heap;    /* malloc in device code made it, */
    const struct sim_instruction *got_at; /* there; NULL: nothing is said if it leaks */
    bool reached; /* something points at it: see heap_leaks() */
    unsigned char *saved; /* while a launch has workers: of each page, PAGE_SAVED or before that */
};
enum { PAGE_FRESH, PAGE_BEING_SAVED, PAGE_SAVED };

/* Addresses that have never been in use. */
struct room {
    uint64_t next, end;
};

struct sim {
    struct allocator allocator;
    struct sim_limits limits;
    struct err err;
    struct go_on go_on; /* while a module is loaded */
    bool (*goes_on)(void *ctx);
    void *goes_on_ctx;
    sim_place_variable *place_variable;
    void *place_ctx;
    struct exec_set exec;
    const struct op **ops; /* open hash by name */
    size_t op_slots;
    struct sim_module *modules;
    struct allocation **allocations;
    size_t allocation_count, allocation_capacity;
    size_t frees; /* how often memory was freed */
    struct room arrays, heap, spare, small;
    uint64_t bytes_in_use;
    uint64_t heap_bytes;  /* that malloc in device code has in use */
    uint32_t heap_freed;  /* its allocations that are freed but still listed */
    struct image_object **images; /* textures and surfaces, by their handles */
    size_t image_count, image_capacity;
    struct sim_run *running;
    unsigned cores; /* that a launch uses at most; 0: all that this process may use */
    struct threads *threads; /* that launches have made */
};

/* sim.c */
int sim_fail(struct sim *, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Copies a caller's struct that begins with its size into one that has `most` bytes. */
int sim_take(struct sim *, void *to, size_t most, const void *from);
/* -1 while a launch is under way: "finish it before memory is freed". */
int sim_not_running(struct sim *, const char *what);

/* memory.c */
void memory_rooms(struct sim *);
struct allocation *memory_find(struct sim *, uint64_t address, uint32_t *hint);
struct allocation *memory_near(struct sim *, uint64_t address); /* NULL: none is */
/* The lanes of the mask whose bytes lie in an allocation. */
uint32_t memory_inside(struct sim *, uint32_t mask, unsigned bytes, const uint64_t address[LANES]);
int memory_allocate_at(struct sim *, uint64_t address, uint64_t bytes, const char *name, void *host,
                       struct allocation **); /* host: the caller's bytes, or NULL */
int memory_allocate(struct sim *, struct room *, uint64_t bytes, uint64_t align, const char *name,
                    struct allocation **out);
/* The same for small pieces of which there may be very many: they lie close together. */
int memory_allocate_small(struct sim *, uint64_t bytes, uint64_t align, const char *name,
                          struct allocation **out);
void memory_drop(struct sim *, struct allocation *);
void memory_drop_later(struct sim *, struct allocation *); /* with others, at one go */
void memory_drop_now(struct sim *);
void memory_free(struct sim *, struct allocation *);


/* heap.c */
uint64_t heap_room(const struct sim *); /* bytes that device code can have of it */
void heap_forget(struct sim *, const struct sim_module *);

#endif
