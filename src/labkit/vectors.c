/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vectors on the host; see vectors.h. Threads of the host share nothing but the arrays: each has
 * a piece of its own, so their sum can't depend on who is first.
 */
#include "labkit/vectors.h"

#include "labkit/loop.h"
#include "os/clock.h"
#include "base/mem.h"
#include "screen/facts.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_ALL = 6, SHOWN_HEAD = 3, PUT_MOST = 64 };

/* ---- input ------------------------------------------------------------------------------ */

static int count_of(const char *list)
{
    int n = 1;
    for (; *list; list++)
        n += *list == ',';
    return n;
}

/* How many elements: as the lists have, or -n where there are none. */
static int count_elements(struct vectors *v, const struct vectors_typed *typed, struct report *r)
{
    const char *const list[] = {typed->x, typed->y};
    int listed = 0;
    for (int k = 0; k < 2; k++) {
        int n = list[k] ? count_of(list[k]) : 0;
        if (n && listed && n != listed)
            return report_fail(r, "-x has %d numbers and -y %d: vectors that are added have the "
                                  "same length", listed, n);
        if (n && typed->n_given && n != typed->n)
            return report_fail(r, "-%c has %d numbers and -n is %d; leave -n out", "xy"[k], n,
                               typed->n);
        listed = n ? n : listed;
    }
    v->n = listed ? listed : typed->n;
    return 0;
}

/* A list as typed; else random numbers, those of y after those of x. */
static int fill_vector(const struct session *s, const char *list, struct vector_fill *f, int n,
                       float *to, struct report *r)
{
    struct err e;
    struct buf text = {0};
    buf_printf(&text, list ? "list:%s" : "random", list);
    f->made = !text.failed;
    int failed = text.failed || fill_parse(&f->fill, buf_text(&text), ELEMENT_F32, &e) != 0;
    if (text.failed)
        fail_memory(&e);
    buf_free(&text);
    return failed ? report_fail_err(r, &e)
                  : fill_memory(s, &f->fill, f->seed, f->first, (uint64_t)n, to, NULL, NULL,
                                LAB_ADVICE, r);
}

static size_t bytes_of(const struct vectors *v)
{
    return (size_t)v->n * sizeof(float);
}

static int get_memory(struct vectors *v, const struct device_props *p, struct report *r)
{
    char n[NUM_TEXT], needs[NUM_TEXT], has[NUM_TEXT];
    num_group(v->n, n);
    if (p->global_bytes && 3 * (uint64_t)bytes_of(v) > p->global_bytes)
        return report_fail(r, "three vectors of %s floats take %s bytes, and this device has %s; "
                              "take a smaller -n", n, num_group(3 * (int64_t)bytes_of(v), needs),
                           num_group((int64_t)p->global_bytes, has));
    float **all[] = {&v->x, &v->y, &v->want, &v->z};
    for (int k = 0; k < 4; k++)
        if (!(*all[k] = mem_alloc(&allocator_libc, bytes_of(v))))
            return report_fail(r, "this computer has no room for vectors of %s floats; take a "
                                  "smaller -n", n);
    return 0;
}

static void add(const float *x, const float *y, float *z, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        z[i] = x[i] + y[i];
}

static void add_rounds(void *vectors, uint64_t from, uint64_t to)
{
    const struct vectors *v = vectors;
    add(v->x, v->y, v->want, (size_t)from, (size_t)to);
}

int vectors_open(struct vectors *v, struct session *s, const struct vectors_typed *typed,
                 uint64_t seed, struct report *r)
{
    *v = (struct vectors){.n = 0};
    if (count_elements(v, typed, r))
        return -1;
    v->fill[0].seed = v->fill[1].seed = seed;
    v->fill[1].first = (uint64_t)v->n;
    if (get_memory(v, &s->device->props, r) ||
        fill_vector(s, typed->x, &v->fill[0], v->n, v->x, r) ||
        fill_vector(s, typed->y, &v->fill[1], v->n, v->y, r))
        return -1;
    return lab_loop(s, (uint64_t)v->n, add_rounds, v, r);
}

void vectors_close(struct vectors *v)
{
    float *all[] = {v->x, v->y, v->want, v->z};
    for (int k = 0; k < 4; k++)
        if (all[k])
            mem_free(&allocator_libc, all[k], bytes_of(v));
    for (int k = 0; k < 2; k++)
        if (v->fill[k].made)
            fill_free(&v->fill[k].fill);
}

int vectors_send(const struct vectors *v, struct session *s, uint64_t *x, uint64_t *y,
                 struct report *r)
{
    uint64_t *const at[] = {x, y};
    for (int k = 0; k < 2; k++) {
        const struct vector_fill *f = &v->fill[k];
        if (lab_array(s, bytes_of(v), k ? "y" : "x", NULL, at[k], r) ||
            fill_device(s, &f->fill, f->seed, f->first, (uint64_t)v->n, *at[k], LAB_ADVICE, r))
            return -1;
    }
    return 0;
}

