/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the libcuda for tests share: its state, and how FAKE_CUDA says that it misbehaves
 * (libcuda.c).
 */
#ifndef FAKE_H
#define FAKE_H

#include "dev/gpu/driver.h"
#include "sim/sim.h"
#include "sim/texture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DRIVER(name, parameters) int name parameters;
#include "dev/gpu/driver.def"
#undef DRIVER

enum { UNKNOWN = 999 };
#define ARENA (UINT64_C(0x30) << 40)

struct fake {
    struct sim *sim;
    struct shared {        /* memory of the host, and where kernels find it; none: bytes 0 */
        void *host;
        size_t bytes;
        uint64_t address;
    } shared[16];
    unsigned launches;     /* so far */
    unsigned pieces;       /* of memory, asked for so far */
    uint64_t newest;       /* the piece that came last, which holds zeros */
    uint64_t next_handle;
    size_t sizes[4096];    /* of handles */
    int broken_for_good;   /* a fault: no call works any more */
    unsigned dynamic;      /* shared bytes that the last function was allowed */
    struct late {          /* what the stream NULL has still to do */
        uint64_t to;
        void *bytes;       /* NULL: `value`, over and over */
        size_t count;
        unsigned char value;
    } late[64];
    unsigned late_count;
    struct link {          /* the linker's states, in the order of cuLinkCreate */
        char *text;        /* the PTX that it got, which is also what it makes */
        char *log;
        size_t log_bytes;
        int has_library, complete, destroyed;
        void *module;      /* loaded from what it made */
    } links[16];
    unsigned link_count;
};
extern __attribute__((visibility("hidden"))) struct fake fake;

static inline int is(const char *how)
{
    const char *set = getenv("FAKE_CUDA");
    return set && strcmp(set, how) == 0;
}

static inline int state(void)
{
    return is("broken") ? UNKNOWN : fake.broken_for_good;
}

static inline void note(const char *where, char what)
{
    const char *name = getenv(where);
    FILE *f = name ? fopen(name, "a") : NULL;
    if (!f)
        return;
    fputc(what, f);
    fclose(f);
}

/* Bytes from and to an address of the device, as libcuda.c keeps its memory. */
#define HIDDEN __attribute__((visibility("hidden")))
HIDDEN int put_bytes(uint64_t to, const void *from, size_t bytes);
HIDDEN int get_bytes(void *to, uint64_t from, size_t bytes);

/* A launch with its parameters. */
struct fake_launch {
    struct sim_launch launch;
    char params[4096];
};
HIDDEN int launch_now(const struct fake_launch *);
/* What is late in the stream NULL; and that, then what is late in all streams (streams.c). */
HIDDEN int run_late(void);
HIDDEN int run_streams(void);
HIDDEN int catch_up(void);
HIDDEN int fill_now(uint64_t address, unsigned value, size_t count);
/* -1: this stream does everything at once. */
HIDDEN int add_launch(void *stream, const struct fake_launch *);
HIDDEN int add_fill(void *stream, uint64_t address, unsigned value, size_t count);

#endif
