/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a lab does with the device: arrays for the time of one command, its module loaded
 * once a session, launches that are checked before they start and told to the report after.
 * How things look on the screen is in labkit/look.c.
 */
#include "labkit/run.h"

#include "os/asset.h"
#include "base/mem.h"
#include "dev/checks.h"
#include "dev/jobs.h"
#include "os/bug.h"
#include "own/element-shape.h"
#include "labkit/ladder/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arrays of the running command ----------------------------------------------------- */

static int remember_array(struct session *s, uint64_t address)
{
    size_t old = s->array_count * sizeof *s->arrays;
    uint64_t *arrays = mem_resize(&allocator_libc, s->arrays, old, old + sizeof *arrays);
    if (!arrays)
        return -1;
    s->arrays = arrays;
    s->arrays[s->array_count++] = address;
    return 0;
}

int lab_array(struct session *s, uint64_t bytes, const char *name, const void *from,
              uint64_t *address, struct report *r)
{
    struct device *d = s->device;
    struct err e = {0};
    if (d->ops->allocate(d, bytes, name, address, &e) != 0)
        return report_fail_err(r, &e);
    if (remember_array(s, *address) != 0) {
        d->ops->free(d, *address, &e);
        fail_memory(&e);
        return report_fail_err(r, &e);
    }
    return from ? session_store(s, *address, from, (size_t)bytes, r) : 0;
}

int lab_host_goes_on(const struct session *s, struct report *r)
{
    return session_goes_on(s, LAB_ADVICE, r);
}

int session_loading_goes_on(void *self, struct err *e)
{
    const struct session *s = self;
    progress_tell(&s->progress, PART_UNKNOWN);
    switch (budget_end(&s->budget)) {
    case BUDGET_LEFT: return 0;
    case BUDGET_STOPPED: return fail(e, "interrupted");
    default: break;
    }
    return fail(e, "loading it takes longer than %g s, the time limit", budget_limit(&s->budget));
}

int session_load_failed(const struct session *s, struct report *r, const struct err *e)
{
    enum budget_end end = budget_end(&s->budget);
    return end == BUDGET_LEFT || end == BUDGET_STOPPED ? report_fail_err(r, e)
                                                       : report_fault(r, "timeout", "%s", e->text);
}

uint64_t lab_seed(const struct session *s, const struct lab_options *o)
{
    return o->seed_given ? o->seed : s->settings.seed;
}

void session_begin_command(struct session *s, bool counting, unsigned runs)
{
    s->counting = counting;
    s->runs = runs;
    s->launched = s->launch_number = 0;
}

void lab_arrays_free(struct session *s)
{
    struct err ignored;
    for (unsigned i = s->array_count; i-- > 0;)
        s->device->ops->free(s->device, s->arrays[i], &ignored);
    mem_free(&allocator_libc, s->arrays, s->array_count * sizeof *s->arrays);
    s->arrays = NULL;
    s->array_count = 0;
}

void session_end_command(struct session *s)
{
    lab_arrays_free(s);
    s->counting = false;
    s->runs = 0;
}

void session_leave_device(struct session *s)
{
    if (!s->device)
        return;
    lab_arrays_free(s);
    for (unsigned i = 0; i < s->loaded_count; i++)
        s->device->ops->unload(s->device, s->loaded[i].module);
    mem_free(&allocator_libc, s->loaded, s->loaded_count * sizeof *s->loaded);
    s->loaded = NULL;
    s->loaded_count = 0;
    device_close(s->device);
    s->device = NULL;
}

bool session_on_gpu(const struct session *s)
{
    return strcmp(s->device->kind, "gpu") == 0;
}

int session_put_gpu_aside(struct session *s, struct gpu_aside *aside, struct report *r)
{
    return session_put_aside(s, &s->device->props, aside, r);
}

