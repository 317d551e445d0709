/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The threads of a handle, which run the workers of its launches. They are made when a launch first
 * needs them, and wait from then on until the handle is closed: to make them takes as long as a
 * short launch. Between two calls of threads_do() nothing runs in them. Each thread wakes two
 * others, so that many begin nearly as early as a few.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "sim/cores.h"

#ifdef HAVE_THREADS

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

enum { STACK = 1 << 20, TRIES = 1000 };

struct one_thread {
    pthread_t thread;
    struct threads *all;
    unsigned number; /* of the worker that it runs */
    sem_t begins;
};

struct threads {
    struct one_thread **of; /* that of worker 1 first */
    size_t count, capacity;
    pid_t process;          /* in a copy that fork() made of it there are no threads */
    sem_t end;              /* all have done their part */
    bool quit;
    struct cores *cores;    /* what they do now: */
    worker_part *part;
    uint64_t steps;
    unsigned running;       /* of them */
};

unsigned threads_most(void)
{
    cpu_set_t may;
    int n = sched_getaffinity(0, sizeof may, &may) == 0 ? CPU_COUNT(&may) : 1;
    return n > 0 ? (unsigned)n : 1;
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* What is waited for comes soon or not for a long time. To sleep and wake up takes longer than the
 * first tries. */
static void wait_for(sem_t *s)
{
    for (int i = 0; i < TRIES; i++) {
        if (sem_trywait(s) == 0)
            return;
        pause_briefly();
    }
    while (sem_wait(s) != 0) /* a signal came */
        ;
}

static void wake(struct threads *t, unsigned worker)
{
    if (worker < t->cores->count)
        sem_post(&t->of[worker - 1]->begins);
}

static void do_part(struct threads *t, unsigned worker)
{
    wake(t, 2 * worker + 1);
    wake(t, 2 * worker + 2);
    t->part(t->cores->workers[worker], t->steps);
}

static void *run_thread(void *arg)
{
    struct one_thread *own = arg;
    struct threads *t = own->all;
    for (;;) {
        wait_for(&own->begins);
        if (t->quit)
            return NULL;
        do_part(t, own->number);
        if (__atomic_sub_fetch(&t->running, 1, __ATOMIC_ACQ_REL) == 0)
            sem_post(&t->end);
    }
}

static bool make_thread(struct threads *t, const struct allocator *from, const pthread_attr_t *attr)
{
    struct one_thread *one;
    if (mem_grow(from, (void **)&t->of, &t->capacity, t->count, sizeof(struct one_thread *)) < 0 ||
        !(one = mem_alloc(from, sizeof *one)))
        return false;
    one->all = t;
    one->number = (unsigned)t->count + 1;
    if (sem_init(&one->begins, 0, 0) == 0) {
        if (pthread_create(&one->thread, attr, run_thread, one) == 0) {
            t->of[t->count++] = one;
            return true;
        }
        sem_destroy(&one->begins);
    }
    mem_free(from, one, sizeof *one);
    return false;
}

/* Makes those that are lacking. Signals go to the caller's thread. */
static bool make_threads(struct threads *t, const struct allocator *from, unsigned count)
{
    pthread_attr_t attr;
    sigset_t all, before;
    if (t->count >= count)
        return true;
    if (pthread_attr_init(&attr) != 0)
        return false;
    pthread_attr_setstacksize(&attr, STACK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (t->count < count && make_thread(t, from, &attr))
        ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return t->count >= count;
}

static struct threads *new_threads(const struct allocator *from)
{
    struct threads *t = mem_alloc(from, sizeof *t);
    if (t && sem_init(&t->end, 0, 0) == 0) {
        t->process = getpid();
        return t;
    }
    mem_free(from, t, sizeof *t);
    return NULL;
}

bool threads_ready(struct sim *s, unsigned count)
{
    if (s->threads && s->threads->process != getpid())
        threads_close(s);
    if (!s->threads)
        s->threads = new_threads(&s->allocator);
    return s->threads && make_threads(s->threads, &s->allocator, count);
}

void threads_do(struct cores *c, worker_part *part, uint64_t steps)
{
    struct threads *t = c->run->sim->threads;
    t->cores = c;
    t->part = part;
    t->steps = steps;
    __atomic_store_n(&t->running, c->count - 1, __ATOMIC_RELEASE);
    do_part(t, 0);
    wait_for(&t->end);
}

void threads_close(struct sim *s)
{
    struct threads *t = s->threads;
    const bool alive = t && t->process == getpid();
    if (!t)
        return;
    t->quit = true;
    for (size_t i = 0; i < t->count; i++) {
        if (alive) {
            sem_post(&t->of[i]->begins);
            pthread_join(t->of[i]->thread, NULL);
            sem_destroy(&t->of[i]->begins);
        }
        mem_free(&s->allocator, t->of[i], sizeof *t->of[i]);
    }
    if (alive)
        sem_destroy(&t->end);
    mem_free(&s->allocator, t->of, t->capacity * sizeof *t->of);
    mem_free(&s->allocator, t, sizeof *t);
    s->threads = NULL;
}

#else

unsigned threads_most(void)
{
    return 1;
}

bool threads_ready(struct sim *s, unsigned count)
{
    (void)s, (void)count;
    return false;
}

void threads_do(struct cores *c, worker_part *part, uint64_t steps)
{
    (void)c, (void)part, (void)steps;
}

void threads_close(struct sim *s)
{
    (void)s;
}

#endif
