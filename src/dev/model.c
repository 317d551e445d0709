/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formulas of the time model, one for each part.
 */
#include "dev/model.h"

#include "dev/occupancy.h"

#include <string.h>

const struct model_part_name model_part_names[MODEL_PARTS] = {
#define PART(name, label, says) [MODEL_##name] = {label, says},
#include "dev/model.def"
};

enum {
#define CONSTANT(name, value, source) name = value,
#include "dev/model.def"
#define INSTRUCTION(kind, slots, latency)                                                    \
    SLOTS_##kind = slots, LATENCY_##kind = latency,
#include "dev/model.def"
    MEASURED_MAJOR = 9, MEASURED_MINOR = 0, /* an H100 */
    WARP = 32, SECTOR = 32, LINE = 128, KIB = 1024
};

static const uint16_t slots_of[COST_KINDS] = {
#define KIND(name, says) [COST_##name] = SLOTS_##name,
#include "obs/kinds.def"
#undef KIND
};
static const uint16_t latency_of[COST_KINDS] = {
#define KIND(name, says) [COST_##name] = LATENCY_##name,
#include "obs/kinds.def"
#undef KIND
};

/* What differs from card to card, and no data sheet has. */
struct other_card { const char *profile; uint64_t launch_ns, address_ps; };
static const struct other_card others[] = {
#define OTHER(profile, launch, atomic, source) {profile, launch, atomic},
#include "dev/model.def"
};

static struct other_card known_of(const struct device_props *p)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (p->profile && strcmp(p->profile, others[i].profile) == 0)
            return others[i];
    return (struct other_card){NULL, LAUNCH_NS + COLD_NS, QUEUE_F32_PS};
}

/* ---- the card ------------------------------------------------------------------------------ */

static unsigned at_least_1(int64_t n)
{
    return n > 0 ? (unsigned)n : 1;
}

static double hertz(const struct device_props *p)
{
    return p->clock_khz > 0 ? p->clock_khz * 1e3 : 1e9;
}

static double l1_bytes(const struct device_props *p)
{
    const struct capability *c = capability_of(p->major, p->minor);
    return (c && c->l1_and_shared_kb > 0 ? c->l1_and_shared_kb : L1_KIB) * (double)KIB;
}

/* A block that no multiprocessor has room for is refused, and needs no time. */
static unsigned blocks_per_sm(const struct device_props *p, const struct model_launch *l)
{
    if (!l->threads || l->threads > (unsigned)p->max_threads_per_block)
        return 1;
    const struct occupancy_want want = {.threads = (int)l->threads, .shared = l->shared_bytes};
    return at_least_1(occupancy_of(p, &want).blocks);
}

struct cost_card model_card(const struct device_props *p, const struct model_launch *l)
{
    struct cost_card k = {.shared = SHARED_LATENCY, .constant = CONSTANT_LATENCY,
                          .l1 = L1_LATENCY, .l2 = L2_LATENCY, .memory = MEMORY_LATENCY,
                          .atomic = ATOMIC_LATENCY, .barrier = BARRIER_LATENCY,
                          .constant_turn = CONSTANT_CYCLES};
    memcpy(k.latency, latency_of, sizeof k.latency);
    k.blocks_per_sm = blocks_per_sm(p, l);
    const uint64_t busy = (l->blocks + at_least_1(p->multiprocessors) - 1) /
                          at_least_1(p->multiprocessors);
    k.blocks_per_sm = busy < k.blocks_per_sm ? (uint32_t)busy : k.blocks_per_sm;
    k.l1_bytes = (uint32_t)l1_bytes(p);
    k.shared_per_sm = (uint32_t)(k.blocks_per_sm * l->shared_bytes);
    return k;
}

/* ---- the parts ----------------------------------------------------------------------------- */

struct working {
    const struct device_props *p;
    const struct model_launch *l;
    const struct counters *c;
    const struct launch_cost *k;
    double cycle;   /* seconds */
    double busiest; /* the part of all work that the busiest multiprocessor has */
    double sms, partitions;
};

static double slots(const struct working *w)
{
    double n = 0;
    for (int i = 0; i < COST_KINDS; i++)
        n += (double)w->k->kinds[i] * slots_of[i];
    return n;
}

