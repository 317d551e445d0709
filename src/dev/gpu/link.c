/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process is this program again, started by exec in a process group of its own. It may hang or
 * crash at any time. So whatever waits here also checks the clock and Ctrl-C, and the process is
 * only ever stopped by SIGKILL.
 */
#define _GNU_SOURCE /* memfd_create */
#include "dev/gpu/link.h"

#include "os/clock.h"
#include "base/room.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_MS = 50, NOT_STARTED = 127, NUMBER = 12, START_SECONDS = 60 };

/* ---- files ----------------------------------------------------------------------------- */

static int nameless_file(const char *name)
{
    return memfd_create(name, MFD_CLOEXEC);
}

int gpu_link_open(struct gpu_link *l, int card, struct err *e)
{
    *l = (struct gpu_link){.card = card, .fd = -1};
    l->mirror = nameless_file("cudalab arrays");
    l->ring_file = nameless_file("cudalab prints");
    void *ring = MAP_FAILED;
    if (l->mirror >= 0 && l->ring_file >= 0 && ftruncate(l->ring_file, GPU_RING_BYTES) == 0)
        ring = mmap(NULL, GPU_RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, l->ring_file, 0);
    if (ring != MAP_FAILED) {
        l->ring = ring;
        return 0;
    }
    fail(e, "no memory can be shared with the process for the GPU: %s", strerror(errno));
    gpu_link_close(l);
    return -1;
}

void gpu_link_close(struct gpu_link *l)
{
    gpu_link_kill(l);
    if (l->ring)
        munmap(l->ring, GPU_RING_BYTES);
    if (l->mirror >= 0)
        close(l->mirror);
    if (l->ring_file >= 0)
        close(l->ring_file);
    *l = (struct gpu_link){.fd = -1, .mirror = -1, .ring_file = -1};
}

/* ---- the process ------------------------------------------------------------------------- */

/* Called between fork and exec. The three files stay open, all others close by themselves. */
static void become_the_process(const struct gpu_link *l, int fd)
{
    const int files[3] = {fd, l->mirror, l->ring_file};
    char number[4][NUMBER];
    char *argv[] = {(char *)(uintptr_t)"cudalab", (char *)(uintptr_t)gpu_process_option,
                    number[0], number[1], number[2], number[3], NULL};
    for (int i = 0; i < 3; i++) {
        fcntl(files[i], F_SETFD, 0);
        snprintf(number[i], NUMBER, "%d", files[i]);
    }
    snprintf(number[3], NUMBER, "%d", l->card);
    setpgid(0, 0);
    room_unbound(); /* the driver maps far more than it uses */
    personality(ADDR_NO_RANDOMIZE); /* it also works without */
    execv(device_program, argv);
    _exit(NOT_STARTED);
}

int gpu_link_start(struct gpu_link *l, struct err *e)
{
    int pair[2];
    if (!device_program)
        return fail(e, "this program has no GPU device; cudalab has");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return fail(e, "the process for the GPU can't be started: %s", strerror(errno));
    l->pid = fork();
    if (l->pid == 0)
        become_the_process(l, pair[1]);
    int why = errno;
    close(pair[1]);
    l->greeted = false;
    l->fd = pair[0];
    if (l->pid > 0)
        return 0;
    l->pid = 0;
    close(l->fd);
    l->fd = -1;
    return fail(e, "the process for the GPU can't be started: %s", strerror(why));
}

