/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that works with the GPU, seen from the side that started it: start it, talk to
 * it, and end it, whatever it does.
 */
#ifndef DEV_GPU_LINK_H
#define DEV_GPU_LINK_H

#include "base/progress.h"
#include "dev/gpu/wire.h"
#include <sys/types.h>

struct gpu_link {
    int card;
    pid_t pid;     /* 0: none runs */
    int fd;        /* -1: none */
    bool greeted;  /* it has said GPU_READY, and that it works */
    int mirror;    /* the file of the arrays' bytes */
    int ring_file;
    struct gpu_ring *ring;
};

/* How long to wait for a reply. */
struct gpu_patience {
    const volatile sig_atomic_t *stop; /* Ctrl-C; may be NULL */
    const struct progress *progress;   /* told while waiting; may be NULL */
    double seconds;                    /* 0: for ever */
};

/* Why there is no reply. The process is gone in each case. */
enum gpu_silence { GPU_ANSWERED, GPU_STOPPED, GPU_LATE, GPU_DIED };

int gpu_link_open(struct gpu_link *, int card, struct err *); /* files; starts nothing yet */
void gpu_link_close(struct gpu_link *);

/* Start the process, and don't wait for it. */
int gpu_link_start(struct gpu_link *, struct err *);
/* Has it ended by itself since it was last talked to? Then it is buried. */
bool gpu_link_lost(struct gpu_link *);
/* Wait until it is ready; -1: it has ended, and e says why there is no GPU. */
int gpu_link_greet(struct gpu_link *, struct gpu_ready *, const volatile sig_atomic_t *stop,
                   struct err *);
/* At once, and nothing of it stays; its signal, or 0. */
int gpu_link_kill(struct gpu_link *);

/* One request. The reply is in *m; its payload goes to `to`, at most `room` bytes of it, with a
 * NUL after it where there is room. Afterwards *signal is what ended a process that died. */
enum gpu_silence gpu_ask(struct gpu_link *, struct gpu_message *m, const void *payload, void *to,
                         size_t room, const struct gpu_patience *, int *signal);

#endif
