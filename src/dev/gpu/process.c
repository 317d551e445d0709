/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that works with the GPU: cudalab itself, started anew. It knows the driver and
 * obeys requests one at a time; it decides nothing. When a kernel ruins the context, or spins,
 * or the driver crashes, this process is what is lost, and the other side starts the next.
 *
 * Arrays lie in one range of addresses, the arena, each at an offset of its own, with nothing
 * mapped between them, so that an overrun of some length is caught. The range is the first thing
 * that is asked of the driver, and addresses are not drawn by lot in this process (link.c):
 * so the next process most often has it at the same place, and pointers in arrays stay good.
 */
#include "dev/gpu/process.h"

#include "os/clock.h"
#include "base/mem.h"
#include "dev/gpu/blas.h"
#include "dev/gpu/driver.h"
#include "dev/gpu/cards.h"
#include "dev/gpu/image.h"
#include "dev/gpu/steps.h"
#include "dev/gpu/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

const char gpu_process_option[] = "--gpu-process";

enum {
    STAGE = 4 << 20,       /* bytes carried at once between the mirror and the card */
    STACK_BYTES = 8 << 10, /* a thread; the driver's own 1 KB is short for a recursion */
    SAYING = 2000,         /* characters of what is wrong */
    PARAMS_MOST = 1024
};

enum area_kind {
    AREA_MAPPED,
    AREA_PLAIN, /* on cards that can't choose addresses */
    AREA_VARIABLE
};

struct area { /* memory that a launch may change */
    enum area_kind kind;
    uint64_t address, bytes, handle;
    uint64_t asked; /* of the bytes */
    uint64_t module; /* of a variable */
    uint64_t spare;  /* a copy, while a launch is repeated, */
    uint32_t number; /* or what it is, where it is only that */
};

struct loaded {
    uint64_t id;
    void *module;
    uint64_t count; /* where it counts words used and prints lost; 0: it doesn't print */
};

struct process {
    struct driver d;
    int fd, mirror, device;
    struct gpu_ring *ring;
    uint64_t ring_address;
    void *stream;
    size_t granule;
    uint64_t arena; /* 0: addresses can't be chosen */
    unsigned char *stage;
    struct area *areas;
    size_t area_count, area_capacity;
    struct gpu_images images;
    struct blas blas; /* opened when it is first asked for */
    struct loaded *modules;
    size_t module_count, module_capacity;
    char say[SAYING];
};

/* ---- replies --------------------------------------------------------------------------- */

PRINTF_LIKE(3, 4)
static int refuse(struct process *p, int status, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    driver_describe(&p->d, status, text, sizeof text);
    va_start(ap, fmt);
    int n = vsnprintf(p->say, sizeof p->say, fmt, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n < sizeof p->say)
        snprintf(p->say + n, sizeof p->say - (size_t)n, ": %s", text);
    return status;
}

static int answer(struct process *p, struct gpu_message *m, int status, const void *payload,
                  size_t bytes)
{
    m->status = status;
    m->payload = status ? strlen(p->say) : bytes;
    return gpu_send(p->fd, m, status ? p->say : payload, NULL);
}

/* ---- memory ---------------------------------------------------------------------------- */

static struct memory_kind on_device(const struct process *p)
{
    return (struct memory_kind){.type = MEMORY_PINNED, .place = {MEMORY_ON_DEVICE, p->device}};
}

static void release(struct process *p, const struct area *a)
{
    if (a->kind == AREA_PLAIN)
        p->d.cuMemFree_v2(a->address);
    if (a->kind != AREA_MAPPED)
        return;
    p->d.cuMemUnmap(a->address, a->bytes);
    p->d.cuMemRelease(a->handle);
}

static int map_area(struct process *p, struct area *a)
{
    const struct memory_kind kind = on_device(p);
    const struct memory_access access = {kind.place, MEMORY_READ_WRITE};
    int status = p->d.cuMemCreate(&a->handle, a->bytes, &kind, 0);
    if (status != DRIVER_OK)
        return status;
    status = p->d.cuMemMap(a->address, a->bytes, 0, a->handle, 0);
    if (status != DRIVER_OK) {
        p->d.cuMemRelease(a->handle);
        return status;
    }
    status = p->d.cuMemSetAccess(a->address, a->bytes, &access, 1);
    if (status != DRIVER_OK)
        release(p, a);
    return status;
}

