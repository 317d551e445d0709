/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modules, kernels and launches of a program.
 */
#include "run/run.h"

#include "base/mem.h"
#include "cc/fatbin.h"
#include "labkit/lab.h"
#include "labkit/run.h"
#include "own/cause.h"

#include "cudalab_runtime_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- modules --------------------------------------------------------------------------- */

enum { PARTS_MOST = 1000 };

/* The PTX of a container that a device of this capability takes: the newest that is not too new. */
static const struct fat_entry *choose(const struct fatbin *fat, unsigned container,
                                      unsigned capability)
{
    const struct fat_entry *best = NULL;
    for (unsigned i = 0; i < fat->count; i++) {
        const struct fat_entry *e = &fat->entries[i];
        if (e->container == container && e->kind == FAT_PTX && e->arch <= capability &&
            (!best || e->arch > best->arch))
            best = e;
    }
    return best;
}

/* A name for the unit, and the source that it has, if that is known. */
static int name_part(struct run *r, struct unit_from *from, char path[200])
{
    const char *source = run_source_of_ptx(r, (struct span){buf_text(&from->ptx), from->ptx.len});
    const struct span text = source ? run_source_text(r, source) : SPAN("");
    snprintf(path, 200, "%.150s", source ? source : "program");
    for (unsigned i = 1; unit_of_path(&r->session, path); i++) /* a name would take its place */
        snprintf(path, 200, "%.150s (%u)", source ? source : "program", i + 1);
    from->path = path;
    from->no_kernels = true;
    return buf_add(&from->source, text.at, text.n);
}

int32_t run_load_parts(struct run *r, struct unit_from *parts, unsigned count, struct err *e)
{
    struct unit *unit;
    struct unit **grown = mem_resize(&allocator_libc, r->modules, r->module_count * sizeof *grown,
                                     (r->module_count + 1) * sizeof *grown);
    if (!grown)
        return cudaErrorMemoryAllocation;
    r->modules = grown;
    grown[r->module_count] = NULL;
    r->module_count++;
    for (unsigned i = 0; i < count; i++)
        parts[i].linked = count > 1;
    if (units_load(&r->session, parts, count, &unit, e) != 0)
        return cudaErrorInvalidPtx;
    r->modules[r->module_count - 1] = unit;
    return 0;
}

/* What the program has from its beginning: it can't ask why it was refused. */
static int32_t load_parts(struct run *r, struct unit_from *parts, unsigned count)
{
    struct err e;
    int32_t error = run_load_parts(r, parts, count, &e);
    if (error == cudaErrorInvalidPtx)
        report_remark(r->report, "%s", e.text);
    return error;
}

const struct fat_entry *run_choose_ptx(const struct run *r, const struct fatbin *fat)
{
    const struct device_props *p = &r->session.device->props;
    const struct fat_entry *entry = NULL;
    for (unsigned c = 1; c <= fat->containers && !entry; c++)
        entry = choose(fat, c, (unsigned)(p->major * 10 + p->minor));
    return entry;
}

/* Unpacks the PTX of each container. Those that have none for this device are left out: with -rdc
 * one of them is the device's part of the runtime, which the simulator has itself. */
static int32_t load_all(struct run *r, const struct fatbin *fat, struct unit_from *parts,
                        char (*paths)[200])
{
    const struct device_props *p = &r->session.device->props;
    struct err e;
    unsigned count = 0;
    int32_t error = 0;
    for (unsigned c = 1; c <= fat->containers && count < PARTS_MOST && !error; c++) {
        const struct fat_entry *entry = choose(fat, c, (unsigned)(p->major * 10 + p->minor));
        if (!entry)
            continue;
        struct unit_from *part = &parts[count];
        if (fat_unpack(entry, &part->ptx, r->session.device->go_on, &e) != 0) {
            report_remark(r->report, "the PTX of the program: %s", e.text);
            error = cudaErrorInvalidKernelImage;
        }
        part->ptx.len = strnlen(buf_text(&part->ptx), part->ptx.len);
        if (name_part(r, part, paths[count]) != 0)
            error = cudaErrorMemoryAllocation;
        for (unsigned i = 0; i < count; i++) /* the same source, with other macros say */
            if (strcmp(paths[i], paths[count]) == 0)
                snprintf(paths[count], sizeof paths[count], "%.150s part %u", paths[i], count + 1);
        count++;
    }
    if (!error && count)
        return load_parts(r, parts, count);
    if (!error)
        report_remark(r->report, "kernels of the program have no PTX for this device. Build all of "
                                 "it with -gencode arch=compute_75,code=compute_75");
    for (unsigned i = 0; i < count; i++) {
        buf_free(&parts[i].ptx);
        buf_free(&parts[i].source);
    }
    return error ? error : cudaErrorNoKernelImageForDevice;
}