/* ---- threads of the host ---------------------------------------------------------------- */

struct vector_piece {
    const struct vectors *of;
    size_t from, to;
    pthread_t thread;
};

static void *add_piece(void *given)
{
    const struct vector_piece *p = given;
    add(p->of->x, p->of->y, p->of->z, p->from, p->to);
    return NULL;
}

static int start_pieces(struct vectors *v, struct vector_piece *pieces, struct report *r)
{
    unsigned started = 0;
    for (; started < v->threads; started++) {
        struct vector_piece *p = &pieces[started];
        *p = (struct vector_piece){.of = v, .from = (size_t)v->n * started / v->threads,
                                   .to = (size_t)v->n * (started + 1) / v->threads};
        if (pthread_create(&p->thread, NULL, add_piece, p) != 0)
            break;
    }
    for (unsigned i = 0; i < started; i++)
        pthread_join(pieces[i].thread, NULL);
    if (!started)
        return report_fail(r, "here the program can't start threads; leave --host-threads out");
    return started == v->threads
               ? 0
               : report_fail(r, "this computer starts no more than %u threads now; take fewer "
                                "--host-threads", started);
}

int vectors_host(struct vectors *v, unsigned threads, struct report *r)
{
    struct vector_piece pieces[HOST_THREADS_MOST];
    double start = clock_seconds();
    v->threads = threads;
    v->several = threads > 1;
    v->most = (unsigned)v->n / threads + ((unsigned)v->n % threads != 0);
    v->timed = r->volatile_on;
    add(v->x, v->y, v->z, 0, (size_t)v->n);
    v->one_s = clock_seconds() - start;
    memset(v->z, 0, bytes_of(v));
    start = clock_seconds();
    if (start_pieces(v, pieces, r))
        return -1;
    v->all_s = clock_seconds() - start;
    v->one_ms = v->one_s * 1e3;
    v->all_ms = v->all_s * 1e3;
    v->same = memcmp(v->z, v->want, bytes_of(v)) == 0;
    return v->same ? 0 : report_fail(r, "the threads of the host got another sum than one loop");
}

static const struct fact host_facts[] = {
    {.name = "host_threads", FACT_AT(struct vectors, threads), .label = "host",
     .says = "{host_threads thread}, {several?at most {most} elements each|all {most} elements}: "
             "the same bits as one loop"},
    {.name = "host_same", FACT_AT(struct vectors, same)},
    {.name = "host_one_s", FACT_AT(struct vectors, one_s), WHEN(struct vectors, timed),
     .label = "", .says = "one loop {one_ms:%.4g} ms, {host_threads} threads {all_ms:%.4g} ms with "
                          "starting them"},
    {.name = "host_all_s", FACT_AT(struct vectors, all_s), WHEN(struct vectors, timed)},
    {FACT(struct vectors, several), .only = FACT_IN_TEXT},
    {FACT(struct vectors, most), .as = AS_GROUP, .only = FACT_IN_TEXT},
    {FACT(struct vectors, one_ms), .only = FACT_IN_TEXT},
    {FACT(struct vectors, all_ms), .only = FACT_IN_TEXT},
    {.name = NULL},
};

void say_vectors_host(const struct vectors *v, struct report *r)
{
    if (v->threads)
        facts_tell(host_facts, v, r);
}

/* ---- what is shown ---------------------------------------------------------------------- */

void say_vectors(const struct vectors *v, const char *head, struct report *r)
{
    const struct table_column columns[] = {
        {.head = "i", .right = true}, {.head = "x", .right = true}, {.head = "y", .right = true},
        {.head = head, .right = true}};
    const float *const of[] = {v->x, v->y, v->z};
    struct table t;
    table_begin(&t, columns, 4, 2);
    for (int i = 0; i < v->n; i++) {
        char text[NUM_TEXT];
        if (v->n > SHOWN_ALL && i == SHOWN_HEAD) {
            for (int k = 0; k < 4; k++)
                table_cell(&t, "...");
            i = v->n - 1;
        }
        table_cell(&t, "%s", num_group(i, text));
        for (int k = 0; k < 3; k++)
            table_cell(&t, "%s", num_f32(of[k][i], text));
    }
    say_table(r, &t);
}

void put_vectors(const struct vectors *v, struct json *j)
{
    const char *const name[] = {"x", "y", "z"};
    const float *const of[] = {v->x, v->y, v->z};
    for (int k = 0; k < 3 && v->n <= PUT_MOST; k++) {
        json_array(j, name[k]);
        for (int i = 0; i < v->n; i++)
            json_f32(j, NULL, of[k][i]);
        json_end_array(j);
    }
}