int gpu_link_kill(struct gpu_link *l)
{
    int status = 0;
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
    if (l->pid <= 0)
        return 0;
    l->greeted = false;
    kill(l->pid, SIGKILL);
    while (waitpid(l->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    l->pid = 0;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Clears away a process that may have ended by itself, and returns the signal that it died of. That
 * is only known if SIGKILL doesn't come first. */
static int reap(struct gpu_link *l)
{
    int status = 0;
    const double start = clock_seconds();
    pid_t done = 0;
    while (l->pid > 0 && clock_seconds() - start < 1 &&
           (done = waitpid(l->pid, &status, WNOHANG)) == 0)
        poll(NULL, 0, 1);
    if (done <= 0)
        return gpu_link_kill(l);
    l->pid = 0;
    gpu_link_kill(l);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

bool gpu_link_lost(struct gpu_link *l)
{
    struct pollfd fd = {.fd = l->fd, .events = POLLIN};
    if (l->fd >= 0 && poll(&fd, 1, 0) <= 0)
        return false; /* nothing to read: it waits for a request */
    reap(l);
    l->greeted = false;
    return true;
}

/* ---- talking ------------------------------------------------------------------------------ */

/* One exchange. A stopped process neither takes a request nor answers, so both are limited. */
struct exchange {
    struct gpu_link *link;
    const struct gpu_patience *patience;
    double start;
    enum gpu_silence why; /* it was given up */
};

static enum gpu_silence wait_for(const struct exchange *x, short events)
{
    const struct gpu_patience *p = x->patience;
    struct pollfd fd = {.fd = x->link->fd, .events = events};
    for (;;) {
        double left = p->seconds > 0 ? p->seconds - (clock_seconds() - x->start) : LOOK_MS;
        progress_tell(p->progress, PART_UNKNOWN);
        if (p->stop && *p->stop)
            return GPU_STOPPED;
        if (left <= 0)
            return GPU_LATE;
        int ms = left * 1000 < LOOK_MS ? (int)(left * 1000) + 1 : LOOK_MS;
        int n = poll(&fd, 1, ms);
        if (n > 0)
            return GPU_ANSWERED;
        if (n < 0 && errno != EINTR)
            return GPU_DIED;
    }
}

static int exchange_ready(void *self, short events)
{
    struct exchange *x = self;
    enum gpu_silence why = wait_for(x, events);
    if (why == GPU_ANSWERED)
        return 0;
    x->why = why;
    return -1;
}

/* Takes a message; its payload is cut to the room there is. */
static int take_message(struct gpu_link *l, struct gpu_message *m, char *to, size_t room,
                        const struct gpu_wait *w)
{
    char rest[256];
    if (gpu_receive(l->fd, m, sizeof *m, w) != 0)
        return -1;
    size_t taken = m->payload < room ? (size_t)m->payload : room;
    if (gpu_receive(l->fd, to, taken, w) != 0)
        return -1;
    if (taken < room)
        to[taken] = '\0';
    for (uint64_t left = m->payload - taken; left;) {
        size_t n = left < sizeof rest ? (size_t)left : sizeof rest;
        if (gpu_receive(l->fd, rest, n, w) != 0)
            return -1;
        left -= n;
    }
    m->payload = taken;
    return 0;
}

enum gpu_silence gpu_ask(struct gpu_link *l, struct gpu_message *m, const void *payload, void *to,
                         size_t room, const struct gpu_patience *p, int *signal)
{
    struct exchange x = {l, p, clock_seconds(), GPU_DIED};
    const struct gpu_wait wait = {exchange_ready, &x};
    bool done = l->fd >= 0 && gpu_send(l->fd, m, payload, &wait) == 0 &&
                take_message(l, m, to, room, &wait) == 0;
    enum gpu_silence why = done ? GPU_ANSWERED : x.why;
    *signal = 0;
    if (why == GPU_DIED)
        *signal = reap(l);
    else if (why != GPU_ANSWERED)
        gpu_link_kill(l);
    l->greeted = why == GPU_ANSWERED;
    return why;
}

int gpu_link_greet(struct gpu_link *l, struct gpu_ready *ready, const struct device_waits *waits,
                   struct err *e)
{
    struct gpu_message m;
    const struct gpu_patience patience = {.stop = waits ? waits->stop : NULL,
                                          .progress = waits ? waits->progress : NULL,
                                          .seconds = START_SECONDS};
    char text[sizeof *ready + 1] = "";
    struct exchange x = {l, &patience, clock_seconds(), GPU_DIED};
    const struct gpu_wait wait = {exchange_ready, &x};
    bool done = l->fd >= 0 && take_message(l, &m, text, sizeof text, &wait) == 0;
    enum gpu_silence why = done ? GPU_ANSWERED : x.why;
    if (why == GPU_ANSWERED && m.status == 0 && m.payload == sizeof *ready) {
        memcpy(ready, text, sizeof *ready);
        l->greeted = true;
        return 0;
    }
    int signal = why == GPU_DIED ? reap(l) : gpu_link_kill(l);
    if (why == GPU_ANSWERED)
        fail(e, "%.*s", ERR_TEXT - 1, text);
    else if (why == GPU_STOPPED)
        fail(e, "interrupted");
    else if (why == GPU_LATE)
        fail(e, "the NVIDIA driver didn't answer for %d s", START_SECONDS);
    else if (signal)
        fail(e, "the NVIDIA driver crashes when it is started (signal %d)", signal);
    else
        fail(e, "the process for the GPU ended at once");
    return -1;
}
