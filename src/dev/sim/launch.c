/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file does a launch on the simulator. The launch runs in slices, and between them Ctrl-C and
 * the time limit are checked. The library itself counts nothing: counters, the trace and the
 * checkers are observers that this file adds.
 */
#include "dev/sim/sim-device.h"

#include "base/mem.h"
#include "base/num.h"
#include "os/clock.h"

#include <stdio.h>
#include <string.h>

enum { SLICE = 1 << 20 }; /* warp instructions between two looks at the clock: some 20 ms */

/* These observers watch a launch: its counters, what else was asked for, and the checkers. */
struct watch {
    struct tracer tracer;
    struct count_each each;
    struct meetings meetings;
    struct checking checking;
    struct cost *cost;
    struct sim_observer observers[5 + CHECKER_COUNT];
    unsigned count;
    bool finished;
};

static enum sim_schedule schedule_named(const char *name)
{
    if (name && strcmp(name, "independent") == 0)
        return SIM_INDEPENDENT;
    return name && strcmp(name, "random") == 0 ? SIM_RANDOM : SIM_LOCKSTEP;
}

static void out_of_time(struct sim_run *run, double limit)
{
    char message[80], seconds[NUM_TEXT];
    snprintf(message, sizeof message, "no end after %s s", num_f64(limit, seconds));
    sim_stop(run, SIM_TIMEOUT, message);
}

/* The fault with the line at which a launch was stopped. NULL: no line is known. */
static const struct sim_fault *where_stopped(struct sim_run *run)
{
    const struct sim_result *r = sim_result(run);
    for (unsigned i = r->fault_count; i-- > 0;)
        if (r->faults[i].kind == SIM_TIMEOUT)
            return r->faults[i].has_place && r->faults[i].at.line ? &r->faults[i] : NULL;
    return NULL;
}

/* "3", or "(1,2,0)" if y or z are used. */
static const char *place_text(const unsigned v[3], char text[40])
{
    if (v[1] || v[2])
        snprintf(text, 40, "(%u,%u,%u)", v[0], v[1], v[2]);
    else
        snprintf(text, 40, "%u", v[0]);
    return text;
}

/* After Ctrl-C: the error says at which line the kernel was. */
static int interrupted(struct sim_run *run, struct err *e)
{
    static const char word[] = "interrupted";
    char block[40], thread[40];
    sim_stop(run, SIM_TIMEOUT, word);
    const struct sim_fault *f = where_stopped(run);
    if (!f)
        return fail(e, "%s", word);
    fail(e, "%s: block %s, thread %s was at %.120s:%d%s", word,
         place_text(f->at.block, block), place_text(f->at.thread, thread), f->at.file, f->at.line,
         f->message + strlen(word));
    snprintf(e->source, sizeof e->source, "%.120s:%d", f->at.file, f->at.line);
    return -1;
}

/* Runs it to its end or to a limit; -1: Ctrl-C ended it. */
static int drive(struct sim_run *run, const struct launch_how *how, bool *finished, struct err *e)
{
    const double start = clock_seconds();
    enum sim_status status;
    while ((status = sim_step(run, SLICE)) == SIM_RUNNING) {
        progress_tell(how->progress, sim_part(run));
        if (how->stop && *how->stop)
            return interrupted(run, e);
        if (how->time_limit > 0 && how->time_spent + clock_seconds() - start >= how->time_limit) {
            out_of_time(run, how->time_limit);
            break;
        }
    }
    *finished = status == SIM_DONE;
    return 0;
}

/* Adds the observers that the launch asks for. */
static int begin_watch(struct watch *w, struct sim_device *d, const struct launch_want *want,
                       struct launch_result *result)
{
    const struct launch_how *how = want->how;
    const struct device_props *props = &d->base.props;
    w->tracer = (struct tracer){.result = result, .warp = (unsigned)how->trace_warp};
    w->each.memory = how->by_line ? &result->memory : NULL;
    w->observers[w->count++] =
        how->by_line ? count_each_observer(&w->each) : count_observer(&result->counters);
    if (how->trace_warp >= 0)
        w->observers[w->count++] = sim_tracer(&w->tracer);
    if (how->meetings)
        w->observers[w->count++] = meetings_observer(&w->meetings, &result->memory);
    if (how->touched)
        w->observers[w->count++] = touched_observer(how->touched);
    if (model_knows(props)) {
        const struct cost_card card = model_card(props, &result->modelled);
        w->cost = cost_new(&card);
    }
    if (w->cost)
        w->observers[w->count++] = cost_observer(w->cost);
    int rc = checking_begin(&w->checking, &d->checks, how->checks);
    for (unsigned i = 0; i < w->checking.count; i++)
        w->observers[w->count++] = w->checking.observers[i];
    return rc;
}

static void end_watch(struct watch *w, struct launch_result *result)
{
    cost_free(w->cost);
    checking_end(&w->checking, w->finished);
    result->partly_checked = w->checking.partly;
    findings_free(&w->checking.found);
}

