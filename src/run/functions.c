/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program asks about its kernels: registers, threads, how many blocks fit. Only ptxas knows
 * the registers of a kind of card. It is asked once for each module, and only when a program asks.
 */
#define _GNU_SOURCE
#include "run/run.h"

#include "base/lines.h"
#include "cc/sass.h"
#include "dev/occupancy.h"

#include "cudalab_runtime_types.h"

#include <stdlib.h>
#include <string.h>

enum { PORTABLE_CLUSTER = 8, LARGEST_CLUSTER = 16 };

/* ---- what ptxas and the PTX say -------------------------------------------------------- */

static unsigned registers_of(struct run *r, const struct run_kernel *k)
{
    const struct device_props *p = &r->session.device->props;
    struct unit *u = k->unit;
    struct buf said = {0};
    const struct buf *ptx = unit_ptx(u);
    const unsigned arch = (unsigned)(p->major * 10 + p->minor);
    if (k->kernel->info.registers || u->asked_for == arch)
        return k->kernel->info.registers ? k->kernel->info.registers : k->kernel->registers;
    u->asked_for = arch;
    if (r->usage && r->usage(r->ctx, (struct span){buf_text(ptx), ptx->len}, arch, &said))
        for (unsigned i = 0; i < u->kernel_count; i++)
            u->kernels[i].registers = sass_registers(buf_text(&said), u->kernels[i].info.name);
    if (!k->kernel->registers)
        report_remark(r->report, "no ptxas says how many registers the kernels use: "
                                 "cudaFuncGetAttributes gives 0, and occupancy leaves them out");
    buf_free(&said);
    return k->kernel->registers;
}

/* The product of the numbers behind a directive of the kernel in the PTX; 0: it has none. */
static uint64_t directive(const struct run_kernel *k, const char *name)
{
    const struct buf *ptx = unit_ptx(k->unit);
    struct span rest = {buf_text(ptx), ptx->len}, line;
    const size_t named = strlen(k->kernel->info.name);
    bool inside = false;
    while (next_line(&rest, &line)) {
        const char *entry = memmem(line.at, line.n, ".entry ", 7);
        if (entry) {
            entry += 7;
            inside = (size_t)(line.at + line.n - entry) > named &&
                     memcmp(entry, k->kernel->info.name, named) == 0 && entry[named] == '(';
        }
        if (line.n && line.at[0] == '{')
            inside = false;
        if (!inside || line.n < strlen(name) || memcmp(line.at, name, strlen(name)) != 0)
            continue;
        uint64_t product = 1;
        for (const char *at = line.at + strlen(name); at < line.at + line.n;) {
            char *end;
            unsigned long one = strtoul(at, &end, 10);
            product *= end > at ? one : 1;
            at = end + 1;
        }
        return product;
    }
    return 0;
}

void run_find_bound(struct run_kernel *k)
{
    k->bound = directive(k, ".reqntid");
    if (!k->bound)
        k->bound = directive(k, ".maxntid");
}

/* Threads of a block: as __launch_bounds__ says, and as many as there are registers for. */
static uint64_t most_threads(struct run *r, const struct run_kernel *k)
{
    const struct device_props *p = &r->session.device->props;
    struct occupancy_want want = {.threads = p->max_threads_per_block,
                                  .registers = (int)registers_of(r, k)};
    while (want.threads > p->warp_size && occupancy_of(p, &want).blocks == 0)
        want.threads -= p->warp_size;
    return k->bound && k->bound < (uint64_t)want.threads ? k->bound : (uint64_t)want.threads;
}

/* ---- attributes ------------------------------------------------------------------------ */

static int32_t attributes(struct run *r, const struct run_kernel *k, struct buf *answer)
{
    const struct kernel_info *i = &k->kernel->info;
    const struct device_props *p = &r->session.device->props;
    const int arch = p->major * 10 + p->minor;
    const struct cudaFuncAttributes a = {
        .sharedSizeBytes = i->static_shared, .localSizeBytes = i->local_bytes,
        .maxThreadsPerBlock = (int)most_threads(r, k), .numRegs = (int)registers_of(r, k),
        .ptxVersion = (int)unit_target(k->unit), .binaryVersion = arch,
        .maxDynamicSharedSizeBytes = (int)(k->opted_in ? k->opted_in - i->static_shared
                                                       : RUN_USUAL_SHARED - i->static_shared),
        .preferredShmemCarveout = k->carveout ? k->carveout - 1 : cudaSharedmemCarveoutDefault,
        .nonPortableClusterSizeAllowed = k->large_clusters};
    buf_add(answer, (const char *)&a, sizeof a);
    return answer->failed ? cudaErrorMemoryAllocation : 0;
}

