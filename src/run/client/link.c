/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The connection to cudalab, and the errors of threads.
 */
#define _GNU_SOURCE
#include "run/client/client.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

/* The process, and the part of its memory that is the program's own code. */
static struct {
    pthread_mutex_t lock;
    int fd;
    pid_t owner;
    uintptr_t base, low, high;
    uint64_t managed_end; /* of the section of a program by clang, behind which its heap begins */
    unsigned toolkit;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

/* What a thread's calls have returned. `open` is an error that nobody has looked at yet. That of a
 * launch waits for somebody who asks for the last error. */
static __thread struct {
    cudaError_t last, open;
    bool of_launch;
    const char *name;
    char of_library[64]; /* the name, if it is not the runtime's */
    uint64_t frame[RUN_FRAMES];
} errors;

static __thread bool inside; /* a function that cudalab had called */
static __thread bool talking; /* and has the lock */
static atomic_bool asks;     /* the program asks for errors somewhere */

__thread const char *run_called_as;
__thread enum cudaStreamCaptureMode run_capture_mode;
__thread bool run_per_thread;

bool run_is_inside(void)
{
    return inside;
}

bool run_is_talking(void)
{
    return talking;
}

unsigned run_toolkit(void)
{
    return process.toolkit;
}

uintptr_t run_program_base(void)
{
    return process.base;
}

int run_memory_file(void)
{
    return process.fd + 1;
}

/* ---- the start and the end ------------------------------------------------------------- */

static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    process.base = info->dlpi_addr;
    process.low = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && p->p_vaddr == RUN_MANAGED_BASE)
            process.managed_end = RUN_MANAGED_BASE + (p->p_memsz + 4095) / 4096 * 4096;
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        uintptr_t at = process.base + p->p_vaddr;
        process.low = at < process.low ? at : process.low;
        process.high = at + p->p_memsz > process.high ? at + p->p_memsz : process.high;
    }
    return 1; /* the first is the program */
}

/* The length of a function's name as programs have it: cuMemAlloc for cuMemAlloc_v2. */
static size_t shown_length(const char *name)
{
    const char *version = strstr(name, "_v");
    return version && version[2] >= '0' && version[2] <= '9' ? (size_t)(version - name)
                                                             : strlen(name);
}

static bool is_runtime(const char *name)
{
    return strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0;
}

static void tell_ignored(void)
{
    struct run_message m = {.what = RUN_IGNORED, .number = {errors.open}};
    const char *name = errors.name;
    memcpy(m.frame, errors.frame, sizeof m.frame);
    errors.open = cudaSuccess;
    run_ask(&m, name, shown_length(name), NULL, 0);
}

static void end(int status, void *unused)
{
    (void)unused;
    if (errors.open && status == 0)
        tell_ignored();
    struct run_message m = REQUEST(ENDING, (uint64_t)(unsigned)status, asks);
    run_ask(&m, NULL, 0, NULL, 0);
}

/* Maps a part of the memory that is shared. */
static bool share(uint64_t from, uint64_t to, int how)
{
    return to <= from ||
           mmap(pointer_of(from), (size_t)(to - from), PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_NORESERVE | how, process.fd + 1,
                (off_t)(from - RUN_SHARED_BASE)) == pointer_of(from);
}

/* What the program starts has a memory of its own, and nothing to say to cudalab. */
static void keep_from_children(void)
{
    Dl_info self;
    const char *loaded = getenv("LD_PRELOAD");
    size_t n = dladdr(&process, &self) ? strlen(self.dli_fname) : 0;
    if (loaded && n && strncmp(loaded, self.dli_fname, n) == 0 && loaded[n] == ':')
        setenv("LD_PRELOAD", loaded + n + 1, 1);
    else if (loaded && n && strcmp(loaded, self.dli_fname) == 0)
        unsetenv("LD_PRELOAD");
    unsetenv(RUN_SOCKET);
    for (int i = 0; i < 2; i++)
        fcntl(process.fd + i, F_SETFD, FD_CLOEXEC);
}

static void ask_what_we_are(void)
{
    struct run_message m = REQUEST(STARTED);
    if (run_ask(&m, NULL, 0, NULL, 0) != cudaSuccess)
        return;
    process.toolkit = (unsigned)m.number[0];
    if (m.number[1])
        run_lead();
}