static int no_room(struct process *p, uint64_t bytes, int status)
{
    size_t left = 0, total = 0;
    if (status != DRIVER_OUT_OF_MEMORY)
        return refuse(p, status, "%llu bytes on the GPU can't be had", (unsigned long long)bytes);
    p->d.cuMemGetInfo_v2(&left, &total);
    snprintf(p->say, sizeof p->say,
             "%llu bytes are more than the GPU has left: %zu of %zu are free",
             (unsigned long long)bytes, left, total);
    return status;
}

static int find_memory(struct process *p, struct area *a, uint64_t offset)
{
    if (!p->arena) {
        a->kind = AREA_PLAIN;
        return p->d.cuMemAlloc_v2(&a->address, a->bytes);
    }
    a->bytes = (a->bytes + p->granule - 1) / p->granule * p->granule;
    a->address = p->arena + offset;
    if (offset > GPU_ARENA_BYTES || a->bytes > GPU_ARENA_BYTES - offset)
        return DRIVER_OUT_OF_MEMORY;
    return map_area(p, a);
}

static int remember(struct process *p, const struct area *a)
{
    if (mem_grow(&allocator_libc, (void **)&p->areas, &p->area_capacity, p->area_count,
                 sizeof *p->areas) < 0)
        return -1;
    p->areas[p->area_count++] = *a;
    return 0;
}

static int allocate(struct process *p, struct gpu_message *m)
{
    struct area a = {.bytes = m->bytes ? m->bytes : 1, .asked = m->bytes};
    int status = find_memory(p, &a, m->offset);
    if (status != DRIVER_OK)
        return no_room(p, m->bytes, status);
    status = p->d.cuMemsetD8_v2(a.address, 0, a.bytes);
    if (status == DRIVER_OK && remember(p, &a) != 0)
        status = DRIVER_OUT_OF_MEMORY;
    if (status != DRIVER_OK) {
        release(p, &a);
        return refuse(p, status, "an array can't be made");
    }
    m->address = a.address;
    return DRIVER_OK;
}

static int release_array(struct process *p, const struct gpu_message *m)
{
    for (size_t i = 0; i < p->area_count; i++)
        if (p->areas[i].address == m->address && p->areas[i].kind != AREA_VARIABLE) {
            release(p, &p->areas[i]);
            p->areas[i] = p->areas[--p->area_count];
            break;
        }
    return DRIVER_OK;
}

static int mirror_failed(struct process *p)
{
    snprintf(p->say, sizeof p->say, "this computer has no memory left for copies of the arrays: %s",
             strerror(errno));
    return DRIVER_OUT_OF_MEMORY;
}

static int upload(struct process *p, const struct gpu_message *m)
{
    for (uint64_t done = 0; done < m->bytes;) {
        size_t n = m->bytes - done < STAGE ? (size_t)(m->bytes - done) : STAGE;
        ssize_t got = pread(p->mirror, p->stage, n, (off_t)(m->offset + done));
        if (got <= 0)
            return mirror_failed(p);
        int status = p->d.cuMemcpyHtoD_v2(m->address + done, p->stage, (size_t)got);
        if (status != DRIVER_OK)
            return refuse(p, status, "bytes can't be copied to the GPU");
        done += (uint64_t)got;
    }
    return DRIVER_OK;
}

static int download(struct process *p, const struct gpu_message *m)
{
    for (uint64_t done = 0; done < m->bytes;) {
        size_t n = m->bytes - done < STAGE ? (size_t)(m->bytes - done) : STAGE;
        int status = p->d.cuMemcpyDtoH_v2(p->stage, m->address + done, n);
        if (status != DRIVER_OK)
            return refuse(p, status, "bytes can't be copied from the GPU");
        ssize_t put = pwrite(p->mirror, p->stage, n, (off_t)(m->offset + done));
        if (put <= 0)
            return mirror_failed(p);
        done += (uint64_t)put;
    }
    return DRIVER_OK;
}

