/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * With these functions cudalab starts the process that works with the GPU, asks it, and ends it,
 * whatever that process does.
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
    bool greeted;  /* it has said GPU_READY, and it works */
    int mirror;    /* the file with the bytes of arrays */
    int ring_file;
    struct gpu_ring *ring;
};

/* process.c: main() calls gpu_process() when argv[1] is this option, and returns what it returns.
 * The numbers of the socket, the mirror, the ring and the card follow the option. */
extern const char gpu_process_option[];
int gpu_process(int argc, char **argv);

/* How long to wait for a reply. */
struct gpu_patience {
    const volatile sig_atomic_t *stop; /* Ctrl-C; may be NULL */
    const struct progress *progress;   /* told while waiting; may be NULL */
    double seconds;                    /* 0: for ever */
};

/* Says why there is no reply. In each case but the first the process is gone. */
enum gpu_silence { GPU_ANSWERED, GPU_STOPPED, GPU_LATE, GPU_DIED };

int gpu_link_open(struct gpu_link *, int card, struct err *); /* opens files; starts nothing */
void gpu_link_close(struct gpu_link *);

/* Starts the process and does not wait for it. */
int gpu_link_start(struct gpu_link *, struct err *);
/* Has it ended by itself since the last request? Then its remains are cleared away. */
bool gpu_link_lost(struct gpu_link *);
/* Waits until it is ready; -1: it has ended, and the error says why there is no GPU. */
int gpu_link_greet(struct gpu_link *, struct gpu_ready *, const struct device_waits *,
                   struct err *);
/* Ends it at once; returns the signal that it died of before, or 0. */
int gpu_link_kill(struct gpu_link *);

/* Sends one request and takes the reply. The reply is in *m. Its payload goes to `to`, at most
 * `room` bytes, with a NUL behind it where there is room. *signal is what a process died of. */
enum gpu_silence gpu_ask(struct gpu_link *, struct gpu_message *m, const void *payload, void *to,
                         size_t room, const struct gpu_patience *, int *signal);

#endif
