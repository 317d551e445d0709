/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modules on a GPU. The simulator reads the same PTX and says what a module contains. The driver
 * says what its compiler made of it.
 */
#include "dev/gpu/gpu.h"

#include <string.h>

enum { VARIABLE_STEP = 256 }; /* the addresses of variables on this side are multiples of it */

int gpu_module_send(struct gpu_device *g, struct gpu_module *m, struct err *e)
{
    struct gpu_message message = {.op = GPU_LOAD, .id = m->id, .bytes = m->prints,
                                  .offset = m->library, .payload = m->text.len};
    return gpu_request(g, &message, buf_text(&m->text), NULL, 0, e);
}

int gpu_variable_find(struct gpu_device *g, const struct gpu_module *m, const char *name,
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
    size_t count = 0;
    while (g->twin->ops->variable_at(g->twin, m->twin, count, &v) == 0)
        count++;
    m->variables = arena_alloc(&m->memory, (count + 1) * sizeof *m->variables);
    if (!m->variables)
        return fail_memory(e);
    for (size_t i = 0; g->twin->ops->variable_at(g->twin, m->twin, i, &v) == 0; i++) {
        uint64_t address;
        if (v.size == 0)
            continue;
        if (gpu_variable_find(g, m, v.name, &address) != 0)
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
        m->variables[i] = mirror;
        g->next_variable += (v.size / VARIABLE_STEP + 2) * VARIABLE_STEP;
    }
    return 0;
}

/* The driver's compiler knows registers and memory of its own code. Its numbers replace those of
 * the simulator. */
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
    info->local_bytes = (uint64_t)k.local_bytes;
    info->static_shared = (uint64_t)k.shared_bytes;
}

static int describe_kernels(struct gpu_device *g, struct gpu_module *m, struct err *e)
{
    struct kernel_info info;
    while (g->twin->ops->kernel_at(g->twin, m->twin, m->count, &info))
        m->count++;
    m->kernels = arena_alloc(&m->memory, (m->count + 1) * sizeof *m->kernels);
    m->handles = arena_alloc(&m->memory, (m->count + 1) * sizeof *m->handles);
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

void gpu_module_unload(struct device *d, void *module)
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
            mirror_remove(g, i);
    if (g->link.greeted)
        gpu_request(g, &(struct gpu_message){.op = GPU_UNLOAD, .id = m->id}, NULL, NULL, 0,
                    &ignored);
    if (m->twin)
        g->twin->ops->unload(g->twin, m->twin);
    buf_free(&m->text);
    arena_free(&m->memory);
    mem_free(&allocator_libc, m, sizeof *m);
}

/* Launches in device code call CUDA's device runtime. */
static bool calls_runtime(const struct gpu_module *m)
{
    return strstr(m->ptx, "__cudaCDP2") != NULL;
}

/* Adds the path of the toolkit's library for launches in device code, behind the PTX. The driver
 * links the two. */
static int add_runtime(struct gpu_device *g, struct gpu_module *m, struct err *e)
{
    static const char library[] = "libcudadevrt.a";
    char path[LIBRARY_PATH];
    struct err why;
    if (!g->base.find_library)
        return fail(e, "`%.150s` launches kernels in device code, but a cudalab without compilers "
                    "does not find %s of the CUDA Toolkit; `set device sim` needs no such file",
                    m->path, library);
    if (g->base.find_library(library, path, &why) != 0)
        return fail(e, "`%.150s` launches kernels in device code, and %.350s; `set device sim` "
                    "needs no such file", m->path, why.text);
    buf_putc(&m->text, '\0');
    m->library = m->text.len;
    buf_puts(&m->text, path);
    return m->text.failed ? fail_memory(e) : 0;
}

static int load_on_both(struct gpu_device *g, struct gpu_module *m, struct err *e)
{
    const bool linked = calls_runtime(m);
    g->twin->go_on = g->base.go_on;
    m->twin = g->twin->ops->load(g->twin, m->path, m->ptx, m->ptx_bytes, e);
    if (!m->twin ||
        gpu_ptx(m->ptx, m->ptx_bytes, gpu_ptx_version(g->driver_version), linked, &m->text,
                &m->prints, g->base.go_on, e) != 0 ||
        (linked && add_runtime(g, m, e) != 0) || gpu_module_send(g, m, e) != 0)
        return -1;
    m->next = g->modules;
    g->modules = m;
    if (add_variables(g, m, e) != 0)
        return -1;
    return describe_kernels(g, m, e);
}

void *gpu_module_load(struct gpu_device *g, const char *path, const char *ptx, size_t n,
                      struct err *e)
{
    struct gpu_module *m = mem_alloc(&allocator_libc, sizeof *m);
    if (!m) {
        fail_memory(e);
        return NULL;
    }
    m->id = ++g->next_id;
    m->path = arena_text(&m->memory, path, strlen(path));
    m->ptx = arena_text(&m->memory, ptx, n);
    m->ptx_bytes = n;
    if (!m->path || !m->ptx)
        fail_memory(e);
    else if (load_on_both(g, m, e) == 0)
        return m;
    gpu_module_unload(&g->base, m);
    return NULL;
}

const void *gpu_kernel_at(struct device *d, void *module, size_t i, struct kernel_info *info)
{
    const struct gpu_module *m = module;
    (void)d;
    if (i >= m->count)
        return NULL;
    *info = m->kernels[i];
    return &m->handles[i];
}

int gpu_variable_at(struct device *d, void *module, size_t i, struct variable_info *info)
{
    const struct gpu_device *g = gpu_of(d);
    const struct gpu_module *m = module;
    if (g->twin->ops->variable_at(g->twin, m->twin, i, info) != 0)
        return -1;
    if (m->variables[i])
        info->address = m->variables[i]->address;
    else
        info->hidden = true;
    return 0;
}