static int make_texture(struct process *p, struct gpu_message *m, const char *payload)
{
    struct gpu_texture t;
    memcpy(&t, payload, sizeof t);
    int status = gpu_image_make(&p->d, &p->images, &t, &m->address);
    if (status == DRIVER_OK)
        return status;
    return refuse(p, status, "the GPU can't have this %s", t.surface ? "surface" : "texture");
}

/* ---- modules --------------------------------------------------------------------------- */

static struct loaded *module_of(const struct process *p, uint64_t id)
{
    for (size_t i = 0; i < p->module_count; i++)
        if (p->modules[i].id == id)
            return &p->modules[i];
    return NULL;
}

/* The ring is made known to the driver when the first kernel comes that prints. */
static int show_ring(struct process *p, struct loaded *l)
{
    uint64_t variable;
    size_t bytes;
    int status = DRIVER_OK;
    if (!p->ring_address) {
        status = p->d.cuMemHostRegister_v2(p->ring, GPU_RING_BYTES, HOST_MAPPED);
        if (status == DRIVER_OK)
            status = p->d.cuMemHostGetDevicePointer_v2(&p->ring_address, p->ring, 0);
    }
    if (status == DRIVER_OK)
        status = p->d.cuModuleGetGlobal_v2(&variable, &bytes, l->module, "cudalab_ring");
    if (status == DRIVER_OK)
        status = p->d.cuMemcpyHtoD_v2(variable, &p->ring_address, sizeof p->ring_address);
    if (status == DRIVER_OK)
        status = p->d.cuModuleGetGlobal_v2(&l->count, &bytes, l->module, "cudalab_count");
    return status;
}

/* The log has a line for each error: they become parts of one sentence. */
static int not_loaded(struct process *p, int status, const char *log)
{
    refuse(p, status, "the driver refuses this PTX");
    const char *before = ": ";
    size_t used = strlen(p->say);
    for (size_t n; *log && used < sizeof p->say; log += n + (log[n] == '\n'), before = "; ") {
        n = strcspn(log, "\n");
        if (n)
            used += (size_t)snprintf(p->say + used, sizeof p->say - used, "%s%.*s", before, (int)n,
                                     log);
    }
    return status;
}

static int load(struct process *p, const struct gpu_message *m, const char *ptx)
{
    char log[1500] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
    struct loaded l = {.id = m->id};
    bool prints = m->bytes != 0;
    if (mem_grow(&allocator_libc, (void **)&p->modules, &p->module_capacity, p->module_count,
                 sizeof *p->modules) < 0)
        return refuse(p, DRIVER_OUT_OF_MEMORY, "no memory for a module");
    int status = p->d.cuModuleLoadDataEx(&l.module, ptx, 2, options, values);
    if (status != DRIVER_OK)
        return not_loaded(p, status, log);
    if (prints && (status = show_ring(p, &l)) != DRIVER_OK) {
        p->d.cuModuleUnload(l.module);
        return refuse(p, status, "the GPU can't reach the memory for what kernels print");
    }
    p->modules[p->module_count++] = l;
    return DRIVER_OK;
}

static int unload(struct process *p, const struct gpu_message *m)
{
    struct loaded *l = module_of(p, m->id);
    if (l) {
        p->d.cuModuleUnload(l->module);
        *l = p->modules[--p->module_count];
    }
    for (size_t i = p->area_count; i-- > 0;) /* its variables went with it */
        if (p->areas[i].kind == AREA_VARIABLE && p->areas[i].module == m->id)
            p->areas[i] = p->areas[--p->area_count];
    return DRIVER_OK;
}

static int variable(struct process *p, struct gpu_message *m, const char *name)
{
    const struct loaded *l = module_of(p, m->id);
    size_t bytes = 0;
    int status = l ? p->d.cuModuleGetGlobal_v2(&m->address, &bytes, l->module, name)
                   : DRIVER_INVALID_VALUE;
    m->bytes = bytes;
    const struct area a = {
        AREA_VARIABLE, .address = m->address, .bytes = bytes, .asked = bytes, .module = m->id};
    if (status == DRIVER_OK && remember(p, &a) != 0)
        status = DRIVER_OUT_OF_MEMORY;
    return status == DRIVER_OK ? status : refuse(p, status, "no variable `%s`", name);
}