int session_put_aside(struct session *s, const struct device_props *card, struct gpu_aside *aside,
                      struct report *r)
{
    struct err e = {0};
    struct device *sim = sim_device_open(card, &e);
    if (!sim)
        return report_fail_err(r, &e);
    *aside = (struct gpu_aside){s->device, s->loaded, s->arrays, s->loaded_count, s->array_count};
    s->device = sim;
    s->loaded = NULL;
    s->arrays = NULL;
    s->loaded_count = s->array_count = 0;
    return 0;
}

void session_take_gpu_back(struct session *s, struct gpu_aside *aside)
{
    session_leave_device(s);
    s->device = aside->device;
    s->loaded = aside->loaded;
    s->loaded_count = aside->loaded_count;
    s->arrays = aside->arrays;
    s->array_count = aside->array_count;
}

/* ---- modules --------------------------------------------------------------------------- */

static struct loaded_module *loaded_named(const struct session *s, const char *name)
{
    for (unsigned i = 0; i < s->loaded_count; i++)
        if (strcmp(s->loaded[i].name, name) == 0)
            return &s->loaded[i];
    return NULL;
}

static struct loaded_module *new_loaded(struct session *s, const char *name)
{
    size_t old = s->loaded_count * sizeof *s->loaded;
    struct loaded_module *all = mem_resize(&allocator_libc, s->loaded, old, old + sizeof *all);
    if (!all)
        return NULL;
    s->loaded = all;
    struct loaded_module *l = &all[s->loaded_count++];
    *l = (struct loaded_module){.module = NULL};
    snprintf(l->name, sizeof l->name, "%s", name);
    return l;
}

int lab_module_text(struct session *s, const char *name, const char *ptx, size_t n, void **module,
                    struct report *r)
{
    struct device *d = s->device;
    struct err e = {0};
    char path[80];
    snprintf(path, sizeof path, "%s.ptx", name);
    void *fresh = d->ops->load(d, path, ptx, n, &e);
    if (!fresh && e.line)
        return report_fail(r, "%s:%d: %s", path, e.line, e.text);
    if (!fresh) {
        struct err named;
        fail(&named, "%s: %s", path, e.text);
        return session_load_failed(s, r, &named);
    }
    struct loaded_module *place = loaded_named(s, name);
    if (!place)
        place = new_loaded(s, name);
    if (!place) {
        d->ops->unload(d, fresh);
        fail_memory(&e);
        return report_fail_err(r, &e);
    }
    if (place->module)
        d->ops->unload(d, place->module);
    *module = place->module = fresh;
    return 0;
}

int lab_module(struct session *s, const char *name, void **module, struct report *r)
{
    const struct loaded_module *there = loaded_named(s, name);
    if (there) {
        *module = there->module;
        return 0;
    }
    char path[80];
    snprintf(path, sizeof path, "kernels/ptx/%s.ptx", name);
    const struct asset *asset = asset_find(path);
    if (!asset)
        return report_fail(r, "this build has no %s; %s", path, asset_cure);
    return lab_module_text(s, name, (const char *)asset->data, asset->size, module, r);
}

int lab_variable(struct session *s, const char *name, const char *variable, uint64_t *address,
                 struct report *r)
{
    void *module;
    if (lab_module(s, name, &module, r) != 0)
        return -1;
    *address = device_find_variable(s->device, module, variable);
    if (*address)
        return 0;
    bug("%s.ptx has no variable %s", name, variable);
    return report_fail(r, "internal: %s.ptx has no variable `%s`; please report this", name,
                       variable);
}

int lab_symbol_store(struct session *s, const char *module, const char *symbol, const void *from,
                     uint64_t bytes, struct report *r)
{
    uint64_t address;
    return lab_variable(s, module, symbol, &address, r) != 0
               ? -1
               : session_store(s, address, from, bytes, r);
}

int lab_symbol_fetch(struct session *s, const char *module, const char *symbol, void *to,
                     uint64_t bytes, struct report *r)
{
    uint64_t address;
    return lab_variable(s, module, symbol, &address, r) != 0
               ? -1
               : session_fetch(s, to, address, bytes, r);
}

/* ---- checking the shape of a launch ---------------------------------------------------- */