static int copy_result(struct launch_result *to, const struct sim_result *from, struct watch *w,
                       const struct sim_kernel *kernel)
{
    checking_settle(&w->checking);
    if (w->checking.found.lost || sim_copy_faults(to, from, &w->checking, kernel) != 0 ||
        sim_copy_prints(to, from) != 0)
        return -1;
    to->steps = from->steps;
    to->meetings = w->meetings.items;
    to->meeting_count = w->meetings.count;
    /* The model knows nothing of child grids. */
    to->has_model = w->finished && w->cost && !to->child_grids &&
                    cost_take(w->cost, from, &to->cost);
    return w->finished ? sim_copy_counts(to, &w->each, from) : 0;
}

static struct sim_launch sim_launch_of(const struct launch_want *want)
{
    const struct launch_how *how = want->how;
    struct sim_launch l = {SIM_LAUNCH, .kernel = want->kernel,
                           .shared_bytes = want->shared_bytes,
                           .params = want->params,
                           .schedule = schedule_named(how->schedule),
                           .seed = how->seed,
                           .step_limit = how->step_limit,
                           .plain = how->plain,
                           .not_opted_in = want->not_opted_in,
                           .clock = want->clock,
                           .shape_of = how->shape_of,
                           .shapes = how->shapes};
    memcpy(l.grid, want->grid, sizeof l.grid);
    memcpy(l.block, want->block, sizeof l.block);
    memcpy(l.cluster, want->cluster, sizeof l.cluster);
    return l;
}

/* Gives the launch away. Always -1. */
static int give_launch(struct sim_device *d, const struct launch_want *want, struct err *e)
{
    const struct sim_launch l = sim_launch_of(want);
    const struct launch_look *look = want->how->look;
    d->taken = look->take(look->self, &d->base, d->sim, &l, e) == 0;
    return d->taken ? fail(e, DEVICE_TAKEN) : -1;
}

/* Starts the launch, drives it to its end and copies its results. */
static int watched_launch(struct device *d, const struct launch_want *want, struct watch *w,
                          struct launch_result *result, struct err *e)
{
    const struct launch_how *how = want->how;
    struct sim_launch l = sim_launch_of(want);
    l.observers = w->observers;
    l.observer_count = w->count;
    sim_set_cores(sim_of(d)->sim, how->cores);
    struct sim_run *run = sim_start(sim_of(d)->sim, &l);
    if (!run)
        return sim_device_failed(d, e);
    int rc = drive(run, how, &w->finished, e);
    const struct sim_children children = sim_children(run);
    if (sim_copy_children(result, &children) != 0 && rc == 0)
        rc = fail_memory(e);
    if (rc == 0 && copy_result(result, sim_result(run), w, l.kernel) != 0)
        rc = fail_memory(e);
    sim_finish(run);
    return rc;
}

static uint64_t product(const unsigned n[3])
{
    return (uint64_t)n[0] * n[1] * n[2];
}

static struct model_launch launch_of(const struct launch_want *want)
{
    const struct sim_kernel *k = want->kernel;
    return (struct model_launch){.threads = (unsigned)product(want->block),
                                 .blocks = product(want->grid),
                                 .shared_bytes = want->shared_bytes + k->static_shared,
                                 .follows = want->follows};
}

int sim_device_launch(struct device *d, const struct launch_want *want,
                      struct launch_result *result, struct err *e)
{
    const double start = clock_seconds();
    struct watch *w = mem_alloc(&allocator_libc, sizeof *w); /* large, and stacks may be small */
    *result = (struct launch_result){0};
    if (!w)
        return fail_memory(e);
    if (sim_device_free_of_looks(d, e) != 0 || want->how->look) {
        mem_free(&allocator_libc, w, sizeof *w);
        return sim_of(d)->taken ? -1 : give_launch(sim_of(d), want, e);
    }
    if (want->job) {
        snprintf(result->not_run, sizeof result->not_run, "%s", want->job->lacking);
        mem_free(&allocator_libc, w, sizeof *w);
        return 0;
    }
    result->modelled = launch_of(want);
    int rc = begin_watch(w, sim_of(d), want, result);
    rc = rc == 0 ? watched_launch(d, want, w, result, e) : fail_memory(e);
    end_watch(w, result);
    mem_free(&allocator_libc, w, sizeof *w);
    result->measured_s = clock_seconds() - start;
    result->has_time = true;
    if (rc == 0 && result->has_model)
        result->model = model_time(&d->props, &result->modelled, &result->counters,
                                   &result->cost);
    if (rc != 0)
        launch_result_free(result);
    return rc;
}

int sim_device_check_taken(struct device *d, const struct launch_seen *seen, unsigned checks,
                           struct launch_result *result, struct err *e)
{
    struct watch *w = mem_alloc(&allocator_libc, sizeof *w);
    int rc = w ? 0 : fail_memory(e);
    *result = (struct launch_result){0};
    if (rc == 0 && checking_begin(&w->checking, &sim_of(d)->checks, checks) != 0)
        rc = fail_memory(e);
    const struct sim_result *r =
        rc == 0 ? seen->observe(seen->self, w->checking.observers, w->checking.count, e) : NULL;
    if (r) {
        checking_settle(&w->checking);
        if (w->checking.found.lost ||
            sim_copy_faults(result, r, &w->checking, seen->kernel) != 0)
            rc = fail_memory(e);
    }
    if (w)
        end_watch(w, result);
    mem_free(&allocator_libc, w, sizeof *w);
    if (rc != 0 || !r)
        launch_result_free(result);
    return r ? rc : -1;
}
