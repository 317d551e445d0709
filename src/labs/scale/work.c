/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rank has which GPU and which terms, and what all of them found together; see work.h.
 */
#include "labs/scale/work.h"

#include "base/rounding.h"

#include <stdio.h>
#include <string.h>

enum { SAYS_GPU, SAYS_BY_HOST, SAYS_GPUS }; /* before the first run */
enum { PATIENCE = 5 }; /* seconds that the others are given after the time limit */

/* ---- meeting ---------------------------------------------------------------------------- */

/* The others may still work when this rank's time is over. Rank 0 gives up first, as it speaks. */
static int waits(void *self, struct err *e)
{
    const struct scale_team *t = self;
    const struct session *s = t->session;
    const double limit = budget_limit(&s->budget);
    const double more = s->team->rank ? 2 * PATIENCE : PATIENCE;
    if (s->stop)
        return fail(e, "stopped while it waited for the other ranks");
    return limit > 0 && budget_spent(&s->budget) > limit + more
               ? fail(e, "the other ranks of mpirun did not come within %g s", limit + more)
               : 0;
}

void scale_note(struct team_word *w, const struct report *r)
{
    const struct fault *f = r->fault_count ? &r->faults[0] : NULL;
    w->status = r->status;
    snprintf(w->kind, sizeof w->kind, "%s", f ? f->kind : "");
    snprintf(w->text, sizeof w->text, "%.*s", TEAM_TEXT - 1, f ? f->message : r->error.text);
}

/* What was asked for is wrong, and not what one rank did. */
static bool all_say_so(const struct scale_team *t)
{
    bool same = true;
    for (unsigned i = 0; i < t->ranks; i++)
        same &= t->word[i].status == REPORT_ERROR && strcmp(t->word[i].text, t->word[0].text) == 0;
    return same;
}

/* All words are there, or will be after a meeting. The first rank that failed is told. */
static int meet(struct scale_team *t)
{
    struct session *s = t->session;
    const struct go_on asks = {waits, t};
    struct err e = {0};
    if (s->team) {
        struct team_word mine = t->word[t->mine];
        snprintf(mine.at, sizeof mine.at, "%s", t->report->typed ? t->report->typed : "scale");
        if (team_meet(s->team, &mine, t->word, &asks, &e) != 0)
            return report_fail_err(t->report, &e);
    }
    for (unsigned i = 0; i < t->ranks; i++) {
        const struct team_word *w = &t->word[i];
        if (w->status && all_say_so(t))
            return report_fail(t->report, "%s", w->text);
        if (w->status == REPORT_FAULT)
            return report_fault(t->report, w->kind, "rank %u, %s: %s", i, t->rank[i].place,
                                w->text);
        if (w->status)
            return report_fail(t->report, "rank %u: %s", i, w->text);
    }
    return 0;
}

static int add_up(struct scale_team *t, double *sum)
{
    struct session *s = t->session;
    const struct go_on asks = {waits, t};
    struct err e = {0};
    *sum = 0;
    if (!s->team) {
        for (unsigned i = 0; i < t->ranks; i++)
            *sum += t->word[i].value[SAYS_SUM];
        return 0;
    }
    *sum = t->word[t->mine].value[SAYS_SUM];
    if (s->team->ops->add(sum, &asks, &e) == 0)
        return 0;
    s->team->given_up = true;
    return report_fail_err(t->report, &e);
}

/* ---- who works where -------------------------------------------------------------------- */

static int match(const struct scale_team *t, unsigned here, struct report *r)
{
    const unsigned gpus = t->plan.gpus;
    const bool mpi = t->session->team != NULL;
    const char *take = mpi ? "mpirun -n" : "--ranks", *per = mpi ? " on this node" : "";
    if (t->plan.strategy == 1 && here != gpus)
        return report_fail(r, "%u ranks%s and %u GPU%s don't match: strategy 1 has one process for "
                              "each GPU; take %s %u, or --strategy 3, where processes share a GPU",
                           here, per, gpus, gpus == 1 ? "" : "s", take, gpus * t->nodes);
    if (here < gpus)
        return report_fail(r, "%u ranks%s and %u GPUs don't match: each GPU needs a process; take "
                              "%s %u, or --gpus %u",
                           here, per, gpus, take, gpus * t->nodes, here);
    if (t->plan.strategy == 2 && here == gpus)
        return report_fail(r, "strategy 2 has more processes than GPUs, and here are %u of each; "
                              "take %s %u, or --strategy 1",
                           gpus, take, 2 * gpus * t->nodes);
    return 0;
}