static int check_extent(const unsigned v[3], const int64_t most[3], const char *what,
                        const char *of, struct report *r)
{
    for (int i = 0; i < 3; i++) {
        if (v[i] == 0)
            return report_fail(r, "0 %s in %s: there must be at least 1", what, of);
        if (most[i] && v[i] > most[i])
            return report_fail(r, "%u %s along %c in %s: this device allows at most %" PRId64, v[i],
                               what, "xyz"[i], of, most[i]);
    }
    return 0;
}

static int check_block(const unsigned block[3], const struct device_props *p, struct report *r)
{
    /* Each factor is below 2^32, so two of them and a check come before the third. */
    uint64_t xy = (uint64_t)block[0] * block[1];
    uint64_t threads = xy > UINT32_MAX ? xy : xy * block[2];
    if (threads && p->max_threads_per_block && threads > (uint64_t)p->max_threads_per_block)
        return report_fail(r, "%" PRIu64 " threads in a block: this device allows at most %d; "
                           "take more blocks of fewer threads", threads, p->max_threads_per_block);
    const int64_t most[3] = {p->max_block[0], p->max_block[1], p->max_block[2]};
    return check_extent(block, most, "threads", "a block", r);
}

static int check_grid(const struct lab_launch *l, const struct device_props *p, struct report *r)
{
    if (check_extent(l->grid, p->max_grid, "blocks", "a grid", r) != 0)
        return -1;
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    for (int i = 0; i < 3; i++) {
        if (threads > (UINT64_C(1) << 62) / l->grid[i])
            return report_fail(r,
                               "%u x %u x %u blocks of that size are more than 2^62 threads; "
                               "take a smaller grid",
                               l->grid[0], l->grid[1], l->grid[2]);
        threads *= l->grid[i];
    }
    return 0;
}

static int check_shared(const struct lab_launch *l, const struct kernel_info *k,
                        const struct device_props *p, struct report *r)
{
    uint64_t most = p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
    if (!most || (k->static_shared <= most && l->shared_bytes <= most - k->static_shared))
        return 0;
    if (k->static_shared == 0)
        return report_fail(r,
                           "%" PRIu64 " bytes of shared memory per block: this device allows at "
                           "most %" PRIu64,
                           l->shared_bytes, most);
    return report_fail(r,
                       "%" PRIu64 " bytes of shared memory per block and the kernel's own "
                       "%" PRIu64 ": this device allows at most %" PRIu64 " together",
                       l->shared_bytes, k->static_shared, most);
}

/* A launch as given, with y and z filled in, fits the device; or the report says what would. */
static int check_launch(struct lab_launch *l, const struct kernel_info *k,
                        const struct device_props *p, struct report *r)
{
    for (int i = 1; i < 3; i++) {
        l->grid[i] += l->grid[i] == 0;
        l->block[i] += l->block[i] == 0;
    }
    if (l->as_written)
        return 0;
    if (check_block(l->block, p, r) != 0 || check_grid(l, p, r) != 0)
        return -1;
    return check_shared(l, k, p, r);
}

/* ---- launching ------------------------------------------------------------------------- */

struct launch_how session_how(struct session *s, const char *schedule, uint64_t seed, bool trace)
{
    const struct settings *set = &s->settings;
    struct schedule_range range = {.name = NULL};
    struct err ignored;
    struct launch_how how = {.schedule = "lockstep",
                             .seed = seed ? seed : set->seed,
                             .stop = &s->stop,
                             .progress = &s->progress,
                             .step_limit = set->step_limit,
                             .time_limit = budget_limit(&s->budget),
                             .cores = (unsigned)set->threads,
                             .counters = s->counting || set->counters,
                             .runs = s->runs,
                             .checks = check_all(),
                             .shape_of = element_shape_of,
                             .shapes = s,
                             .trace_warp = trace ? 0 : -1};
    if (schedule_read(schedule ? schedule : set->schedule, &range, &ignored) == 0)
        how.schedule = range.name;
    if (range.seeded) /* of a range, the first one */
        how.seed = range.first;
    return how;
}

