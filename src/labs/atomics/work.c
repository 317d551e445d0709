/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations, their operands, one run, and its proof. Each thread is an arrow from the value that
 * it found to the value that it made of it; an order in which all go, one after the other, is a
 * path over all arrows from the start to the end, found as Hierholzer did in 1873.
 */
#include "labs/atomics/work.h"

#include "labkit/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Since when, as CUDA 13.0's headers sm_20, sm_32 and sm_60_atomic_functions.h have it; what is
 * older, as NVIDIA's guides of its day did. */
#define INTS "1.1", "1.2"
#define SINCE_32                \
    {                           \
        INTS, "3.2", NULL, NULL \
    }
const struct atomic_kind atomic_kinds[] = {
    {"add", "atomicAdd", "x += v", "atomics_add", {INTS, "1.2", "2.0", "6.0"}},
    {"sub", "atomicSub", "x -= v", "atomics_sub", {INTS, NULL, NULL, NULL}},
    {"min", "atomicMin", "x = min(x, v)", "atomics_min", SINCE_32},
    {"max", "atomicMax", "x = max(x, v)", "atomics_max", SINCE_32},
    {"and", "atomicAnd", "x &= v", "atomics_and", SINCE_32},
    {"or", "atomicOr", "x |= v", "atomics_or", SINCE_32},
    {"xor", "atomicXor", "x ^= v", "atomics_xor", SINCE_32},
    {"exch", "atomicExch", "x = v", "atomics_exch", {INTS, "1.2", "1.1", NULL}},
    {"cas", "atomicCAS", "if (x == 0) x = v", "atomics_cas", {INTS, "1.2", NULL, NULL}},
    {"inc", "atomicInc", "x = x >= v ? 0 : x + 1", "atomics_inc", {INTS, NULL, NULL, NULL}},
    {"dec",
     "atomicDec",
     "x = x == 0 || x > v ? v : x - 1",
     "atomics_dec",
     {INTS, NULL, NULL, NULL}},
};
const char *const atomic_names[] = {"add", "sub",  "min", "max", "and", "or",
                                    "xor", "exch", "cas", "inc", "dec", NULL};

int32_t atomic_changed(enum atomic_op op, int32_t found, int32_t by)
{
    uint32_t x = (uint32_t)found, v = (uint32_t)by;
    switch (op) {
    case ATOMIC_ADD: return (int32_t)(x + v);
    case ATOMIC_SUB: return (int32_t)(x - v);
    case ATOMIC_MIN: return found < by ? found : by;
    case ATOMIC_MAX: return found > by ? found : by;
    case ATOMIC_AND: return (int32_t)(x & v);
    case ATOMIC_OR: return (int32_t)(x | v);
    case ATOMIC_XOR: return (int32_t)(x ^ v);
    case ATOMIC_EXCH: return by;
    case ATOMIC_CAS: return found == 0 ? by : found;
    case ATOMIC_INC: return x >= v ? 0 : (int32_t)(x + 1);
    case ATOMIC_DEC: break;
    }
    return x == 0 || x > v ? by : (int32_t)(x - 1);
}

bool atomic_has_one_answer(const struct atomic_run *a)
{
    bool same = true;
    for (unsigned t = 1; t < a->threads; t++)
        same = same && a->in[t] == a->in[0];
    return same || a->op <= ATOMIC_XOR;
}

/* What x should be where that depends on the order. */
static const char *expected_words(enum atomic_op op)
{
    return op == ATOMIC_EXCH ? "the v of whichever thread came last, and each thread should find "
                               "what the one before it left"
                             : "what the threads leave in some order, one after the other";
}

/* ---- operands --------------------------------------------------------------------------- */

static int32_t usual_start(enum atomic_op op, unsigned threads)
{
    switch (op) {
    case ATOMIC_SUB: return (int32_t)threads;
    case ATOMIC_MIN: return 100;
    case ATOMIC_AND: return 255;
    case ATOMIC_DEC: return 5;
    default: return 0;
    }
}

static int32_t usual_operand(enum atomic_op op, uint64_t seed, unsigned t)
{
    switch (op) {
    case ATOMIC_MIN:
    case ATOMIC_MAX: return (int32_t)(lab_drawn(seed, t) % 100);
    case ATOMIC_AND: return 255 & ~(1 << t % 8);
    case ATOMIC_OR:
    case ATOMIC_XOR: return 1 << t % 8;
    case ATOMIC_EXCH:
    case ATOMIC_CAS: return (int32_t)t + 1;
    case ATOMIC_INC:
    case ATOMIC_DEC: return 5;
    default: return 1;
    }
}

