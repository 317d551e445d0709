/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A GPU behind struct device. All that touches the driver is done by a process of its own
 * (gpu-link.c here, gpu-process.c there); this side keeps what must outlive it.
 *
 * Every array and variable has a mirror: its bytes as they were when they last were the same on
 * both sides. Before a launch the mirrors are brought up to date. When the launch ends badly,
 * the process is ended, and the next one is given the mirrors: all is as before the launch.
 *
 * What a module contains is asked of the simulator, which reads the same PTX; and where counters
 * are wanted, the launch is run there once more.
 */
#define _GNU_SOURCE /* fallocate */
#include "dev/device.h"

#include "base/num.h"
#include "dev/driver.h"
#include "dev/gpu-cards.h"
#include "dev/gpu-link.h"
#include "dev/gpu-print.h"
#include "dev/gpu-ptx.h"
#include "dev/gpu-replay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What is said above this file of arrays and variables are addresses that stay theirs for good;
 * a process may have them elsewhere. Of arrays they are those of the first process, of variables
 * and on a card without an arena they start here. */
#define FIRST_ADDRESS  UINT64_C(0x300000000000)
#define FIRST_VARIABLE UINT64_C(0x380000000000)

enum {
    VARIABLE_STEP = 256,
    ADDRESS_STEP = 2 << 20, /* arrays lie apart, with at least as much of nothing between */
    FETCH_AT_ONCE = 32 << 20, /* bytes that are brought home after each launch */
    ANSWER_SECONDS = 120,   /* for all but launches: compiling a big module takes its time */
    TEXT = 2100
};

struct gpu_module {
    uint64_t id;
    void *twin;              /* on the simulator */
    char *path, *ptx;        /* as given */
    size_t ptx_bytes;
    struct buf text;         /* as the driver gets it */
    bool prints;
    struct kernel_info *kernels;
    struct gpu_kernel_of { struct gpu_module *module; size_t number; } *handles;
    size_t count;
    struct gpu_module *next;
    struct arena memory;
};

struct gpu_device {
    struct device base;
    struct gpu_cards cards;
    int driver_version;
    struct gpu_link link;
    struct device *twin;
    struct mirror **mirrors; /* in the order of their addresses, but for variables */
    size_t mirror_count, mirror_capacity;
    struct gpu_module *modules; /* the last loaded first */
    uint64_t arena, next_array, next_variable, next_offset, next_id;
};

