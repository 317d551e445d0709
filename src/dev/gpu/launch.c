/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file does a launch on a GPU, on the side that survives it. First the mirrors are brought up
 * to date. Then the process gets the request, and as much time as the limits allow. Whatever ends
 * the launch becomes a fault with a name. If counters or a trace are wanted, the launch runs once
 * more on a simulator (replay.c). A job is done in the same way, but it is not simulated.
 */
#include "dev/gpu/gpu.h"

#include "base/num.h"
#include "dev/gpu/driver.h"
#include "dev/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
     "an access to an address that is not a multiple of its size" NO_PLACE},
    {DRIVER_LAUNCH_FAILED, true, "trap", "a trap, or a failure of the hardware" NO_PLACE},
    {DRIVER_ILLEGAL_INSTRUCTION, true, "trap", "an instruction that can't be executed" NO_PLACE},
    {DRIVER_INVALID_PC, true, "trap", "a jump to where there is no code" NO_PLACE},
    {DRIVER_ASSERT, true, "assert", "an assertion failed"},
    {DRIVER_HARDWARE_STACK, true, "stack-overflow", "calls deeper than the stack of a thread"},
    {DRIVER_LAUNCH_TIMEOUT, true, "timeout", "the driver ended the kernel: it took too long for a "
                                             "card that also shows a screen"},
    {DRIVER_OUT_OF_MEMORY, false, "out-of-memory", "the GPU has no memory left for this launch"},
    {DRIVER_OUT_OF_RESOURCES, false, "bad-launch",
     "more registers or shared memory per block than the GPU has"},
    {DRIVER_INVALID_VALUE, false, "bad-launch", "a grid or block that the GPU can't take"},
    {DRIVER_INVALID_CLUSTER, false, "bad-launch", "clusters that the GPU can't take"},
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
    struct fault *f = gpu_fault_add(result, kind);
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

/* A driver only says that a launch is impossible. The simulator has the card's limits and says
 * which of them the launch breaks. False: none that it knows. */