static int32_t set_attribute(const struct run *r, struct run_kernel *k, const struct run_message *m)
{
    const struct device_props *p = &r->session.device->props;
    const int64_t value = (int64_t)m->number[2];
    switch (m->number[1]) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 ||
            (uint64_t)value + k->kernel->info.static_shared > p->shared_per_block_optin)
            return cudaErrorInvalidValue;
        k->opted_in = (uint64_t)value + k->kernel->info.static_shared;
        return 0;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
            return cudaErrorInvalidValue;
        k->carveout = (int)value + 1;
        return 0;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
        k->large_clusters = value != 0;
        return 0;
    case cudaFuncAttributeClusterDimMustBeSet:
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
    case cudaFuncAttributeClusterSchedulingPolicyPreference: return 0;
    default: return cudaErrorInvalidValue;
    }
}

/* ---- occupancy ------------------------------------------------------------------------- */

/* A multiprocessor's shared memory as the program prefers it: a part of what it has with L1, in
 * steps, but enough for a block. */
static uint64_t shared_of(const struct device_props *p, const struct run_kernel *k, uint64_t block)
{
    const struct capability *c = capability_of(p->major, p->minor);
    if (!k->carveout || k->carveout == cudaSharedmemCarveoutDefault + 1 || !c)
        return p->shared_per_sm;
    const uint64_t wanted = p->shared_per_sm * (uint64_t)(k->carveout - 1) / 100;
    const uint64_t least = wanted > block ? wanted : block;
    for (int i = 0; i < SPLITS_MOST && c->shared_kb[i] >= 0; i++)
        if ((uint64_t)c->shared_kb[i] << 10 >= least)
            return (uint64_t)c->shared_kb[i] << 10;
    return p->shared_per_sm;
}

static uint64_t blocks_of(struct run *r, const struct run_kernel *k, uint64_t threads,
                          uint64_t dynamic, bool with_registers)
{
    struct device_props p = r->session.device->props;
    if (!threads || threads > (uint64_t)p.max_threads_per_block ||
        dynamic > p.shared_per_block_optin)
        return 0;
    const struct occupancy_want want = {
        .threads = (int)threads, .registers = with_registers ? (int)registers_of(r, k) : 0,
        .shared = dynamic + k->kernel->info.static_shared};
    p.shared_per_sm = shared_of(&p, k, occupancy_of(&p, &want).shared_given);
    return (uint64_t)occupancy_of(&p, &want).blocks;
}

/* A cooperative grid has all its blocks on the device at once. */
int32_t run_check_cooperative(struct run *r, const struct run_kernel *k, uint64_t blocks,
                              uint64_t threads, uint64_t dynamic)
{
    const uint64_t places = (uint64_t)r->session.device->props.multiprocessors;
    return blocks > places && (blocks > places * blocks_of(r, k, threads, dynamic, false) ||
                               blocks > places * blocks_of(r, k, threads, dynamic, true))
               ? cudaErrorCooperativeLaunchTooLarge : 0;
}

int32_t run_check_cluster(const struct run_kernel *k, const uint64_t cluster[3])
{
    const uint64_t most = k->large_clusters ? LARGEST_CLUSTER : PORTABLE_CLUSTER;
    uint64_t blocks = 1;
    for (int i = 0; i < 3 && blocks <= most; i++) /* each is checked before the product can wrap */
        blocks = cluster[i] > most ? cluster[i] : blocks * cluster[i];
    return blocks > most ? cudaErrorInvalidClusterSize : 0;
}

/* The most dynamic shared memory with which so many blocks still fit. */
static int32_t room_for(struct run *r, const struct run_kernel *k, struct run_message *m)
{
    const struct device_props *p = &r->session.device->props;
    const uint64_t blocks = m->number[2], threads = m->number[1];
    uint64_t low = 0, high = p->shared_per_block_optin - k->kernel->info.static_shared;
    if (!blocks || !threads || blocks > blocks_of(r, k, threads, 0, true))
        return cudaErrorInvalidValue;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (blocks_of(r, k, threads, middle, true) >= blocks)
            low = middle;
        else
            high = middle - 1;
    }
    m->number[0] = low;
    return 0;
}

int32_t run_function(struct run *r, struct run_message *m, struct buf *answer)
{
    struct run_kernel *k = run_kernel_of(r, m->number[0]);
    if (!k)
        return cudaErrorInvalidDeviceFunction;
    switch (m->what) {
    case RUN_FUNCTION: return attributes(r, k, answer);
    case RUN_FUNCTION_SET: return set_attribute(r, k, m);
    case RUN_OCCUPANCY_ROOM: return room_for(r, k, m);
    case RUN_CLUSTER:
        m->number[0] = r->session.device->props.major < 9 ? 1
                       : k->large_clusters ? LARGEST_CLUSTER : PORTABLE_CLUSTER;
        return blocks_of(r, k, m->number[1], m->number[2], true) ? 0 : cudaErrorInvalidValue;
    default:
        if (m->number[1] > most_threads(r, k))
            m->number[0] = 0;
        else
            m->number[0] = blocks_of(r, k, m->number[1], m->number[2], true);
        return 0;
    }
}
