/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulator behind struct device. Each device is one handle of libcudasim, with the
 * limits of the card it stands for. A launch is driven from here in slices, so that Ctrl-C
 * and the time limit are looked at between them; what came of it is copied into memory of
 * the launch_result before the run is finished. The library counts nothing itself: the
 * counters and the trace are observers that are put on here.
 */
#include "dev/device.h"

#include "os/clock.h"
#include "base/num.h"
#include "obs/finding.h"
#include "obs/meeting.h"
#include "obs/race.h"
#include "obs/shadow.h"
#include "obs/uninit.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 1 << 20,  /* warp instructions between looks at the clock: some 20 ms */
    TRACE_MOST = 4096 /* steps kept of the traced warp; a screen shows far fewer */
};

struct sim_device {
    struct device base;
    struct sim *sim;
    struct uninit *written;  /* which bytes of the arrays are */
    struct kept_chunks kept; /* memory for the race checker of the next launch */
    struct err stopped;      /* why the loading of a module had to stop */
};

/* A module with its kernels described once, as long as it is loaded. */
struct sim_device_module {
    struct sim_module *module;
    struct kernel_info *kernels;
    size_t count;
    struct arena memory;
};

static struct sim_device *self(struct device *d)
{
    return (struct sim_device *)d;
}

static int sim_failed(struct device *d, struct err *e)
{
    return fail(e, "%s", sim_message(self(d)->sim));
}

/* ---- memory ---------------------------------------------------------------------------- */

static int get(struct device *d, size_t bytes, const char *name, uint64_t *address, struct err *e)
{
    if (sim_malloc(self(d)->sim, bytes, name, address) != 0)
        return sim_failed(d, e);
    uninit_array(self(d)->written, *address, bytes);
    return 0;
}

int sim_device_get_at(struct device *d, uint64_t address, size_t bytes, const char *name,
                      struct err *e)
{
    if (sim_malloc_at(self(d)->sim, address, bytes, name) != 0)
        return sim_failed(d, e);
    uninit_array(self(d)->written, address, bytes);
    return 0;
}

static int put(struct device *d, uint64_t address, struct err *e)
{
    if (sim_free(self(d)->sim, address) != 0)
        return sim_failed(d, e);
    uninit_drop(self(d)->written, address);
    return 0;
}

static int write_to(struct device *d, uint64_t to, const void *from, size_t bytes, struct err *e)
{
    if (sim_write(self(d)->sim, to, from, bytes) != 0)
        return sim_failed(d, e);
    uninit_wrote(self(d)->written, to, bytes);
    return 0;
}

static int read_from(struct device *d, void *to, uint64_t from, size_t bytes, struct err *e)
{
    return sim_read(self(d)->sim, from, to, bytes) == 0 ? 0 : sim_failed(d, e);
}

static void copied(struct device *d, uint64_t to, struct device *other, uint64_t from)
{
    if (other->ops == d->ops)
        uninit_copied(self(d)->written, to, self(other)->written, from);
}

/* ---- textures -------------------------------------------------------------------------- */

/* What kernels write to a surface nobody watches: it counts as written from the start. */
static int texture_get(struct device *d, const struct sim_texture *t, bool surface,
                       uint64_t *handle, struct err *e)
{
    struct sim *sim = self(d)->sim;
    int rc = surface ? sim_surface_make(sim, &t->image, handle) : sim_texture_make(sim, t, handle);
    if (rc != 0)
        return sim_failed(d, e);
    if (surface)
        uninit_wrote(self(d)->written, t->image.address, sim_image_bytes(&t->image));
    return 0;
}

static int texture_put(struct device *d, uint64_t handle, struct err *e)
{
    return sim_texture_free(self(d)->sim, handle) == 0 ? 0 : sim_failed(d, e);
}

/* ---- modules --------------------------------------------------------------------------- */

/* Why it can't run, with the line; NULL: it can, or there is no memory for the text. */
static const char *closed_text(struct arena *memory, const struct sim_kernel *k)
{
    char text[ERR_TEXT + 40];
    if (!k->closed)
        return NULL;
    int n = snprintf(text, sizeof text, "%.*s (line %d of the PTX)", ERR_TEXT, k->closed,
                     k->closed_line);
    const char *kept = arena_text(memory, text, (size_t)n);
    return kept ? kept : k->closed;
}

static int describe_kernel(struct arena *memory, const struct sim_kernel *k,
                           struct kernel_info *info)
{
    struct device_param *params = arena_get(memory, k->param_count * sizeof *params);
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
                                 .closed = closed_text(memory, k)};
    return 0;
}

