/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * After each command the worker gets one more, an `echo` of a word that nobody can guess. Its
 * object ends the answer. So an answer may have any number of objects, also none, and a worker that
 * is out of step is noticed.
 *
 * The worker has limits of its own, and says so in its answer where one is reached. The limits here
 * are wider. They hold for a worker that does not obey its own.
 */
#define _GNU_SOURCE
#include "grade/worker.h"

#include "base/cause.h"
#include "base/json-check.h"
#include "base/json-find.h"
#include "base/json.h"
#include "os/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SAID_READS = 20 }; /* for all that a pipe holds, also where it is filled again and again */
enum { LOOK_MS = 50, SAID_MOST = 8192, ARGUMENTS_MOST = 1200, OPEN_FILES = 1024 };
#define DAY_SECONDS 86400.0 /* for a person, who may leave a prompt open */
#define END_SECONDS 3.0 /* for a worker that has closed its output */

static const struct worker_limits defaults = {.command_s = 60,
                                              .session_s = 600,
                                              .grace_s = 10,
                                              .memory = UINT64_C(2) << 30,
                                              .answer = UINT64_C(16) << 20,
                                              .tasks = 4096};

/* ---- starting ------------------------------------------------------------------------- */

static struct worker_limits limits_of(const struct worker_limits *given)
{
    struct worker_limits l = *given;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    l.command_s = l.command_s > 0 ? l.command_s : defaults.command_s;
    l.session_s = l.session_s > 0 ? l.session_s : defaults.session_s;
    l.grace_s = l.grace_s > 0 ? l.grace_s : defaults.grace_s;
    l.memory = l.memory ? l.memory : defaults.memory;
    l.answer = l.answer ? l.answer : defaults.answer;
    l.tasks = l.tasks ? l.tasks : defaults.tasks;
    if (!l.cpu_s)
        l.cpu_s = (uint64_t)(l.session_s + l.grace_s) * (uint64_t)(cores > 1 ? cores : 1);
    return l;
}

struct worker_words {
    const char *word[ARGUMENTS_MOST];
    unsigned count;
    bool full;
    char command_s[40], session_s[40], memory[40];
};

static void add_word(struct worker_words *w, const char *word)
{
    if (w->count + 1 == ARGUMENTS_MOST)
        w->full = true;
    else
        w->word[w->count++] = word;
}

static void add_words(struct worker_words *w, const char *before, const char *const *words)
{
    for (; words && *words; words++) {
        if (before)
            add_word(w, before);
        add_word(w, *words);
    }
}

/* The words that start cudalab for a hand-in: how it talks, and the script that it reads. */
static int make_words(struct worker_words *w, const struct worker_want *want,
                      const struct worker_limits *l, const char *const *mode, const char *cache,
                      const char *script, struct err *e)
{
    *w = (struct worker_words){.count = 0};
    snprintf(w->command_s, sizeof w->command_s, "%g", l->command_s);
    snprintf(w->session_s, sizeof w->session_s, "%g", l->session_s);
    snprintf(w->memory, sizeof w->memory, "%" PRIu64, l->memory);
    const char *const own[] = {"--no-init", "--device", "sim", "--time-limit", w->command_s,
                               "--session-time", w->session_s, "--memory-limit", w->memory, NULL};
    add_word(w, "cudalab");
    add_word(w, "--safe");
    add_words(w, NULL, mode);
    add_words(w, NULL, own);
    add_words(w, NULL, want->options);
    add_words(w, "--allow", want->files);
    if (cache[0])
        add_words(w, "--cache", (const char *const[]){cache, NULL});
    add_word(w, script);
    return w->full ? fail(e, "a hand-in has more files than a worker can be allowed to read") : 0;
}

