/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file makes the simulator a struct device. Each device is one handle of libcudasim with the
 * limits of the card that it stands for. launch.c does the launches.
 */
#include "dev/sim/sim-device.h"

#include "base/buf.h"

#include <stdio.h>
#include <string.h>

/* A loaded module. Its kernels are described once, when it is loaded. */
struct sim_device_module {
    struct sim_module *module;
    struct kernel_info *kernels;
    size_t count;
    struct arena memory;
};

/* ---- memory ---------------------------------------------------------------------------- */

static int allocate_array(struct device *d, uint64_t bytes, const char *name, uint64_t *address,
                          struct err *e)
{
    if (sim_device_free_of_looks(d, e) != 0)
        return -1;
    if (sim_malloc(sim_of(d)->sim, bytes, name, address) != 0)
        return sim_device_failed(d, e);
    checks_memory(&sim_of(d)->checks, MEMORY_ALLOCATED, *address, bytes);
    return 0;
}

int sim_device_allocate_at(struct device *d, uint64_t address, uint64_t bytes, const char *name,
                           void *host, struct err *e)
{
    struct sim *sim = sim_of(d)->sim;
    if (sim_device_free_of_looks(d, e) != 0)
        return -1;
    if ((host ? sim_malloc_over(sim, address, bytes, name, host)
              : sim_malloc_at(sim, address, bytes, name)) != 0)
        return sim_device_failed(d, e);
    checks_memory(&sim_of(d)->checks, MEMORY_ALLOCATED, address, bytes);
    if (host)
        checks_memory(&sim_of(d)->checks, MEMORY_WRITTEN, address, bytes);
    return 0;
}

void sim_device_set_places(struct device *d, sim_place_variable *place, void *ctx)
{
    sim_set_places(sim_of(d)->sim, place, ctx);
}

/* A launch that was taken still uses what is to be freed. */
static int free_later(struct sim_device *d, void *module, uint64_t address, struct err *e)
{
    struct later *l = mem_alloc(&allocator_libc, sizeof *l);
    if (!l)
        return fail_memory(e);
    *l = (struct later){d->later, module, address};
    d->later = l;
    return 0;
}

static int free_array(struct device *d, uint64_t address, struct err *e)
{
    if (sim_of(d)->taken)
        return free_later(sim_of(d), NULL, address, e);
    if (sim_free(sim_of(d)->sim, address) != 0)
        return sim_device_failed(d, e);
    checks_memory(&sim_of(d)->checks, MEMORY_FREED, address, 0);
    return 0;
}

static int write_array(struct device *d, uint64_t to, const void *from, uint64_t bytes, struct err *e)
{
    if (sim_device_free_of_looks(d, e) != 0)
        return -1;
    if (sim_write(sim_of(d)->sim, to, from, bytes) != 0)
        return sim_device_failed(d, e);
    checks_memory(&sim_of(d)->checks, MEMORY_WRITTEN, to, bytes);
    return 0;
}

static int read_array(struct device *d, void *to, uint64_t from, uint64_t bytes, struct err *e)
{
    return sim_read(sim_of(d)->sim, from, to, bytes) == 0 ? 0 : sim_device_failed(d, e);
}

static void mark_copied(struct device *d, uint64_t to, struct device *other, uint64_t from)
{
    if (other->ops == d->ops)
        checks_copied(&sim_of(d)->checks, to, &sim_of(other)->checks, from);
}

static bool has_value(struct device *d, uint64_t address, uint64_t bytes)
{
    return checks_have_value(&sim_of(d)->checks, address, bytes);
}

/* ---- textures -------------------------------------------------------------------------- */

/* Nothing watches what kernels write to a surface, so its bytes count as written from the start. */
static int texture_create(struct device *d, const struct sim_texture *t, bool surface,
                          uint64_t *handle, struct err *e)
{
    struct sim *sim = sim_of(d)->sim;
    if (sim_device_free_of_looks(d, e) != 0)
        return -1;
    int rc = surface ? sim_surface_make(sim, &t->image, handle) : sim_texture_make(sim, t, handle);
    if (rc != 0)
        return sim_device_failed(d, e);
    if (surface)
        checks_memory(&sim_of(d)->checks, MEMORY_WRITTEN, t->image.address, sim_image_bytes(&t->image));
    return 0;
}

static int texture_destroy(struct device *d, uint64_t handle, struct err *e)
{
    return sim_texture_free(sim_of(d)->sim, handle) == 0 ? 0 : sim_device_failed(d, e);
}

/* ---- modules --------------------------------------------------------------------------- */