static int describe_module(struct sim_device_module *m)
{
    m->count = sim_kernel_count(m->module);
    m->kernels = arena_get(&m->memory, m->count * sizeof *m->kernels);
    if (!m->kernels)
        return -1;
    for (size_t i = 0; i < m->count; i++)
        if (describe_kernel(&m->memory, sim_kernel_at(m->module, i), &m->kernels[i]) != 0)
            return -1;
    return 0;
}

static void unload(struct device *d, void *module)
{
    struct sim_device_module *m = module;
    if (!m)
        return;
    if (m->module)
        sim_module_unload(self(d)->sim, m->module);
    arena_free(&m->memory);
    mem_put(&allocator_libc, m, sizeof *m);
}

static bool goes_on(void *ctx)
{
    struct sim_device *d = ctx;
    return go_on(d->base.go_on, &d->stopped) == 0;
}

static void *load(struct device *d, const char *path, const char *ptx, size_t n, struct err *e)
{
    struct sim_device_module *m = mem_get(&allocator_libc, sizeof *m);
    if (!m) {
        fail_memory(e);
        return NULL;
    }
    arena_init(&m->memory, &allocator_libc);
    struct sim *sim = self(d)->sim;
    self(d)->stopped.text[0] = '\0';
    sim_set_go_on(sim, goes_on, d);
    m->module = sim_module_load(sim, path, ptx, n);
    if (!m->module && self(d)->stopped.text[0])
        *e = self(d)->stopped;
    else if (!m->module)
        fail_at(e, sim_message_line(sim), 0, "%s", sim_message(sim));
    else if (describe_module(m) == 0)
        return m;
    else
        fail_memory(e);
    unload(d, m);
    return NULL;
}

