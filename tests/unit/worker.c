/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workers that are shell scripts and do what a worker should never do, and the real one, the
 * program that $CUDALAB names. Then pools of pieces of work that fail, crash and hang. Each must
 * end with a clear value, in a bounded time, and leave no process behind.
 */
#include "grade/worker.h"
#include "base/json-check.h"
#include "grade/pool.h"
#include "os/clock.h"
#include "os/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int tests_run;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
    fflush(stdout); /* a copy of this process must not write it again */
}

static void must(bool good, const char *what)
{
    if (!good) {
        perror(what);
        exit(1);
    }
}

#ifdef WITH_PROGRAMS

static char folder[200];

static struct span text(const char *s)
{
    return (struct span){s, strlen(s)};
}

/* ---- fake workers --------------------------------------------------------------------- */

/* A script that reads commands. What it does at the command `x` is the case's. */
static const char *fake(const char *at_x, char path[300])
{
    static unsigned count;
    struct buf script = {0};
    char name[40];
    snprintf(name, sizeof name, "fake%u", ++count);
    snprintf(path, 300, "%s/%s", folder, name);
    buf_printf(&script,
               "#!/bin/sh\n"
               "while IFS= read -r line; do\n"
               "    line=${line%% }\n"
               "    case $line in\n"
               "    x) %s ;;\n"
               "    *) printf '{\"command\":\"%%s\"}\\n' \"$line\" ;;\n"
               "    esac\n"
               "done\n",
               at_x);
    must(fd_make_file(folder, name, script.data, script.len) == 0 && chmod(path, 0700) == 0, name);
    buf_free(&script);
    return path;
}

struct told {
    enum worker_end end;
    double seconds;
    struct buf answer, why, said;
};

/* Asks a fake for x. */
static struct told ask_fake(const char *at_x, struct worker_limits limits)
{
    char path[300];
    struct grade_worker w;
    struct err e;
    struct told t = {.seconds = clock_seconds()};
    const struct worker_want want = {.programs = &programs_of_this_system,
                                     .program = fake(at_x, path),
                                     .folder = folder,
                                     .temporary = folder,
                                     .limits = limits};
    if (worker_start(&w, &want, &e) != 0) {
        printf("# %s\n", e.text);
        t.end = WORKER_STOPPED;
    } else {
        t.end = worker_ask(&w, text("x"), &t.answer);
        worker_say(&w, &t.why);
        buf_add(&t.said, buf_text(&w.said), w.said.len);
    }
    worker_stop(&w);
    t.seconds = clock_seconds() - t.seconds;
    return t;
}

static void told_free(struct told *t)
{
    buf_free(&t->answer);
    buf_free(&t->why);
    buf_free(&t->said);
}

static void fakes(const char *at_x, struct worker_limits limits, enum worker_end wanted,
                  const char *why, const char *what)
{
    struct told t = ask_fake(at_x, limits);
    const bool good = t.end == wanted && strcmp(buf_text(&t.why), why) == 0 && t.seconds < 25;
    ok(good, what);
    if (!good)
        printf("# end %d, %s, after %.1f s\n# %s\n", t.end, buf_text(&t.why), t.seconds,
               buf_text(&t.said));
    told_free(&t);
}

static const struct worker_limits usual = {.command_s = 20},
                                  quick = {.command_s = 0.1, .grace_s = 0.4},
                                  little_cpu = {.command_s = 20, .cpu_s = 1},
                                  little_answer = {.command_s = 20, .answer = 1 << 20},
                                  short_session = {
                                      .command_s = 20, .session_s = 0.1, .grace_s = 0.4};