static void place(struct scale_rank *k)
{
    if (k->by_host)
        snprintf(k->place, sizeof k->place, "a core");
    else
        snprintf(k->place, sizeof k->place, "GPU %u", k->gpu);
}

/* Local rank l has GPU l mod count. By strategy 2 only the first process of a GPU uses it. */
static void take_place(const struct scale_plan *p, unsigned node, unsigned local,
                       struct scale_rank *k)
{
    k->gpu = node * p->gpus + local % p->gpus;
    k->by_host = p->strategy == 2 && local >= p->gpus;
    place(k);
}

/* What each rank has found out about its own node, told to all. */
static int agree(struct scale_team *t)
{
    const struct team *team = t->session->team;
    struct report own;
    report_init(&own);
    for (unsigned i = t->mine; i < t->mine + t->workers; i++)
        take_place(&t->plan, team ? team->node : 0, team ? team->local : i, &t->rank[i]);
    if (match(t, team ? team->locals : t->ranks, &own) == 0)
        scale_workers_open(t);
    for (unsigned i = t->mine; i < t->mine + t->workers; i++) {
        struct team_word *w = &t->word[i];
        w->value[SAYS_GPU] = t->rank[i].gpu;
        w->value[SAYS_BY_HOST] = t->rank[i].by_host;
        w->value[SAYS_GPUS] = t->plan.gpus;
        if (own.status)
            scale_note(w, &own);
    }
    if (own.status && !team) {
        report_fail_err(t->report, &own.error);
        report_free(&own);
        return -1;
    }
    report_free(&own);
    if (meet(t) != 0)
        return -1;
    for (unsigned i = 0; i < t->ranks; i++) {
        const double *v = t->word[i].value;
        if (v[SAYS_GPUS] < t->plan.gpus || v[SAYS_GPUS] > t->plan.gpus)
            return report_fail(t->report, "the nodes have different numbers of GPUs; `scale --gpus "
                                          "N` takes N of each");
        t->rank[i].rank = i;
        t->rank[i].gpu = (unsigned)v[SAYS_GPU];
        t->rank[i].by_host = v[SAYS_BY_HOST] > 0;
        place(&t->rank[i]);
    }
    return 0;
}

int scale_open(struct scale_team *t, unsigned ranks)
{
    const struct team *team = t->session->team;
    t->ranks = team ? team->size : ranks;
    t->nodes = team ? team->nodes : 1;
    t->mine = team ? team->rank : 0;
    t->workers = team ? 1 : ranks;
    t->all_gpus = t->nodes * t->plan.gpus;
    t->rank = mem_alloc(&allocator_libc, t->ranks * sizeof *t->rank);
    t->word = mem_alloc(&allocator_libc, t->ranks * sizeof *t->word);
    if (!t->rank || !t->word)
        return report_fail_limit(t->report, "out of memory");
    memset(t->rank, 0, t->ranks * sizeof *t->rank);
    memset(t->word, 0, t->ranks * sizeof *t->word);
    return agree(t);
}

void scale_close(struct scale_team *t)
{
    scale_workers_close(t);
    mem_free(&allocator_libc, t->rank, t->rank ? t->ranks * sizeof *t->rank : 0);
    mem_free(&allocator_libc, t->word, t->word ? t->ranks * sizeof *t->word : 0);
}

/* ---- shares ----------------------------------------------------------------------------- */

bool scale_works(const struct scale_rank *k, unsigned gpus)
{
    return k->gpu < gpus;
}