int32_t run_load_text(struct run *r, const char *path, struct span source, struct span ptx)
{
    struct unit_from from = {.path = path};
    buf_add(&from.ptx, ptx.at, ptx.n);
    buf_add(&from.source, source.at, source.n);
    return load_parts(r, &from, 1);
}

int32_t run_load(struct run *r, struct run_message *m, struct buf *bytes)
{
    struct err e;
    struct fatbin fat;
    int32_t error = cudaErrorInvalidKernelImage;
    if (fatbin_read((struct span){buf_text(bytes), bytes->len}, &fat, r->session.device->go_on,
                    &e) == 0) {
        const size_t most = fat.containers < PARTS_MOST ? fat.containers : PARTS_MOST;
        struct unit_from *parts = mem_alloc(&allocator_libc, most * sizeof *parts + 1);
        char(*paths)[200] = mem_alloc(&allocator_libc, most * sizeof *paths + 1);
        error = parts && paths ? load_all(r, &fat, parts, paths) : cudaErrorMemoryAllocation;
        mem_free(&allocator_libc, parts, parts ? most * sizeof *parts + 1 : 0);
        mem_free(&allocator_libc, paths, paths ? most * sizeof *paths + 1 : 0);
    }
    run_forget_wanted(r);
    fatbin_free(&fat);
    m->number[0] = error ? 0 : r->module_count;
    return error;
}

/* ---- kernels and variables ------------------------------------------------------------- */

static struct unit *module_of(const struct run *r, uint64_t number)
{
    return number && number <= r->module_count ? r->modules[number - 1] : NULL;
}

static int32_t add_kernel(struct run *r, struct unit *u, const struct unit_kernel *k,
                          struct run_message *m)
{
    m->number[1] = k->info.param_count;
    m->number[2] = k->info.param_bytes;
    for (unsigned i = 0; i < r->kernel_count; i++)
        if (r->kernels[i]->kernel == k) {
            m->number[0] = i + 1;
            return 0;
        }
    struct run_kernel *made = mem_alloc(&allocator_libc, sizeof *made);
    struct run_kernel **grown = mem_resize(&allocator_libc, r->kernels,
                                           r->kernel_count * sizeof *grown,
                                           (r->kernel_count + 1) * sizeof *grown);
    if (grown)
        r->kernels = grown;
    if (!made || !grown) {
        mem_free(&allocator_libc, made, made ? sizeof *made : 0);
        return cudaErrorMemoryAllocation;
    }
    *made = (struct run_kernel){.kernel = k, .unit = u, .library = run_library_of(u)};
    run_find_bound(made);
    grown[r->kernel_count++] = made;
    m->number[0] = r->kernel_count;
    return 0;
}

/* Among those of all files that the module is linked of; *of is the file's unit. */
static const struct unit_kernel *kernel_named(const struct run *r, const struct unit *leader,
                                              const char *name, struct unit **of)
{
    const struct units *all = r->session.units;
    for (unsigned u = 0; leader && u < all->count; u++)
        for (unsigned i = 0; all->all[u]->leader == leader && i < all->all[u]->kernel_count; i++)
            if (strcmp(all->all[u]->kernels[i].info.name, name) == 0) {
                *of = all->all[u];
                return &(*of)->kernels[i];
            }
    return NULL;
}

int32_t run_find_kernel(struct run *r, struct run_message *m, const char *name, struct buf *answer)
{
    struct unit *u;
    const struct unit_kernel *k = kernel_named(r, module_of(r, m->number[0]), name, &u);
    if (k) {
        for (unsigned p = 0; p < k->info.param_count; p++)
            buf_add(answer, (const char *)(const uint32_t[]){k->info.params[p].offset,
                                                             k->info.params[p].size},
                    2 * sizeof(uint32_t));
        return answer->failed ? cudaErrorMemoryAllocation : add_kernel(r, u, k, m);
    }
    return cudaErrorInvalidDeviceFunction;
}