static int kernel(struct process *p, const struct gpu_message *m, const char *name,
                  struct gpu_kernel *k)
{
    const struct loaded *l = module_of(p, m->id);
    void *function = NULL;
    int status = l ? p->d.cuModuleGetFunction(&function, l->module, name) : DRIVER_INVALID_VALUE;
    if (status == DRIVER_OK)
        status = p->d.cuFuncGetAttribute(&k->registers, FUNCTION_REGISTERS, function);
    if (status == DRIVER_OK)
        status = p->d.cuFuncGetAttribute(&k->local_bytes, FUNCTION_LOCAL, function);
    if (status == DRIVER_OK)
        status = p->d.cuFuncGetAttribute(&k->shared_bytes, FUNCTION_SHARED, function);
    return status == DRIVER_OK ? status : refuse(p, status, "no kernel `%s`", name);
}

/* Shared memory beyond the usual is opted in to, as for a launch. */
static int occupancy(struct process *p, struct gpu_message *m, const char *name)
{
    const struct loaded *l = module_of(p, m->id);
    void *function = NULL;
    int blocks = 0;
    int status = l ? p->d.cuModuleGetFunction(&function, l->module, name) : DRIVER_INVALID_VALUE;
    if (status == DRIVER_OK && m->bytes)
        status = p->d.cuFuncSetAttribute(function, FUNCTION_MAX_DYNAMIC_SHARED, (int)m->bytes);
    if (status == DRIVER_OK)
        status = p->d.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function,
                                                                  (int)m->offset, m->bytes);
    m->bytes = (uint64_t)blocks;
    return status == DRIVER_OK ? status : refuse(p, status, "no occupancy of `%s`", name);
}

/* ---- launches -------------------------------------------------------------------------- */

struct launch {
    const struct gpu_launch *g;
    uint64_t count; /* as in struct loaded */
    void *function; /* NULL: it is cuBLAS's, with what follows */
    struct dot_job dot;
    uint64_t module;
    const char *given; /* all parameters, as they lie in a row */
    const char *job;   /* then what the job is told */
    void *params[PARAMS_MOST];
    struct host_clocks clocks;
};

static int blas_refuses(struct process *p, const struct err *e)
{
    snprintf(p->say, sizeof p->say, "%s", e->text);
    return GPU_NOT_RUN;
}

/* A refusal is one only if the context still works; else the driver says what happened. */
static int start_dot(struct process *p, const struct launch *l)
{
    struct err e;
    if (blas_dot(&p->blas, &l->dot, &e) == 0)
        return DRIVER_OK;
    int status = p->d.cuStreamSynchronize(p->stream);
    return status == DRIVER_OK ? blas_refuses(p, &e) : status;
}

static int start(struct process *p, struct launch *l)
{
    const struct gpu_launch *g = l->g;
    const unsigned *n = g->grid, *b = g->block;
    unsigned shared = (unsigned)g->shared_bytes;
    if (!l->function)
        return start_dot(p, l);
    if (g->cooperative)
        return p->d.cuLaunchCooperativeKernel(l->function, n[0], n[1], n[2], b[0], b[1], b[2],
                                              shared, p->stream, l->params);
    return p->d.cuLaunchKernel(l->function, n[0], n[1], n[2], b[0], b[1], b[2], shared,
                               p->stream, l->params, NULL);
}

/*
 * A run of some microseconds is timed while the card has other work before it: queued behind
 * the filling of a spare piece of memory, it starts when the card is ready, not when this
 * process has got round to launching it, and fifty runs differ by a hundredth instead of a
 * quarter. A filling takes longer than it takes to queue a run. A card without so much memory
 * left goes without.
 */
enum { COVER_BYTES = 32 << 20 };

static int cover(struct process *p, uint64_t *spare, unsigned runs)
{
    int status = DRIVER_OK;
    if (!*spare && p->d.cuMemAlloc_v2(spare, COVER_BYTES) != DRIVER_OK) {
        *spare = 0;
        return DRIVER_OK;
    }
    for (unsigned i = 0; i < runs && status == DRIVER_OK; i++)
        status = p->d.cuMemsetD8Async(*spare, 0, COVER_BYTES, p->stream);
    return status;
}

