/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that wait for work, see threads.h. Each thread wakes two others, so that many begin
 * nearly as early as a few.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/threads.h"

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
    unsigned number; /* from 1 on: the caller's has 0 */
    sem_t begins;
};

struct threads {
    struct one_thread **of; /* number 1 first */
    size_t made, capacity;
    pid_t process;          /* in a copy that fork() made of it there are no threads */
    sem_t end;              /* all have done their part */
    bool quit;
    thread_work *work;      /* what they do now: */
    void *arg;
    unsigned count;         /* so many, with the caller's */
    unsigned running;       /* of them, without the caller's */
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

static void wake(struct threads *t, unsigned number)
{
    if (number < t->count)
        sem_post(&t->of[number - 1]->begins);
}

static void do_work(struct threads *t, unsigned number)
{
    wake(t, 2 * number + 1);
    wake(t, 2 * number + 2);
    t->work(t->arg, number);
}

static void *run_thread(void *arg)
{
    struct one_thread *own = arg;
    struct threads *t = own->all;
    for (;;) {
        wait_for(&own->begins);
        if (t->quit)
            return NULL;
        do_work(t, own->number);
        if (__atomic_sub_fetch(&t->running, 1, __ATOMIC_ACQ_REL) == 0)
            sem_post(&t->end);
    }
}

static bool make_thread(struct threads *t, const struct allocator *from, const pthread_attr_t *attr)
{
    struct one_thread *one;
    if (mem_grow(from, (void **)&t->of, &t->capacity, t->made, sizeof(struct one_thread *)) < 0 ||
        !(one = mem_alloc(from, sizeof *one)))
        return false;
    one->all = t;
    one->number = (unsigned)t->made + 1;
    if (sem_init(&one->begins, 0, 0) == 0) {
        if (pthread_create(&one->thread, attr, run_thread, one) == 0) {
            t->of[t->made++] = one;
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
    if (t->made >= count)
        return true;
    if (pthread_attr_init(&attr) != 0)
        return false;
    pthread_attr_setstacksize(&attr, STACK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (t->made < count && make_thread(t, from, &attr))
        ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return t->made >= count;
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

bool threads_ready(struct threads **threads, const struct allocator *from, unsigned count)
{
    if (*threads && (*threads)->process != getpid())
        threads_close(threads, from);
    if (!*threads)
        *threads = new_threads(from);
    return *threads && make_threads(*threads, from, count);
}

void threads_do(struct threads *t, unsigned count, thread_work *work, void *arg)
{
    t->work = work;
    t->arg = arg;
    t->count = count;
    __atomic_store_n(&t->running, count - 1, __ATOMIC_RELEASE);
    do_work(t, 0);
    if (count > 1)
        wait_for(&t->end);
}

void threads_close(struct threads **threads, const struct allocator *from)
{
    struct threads *t = *threads;
    const bool alive = t && t->process == getpid();
    if (!t)
        return;
    t->quit = true;
    for (size_t i = 0; i < t->made; i++) {
        if (alive) {
            sem_post(&t->of[i]->begins);
            pthread_join(t->of[i]->thread, NULL);
            sem_destroy(&t->of[i]->begins);
        }
        mem_free(from, t->of[i], sizeof *t->of[i]);
    }
    if (alive)
        sem_destroy(&t->end);
    mem_free(from, t->of, t->capacity * sizeof *t->of);
    mem_free(from, t, sizeof *t);
    *threads = NULL;
}

#else

unsigned threads_most(void)
{
    return 1;
}

bool threads_ready(struct threads **threads, const struct allocator *from, unsigned count)
{
    (void)threads, (void)from, (void)count;
    return false;
}

void threads_do(struct threads *t, unsigned count, thread_work *work, void *arg)
{
    (void)t, (void)count;
    work(arg, 0);
}

void threads_close(struct threads **threads, const struct allocator *from)
{
    (void)threads, (void)from;
}

#endif