/* The k-th of a list that begins anew where it ends; the parser has seen to its form. */
static int32_t listed(const char *list, unsigned k)
{
    char item[48];
    int64_t v = 0;
    struct err ignored;
    unsigned count = 1;
    for (const char *s = list; *s; s++)
        count += *s == ',';
    for (k %= count; k; k--)
        list += strcspn(list, ",") + 1;
    snprintf(item, sizeof item, "%.*s", (int)strcspn(list, ","), list);
    num_int(item, INT32_MIN, INT32_MAX, &v, &ignored);
    return (int32_t)v;
}

int atomic_read(const struct atomics_options *o, uint64_t seed, struct atomic_run *a,
                struct report *r)
{
    memset(a, 0, sizeof *a);
    a->op = (enum atomic_op)o->op;
    a->threads = o->lab.threads ? (unsigned)o->lab.threads : 8;
    a->start = o->start_given ? o->start : usual_start(a->op, a->threads);
    for (unsigned t = 0; t < a->threads; t++)
        a->in[t] = o->values ? listed(o->values, t) : usual_operand(a->op, seed, t);
    bool counts = a->op == ATOMIC_INC || a->op == ATOMIC_DEC;
    for (unsigned t = 0; t < a->threads && counts; t++)
        if (a->in[t] < 0 || a->start < 0)
            return report_fail(r,
                               "%s works on numbers without a sign: --start and --values are "
                               "0 or more there",
                               atomic_kinds[a->op].function);
    return 0;
}

/* ---- the proof -------------------------------------------------------------------------- */

static void atomic_judge(struct atomic_run *a)
{
    static const unsigned nobody = ATOMIC_THREADS;
    struct {
        int32_t value;
        unsigned by;
    } stack[ATOMIC_THREADS + 1] = {{a->start, nobody}};
    bool used[ATOMIC_THREADS] = {false};
    unsigned high = 1, found = 0;
    while (high) {
        unsigned t = 0;
        while (t < a->threads && (used[t] || a->old[t] != stack[high - 1].value))
            t++;
        if (t < a->threads) {
            used[t] = true;
            stack[high].value = atomic_changed(a->op, a->old[t], a->in[t]);
            stack[high++].by = t;
        } else if (stack[--high].by != nobody)
            a->order[a->threads - ++found] = stack[high].by;
    }
    int32_t x = a->start; /* those not reached leave gaps, or the path is broken */
    a->right = found == a->threads;
    for (unsigned i = 0; i < a->threads && a->right; i++) {
        unsigned t = a->order[i];
        a->right = a->old[t] == x;
        x = atomic_changed(a->op, x, a->in[t]);
    }
    a->right = a->right && x == a->left;
}

/* ---- one run ---------------------------------------------------------------------------- */

static void to_doubles(double *to, const int32_t *from, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        to[i] = from[i];
}

static bool to_ints(int32_t *to, const double *from, unsigned n)
{
    bool whole = true;
    for (unsigned i = 0; i < n; i++) {
        whole = whole && from[i] >= INT32_MIN && from[i] <= INT32_MAX &&
                from[i] == (double)(int32_t)from[i];
        to[i] = whole ? (int32_t)from[i] : 0;
    }
    return whole;
}

struct atomics_addresses {
    uint64_t x, in, old, tries;
};

static int arrays(const struct trial *t, const void *x, const void *in, size_t each, unsigned n,
                  struct atomics_addresses *at)
{
    return lab_array(t->session, each, "x", x, &at->x, t->report) ||
           lab_array(t->session, n * each, "in", in, &at->in, t->report) ||
           lab_array(t->session, n * each, "old", NULL, &at->old, t->report) ||
           lab_array(t->session, n * sizeof(int32_t), "tries", NULL, &at->tries, t->report);
}

static int fetch(const struct trial *t, void *x, void *old, size_t each, struct atomic_run *a,
                 const struct atomics_addresses *at)
{
    return session_fetch(t->session, x, at->x, each, t->report) ||
           session_fetch(t->session, old, at->old, a->threads * each, t->report) ||
           session_fetch(t->session, a->tries, at->tries, a->threads * sizeof a->tries[0],
                         t->report);
}