static bool is_number(const struct area *a)
{
    return a->asked == sizeof a->number;
}

/* Each run starts from the same bytes: those kept here. */
static int keep(struct process *p)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < p->area_count && status == DRIVER_OK; i++) {
        struct area *a = &p->areas[i];
        if (is_number(a))
            status = p->d.cuMemcpyDtoH_v2(&a->number, a->address, sizeof a->number);
        else if ((status = p->d.cuMemAlloc_v2(&a->spare, a->bytes)) == DRIVER_OK)
            status = p->d.cuMemcpyDtoDAsync_v2(a->spare, a->address, a->bytes, p->stream);
    }
    return status;
}

static int set_back(struct process *p, const struct area *a)
{
    return is_number(a) ? p->d.cuMemsetD32Async(a->address, a->number, 1, p->stream)
                        : p->d.cuMemcpyDtoDAsync_v2(a->address, a->spare, a->bytes, p->stream);
}

static int set_all_back(struct process *p)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < p->area_count && status == DRIVER_OK; i++)
        status = set_back(p, &p->areas[i]);
    return status;
}

/* Is the number given to the kernel, or its module's? Where there are only numbers no other
 * can be reached: none has room for an address. */
static bool is_reached(const struct launch *l, const struct area *a)
{
    if (a->kind == AREA_VARIABLE)
        return a->module == l->module;
    for (uint32_t at = 0; at + sizeof(uint64_t) <= l->g->param_bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, l->given + at, sizeof word);
        if (word - a->address < a->bytes)
            return true;
    }
    return false;
}

static void drop_copies(struct process *p)
{
    for (size_t i = 0; i < p->area_count; i++) {
        if (p->areas[i].spare)
            p->d.cuMemFree_v2(p->areas[i].spare);
        p->areas[i].spare = 0;
    }
}

/* Launch and wait, by this process's own clocks; what lies between is for the events. */
static int clocked_run(struct process *p, struct launch *l, void *after)
{
    const double wall = clock_seconds(), cpu = clock_cpu_seconds();
    int status = start(p, l);
    l->clocks.call = clock_seconds() - wall;
    l->clocks.call_cpu = clock_cpu_seconds() - cpu;
    if (status == DRIVER_OK)
        status = p->d.cuEventRecord(after, p->stream);
    if (status == DRIVER_OK)
        status = gpu_images_return(&p->d, &p->images, p->stream);
    if (status == DRIVER_OK)
        status = p->d.cuStreamSynchronize(p->stream);
    l->clocks.wait = clock_seconds() - wall;
    l->clocks.wait_cpu = clock_cpu_seconds() - cpu;
    return status;
}

static int one_run(struct process *p, struct launch *l, void *events[2], float *ms)
{
    int status = l->count ? p->d.cuMemsetD8Async(l->count, 0, sizeof(uint64_t[2]), p->stream) : 0;
    if (status == DRIVER_OK)
        status = gpu_images_fill(&p->d, &p->images, p->stream);
    if (status == DRIVER_OK)
        status = p->d.cuEventRecord(events[0], p->stream);
    if (status == DRIVER_OK)
        status = clocked_run(p, l, events[1]);
    return status == DRIVER_OK ? p->d.cuEventElapsedTime(ms, events[0], events[1]) : status;
}

/* A first run that only warms up, then as many as are wanted, each for itself. */
static int one_by_one(struct process *p, struct launch *l, void **events, float *ms,
                      uint64_t *covering)
{
    int status = one_run(p, l, events, ms);
    for (unsigned i = 0; i < l->g->runs && status == DRIVER_OK; i++) {
        status = cover(p, covering, 1);
        if (status == DRIVER_OK)
            status = set_all_back(p);
        if (status == DRIVER_OK)
            status = one_run(p, l, events, &ms[i]);
    }
    return status;
}