static void test_fakes(void)
{
    fakes("echo '{\"a\":1}'", usual, WORKER_ANSWERED, "it answers", "an answer");
    fakes(":", usual, WORKER_ANSWERED, "it answers", "a command without an object");
    fakes("echo '{}'; echo '{}'; echo warning >&2", usual, WORKER_ANSWERED, "it answers",
          "two objects");
    fakes("exit 3", usual, WORKER_ENDED, "it ended with status 3", "it ends");
    fakes("kill -SEGV $$", usual, WORKER_DIED, "it was ended by SIGSEGV", "it crashes");
    fakes("kill -KILL $$", usual, WORKER_DIED, "it was ended by SIGKILL", "it is killed");
    fakes("printf '{\"half\":'; kill -ABRT $$", usual, WORKER_DIED, "it was ended by SIGABRT",
          "it dies in a line");
    fakes("sleep 1000", quick, WORKER_OUT_OF_TIME, "it took too long and was ended", "it hangs");
    fakes("trap '' TERM INT HUP; while :; do sleep 1; done", quick, WORKER_OUT_OF_TIME,
          "it took too long and was ended", "it hangs and ignores signals");
    fakes("while :; do echo '{}'; sleep 0.01; done", short_session, WORKER_OUT_OF_TIME,
          "it took too long and was ended", "it answers for ever");
    fakes("while :; do :; done", little_cpu, WORKER_OUT_OF_CPU,
          "it used a processor for more than 1 s", "it computes for ever");
    fakes("yes '{\"text\":\"........................................\"}'", usual, WORKER_FLOODED,
          "it answered with more than 16384 KiB", "it floods us with objects");
    fakes("yes | tr -d '\\n'", usual, WORKER_FLOODED, "it answered with more than 16384 KiB",
          "it floods us without a newline");
    fakes("head -c 1073741824 /dev/zero", little_answer, WORKER_FLOODED,
          "it answered with more than 1024 KiB", "it floods us with 1 GiB of zeros");
    fakes("yes >&2", quick, WORKER_OUT_OF_TIME, "it took too long and was ended",
          "it floods us with messages");
    fakes("echo hello", usual, WORKER_GARBAGE, "its answer is not a JSON object", "a text");
    fakes("echo '[1]'", usual, WORKER_GARBAGE, "its answer is not a JSON object", "an array");
    fakes("echo '{}{}'", usual, WORKER_GARBAGE, "its answer is not a JSON object", "two in one line");
    fakes("printf '{\"a\":\"\\000\"}\\n'", usual, WORKER_GARBAGE, "its answer is not a JSON object",
          "a NUL byte");
    fakes("exec >&-; sleep 1000", usual, WORKER_GARBAGE, "its answer is not a JSON object",
          "it closes its output");
    fakes("exec <&-; echo '{}'; sleep 1000", quick, WORKER_OUT_OF_TIME,
          "it took too long and was ended", "it closes its input");
    fakes("read -r mark; printf '{\"command\":\"%s\"}\\n{}\\n' \"${mark}\"", usual, WORKER_GARBAGE,
          "its answer is not a JSON object", "it answers more than it was asked");
    fakes("read -r mark; printf '{\"command\":\"echo 1\"}\\n'; sleep 1000", quick,
          WORKER_OUT_OF_TIME, "it took too long and was ended", "a wrong mark ends no answer");
}

/* ---- what a worker has of ours --------------------------------------------------------- */

static bool has(const struct buf *b, const char *what)
{
    return strstr(buf_text(b), what) != NULL;
}

static void test_secrets(void)
{
    must(fd_make_file(folder, "secret", "42", 2) == 0, "secret");
    char path[300];
    snprintf(path, sizeof path, "%s/secret", folder);
    const int open_file = open(path, O_RDONLY); /* not close-on-exec */
    must(open_file > 2 && setenv("CUDALAB_SECRET", "42", 1) == 0, "secret");
    struct told t =
        ask_fake("printf '{\"files\":\"%s\"}\\n' \"$(ls -l /proc/$$/fd | grep -c secret)\"", usual);
    ok(has(&t.answer, "\"files\":\"0\""), "it has no open file of ours");
    told_free(&t);
    t = ask_fake("printf '{\"secret\":\"%s\"}\\n' \"$CUDALAB_SECRET$(tr '\\0' '\\n' "
                 "</proc/$$/environ | grep -c SECRET)\"",
                 usual);
    ok(has(&t.answer, "\"secret\":\"0\""), "and none of our variables");
    told_free(&t);
    t = ask_fake("printf '{\"arguments\":\"%s\"}\\n' \"$(tr '\\0' ' ' </proc/$$/cmdline)\"", usual);
    ok(has(&t.answer, "--safe --json") && !has(&t.answer, "SECRET"), "its arguments are plain");
    told_free(&t);
    ok(prctl(PR_GET_DUMPABLE) == 0, "no other process of this user can trace this one");
    prctl(PR_SET_DUMPABLE, 1);
    unsetenv("CUDALAB_SECRET");
    close(open_file);
}