static size_t kernel_count(struct device *d, void *module)
{
    (void)d;
    return ((struct sim_device_module *)module)->count;
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

static size_t variable_count(struct device *d, void *module)
{
    (void)d;
    return sim_variable_count(((struct sim_device_module *)module)->module);
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

/* ---- the trace ------------------------------------------------------------------------- */

struct tracer {
    struct launch_result *result;
    size_t capacity;
    unsigned warp;
};

/* Widen one lane of a row of values as struct trace_step keeps them; false: not shown. */
static bool widen(const void *row, unsigned lane, enum sim_type type, uint64_t *out)
{
    float f;
    uint32_t bits;
    switch (type) {
    case SIM_B8:
    case SIM_U8: *out = ((const uint8_t *)row)[lane]; return true;
    case SIM_S8: *out = (uint64_t)((const int8_t *)row)[lane]; return true;
    case SIM_B16:
    case SIM_U16: *out = ((const uint16_t *)row)[lane]; return true;
    case SIM_S16: *out = (uint64_t)((const int16_t *)row)[lane]; return true;
    case SIM_B32:
    case SIM_U32:
    case SIM_F32: *out = ((const uint32_t *)row)[lane]; return true;
    case SIM_S32: *out = (uint64_t)((const int32_t *)row)[lane]; return true;
    case SIM_B64:
    case SIM_U64:
    case SIM_S64: *out = ((const uint64_t *)row)[lane]; return true;
    case SIM_F64:
        f = (float)((const double *)row)[lane];
        memcpy(&bits, &f, sizeof bits);
        *out = bits;
        return true;
    default: return false;
    }
}

static void take_values(struct trace_step *step, const struct sim_event *e)
{
    step->is_float = e->value_type == SIM_F32 || e->value_type == SIM_F64;
    step->has_values = e->after != NULL;
    for (unsigned lane = 0; lane < 32 && step->has_values; lane++)
        step->has_values = widen(e->after, lane, e->value_type, &step->values[lane]);
}

/* Twice the room in the result's arena; the old half is given back with the rest. */
static int more_steps(struct tracer *t)
{
    size_t wanted = t->capacity ? t->capacity * 2 : 64;
    struct trace_step *steps = arena_get(&t->result->memory, wanted * sizeof *steps);
    if (!steps)
        return -1;
    if (t->result->trace_count)
        memcpy(steps, t->result->trace, t->result->trace_count * sizeof *steps);
    t->result->trace = steps;
    t->capacity = wanted;
    return 0;
}

static void see_step(void *data, const struct sim_event *e)
{
    struct tracer *t = data;
    struct launch_result *r = t->result;
    if (e->kind != SIM_EV_STEP || e->block_index != 0 || e->warp != t->warp ||
        e->code->kind == SIM_CLASS_HIDDEN || r->trace_count == TRACE_MOST)
        return;
    if (r->trace_count == t->capacity && more_steps(t) != 0)
        return;
    struct trace_step step = {.line = e->code->line, .mask = e->mask};
    const char *file = e->code->file;
    step.text = arena_text(&r->memory, e->code->text, strlen(e->code->text));
    step.file = file ? arena_text(&r->memory, file, strlen(file)) : NULL;
    take_values(&step, e);
    if (step.text)
        r->trace[r->trace_count++] = step;
}

/* ---- what came of a launch ------------------------------------------------------------- */

static struct fault_place copy_place(const struct sim_place *from)
{
    struct fault_place to = {.line = from->line};
    snprintf(to.file, sizeof to.file, "%s", from->file ? from->file : "");
    memcpy(to.block, from->block, sizeof to.block);
    memcpy(to.thread, from->thread, sizeof to.thread);
    return to;
}

static struct fault copy_fault(const struct sim_fault *from)
{
    struct fault to = {.ends = sim_fault_ends(from->kind),
                       .benign = from->kind == SIM_PRINTF_OVERFLOW || from->kind == SIM_LEAK,
                       .cure = sim_fault_cure(from),
                       .has_place = from->has_place,
                       .has_other = from->has_other,
                       .has_address = from->has_address,
                       .at = copy_place(&from->at),
                       .other = copy_place(&from->other),
                       .ptx_line = from->ptx_line,
                       .address = from->address,
                       .index = from->index,
                       .count = from->count};
    snprintf(to.kind, sizeof to.kind, "%s", sim_fault_name(from->kind));
    snprintf(to.message, sizeof to.message, "%s", from->message);
    snprintf(to.array, sizeof to.array, "%s", from->array ? from->array : "");
    snprintf(to.element, sizeof to.element, "%s", from->element);
    return to;
}

static bool wanted(const struct sim_fault *f, unsigned checks)
{
    bool of_sync = f->kind == SIM_BARRIER_DIVERGENCE || f->kind == SIM_INVALID_SHUFFLE;
    return !of_sync || checks & CHECK_SYNC;
}

static bool same_place(const struct sim_place *p, int ptx_line, const struct sim_fault *f)
{
    if (!f->at.line)
        return ptx_line == f->ptx_line;
    return p->line == f->at.line && p->file && f->at.file && strcmp(p->file, f->at.file) == 0;
}

/* A read that comes before another thread's write finds nothing written. That is one mistake, and
 * the race tells it. */
static bool told_by_race(const struct sim_fault *f, const struct findings *found)
{
    if (f->kind != SIM_UNINITIALIZED || !f->array)
        return false;
    for (size_t i = 0; i < found->count; i++) {
        const struct sim_fault *race = &found->items[i];
        bool races = race->kind == SIM_RACE_SHARED || race->kind == SIM_RACE_GLOBAL;
        if (races && race->array && strcmp(race->array, f->array) == 0 &&
            (same_place(&race->at, race->ptx_line, f) || same_place(&race->other, 0, f)))
            return true;
    }
    return false;
}

/* The library's faults and the checkers' findings, each in order of time, as one list. */
static int copy_faults(struct launch_result *to, const struct sim_result *from,
                       const struct findings *found, unsigned checks)
{
    size_t most = from->fault_count + found->count;
    to->faults = arena_get(&to->memory, most * sizeof *to->faults);
    if (!to->faults)
        return -1;
    for (size_t i = 0, k = 0; i + k < most;) {
        const struct sim_fault *own = i < from->fault_count ? &from->faults[i] : NULL;
        const struct sim_fault *theirs = k < found->count ? &found->items[k] : NULL;
        bool first = own && (!theirs || own->when < theirs->when);
        if (first ? wanted(own, checks) : !told_by_race(theirs, found))
            to->faults[to->fault_count++] = copy_fault(first ? own : theirs);
        i += first;
        k += !first;
    }
    return 0;
}

static int copy_prints(struct launch_result *to, const struct sim_result *from)
{
    to->prints_lost = from->prints_lost;
    to->prints = arena_get(&to->memory, from->print_count * sizeof *to->prints);
    if (!to->prints)
        return -1;
    for (size_t i = 0; i < from->print_count; i++) {
        const struct sim_print *p = &from->prints[i];
        char *text = arena_text(&to->memory, p->text, p->length);
        if (!text)
            return -1;
        to->prints[i] = (struct launch_print){p->block, p->thread, text, p->length};
        to->print_count = i + 1;
    }
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct line_count *x = a, *y = b;
    int files = strcmp(x->file, y->file);
    return files ? files : (x->line > y->line) - (x->line < y->line);
}

/* Instructions of one line come together: sorted, then added up. */
static int copy_lines(struct launch_result *to, const struct count_each *c,
                      const struct sim_result *from)
{
    struct line_count *all = arena_get(&to->memory, (c->count + 1) * sizeof *all);
    size_t count = 0, kept = 0;
    if (!all || !c->each)
        return -1;
    for (uint32_t pc = 0; pc < c->count; pc++)
        if (from->code[pc].file && from->code[pc].line && c->each[pc].warp_instructions)
            all[count++] = (struct line_count){from->code[pc].file, from->code[pc].line,
                                               c->each[pc]};
    qsort(all, count, sizeof *all, by_place);
    for (size_t i = 0; i < count; i++) {
        if (kept && by_place(&all[kept - 1], &all[i]) == 0)
            counters_add(&all[kept - 1].counters, &all[i].counters);
        else
            all[kept++] = all[i];
    }
    for (size_t i = 0; i < kept; i++) /* the names go with the module */
        if (!(all[i].file = arena_text(&to->memory, all[i].file, strlen(all[i].file))))
            return -1;
    to->lines = all;
    to->line_count = kept;
    return 0;
}

static int copy_counts(struct launch_result *to, struct count_each *c,
                       const struct sim_result *from)
{
    to->has_counters = true;
    if (!c->memory) {
        count_tally(&to->counters, from);
        return 0;
    }
    count_each_tally(c, from, &to->counters);
    return copy_lines(to, c, from);
}

/* What watches a launch, besides its counters. */
struct watch {
    struct tracer tracer;
    struct count_each each;
    struct findings found;
    struct race *race;
    struct meetings meetings;
    struct sim_observer observers[5];
    unsigned count;
    bool finished;
};

static int copy_result(struct launch_result *to, const struct sim_result *from, struct watch *w,
                       unsigned checks)
{
    if (w->found.lost || copy_faults(to, from, &w->found, checks) != 0 ||
        copy_prints(to, from) != 0)
        return -1;
    to->steps = from->steps;
    to->meetings = w->meetings.items;
    to->meeting_count = w->meetings.count;
    return w->finished ? copy_counts(to, &w->each, from) : 0;
}

/* ---- launching ------------------------------------------------------------------------- */

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

/* Run to its end or to a limit; -1 where Ctrl-C ended it. */
static int drive(struct sim_run *run, const struct launch_how *how, bool *finished, struct err *e)
{
    const double start = clock_seconds();
    enum sim_status status;
    while ((status = sim_step(run, SLICE)) == SIM_RUNNING) {
        progress_tell(how->progress, sim_part(run));
        if (how->stop && *how->stop) {
            sim_stop(run, SIM_TIMEOUT, "interrupted");
            return fail(e, "interrupted");
        }
        if (how->time_limit > 0 && how->time_spent + clock_seconds() - start >= how->time_limit) {
            out_of_time(run, how->time_limit);
            break;
        }
    }
    *finished = status == SIM_DONE;
    return 0;
}

/* Put on what the launch asks for. What kernels write unwatched counts as written after. */
static int begin_watch(struct watch *w, struct sim_device *d, const struct launch_how *how,
                       struct launch_result *result)
{
    w->tracer = (struct tracer){.result = result, .warp = (unsigned)how->trace_warp};
    w->each.memory = how->by_line ? &result->memory : NULL;
    w->observers[w->count++] =
        how->by_line ? count_each_observer(&w->each) : count_observer(&result->counters);
    if (how->trace_warp >= 0)
        w->observers[w->count++] =
            (struct sim_observer){.wants = SIM_EV_STEP, .see = see_step, .self = &w->tracer};
    if (how->meetings)
        w->observers[w->count++] = meetings_observer(&w->meetings, &result->memory);
    if (how->checks & CHECK_UNINIT)
        w->observers[w->count++] = uninit_observer(d->written, &w->found);
    else
        uninit_all(d->written);
    if (!(how->checks & (CHECK_RACE | CHECK_RACE_STRICT)))
        return 0;
    w->race = race_open(how->checks & CHECK_RACE_STRICT, &w->found, &d->kept);
    if (!w->race)
        return -1;
    w->observers[w->count++] = race_observer(w->race);
    return 0;
}

static void end_watch(struct watch *w, struct sim_device *d, struct launch_result *result)
{
    uninit_end(d->written, w->finished);
    result->partly_checked = w->race && race_partly(w->race);
    race_close(w->race);
    findings_free(&w->found);
}

/* Start, drive to the end, and take over what came of it. */
static int watched_launch(struct device *d, const struct launch_want *want, struct watch *w,
                          struct launch_result *result, struct err *e)
{
    const struct launch_how *how = want->how;
    struct sim_launch l = {.kernel = want->kernel,
                           .shared_bytes = want->shared_bytes,
                           .params = want->params,
                           .schedule = schedule_named(how->schedule),
                           .seed = how->seed,
                           .step_limit = how->step_limit,
                           .plain = how->plain,
                           .not_opted_in = want->not_opted_in,
                           .observers = w->observers,
                           .observer_count = w->count,
                           .shape_of = how->shape_of,
                           .shapes = how->shapes};
    memcpy(l.grid, want->grid, sizeof l.grid);
    memcpy(l.block, want->block, sizeof l.block);
    struct sim_run *run = sim_start(self(d)->sim, &l);
    if (!run)
        return sim_failed(d, e);
    int rc = drive(run, how, &w->finished, e);
    if (rc == 0 && copy_result(result, sim_result(run), w, how->checks) != 0)
        rc = fail_memory(e);
    sim_finish(run);
    return rc;
}

static int launch(struct device *d, const struct launch_want *want, struct launch_result *result,
                  struct err *e)
{
    const double start = clock_seconds();
    struct watch w = {.count = 0};
    *result = (struct launch_result){0};
    arena_init(&result->memory, &allocator_libc);
    if (begin_watch(&w, self(d), want->how, result) != 0)
        return fail_memory(e);
    int rc = watched_launch(d, want, &w, result, e);
    end_watch(&w, self(d), result);
    result->measured_s = clock_seconds() - start;
    result->has_time = true;
    if (rc != 0)
        launch_result_free(result);
    return rc;
}

/* ---- opening and closing --------------------------------------------------------------- */

static void set_unsigned(unsigned *to, int64_t from)
{
    if (from > 0)
        *to = from > UINT32_MAX ? UINT32_MAX : (unsigned)from;
}

static void set_size(size_t *to, uint64_t from)
{
    if (from)
        *to = from;
}

/* What the card's numbers leave open stays as the library has it. */
static struct sim_limits limits_of(const struct device_props *p)
{
    struct sim_limits l = sim_limits_default();
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
    sim_close(self(d)->sim);
    uninit_close(self(d)->written);
    chunks_free(&self(d)->kept);
    mem_put(&allocator_libc, d, sizeof(struct sim_device));
}

/* Its kernels are machine code in NVIDIA's file, and there is no PTX of them to simulate. */
static int dot(struct device *d, const struct device_dot *what, const struct launch_how *how,
               struct launch_result *result, struct err *e)
{
    (void)d, (void)what, (void)how, (void)e;
    *result = (struct launch_result){0};
    snprintf(result->not_run, sizeof result->not_run,
             "cuBLAS is NVIDIA's library for their GPUs, and this is the simulator");
    return 0;
}

static const struct device_ops sim_ops = {.close = close_device,
                                          .get = get,
                                          .put = put,
                                          .write = write_to,
                                          .read = read_from,
                                          .copied = copied,
                                          .texture_get = texture_get,
                                          .texture_put = texture_put,
                                          .load = load,
                                          .unload = unload,
                                          .kernel_count = kernel_count,
                                          .kernel_at = kernel_at,
                                          .variable_count = variable_count,
                                          .variable_at = variable_at,
                                          .launch = launch,
                                          .dot = dot};

struct device *sim_device_open(const struct device_props *props, struct err *e)
{
    struct sim_device *d = mem_get(&allocator_libc, sizeof *d);
    struct sim *sim = d ? sim_open(NULL) : NULL;
    struct uninit *written = sim ? uninit_open() : NULL;
    if (!written) {
        sim_close(sim);
        mem_put(&allocator_libc, d, sizeof *d);
        fail_memory(e);
        return NULL;
    }
    struct sim_limits limits = limits_of(props);
    sim_set_limits(sim, &limits);
    *d = (struct sim_device){
        .base = {.ops = &sim_ops, .props = *props, .kind = "sim"}, .sim = sim, .written = written};
    return &d->base;
}