const struct launch_look *session_look_at(struct session *s, const struct launch_want *want)
{
    s->launch_number++;
    return s->look && s->look->wants(s->look->self, want) ? s->look : NULL;
}

void session_number_faults(const struct session *s, const struct launch_want *want,
                           struct launch_result *result)
{
    for (unsigned i = 0; i < result->fault_count; i++) {
        struct fault *f = &result->faults[i];
        f->launch = s->launch_number;
        snprintf(f->kernel, sizeof f->kernel, "%s", want->name);
    }
}

static bool is_apart(const char *schedule)
{
    return strcmp(schedule, "independent") == 0;
}

bool session_lanes_apart(struct session *s)
{
    return !session_on_gpu(s) && is_apart(session_how(s, NULL, 0, false).schedule);
}

void say_together(struct report *r, struct session *s)
{
    if (session_lanes_apart(s))
        say_item(r, "", "here the lanes of a warp run together: one instruction of a whole warp is "
                        "counted (help schedule)");
}

static int find_lab_kernel(struct session *s, const struct lab_launch *l, const void **kernel,
                           struct kernel_info *info, struct report *r)
{
    void *module;
    if (lab_module(s, l->module, &module, r) != 0)
        return -1;
    *kernel = device_find_kernel(s->device, module, l->kernel, info);
    if (*kernel)
        return 0;
    bug("%s.ptx has no kernel %s", l->module, l->kernel);
    return report_fail(r, "internal: %s.ptx has no kernel `%s`; please report this", l->module,
                       l->kernel);
}

/* A command may have many short launches: the limit is of all that it does. Of Ctrl-C the launch
 * itself tells. */
static int check_time_left(const struct session *s, struct report *r)
{
    return s->stop ? 0 : session_goes_on(s, "fewer or smaller launches may fit", r);
}

static int tell_launch(const struct launch_want *want, bool quiet, struct launch_result *result,
                       struct report *r)
{
    if (quiet || report_launch_add(r, want, result) == 0)
        return 0;
    launch_result_free(result);
    return -1;
}

/* What a lab launches beside its kernels, to warm up or to look at something, is not told, and it
 * is not timed. */
static bool is_beside(const struct session *s, bool quiet)
{
    return quiet && !s->trying;
}

int session_launch(struct session *s, const struct launch_want *given, bool quiet,
                   struct launch_result *result, struct report *r)
{
    struct err e = {0};
    struct launch_how how = *given->how;
    struct launch_want now = *given, *want = &now;
    want->how = &how;
    how.time_spent = budget_spent(&s->budget);
    now.follows = s->launched++ > 0;
    now.beside = is_beside(s, quiet);
    if (strcmp(want->how->schedule, "independent") == 0 && !session_on_gpu(s) &&
        !device_drifts(&s->device->props))
        return report_fail(r, "lanes of a %s (compute capability %d.%d) can't run independently: "
                              "they do since 7.0; take schedule lockstep or random, or a later "
                              "device",
                           s->device->props.name, s->device->props.major,
                           s->device->props.minor);
    if (check_time_left(s, r) != 0)
        return -1;
    how.look = want->job ? NULL : session_look_at(s, want);
    if (s->device->ops->launch(s->device, want, result, &e) != 0)
        return report_fail_err(r, &e);
    session_number_faults(s, want, result);
    s->kept_launches += !want->job && !want->beside;
    return tell_launch(want, quiet, result, r);
}

static const char no_cublas[] =
    "cuBLAS is NVIDIA's library for their GPUs, and this is the simulator";

static int call_job(struct session *s, const char *function, struct launch_job job, bool quiet,
                    struct launch_result *result, struct report *r)
{
    struct launch_how how = session_how(s, NULL, 0, false);
    const struct launch_want call = {.name = function, .how = &how, .job = &job,
                                     .beside = is_beside(s, quiet)};
    struct err e = {0};
    *result = (struct launch_result){0};
    if (check_time_left(s, r) != 0)
        return -1;
    how.time_spent = budget_spent(&s->budget);
    if (s->device->ops->launch(s->device, &call, result, &e) != 0)
        return report_fail_err(r, &e);
    s->kept_launches += !result->not_run[0] && job.kind != JOB_PEER && !call.beside;
    return tell_launch(&call, quiet || result->not_run[0], result, r);
}

