/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ranks of this process. Each has a device of its own: the session's, another simulator, or
 * another GPU, which has a process and a context of its own, even for a second rank on one card. On
 * a simulator they work one after the other; on GPUs a thread of the host waits for each.
 */
#include "labs/scale/work.h"

#include "base/rounding.h"
#include "dev/jobs.h"
#include "labkit/shape.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { GPU_RUNS = 3, LOOK_UP_EVERY = 1 << 20, LOOK_MS = 1 };

struct scale_worker {
    const struct scale_team *team;
    struct scale_rank *rank;
    struct session own, *session; /* own: with another device than the session's */
    struct report report;         /* what went wrong */
    struct launch_result result;
    bool has_counters;
    struct counters counters;     /* of its kernel */
    double value[TEAM_VALUES];
    pthread_t thread;
    bool started;
    atomic_bool done;
};

/* ---- devices ---------------------------------------------------------------------------- */

static struct device *open_device(const struct scale_worker *w, unsigned card, struct err *e)
{
    char spec[16], why[200];
    const struct device *d = w->team->session->device;
    snprintf(spec, sizeof spec, "gpu:%u", card);
    return w->team->modelled ? sim_device_open(&d->props, e) : device_open(spec, why, NULL, e);
}

static void copy_session(struct scale_worker *w)
{
    w->own = *w->team->session;
    w->own.device = NULL;
    w->own.loaded = NULL;
    w->own.arrays = NULL;
    w->own.loaded_count = w->own.array_count = 0;
    w->own.progress = (struct progress){0};
    w->session = &w->own;
}

/* The session's device is the first rank's, and that of a process of mpirun. */
static int take_device(struct scale_worker *w, bool first)
{
    struct session *s = w->team->session;
    const unsigned card = w->rank->gpu % w->team->plan.gpus;
    struct err e = {0};
    w->session = s;
    if (first && (w->team->modelled || s->device->card == (int)card))
        return 0;
    copy_session(w);
    w->own.device = open_device(w, card, &e);
    return w->own.device ? 0 : report_fail_err(&w->report, &e);
}

static void close_worker(struct scale_worker *w)
{
    launch_result_free(&w->result);
    if (w->session == &w->own)
        session_leave_device(&w->own);
    report_free(&w->report);
}

int scale_workers_open(struct scale_team *t)
{
    const size_t bytes = t->workers * sizeof *t->worker;
    t->worker = mem_alloc(&allocator_libc, bytes);
    if (!t->worker)
        return -1;
    memset(t->worker, 0, bytes);
    for (unsigned i = 0; i < t->workers; i++) {
        struct scale_worker *w = &t->worker[i];
        w->team = t;
        w->rank = &t->rank[t->mine + i];
        report_init(&w->report);
    }
    for (unsigned i = 0; i < t->workers; i++) {
        struct scale_worker *w = &t->worker[i];
        if (w->rank->by_host)
            copy_session(w);
        else if (take_device(w, i == 0) != 0)
            scale_note(&t->word[t->mine + i], &w->report);
    }
    return 0;
}

void scale_workers_close(struct scale_team *t)
{
    for (unsigned i = 0; t->worker && i < t->workers; i++)
        close_worker(&t->worker[i]);
    mem_free(&allocator_libc, t->worker, t->worker ? t->workers * sizeof *t->worker : 0);
    t->worker = NULL;
}

/* ---- the task in plain C ---------------------------------------------------------------- */

enum { ELEMENTS = 10 }; /* 0 to 9, again and again */

static float element(int i)
{
    return (float)(i % ELEMENTS);
}

/* What a device must come near: its own float terms, added in double. */
static int by_host(struct scale_worker *w, float h, double *sum)
{
    const struct scale_plan *p = &w->team->plan;
    const int first = w->rank->first, count = w->rank->count;
    const int terms = p->task == TASK_TRAP && count ? count + 1 : count;
    double all = 0, size = 0;
    for (int k = 0; k < terms; k++) {
        const float x = p->a + (float)(first + k) * h;
        const float y = x * x + 1.0f;
        const float half = k == 0 || k == count ? 0.5f * y : y;
        const double term = (double)(p->task == TASK_TRAP ? half : element(first + k));
        all += term;
        size += magnitude_of(term);
        if (k % LOOK_UP_EVERY == 0 && lab_host_goes_on(w->session, &w->report) != 0)
            return -1;
    }
    const double scale = p->task == TASK_TRAP ? (double)h : 1.0;
    *sum = scale * all;
    w->value[SAYS_EXPECTED] = *sum;
    w->value[SAYS_MAGNITUDE] = magnitude_of(scale) * size;
    return 0;
}

