/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays have the same addresses as on the GPU, so pointers in parameters and in memory mean the
 * same. Variables of the module have others: a parameter that points to one is translated.
 */
#include "dev/gpu/replay.h"

#include "dev/gpu/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 };

static int copy_to(struct device *sim, uint64_t to, const struct gpu_replay *r,
                   const struct mirror *m, struct err *e)
{
    char *chunk = m->written ? malloc(CHUNK) : NULL;
    int rc = chunk || !m->written ? 0 : fail_memory(e);
    for (uint64_t done = 0; rc == 0 && m->written && done < m->bytes; done += CHUNK) {
        size_t n = m->bytes - done < CHUNK ? (size_t)(m->bytes - done) : CHUNK;
        if (mirror_read(r->file, m, done, chunk, n) != 0)
            rc = fail(e, "the copy of an array can't be read: %s", strerror(errno));
        else
            rc = sim->ops->write(sim, to + done, chunk, n, e);
    }
    free(chunk);
    return rc;
}

static int bring_mirror(struct device *sim, void *module, const struct gpu_replay *r,
                        const struct mirror *m, uint64_t *there, struct err *e)
{
    *there = m->address;
    if (m->module && m->module != r->module)
        return 0;
    if (m->module)
        *there = device_find_variable(sim, module, m->name);
    else if (sim_device_allocate_at(sim, m->address, m->bytes, m->name, e) != 0)
        return -1;
    return *there ? copy_to(sim, *there, r, m, e) : 0;
}

static int bring_memory(struct device *sim, void *module, const struct gpu_replay *r, char *params,
                        struct err *e)
{
    uint64_t *now = calloc(r->mirror_count + 1, sizeof *now);
    int rc = now ? 0 : fail_memory(e);
    for (size_t i = 0; rc == 0 && i < r->mirror_count; i++)
        rc = bring_mirror(sim, module, r, r->mirrors[i], &now[i], e);
    if (rc == 0)
        mirrors_translate(r->mirrors, r->mirror_count, now, r->kernel, params);
    free(now);
    return rc;
}

/* They get the same handles as on the GPU, so parameters stay as they are. */
static int bring_textures(struct device *sim, const struct gpu_replay *r, struct err *e)
{
    for (size_t i = 0; i < r->texture_count; i++) {
        const struct gpu_texture *t = &r->textures[i];
        uint64_t handle = t->handle;
        if (sim->ops->texture_create(sim, &t->as, t->surface, &handle, e) != 0)
            return -1;
    }
    return 0;
}

static int take_meetings(const struct launch_result *from, struct launch_result *to)
{
    to->meetings = arena_alloc(&to->memory, (from->meeting_count + 1) * sizeof *to->meetings);
    if (!to->meetings)
        return -1;
    for (size_t i = 0; i < from->meeting_count; i++) {
        struct meeting *m = &to->meetings[i];
        *m = from->meetings[i];
        m->file = m->file ? arena_text(&to->memory, m->file, strlen(m->file)) : NULL;
        to->meeting_count = i + 1;
    }
    return 0;
}

/* Copies what was found into the caller's result and its memory. */
static int take_result(const struct launch_result *from, struct launch_result *to)
{
    to->has_counters = from->has_counters;
    to->counters = from->counters;
    to->steps = from->steps;
    to->lines = arena_alloc(&to->memory, (from->line_count + 1) * sizeof *to->lines);
    to->trace = arena_alloc(&to->memory, (from->trace_count + 1) * sizeof *to->trace);
    if (!to->lines || !to->trace)
        return -1;
    for (size_t i = 0; i < from->line_count; i++) {
        to->lines[i] = from->lines[i];
        to->lines[i].file = arena_text(&to->memory, from->lines[i].file,
                                       strlen(from->lines[i].file));
        to->line_count = i + 1;
    }
    for (size_t i = 0; i < from->trace_count; i++) {
        struct trace_step *t = &to->trace[i];
        *t = from->trace[i];
        t->text = arena_text(&to->memory, t->text, strlen(t->text));
        t->file = t->file ? arena_text(&to->memory, t->file, strlen(t->file)) : NULL;
        if (!t->text)
            return -1;
        to->trace_count = i + 1;
    }
    return take_meetings(from, to);
}

static int launch_on(struct device *sim, void *module, const struct gpu_replay *r,
                     const struct launch_want *want, struct launch_result *result, struct err *e)
{
    struct launch_want again = *want;
    struct launch_how how = *want->how;
    struct launch_result counted;
    struct kernel_info info;
    char *params = malloc(r->kernel->param_bytes + 1);
    int rc = -1;
    again.kernel = device_find_kernel(sim, module, r->kernel->name, &info);
    again.params = params;
    again.how = &how;
    how.checks = 0; /* this run only counts: what a checker finds is not shown */
    if (!params || !again.kernel)
        fail_memory(e);
    else {
        memcpy(params, want->params, r->kernel->param_bytes);
        rc = bring_memory(sim, module, r, params, e);
        rc = rc == 0 ? bring_textures(sim, r, e) : rc;
    }
    if (rc == 0 && !info.closed && (rc = sim->ops->launch(sim, &again, &counted, e)) == 0) {
        rc = take_result(&counted, result) == 0 ? 0 : fail_memory(e);
        launch_result_free(&counted);
    }
    free(params);
    return rc;
}

int gpu_replay(const struct gpu_replay *r, const struct launch_want *want,
               struct launch_result *result, struct err *e)
{
    struct device *sim = sim_device_open(r->props, e);
    void *module = sim ? sim->ops->load(sim, r->path, r->ptx, r->ptx_bytes, e) : NULL;
    int rc = module ? launch_on(sim, module, r, want, result, e) : -1;
    if (module)
        sim->ops->unload(sim, module);
    device_close(sim);
    return rc;
}
