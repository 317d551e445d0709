/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The connection to cudalab, and the errors of threads.
 */
#define _GNU_SOURCE
#include "run/client/client.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
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
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

/* What a thread's calls have returned. `open` is an error that nobody has looked at yet. */
static __thread struct {
    cudaError_t last, open;
    const char *name;
    uint64_t frame[RUN_FRAMES];
} errors;

static __thread bool inside; /* a function that cudalab had called */

bool run_is_inside(void)
{
    return inside;
}

/* ---- the start and the end ------------------------------------------------------------- */

static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    process.base = info->dlpi_addr;
    process.low = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        uintptr_t at = process.base + p->p_vaddr;
        process.low = at < process.low ? at : process.low;
        process.high = at + p->p_memsz > process.high ? at + p->p_memsz : process.high;
    }
    return 1; /* the first is the program */
}

/* The functions of the driver have names like cuMemAlloc_v2; programs are written without _v2. */
static size_t shown_length(const char *name)
{
    const char *version = strstr(name, "_v");
    return version && version[2] >= '0' && version[2] <= '9' && !version[3]
               ? (size_t)(version - name) : strlen(name);
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
    struct run_message m = REQUEST(ENDING, (uint64_t)(unsigned)status);
    run_ask(&m, NULL, 0, NULL, 0);
}

__attribute__((constructor)) static void start(void)
{
    const char *fd = getenv(RUN_SOCKET);
    process.owner = getpid();
    process.fd = fd ? atoi(fd) : -1;
    dl_iterate_phdr(find_program, NULL);
    if (process.fd < 0)
        return;
    void *shared = mmap(pointer_of(RUN_SHARED_BASE), RUN_SHARED_BYTES, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, process.fd + 1, 0);
    if (shared == pointer_of(RUN_SHARED_BASE))
        run_watch_memory();
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

/* Copies within this process. False: there is no such memory, which memcpy() would die of. */
static bool copy_safely(void *to, const void *from, size_t n)
{
    const struct iovec there = {.iov_base = (void *)(uintptr_t)from, .iov_len = n};
    const struct iovec here = {.iov_base = to, .iov_len = n};
    if (n == 0)
        return true;
    ssize_t done = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (done < 0 && (errno == ENOSYS || errno == EPERM)) {
        memcpy(to, from, n);
        return true;
    }
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
    const uint64_t row = m->number[2] ? m->number[2] : m->bytes;
    for (uint64_t at = 0, i = 0; got && at < m->bytes; at += row, i++)
        if (!copy_safely(pointer_of(m->number[0] + i * m->number[1]), bytes + at, (size_t)row))
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
    if (m->number[2]) { /* as cudaStreamAddCallback() wants it */
        void (*callback)(cudaStream_t, cudaError_t, void *);
        memcpy(&callback, &at, sizeof callback);
        callback(pointer_of(m->number[3]), cudaSuccess, pointer_of(m->number[1]));
    } else
        function(pointer_of(m->number[1]));
    inside = false;
    return send_all(&answer, sizeof answer);
}

static bool protect(const struct run_message *m)
{
    const struct run_message answer = {.what = RUN_PROTECT};
    mprotect(pointer_of(m->number[0]), (size_t)m->number[1], (int)m->number[2]);
    return send_all(&answer, sizeof answer);
}

static bool serve(const struct run_message *m)
{
    switch (m->what) {
    case RUN_READ: return give_memory(m->number[0], m->number[1]);
    case RUN_WRITE: return take_memory(m);
    case RUN_PRINT: return print_text(m->bytes);
    case RUN_CALL: return call_function(m);
    case RUN_PROTECT: return protect(m);
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

cudaError_t run_ask(struct run_message *m, const void *bytes, size_t n, void *reply, size_t room)
{
    struct frames f = {m->frame, 0};
    if (process.fd < 0)
        return cudaErrorNoDevice;
    if (getpid() != process.owner) /* a process of fork() has no device */
        return cudaErrorInitializationError;
    if (inside)
        return cudaErrorNotPermitted;
    if (!m->frame[0]) {
        _Unwind_Backtrace(next_frame, &f);
        if (f.count < RUN_FRAMES)
            m->frame[f.count] = 0;
    }
    m->bytes = n;
    pthread_mutex_lock(&process.lock);
    cudaError_t error = transact(m, bytes, reply, room);
    pthread_mutex_unlock(&process.lock);
    return error;
}

/* An error that the program has not looked at is ignored once it calls CUDA again. */
static cudaError_t note(const char *name, cudaError_t error, const struct run_message *m)
{
    if (error == cudaSuccess || error == cudaErrorNotReady)
        return error;
    errors.open = error;
    if (is_runtime(name))
        errors.last = error;
    errors.name = name;
    memcpy(errors.frame, m->frame, sizeof errors.frame);
    return error;
}

cudaError_t run_call_with(const char *name, struct run_message *m, const void *bytes, size_t n,
                          void *reply, size_t room)
{
    if (errors.open)
        tell_ignored();
    if (is_runtime(name))
        run_runtime_is_here();
    cudaError_t error = run_ask(m, bytes, n, reply, room);
    return note(name, is_runtime(name) ? error : (cudaError_t)run_driver_result(error), m);
}

cudaError_t run_call(const char *name, struct run_message *m)
{
    return run_call_with(name, m, NULL, 0, NULL, 0);
}

cudaError_t run_failed(const char *name, cudaError_t error)
{
    struct run_message m = {.what = RUN_DONE};
    struct frames f = {m.frame, 0};
    if (errors.open)
        tell_ignored();
    _Unwind_Backtrace(next_frame, &f);
    if (f.count < RUN_FRAMES)
        m.frame[f.count] = 0;
    return note(name, error, &m);
}

cudaError_t run_lacking(const char *name)
{
    struct run_message m = {.what = RUN_LACKING};
    run_ask(&m, name, shown_length(name), NULL, 0);
    const bool is_nvrtc = strncmp(name, "nvrtc", 5) == 0;
    return run_failed(name, is_nvrtc ? (cudaError_t)NVRTC_LACKING : cudaErrorNotSupported);
}

/* ---- errors ---------------------------------------------------------------------------- */

API cudaError_t cudaGetLastError(void)
{
    cudaError_t error = errors.last;
    errors.last = errors.open = cudaSuccess;
    return error;
}

API cudaError_t cudaPeekAtLastError(void)
{
    errors.open = cudaSuccess;
    return errors.last;
}

void run_looked_at(cudaError_t error)
{
    if (error == errors.open)
        errors.open = cudaSuccess;
}
