/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of the host that a stream calls, in a program that waits for them without CUDA, by a
 * condition variable for example. cudalab does the work of streams as late as it may, and such a
 * program would wait for ever. So a thread of ours looks whether the program does nothing, and has
 * the functions called then. On a GPU, too, a thread of the driver calls them.
 */
#define _GNU_SOURCE
#include "run/client/client.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

/* The program sleeps, or it computes and makes no call: then it may look at a variable again and
 * again. */
enum { TICK_MS = 20, ASLEEP_TICKS = 3, BUSY_TICKS = 100, ASLEEP_PERCENT = 20 };

static sem_t wanted;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_uint calls; /* the number of requests, and of answers */

void run_count_call(void)
{
    atomic_fetch_add(&calls, 1);
}

static double processor_ms(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Until the program has made no call for some time. */
static void wait_for_silence(void)
{
    const struct timespec tick = {.tv_nsec = TICK_MS * 1000000L};
    for (unsigned asleep = 0, silent = 0; asleep < ASLEEP_TICKS && silent < BUSY_TICKS;) {
        const unsigned before = atomic_load(&calls);
        const double began = processor_ms();
        nanosleep(&tick, NULL);
        const bool none = before == atomic_load(&calls) && before % 2 == 0;
        const bool sleeps = processor_ms() - began < TICK_MS * ASLEEP_PERCENT / 100.0;
        silent = none ? silent + 1 : 0;
        asleep = none && sleeps ? asleep + 1 : 0;
    }
}

static void *call_functions(void *unused)
{
    (void)unused;
    for (;;) {
        while (sem_wait(&wanted) != 0)
            continue;
        wait_for_silence();
        while (sem_trywait(&wanted) == 0) /* one request is for all */
            continue;
        struct run_message m = REQUEST(CALLS_DUE);
        run_ask(&m, NULL, 0, NULL, 0);
    }
    return NULL;
}

/* Without such a thread the functions are called when the program makes a call that waits. */
static void begin(void)
{
    pthread_t thread;
    if (sem_init(&wanted, 0, 0) == 0 && pthread_create(&thread, NULL, call_functions, NULL) == 0)
        pthread_detach(thread);
}

void run_functions_are_due(void)
{
    pthread_once(&once, begin);
    sem_post(&wanted);
}