/* ---- nothing is left ------------------------------------------------------------------- */

/* Is this a word of the arguments of a process? */
static bool has_argument(const char *pid, const char *word)
{
    char path[300], bytes[4096];
    snprintf(path, sizeof path, "/proc/%s/cmdline", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : fd_read(fd, bytes, sizeof bytes - 1);
    if (fd >= 0)
        close(fd);
    bytes[n > 0 ? n : 0] = '\0';
    for (const char *at = bytes; at < bytes + n; at += strlen(at) + 1)
        if (strcmp(at, word) == 0)
            return true;
    return false;
}

/* Does a process run that has this word among its arguments? */
static bool runs(const char *word)
{
    DIR *d = opendir("/proc");
    bool found = false;
    must(d != NULL, "/proc");
    for (struct dirent *item; (item = readdir(d)) && !found;)
        found =
            item->d_name[0] >= '1' && item->d_name[0] <= '9' && has_argument(item->d_name, word);
    closedir(d);
    return found;
}

static void test_children(void)
{
    const pid_t self = getpid();
    char sleeps[3][40], at_x[400];
    for (int i = 0; i < 3; i++)
        snprintf(sleeps[i], sizeof sleeps[i], "10%d%06d", i, (int)self % 1000000);
    snprintf(at_x, sizeof at_x,
             "sleep %s & setsid sleep %s & (setsid sh -c 'trap \"\" TERM; sleep %s & wait' &); "
             "echo '{}'; sleep 1000",
             sleeps[0], sleeps[1], sleeps[2]);
    fakes(at_x, quick, WORKER_OUT_OF_TIME, "it took too long and was ended",
          "it starts processes that leave its group");
    ok(!runs(sleeps[0]) && !runs(sleeps[1]) && !runs(sleeps[2]), "they end with it");
    ok(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "no child is left");
}

/* ---- the real one ---------------------------------------------------------------------- */

static int start_real(struct grade_worker *w, const char *const *files, struct worker_limits limits)
{
    struct err e;
    const struct worker_want want = {.programs = &programs_of_this_system,
                                     .program = getenv("CUDALAB"),
                                     .folder = folder,
                                     .temporary = folder,
                                     .files = files,
                                     .limits = limits};
    if (worker_start(w, &want, &e) == 0)
        return 0;
    printf("# %s\n", e.text);
    return -1;
}

static void write_source(const char *name, const char *source)
{
    must(fd_make_file(folder, name, source, strlen(source)) == 0, name);
}

static void test_in_order(void)
{
    struct grade_worker w;
    struct buf answer = {0};
    struct err e;
    char command[60], wanted[80];
    bool good = start_real(&w, NULL, usual) == 0;
    for (int i = 0; good && i < 100; i++) {
        snprintf(command, sizeof command, i % 3 ? "echo number %d" : "hello %d", i + 1);
        snprintf(wanted, sizeof wanted, "{\"command\":\"%s\",", command);
        buf_clear(&answer);
        good = worker_ask(&w, text(command), &answer) == WORKER_ANSWERED &&
               strncmp(buf_text(&answer), wanted, strlen(wanted)) == 0 &&
               json_check((struct span){answer.data, answer.len - 1}, &e) == 0 &&
               strchr(answer.data, '\n') == answer.data + answer.len - 1;
    }
    ok(good, "100 commands, each with its answer");
    static const struct {
        const char *what, *command, *has;
        int lines;
    } asked[] = {
        {"a comment", "# a comment", "", 0},
        {"nothing", "", "", 0},
        {"two commands", "echo a; echo b", "\"echo b\"", 2},
        {"a \\ at the end joins no lines", "echo a \\", "\"status\"", 1},
        {"no command", "nonsense", "there is no command", 1},
        {"a bracket that is open", "hello (", "is not closed", 1},
        {"two lines", "two\nlines", "a command is one line", 1},
        {"another meaning for the mark", "alias echo hello", "echo is a command already", 1},
        {"a file of the system", "load /etc/passwd", "\"status\":\"error\"", 1},
        {"a script of the system", "source /etc/passwd", "\"status\":\"error\"", 1}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        int lines = 0;
        buf_clear(&answer);
        const enum worker_end end = worker_ask(&w, text(asked[i].command), &answer);
        for (const char *at = buf_text(&answer); (at = strchr(at, '\n')); at++)
            lines++;
        good = end == WORKER_ANSWERED && lines == asked[i].lines && has(&answer, asked[i].has);
        ok(good, asked[i].what);
        if (!good)
            printf("# end %d, %d lines: %s\n", end, lines, buf_text(&answer));
    }
    buf_clear(&answer);
    ok(worker_ask(&w, text("echo still here"), &answer) == WORKER_ANSWERED &&
           has(&answer, "still here"),
       "it still answers");
    worker_stop(&w);
    buf_clear(&answer);
    good = start_real(&w, NULL, usual) == 0 &&
           worker_ask(&w, text("quit 7"), &answer) == WORKER_ENDED && w.code == 7;
    ok(good && has(&answer, "\"command\":\"quit 7\""), "quit ends it, with its status");
    ok(worker_ask(&w, text("echo no"), &answer) == WORKER_ENDED, "and it answers no more");
    worker_stop(&w);
    buf_free(&answer);
}

/* What a real worker answers to commands, the last one's answer. */
static enum worker_end ask_real(const char *const *files, struct worker_limits limits,
                                const char *const *commands, struct buf *answer)
{
    struct grade_worker w;
    enum worker_end end = start_real(&w, files, limits) == 0 ? WORKER_ANSWERED : WORKER_STOPPED;
    for (; *commands && end == WORKER_ANSWERED; commands++) {
        buf_clear(answer);
        end = worker_ask(&w, text(*commands), answer);
    }
    worker_stop(&w);
    return end;
}

static const char spin[] = ".version 6.0\n.target sm_60\n.address_size 64\n"
                           ".visible .entry spin()\n{\nagain:\n    bra again;\n}\n";

static void test_real_limits(void)
{
    struct buf answer = {0};
    const double start = clock_seconds();
    write_source("spin.ptx", spin);
    const char *const files[] = {"spin.ptx", NULL};
    const char *const spins[] = {"load spin.ptx", "launch spin<<<1,1>>>()", NULL};
    ok(ask_real(files, (struct worker_limits){.command_s = 0.5}, spins, &answer) ==
               WORKER_ANSWERED &&
           has(&answer, "\"kind\":\"timeout\"") && clock_seconds() - start < 9,
       "a kernel without end: the worker says it itself");
    const char *const large[] = {"array x f32 2^34", NULL};
    ok(ask_real(NULL, usual, large, &answer) == WORKER_ANSWERED &&
           has(&answer, "\"status\":\"error\""),
       "an array of 64 GiB");
    const char *const reads[] = {"load ../spin.ptx", NULL};
    ok(ask_real(files, usual, reads, &answer) == WORKER_ANSWERED &&
           has(&answer, "\"status\":\"error\""),
       "a file that was not allowed");
    buf_free(&answer);
}

/* A whole program that tries to start more and more processes, and one that writes for ever. */
static void test_real_programs(void)
{
    static const char
        bomb[] = "#include <cstdio>\n#include <unistd.h>\n"
                 "int main() {\n    int made = 0;\n"
                 "    for (int i = 0; i < 1000; i++) made += fork() >= 0;\n"
                 "    printf(\"made %d\\n\", made);\n}\n",
        flood[] = "#include <cstdio>\nint main() {\n"
                  "    for (;;) printf(\"0123456789012345678901234567890123456789\\n\");\n}\n";
    struct buf answer = {0};
    write_source("bomb.cu", bomb);
    write_source("flood.cu", flood);
    const char *const files[] = {"bomb.cu", "flood.cu", NULL};
    const char *const bombs[] = {"run bomb.cu", NULL}, *const floods[] = {"run flood.cu", NULL};
    enum worker_end end = ask_real(files, usual, bombs, &answer);
    if (end == WORKER_ANSWERED &&
        (has(&answer, "--safe clang") || has(&answer, "has no Landlock"))) {
        ok(true, "a fork bomb # SKIP no whole program runs here under --safe");
        ok(true, "output without end # SKIP no whole program runs here under --safe");
    } else {
        ok(end == WORKER_ANSWERED && has(&answer, "made 0"), "a fork bomb starts no process");
        if (!has(&answer, "made 0"))
            printf("# %s\n", buf_text(&answer));
        const double start = clock_seconds();
        end = ask_real(files, (struct worker_limits){.command_s = 5, .answer = 256 << 20}, floods,
                       &answer);
        ok(end == WORKER_ANSWERED && !has(&answer, "\"status\":\"ok\"") &&
               clock_seconds() - start < 30,
           "output without end");
        if (end != WORKER_ANSWERED)
            printf("# end %d\n", end);
    }
    ok(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "no child is left");
    buf_free(&answer);
}

/* ---- the pool -------------------------------------------------------------------------- */

enum { PIECES = 40 };

struct collected {
    enum pool_end end[PIECES];
    char text[PIECES][40];
    unsigned taken, asked, stops_after;
    double part;
    bool went_back;
};

static int work(void *self, unsigned number, struct buf *result, struct err *e)
{
    (void)self;
    switch (number % 10) {
    case 3: return fail(e, "piece %u can't be done", number);
    case 5: raise(SIGABRT); break; /* AddressSanitizer would take SIGSEGV */
    case 7: _exit(0);
    default: break;
    }
    if (number == 9)
        for (;;)
            pause();
    if (number == 8)
        for (int i = 0; i < 3 << 20; i++)
            buf_putc(result, 'x');
    buf_printf(result, "piece %u", number);
    return 0;
}

static int take(void *self, unsigned number, enum pool_end end, struct span result, struct err *e)
{
    struct collected *c = self;
    (void)e;
    c->end[number] = end;
    snprintf(c->text[number], sizeof c->text[number], "%.*s", (int)(result.n < 30 ? result.n : 30),
             result.at);
    c->taken++;
    return 0;
}

static void see(void *self, double part)
{
    struct collected *c = self;
    c->went_back |= part < c->part;
    c->part = part;
}

static int ask(void *self, struct err *e)
{
    struct collected *c = self;
    c->asked++;
    return c->stops_after && c->taken >= c->stops_after ? fail(e, "interrupted") : 0;
}

static struct pool pool_of(struct collected *c, copy_work *w, const struct go_on *g,
                           const struct progress *p, unsigned at_once)
{
    return (struct pool){.programs = &programs_of_this_system,
                         .count = PIECES,
                         .at_once = at_once,
                         .most = 1 << 20,
                         .seconds = 0.5,
                         .self = c,
                         .work = w,
                         .take = take,
                         .go_on = g,
                         .progress = p};
}

static void test_pool(unsigned at_once)
{
    struct collected c = {.taken = 0};
    const struct go_on g = {ask, &c};
    const struct progress p = {see, &c};
    const struct pool pool = pool_of(&c, work, &g, &p, at_once);
    struct err e;
    bool good = pool_run(&pool, &e) == 0 && c.taken == PIECES && !c.went_back && c.part == 1;
    char wanted[40], what[60];
    for (unsigned i = 0; good && i < PIECES; i++) {
        const enum pool_end end = i % 10 == 3             ? POOL_FAILED
                                  : i % 10 == 5 || i == 8 ? POOL_CRASHED
                                  : i == 9                ? POOL_OUT_OF_TIME
                                                          : POOL_DONE;
        snprintf(wanted, sizeof wanted, i % 10 == 3 ? "piece %u can't be done" : "piece %u", i);
        good = c.end[i] == end && (i % 10 == 7 || end == POOL_CRASHED || end == POOL_OUT_OF_TIME ||
                                   strcmp(c.text[i], wanted) == 0);
        if (!good)
            printf("# %u: %d %s\n", i, c.end[i], c.text[i]);
    }
    snprintf(what, sizeof what, "pieces that fail, crash and hang, %u at once", at_once);
    ok(good, what);
    ok(prctl(PR_GET_DUMPABLE) == 0, "and no other process can trace this one");
    prctl(PR_SET_DUMPABLE, 1);
}

/* Each piece has a worker that hangs. */
static volatile sig_atomic_t stop;

static void on_term(int number)
{
    (void)number;
    stop = 1;
}

static int hang(void *self, unsigned number, struct buf *result, struct err *e)
{
    (void)self;
    char path[300];
    struct grade_worker w;
    struct buf answer = {0};
    snprintf(path, sizeof path, "%s/hangs", folder);
    const struct worker_want want = {
        .programs = &programs_of_this_system, .program = path, .folder = folder, .stop = &stop};
    if (worker_start(&w, &want, e) != 0)
        return -1;
    const enum worker_end end = number < 2 ? WORKER_ANSWERED : worker_ask(&w, text("x"), &answer);
    buf_printf(result, "%d", end);
    worker_stop(&w);
    buf_free(&answer);
    return 0;
}

static void test_stop(void)
{
    struct collected c = {.stops_after = 2};
    const struct go_on g = {ask, &c};
    struct pool pool = pool_of(&c, hang, &g, NULL, 6);
    struct err e;
    char word[40], script[200];
    snprintf(word, sizeof word, "30%06d", (int)getpid() % 1000000);
    snprintf(script, sizeof script, "#!/bin/sh\nread -r line\nsleep %s\n", word);
    char path[300];
    snprintf(path, sizeof path, "%s/hangs", folder);
    must(fd_make_file(folder, "hangs", script, strlen(script)) == 0 && chmod(path, 0700) == 0,
         path);
    signal(SIGTERM, on_term);
    pool.seconds = 0;
    const double start = clock_seconds();
    const int rc = pool_run(&pool, &e);
    ok(rc == -1 && strcmp(e.text, "interrupted") == 0 && c.taken == 2 && c.end[0] == POOL_DONE &&
           c.end[1] == POOL_DONE && clock_seconds() - start < 10,
       "Ctrl-C keeps what is done");
    ok(!runs(word), "and ends all workers");
    ok(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "no copy is left");
    signal(SIGTERM, SIG_DFL);
}

/* When this process dies, its copies and their workers do, too. */
static void test_death(void)
{
    char word[40], path[300];
    struct collected c = {.taken = 0};
    snprintf(word, sizeof word, "30%06d", (int)getpid() % 1000000);
    snprintf(path, sizeof path, "%s/hangs", folder);
    const pid_t pid = fork();
    if (pid == 0) {
        struct pool pool = pool_of(&c, hang, NULL, NULL, 4);
        struct err e;
        pool.seconds = 0;
        pool_run(&pool, &e);
        _exit(0);
    }
    for (int i = 0; i < 500 && !runs(word); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    const bool ran = runs(word);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    bool still = true;
    for (int i = 0; i < 500 && (still = runs(word)); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    ok(ran && !still, "a grader that is killed leaves no worker");
}

int main(void)
{
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/worker.XXXXXX",
             where && strlen(where) < 100 ? where : "/tmp");
    must(mkdtemp(folder) != NULL, folder);
    test_fakes();
    test_secrets();
    test_children();
    if (getenv("CUDALAB")) {
        test_in_order();
        test_real_limits();
        test_real_programs();
    } else {
        printf("# CUDALAB names no program\n");
    }
    test_pool(1);
    test_pool(2);
    test_pool(16);
    test_stop();
    test_death();
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    must(system(command) == 0, "rm");
    printf("1..%d\n", tests_run);
    return 0;
}

#else

int main(void)
{
    must(true, "");
    ok(true, "workers # SKIP this build starts no programs");
    printf("1..%d\n", tests_run);
    return 0;
}

#endif