int32_t run_name_kernel(const struct run *r, struct run_message *m, struct buf *answer)
{
    const struct unit *leader = module_of(r, m->number[0]);
    const struct units *all = r->session.units;
    uint64_t count = 0;
    for (unsigned u = 0; leader && u < all->count; u++)
        for (unsigned i = 0; all->all[u]->leader == leader && i < all->all[u]->kernel_count; i++)
            if (count++ == m->number[1])
                buf_puts(answer, all->all[u]->kernels[i].info.name);
    m->number[0] = count;
    return !leader ? cudaErrorInvalidResourceHandle
                   : answer->failed ? cudaErrorMemoryAllocation : 0;
}

int32_t run_find_variable(struct run *r, struct run_message *m, const char *name)
{
    const struct unit *u = module_of(r, m->number[0]);
    struct device *d = r->session.device;
    struct variable_info v;
    for (size_t i = 0; u && d->ops->variable_at(d, u->module, i, &v) == 0; i++) {
        if (strcmp(v.name, name) != 0)
            continue;
        m->number[0] = v.address;
        m->number[1] = v.size;
        return run_know_variable(r, v.address, v.size, name);
    }
    return cudaErrorInvalidSymbol;
}

struct run_kernel *run_kernel_of(const struct run *r, uint64_t number)
{
    return number && number <= r->kernel_count ? r->kernels[number - 1] : NULL;
}

/* ---- launches -------------------------------------------------------------------------- */

enum { KERNEL = LAUNCH_KERNEL, GRID = LAUNCH_GRID, BLOCK = LAUNCH_BLOCK, SHARED = LAUNCH_SHARED,
       COOPERATIVE = LAUNCH_COOPERATIVE, CLUSTER = LAUNCH_CLUSTER };

/* The error that a card gives after a fault. */
static int32_t error_of(const struct launch_result *result)
{
    static const struct { const char *kind; int32_t error; } known[] = {
        {"misaligned", cudaErrorMisalignedAddress}, {"trap", cudaErrorLaunchFailure},
        {"assert", cudaErrorAssert}, {"timeout", cudaErrorLaunchTimeout},
        {"deadlock", cudaErrorLaunchTimeout}, {"stack-overflow", cudaErrorHardwareStackError},
        {"bad-launch", cudaErrorInvalidConfiguration},
        {"unsupported-instruction", cudaErrorInvalidDeviceFunction},
        {"out-of-memory", cudaErrorMemoryAllocation}};
    for (unsigned i = 0; i < result->fault_count; i++) {
        if (!result->faults[i].ends)
            continue;
        for (size_t j = 0; j < sizeof known / sizeof known[0]; j++)
            if (strcmp(result->faults[i].kind, known[j].kind) == 0)
                return known[j].error;
        return cudaErrorIllegalAddress;
    }
    return 0;
}

static bool has_timeout(const struct launch_result *result)
{
    for (unsigned i = 0; i < result->fault_count; i++)
        if (strcmp(result->faults[i].kind, "timeout") == 0)
            return true;
    return false;
}

static void print(struct run *r, const struct launch_result *result)
{
    struct buf text = {0};
    for (size_t i = 0; i < result->print_count; i++)
        buf_add(&text, result->prints[i].text, result->prints[i].length);
    run_print(r, buf_text(&text), text.len);
    buf_free(&text);
}

/* Kernels that device code launched are the program's, too. Their instructions are part of the launch
 * of the host. */
static void count_children(struct run *r, const struct unit *u, const struct launch_result *result)
{
    for (size_t i = 0; i < result->child_kernel_count; i++) {
        const struct child_kernel *c = &result->child_kernels[i];
        struct run_message m = {.what = RUN_LAUNCH};
        struct unit *of;
        const struct unit_kernel *k = kernel_named(r, u->leader, c->name, &of);
        if (k && add_kernel(r, of, k, &m) == 0)
            run_kernel_of(r, m.number[0])->from_device += c->grids;
    }
}

static void count(struct run *r, struct run_kernel *k, const struct launch_want *want,
                  const struct launch_result *result)
{
    k->launches++;
    r->launches++;
    count_children(r, k->unit, result);
    report_launch_model(r->report, want, result);
    k->unmodelled |= !result->has_model;
    if (!result->has_counters)
        return;
    run_time_launch(r, k, want, result);
    k->has_counters = r->report->has_counters = true;
    run_cost_launch(&r->cost, result);
    counters_add(&k->counters, &result->counters);
    counters_add(&r->report->counters, &result->counters);
}

const char *run_kernel_name(const struct run *r, uint64_t number)
{
    const struct run_kernel *k = run_kernel_of(r, number);
    return k ? k->kernel->shown : "";
}

