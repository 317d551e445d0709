/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A GPU behind struct device. All that touches the driver is done by a process of its own
 * (link.c here, process.c there); this side keeps what must outlive it.
 *
 * Every array and variable has a mirror: its bytes as they were when they last were the same on
 * both sides. Before a launch the mirrors are brought up to date. When the launch ends badly,
 * the process is ended, and the next one is given the mirrors: all is as before the launch.
 *
 * What a module contains is asked of the simulator, which reads the same PTX. Mirrors are kept
 * by mirror.c, launches done by launch.c.
 */
#include "dev/gpu/gpu.h"

#include "os/asset.h"
#include "dev/gpu/process.h"
#include "dev/gpu/ptx.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is said above this file of arrays and variables are addresses that stay theirs for good;
 * a process may have them elsewhere. Of arrays they are those of the first process, of variables
 * and on a card without an arena they start here. */
#define FIRST_ADDRESS  UINT64_C(0x300000000000)
#define FIRST_VARIABLE UINT64_C(0x380000000000)

enum {
    VARIABLE_STEP = 256,
    ADDRESS_STEP = 2 << 20, /* arrays lie apart, with at least as much of nothing between */
    ANSWER_SECONDS = 120    /* for all but launches: compiling a big module takes its time */
};

/* ---- asking ---------------------------------------------------------------------------- */

/* A variable that nothing has touched since its module was loaded: loading it again makes it. */
static bool as_loaded(const struct mirror *m)
{
    return m->module && !m->written;
}

/* The process goes, and the next begins to start while the student reads why. What was newer
 * on the card than in the mirrors is gone with it. */
void gpu_start_anew(struct gpu_device *g)
{
    struct err ignored;
    gpu_link_kill(&g->link);
    for (size_t i = 0; i < g->mirror_count; i++)
        g->mirrors[i]->stale = as_loaded(g->mirrors[i]);
    gpu_link_start(&g->link, &ignored);
}

/* -1: the driver says no, or the process is gone; e says which. */
int gpu_request(struct gpu_device *g, struct gpu_message *m, const void *payload, void *to,
                size_t room, struct err *e)
{
    const struct gpu_patience patience = {.stop = g->base.stop, .progress = g->base.progress,
                                          .seconds = ANSWER_SECONDS};
    char text[GPU_TEXT] = "";
    int signal;
    enum gpu_silence why = gpu_ask(&g->link, m, payload, to ? to : text,
                                   to ? room : sizeof text - 1, &patience, &signal);
    if (why == GPU_ANSWERED && m->status == 0)
        return 0;
    if (why == GPU_ANSWERED)
        return fail(e, "%.*s", ERR_TEXT - 1, to ? "the driver refuses" : text);
    gpu_start_anew(g);
    if (why == GPU_STOPPED)
        return fail(e, "interrupted");
    if (why == GPU_LATE)
        return fail(e, "the NVIDIA driver didn't answer for %d s; it is started anew",
                    ANSWER_SECONDS);
    return fail(e, "the process that works with the GPU was ended (signal %d); it is started anew",
                signal);
}

/* ---- memory ---------------------------------------------------------------------------- */

static int allocate_memory(struct gpu_device *g, struct mirror *m, struct err *e)
{
    struct gpu_message message = {.op = GPU_ALLOCATE, .offset = m->address - g->arena,
                                  .bytes = m->bytes};
    if (gpu_request(g, &message, NULL, NULL, 0, e) != 0)
        return -1;
    m->there = message.address;
    return 0;
}

static int allocate_array(struct device *d, size_t bytes, const char *name, uint64_t *address,
                          struct err *e)
{
    struct gpu_device *g = gpu_of(d);
    if (gpu_ensure(g, e) != 0)
        return -1;
    struct mirror *m = mirror_add(g, bytes, name, e);
    if (!m)
        return -1;
    m->address = g->arena + g->next_array;
    if (allocate_memory(g, m, e) != 0) {
        mirror_drop(g, g->mirror_count - 1);
        return -1;
    }
    g->next_array += (bytes / ADDRESS_STEP + 2) * ADDRESS_STEP;
    *address = m->address;
    return 0;
}