/* Where a share ends if all are equal: no two differ by more than one term. */
static int equal_end(int n, unsigned done, unsigned of)
{
    return (int)((int64_t)n * done / of);
}

static void cut(struct scale_team *t, int n, unsigned gpus)
{
    unsigned works = 0, by_gpu = 0, done = 0;
    double gpu_part, host_part, end = 0;
    int first = 0;
    for (unsigned i = 0; i < t->ranks; i++) {
        works += scale_works(&t->rank[i], gpus);
        by_gpu += scale_works(&t->rank[i], gpus) && !t->rank[i].by_host;
    }
    const bool equal = t->plan.host_part < 0 || by_gpu == works;
    host_part = equal ? 0 : t->plan.host_part / (works - by_gpu);
    gpu_part = equal ? 0 : (1 - t->plan.host_part) / by_gpu;
    for (unsigned i = 0; i < t->ranks; i++) {
        struct scale_rank *k = &t->rank[i];
        k->first = first;
        k->count = 0;
        if (!scale_works(k, gpus))
            continue;
        end += k->by_host ? host_part : gpu_part;
        done++;
        const int last = equal || done == works ? equal_end(n, done, works) : (int)(end * n);
        k->count = (last < n ? last : n) - first;
        first += k->count;
    }
}

/* A core takes as many instructions for a term as a thread of the first rank's kernel. */
static void model_cores(struct scale_team *t)
{
    enum { LANES = 32 };
    const struct scale_rank *gpu = &t->rank[0];
    const uint64_t more = gpu->instructions > t->fixed_instructions
                              ? gpu->instructions - t->fixed_instructions
                              : 0;
    const double each = gpu->count ? (double)more * LANES / gpu->count : 0;
    for (unsigned i = 0; i < t->ranks && t->modelled; i++)
        if (t->rank[i].by_host)
            t->rank[i].work = each * t->rank[i].count;
}

/* On a simulator kernels of ranks on one GPU take turns. A measured time has the waiting in it. */
static void find_longest(const struct scale_team *t, unsigned gpus, struct scale_run *run)
{
    for (unsigned i = 0; i < t->ranks; i++) {
        const struct scale_rank *k = &t->rank[i];
        double work = 0, add = 0;
        for (unsigned j = 0; j < t->ranks; j++) {
            const struct scale_rank *o = &t->rank[j];
            const bool counts = i == j || (t->modelled && !k->by_host && !o->by_host &&
                                           k->gpu == o->gpu);
            work += counts ? o->work : 0;
            add += counts ? o->add : 0;
        }
        if (scale_works(k, gpus) && work + add > run->time) {
            run->work = work;
            run->add = add;
            run->time = work + add;
        }
    }
}

int scale_share(struct scale_team *t, int n, unsigned gpus, struct scale_run *run)
{
    double magnitude = 0, chain = 0;
    *run = (struct scale_run){0};
    cut(t, n, gpus);
    scale_workers_run(t, n, gpus);
    if (meet(t) != 0 || add_up(t, &run->sum) != 0)
        return -1;
    for (unsigned i = 0; i < t->ranks; i++) {
        struct scale_rank *k = &t->rank[i];
        const double *v = t->word[i].value;
        k->sum = v[SAYS_SUM];
        k->work = v[SAYS_WORK];
        k->add = v[SAYS_ADD];
        k->instructions = (uint64_t)v[SAYS_INSTRUCTIONS];
        run->expected += v[SAYS_EXPECTED];
        magnitude += v[SAYS_MAGNITUDE];
        chain = v[SAYS_CHAIN] > chain ? v[SAYS_CHAIN] : chain;
    }
    model_cores(t);
    for (unsigned i = 0; i < t->ranks; i++)
        t->rank[i].time = t->rank[i].work + t->rank[i].add;
    find_longest(t, gpus, run);
    run->bound = rounding_bound(chain + t->ranks, magnitude);
    run->verdict = sum_verdict(run->sum - run->expected, run->bound, magnitude);
    return 0;
}
