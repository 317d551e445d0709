/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modules, kernels and launches of a program.
 */
#include "run/run.h"

#include "base/mem.h"
#include "cc/fatbin.h"
#include "labkit/lab.h"
#include "labkit/occupancy/occupancy.h"
#include "labkit/run.h"
#include "own/cause.h"

#include "cudalab_runtime_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- modules --------------------------------------------------------------------------- */

/* The PTX that a device of this capability takes: the newest that is not too new. */
static const struct fat_entry *choose(const struct fatbin *fat, unsigned capability)
{
    const struct fat_entry *best = NULL;
    for (unsigned i = 0; i < fat->count; i++) {
        const struct fat_entry *e = &fat->entries[i];
        if (e->kind == FAT_PTX && e->arch <= capability && (!best || e->arch > best->arch))
            best = e;
    }
    return best;
}

const struct fat_entry *run_choose_ptx(const struct run *r, const struct fatbin *fat)
{
    const struct device_props *p = &r->session.device->props;
    return choose(fat, (unsigned)(p->major * 10 + p->minor));
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
    if (units_load(&r->session, parts, count, &unit, e) != 0)
        return cudaErrorInvalidPtx;
    r->modules[r->module_count - 1] = unit;
    return 0;
}

static int32_t load_text(struct run *r, struct span ptx)
{
    struct err e;
    char path[200];
    struct unit_from from = {.path = path};
    /* The first module is that of the student's file. */
    snprintf(path, sizeof path, "%s%.*s", r->source_path ? r->source_path : "program",
             r->module_count ? 8 : 0, "-module");
    buf_add(&from.ptx, ptx.at, ptx.n);
    buf_add(&from.source, r->source.at, r->source.n);
    int32_t error = run_load_parts(r, &from, 1, &e);
    if (error)
        report_remark(r->report, "%s", e.text);
    return error;
}

int32_t run_load(struct run *r, struct run_message *m, struct buf *bytes)
{
    struct err e;
    struct fatbin fat;
    struct buf ptx = {0};
    const struct go_on *go_on = r->session.device->go_on;
    int32_t error = cudaErrorInvalidKernelImage;
    if (fatbin_read((struct span){buf_text(bytes), bytes->len}, &fat, go_on, &e) == 0) {
        const struct fat_entry *entry = run_choose_ptx(r, &fat);
        if (!entry)
            error = cudaErrorNoKernelImageForDevice;
        else if (fat_unpack(entry, &ptx, go_on, &e) == 0)
            error = load_text(r, (struct span){buf_text(&ptx), strnlen(buf_text(&ptx), ptx.len)});
    }
    buf_free(&ptx);
    fatbin_free(&fat);
    m->number[0] = error ? 0 : r->module_count;
    return error;
}

/* ---- kernels and variables ------------------------------------------------------------- */

static struct unit *module_of(const struct run *r, uint64_t number)
{
    return number && number <= r->module_count ? r->modules[number - 1] : NULL;
}

static int32_t add_kernel(struct run *r, const struct unit_kernel *k, struct run_message *m)
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
    *made = (struct run_kernel){.kernel = k};
    grown[r->kernel_count++] = made;
    m->number[0] = r->kernel_count;
    return 0;
}

/* Among those of all files that the module is linked of. */
static const struct unit_kernel *kernel_named(const struct run *r, const struct unit *leader,
                                              const char *name)
{
    const struct units *all = r->session.units;
    for (unsigned u = 0; leader && u < all->count; u++)
        for (unsigned i = 0; all->all[u]->leader == leader && i < all->all[u]->kernel_count; i++)
            if (strcmp(all->all[u]->kernels[i].info.name, name) == 0)
                return &all->all[u]->kernels[i];
    return NULL;
}

int32_t run_find_kernel(struct run *r, struct run_message *m, const char *name, struct buf *answer)
{
    const struct unit_kernel *k = kernel_named(r, module_of(r, m->number[0]), name);
    if (k) {
        for (unsigned p = 0; p < k->info.param_count; p++)
            buf_add(answer, (const char *)(const uint32_t[]){k->info.params[p].offset,
                                                             k->info.params[p].size},
                    2 * sizeof(uint32_t));
        return answer->failed ? cudaErrorMemoryAllocation : add_kernel(r, k, m);
    }
    return cudaErrorInvalidDeviceFunction;
}

int32_t run_kernel_name(const struct run *r, struct run_message *m, struct buf *answer)
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
        if (m->number[2])
            return run_share_variable(r, m, v.address);
        m->number[0] = v.address;
        m->number[1] = v.size;
        return run_know_variable(r, v.address, v.size, name);
    }
    return cudaErrorInvalidSymbol;
}

static struct run_kernel *kernel_of(const struct run *r, uint64_t number)
{
    return number && number <= r->kernel_count ? r->kernels[number - 1] : NULL;
}

/* ---- launches -------------------------------------------------------------------------- */

enum { KERNEL, GRID, BLOCK = 4, SHARED = 7, STREAM, COOPERATIVE };
enum { USUAL_SHARED = 48 << 10 };