static int free_array(struct device *d, uint64_t address, struct err *e)
{
    struct gpu_device *g = gpu_of(d);
    struct gpu_message message = {.op = GPU_FREE};
    for (size_t i = 0; i < g->mirror_count; i++)
        if (g->mirrors[i]->address == address && !g->mirrors[i]->module) {
            message.address = g->mirrors[i]->there;
            if (gpu_textures_forget(g, g->mirrors[i], e) != 0)
                return -1;
            mirror_drop(g, i);
            return g->link.greeted ? gpu_request(g, &message, NULL, NULL, 0, e) : 0;
        }
    return fail(e, "nothing was allocated at 0x%llx", (unsigned long long)address);
}

static int write_array(struct device *d, uint64_t to, const void *from, size_t bytes, struct err *e)
{
    struct gpu_device *g = gpu_of(d);
    struct mirror *m = bytes ? mirror_at(g, to, bytes, e) : NULL;
    if (!m)
        return bytes ? -1 : 0;
    if (gpu_ensure(g, e) != 0 || mirror_write(g, m, to - m->address, from, bytes, e) != 0)
        return -1;
    m->written = true;
    return mirror_carry(g, GPU_UPLOAD, m, to - m->address, bytes, e);
}

static int read_array(struct device *d, void *to, uint64_t from, size_t bytes, struct err *e)
{
    struct gpu_device *g = gpu_of(d);
    struct mirror *m = bytes ? mirror_at(g, from, bytes, e) : NULL;
    if (!m)
        return bytes ? -1 : 0;
    if (m->stale && (gpu_ensure(g, e) != 0 || mirror_freshen(g, m, e) != 0))
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
    return gpu_request(g, &message, buf_text(&m->text), NULL, 0, e);
}

/* Where a variable is; 0: the driver doesn't have it, since no kernel uses it. */
static int ask_variable(struct gpu_device *g, const struct gpu_module *m, const char *name,
                        uint64_t *address)
{
    struct err ignored;
    struct gpu_message message = {.op = GPU_VARIABLE, .id = m->id, .payload = strlen(name) + 1};
    *address = gpu_request(g, &message, name, NULL, 0, &ignored) == 0 ? message.address : 0;
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
        struct mirror *mirror = mirror_add(g, v.size, v.name, e);
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
    if (gpu_request(g, &message, info->name, &k, sizeof k, &ignored) != 0 ||
        message.payload != sizeof k)
        return;
    info->registers = (unsigned)k.registers;
    info->local_bytes = (size_t)k.local_bytes;
    info->static_shared = (size_t)k.shared_bytes;
}

static int describe(struct gpu_device *g, struct gpu_module *m, struct err *e)
{
    m->count = g->twin->ops->kernel_count(g->twin, m->twin);
    m->kernels = arena_get(&m->memory, (m->count + 1) * sizeof *m->kernels);
    m->handles = arena_get(&m->memory, (m->count + 1) * sizeof *m->handles);
    if (!m->kernels || !m->handles)
        return fail_memory(e);
    for (size_t i = 0; i < m->count; i++) {
        if (go_on(g->base.go_on, e) != 0)
            return -1;
        g->twin->ops->kernel_at(g->twin, m->twin, i, &m->kernels[i]);
        m->handles[i] = (struct gpu_kernel_of){m, i};
        ask_kernel(g, m, &m->kernels[i]);
    }
    return 0;
}

static void unload(struct device *d, void *module)
{
    struct gpu_device *g = gpu_of(d);
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
            mirror_drop(g, i);
    if (g->link.greeted)
        gpu_request(g, &(struct gpu_message){.op = GPU_UNLOAD, .id = m->id}, NULL, NULL, 0,
                    &ignored);
    if (m->twin)
        g->twin->ops->unload(g->twin, m->twin);
    buf_free(&m->text);
    arena_free(&m->memory);
    mem_put(&allocator_libc, m, sizeof *m);
}

