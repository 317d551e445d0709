/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The threads of a launch's workers. They wait until a step of the launch begins; when it ends, all
 * of them wait again. So nothing runs between two calls of sim_step().
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "sim/cores.h"

#ifdef HAVE_THREADS

#include <pthread.h>
#include <sched.h>
#include <signal.h>

enum { STACK = 1 << 20 };

struct threads {
    pthread_mutex_t lock;
    pthread_cond_t begins, ends;
    unsigned count, running; /* without the caller's */
    uint64_t round, steps;   /* round: of the step that runs, or ran last */
    bool quit;
    struct one_thread {
        pthread_t thread;
        struct threads *all;
        struct worker *worker;
    } *of;
};

unsigned threads_most(void)
{
    cpu_set_t may;
    int n = sched_getaffinity(0, sizeof may, &may) == 0 ? CPU_COUNT(&may) : 1;
    return n > 0 ? (unsigned)n : 1;
}

static void *run_thread(void *arg)
{
    const struct one_thread *own = arg;
    struct threads *t = own->all;
    uint64_t round = 0;
    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (!t->quit && t->round == round)
            pthread_cond_wait(&t->begins, &t->lock);
        if (t->quit)
            break;
        round = t->round;
        const uint64_t steps = t->steps;
        pthread_mutex_unlock(&t->lock);
        run_turns(&own->worker->run, steps);
        pthread_mutex_lock(&t->lock);
        if (--t->running == 0)
            pthread_cond_signal(&t->ends);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* Makes the threads, as many of them as the system gives. Signals go to the caller's thread. */
static void make_threads(struct threads *t, struct cores *c, unsigned count)
{
    pthread_attr_t attr;
    sigset_t all, before;
    if (pthread_attr_init(&attr) != 0)
        return;
    pthread_attr_setstacksize(&attr, STACK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; t->count < count; t->count++) {
        struct one_thread *one = &t->of[t->count];
        *one = (struct one_thread){.all = t, .worker = c->workers[t->count + 1]};
        if (pthread_create(&one->thread, &attr, run_thread, one) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
}

struct threads *threads_start(struct cores *c, unsigned count)
{
    struct arena *arena = &c->run->of_grid;
    struct threads *t = arena_alloc(arena, sizeof *t);
    if (!t || !(t->of = arena_alloc(arena, count * sizeof *t->of)) ||
        pthread_mutex_init(&t->lock, NULL) != 0)
        return NULL;
    if (pthread_cond_init(&t->begins, NULL) != 0) {
        pthread_mutex_destroy(&t->lock);
        return NULL;
    }
    if (pthread_cond_init(&t->ends, NULL) != 0) {
        pthread_cond_destroy(&t->begins);
        pthread_mutex_destroy(&t->lock);
        return NULL;
    }
    make_threads(t, c, count);
    c->threads = t;
    if (t->count == count)
        return t;
    threads_end(c);
    return NULL;
}

void threads_run(struct cores *c, uint64_t steps)
{
    struct threads *t = c->threads;
    pthread_mutex_lock(&t->lock);
    t->running = t->count;
    t->steps = steps;
    t->round++;
    pthread_cond_broadcast(&t->begins);
    pthread_mutex_unlock(&t->lock);
    run_turns(&c->workers[0]->run, steps);
    pthread_mutex_lock(&t->lock);
    while (t->running)
        pthread_cond_wait(&t->ends, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void threads_end(struct cores *c)
{
    struct threads *t = c->threads;
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->quit = true;
    pthread_cond_broadcast(&t->begins);
    pthread_mutex_unlock(&t->lock);
    for (unsigned i = 0; i < t->count; i++)
        pthread_join(t->of[i].thread, NULL);
    pthread_cond_destroy(&t->ends);
    pthread_cond_destroy(&t->begins);
    pthread_mutex_destroy(&t->lock);
    c->threads = NULL;
}

#else

unsigned threads_most(void)
{
    return 1;
}

struct threads *threads_start(struct cores *c, unsigned count)
{
    (void)c, (void)count;
    return NULL;
}

void threads_run(struct cores *c, uint64_t steps)
{
    (void)c, (void)steps;
}

void threads_end(struct cores *c)
{
    (void)c;
}

#endif
