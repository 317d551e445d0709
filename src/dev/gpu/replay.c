/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In the simulation arrays have the same addresses as on the GPU, so pointers in parameters and in
 * memory mean the same. The module's variables have other addresses, so a parameter that points to
 * one is translated.
 *
 * A launch that somebody takes, as `step` does, is a replay as well. Its simulator stays until that
 * is over, and arrays are read from there.
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
    const struct launch_look *look; /* that the launch is given to; NULL: it runs here */
    bool taken;
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

static int take(void *self, struct device *d, struct sim *sim, const struct sim_launch *launch,
                struct err *e)
{
    struct gpu_replay *r = self;
    const int rc = r->look->take(r->look->self, d, sim, launch, e);
    r->taken = rc == 0;
    return rc;
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

/* The launch with its memory as the simulator has it. `params`: a copy, which it is given. */
static int lay_out(const struct gpu_replay *r, const struct kernel_info *kernel,
                   const struct launch_want *want, struct launch_want *again, char *params,
                   struct kernel_info *info, struct err *e)
{
    *again = *want;
    again->kernel = device_find_kernel(r->sim, r->module, kernel->name, info);
    again->params = params;
    if (!params || !again->kernel)
        return fail_memory(e);
    memcpy(params, want->params, kernel->param_bytes);
    return bring_memory(r, kernel, params, e) == 0 ? bring_textures(r, e) : -1;
}

static int launch_simulated(struct gpu_replay *r, const struct kernel_info *kernel,
                            const struct launch_want *want, struct launch_result *result,
                            struct err *e)
{
    struct launch_want again;
    struct launch_how how = *want->how;
    const struct launch_look look = {.take = take, .self = r};
    struct launch_result counted;
    struct kernel_info info;
    char *params = malloc(kernel->param_bytes + 1);
    int rc = lay_out(r, kernel, want, &again, params, &info, e);
    again.how = &how;
    how.checks = 0; /* this run only counts: what a checker finds is not shown */
    how.look = r->look ? &look : NULL;
    if (rc == 0 && info.closed && r->look)
        rc = fail(e, "the simulator can't run this kernel: %s", info.closed);
    if (rc == 0 && !info.closed && (rc = r->sim->ops->launch(r->sim, &again, &counted, e)) == 0)
        take_counted(&counted, result);
    free(params);
    return rc;
}

static void end_replay(struct gpu_replay *r)
{
    if (r->taken)
        r->sim->ops->look_ended(r->sim);
    if (r->module)
        r->sim->ops->unload(r->sim, r->module);
    device_close(r->sim);
    mem_free(&allocator_libc, r, sizeof *r);
}

static struct gpu_replay *begin_replay(const struct gpu_device *g, const struct gpu_module *m,
                                       struct err *e)
{
    struct gpu_replay *r = mem_alloc(&allocator_libc, sizeof *r);
    if (!r) {
        fail_memory(e);
        return NULL;
    }
    *r = (struct gpu_replay){.g = g, .of = m, .sim = sim_device_open(&g->base.props, e)};
    if (r->sim)
        r->module = r->sim->ops->load(r->sim, m->path, m->ptx, m->ptx_bytes, e);
    if (r->module)
        return r;
    end_replay(r);
    return NULL;
}

int gpu_replay(const struct gpu_device *g, const struct gpu_module *m,
               const struct kernel_info *kernel, const struct launch_want *want,
               struct launch_result *result, struct err *e)
{
    struct gpu_replay *r = begin_replay(g, m, e);
    int rc = r ? launch_simulated(r, kernel, want, result, e) : -1;
    if (r)
        end_replay(r);
    return rc;
}

/* ---- a launch that is given away ---------------------------------------------------------- */

int gpu_give_launch(struct gpu_device *g, const struct gpu_module *m, const struct kernel_info *kernel,
                    const struct launch_want *want, struct err *e)
{
    struct launch_result none;
    struct gpu_replay *r = begin_replay(g, m, e);
    if (!r)
        return -1;
    r->look = want->how->look;
    launch_simulated(r, kernel, want, &none, e);
    if (r->taken)
        g->given = r;
    else
        end_replay(r);
    return -1;
}

uint64_t gpu_look_address(struct device *d, uint64_t address)
{
    const struct gpu_device *g = gpu_of(d);
    const struct gpu_replay *r = g->given;
    struct err none;
    const struct mirror *m = mirror_at(g, address, 1, &none);
    if (!r || !m || !m->module)
        return m ? address : 0;
    const uint64_t there =
        m->module == r->of ? device_find_variable(r->sim, r->module, m->name) : 0;
    return there ? there + (address - m->address) : 0;
}

int gpu_given_read(struct gpu_device *g, void *to, uint64_t from, uint64_t bytes, struct err *e)
{
    struct device *sim = g->given ? g->given->sim : NULL;
    const uint64_t there = sim ? gpu_look_address(&g->base, from) : 0;
    return there ? sim->ops->read(sim, to, there, bytes, e) : 1;
}

void gpu_look_ended(struct device *d)
{
    struct gpu_device *g = gpu_of(d);
    if (g->given)
        end_replay(g->given);
    g->given = NULL;
}