/* Says why the kernel can't run here; NULL: it can. */
static const char *closed_text(struct arena *memory, const struct device_props *p,
                               const struct sim_kernel *k)
{
    char text[ERR_TEXT + 40];
    const int needs = k->needs_capability;
    if (k->closed)
        snprintf(text, sizeof text, "%.*s (line %d of the PTX)", ERR_TEXT, k->closed,
                 k->closed_line);
    else if (needs > p->major * 10 + p->minor)
        snprintf(text, sizeof text, "%s needs compute capability %d.%d; this device has %d.%d",
                 k->needs_what, needs / 10, needs % 10, p->major, p->minor);
    else
        return NULL;
    const char *kept = arena_text(memory, text, strlen(text));
    return kept ? kept : k->needs_what;
}

/* A compiler leaves it to the linker to find such a function. A GPU's driver refuses the module. */
static const char *undefined_text(struct arena *memory, const struct sim_kernel *k)
{
    char text[ERR_TEXT] = "";
    if (!k->undefined)
        return NULL;
    if (k->closed_file && k->closed_source_line > 0)
        snprintf(text, sizeof text, "%.200s:%d: ", k->closed_file, k->closed_source_line);
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "%.200s is called, but no file that is loaded with this one defines it", k->undefined);
    const char *kept = arena_text(memory, text, strlen(text));
    return kept ? kept : k->undefined;
}

static int describe_kernel(struct arena *memory, const struct device_props *props,
                           const struct sim_kernel *k, struct kernel_info *info)
{
    struct device_param *params = arena_alloc(memory, k->param_count * sizeof *params);
    if (!params)
        return -1;
    for (unsigned i = 0; i < k->param_count; i++) {
        const struct sim_param *p = &k->params[i];
        params[i] = (struct device_param){
            p->name, sim_type_name(p->type), p->offset, p->size, p->align, p->is_array};
    }
    *info = (struct kernel_info){.name = k->name,
                                 .params = params,
                                 .param_count = k->param_count,
                                 .param_bytes = k->param_bytes,
                                 .static_shared = k->static_shared,
                                 .local_bytes = k->local_bytes,
                                 .cooperative = k->cooperative,
                                 .reads_clock = k->reads_clock,
                                 .needs_clock = k->needs_clock,
                                 .closed = closed_text(memory, props, k),
                                 .undefined = undefined_text(memory, k)};
    return 0;
}

static int describe_module(const struct device_props *props, struct sim_device_module *m)
{
    m->count = sim_kernel_count(m->module);
    m->kernels = arena_alloc(&m->memory, m->count * sizeof *m->kernels);
    if (!m->kernels)
        return -1;
    for (size_t i = 0; i < m->count; i++)
        if (describe_kernel(&m->memory, props, sim_kernel_at(m->module, i), &m->kernels[i]) != 0)
            return -1;
    return 0;
}

static void unload(struct device *d, void *module)
{
    struct sim_device_module *m = module;
    struct err ignored;
    if (!m)
        return;
    if (sim_of(d)->taken) {
        free_later(sim_of(d), module, 0, &ignored); /* without memory: when the device is closed */
        return;
    }
    if (m->module)
        sim_module_unload(sim_of(d)->sim, m->module);
    arena_free(&m->memory);
    mem_free(&allocator_libc, m, sizeof *m);
}

static void look_ended(struct device *d)
{
    struct sim_device *s = sim_of(d);
    struct err ignored;
    s->taken = false;
    while (s->later) {
        struct later *l = s->later;
        s->later = l->next;
        if (l->module)
            unload(d, l->module);
        else
            free_array(d, l->address, &ignored);
        mem_free(&allocator_libc, l, sizeof *l);
    }
}

static bool goes_on(void *ctx)
{
    struct sim_device *d = ctx;
    return go_on(d->base.go_on, &d->stopped) == 0;
}

static void *load(struct device *d, const char *path, const char *ptx, size_t n, struct err *e)
{
    if (sim_device_free_of_looks(d, e) != 0)
        return NULL;
    struct sim_device_module *m = mem_alloc(&allocator_libc, sizeof *m);
    if (!m) {
        fail_memory(e);
        return NULL;
    }
    struct sim *sim = sim_of(d)->sim;
    sim_of(d)->stopped.text[0] = '\0';
    sim_set_go_on(sim, goes_on, d);
    m->module = sim_module_load(sim, path, ptx, n);
    if (!m->module && sim_of(d)->stopped.text[0])
        *e = sim_of(d)->stopped;
    else if (!m->module)
        fail_at(e, sim_message_line(sim), 0, "%s", sim_message(sim));
    else if (describe_module(&d->props, m) == 0)
        return m;
    else
        fail_memory(e);
    unload(d, m);
    return NULL;
}

static const void *kernel_at(struct device *d, void *module, size_t i, struct kernel_info *info)
{
    struct sim_device_module *m = module;
    (void)d;
    if (i >= m->count)
        return NULL;
    *info = m->kernels[i];
    return sim_kernel_at(m->module, i);
}