/* Doubles hold whole numbers here, so the proof is the same; 2^31 ends it. */
static int launch_doubles_in(double *room, struct atomic_run *a, const struct trial *t,
                             const struct lab_launch *l, struct attempt *got)
{
    double x = a->start, *in = room, *old = room + ATOMIC_THREADS;
    struct atomics_addresses at;
    to_doubles(in, a->in, a->threads);
    if (arrays(t, &x, in, sizeof x, a->threads, &at) ||
        (t->variant->tag & ATOMIC_LOOP
             ? trial_launch(t, l, got, PARAMS(at.x, at.in, at.old, at.tries))
             : trial_launch(t, l, got, PARAMS(at.x, at.in, at.old))) ||
        fetch(t, &x, old, sizeof x, a, &at))
        return -1;
    if (to_ints(&a->left, &x, 1) && to_ints(a->old, old, a->threads))
        return 0;
    return report_fail(t->report, "a sum beyond 2^31: this lab's doubles hold whole numbers up to "
                                  "there; take smaller --values");
}

static int launch_doubles(struct atomic_run *a, const struct trial *t, const struct lab_launch *l,
                          struct attempt *got)
{
    double *room = calloc(2 * ATOMIC_THREADS, sizeof *room);
    int rc = room ? launch_doubles_in(room, a, t, l, got) : report_fail_limit(t->report, "out of memory");
    free(room);
    return rc;
}

static int launch_ints(struct atomic_run *a, const struct trial *t, const struct lab_launch *l,
                       struct attempt *got)
{
    struct atomics_addresses at;
    if (arrays(t, &a->start, a->in, sizeof a->start, a->threads, &at))
        return -1;
    int failed = t->variant->tag & ATOMIC_ONE ? trial_launch(t, l, got, PARAMS(at.x, at.in, at.old))
                 : t->variant->tag & ATOMIC_LOOP
                     ? trial_launch(t, l, got, PARAMS(at.x, at.in, at.old, at.tries, (int)a->op))
                     : trial_launch(t, l, got, PARAMS(at.x, at.in, at.old, (int)a->op));
    return failed || fetch(t, &a->left, a->old, sizeof a->start, a, &at) ? -1 : 0;
}

/* Why this variant can't be had; empty: it can. */
static void refuse(const struct atomic_run *a, const struct trial *t, char why[160])
{
    const struct device_props *p = &t->session->device->props;
    if (t->variant->tag & ATOMIC_WIDE && a->op != ATOMIC_ADD)
        snprintf(why, 160, "doubles are added here, and no more: atomics add --variant %s",
                 t->variant->name);
    else if (t->variant->tag == (ATOMIC_WIDE | ATOMIC_ONE) && p->major < 6)
        snprintf(why, 160,
                 "atomicAdd on a double came with compute capability 6.0, and this card "
                 "has %d.%d; f64-cas does it",
                 p->major, p->minor);
    else if (t->variant->tag & ATOMIC_PLAIN && a->threads < 2)
        snprintf(why, 160, "one thread alone loses nothing; take --threads 2 at least");
}

int atomic_launch(struct atomic_run *a, const struct trial *t, struct attempt *got)
{
    const struct lab_variant *v = t->variant;
    int32_t x = a->start;
    const struct lab_launch l = {.module = "atomics",
                                 .grid = {1, 1, 1},
                                 .block = {a->threads, 1, 1},
                                 .kernel =
                                     v->tag == ATOMIC_ONE ? atomic_kinds[a->op].kernel : v->kernel};
    refuse(a, t, got->not_run);
    if (got->not_run[0])
        return 0;
    if (v->tag & ATOMIC_WIDE ? launch_doubles(a, t, &l, got) : launch_ints(a, t, &l, got))
        return -1;
    a->all_tries = 0;
    for (unsigned i = 0; i < a->threads; i++) {
        x = atomic_changed(a->op, x, a->in[i]);
        a->all_tries += (unsigned)a->tries[i];
    }
    atomic_judge(a);
    got->has_predicted = v->tag & ATOMIC_ONE && !v->mended_by;
    got->predicted = a->threads;
    got->right = a->right;
    got->value = a->left;
    got->expected = a->right ? a->left : x; /* of a wrong one, in the order of the numbers */
    got->expected_words = atomic_has_one_answer(a) ? NULL : expected_words(a->op);
    return 0;
}
