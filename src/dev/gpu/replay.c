/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In the simulation arrays have the same addresses as on the GPU, so pointers in parameters and in
 * memory mean the same. The module's variables have other addresses, so a parameter that points to
 * one is translated.
 */
#include "dev/gpu/gpu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 };

static int copy_mirror(struct device *sim, uint64_t to, int file, const struct mirror *m,
                       struct err *e)
{
    char *chunk = m->written ? malloc(CHUNK) : NULL;
    int rc = chunk || !m->written ? 0 : fail_memory(e);
    for (uint64_t done = 0; rc == 0 && m->written && done < m->bytes; done += CHUNK) {
        size_t n = m->bytes - done < CHUNK ? (size_t)(m->bytes - done) : CHUNK;
        if (mirror_read(file, m, done, chunk, n) != 0)
            rc = fail(e, "the copy of an array can't be read: %s", strerror(errno));
        else
            rc = sim->ops->write(sim, to + done, chunk, n, e);
    }
    free(chunk);
    return rc;
}

/* One replay: a simulator that has loaded the module. */
struct gpu_replay {
    const struct gpu_device *g;
    const struct gpu_module *of;
    struct device *sim;
    void *module;
};

static int bring_mirror(const struct gpu_replay *r, const struct mirror *m, uint64_t *there,
                        struct err *e)
{
    *there = m->address;
    if (m->module && m->module != r->of)
        return 0;
    if (m->module)
        *there = device_find_variable(r->sim, r->module, m->name);
    else if (sim_device_allocate_at(r->sim, m->address, m->bytes, m->name, NULL, e) != 0)
        return -1;
    return *there ? copy_mirror(r->sim, *there, r->g->link.mirror, m, e) : 0;
}

static int bring_memory(const struct gpu_replay *r, const struct kernel_info *kernel, char *params,
                        struct err *e)
{
    uint64_t *now = calloc(r->g->mirror_count + 1, sizeof *now);
    int rc = now ? 0 : fail_memory(e);
    for (size_t i = 0; rc == 0 && i < r->g->mirror_count; i++)
        rc = bring_mirror(r, r->g->mirrors[i], &now[i], e);
    if (rc == 0)
        mirrors_translate(r->g, now, kernel, params);
    free(now);
    return rc;
}

/* Textures get the same handles as on the GPU, so parameters stay as they are. */
static int bring_textures(const struct gpu_replay *r, struct err *e)
{
    for (size_t i = 0; i < r->g->texture_count; i++) {
        const struct gpu_texture *t = &r->g->textures[i];
        uint64_t handle = t->handle;
        if (r->sim->ops->texture_create(r->sim, &t->as, t->surface, &handle, e) != 0)
            return -1;
    }
    return 0;
}

/* Moves what was counted to the caller's result, which then also owns its memory. */
static void take_counted(struct launch_result *from, struct launch_result *to)
{
    to->has_counters = from->has_counters;
    to->counters = from->counters;
    to->has_model = from->has_model;
    to->modelled = from->modelled;
    to->cost = from->cost;
    to->model = from->model;
    to->steps = from->steps;
    to->lines = from->lines;
    to->line_count = from->line_count;
    to->trace = from->trace;
    to->trace_count = from->trace_count;
    to->meetings = from->meetings;
    to->meeting_count = from->meeting_count;
    arena_move(&to->memory, &from->memory);
}

static int launch_simulated(const struct gpu_replay *r, const struct kernel_info *kernel,
                            const struct launch_want *want, struct launch_result *result,
                            struct err *e)
{
    struct launch_want again = *want;
    struct launch_how how = *want->how;
    struct launch_result counted;
    struct kernel_info info;
    char *params = malloc(kernel->param_bytes + 1);
    int rc = -1;
    again.kernel = device_find_kernel(r->sim, r->module, kernel->name, &info);
    again.params = params;
    again.how = &how;
    how.checks = 0; /* this run only counts: what a checker finds is not shown */
    if (!params || !again.kernel)
        fail_memory(e);
    else {
        memcpy(params, want->params, kernel->param_bytes);
        rc = bring_memory(r, kernel, params, e) == 0 ? bring_textures(r, e) : -1;
    }
    if (rc == 0 && !info.closed && (rc = r->sim->ops->launch(r->sim, &again, &counted, e)) == 0)
        take_counted(&counted, result);
    free(params);
    return rc;
}

int gpu_replay(const struct gpu_device *g, const struct gpu_module *m,
               const struct kernel_info *kernel, const struct launch_want *want,
               struct launch_result *result, struct err *e)
{
    struct gpu_replay r = {.g = g, .of = m, .sim = sim_device_open(&g->base.props, e)};
    if (r.sim)
        r.module = r.sim->ops->load(r.sim, m->path, m->ptx, m->ptx_bytes, e);
    int rc = r.module ? launch_simulated(&r, kernel, want, result, e) : -1;
    if (r.module)
        r.sim->ops->unload(r.sim, r.module);
    device_close(r.sim);
    return rc;
}