/* The same, all queued: the time of each is from the end of the one before it to its own. */
static int in_a_row(struct process *p, struct launch *l, void **events, float *ms,
                    uint64_t *covering)
{
    int status = cover(p, covering, 2 * l->g->runs);
    for (unsigned i = 0; i <= l->g->runs && status == DRIVER_OK; i++) {
        for (size_t k = 0; k < p->area_count && status == DRIVER_OK; k++)
            if (is_reached(l, &p->areas[k]))
                status = set_back(p, &p->areas[k]);
        if (status == DRIVER_OK)
            status = start(p, l);
        if (status == DRIVER_OK)
            status = p->d.cuEventRecord(events[i], p->stream);
    }
    if (status == DRIVER_OK)
        status = p->d.cuStreamSynchronize(p->stream);
    for (unsigned i = 0; i < l->g->runs && status == DRIVER_OK; i++)
        status = p->d.cuEventElapsedTime(&ms[i], events[i], events[i + 1]);
    return status;
}

/* A kernel that adds to a number, a sum or a count, is timed with the setting of it, without which
 * there is no answer; what is larger is its input, and there before. */
static bool sets_only_numbers(const struct process *p, const struct launch *l)
{
    bool only = !l->count && !p->images.count;
    for (size_t i = 0; i < p->area_count; i++)
        only &= is_number(&p->areas[i]);
    return only;
}

/* Arrays are cleared and filled in the stream NULL, which may still be at it when the driver's call
 * has returned. Launches go into a stream that doesn't wait for that one. */
static int wait_for_arrays(struct process *p)
{
    return p->d.cuStreamSynchronize(NULL);
}

static int all_runs(struct process *p, struct launch *l, void **events, float *ms)
{
    uint64_t covering = 0;
    int status = wait_for_arrays(p);
    if (status != DRIVER_OK)
        return status;
    if (l->g->runs > 1) {
        status = keep(p);
        if (status == DRIVER_OK)
            status = (sets_only_numbers(p, l) ? in_a_row : one_by_one)(p, l, events, ms,
                                                                       &covering);
        if (covering)
            p->d.cuMemFree_v2(covering);
        drop_copies(p);
    } else {
        status = one_run(p, l, events, ms);
    }
    if (status == DRIVER_OK && l->count) /* used and lost, as they stand in the ring */
        status = p->d.cuMemcpyDtoH_v2(p->ring, l->count, sizeof(uint64_t[2]));
    return status;
}

/* As much dynamic shared memory as the launch has; or, where a program has not asked for it, as
 * comes by itself: the driver would remember what an earlier launch of the kernel asked for. */
static int opt_in(struct process *p, const struct launch *l)
{
    enum { BY_ITSELF = 48 << 10 };
    int own = 0, bytes = (int)l->g->shared_bytes;
    int status = p->d.cuFuncGetAttribute(&own, FUNCTION_SHARED, l->function);
    if (l->g->not_opted_in && bytes > BY_ITSELF - own)
        bytes = BY_ITSELF - own;
    return status == DRIVER_OK ? p->d.cuFuncSetAttribute(l->function, FUNCTION_MAX_DYNAMIC_SHARED,
                                                         bytes)
                               : status;
}

/* The library loads a kernel when it first needs it: a call that is not timed goes before. */
static int prepare_dot(struct process *p, const char *job, struct launch *l)
{
    struct err e;
    memcpy(&l->dot, job, sizeof l->dot);
    return blas_open(&p->blas, p->stream, &e) == 0 ? start_dot(p, l) : blas_refuses(p, &e);
}

static int prepare(struct process *p, const struct gpu_message *m, const char *payload,
                   struct launch *l)
{
    const struct loaded *module = module_of(p, m->id);
    const char *name = payload + sizeof *l->g, *offsets = name + l->g->name_bytes;
    const char *params = offsets + l->g->param_count * sizeof(uint32_t);
    l->given = params;
    l->job = params + l->g->param_bytes;
    if (l->g->job == JOB_DOT)
        return prepare_dot(p, l->job, l);
    if (!module || l->g->param_count > PARAMS_MOST)
        return DRIVER_INVALID_VALUE;
    l->count = module->count;
    l->module = m->id;
    for (uint32_t i = 0; i < l->g->param_count; i++) {
        uint32_t offset;
        memcpy(&offset, offsets + i * sizeof offset, sizeof offset);
        l->params[i] = (void *)(uintptr_t)(params + offset);
    }
    int status = p->d.cuModuleGetFunction(&l->function, module->module, name);
    return status == DRIVER_OK && l->g->shared_bytes ? opt_in(p, l) : status;
}