int lab_cublas_dot(struct session *s, const struct dot_job *dot, bool quiet,
                   struct launch_result *result, struct report *r)
{
    const struct launch_job job = {.kind = JOB_DOT, .what = dot, .what_bytes = sizeof *dot,
                                   .lacking = no_cublas};
    return call_job(s, "cublasSdot", job, quiet, result, r);
}

int lab_peer_copy(struct session *s, const struct peer_job *p, double *seconds,
                  struct launch_result *result, struct report *r)
{
    const struct launch_job job = {.kind = JOB_PEER, .what = p, .what_bytes = sizeof *p,
                                   .out = seconds, .out_bytes = PEER_WAYS * sizeof *seconds,
                                   .lacking = "simulated GPUs have no wires between them"};
    return call_job(s, "cuMemcpyPeerAsync", job, true, result, r);
}

int lab_cublas_product(struct session *s, const struct product_job *p, bool quiet,
                       struct launch_result *result, struct report *r)
{
    const struct launch_job job = {.kind = JOB_PRODUCT, .what = p, .what_bytes = sizeof *p,
                                   .lacking = no_cublas};
    return call_job(s, "cublasSgemm", job, quiet, result, r);
}

int lab_curand_uniform(struct session *s, const struct random_job *j, bool quiet,
                       struct launch_result *result, struct report *r)
{
    const struct launch_job job = {.kind = JOB_RANDOM, .what = j, .what_bytes = sizeof *j,
                                   .lacking = "the host's functions of cuRAND need one of NVIDIA's "
                                              "GPUs, and this is the simulator"};
    return call_job(s, "curandGenerateUniform", job, quiet, result, r);
}

/* Of what is known to never end, a second on a GPU shows enough: several such launches must leave
 * room for the rest of their command. The limits that are set may be lower still. */
enum { EXPECTED_WAIT = 1 };

static void expect_no_end(struct launch_how *how, uint64_t steps, const struct session *s)
{
    const double seconds = budget_spent(&s->budget) + EXPECTED_WAIT;
    if (!how->step_limit || how->step_limit > steps)
        how->step_limit = steps;
    if (session_on_gpu(s) && (how->time_limit <= 0 || how->time_limit > seconds))
        how->time_limit = seconds;
}

int lab_launch(struct session *s, const struct lab_launch *given, struct launch_result *result,
               struct report *r, const struct param *given_params)
{
    struct lab_launch l = *given;
    struct kernel_info info;
    const void *kernel;
    struct err e = {0};
    unsigned char params[PARAM_BYTES_MOST] = {0};

    *result = (struct launch_result){0};
    if (find_lab_kernel(s, &l, &kernel, &info, r) != 0 ||
        check_launch(&l, &info, &s->device->props, r) != 0)
        return -1;
    if (params_lay_out(given_params, &info, params, &e) != 0) {
        bug("%s", e.text);
        return report_fail_err(r, &e);
    }
    struct launch_how how = session_how(s, l.schedule, l.seed, l.trace);
    how.counters = how.counters || l.counts;
    how.meetings = l.meetings;
    if (l.trace)
        how.trace_warp = (int)l.warp;
    if (l.together && !l.schedule && is_apart(how.schedule))
        how.schedule = "lockstep";
    how.plain = l.plain;
    if (l.step_limit)
        expect_no_end(&how, l.step_limit, s);
    struct launch_want want = {.kernel = kernel,
                               .name = info.name,
                               .shared_bytes = l.shared_bytes,
                               .not_opted_in = l.as_written,
                               .params = params,
                               .param_bytes = info.param_bytes,
                               .how = &how,
                               .job = l.job};
    memcpy(want.grid, l.grid, sizeof want.grid);
    memcpy(want.block, l.block, sizeof want.block);
    return session_launch(s, &want, l.quiet, result, r);
}