static int variable_at(struct device *d, void *module, size_t i, struct variable_info *info)
{
    const struct sim_module *m = ((struct sim_device_module *)module)->module;
    (void)d;
    if (i >= sim_variable_count(m))
        return -1;
    const struct sim_variable *v = sim_variable_at(m, i);
    *info = (struct variable_info){.name = v->name,
                                   .type = sim_type_name(v->type),
                                   .address = v->address,
                                   .size = v->size,
                                   .constant = v->space == SIM_CONST,
                                   .hidden = v->hidden};
    return 0;
}

/* ---- opening and closing --------------------------------------------------------------- */

static void set_unsigned(unsigned *to, int64_t from)
{
    if (from > 0)
        *to = from > UINT32_MAX ? UINT32_MAX : (unsigned)from;
}

static void set_size(uint64_t *to, uint64_t from)
{
    if (from)
        *to = from;
}

/* The library's own limits hold where the card's numbers are not known. */
static struct sim_limits limits_of(const struct device_props *p)
{
    struct sim_limits l = {SIM_LIMITS};
    sim_limits_default(&l);
    l.capability = p->major * 10 + p->minor;
    set_unsigned(&l.max_threads_per_block, p->max_threads_per_block);
    for (int i = 0; i < 3; i++) {
        set_unsigned(&l.max_block[i], p->max_block[i]);
        set_unsigned(&l.max_grid[i], p->max_grid[i]);
    }
    set_unsigned(&l.multiprocessors, p->multiprocessors);
    set_unsigned(&l.max_blocks_per_sm, p->max_blocks_per_sm);
    set_unsigned(&l.max_threads_per_sm, p->max_threads_per_sm);
    set_unsigned(&l.max_registers_per_thread, p->registers_per_thread);
    set_size(&l.shared_per_block, p->shared_per_block);
    set_size(&l.shared_per_block_optin, p->shared_per_block_optin);
    set_size(&l.shared_per_sm, p->shared_per_sm);
    set_size(&l.constant_bytes, p->const_bytes);
    set_size(&l.global_bytes, p->global_bytes);
    return l;
}

static void close_device(struct device *d)
{
    sim_close(sim_of(d)->sim);
    checks_close(&sim_of(d)->checks);
    mem_free(&allocator_libc, d, sizeof(struct sim_device));
}

static const struct device_ops sim_ops = {.close = close_device,
                                          .allocate = allocate_array,
                                          .free = free_array,
                                          .write = write_array,
                                          .read = read_array,
                                          .mark_copied = mark_copied,
                                          .has_value = has_value,
                                          .texture_create = texture_create,
                                          .texture_destroy = texture_destroy,
                                          .load = load,
                                          .unload = unload,
                                          .kernel_at = kernel_at,
                                          .variable_at = variable_at,
                                          .launch = sim_device_launch,
                                          .check_taken = sim_device_check_taken,
                                          .look_ended = look_ended};

struct device *sim_device_open(const struct device_props *props, struct err *e)
{
    struct sim_device *d = mem_alloc(&allocator_libc, sizeof *d);
    struct sim *sim = d ? sim_open(NULL) : NULL;
    struct checks checks;
    if (!sim || checks_open(&checks) != 0) {
        if (sim)
            sim_close(sim);
        mem_free(&allocator_libc, d, sizeof *d);
        fail_memory(e);
        return NULL;
    }
    struct sim_limits limits = limits_of(props);
    limits.heap_bytes = 8 << 20;
    sim_set_limits(sim, &limits);
    *d = (struct sim_device){
        .base = {.ops = &sim_ops, .props = *props, .kind = "sim"}, .sim = sim, .limits = limits,
        .checks = checks};
    return &d->base;
}

uint64_t sim_device_limit(struct device *device, enum sim_device_limit which, uint64_t bytes)
{
    struct sim_device *d = sim_of(device);
    struct sim_limits changed = d->limits;
    uint64_t *const all[] = {[SIM_DEVICE_STACK] = &changed.local_per_thread,
                             [SIM_DEVICE_PRINTF] = &changed.printf_bytes,
                             [SIM_DEVICE_HEAP] = &changed.heap_bytes};
    if (bytes == 0)
        return *all[which];
    *all[which] = bytes;
    if (sim_set_limits(d->sim, &changed) != 0)
        return 0;
    d->limits = changed;
    return bytes;
}

static struct device *open_profile(const char *profile, const struct device_waits *waits,
                                   struct err *e)
{
    (void)waits;
    const struct card *card = card_simulated(profile, e);
    if (!card)
        return NULL;
    const struct device_props props = card_props(card);
    return sim_device_open(&props, e);
}

const struct device_kind device_sim = {.name = "sim", .which = "PROFILE", .open = open_profile};