/* ---- a share on the device -------------------------------------------------------------- */

/* Seconds; on a simulator instructions of an SM. */
static double time_of(const struct scale_worker *w, unsigned blocks, unsigned sms)
{
    const double rounds = (double)divide_up(blocks, sms ? sms : 1);
    return w->team->modelled ? (double)w->result.counters.warp_instructions * rounds / blocks
                             : w->result.measured_s;
}

/* Several times on a GPU, of which the fastest counts. The result of the last is kept. */
static int launch(struct scale_worker *w, const char *kernel, unsigned blocks,
                  const struct param *params, double *time)
{
    const struct scale_team *t = w->team;
    const struct lab_launch l = {.module = "scale", .kernel = kernel, .grid = {blocks},
                                 .block = {t->plan.threads}, .counts = t->modelled};
    for (unsigned i = 0; i < (t->modelled ? 1 : GPU_RUNS); i++) {
        launch_result_free(&w->result);
        if (lab_launch(w->session, &l, &w->result, &w->report, params) != 0 ||
            launch_result_ended(&w->result))
            return -1;
        const double now = time_of(w, blocks, t->sms);
        *time = i == 0 || now < *time ? now : *time;
    }
    return 0;
}

static int fill_elements(struct scale_worker *w, uint64_t *x)
{
    const int count = w->rank->count;
    const size_t bytes = (size_t)count * sizeof(float);
    float *elements = mem_alloc(&allocator_libc, bytes);
    if (!elements)
        return report_fail_limit(&w->report, "out of memory; a smaller -n needs less");
    for (int i = 0; i < count; i++)
        elements[i] = element(w->rank->first + i);
    int failed = lab_array(w->session, bytes, "x", elements, x, &w->report);
    mem_free(&allocator_libc, elements, bytes);
    return failed;
}

/* First all terms by all blocks, then the sums of the blocks by one. */
static int by_device(struct scale_worker *w, float h)
{
    const struct scale_plan *p = &w->team->plan;
    const struct scale_rank *k = w->rank;
    const int blocks = (int)p->blocks;
    uint64_t x = 0, sums, total;
    float sum = 0;
    int failed = lab_array(w->session, p->blocks * sizeof sum, "sums", NULL, &sums, &w->report) ||
                 lab_array(w->session, sizeof sum, "total", NULL, &total, &w->report);
    if (!failed && p->task == TASK_SUM)
        failed = fill_elements(w, &x) ||
                 launch(w, "scale_sum", p->blocks, PARAMS(x, k->count, sums),
                        &w->value[SAYS_WORK]);
    else if (!failed)
        failed = launch(w, "scale_trap", p->blocks,
                        PARAMS(p->a, h, k->first, k->first + k->count, sums),
                        &w->value[SAYS_WORK]);
    if (!failed) {
        w->has_counters = w->result.has_counters;
        w->counters = w->result.counters;
        w->value[SAYS_INSTRUCTIONS] = (double)w->counters.warp_instructions;
    }
    if (!failed)
        failed = launch(w, "scale_add", 1, PARAMS(sums, blocks, total), &w->value[SAYS_ADD]) ||
                 session_fetch(w->session, &sum, total, sizeof sum, &w->report);
    w->value[SAYS_SUM] = p->task == TASK_TRAP ? (double)(h * sum) : (double)sum;
    lab_arrays_free(w->session);
    return failed ? -1 : 0;
}

/* The longest chain of float additions: of a thread, its block, and the block that adds. */
static double chain_of(const struct scale_plan *p, int count)
{
    enum { TREES = 22 }; /* halvings of two blocks of at most 1024, and the product */
    const uint64_t threads = (uint64_t)p->blocks * p->threads;
    return (double)(divide_up((uint64_t)count + 1, threads) + divide_up(p->blocks, p->threads)) +
           TREES;
}