/* 16 digits that a hand-in can't know. */
static int make_nonce(char nonce[20], struct err *e)
{
    unsigned char bytes[8];
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    const bool good = fd >= 0 && read(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes;
    if (fd >= 0)
        close(fd);
    for (int i = 0; good && i < 8; i++)
        snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
    return good ? 0 : fail(e, "/dev/urandom can't be read: %s", strerror(errno));
}

static int set_waiting(int fd, bool waits)
{
    const int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, waits ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

/* Compilers and whole programs have more bounds, which it sets when it starts them. */
static struct child_bounds bounds_of(const struct worker_limits *l)
{
    return (struct child_bounds){.cpu_s = l->cpu_s,
                                 .data = l->memory + (UINT64_C(1) << 30),
                                 .files = OPEN_FILES,
                                 .tasks = l->tasks};
}

static struct child child_of(const struct worker_want *want, const struct worker_words *words,
                             const struct child_bounds *bounds)
{
    return (struct child){.argv = words->word,
                          .file = want->program ? want->program : "/proc/self/exe",
                          .scratch = want->temporary,
                          .folder = want->folder,
                          .bounds = bounds};
}

static int start_process(struct grade_worker *w, const struct worker_words *words, struct err *e)
{
    const struct child_bounds bounds = bounds_of(&w->limits);
    const struct child child = child_of(&w->want, words, &bounds);
    if (w->want.programs->start(&child, &w->process, e) != 0)
        return -1;
    return set_waiting(w->process.in, false) != 0
               ? fail(e, "a pipe can't be used: %s", strerror(errno))
               : 0;
}

int worker_start(struct grade_worker *w, const struct worker_want *want, struct err *e)
{
    static const char *const mode[] = {"--json", NULL};
    struct worker_words words;
    *w = (struct grade_worker){.want = *want,
                               .limits = limits_of(&want->limits),
                               .process = {.in = -1, .out = -1, .err = -1},
                               .end = WORKER_ENDED};
    worker_cache_begin(&w->cache, want);
    if (make_words(&words, want, &w->limits, mode, w->cache.folder, "-", e) != 0 ||
        make_nonce(w->nonce, e) != 0 || start_process(w, &words, e) != 0)
        return -1;
    w->session_ends = clock_seconds() + w->limits.session_s + w->limits.grace_s;
    w->end = WORKER_ANSWERED;
    return 0;
}

int worker_open(const struct worker_want *want, const char *script, bool our_input,
                int (*ended)(void), struct err *e)
{
    static const char *const mode[] = {"--quiet", "--echo", "-i", NULL};
    struct worker_limits given = want->limits;
    struct worker_words words;
    char name[20];
    enum child_end end;
    int code;
    given.session_s = DAY_SECONDS;
    const struct worker_limits limits = limits_of(&given);
    const struct child_bounds bounds = bounds_of(&limits);
    if (make_words(&words, want, &limits, mode, "", script, e) != 0)
        return -1;
    struct child child = child_of(want, &words, &bounds);
    child.our_input = our_input;
    if (want->programs->attend(&child, ended, &end, &code, e) != 0)
        return -1;
    want->programs->signal_name(code, name);
    return end == CHILD_EXITED ? 0 : fail(e, "the prompt of the hand-in was ended by %s", name);
}

/* ---- its end -------------------------------------------------------------------------- */

static enum worker_end end_now(struct grade_worker *w, enum worker_end why)
{
    w->want.programs->stop(&w->process, 0, &w->code);
    return w->end = why;
}

/* The end of what it says on stderr is kept. */
static void read_said(struct grade_worker *w)
{
    char bytes[1 << 12];
    const ssize_t n = read(w->process.err, bytes, sizeof bytes);
    if (n == 0 || (n < 0 && errno != EINTR)) {
        close(w->process.err);
        w->process.err = -1;
        return;
    }
    if (n > 0)
        buf_add(&w->said, bytes, (size_t)n);
    if (w->said.len > SAID_MOST) {
        const size_t gone = w->said.len - SAID_MOST / 2;
        memmove(w->said.data, w->said.data + gone, SAID_MOST / 2 + 1);
        w->said.len -= gone;
    }
}

static struct span last_said(const struct grade_worker *w)
{
    struct span rest = {buf_text(&w->said), w->said.len}, line, last = {"", 0};
    while (next_line(&rest, &line))
        last = line;
    return last;
}

/* Its last sentence says so where it has used up its session's time or output. */
static bool is_spent(const struct grade_worker *w)
{
    const struct span last = last_said(w);
    return last.n && memmem(last.at, last.n, SESSION_ENDS, strlen(SESSION_ENDS));
}

/* It has closed its output. Most often it has ended. */
static enum worker_end find_end(struct grade_worker *w)
{
    struct pollfd said = {.fd = w->process.err, .events = POLLIN};
    for (int i = 0; i < SAID_READS && said.fd >= 0 && poll(&said, 1, 0) > 0; i++) {
        read_said(w);
        said.fd = w->process.err;
    }
    const enum child_end end = w->want.programs->stop(&w->process, END_SECONDS, &w->code);
    w->end = end == CHILD_EXITED    ? is_spent(w) ? WORKER_SPENT : WORKER_ENDED
             : end == CHILD_STOPPED ? WORKER_GARBAGE
             : w->code == SIGXCPU   ? WORKER_OUT_OF_CPU
                                    : WORKER_DIED;
    return w->end;
}

void worker_stop(struct grade_worker *w)
{
    const bool answers = w->end == WORKER_ANSWERED;
    if (w->process.pid)
        end_now(w, WORKER_STOPPED);
    worker_cache_end(&w->cache, &w->want, answers);
    buf_free(&w->read);
    buf_free(&w->said);
}

void worker_say(const struct grade_worker *w, struct buf *out)
{
    char name[20];
    w->want.programs->signal_name(w->code, name);
    switch (w->end) {
    case WORKER_ANSWERED: buf_puts(out, "it answers"); break;
    case WORKER_ENDED: buf_printf(out, "it ended with status %d", w->code); break;
    case WORKER_SPENT:
        buf_printf(out, "it said: %.*s", (int)last_said(w).n, last_said(w).at);
        break;
    case WORKER_DIED: buf_printf(out, "it was ended by %s", name); break;
    case WORKER_OUT_OF_TIME: buf_puts(out, "it took too long and was ended"); break;
    case WORKER_OUT_OF_CPU:
        buf_printf(out, "it used a processor for more than %" PRIu64 " s", w->limits.cpu_s);
        break;
    case WORKER_FLOODED:
        buf_printf(out, "it answered with more than %" PRIu64 " KiB", w->limits.answer >> 10);
        break;
    case WORKER_GARBAGE: buf_puts(out, "its answer is not a JSON object"); break;
    case WORKER_STOPPED: buf_puts(out, "it was stopped"); break;
    }
}

/* ---- one exchange --------------------------------------------------------------------- */

struct asking {
    struct grade_worker *worker;
    struct buf send;
    size_t sent, at; /* bytes of `send`; where the next line of worker->read begins */
    char mark[60];   /* the command whose object ends the answer */
    struct buf *answer;
    double until; /* the next object must be there */
    bool done;
};

/* A worker that has ended takes nothing more. That is no reason for a signal to end us too. */
static ssize_t write_quietly(int fd, const char *bytes, size_t n)
{
    sigset_t pipe_signal, before, waiting;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&waiting);
    sigprocmask(SIG_BLOCK, &pipe_signal, &before);
    const ssize_t k = write(fd, bytes, n);
    const int why = errno;
    if (k < 0 && why == EPIPE && sigismember(&waiting, SIGPIPE) == 0)
        sigtimedwait(&pipe_signal, NULL, &(struct timespec){0});
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return k;
}

static void send_more(struct asking *a)
{
    const ssize_t k =
        write_quietly(a->worker->process.in, a->send.data + a->sent, a->send.len - a->sent);
    if (k > 0)
        a->sent += (size_t)k;
    else if (k < 0 && errno != EAGAIN && errno != EINTR)
        a->sent = a->send.len; /* it reads no more: what it still says tells the rest */
}

static bool is_object(struct span line)
{
    struct err e;
    return begins(trim(line), "{") && json_check(line, &e) == 0;
}

static bool is_mark(const struct asking *a, struct span line)
{
    struct span command;
    struct buf plain = {0};
    if (!json_find(line, SPAN("command"), &command))
        return false;
    json_plain(command, &plain);
    const bool is = strcmp(buf_text(&plain), a->mark) == 0;
    buf_free(&plain);
    return is;
}

/* Takes the lines that are complete. */
static enum worker_end take_lines(struct asking *a)
{
    struct grade_worker *w = a->worker;
    const char *newline;
    while (!a->done && (newline = memchr(w->read.data + a->at, '\n', w->read.len - a->at))) {
        const struct span line = {w->read.data + a->at, (size_t)(newline - w->read.data) - a->at};
        if (!is_object(line))
            return end_now(w, WORKER_GARBAGE);
        a->at += line.n + 1;
        a->until = clock_seconds() + w->limits.command_s + w->limits.grace_s;
        a->done = is_mark(a, line);
        if (!a->done)
            buf_add(a->answer, line.at, line.n + 1);
    }
    return a->done && a->at < w->read.len ? end_now(w, WORKER_GARBAGE) : WORKER_ANSWERED;
}

static enum worker_end read_answer(struct asking *a)
{
    char bytes[1 << 14];
    struct grade_worker *w = a->worker;
    const ssize_t n = read(w->process.out, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
        return WORKER_ANSWERED;
    if (n <= 0)
        return find_end(w);
    buf_add(&w->read, bytes, (size_t)n);
    if (w->read.len > w->limits.answer || w->read.failed || a->answer->failed)
        return end_now(w, WORKER_FLOODED);
    return take_lines(a);
}

static enum worker_end must_end_now(struct asking *a)
{
    struct grade_worker *w = a->worker;
    const double now = clock_seconds();
    progress_tell(w->want.progress, PART_UNKNOWN);
    if (w->want.stop && *w->want.stop)
        return end_now(w, WORKER_STOPPED);
    return now > a->until || now > w->session_ends ? end_now(w, WORKER_OUT_OF_TIME)
                                                   : WORKER_ANSWERED;
}

static enum worker_end talk(struct asking *a)
{
    struct grade_worker *w = a->worker;
    while (!a->done && must_end_now(a) == WORKER_ANSWERED) {
        const bool sends = a->sent < a->send.len;
        struct pollfd p[3] = {{.fd = w->process.out, .events = POLLIN},
                              {.fd = w->process.err, .events = POLLIN},
                              {.fd = sends ? w->process.in : -1, .events = POLLOUT}};
        if (poll(p, 3, LOOK_MS) <= 0)
            continue;
        if (p[2].revents)
            send_more(a);
        if (p[1].revents)
            read_said(w);
        if (p[0].revents && read_answer(a) != WORKER_ANSWERED)
            break;
    }
    return w->end;
}

/* A command that is no line is not sent. The answer is as that to any other wrong command. */
static void refuse_command(struct span command, struct buf *answer)
{
    struct json j;
    json_begin(&j, answer);
    json_object(&j, NULL);
    json_bytes(&j, "command", command.at, command.n);
    json_text(&j, "status", "error");
    json_object(&j, "error");
    json_text(&j, "message", "a command is one line, and has no NUL byte");
    json_end_object(&j);
    json_end_object(&j);
    buf_putc(answer, '\n');
}

enum worker_end worker_ask(struct grade_worker *w, struct span command, struct buf *answer)
{
    struct asking a = {.worker = w, .answer = answer};
    if (w->end != WORKER_ANSWERED)
        return w->end;
    if (memchr(command.at, '\n', command.n) || memchr(command.at, '\0', command.n)) {
        refuse_command(command, answer);
        return w->end;
    }
    snprintf(a.mark, sizeof a.mark, "echo %s-%u", w->nonce, ++w->asked);
    buf_add(&a.send, command.at, command.n);
    buf_printf(&a.send, " \n%s\n", a.mark); /* the blank: no \ may end the line */
    a.until = clock_seconds() + w->limits.command_s + w->limits.grace_s;
    buf_clear(&w->read);
    if (a.send.failed)
        end_now(w, WORKER_STOPPED);
    else
        talk(&a);
    buf_free(&a.send);
    return w->end;
}