__attribute__((constructor)) static void start(void)
{
    const char *fd = getenv(RUN_SOCKET);
    process.owner = getpid();
    process.fd = fd ? atoi(fd) : -1;
    dl_iterate_phdr(find_program, NULL);
    if (process.fd < 0)
        return;
    if (share(RUN_SHARED_BASE, RUN_MANAGED_BASE, MAP_FIXED_NOREPLACE) &&
        share(RUN_MANAGED_BASE, process.managed_end, MAP_FIXED))
        run_watch_memory();
    keep_from_children();
    setvbuf(stdout, NULL, _IOLBF, 0); /* as at a terminal: no line is lost when the program ends */
    ask_what_we_are();
    on_exit(end, NULL);
}

/* ---- bytes ----------------------------------------------------------------------------- */

static bool send_all(const void *bytes, size_t n)
{
    const char *at = bytes;
    for (ssize_t done; n; at += done, n -= (size_t)done) {
        done = write(process.fd, at, n);
        if (done < 0 && errno == EINTR)
            done = 0;
        if (done < 0)
            return false;
    }
    return true;
}

static bool get_all(void *to, size_t n)
{
    char *at = to;
    for (ssize_t done; n; at += done, n -= (size_t)done) {
        done = read(process.fd, at, n);
        if (done < 0 && errno == EINTR)
            done = 0;
        else if (done <= 0)
            return false;
    }
    return true;
}

/* Copies through a pipe: the system looks at both addresses. */
static bool copy_by_pipe(char *to, const char *from, size_t n)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    bool good = true;
    while (n && good) {
        const ssize_t in = write(ends[1], from, n);
        good = in > 0;
        for (ssize_t out = 0, now; good && out < in; out += now)
            good = (now = read(ends[0], to + out, (size_t)(in - out))) > 0;
        if (good) {
            from += in;
            to += in;
            n -= (size_t)in;
        }
    }
    close(ends[0]);
    close(ends[1]);
    return good;
}

/* Copies within this process. False: there is no such memory, which memcpy() would die of. */
static bool copy_safely(void *to, const void *from, size_t n)
{
    const struct iovec there = {.iov_base = (void *)(uintptr_t)from, .iov_len = n};
    const struct iovec here = {.iov_base = to, .iov_len = n};
    if (n == 0)
        return true;
    ssize_t done = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (done < 0 && (errno == ENOSYS || errno == EPERM)) /* it is confined */
        return copy_by_pipe(to, from, n);
    return done == (ssize_t)n;
}

/* ---- what cudalab asks for ------------------------------------------------------------- */

enum { PIECE = 1 << 20 };

/* The bytes in pieces, each behind its own message: a bad address is told before any comes. */
static bool give_memory(uint64_t from, uint64_t n)
{
    char *piece = malloc(n < PIECE ? n + 1 : PIECE);
    bool sent = piece != NULL;
    for (uint64_t done = 0; sent && done < n;) {
        size_t now = n - done < PIECE ? (size_t)(n - done) : PIECE;
        struct run_message m = {.what = RUN_READ, .bytes = now};
        if (!copy_safely(piece, pointer_of(from + done), now))
            m = (struct run_message){.what = RUN_READ, .status = cudaErrorInvalidValue};
        sent = send_all(&m, sizeof m) && (m.status || send_all(piece, now));
        if (m.status)
            break;
        done += now;
    }
    free(piece);
    return sent;
}

static bool take_memory(const struct run_message *m)
{
    struct run_message answer = {.what = RUN_WRITE};
    char *bytes = malloc((size_t)m->bytes + 1);
    bool got = bytes && get_all(bytes, (size_t)m->bytes);
    if (got && !copy_safely(pointer_of(m->number[0]), bytes, (size_t)m->bytes))
        answer.status = cudaErrorInvalidValue;
    free(bytes);
    return got && send_all(&answer, sizeof answer);
}

static bool print_text(uint64_t n)
{
    const struct run_message answer = {.what = RUN_PRINT};
    char *text = malloc((size_t)n + 1);
    bool got = text && get_all(text, (size_t)n);
    if (got)
        fwrite(text, 1, (size_t)n, stdout);
    free(text);
    return got && send_all(&answer, sizeof answer);
}

static bool call_function(const struct run_message *m)
{
    const struct run_message answer = {.what = RUN_CALL};
    void (*function)(void *);
    void *at = pointer_of(m->number[0]);
    memcpy(&function, &at, sizeof function);
    inside = true;
    talking = false;
    if (m->number[2]) { /* as cudaStreamAddCallback() wants it */
        void (*callback)(cudaStream_t, cudaError_t, void *);
        memcpy(&callback, &at, sizeof callback);
        callback(pointer_of(m->number[3]), cudaSuccess, pointer_of(m->number[1]));
    } else
        function(pointer_of(m->number[1]));
    inside = false;
    talking = true;
    return send_all(&answer, sizeof answer);
}