/* Warp instructions for units that give so many results a cycle in each multiprocessor. */
static double on_units(const struct working *w, double instructions, int results)
{
    return results > 0 ? instructions * WARP / results * w->busiest * w->cycle : 0;
}

static double bytes_a_second(const struct working *w)
{
    return w->p->bus_bits / 8.0 * w->p->memory_clock_khz * 1e3 * 2 * MEMORY_PERCENT / 100;
}

static double loaded(const struct working *w)
{
    return (double)w->c->global_load_sectors * w->k->missed;
}

/* Sectors of local memory that L1 has no room for. */
static double spilled(const struct working *w, unsigned at_once)
{
    const double l1 = l1_bytes(w->p);
    const double all = (double)at_once * w->l->threads * (double)w->k->local_bytes;
    const double accesses = (double)(w->c->local_load_requests + w->c->local_store_requests);
    return all > l1 ? accesses * LINE / SECTOR * (all - l1) / all : 0;
}

static double of_l2(const struct working *w, int percent)
{
    return (double)w->p->l2_bytes * percent / 100;
}

/* A later launch finds in L2 what an earlier one has touched, if there is room for it. */
static bool finds_in_l2(const struct working *w)
{
    return w->l->follows &&
           (double)(w->k->read + w->k->written) * SECTOR < of_l2(w, L2_KEEPS_PERCENT);
}

static double memory_bytes(const struct working *w)
{
    const double keeps = of_l2(w, L2_KEEPS_PERCENT), stays = of_l2(w, L2_WRITTEN_PERCENT);
    const double once = finds_in_l2(w) ? 0 : (double)w->k->read * SECTOR;
    const double again = loaded(w) * SECTOR - once;
    const double lost = once > keeps && again > 0 ? again * (once - keeps) / once : 0;
    const double written = (double)w->k->written * SECTOR;
    return once + lost + (written > stays ? written - stays : 0);
}

/* The blocks that a multiprocessor has at once run beside each other, then come the next ones. */
static double waves(const struct working *w, unsigned at_once)
{
    const double n = (double)w->l->blocks / (w->sms * at_once);
    return n > 1 ? n : 1;
}

static double latency(const struct working *w, unsigned at_once)
{
    const double missed = loaded(w) > 0 ? (double)w->k->read / loaded(w) : 1;
    const double far = finds_in_l2(w) ? 0 : missed < 1 ? missed : 1;
    const double cycles = w->k->cycles[COST_FROM_L2] * (1 - far) +
                          w->k->cycles[COST_FROM_MEMORY] * far;
    /* The last blocks end when the longest of them does. */
    return cycles * (waves(w, at_once) - 1 + w->k->longest) * w->cycle;
}