static struct gpu_device *self(struct device *d)
{
    return (struct gpu_device *)d;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- asking ---------------------------------------------------------------------------- */

/* A variable that nothing has touched since its module was loaded: loading it again makes it. */
static bool as_loaded(const struct mirror *m)
{
    return m->module && !m->written;
}

/* The process goes, and the next begins to start while the student reads why. What was newer
 * on the card than in the mirrors is gone with it. */
static void start_anew(struct gpu_device *g)
{
    struct err ignored;
    gpu_link_kill(&g->link);
    for (size_t i = 0; i < g->mirror_count; i++)
        g->mirrors[i]->stale = as_loaded(g->mirrors[i]);
    gpu_link_start(&g->link, &ignored);
}

/* -1: the driver says no, or the process is gone; e says which. */
static int ask(struct gpu_device *g, struct gpu_message *m, const void *payload, void *to,
               size_t room, struct err *e)
{
    const struct gpu_patience patience = {.seconds = ANSWER_SECONDS};
    char text[TEXT] = "";
    int signal;
    enum gpu_silence why = gpu_ask(&g->link, m, payload, to ? to : text,
                                   to ? room : sizeof text - 1, &patience, &signal);
    if (why == GPU_ANSWERED && m->status == 0)
        return 0;
    if (why == GPU_ANSWERED)
        return fail(e, "%.*s", ERR_TEXT - 1, to ? "the driver refuses" : text);
    start_anew(g);
    if (why == GPU_LATE)
        return fail(e, "the NVIDIA driver didn't answer for %d s; it is started anew",
                    ANSWER_SECONDS);
    return fail(e, "the process that works with the GPU was ended (signal %d); it is started anew",
                signal);
}

static int ready(struct gpu_device *, struct err *);

/* ---- mirrors --------------------------------------------------------------------------- */

static int mirror_write(const struct gpu_device *g, const struct mirror *m, uint64_t at,
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

static struct mirror *mirror_at(const struct gpu_device *g, uint64_t address, size_t bytes,
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

static int carry(struct gpu_device *g, enum gpu_op op, const struct mirror *m, uint64_t at,
                 uint64_t bytes, struct err *e)
{
    struct gpu_message message = {.op = op, .address = m->there + at, .offset = m->offset + at,
                                  .bytes = bytes};
    return ask(g, &message, NULL, NULL, 0, e);
}

static int freshen(struct gpu_device *g, struct mirror *m, struct err *e)
{
    if (!m->stale)
        return 0;
    if (carry(g, GPU_DOWNLOAD, m, 0, m->bytes, e) != 0)
        return -1;
    m->stale = false;
    m->written = true;
    return 0;
}

static int freshen_all(struct gpu_device *g, struct err *e)
{
    for (size_t i = 0; i < g->mirror_count; i++)
        if (freshen(g, g->mirrors[i], e) != 0)
            return -1;
    return 0;
}

/* Not to be lost if the process is, as long as that takes no time that anyone feels. */
static int fetch_small(struct gpu_device *g, struct err *e)
{
    uint64_t all = 0;
    for (size_t i = 0; i < g->mirror_count; i++)
        all += g->mirrors[i]->bytes;
    return all <= FETCH_AT_ONCE ? freshen_all(g, e) : 0;
}

static void drop_mirror(struct gpu_device *g, size_t i)
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
static struct mirror *add_mirror(struct gpu_device *g, uint64_t bytes, const char *name,
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

/* ---- memory ---------------------------------------------------------------------------- */

static int get_memory(struct gpu_device *g, struct mirror *m, struct err *e)
{
    struct gpu_message message = {.op = GPU_GET, .offset = m->address - g->arena,
                                  .bytes = m->bytes};
    if (ask(g, &message, NULL, NULL, 0, e) != 0)
        return -1;
    m->there = message.address;
    return 0;
}

static int get(struct device *d, size_t bytes, const char *name, uint64_t *address, struct err *e)
{
    struct gpu_device *g = self(d);
    if (ready(g, e) != 0)
        return -1;
    struct mirror *m = add_mirror(g, bytes, name, e);
    if (!m)
        return -1;
    m->address = g->arena + g->next_array;
    if (get_memory(g, m, e) != 0) {
        drop_mirror(g, g->mirror_count - 1);
        return -1;
    }
    g->next_array += (bytes / ADDRESS_STEP + 2) * ADDRESS_STEP;
    *address = m->address;
    return 0;
}

static int put(struct device *d, uint64_t address, struct err *e)
{
    struct gpu_device *g = self(d);
    struct gpu_message message = {.op = GPU_PUT};
    for (size_t i = 0; i < g->mirror_count; i++)
        if (g->mirrors[i]->address == address && !g->mirrors[i]->module) {
            message.address = g->mirrors[i]->there;
            drop_mirror(g, i);
            return g->link.greeted ? ask(g, &message, NULL, NULL, 0, e) : 0;
        }
    return fail(e, "nothing was allocated at 0x%llx", (unsigned long long)address);
}

static int write_to(struct device *d, uint64_t to, const void *from, size_t bytes, struct err *e)
{
    struct gpu_device *g = self(d);
    struct mirror *m = bytes ? mirror_at(g, to, bytes, e) : NULL;
    if (!m)
        return bytes ? -1 : 0;
    if (ready(g, e) != 0 || mirror_write(g, m, to - m->address, from, bytes, e) != 0)
        return -1;
    m->written = true;
    return carry(g, GPU_UPLOAD, m, to - m->address, bytes, e);
}

static int read_from(struct device *d, void *to, uint64_t from, size_t bytes, struct err *e)
{
    struct gpu_device *g = self(d);
    struct mirror *m = bytes ? mirror_at(g, from, bytes, e) : NULL;
    if (!m)
        return bytes ? -1 : 0;
    if (m->stale && (ready(g, e) != 0 || freshen(g, m, e) != 0))
        return -1;
    if (mirror_read(g->link.mirror, m, from - m->address, to, bytes) != 0)
        return fail(e, "the copy of `%.60s` can't be read: %s", m->name ? m->name : "an array",
                    strerror(errno));
    return 0;
}

/* ---- modules --------------------------------------------------------------------------- */

static int send_module(struct gpu_device *g, struct gpu_module *m, struct err *e)
{
    struct gpu_message message = {.op = GPU_LOAD, .id = m->id, .bytes = m->prints,
                                  .payload = m->text.len};
    return ask(g, &message, buf_text(&m->text), NULL, 0, e);
}

/* Where a variable is; 0: the driver doesn't have it, since no kernel uses it. */
static int ask_variable(struct gpu_device *g, const struct gpu_module *m, const char *name,
                        uint64_t *address)
{
    struct err ignored;
    struct gpu_message message = {.op = GPU_VARIABLE, .id = m->id, .payload = strlen(name) + 1};
    *address = ask(g, &message, name, NULL, 0, &ignored) == 0 ? message.address : 0;
    return g->link.greeted && g->link.fd >= 0 ? 0 : -1;
}

static int add_variables(struct gpu_device *g, struct gpu_module *m, struct err *e)
{
    struct variable_info v;
    for (size_t i = 0; g->twin->ops->variable_at(g->twin, m->twin, i, &v) == 0; i++) {
        uint64_t address;
        if (v.size == 0)
            continue;
        if (ask_variable(g, m, v.name, &address) != 0)
            return fail(e, "the process that works with the GPU ended while loading");
        if (!address)
            continue;
        struct mirror *mirror = add_mirror(g, v.size, v.name, e);
        if (!mirror)
            return -1;
        mirror->module = m;
        mirror->address = g->next_variable;
        mirror->there = address;
        mirror->stale = true;
        g->next_variable += (v.size / VARIABLE_STEP + 2) * VARIABLE_STEP;
    }
    return 0;
}

/* What the compiler in the driver made of a kernel is known better there than from its PTX. */
static void ask_kernel(struct gpu_device *g, const struct gpu_module *m, struct kernel_info *info)
{
    struct err ignored;
    struct gpu_kernel k;
    struct gpu_message message = {.op = GPU_KERNEL, .id = m->id,
                                  .payload = strlen(info->name) + 1};
    info->closed = NULL;
    if (ask(g, &message, info->name, &k, sizeof k, &ignored) != 0 || message.payload != sizeof k)
        return;
    info->registers = (unsigned)k.registers;
    info->local_bytes = (size_t)k.local_bytes;
    info->static_shared = (size_t)k.shared_bytes;
}

static int describe(struct gpu_device *g, struct gpu_module *m)
{
    m->count = g->twin->ops->kernel_count(g->twin, m->twin);
    m->kernels = arena_get(&m->memory, (m->count + 1) * sizeof *m->kernels);
    m->handles = arena_get(&m->memory, (m->count + 1) * sizeof *m->handles);
    if (!m->kernels || !m->handles)
        return -1;
    for (size_t i = 0; i < m->count; i++) {
        g->twin->ops->kernel_at(g->twin, m->twin, i, &m->kernels[i]);
        m->handles[i] = (struct gpu_kernel_of){m, i};
        ask_kernel(g, m, &m->kernels[i]);
    }
    return 0;
}

static void unload(struct device *d, void *module)
{
    struct gpu_device *g = self(d);
    struct gpu_module *m = module, **at = &g->modules;
    struct err ignored;
    if (!m)
        return;
    while (*at && *at != m)
        at = &(*at)->next;
    if (*at)
        *at = m->next;
    for (size_t i = g->mirror_count; i-- > 0;)
        if (g->mirrors[i]->module == m)
            drop_mirror(g, i);
    if (g->link.greeted)
        ask(g, &(struct gpu_message){.op = GPU_UNLOAD, .id = m->id}, NULL, NULL, 0, &ignored);
    if (m->twin)
        g->twin->ops->unload(g->twin, m->twin);
    buf_free(&m->text);
    arena_free(&m->memory);
    mem_put(&allocator_libc, m, sizeof *m);
}

static int bring_up(struct gpu_device *g, struct gpu_module *m, struct err *e)
{
    m->twin = g->twin->ops->load(g->twin, m->path, m->ptx, m->ptx_bytes, e);
    if (!m->twin ||
        gpu_ptx(m->ptx, m->ptx_bytes, gpu_ptx_version(g->driver_version), &m->text, &m->prints,
                e) != 0 ||
        send_module(g, m, e) != 0)
        return -1;
    m->next = g->modules;
    g->modules = m;
    if (add_variables(g, m, e) != 0)
        return -1;
    return describe(g, m) == 0 ? 0 : fail_memory(e);
}

static void *load(struct device *d, const char *path, const char *ptx, size_t n, struct err *e)
{
    struct gpu_device *g = self(d);
    if (ready(g, e) != 0)
        return NULL;
    struct gpu_module *m = mem_get(&allocator_libc, sizeof *m);
    if (!m) {
        fail_memory(e);
        return NULL;
    }
    arena_init(&m->memory, &allocator_libc);
    buf_init(&m->text);
    m->id = ++g->next_id;
    m->path = arena_text(&m->memory, path, strlen(path));
    m->ptx = arena_text(&m->memory, ptx, n);
    m->ptx_bytes = n;
    if (!m->path || !m->ptx)
        fail_memory(e);
    else if (bring_up(g, m, e) == 0)
        return m;
    unload(d, m);
    return NULL;
}

static size_t kernel_count(struct device *d, void *module)
{
    (void)d;
    return ((struct gpu_module *)module)->count;
}

static const void *kernel_at(struct device *d, void *module, size_t i, struct kernel_info *info)
{
    const struct gpu_module *m = module;
    (void)d;
    if (i >= m->count)
        return NULL;
    *info = m->kernels[i];
    return &m->handles[i];
}

static const void *find_kernel(struct device *d, void *module, const char *name,
                               struct kernel_info *info)
{
    const struct gpu_module *m = module;
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->kernels[i].name, name) == 0)
            return kernel_at(d, module, i, info);
    return NULL;
}

static size_t variable_count(struct device *d, void *module)
{
    struct device *twin = self(d)->twin;
    return twin->ops->variable_count(twin, ((struct gpu_module *)module)->twin);
}

static int variable_at(struct device *d, void *module, size_t i, struct variable_info *info)
{
    const struct gpu_device *g = self(d);
    const struct gpu_module *m = module;
    if (g->twin->ops->variable_at(g->twin, m->twin, i, info) != 0)
        return -1;
    for (size_t k = 0; k < g->mirror_count; k++)
        if (g->mirrors[k]->module == m && strcmp(g->mirrors[k]->name, info->name) == 0) {
            info->address = g->mirrors[k]->address;
            return 0;
        }
    info->hidden = true; /* no kernel uses it, so the driver left it out */
    return 0;
}

/* ---- the process, and the one after it ------------------------------------------------- */

static int restore_mirror(struct gpu_device *g, struct mirror *m, struct err *e)
{
    if (!m->module && get_memory(g, m, e) != 0)
        return -1;
    if (m->module && (ask_variable(g, m->module, m->name, &m->there) != 0 || !m->there))
        return fail(e, "the variable `%.60s` can't be put back", m->name);
    return m->written ? carry(g, GPU_UPLOAD, m, 0, m->bytes, e) : 0;
}

/* Modules in the order in which they came: the list has the last one first. */
static int restore_modules(struct gpu_device *g, struct gpu_module *m, struct err *e)
{
    if (!m)
        return 0;
    return restore_modules(g, m->next, e) == 0 ? send_module(g, m, e) : -1;
}

static int restore(struct gpu_device *g, struct err *e)
{
    if (restore_modules(g, g->modules, e) != 0)
        return -1;
    for (size_t i = 0; i < g->mirror_count; i++)
        if (restore_mirror(g, g->mirrors[i], e) != 0)
            return -1;
    return 0;
}

/* The process ended while nobody looked: what had not been brought home yet is as it was before
 * the launch that changed it, and whoever relies on it is told, once. */
static int forget_newer(struct gpu_device *g, struct err *e)
{
    const struct mirror *lost = NULL;
    for (size_t i = 0; i < g->mirror_count; i++) {
        if (as_loaded(g->mirrors[i]))
            continue;
        lost = g->mirrors[i]->stale ? g->mirrors[i] : lost;
        g->mirrors[i]->stale = false;
    }
    if (!lost)
        return 0;
    return fail(e, "the process that works with the GPU was ended from outside, and what the last "
                   "launch left in `%.60s` with it; its bytes from before are still there",
                lost->name ? lost->name : "an array");
}

/* A process that works, with all that there was before. */
static int ready(struct gpu_device *g, struct err *e)
{
    struct gpu_ready cards;
    struct err why;
    if (g->link.greeted && !gpu_link_lost(&g->link))
        return 0;
    if (g->link.fd < 0 && forget_newer(g, e) != 0)
        return -1;
    if ((g->link.fd >= 0 || gpu_link_start(&g->link, &why) == 0) &&
        gpu_link_greet(&g->link, &cards, &why) == 0 && restore(g, &why) == 0)
        return 0;
    gpu_link_kill(&g->link);
    return fail(e, "the GPU can't be used any more: %.*s; `set device sim` goes on without it",
                ERR_TEXT - 100, why.text);
}

/* ---- what ended a launch ---------------------------------------------------------------- */

struct ending {
    int status;
    bool gone; /* the context is ruined */
    const char *kind, *says;
};

#define NO_PLACE "; a GPU doesn't say which thread or line, but `set device sim` does"

static const struct ending endings[] = {
    {DRIVER_ILLEGAL_ADDRESS, true, "out-of-bounds",
     "an access to an address where there is no memory" NO_PLACE},
    {DRIVER_INVALID_SPACE, true, "out-of-bounds",
     "an access to an address of the wrong kind of memory" NO_PLACE},
    {DRIVER_MISALIGNED, true, "misaligned",
     "an access to an address that is no multiple of its size" NO_PLACE},
    {DRIVER_LAUNCH_FAILED, true, "trap", "a trap, or a failure of the hardware" NO_PLACE},
    {DRIVER_ILLEGAL_INSTRUCTION, true, "trap", "an instruction that can't be executed" NO_PLACE},
    {DRIVER_INVALID_PC, true, "trap", "a jump to where there is no code" NO_PLACE},
    {DRIVER_ASSERT, true, "assert", "an assertion failed"},
    {DRIVER_HARDWARE_STACK, true, "stack-overflow", "calls deeper than the stack of a thread"},
    {DRIVER_LAUNCH_TIMEOUT, true, "timeout", "the driver ended the kernel: it took too long for a "
                                             "card that also shows a screen"},
    {DRIVER_OUT_OF_MEMORY, false, "out-of-memory", "the GPU has no memory left for this launch"},
    {DRIVER_OUT_OF_RESOURCES, false, "bad-launch",
     "more registers or shared memory a block than the GPU has"},
    {DRIVER_INVALID_VALUE, false, "bad-launch", "a grid or block that the GPU can't take"},
    {DRIVER_COOPERATIVE_TOO_LARGE, false, "bad-launch",
     "more blocks than the GPU can run at once, and grid synchronisation needs them all"},
};

static const struct ending *ending_of(int status)
{
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (endings[i].status == status)
            return &endings[i];
    return NULL;
}

static int add_ending(struct launch_result *result, const char *kind, const char *says)
{
    struct fault *f = gpu_fault(result, kind);
    if (!f)
        return -1;
    f->ends = true;
    snprintf(f->message, sizeof f->message, "%s", says);
    return 0;
}

static bool has_fault(const struct launch_result *result, const char *kind)
{
    for (unsigned i = 0; i < result->fault_count; i++)
        if (strcmp(result->faults[i].kind, kind) == 0)
            return true;
    return false;
}

/* A driver says only that a launch is impossible. The simulator has the card's limits and says
 * which of them it breaks. False: none that it knows. */
static bool simulated_says(struct gpu_device *g, const struct launch_want *want, const char *kind,
                           char *says, size_t size)
{
    const struct gpu_kernel_of *k = want->kernel;
    struct launch_want again = *want;
    struct launch_how how = *want->how;
    struct launch_result result;
    struct kernel_info info;
    struct err ignored;
    bool found = false;
    how.step_limit = 1;
    how.trace_warp = -1;
    again.how = &how;
    again.kernel = g->twin->ops->kernel_at(g->twin, k->module->twin, k->number, &info);
    if (!again.kernel || g->twin->ops->launch(g->twin, &again, &result, &ignored) != 0)
        return false;
    if (result.fault_count && strcmp(result.faults[0].kind, kind) == 0) {
        snprintf(says, size, "%s", result.faults[0].message);
        found = true;
    }
    launch_result_free(&result);
    return found;
}

/* The driver's word for it; a trap after a failed assertion has been told already. */
static int end_by_status(struct gpu_device *g, const struct launch_want *want, int status,
                         const char *text, struct launch_result *result)
{
    const struct ending *end = ending_of(status);
    char lost[240];
    if (!end || end->gone)
        start_anew(g);
    if (has_fault(result, "assert"))
        return 0;
    if (end && strcmp(end->kind, "bad-launch") == 0 &&
        simulated_says(g, want, end->kind, lost, sizeof lost))
        return add_ending(result, end->kind, lost);
    if (end)
        return add_ending(result, end->kind, end->says);
    snprintf(lost, sizeof lost, "the GPU or its driver failed during the launch: %.140s", text);
    return add_ending(result, "device-lost", lost);
}

/* Nobody answers: the limit, or the process is gone. -1 also for Ctrl-C. */
static int end_by_silence(struct gpu_device *g, enum gpu_silence why, int signal,
                          const struct launch_how *how, struct launch_result *result,
                          struct err *e)
{
    char says[160], seconds[NUM_TEXT];
    start_anew(g);
    if (why == GPU_STOPPED)
        return fail(e, "interrupted");
    if (why == GPU_LATE) {
        snprintf(says, sizeof says, "no end after %s s", num_f64(how->time_limit, seconds));
        return add_ending(result, "timeout", says) == 0 ? 0 : fail_memory(e);
    }
    snprintf(says, sizeof says,
             "the process that works with the GPU was ended (signal %d) during the launch", signal);
    return add_ending(result, "device-lost", says) == 0 ? 0 : fail_memory(e);
}

/* ---- launching ------------------------------------------------------------------------- */

/* The request's payload; from malloc. */
static char *pack(const struct gpu_device *g, const struct launch_want *want, const struct kernel_info *info, unsigned runs,
                  size_t *bytes)
{
    struct gpu_launch l = {.shared_bytes = want->shared_bytes, .cooperative = info->cooperative,
                           .runs = runs, .name_bytes = (uint32_t)strlen(info->name) + 1,
                           .param_count = info->param_count,
                           .param_bytes = info->param_bytes};
    memcpy(l.grid, want->grid, sizeof l.grid);
    memcpy(l.block, want->block, sizeof l.block);
    *bytes = sizeof l + l.name_bytes + l.param_count * sizeof(uint32_t) + l.param_bytes;
    char *all = malloc(*bytes), *at = all;
    uint64_t *now_at = calloc(g->mirror_count + 1, sizeof *now_at);
    if (!all || !now_at) {
        free(all);
        free(now_at);
        return NULL;
    }
    memcpy(at, &l, sizeof l);
    memcpy(at += sizeof l, info->name, l.name_bytes);
    at += l.name_bytes;
    for (uint32_t i = 0; i < l.param_count; i++, at += sizeof(uint32_t))
        memcpy(at, &(uint32_t){info->params[i].offset}, sizeof(uint32_t));
    memcpy(at, want->params, l.param_bytes);
    for (size_t i = 0; i < g->mirror_count; i++)
        now_at[i] = g->mirrors[i]->there;
    mirrors_translate(g->mirrors, g->mirror_count, now_at, info, at);
    free(now_at);
    return all;
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void take_times(float *ms, unsigned runs, struct launch_result *result)
{
    double sum = 0;
    qsort(ms, runs, sizeof *ms, by_size);
    for (unsigned i = 0; i < runs; i++)
        sum += (double)ms[i];
    double middle = ((double)ms[(runs - 1) / 2] + (double)ms[runs / 2]) / 2;
    result->has_time = true;
    result->runs = runs;
    result->min_s = (double)ms[0] / 1e3;
    result->measured_s = middle / 1e3;
    result->mean_s = sum / runs / 1e3;
}

/* One request for all runs. What came of it is in result; -1: it could not be told. */
static int run(struct gpu_device *g, const struct launch_want *want, const struct gpu_module *m,
               const struct kernel_info *info, struct launch_result *result, struct err *e)
{
    const struct launch_how *how = want->how;
    unsigned runs = how->runs > 1 ? how->runs : 1;
    struct gpu_patience patience = {.stop = how->stop};
    struct gpu_message message = {.op = GPU_LAUNCH, .id = m->id};
    size_t room = runs * sizeof(float) > TEXT ? runs * sizeof(float) : TEXT, bytes;
    char *payload = pack(g, want, info, runs, &bytes), *reply = malloc(room + 1);
    int signal = 0, rc = -1;
    if (how->time_limit > 0)
        patience.seconds = how->time_limit > how->time_spent ? how->time_limit - how->time_spent
                                                             : 1e-3;
    if (payload && reply) {
        message.payload = bytes;
        enum gpu_silence why = gpu_ask(&g->link, &message, payload, reply, room + 1, &patience,
                                       &signal);
        if (why != GPU_ANSWERED || message.status != 0)
            gpu_ring_abandon(g->link.ring);
        rc = m->prints ? gpu_prints(g->link.ring, want, result) : 0;
        if (rc == 0 && why != GPU_ANSWERED)
            rc = end_by_silence(g, why, signal, how, result, e);
        else if (rc == 0 && message.status != 0)
            rc = end_by_status(g, want, message.status, reply, result);
        else if (rc == 0)
            take_times((float *)(void *)reply, runs, result);
        if (rc != 0 && why == GPU_ANSWERED)
            fail_memory(e);
    } else
        fail_memory(e);
    free(payload);
    free(reply);
    return rc;
}

static int replay(struct gpu_device *g, const struct launch_want *want,
                  const struct gpu_module *m, const struct kernel_info *info,
                  struct launch_result *result, struct err *e)
{
    const struct replay r = {.props = &g->base.props, .path = m->path, .ptx = m->ptx,
                             .ptx_bytes = m->ptx_bytes, .module = m, .kernel = info,
                             .mirrors = g->mirrors, .mirror_count = g->mirror_count,
                             .file = g->link.mirror};
    return gpu_replay(&r, want, result, e);
}

static int launch(struct device *d, const struct launch_want *want, struct launch_result *result,
                  struct err *e)
{
    struct gpu_device *g = self(d);
    const struct gpu_kernel_of *k = want->kernel;
    const struct kernel_info *info = &k->module->kernels[k->number];
    const double start = now();
    *result = (struct launch_result){0};
    if (ready(g, e) != 0 || freshen_all(g, e) != 0)
        return -1;
    arena_init(&result->memory, &allocator_libc);
    if (k->module->prints)
        gpu_ring_clear(g->link.ring);
    int rc = run(g, want, k->module, info, result, e);
    bool done = rc == 0 && !launch_result_failed(result);
    if (done && (want->how->counters || want->how->trace_warp >= 0))
        rc = replay(g, want, k->module, info, result, e);
    for (size_t i = 0; done && i < g->mirror_count; i++)
        g->mirrors[i]->stale = true;
    if (done && rc == 0)
        rc = fetch_small(g, e);
    result->spent_s = now() - start;
    if (rc != 0)
        launch_result_free(result);
    return rc;
}

/* ---- opening and closing --------------------------------------------------------------- */

static void close_device(struct device *d)
{
    struct gpu_device *g = self(d);
    struct gpu_module *next;
    gpu_link_kill(&g->link);
    for (struct gpu_module *m = g->modules; m; m = next) {
        next = m->next;
        unload(d, m);
    }
    while (g->mirror_count)
        drop_mirror(g, g->mirror_count - 1);
    mem_put(&allocator_libc, g->mirrors, g->mirror_capacity * sizeof g->mirrors[0]);
    gpu_link_close(&g->link);
    device_close(g->twin);
    mem_put(&allocator_libc, g, sizeof *g);
}

static const struct device_ops gpu_ops = {.close = close_device,
                                          .get = get,
                                          .put = put,
                                          .write = write_to,
                                          .read = read_from,
                                          .load = load,
                                          .unload = unload,
                                          .kernel_count = kernel_count,
                                          .kernel_at = kernel_at,
                                          .find_kernel = find_kernel,
                                          .variable_count = variable_count,
                                          .variable_at = variable_at,
                                          .launch = launch};

static int meet(struct gpu_device *g, int card, int capability, struct err *e)
{
    struct gpu_ready first;
    if (gpu_link_start(&g->link, e) != 0 || gpu_link_greet(&g->link, &first, e) != 0)
        return -1;
    g->cards = first.cards;
    gpu_cards_complete(&g->cards);
    g->driver_version = first.driver_version;
    g->arena = first.arena ? first.arena : FIRST_ADDRESS;
    const struct gpu_card *c = &g->cards.at[card];
    g->base.props = c->props;
    int has = c->props.major * 10 + c->props.minor;
    if (has < capability)
        return fail(e, "gpu:%d, %s, has compute capability %d.%d, and the kernels here are "
                       "compiled for %d.%d and above",
                    card, c->name, has / 10, has % 10, capability / 10, capability % 10);
    g->twin = sim_device_open(&g->base.props, e);
    return g->twin ? 0 : -1;
}

struct device *gpu_device_open(int card, int capability, struct err *e)
{
    struct gpu_device *g = mem_get(&allocator_libc, sizeof *g);
    if (!g) {
        fail_memory(e);
        return NULL;
    }
    g->base = (struct device){.ops = &gpu_ops, .kind = "gpu", .card = card, .cards = &g->cards};
    g->next_variable = FIRST_VARIABLE;
    if (gpu_link_open(&g->link, card, e) == 0 && meet(g, card, capability, e) == 0)
        return &g->base;
    close_device(&g->base);
    return NULL;
}

int gpu_list(struct gpu_cards *all, struct err *e)
{
    struct gpu_link link;
    struct gpu_ready ready;
    if (!driver_is_there())
        return fail(e, "there is no NVIDIA driver here");
    if (gpu_link_open(&link, GPU_NO_CARD, e) != 0)
        return -1;
    int rc = gpu_link_start(&link, e) == 0 ? gpu_link_greet(&link, &ready, e) : -1;
    gpu_link_close(&link);
    if (rc != 0)
        return -1;
    *all = ready.cards;
    gpu_cards_complete(all);
    return 0;
}