static bool protect(const struct run_message *m)
{
    const struct run_message answer = {.what = RUN_PROTECT};
    mprotect(pointer_of(m->number[0]), (size_t)m->number[1], (int)m->number[2]);
    return send_all(&answer, sizeof answer);
}

/* As a signal that ends it: no function of the program runs any more. */
static void end_at_once(void)
{
    fflush(stdout);
    _exit(0);
}

static bool tell_shadow(uint64_t at)
{
    const char *name = run_shadow_name(at);
    const size_t n = name ? strnlen(name, RUN_SHADOW_MOST) : 0;
    const struct run_message answer = {.what = RUN_SHADOW, .bytes = n};
    return send_all(&answer, sizeof answer) && send_all(name, n);
}

static bool serve(const struct run_message *m)
{
    switch (m->what) {
    case RUN_READ: return give_memory(m->number[0], m->number[1]);
    case RUN_WRITE: return take_memory(m);
    case RUN_PRINT: return print_text(m->bytes);
    case RUN_CALL: return call_function(m);
    case RUN_PROTECT: return protect(m);
    case RUN_SHADOW: return tell_shadow(m->number[0]);
    case RUN_END: end_at_once(); return false;
    default: return false;
    }
}

/* ---- requests -------------------------------------------------------------------------- */

struct frames { uint64_t *frame; unsigned count; };

__thread const void *run_launching; /* the function that stands for the kernel */