static void work(struct scale_worker *w, float h)
{
    const double began = budget_spent(&w->session->budget);
    double sum = 0;
    memset(w->value, 0, sizeof w->value);
    if (!w->rank->count || by_host(w, h, &sum) != 0)
        return;
    w->value[SAYS_CHAIN] = chain_of(&w->team->plan, w->rank->count);
    if (!w->rank->by_host) {
        by_device(w, h);
        return;
    }
    w->value[SAYS_SUM] = sum;
    w->value[SAYS_WORK] = w->team->modelled ? 0 : budget_spent(&w->session->budget) - began;
}

int scale_copy(struct scale_team *t, struct scale_peer *p)
{
    enum { BYTES = 64 << 20 };
    struct session *s = t->worker[0].session;
    double seconds[PEER_WAYS] = {0};
    struct launch_result result;
    *p = (struct scale_peer){.bytes = 0};
    if (t->modelled || t->plan.gpus < 2 || t->mine)
        return 0;
    p->from = (unsigned)s->device->card;
    p->to = p->from ? 0 : 1;
    const struct peer_job job = {.bytes = BYTES, .card = (int)p->to};
    if (lab_peer_copy(s, &job, seconds, &result, t->report) != 0)
        return -1;
    if (result.not_run[0] == '\0' && !launch_result_failed(&result) && seconds[PEER_BY_HOST] > 0) {
        p->bytes = BYTES;
        p->by_host = BYTES / seconds[PEER_BY_HOST] / 1e9;
        p->direct = seconds[PEER_DIRECT] > 0 ? BYTES / seconds[PEER_DIRECT] / 1e9 : 0;
    }
    launch_result_free(&result);
    return 0;
}

/* ---- all of them ------------------------------------------------------------------------ */

struct scale_start { struct scale_worker *worker; float h; };

static void *work_apart(void *start)
{
    const struct scale_start *s = start;
    work(s->worker, s->h);
    atomic_store(&s->worker->done, true);
    return NULL;
}

/* Ctrl-C is the main thread's to see. */
static void wait_for(struct scale_team *t)
{
    const struct timespec pause = {0, LOOK_MS * 1000000};
    for (unsigned i = 0; i < t->workers; i++) {
        struct scale_worker *w = &t->worker[i];
        if (!w->started)
            continue;
        while (!atomic_load(&w->done)) {
            for (unsigned j = 0; j < t->workers && t->session->stop; j++)
                t->worker[j].own.stop = 1;
            nanosleep(&pause, NULL);
        }
        pthread_join(w->thread, NULL);
    }
}

static void work_together(struct scale_team *t, unsigned gpus, float h)
{
    struct scale_start start[SCALE_RANKS];
    for (unsigned i = 0; i < t->workers; i++) {
        struct scale_worker *w = &t->worker[i];
        start[i] = (struct scale_start){w, h};
        atomic_store(&w->done, false);
        w->started = scale_works(w->rank, gpus) &&
                     pthread_create(&w->thread, NULL, work_apart, &start[i]) == 0;
        if (scale_works(w->rank, gpus) && !w->started)
            work(w, h);
    }
    wait_for(t);
}

void scale_workers_run(struct scale_team *t, int n, unsigned gpus)
{
    const float h = (t->plan.b - t->plan.a) / (float)n;
    for (unsigned i = 0; i < t->workers; i++)
        memset(t->worker[i].value, 0, sizeof t->worker[i].value);
    if (!t->modelled && t->workers > 1)
        work_together(t, gpus, h);
    for (unsigned i = 0; i < t->workers; i++) {
        struct scale_worker *w = &t->worker[i];
        if (scale_works(w->rank, gpus) && (t->modelled || t->workers == 1))
            work(w, h);
        t->word[t->mine + i] = (struct team_word){0};
        scale_note(&t->word[t->mine + i], &w->report);
        memcpy(t->word[t->mine + i].value, w->value, sizeof w->value);
    }
    t->has_counters = t->worker[0].has_counters;
    t->counters = t->worker[0].counters;
}