static void fill_parts(const struct working *w, struct model_time *t)
{
    const struct capability *cc = capability_of(w->p->major, w->p->minor);
    const struct counters *c = w->c;
    const struct other_card other = known_of(w->p);
    const uint64_t *kinds = w->k->kinds;
    const double local = (double)(c->local_load_requests + c->local_store_requests);
    const double wavefronts = (double)(c->shared_load_wavefronts + c->shared_store_wavefronts +
                                       c->shared_atomic_requests + c->shuffles);
    const double stored = (double)c->global_store_sectors * L2_STORE_PERCENT / 100;
    double *part = t->part;
    part[MODEL_LAUNCH] = (w->l->follows ? NEXT_NS : (double)other.launch_ns) * 1e-9;
    part[MODEL_BLOCKS] = (double)w->l->blocks * BLOCK_PS * 1e-12;
    part[MODEL_ISSUE] = slots(w) / w->partitions * w->busiest * w->cycle;
    part[MODEL_F32] = on_units(w, (double)kinds[COST_F32], w->p->cores_per_sm);
    part[MODEL_F16] = on_units(w, (double)kinds[COST_F16], cc ? cc->rates.f16 / F16_RESULTS : 0);
    part[MODEL_F64] = on_units(w, (double)kinds[COST_F64], w->p->f64_per_sm);
    part[MODEL_INT] = on_units(w, (double)kinds[COST_LOGIC] + (double)kinds[COST_INT] / INT_ADDS +
                                  (double)kinds[COST_INT64], cc ? cc->rates.int_add : 0);
    part[MODEL_MUL] = on_units(w, (double)kinds[COST_MUL], cc ? cc->rates.int_mul : 0);
    part[MODEL_SPECIAL] = on_units(
        w, (double)kinds[COST_SPECIAL] + (double)kinds[COST_CONVERT64], cc ? cc->rates.special : 0);
    part[MODEL_SHARED] = wavefronts * w->busiest * w->cycle;
    part[MODEL_CONSTANT] = (double)w->k->constant_words * CONSTANT_CYCLES * w->busiest * w->cycle;
    part[MODEL_TENSOR] = (double)w->k->tensor_products / TENSOR_PRODUCTS / w->partitions *
                         w->busiest * w->cycle;
    part[MODEL_L1] = ((double)w->k->load_lines + local +
                      (double)c->texture_requests * TEXTURE_CYCLES) * w->busiest * w->cycle;
    part[MODEL_L2] = (loaded(w) + stored + spilled(w, t->blocks_per_sm)) * SECTOR /
                     (L2_BYTES_CYCLE * w->sms) * w->cycle;
    part[MODEL_MEMORY] = bytes_a_second(w) > 0 ? memory_bytes(w) / bytes_a_second(w) : 0;
    part[MODEL_ATOMICS] = (double)w->k->atomic_places * ATOMIC_PS * 1e-12;
    part[MODEL_ADDRESS] = (double)w->k->hot_lanes *
                          (w->k->float_atomics ? (double)other.address_ps : QUEUE_INT_PS) * 1e-12;
    part[MODEL_BARRIERS] = (double)c->barriers * BARRIER_CYCLES * w->busiest * w->cycle;
    part[MODEL_LATENCY] = latency(w, t->blocks_per_sm);
}

/* Parts that are about equally long slow each other down: the longest of them counts most, by its
 * fourth power. Waiting is hidden less well: by its square. These powers fitted best. */
void model_combine(struct model_time *t)
{
    const double latency = t->part[MODEL_LATENCY];
    double sum = 0;
    t->bound = MODEL_LAUNCH;
    for (int i = 0; i < MODEL_PARTS; i++) {
        const double square = t->part[i] * t->part[i];
        sum += i == MODEL_LAUNCH || i == MODEL_LATENCY ? 0 : square * square;
        if (t->part[i] > t->part[t->bound])
            t->bound = (enum model_part)i;
    }
    t->seconds = t->part[MODEL_LAUNCH] +
                 __builtin_sqrt(latency * latency + __builtin_sqrt(sum));
}

void model_add(struct model_time *to, const struct model_time *t)
{
    to->seconds += t->seconds;
    to->bound = MODEL_LAUNCH;
    for (int i = 0; i < MODEL_PARTS; i++) {
        to->part[i] += t->part[i];
        if (to->part[i] > to->part[to->bound])
            to->bound = (enum model_part)i;
    }
    to->blocks_per_sm = t->blocks_per_sm;
}

bool model_knows(const struct device_props *p)
{
    return p->clock_khz > 0 && p->memory_clock_khz > 0 && p->bus_bits > 0 &&
           p->multiprocessors > 0 && p->cores_per_sm > 0 && p->warp_size > 0 &&
           p->max_threads_per_sm > 0 && capability_of(p->major, p->minor);
}

bool model_is_sure(const struct device_props *p)
{
    return p->major == MEASURED_MAJOR && p->minor == MEASURED_MINOR;
}

struct model_time model_time(const struct device_props *p, const struct model_launch *l,
                             const struct counters *c, const struct launch_cost *k)
{
    const struct capability *cc = capability_of(p->major, p->minor);
    const unsigned sms = at_least_1(p->multiprocessors);
    const uint64_t busy = (l->blocks + sms - 1) / sms;
    const struct working w = {
        .p = p, .l = l, .c = c, .k = k, .cycle = 1 / hertz(p), .sms = sms,
        .busiest = l->blocks ? (double)busy / (double)l->blocks : 0,
        .partitions = cc && cc->partitions > 0 ? cc->partitions : PARTITIONS};
    struct model_time t = {.blocks_per_sm = model_card(p, l).blocks_per_sm};
    fill_parts(&w, &t);
    model_combine(&t);
    return t;
}