static _Unwind_Reason_Code next_frame(struct _Unwind_Context *context, void *data)
{
    struct frames *f = data;
    int exact = 0; /* not behind a call, but at an instruction that a signal has stopped */
    uintptr_t at = _Unwind_GetIPInfo(context, &exact) + (exact ? 1 : 0);
    if (run_launching && _Unwind_FindEnclosingFunction(pointer_of(at - 1)) == run_launching)
        f->count = 0; /* the compiler's part of a launch ends here */
    else if (at > process.low && at <= process.high)
        f->frame[f->count++] = at - 1 - process.base; /* in the call, not behind it */
    return f->count < RUN_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static cudaError_t lost(void)
{
    process.fd = -1;
    return cudaErrorDevicesUnavailable;
}

static cudaError_t transact(struct run_message *m, const void *bytes, void *reply, size_t room)
{
    struct run_message answer;
    if (!send_all(m, sizeof *m) || !send_all(bytes, (size_t)m->bytes))
        return lost();
    while (get_all(&answer, sizeof answer)) {
        if (answer.what != RUN_DONE) {
            if (!serve(&answer))
                return lost();
            continue;
        }
        if (answer.bytes > room || !get_all(reply, (size_t)answer.bytes))
            return lost();
        memcpy(answer.frame, m->frame, sizeof answer.frame);
        *m = answer;
        return (cudaError_t)answer.status;
    }
    return lost();
}

/* Who calls: the thread, what holds for it, and the places in the program. */
static void add_caller(struct run_message *m)
{
    struct frames f = {m->frame, 0};
    m->thread = (uint32_t)gettid();
    m->how = (run_per_thread ? RUN_PER_THREAD : 0) | (uint32_t)run_capture_mode << RUN_MODE_SHIFT;
    if (m->frame[0])
        return;
    _Unwind_Backtrace(next_frame, &f);
    if (f.count < RUN_FRAMES)
        m->frame[f.count] = 0;
}

/* cudalab waits for the function's end, and the lock is this thread's. */
cudaError_t run_ask_inside(struct run_message *m)
{
    add_caller(m);
    talking = true;
    cudaError_t error = transact(m, NULL, NULL, 0);
    talking = false;
    return error;
}

cudaError_t run_ask(struct run_message *m, const void *bytes, size_t n, void *reply, size_t room)
{
    if (process.fd < 0)
        return cudaErrorNoDevice;
    if (getpid() != process.owner) /* a process of fork() has no device */
        return cudaErrorInitializationError;
    if (inside)
        return cudaErrorNotPermitted;
    add_caller(m);
    m->bytes = n;
    const bool calls = m->what == RUN_STREAM_CALL || m->what == RUN_GRAPH_LAUNCH;
    pthread_mutex_lock(&process.lock);
    run_count_call();
    talking = true;
    cudaError_t error = transact(m, bytes, reply, room);
    talking = false;
    run_count_call();
    pthread_mutex_unlock(&process.lock);
    if (calls && !error)
        run_functions_are_due();
    return error;
}

static bool is_launch(const char *name)
{
    return strncmp(name, "cudaLaunch", strlen("cudaLaunch")) == 0;
}

/* An error that the program has not looked at is ignored once it calls CUDA again. A launch returns
 * no value, so its error is ignored when there is another launch, another error, or the end. */
static void go_on(const char *name)
{
    if (errors.open && (!errors.of_launch || is_launch(name)))
        tell_ignored();
}

/* A question whether something is done has "not yet" as an answer. */
static bool is_query(const char *name)
{
    return strstr(name, "Query") != NULL;
}

static cudaError_t note(const char *name, cudaError_t error, const struct run_message *m)
{
    if (error == cudaSuccess || (error == cudaErrorNotReady && is_query(name)))
        return error;
    if (errors.open)
        tell_ignored();
    errors.open = error;
    if (is_runtime(name) && error != cudaErrorNotReady)
        errors.last = error;
    errors.of_launch = is_launch(name);
    errors.name = name;
    memcpy(errors.frame, m->frame, sizeof errors.frame);
    return error;
}

cudaError_t run_call_with(const char *name, struct run_message *m, const void *bytes, size_t n,
                          void *reply, size_t room)
{
    if (room && !reply) /* the program has no place for the answer */
        return run_failed(name, cudaErrorInvalidValue);
    name = run_called_as ? run_called_as : name;
    go_on(name);
    if (is_runtime(name))
        run_runtime_is_here();
    cudaError_t error = run_ask(m, bytes, n, reply, room);
    return note(name, is_runtime(name) ? error : (cudaError_t)run_driver_result(error), m);
}

cudaError_t run_call(const char *name, struct run_message *m)
{
    return run_call_with(name, m, NULL, 0, NULL, 0);
}

cudaError_t run_make(const char *name, void **out, struct run_message m)
{
    if (!out)
        return run_failed(name, cudaErrorInvalidValue);
    cudaError_t error = run_call(name, &m);
    if (!error)
        *out = pointer_of(m.number[0]);
    return error;
}

cudaError_t run_failed(const char *name, cudaError_t error)
{
    struct run_message m = {.what = RUN_DONE};
    struct frames f = {m.frame, 0};
    if (run_called_as) {
        name = run_called_as;
        error = is_runtime(name) ? error : (cudaError_t)run_driver_result(error);
    }
    go_on(name);
    _Unwind_Backtrace(next_frame, &f);
    if (f.count < RUN_FRAMES)
        m.frame[f.count] = 0;
    return note(name, error, &m);
}

void run_failed_in_library(const char *name, int number)
{
    struct run_message m = {.what = RUN_DONE};
    struct frames f = {m.frame, 0};
    if (errors.open)
        tell_ignored();
    _Unwind_Backtrace(next_frame, &f);
    const size_t n = strlen(name), most = sizeof errors.of_library - 1;
    memcpy(errors.of_library, name, (n < most ? n : most) + 1);
    errors.of_library[most] = '\0';
    errors.name = errors.of_library;
    errors.open = (cudaError_t)number;
    memcpy(errors.frame, m.frame, sizeof errors.frame);
}

void run_tell_lacking(const char *name)
{
    struct run_message m = {.what = RUN_LACKING};
    run_ask(&m, name, shown_length(name), NULL, 0);
}

cudaError_t run_lacking(const char *name)
{
    name = run_called_as ? run_called_as : name;
    run_tell_lacking(name);
    const bool is_nvrtc = strncmp(name, "nvrtc", 5) == 0;
    return run_failed(name, is_nvrtc ? (cudaError_t)NVRTC_LACKING : cudaErrorNotSupported);
}

/* ---- errors ---------------------------------------------------------------------------- */

API cudaError_t cudaGetLastError(void)
{
    cudaError_t error = errors.last;
    asks = true;
    errors.last = errors.open = cudaSuccess;
    return error;
}

API cudaError_t cudaPeekAtLastError(void)
{
    asks = true;
    errors.open = cudaSuccess;
    return errors.last;
}

void run_looked_at(cudaError_t error)
{
    asks = true;
    if (error == errors.open)
        errors.open = cudaSuccess;
}