static int bring_up(struct gpu_device *g, struct gpu_module *m, struct err *e)
{
    g->twin->go_on = g->base.go_on;
    m->twin = g->twin->ops->load(g->twin, m->path, m->ptx, m->ptx_bytes, e);
    if (!m->twin ||
        gpu_ptx(m->ptx, m->ptx_bytes, gpu_ptx_version(g->driver_version), &m->text, &m->prints,
                g->base.go_on, e) != 0 ||
        send_module(g, m, e) != 0)
        return -1;
    m->next = g->modules;
    g->modules = m;
    if (add_variables(g, m, e) != 0)
        return -1;
    return describe(g, m, e);
}

static void *load(struct device *d, const char *path, const char *ptx, size_t n, struct err *e)
{
    struct gpu_device *g = gpu_of(d);
    if (gpu_ensure(g, e) != 0)
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

static int blocks_per_sm(struct device *d, const void *kernel, unsigned threads,
                         uint64_t dynamic_shared, int *blocks, struct err *e)
{
    const struct gpu_kernel_of *k = kernel;
    const char *name = k->module->kernels[k->number].name;
    struct gpu_message message = {.op = GPU_OCCUPANCY, .id = k->module->id, .offset = threads,
                                  .bytes = dynamic_shared, .payload = strlen(name) + 1};
    if (gpu_ensure(gpu_of(d), e) != 0 || gpu_request(gpu_of(d), &message, name, NULL, 0, e) != 0)
        return -1;
    *blocks = (int)message.bytes;
    return 0;
}

static size_t variable_count(struct device *d, void *module)
{
    struct device *twin = gpu_of(d)->twin;
    return twin->ops->variable_count(twin, ((struct gpu_module *)module)->twin);
}

static int variable_at(struct device *d, void *module, size_t i, struct variable_info *info)
{
    const struct gpu_device *g = gpu_of(d);
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
    if (!m->module && allocate_memory(g, m, e) != 0)
        return -1;
    if (m->module && (ask_variable(g, m->module, m->name, &m->there) != 0 || !m->there))
        return fail(e, "the variable `%.60s` can't be put back", m->name);
    return m->written ? mirror_carry(g, GPU_UPLOAD, m, 0, m->bytes, e) : 0;
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
    return gpu_textures_restore(g, e);
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
int gpu_ensure(struct gpu_device *g, struct err *e)
{
    struct gpu_ready cards;
    struct err why;
    if (g->link.greeted && !gpu_link_lost(&g->link))
        return 0;
    if (g->link.fd < 0 && forget_newer(g, e) != 0)
        return -1;
    if ((g->link.fd >= 0 || gpu_link_start(&g->link, &why) == 0) &&
        gpu_link_greet(&g->link, &cards, g->base.stop, &why) == 0 && restore(g, &why) == 0)
        return 0;
    gpu_link_kill(&g->link);
    return fail(e, "the GPU can't be used any more: %.*s; `set device sim` goes on without it",
                ERR_TEXT - 100, why.text);
}

/* ---- opening and closing --------------------------------------------------------------- */

static void close_device(struct device *d)
{
    struct gpu_device *g = gpu_of(d);
    struct gpu_module *next;
    gpu_link_kill(&g->link);
    for (struct gpu_module *m = g->modules; m; m = next) {
        next = m->next;
        unload(d, m);
    }
    while (g->mirror_count)
        mirror_drop(g, g->mirror_count - 1);
    mem_put(&allocator_libc, g->mirrors, g->mirror_capacity * sizeof g->mirrors[0]);
    mem_put(&allocator_libc, g->textures, g->texture_capacity * sizeof g->textures[0]);
    gpu_link_close(&g->link);
    device_close(g->twin);
    mem_put(&allocator_libc, g, sizeof *g);
}

static const struct device_ops gpu_ops = {.close = close_device,
                                          .allocate = allocate_array,
                                          .free = free_array,
                                          .write = write_array,
                                          .read = read_array,
                                          .texture_create = gpu_texture_create,
                                          .texture_destroy = gpu_texture_destroy,
                                          .load = load,
                                          .unload = unload,
                                          .kernel_count = kernel_count,
                                          .kernel_at = kernel_at,
                                          .blocks_per_sm = blocks_per_sm,
                                          .variable_count = variable_count,
                                          .variable_at = variable_at,
                                          .launch = gpu_launch};

/* What the kernels inside the program are compiled for: 75 is compute capability 7.5. */
static int capability_of_kernels(void)
{
    const struct asset *any = asset_find("kernels/ptx/gpu-print.ptx");
    const char *target = any ? strstr((const char *)any->data, ".target sm_") : NULL;
    return target ? atoi(target + strlen(".target sm_")) : 0;
}

static int meet(struct gpu_device *g, int card, struct err *e)
{
    const int capability = capability_of_kernels();
    struct gpu_ready first;
    if (gpu_link_start(&g->link, e) != 0 || gpu_link_greet(&g->link, &first, NULL, e) != 0)
        return -1;
    g->cards = first.cards;
    gpu_cards_complete(&g->cards);
    g->driver_version = first.driver_version;
    g->arena = first.arena ? first.arena : FIRST_ADDRESS;
    const struct device_card *c = &g->cards.at[card];
    g->base.props = c->props;
    int has = c->props.major * 10 + c->props.minor;
    if (has < capability)
        return fail(e, "gpu:%d, %s, has compute capability %d.%d, and the kernels here are "
                       "compiled for %d.%d and above",
                    card, c->name, has / 10, has % 10, capability / 10, capability % 10);
    g->twin = sim_device_open(&g->base.props, e);
    return g->twin ? 0 : -1;
}

static struct device *open_card(int card, struct err *e)
{
    struct gpu_device *g = mem_get(&allocator_libc, sizeof *g);
    if (!g) {
        fail_memory(e);
        return NULL;
    }
    g->base = (struct device){.ops = &gpu_ops, .kind = "gpu", .card = card, .cards = &g->cards};
    g->next_variable = FIRST_VARIABLE;
    if (gpu_link_open(&g->link, card, e) == 0 && meet(g, card, e) == 0)
        return &g->base;
    close_device(&g->base);
    return NULL;
}

static struct device *open_number(const char *number, struct err *e)
{
    if (!number)
        return open_card(0, e);
    if (*number && strspn(number, "0123456789") == strlen(number) && strlen(number) < 5)
        return open_card(atoi(number), e);
    fail(e, "`gpu:%.36s`: after gpu: comes the GPU's number, as in gpu:0", number);
    return NULL;
}

/* Most laptops have no driver, and then no process is started. */
static int find_driver(struct err *e)
{
    return driver_is_there() ? 0 : fail(e, "there is no NVIDIA driver here");
}

static int list_cards(struct device_cards *all, struct err *e)
{
    struct gpu_link link;
    struct gpu_ready ready;
    if (find_driver(e) != 0 || gpu_link_open(&link, GPU_NO_CARD, e) != 0)
        return -1;
    int rc = gpu_link_start(&link, e) == 0 ? gpu_link_greet(&link, &ready, NULL, e) : -1;
    gpu_link_close(&link);
    if (rc != 0)
        return -1;
    *all = ready.cards;
    gpu_cards_complete(all);
    return 0;
}

const struct device_kind device_gpu = {
    .name = "gpu",
    .which = "N",
    .chosen = "On the first GPU of this machine; --device sim takes the simulator.",
    .open = open_number,
    .find = find_driver,
    .list = list_cards,
    .option = gpu_process_option,
    .serve = gpu_process};