static bool ask_simulator(struct gpu_device *g, const struct launch_want *want, const char *kind,
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

/* Makes the driver's status a fault. A failed assertion is already in the result. The trap that it
 * causes is then not reported. */
static int end_by_status(struct gpu_device *g, const struct launch_want *want, int status,
                         const char *text, struct launch_result *result)
{
    const struct ending *end = ending_of(status);
    char lost[240];
    if (!end || end->gone)
        gpu_start_anew(g);
    if (has_fault(result, "assert"))
        return 0;
    if (end && want->kernel && strcmp(end->kind, "bad-launch") == 0 &&
        ask_simulator(g, want, end->kind, lost, sizeof lost))
        return add_ending(result, end->kind, lost);
    if (end)
        return add_ending(result, end->kind, end->says);
    snprintf(lost, sizeof lost, "the GPU or its driver failed during the launch: %.140s", text);
    return add_ending(result, "device-lost", lost);
}

/* No reply came: the time ran out, Ctrl-C was typed (-1), or the process is gone. */
static int end_by_silence(struct gpu_device *g, enum gpu_silence why, int signal,
                          const struct launch_how *how, struct launch_result *result,
                          struct err *e)
{
    char says[160], seconds[NUM_TEXT];
    gpu_start_anew(g);
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

/* Makes the request's payload, with malloc. */
static char *pack_request(const struct gpu_device *g, const struct launch_want *want,
                  const struct kernel_info *info, size_t *bytes)
{
    struct gpu_launch l = {.shared_bytes = want->shared_bytes,
                           .not_opted_in = want->not_opted_in,
                           .cooperative = info->cooperative && !want->how->plain,
                           .runs = want->how->runs,
                           .sequence = want->beside ? 0 : g->sequence,
                           .name_bytes = (uint32_t)strlen(info->name) + 1,
                           .param_count = info->param_count,
                           .param_bytes = info->param_bytes};
    if (want->job) {
        l.job = (uint32_t)want->job->kind;
        l.job_bytes = (uint32_t)want->job->what_bytes;
    }
    memcpy(l.grid, want->grid, sizeof l.grid);
    memcpy(l.block, want->block, sizeof l.block);
    memcpy(l.cluster, want->cluster, sizeof l.cluster);
    *bytes = sizeof l + l.name_bytes + l.param_count * sizeof(uint32_t) + l.param_bytes +
             l.job_bytes;
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
    if (l.param_bytes)
        memcpy(at, want->params, l.param_bytes);
    if (l.job)
        memcpy(at + l.param_bytes, want->job->what, l.job_bytes);
    for (size_t i = 0; i < g->mirror_count; i++)
        now_at[i] = g->mirrors[i]->there;
    mirrors_translate(g, now_at, info, at);
    gpu_textures_translate(g, info, at);
    free(now_at);
    return all;
}

static void take_reply(const struct launch_job *job, const char *reply,
                       struct launch_result *result)
{
    struct gpu_run run;
    if (job && job->out) {
        memcpy(job->out, reply, job->out_bytes);
        return;
    }
    memcpy(&run, reply, sizeof run);
    result->has_time = true;
    result->runs = 1;
    result->min_s = result->measured_s = result->mean_s = (double)run.ms / 1e3;
    result->host = run.clocks;
}

double gpu_seconds_left(const struct launch_how *how)
{
    if (how->time_limit <= 0)
        return 0; /* no limit */
    return how->time_limit > how->time_spent ? how->time_limit - how->time_spent : 1e-3;
}

/* Sends the request. m is NULL for a job without a kernel. What happened is in the
 * result; -1: it can't be told there. */
static int request_launch(struct gpu_device *g, const struct launch_want *want,
                          const struct gpu_module *m, const struct kernel_info *info,
                          struct launch_result *result, struct err *e)
{
    const struct launch_how *how = want->how;
    const struct gpu_patience patience = {.stop = how->stop, .progress = how->progress,
                                          .seconds = gpu_seconds_left(how)};
    size_t all = want->job && want->job->out ? want->job->out_bytes : sizeof(struct gpu_run);
    size_t room = all > GPU_TEXT ? all : GPU_TEXT, bytes;
    char *payload = pack_request(g, want, info, &bytes), *reply = malloc(room + 1);
    int rc = payload && reply ? 0 : fail_memory(e);
    if (rc == 0) {
        struct gpu_message message = {.op = GPU_LAUNCH, .id = m ? m->id : 0, .payload = bytes};
        int signal;
        enum gpu_silence why = gpu_ask(&g->link, &message, payload, reply, room + 1, &patience,
                                       &signal);
        if (why != GPU_ANSWERED || message.status != 0)
            gpu_ring_abandon(g->link.ring);
        if (m && m->prints && gpu_prints(g->link.ring, want, m->library != 0, result) != 0)
            rc = fail_memory(e);
        else if (why != GPU_ANSWERED)
            rc = end_by_silence(g, why, signal, how, result, e);
        else if (message.status == GPU_NOT_RUN)
            snprintf(result->not_run, sizeof result->not_run, "%s", reply);
        else if (message.status == 0)
            take_reply(want->job, reply, result);
        else if (end_by_status(g, want, message.status, reply, result) != 0)
            rc = fail_memory(e);
    }
    free(payload);
    free(reply);
    return rc;
}

static bool wants_replay(const struct launch_want *want)
{
    const struct launch_how *how = want->how;
    return !want->job && (how->counters || how->meetings || how->trace_warp >= 0);
}

static int launch(struct gpu_device *g, const struct launch_want *want, const struct gpu_module *m,
                  const struct kernel_info *info, struct launch_result *result, struct err *e)
{
    const bool gives = want->how->look && m;
    *result = (struct launch_result){0};
    if (gpu_ensure_free(g, e) != 0 ||
        mirrors_ready(g, m && (want->job || gives || wants_replay(want)), e) != 0)
        return -1;
    if (gives)
        return gpu_give_launch(g, m, info, want, e);
    if (m && m->prints)
        gpu_ring_clear(g->link.ring);
    int rc = request_launch(g, want, m, info, result, e);
    bool done = rc == 0 && !launch_result_failed(result);
    if (done && m && wants_replay(want))
        rc = gpu_replay(g, m, info, want, result, e);
    if (done && rc == 0)
        rc = mirrors_launched(g, e);
    if (done && rc == 0)
        rc = mirrors_fetch_small(g, e);
    if (rc != 0)
        launch_result_free(result);
    return rc;
}

/* Changes the address of n floats, one each step, to their address on the card. They must be in one
 * array. */
static int move_to_card(const struct gpu_device *g, uint64_t *address, uint64_t n, int step,
                        struct err *e)
{
    uint64_t floats = n ? (n - 1) * (uint64_t)step + 1 : 0;
    const struct mirror *m = mirror_at(g, *address, floats * sizeof(float), e);
    if (!m)
        return -1;
    *address += m->there - m->address;
    return 0;
}

static int move_dot(const struct gpu_device *g, struct dot_job *dot, struct err *e)
{
    return move_to_card(g, &dot->x, dot->n, dot->step_x, e) ||
                   move_to_card(g, &dot->y, dot->n, dot->step_y, e) ||
                   move_to_card(g, &dot->to, 1, 1, e)
               ? -1
               : 0;
}

static int move_product(const struct gpu_device *g, struct product_job *p, struct err *e)
{
    uint64_t m = (uint64_t)p->m, n = (uint64_t)p->n, k = (uint64_t)p->k;
    return move_to_card(g, &p->a, m * k, 1, e) || move_to_card(g, &p->b, k * n, 1, e) ||
                   move_to_card(g, &p->c, m * n, 1, e) || move_to_card(g, &p->one, 1, 1, e) ||
                   move_to_card(g, &p->zero, 1, 1, e)
               ? -1
               : 0;
}

static int move_library(const struct gpu_device *g, int kind, union library_job *job,
                        struct err *e)
{
    switch (kind) {
    case JOB_DOT: return move_dot(g, &job->dot, e);
    case JOB_PRODUCT: return move_product(g, &job->product, e);
    default: return move_to_card(g, &job->random.to, job->random.n, 1, e);
    }
}

/* A job without a kernel: a call of a library, or a copy to another card. */
static int launch_library(struct gpu_device *g, const struct launch_want *want,
                          struct launch_result *result, struct err *e)
{
    static const struct kernel_info no_kernel = {.name = ""};
    struct launch_want there = *want;
    struct launch_job job = *want->job;
    union library_job moved;
    if (gpu_ensure_free(g, e) != 0)
        return -1;
    if (job.kind == JOB_PEER)
        return launch(g, want, NULL, &no_kernel, result, e);
    memcpy(&moved, job.what, job.what_bytes);
    job.what = &moved;
    there.job = &job;
    if (move_library(g, job.kind, &moved, e) != 0)
        return -1;
    return launch(g, &there, NULL, &no_kernel, result, e);
}

int gpu_launch(struct device *d, const struct launch_want *want, struct launch_result *result,
               struct err *e)
{
    const struct gpu_kernel_of *k = want->kernel;
    if (!k)
        return launch_library(gpu_of(d), want, result, e);
    return launch(gpu_of(d), want, k->module, &k->module->kernels[k->number], result, e);
}