static int launch(struct process *p, const struct gpu_message *m, const char *payload, float *ms,
                  struct host_clocks *clocks)
{
    struct gpu_launch g;
    memcpy(&g, payload, sizeof g);
    struct launch l = {.g = &g};
    const size_t count = g.runs > 1 ? g.runs + (size_t)1 : 2;
    void **events = mem_get(&allocator_libc, count * sizeof *events);
    int status = events ? prepare(p, m, payload, &l) : DRIVER_OUT_OF_MEMORY;
    for (size_t i = 0; i < count && status == DRIVER_OK; i++)
        status = p->d.cuEventCreate(&events[i], 0);
    if (status == DRIVER_OK)
        status = all_runs(p, &l, events, ms);
    *clocks = l.clocks;
    for (size_t i = 0; events && i < count; i++)
        if (events[i])
            p->d.cuEventDestroy_v2(events[i]);
    mem_put(&allocator_libc, events, count * sizeof *events);
    if (status != DRIVER_OK && status != GPU_NOT_RUN)
        driver_describe(&p->d, status, p->say, sizeof p->say);
    return status;
}

static int time_steps(struct process *p, const struct gpu_message *m, const char *payload,
                      double seconds[PROGRAM_STEPS])
{
    struct gpu_launch g;
    memcpy(&g, payload, sizeof g);
    struct launch l = {.g = &g};
    int status = prepare(p, m, payload, &l);
    struct gpu_steps steps = {.d = &p->d, .launch = &g, .function = l.function,
                              .params = l.params, .say = p->say, .room = sizeof p->say};
    memcpy(&steps.job, l.job, sizeof steps.job);
    if (status == DRIVER_OK)
        status = gpu_steps_time(&steps, seconds);
    if (status != DRIVER_OK && status != GPU_NOT_RUN)
        driver_describe(&p->d, status, p->say, sizeof p->say);
    return status;
}

static int launch_and_answer(struct process *p, struct gpu_message *m, const char *payload)
{
    struct gpu_launch g;
    memcpy(&g, payload, sizeof g);
    if (g.job == JOB_STEPS) {
        double seconds[PROGRAM_STEPS] = {0};
        int status = time_steps(p, m, payload, seconds);
        return answer(p, m, status, seconds, sizeof seconds);
    }
    size_t times = (g.runs ? g.runs : 1) * sizeof(float);
    size_t bytes = times + sizeof(struct host_clocks);
    struct host_clocks clocks;
    float *ms = mem_get(&allocator_libc, bytes);
    int status = ms ? launch(p, m, payload, ms, &clocks)
                    : refuse(p, DRIVER_OUT_OF_MEMORY, "no memory");
    if (ms)
        memcpy((char *)ms + times, &clocks, sizeof clocks);
    int rc = answer(p, m, status, ms, bytes);
    mem_put(&allocator_libc, ms, bytes);
    return rc;
}

/* ---- serving --------------------------------------------------------------------------- */

static int serve(struct process *p, struct gpu_message *m, const char *payload)
{
    struct gpu_kernel k = {0};
    switch (m->op) {
    case GPU_ALLOCATE: return answer(p, m, allocate(p, m), NULL, 0);
    case GPU_FREE: return answer(p, m, release_array(p, m), NULL, 0);
    case GPU_UPLOAD: return answer(p, m, upload(p, m), NULL, 0);
    case GPU_DOWNLOAD: return answer(p, m, download(p, m), NULL, 0);
    case GPU_TEXTURE_CREATE: return answer(p, m, make_texture(p, m, payload), NULL, 0);
    case GPU_TEXTURE_DESTROY:
        return answer(p, m, gpu_image_drop(&p->d, &p->images, m->address), NULL, 0);
    case GPU_LOAD: return answer(p, m, load(p, m, payload), NULL, 0);
    case GPU_UNLOAD: return answer(p, m, unload(p, m), NULL, 0);
    case GPU_VARIABLE: return answer(p, m, variable(p, m, payload), NULL, 0);
    case GPU_KERNEL: {
        int status = kernel(p, m, payload, &k);
        return answer(p, m, status, &k, sizeof k);
    }
    case GPU_OCCUPANCY: return answer(p, m, occupancy(p, m, payload), NULL, 0);
    case GPU_LAUNCH: return launch_and_answer(p, m, payload);
    default: return -1;
    }
}

