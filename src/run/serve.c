/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conversation with the program: requests come, answers go.
 */
#define _GNU_SOURCE
#include "run/area.h"
#include "run/run.h"

#include "base/mem.h"
#include "os/clock.h"
#include "os/fd.h"
#include "own/arrays.h"

#include "cudalab_runtime_types.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- bytes ----------------------------------------------------------------------------- */

/* Waits until the socket can be read or written. Meanwhile what the program prints is taken, since it
 * waits for that. False: the command has to end, perhaps since the program does nothing. */
static bool is_ready(const struct run *r, short events)
{
    enum { LOOK_MS = 5 };
    struct pollfd p = {.fd = r->socket, .events = events};
    while (poll(&p, 1, LOOK_MS) <= 0) {
        if (r->take_printed)
            r->take_printed(r->ctx);
        if (budget_end(&r->session.budget) != BUDGET_LEFT)
            return false;
    }
    return true;
}

static bool get(const struct run *r, void *to, uint64_t n)
{
    char *at = to;
    while (n) {
        ssize_t done = is_ready(r, POLLIN) ? read(r->socket, at, n) : 0;
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        n -= (uint64_t)done;
    }
    return true;
}

static bool put_bytes(const struct run *r, const void *bytes, uint64_t n, int more)
{
    const char *at = bytes;
    while (n) {
        ssize_t done = is_ready(r, POLLOUT)
                           ? send(r->socket, at, n, MSG_NOSIGNAL | MSG_DONTWAIT | more) : 0;
        if (done < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (done <= 0)
            return false;
        at += done;
        n -= (uint64_t)done;
    }
    return true;
}

static bool put(const struct run *r, const struct run_message *m, const void *bytes)
{
    return put_bytes(r, m, sizeof *m, m->bytes ? MSG_MORE : 0) && put_bytes(r, bytes, m->bytes, 0);
}

/* What it answers to a question of ours. */
static int32_t reply(struct run *r, struct run_message *m)
{
    if (!get(r, m, sizeof *m)) {
        r->ended = true;
        return cudaErrorDevicesUnavailable;
    }
    return m->status;
}

int32_t run_fetch(struct run *r, uint64_t from, void *to, uint64_t n)
{
    const struct run_message question = {.what = RUN_READ, .number = {from, n}};
    char *at = to;
    if (n == 0)
        return 0;
    if (!put(r, &question, NULL))
        return cudaErrorDevicesUnavailable;
    for (uint64_t done = 0; done < n;) {
        struct run_message m;
        int32_t error = reply(r, &m);
        if (error)
            return error;
        if (m.bytes == 0 || m.bytes > n - done || !get(r, at + done, m.bytes))
            return cudaErrorDevicesUnavailable;
        done += m.bytes;
    }
    return 0;
}

int32_t run_store(struct run *r, uint64_t to, const void *from, uint64_t n)
{
    struct run_message m = {.what = RUN_WRITE, .bytes = n, .number = {to}};
    return n == 0 ? 0 : put(r, &m, from) ? reply(r, &m) : cudaErrorDevicesUnavailable;
}

void run_print(struct run *r, const char *text, size_t n)
{
    struct run_message m = {.what = RUN_PRINT, .bytes = n};
    if (n && put(r, &m, text))
        reply(r, &m);
}

void run_protect(struct run *r, uint64_t from, uint64_t n, int how)
{
    struct run_message m = {.what = RUN_PROTECT, .number = {from, n, (uint64_t)how}};
    if (!r->ended && put(r, &m, NULL))
        reply(r, &m);
}

void run_callback(struct run *r, const uint64_t number[4])
{
    struct run_message m = {.what = RUN_CALL};
    memcpy(m.number, number, 4 * sizeof *number);
    bool goes_on = put(r, &m, NULL);
    while (goes_on && budget_end(&r->session.budget) == BUDGET_LEFT && reply(r, &m) == 0 &&
           m.what == RUN_HOST_TOUCH) {
        m.status = run_touched(r, &m); /* what the function touches */
        m.what = RUN_DONE;
        m.bytes = 0;
        goes_on = put(r, &m, NULL);
    }
}

void run_end_program(struct run *r)
{
    const struct run_message m = {.what = RUN_END};
    r->broken = cudaErrorDevicesUnavailable;
    if (!r->ended)
        put(r, &m, NULL);
    r->ended = true;
}

bool run_shadow_of(struct run *r, uint64_t address, char name[RUN_SHADOW_MOST + 1])
{
    struct run_message m = {.what = RUN_SHADOW, .number = {address}};
    name[0] = 0;
    if (!put(r, &m, NULL) || reply(r, &m) != 0 || m.bytes == 0 || m.bytes > RUN_SHADOW_MOST ||
        !get(r, name, m.bytes))
        return false;
    name[m.bytes] = 0;
    return true;
}

/* ---- places ---------------------------------------------------------------------------- */

struct run_place run_place_of(struct run *r, const struct run_message *m)
{
    struct run_place place = {.call = m->frame[0]};
    struct host_line line;
    struct buf path = {0};
    for (int i = 0; i < RUN_FRAMES && m->frame[i] && r->has_lines && !place.line; i++) {
        buf_clear(&path);
        if (!host_lines_find(&r->lines, m->frame[i], &line) || host_line_path(&line, &path) != 0)
            continue;
        const char *shown = run_source_shown(r, buf_text(&path));
        if (!shown)
            continue;
        path_put(place.file, sizeof place.file, shown);
        place.line = (int)line.line;
        place.call = m->frame[i];
    }
    buf_free(&path);
    return place;
}

static int32_t started(const struct run *r, struct run_message *m)
{
    m->number[0] = r->built.toolkit;
    m->number[1] = r->built.has_runtime;
    return 0;
}

/* ---- requests -------------------------------------------------------------------------- */

int32_t run_note_lacking(struct run *r, const char *name)
{
    struct span rest = {buf_text(&r->lacking), r->lacking.len}, line;
    while (next_line(&rest, &line))
        if (line.n == strlen(name) && memcmp(line.at, name, line.n) == 0)
            return 0;
    buf_printf(&r->lacking, "%s\n", name);
    return 0;
}

static int32_t reset(struct run *r)
{
    int32_t error = run_wait_all(r);
    run_forget_captures(r);
    run_forget_graphs(r);
    run_forget_queue(r);
    run_forget_memory(r, false);
    r->broken = 0;
    return error;
}

static int32_t ending(struct run *r, const struct run_message *m)
{
    r->status = (int)m->number[0];
    r->asks = m->number[1] != 0;
    r->said_end = true;
    run_find_unwaited(r);
    return 0;
}

/* A kernel's fault has ended what the device does: only these are answered. */
static bool goes_on(uint32_t what)
{
    return what == RUN_DEVICE_RESET || what == RUN_IGNORED || what == RUN_LACKING ||
           what == RUN_MISTAKE ||
           what == RUN_ENDING || what == RUN_HOST_TOUCH || what == RUN_PROPERTIES ||
           what == RUN_ATTRIBUTE || what == RUN_COMPILE || what == RUN_COMPILER ||
           what == RUN_LEFT;
}

static int32_t serve(struct run *r, struct run_message *m, struct buf *bytes, struct buf *answer)
{
    const char *text = buf_text(bytes);
    bool known = true, taken;
    if (r->broken && !goes_on(m->what))
        return r->broken;
    int32_t refused = run_resolve_stream(r, m);
    if (refused)
        return refused;
    refused = run_capture_request(r, m, bytes, answer, &taken);
    if (taken)
        return refused;
    switch (m->what) {
    case RUN_MANAGED: return run_want_variable(r, m, text);
    case RUN_STARTED: return started(r, m);
    case RUN_MODULE: return run_load(r, m, bytes);
    case RUN_LIBRARY: return run_load_library(r, m, bytes);
    case RUN_KERNEL: return run_find_kernel(r, m, text, answer);
    case RUN_KERNEL_NAME: return run_name_kernel(r, m, answer);
    case RUN_VARIABLE: return run_find_variable(r, m, text);
    case RUN_IMAGE: return run_image(r, m, bytes);
    case RUN_LINK: return run_link(r, m, bytes);
    case RUN_COMPILE: return run_jit(r, m, bytes);
    case RUN_COMPILER: return run_compiler(r, m, answer);
    case RUN_LEFT: return run_give_left(r, answer);
    case RUN_ALLOCATE: return run_allocate_in_order(r, m);
    case RUN_RELEASE: return run_release(r, m);
    case RUN_POINTER: return run_point(r, m);
    case RUN_FUNCTION:
    case RUN_FUNCTION_SET:
    case RUN_OCCUPANCY_ROOM:
    case RUN_CLUSTER:
    case RUN_OCCUPANCY: return run_function(r, m, answer);
    case RUN_PROPERTIES: return run_properties_as(r, m, answer);
    case RUN_ATTRIBUTE: return run_attribute(r, m);
    case RUN_MEMORY_INFO: return run_memory_info(r, m);
    case RUN_DEVICE_RESET: return reset(r);
    case RUN_IGNORED: return run_ignored(r, m, text);
    case RUN_LACKING: return run_note_lacking(r, text);
    case RUN_PAST_ROOM: run_find_past_room(r, m); return 0;
    case RUN_MISTAKE: return run_library_mistake(r, m, bytes);
    case RUN_ENDING: return ending(r, m);
    case RUN_HOST_TOUCH: return run_touched(r, m);
    case RUN_LAUNCH: {
        int32_t error = run_check_launch(r, m);
        return error ? error : run_enqueue(r, m, m->number[LAUNCH_STREAM], bytes->data);
    }
    default: {
        int32_t error = run_queue_request(r, m, &known);
        if (known)
            return error;
        known = true;
        error = run_graph_request(r, m, bytes, answer, &known);
        if (known)
            return error;
        known = true;
        error = run_image_request(r, m, bytes, &known);
        if (known)
            return error;
        known = true;
        error = run_memory_request(r, m, &known);
        if (known)
            return error;
        known = true;
        error = run_limit_request(r, m, &known);
        return known ? error : cudaErrorNotSupported;
    }
    }
}

/* The program has its end when it talks. Without ours of it, the socket ends with the program. */
static void close_theirs(struct run *r)
{
    if (r->theirs >= 0)
        close(r->theirs);
    r->theirs = -1;
}

bool run_serve(struct run *r)
{
    struct run_message m;
    struct buf bytes = {0}, answer = {0};
    close_theirs(r);
    if (r->ended || !get(r, &m, sizeof m) || m.bytes > RUN_BYTES_MOST)
        return false;
    char piece[1 << 14];
    bool talks = true;
    for (uint64_t left = m.bytes; left && talks;) {
        uint64_t now = left < sizeof piece ? left : sizeof piece;
        talks = get(r, piece, now);
        buf_add(&bytes, piece, talks ? now : 0);
        left -= now;
    }
    if (talks) {
        const double began = clock_seconds();
        r->time.program = began - r->time.served;
        if (m.what < RUN_HOST_TOUCH) /* the rest are no calls */
            run_time_call(r);
        m.status = bytes.failed ? cudaErrorMemoryAllocation : serve(r, &m, &bytes, &answer);
        r->time.served += clock_seconds() - began;
        m.what = RUN_DONE;
        m.bytes = m.status ? 0 : answer.len;
        talks = !r->ended && put(r, &m, buf_text(&answer));
    }
    buf_free(&bytes);
    buf_free(&answer);
    return talks;
}

/* ---- the beginning and the end --------------------------------------------------------- */

static int open_shared(struct run *r, struct err *e)
{
    if (sizeof(size_t) < sizeof(uint64_t))
        return fail(e, "a whole program needs a cudalab of 64 bits");
    r->memory = memfd_create("cudalab", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (r->memory < 0 || ftruncate(r->memory, (off_t)RUN_SHARED_BYTES) != 0 ||
        fcntl(r->memory, F_ADD_SEALS, F_SEAL_SHRINK) != 0) /* else a program could take pages away */
        return fail(e, "cannot make memory for the program: %s", strerror(errno));
    void *at = mmap(NULL, (size_t)RUN_SHARED_BYTES, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_NORESERVE, r->memory, 0);
    if (at == MAP_FAILED)
        return fail(e, "cannot map memory for the program: %s", strerror(errno));
    r->shared = at;
    return 0;
}

static int open_socket(struct run *r, struct err *e)
{
    int both[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0)
        return fail(e, "cannot make a socket for the program: %s", strerror(errno));
    r->socket = both[0];
    r->theirs = both[1];
    return 0;
}

void run_descriptors(const struct run *r, int fds[2])
{
    fds[0] = r->theirs;
    fds[1] = r->memory;
}

int run_open(struct run *r, const struct session *s, const char *path, struct span program,
             struct report *report, struct err *e)
{
    struct err ignored_error;
    const struct device_props *p = &s->device->props;
    *r = (struct run){.session = *s, .report = report, .program = program, .socket = -1,
                      .theirs = -1, .memory = -1};
    r->session.units = NULL;
    r->session.own = NULL;
    r->session.loaded = NULL;
    r->session.loaded_count = 0;
    r->session.arrays = NULL;
    r->session.array_count = 0;
    r->session.device = NULL;
    if (run_examine(program, path, (unsigned)(p->major * 10 + p->minor), s->device->go_on,
                    &r->built, e) != 0)
        return -1;
    r->session.device = sim_device_open(&s->device->props, e);
    r->streams = mem_alloc(&allocator_libc, sizeof *r->streams);
    if (!r->session.device)
        return -1;
    if (!r->streams)
        return fail_memory(e);
    sim_device_set_places(r->session.device, run_place_variable, r);
    run_usual_limits(r);
    r->session.device->stop = s->budget.stop;
    r->session.device->go_on = s->device->go_on;
    r->streams[0] = (struct run_stream){.used = true, .blocking = true};
    r->stream_count = 1;
    r->has_lines = host_lines_read(program, &r->lines, &ignored_error) == 0;
    return open_socket(r, e) || open_shared(r, e) ? -1 : 0;
}

void run_close(struct run *r)
{
    run_guard_forget(r);
    run_forget_captures(r);
    run_forget_graphs(r);
    run_forget_queue(r);
    for (unsigned i = 0; i < r->kernel_count; i++)
        mem_free(&allocator_libc, r->kernels[i], sizeof *r->kernels[i]);
    mem_free(&allocator_libc, r->kernels, r->kernel_count * sizeof *r->kernels);
    mem_free(&allocator_libc, r->modules, r->module_count * sizeof *r->modules);
    for (unsigned i = 0; i < r->stream_count; i++)
        run_clock_free(&r->streams[i].clock);
    for (unsigned i = 0; i < r->event_count; i++)
        run_clock_free(&r->events[i].clock);
    run_clock_free(&r->host);
    mem_free(&allocator_libc, r->streams, r->stream_count * sizeof *r->streams);
    mem_free(&allocator_libc, r->events, r->event_count * sizeof *r->events);
    run_forget_textures(r);
    run_forget_repeats(r);
    run_forget_pools(r);
    if (r->session.device) {
        run_forget_memory(r, true);
        run_forget_sites(r);
        units_free(&r->session);
        arrays_free(&r->session);
        device_close(r->session.device);
    }
    run_forget_wanted(r);
    run_sources_free(r);
    run_forget_made(r);
    run_cost_free(&r->cost);
    run_time_free(r);
    host_lines_free(&r->lines);
    buf_free(&r->lacking);
    if (r->shared)
        munmap(r->shared, (size_t)RUN_SHARED_BYTES);
    if (r->memory >= 0)
        close(r->memory);
    if (r->socket >= 0)
        close(r->socket);
    close_theirs(r);
}

void run_finish(struct run *r)
{
    run_finish_errors(r);
    if (!r->broken && r->said_end && r->status == 0) /* else it has left early */
        run_find_leaks(r);
    report_drop_following(r->report);
}
