/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a student's program and cudalab tell each other. The program has a library of ours in place
 * of NVIDIA's runtime (src/run/client). Each call of CUDA becomes a request, which goes to cudalab
 * through a socket. cudalab answers it, and while it does, it may ask for bytes of the program's
 * memory, write there, have text printed, or have a function called. So all this happens in the
 * thread that called, and the simulator is never in the program's process.
 *
 * A message is this struct and, after it, so many bytes. Both ends are of one build.
 */
#ifndef RUN_WIRE_H
#define RUN_WIRE_H

#include <stdint.h>

/* The program finds the number of its socket in this variable of its environment. */
#define RUN_SOCKET "CUDALAB_RUN"
enum { RUN_NUMBERS = 14, RUN_FRAMES = 12, RUN_BYTES_MOST = 1 << 30,
       RUN_SHADOW_MOST = 47 };

enum run_what {
    /* Answers, and what cudalab asks while it works on a request. */
    RUN_DONE,  /* the answer: status and numbers, perhaps with bytes */
    RUN_READ,  /* bytes of the program's memory: address, count. The reply has them, or a status */
    RUN_WRITE, /* the bytes go to: address */
    RUN_PRINT, /* the bytes are text of a kernel's printf */
    RUN_CALL,  /* call a function of the host: function, argument */
    RUN_PROTECT, /* pages of the shared memory: address, bytes, PROT_... */
    RUN_SHADOW, /* the variable of the device that the program has this address for. The reply has
                 * its name, at most RUN_SHADOW_MOST bytes, or none */
    RUN_END,   /* the program is to end at once: there is no answer to what it asked for */
    RUN_FIRST, /* requests follow */
#define REQUEST(name, numbers) RUN_##name,
#include "run/requests.def"
#undef REQUEST
    RUN_WHATS
};

struct run_message {
    uint32_t what;
    int32_t status; /* a cudaError_t */
    uint64_t bytes; /* that follow */
    uint32_t thread; /* of the program, that calls; not 0 */
    uint32_t how;    /* RUN_PER_THREAD, and how the thread captures streams */
    uint64_t number[RUN_NUMBERS];
    uint64_t frame[RUN_FRAMES]; /* who called, in the program's own file; 0: no more */
};

/* Why the host could not touch it: the page is closed, to all or for writing; there is none; the
 * processor tells no address; the stack is full. */
enum run_segv { RUN_SEGV_CLOSED, RUN_SEGV_NO_PAGE, RUN_SEGV_UNKNOWN, RUN_SEGV_STACK };
/* `how`: the default stream is the thread's own; above it is an enum cudaStreamCaptureMode. */
enum { RUN_PER_THREAD = 1, RUN_MODE_SHIFT = 8 };
/* How the host touches memory that it shares with kernels. */
enum run_touch { RUN_TOUCH_READ, RUN_TOUCH_WRITE, RUN_TOUCH_ATOMIC, RUN_TOUCHES };
/* What memory of the host is a part of: a block of malloc(), a function's stack frame, a variable. */
enum run_room { ROOM_HEAP, ROOM_STACK, ROOM_VARIABLE, ROOMS };
/* In place of a stream: the call waits, or the operation has no stream. */
#define RUN_NO_STREAM UINT64_MAX

/* Where requests that several files know have their numbers: see requests.def. */
enum { COPY_TO, COPY_FROM, COPY_WIDTH, COPY_HEIGHT, COPY_DEPTH, COPY_ROW_TO, COPY_ROW_FROM,
       COPY_SLICE_TO, COPY_SLICE_FROM, COPY_KIND, COPY_STREAM, COPY_WAITS, COPY_SYMBOL,
       COPY_OFFSET };
enum { FILL_TO, FILL_VALUE, FILL_WIDTH, FILL_HEIGHT, FILL_PITCH, FILL_STREAM, FILL_WAITS,
       FILL_EACH };
enum { LAUNCH_KERNEL, LAUNCH_GRID, LAUNCH_BLOCK = 4, LAUNCH_SHARED = 7, LAUNCH_STREAM,
       LAUNCH_COOPERATIVE, LAUNCH_CLUSTER, LAUNCH_PRIORITY = 13 };
enum { COME_ADDRESS, COME_IS_THERE };
enum { ALLOCATE_BYTES, ALLOCATE_KIND, ALLOCATE_FLAGS, ALLOCATE_POOL, ALLOCATE_STREAM,
       ALLOCATE_ADDRESS, ALLOCATE_PITCH };
enum { RELEASE_ADDRESS, RELEASE_KIND, RELEASE_STREAM };

/* What NODE_LIST tells: the nodes of a graph, those without others before them, its edges in pairs;
 * the nodes that one waits for, and those that wait for it. */
enum run_list { LIST_NODES, LIST_ROOTS, LIST_EDGES, LIST_BEFORE, LIST_BEHIND };

/* Memory that the host and kernels share lies at the same address for both. The file that a program
 * maps there and cudalab too is the descriptor after the socket's. */
#define RUN_SHARED_BASE UINT64_C(0x008000000000)
#define RUN_SHARED_BYTES UINT64_C(0x001000000000) /* 64 GiB; a page costs memory when it is used */
/* The __managed__ variables of a program by clang lie in a section of its file, at this place. */
#define RUN_MANAGED_BYTES UINT64_C(0x000100000000)
#define RUN_MANAGED_BASE (RUN_SHARED_BASE + RUN_SHARED_BYTES - RUN_MANAGED_BYTES)

#endif