/* Finds the student's names for the files that counted lines are in. */
static void name_lines(struct run *r, struct launch_result *result)
{
    for (size_t i = 0; i < result->line_count; i++) {
        const char *shown = run_source_shown(r, result->lines[i].file);
        if (shown)
            result->lines[i].file = shown;
    }
}

/* The same for the files that a finding names. */
static void name_files(struct run *r, struct fault *f)
{
    struct fault_place *const places[] = {&f->at, &f->other};
    for (int i = 0; i < 2; i++) {
        const char *shown = places[i]->file[0] ? run_source_shown(r, places[i]->file) : NULL;
        if (shown)
            path_put(places[i]->file, sizeof places[i]->file, shown);
    }
}

/* What the result of an execution needs before it is reported: the student's names for files, and
 * what the program's text says of a mistake. */
static void explain(struct run *r, const struct run_message *m, const struct run_kernel *k,
                    struct launch_result *result)
{
    name_lines(r, result);
    for (unsigned i = 0; i < result->fault_count; i++) {
        name_files(r, &result->faults[i]);
        if (k->library) {
            run_blame_caller(r, m, k, &result->faults[i]);
            continue;
        }
        cause_find(&r->session, k->kernel, NULL, &result->faults[i]);
        run_find_cause(r, &result->faults[i]);
    }
}

static int32_t report(struct run *r, struct run_kernel *k, const struct launch_want *want,
                      const struct launch_result *result)
{
    report_found(r->report, result);
    print(r, result);
    count(r, k, want, result);
    return error_of(result);
}

/* The launch was given away, or it can't be, which the error says. In both cases the program ends. */
static int32_t leave(struct run *r, const struct err *e)
{
    r->looked_at = true;
    run_name_arrays(r);
    report_fail_err(r->report, e);
    run_end_program(r);
    return r->broken;
}

/* Executes the launch. `again` keeps it for the next time; NULL: nothing does. */
static int32_t execute(struct run *r, const struct run_message *m, struct run_kernel *k,
                       const struct launch_want *want, struct run_repeat *again)
{
    struct launch_result result = {0};
    struct err e = {0};
    struct device *d = r->session.device;
    if (again)
        run_repeat_before(r, again);
    const int rc = d->ops->launch(d, want, &result, &e);
    if (rc != 0 && want->how->look)
        return leave(r, &e);
    if (rc != 0) {
        report_remark(r->report, "%s", e.text);
        return cudaErrorLaunchFailure;
    }
    if (!k->library)
        session_number_faults(&r->session, want, &result);
    explain(r, m, k, &result);
    if (has_timeout(&result) && budget_end(&r->session.budget) != BUDGET_LEFT)
        r->out_of_time = true;
    const int32_t error = report(r, k, want, &result);
    if (!again || !run_repeat_keep(r, again, want->how->touched, &result))
        launch_result_free(&result);
    return error;
}

int32_t run_launch_now(struct run *r, const struct run_message *m, const void *params,
                       struct touched *touched)
{
    const uint64_t *n = m->number;
    struct run_kernel *k = run_kernel_of(r, n[KERNEL]);
    struct launch_how how = session_how(&r->session, NULL, 0, false);
    struct touched own = {.heap = false};
    struct launch_want want = {.kernel = k->kernel->kernel, .name = k->kernel->shown,
                               .shared_bytes = n[SHARED], .params = params,
                               .param_bytes = k->kernel->info.param_bytes, .how = &how,
                               .clock = run_time_clock(r), .follows = r->launches > 0,
                               .not_opted_in = k->opted_in <= RUN_USUAL_SHARED};
    for (int i = 0; i < 3; i++) {
        want.grid[i] = (unsigned)n[GRID + i];
        want.block[i] = (unsigned)n[BLOCK + i];
        want.cluster[i] = n[CLUSTER] ? (unsigned)n[CLUSTER + i] : 0;
    }
    how.plain = !n[COOPERATIVE];
    how.by_line = true;
    how.stop = r->session.budget.stop;
    how.time_spent = budget_spent(&r->session.budget);
    how.look = k->library ? NULL : session_look_at(&r->session, &want);
    struct run_repeat *again =
        how.look || run_order_is_drawn(r) ? NULL : run_repeat_of(r, m, params);
    const struct launch_result *kept = again ? run_repeat_take(r, again, touched) : NULL;
    if (kept)
        return report(r, k, &want, kept);
    if (again && !run_repeat_wants(r, again))
        again = NULL;
    how.touched = touched || !again ? touched : &own;
    const int32_t error = execute(r, m, k, &want, again);
    touched_free(&own);
    return error;
}
