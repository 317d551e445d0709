/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that works with the GPU: cudalab itself, started anew. It knows the driver and
 * serves requests one at a time; it decides nothing. When a kernel ruins the context, or spins,
 * or the driver crashes, only this process is lost, and the other side starts the next.
 */
#include "dev/gpu/process-parts.h"

#include "base/mem.h"
#include "dev/gpu/link.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

const char gpu_process_option[] = "--gpu-process";

enum { STACK_BYTES = 8 << 10 }; /* for each thread; the driver's 1 KiB is too little for recursion */

/* ---- serving --------------------------------------------------------------------------- */

static int serve(struct process *p, struct gpu_message *m, const char *payload)
{
    static process_serves *const serves[] = {
        [GPU_ALLOCATE] = process_allocate,
        [GPU_FREE] = process_free,
        [GPU_UPLOAD] = process_upload,
        [GPU_DOWNLOAD] = process_download,
        [GPU_FILL] = process_fill,
        [GPU_DIGEST] = process_digest,
        [GPU_TEXTURE_CREATE] = process_create_texture,
        [GPU_TEXTURE_DESTROY] = process_destroy_texture,
        [GPU_LOAD] = process_load,
        [GPU_UNLOAD] = process_unload,
        [GPU_VARIABLE] = process_find_variable,
        [GPU_KERNEL] = process_describe_kernel,
        [GPU_OCCUPANCY] = process_count_blocks,
        [GPU_LAUNCH] = process_launch,
        [GPU_TIME] = process_time,
        [GPU_FORGET] = process_forget,
    };
    if (m->op >= sizeof serves / sizeof serves[0] || !serves[m->op])
        return -1;
    return process_answer(p, m, serves[m->op](p, m, payload));
}

/* Serves requests until the other side closes its end of the socket. */
static void serve_all(struct process *p)
{
    struct gpu_message m;
    int rc = 0;
    while (rc == 0 && gpu_receive(p->fd, &m, sizeof m, NULL) == 0) {
        char *payload = mem_alloc(&allocator_libc, m.payload + 1);
        if (!payload || gpu_receive(p->fd, payload, m.payload, NULL) != 0)
            rc = -1;
        else
            rc = serve(p, &m, payload);
        mem_free(&allocator_libc, payload, payload ? m.payload + 1 : 0);
    }
}

/* ---- opening --------------------------------------------------------------------------- */

static int open_card(struct process *p, int card)
{
    void *context;
    int status = p->d.cuDeviceGet(&p->device, card);
    if (status == DRIVER_OK)
        status = p->d.cuDevicePrimaryCtxRetain(&context, p->device);
    if (status == DRIVER_OK)
        status = p->d.cuCtxSetCurrent(context);
    if (status == DRIVER_OK)
        process_choose_arena(p);
    if (status == DRIVER_OK)
        status = p->d.cuStreamCreate(&p->stream, STREAM_APART);
    if (status == DRIVER_OK)
        p->d.cuCtxSetLimit(LIMIT_STACK, STACK_BYTES); /* a small card may refuse, and do */
    if (status == DRIVER_OUT_OF_MEMORY)
        snprintf(p->say, sizeof p->say, "gpu:%d has no memory left: other programs use it", card);
    else if (status == DRIVER_UNAVAILABLE)
        snprintf(p->say, sizeof p->say, "gpu:%d is kept by another program for itself", card);
    else if (status != DRIVER_OK)
        process_refuse(p, status, "gpu:%d can't be used", card);
    return status;
}

/* The terminal belongs to the other side, and so do the signals that it sends. This process ends
 * when its socket is closed, or with the process that started it. */
static void stand_back(void)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; null >= 0 && fd <= 2; fd++)
        dup2(null, fd);
    setpgid(0, 0);
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static int open_all(struct process *p, int card, struct gpu_ready *ready)
{
    struct err e;
    if (driver_open(&p->d, &e) != 0) {
        snprintf(p->say, sizeof p->say, "%s", e.text);
        return DRIVER_NOT_FOUND;
    }
    int status = process_list_cards(p, card, ready);
    if (status == DRIVER_OK && card != GPU_NO_CARD)
        status = open_card(p, card);
    ready->arena = p->arena;
    return status;
}

int gpu_process(int argc, char **argv)
{
    struct process p = {0};
    struct gpu_message m = {.op = GPU_READY};
    if (argc != 6)
        return 2;
    p.fd = atoi(argv[2]);
    p.mirror = atoi(argv[3]);
    p.ring = mmap(NULL, GPU_RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(argv[4]), 0);
    p.stage = mem_alloc(&allocator_libc, PROCESS_STAGE);
    struct gpu_ready *ready = process_reply(&p, sizeof *ready);
    stand_back();
    if (p.ring == MAP_FAILED || !p.stage || !ready)
        return 1;
    int status = open_all(&p, atoi(argv[5]), ready);
    if (process_answer(&p, &m, status) == 0 && status == DRIVER_OK)
        serve_all(&p);
    blas_close(&p.blas);
    rand_close(&p.rand);
    _exit(0); /* at once: the driver's own way out takes longer */
}