/* What a card refuses at once, by the error that an H100 gives. */
int32_t run_check_launch(struct run *r, const struct run_message *m)
{
    const uint64_t *n = m->number;
    const struct device_props *p = &r->session.device->props;
    const struct run_kernel *k = kernel_of(r, n[KERNEL]);
    uint64_t threads = n[BLOCK] * n[BLOCK + 1] * n[BLOCK + 2];
    if (!k || m->bytes < k->kernel->info.param_bytes)
        return cudaErrorInvalidDeviceFunction;
    for (int i = 0; i < 3; i++) {
        if (n[GRID + i] == 0 || n[GRID + i] > (uint64_t)p->max_grid[i] || n[BLOCK + i] == 0 ||
            n[BLOCK + i] > (uint64_t)p->max_block[i])
            return cudaErrorInvalidValue;
    }
    if (threads > (uint64_t)p->max_threads_per_block)
        return cudaErrorInvalidValue;
    uint64_t most = k->opted_in > USUAL_SHARED ? k->opted_in : USUAL_SHARED;
    if (k->kernel->info.static_shared + n[SHARED] > most)
        return cudaErrorInvalidValue;
    return 0;
}

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

static void print(struct run *r, const struct launch_result *result)
{
    struct buf text = {0};
    for (size_t i = 0; i < result->print_count; i++)
        buf_add(&text, result->prints[i].text, result->prints[i].length);
    run_print(r, buf_text(&text), text.len);
    buf_free(&text);
}

static void count(struct run *r, struct run_kernel *k, const struct launch_result *result)
{
    k->launches++;
    r->launches++;
    if (!result->has_counters)
        return;
    k->has_counters = r->report->has_counters = true;
    run_cost_launch(&r->cost, result);
    counters_add(&k->counters, &result->counters);
    counters_add(&r->report->counters, &result->counters);
}

int32_t run_launch_now(struct run *r, const struct run_message *m, const void *params)
{
    const uint64_t *n = m->number;
    struct run_kernel *k = kernel_of(r, n[KERNEL]);
    struct launch_how how = session_how(&r->session, NULL, 0, false);
    struct launch_result result = {0};
    struct err e = {0};
    struct launch_want want = {.kernel = k->kernel->kernel, .name = k->kernel->shown,
                               .shared_bytes = n[SHARED], .params = params,
                               .param_bytes = k->kernel->info.param_bytes, .how = &how,
                               .not_opted_in = k->opted_in <= USUAL_SHARED};
    for (int i = 0; i < 3; i++) {
        want.grid[i] = (unsigned)n[GRID + i];
        want.block[i] = (unsigned)n[BLOCK + i];
    }
    how.plain = !n[COOPERATIVE];
    how.by_line = true;
    how.stop = r->session.budget.stop;
    how.time_spent = budget_spent(&r->session.budget);
    run_share_in(r);
    if (r->session.device->ops->launch(r->session.device, &want, &result, &e) != 0) {
        report_remark(r->report, "%s", e.text);
        return cudaErrorLaunchFailure;
    }
    run_share_out(r);
    for (unsigned i = 0; i < result.fault_count; i++)
        cause_find(&r->session, k->kernel, NULL, &result.faults[i]);
    report_found(r->report, &result);
    print(r, &result);
    count(r, k, &result);
    int32_t error = error_of(&result);
    launch_result_free(&result);
    return error;
}

/* ---- what a program asks about a kernel ------------------------------------------------ */

static int32_t attributes(const struct run *r, const struct run_kernel *k, struct buf *answer)
{
    const struct kernel_info *i = &k->kernel->info;
    const struct device_props *p = &r->session.device->props;
    const struct cudaFuncAttributes a = {
        .sharedSizeBytes = i->static_shared, .localSizeBytes = i->local_bytes,
        .maxThreadsPerBlock = p->max_threads_per_block, .numRegs = (int)i->registers,
        .ptxVersion = p->major * 10 + p->minor, .binaryVersion = p->major * 10 + p->minor,
        .maxDynamicSharedSizeBytes = (int)(k->opted_in ? k->opted_in : USUAL_SHARED)};
    buf_add(answer, (const char *)&a, sizeof a);
    return answer->failed ? cudaErrorMemoryAllocation : 0;
}

static int32_t set_attribute(const struct run *r, struct run_kernel *k, const struct run_message *m)
{
    const struct device_props *p = &r->session.device->props;
    int64_t value = (int64_t)m->number[2];
    if (m->number[1] != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return 0;
    if (value < 0 || (uint64_t)value + k->kernel->info.static_shared > p->shared_per_block_optin)
        return cudaErrorInvalidValue;
    k->opted_in = (uint64_t)value + k->kernel->info.static_shared;
    return 0;
}

int32_t run_function(struct run *r, struct run_message *m, struct buf *answer)
{
    struct run_kernel *k = kernel_of(r, m->number[0]);
    if (!k)
        return cudaErrorInvalidDeviceFunction;
    if (m->what == RUN_FUNCTION)
        return attributes(r, k, answer);
    if (m->what == RUN_FUNCTION_SET)
        return set_attribute(r, k, m);
    const struct occupancy_want want = {.threads = (int)m->number[1],
                                        .registers = (int)k->kernel->info.registers,
                                        .shared = m->number[2] + k->kernel->info.static_shared};
    m->number[0] = (uint64_t)occupancy_of(&r->session.device->props, &want).blocks;
    return 0;
}