/* Until the other side closes its end. */
static void serve_all(struct process *p)
{
    struct gpu_message m;
    int rc = 0;
    while (rc == 0 && gpu_receive(p->fd, &m, sizeof m, NULL) == 0) {
        char *payload = mem_get(&allocator_libc, m.payload + 1);
        if (!payload || gpu_receive(p->fd, payload, m.payload, NULL) != 0)
            rc = -1;
        else
            rc = serve(p, &m, payload);
        mem_put(&allocator_libc, payload, payload ? m.payload + 1 : 0);
    }
}

/* Addresses for all arrays there will ever be; without them each lies where the driver puts it. */
static void choose_arena(struct process *p)
{
    enum { CHOOSES_ADDRESSES = 102 };
    const struct memory_kind kind = on_device(p);
    int can = 0;
    if (p->d.cuDeviceGetAttribute(&can, CHOOSES_ADDRESSES, p->device) != DRIVER_OK || !can ||
        p->d.cuMemGetAllocationGranularity(&p->granule, &kind, 0) != DRIVER_OK ||
        p->d.cuMemAddressReserve(&p->arena, GPU_ARENA_BYTES, 0, 0, 0) != DRIVER_OK)
        p->arena = 0;
}

static int open_card(struct process *p, int card)
{
    void *context;
    int status = p->d.cuDeviceGet(&p->device, card);
    if (status == DRIVER_OK)
        status = p->d.cuDevicePrimaryCtxRetain(&context, p->device);
    if (status == DRIVER_OK)
        status = p->d.cuCtxSetCurrent(context);
    if (status == DRIVER_OK)
        choose_arena(p);
    if (status == DRIVER_OK)
        status = p->d.cuStreamCreate(&p->stream, STREAM_APART);
    if (status == DRIVER_OK)
        p->d.cuCtxSetLimit(LIMIT_STACK, STACK_BYTES); /* a small card may refuse, and do */
    if (status == DRIVER_OUT_OF_MEMORY)
        snprintf(p->say, sizeof p->say, "gpu:%d has no memory left: other programs use it", card);
    else if (status == DRIVER_UNAVAILABLE)
        snprintf(p->say, sizeof p->say, "gpu:%d is kept by another program for itself", card);
    else if (status != DRIVER_OK)
        refuse(p, status, "gpu:%d can't be used", card);
    return status;
}

/* The terminal is the other side's: signals it sends to all are not for this process, which
 * ends when its socket is closed, or with the process that started it. */
static void stand_back(void)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; null >= 0 && fd <= 2; fd++)
        dup2(null, fd);
    setpgid(0, 0);
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static int open_all(struct process *p, int card, struct gpu_ready *ready)
{
    struct err e;
    if (driver_open(&p->d, &e) != 0) {
        snprintf(p->say, sizeof p->say, "%s", e.text);
        return DRIVER_NOT_FOUND;
    }
    int status = gpu_cards(&p->d, card, ready, p->say, sizeof p->say);
    if (status == DRIVER_OK && card != GPU_NO_CARD)
        status = open_card(p, card);
    ready->arena = p->arena;
    return status;
}

int gpu_process(int argc, char **argv)
{
    struct process p = {0};
    struct gpu_ready ready = {0};
    struct gpu_message m = {.op = GPU_READY};
    if (argc != 6)
        return 2;
    p.fd = atoi(argv[2]);
    p.mirror = atoi(argv[3]);
    p.ring = mmap(NULL, GPU_RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(argv[4]), 0);
    p.stage = mem_get(&allocator_libc, STAGE);
    stand_back();
    if (p.ring == MAP_FAILED || !p.stage)
        return 1;
    int status = open_all(&p, atoi(argv[5]), &ready);
    if (answer(&p, &m, status, &ready, sizeof ready) == 0 && status == DRIVER_OK)
        serve_all(&p);
    blas_close(&p.blas);
    _exit(0); /* at once: the driver's own way out takes longer */
}
