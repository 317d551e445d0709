/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shell's life: settings, device, sources to read from, and what the program ends with.
 * How one command runs is execute.c.
 */
#include "repl/shell.h"

#include "os/computer.h"
#include "base/near.h"
#include "base/room.h"
#include "base/visible.h"
#include "os/fd.h"
#include "os/tty.h"
#include "programs/programs.h"
#include "repl/files-named.h"
#include "repl/interrupt.h"
#include "repl/loading.h"
#include "repl/reader.h"
#include "repl/scripting.h"
#include "repl/settings.h"
#include "repl/step/step.h"
#include "repl/talk.h"
#include "repl/commands.h"
#include "own/arrays.h"
#include "own/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOURCES_DEEP = 32, TEXT_MOST = 64 << 20, SAFE_COMMANDS = 100000, COMPILER_MOST = 1 << 30 };

void shell_init(struct shell *sh)
{
    struct err never;
    *sh = (struct shell){.out = {.fd = STDOUT_FILENO}, .file = {.fd = -1},
                         .course = {.session = -1}};
    sh->session.shell = sh;
    sh->session.budget.stop = &sh->session.stop;
    budget_begin_session(&sh->session.budget);
    sh->room_given = room_limit();
    sh->session.progress = waiting_progress(sh);
    sh->out_is_terminal = tty_is(STDOUT_FILENO);
    report_init(&sh->found.report);
    record_init(&sh->record);
    scripting_open(sh);
    settings_reset(sh, &never);
}

_Static_assert((int)LIBRARY_PATH == (int)COMPILER_PATH, "find_library fills what a device gives");

int shell_open(struct shell *sh, struct err *e)
{
    struct session *s = &sh->session;
    char why[sizeof s->why_device];
    char chosen[16];
    const struct device_waits waits = {&s->stop, &s->progress};
    if (sh->stepping)
        return fail(e, DEVICE_HELD);
    const char *spec = team_device(s->team, s->settings.device, chosen);
    struct device *fresh = device_open(spec, why, &waits, e);
    if (!fresh)
        return -1;
    fresh->find_library = sh->programs ? sh->programs->find_library : NULL;
    if (s->device && session_move(sh, fresh, e) != 0) {
        device_close(fresh);
        return -1;
    }
    session_leave_device(s);
    s->device = fresh;
    fresh->stop = &s->stop;
    fresh->progress = &s->progress;
    s->go_on = (struct go_on){session_loading_goes_on, s};
    fresh->go_on = &s->go_on;
    memcpy(s->why_device, why, sizeof why);
    return 0;
}

void shell_close(struct shell *sh)
{
    stepping_end(sh);
    units_free(&sh->session);
    arrays_free(&sh->session);
    last_forget(&sh->last);
    found_forget(&sh->found);
    modelled_forget(&sh->modelled);
    session_leave_device(&sh->session);
    buf_free(&sh->explain);
    buf_free(&sh->tries);
    record_free(&sh->record);
    scripting_close(sh);
    for (unsigned i = 0; i < sh->alias_count; i++) {
        free(sh->aliases[i].name);
        free(sh->aliases[i].text);
    }
    free(sh->aliases);
    written_forget(&sh->written);
    free(sh->file_path);
    if (sh->file.fd >= 0)
        close(sh->file.fd);
    if (sh->programs)
        sh->programs->end_confined(sh->scratch);
}

bool shell_typed(const struct shell *sh)
{
    return sh->place && !sh->place->name;
}

bool shell_watched(const struct shell *sh)
{
    return shell_typed(sh) || (sh->place && sh->place->live);
}

bool shell_done(const struct shell *sh)
{
    return interrupt_ending() || sh->quitting || sh->leaving || sh->spent || sh->interrupted ||
           sh->unreadable || sh->out.error || (sh->bail && sh->failures && !shell_watched(sh));
}

bool shell_stops(const struct shell *sh)
{
    return shell_done(sh) || (sh->talk && sh->talk->failed && shell_typed(sh));
}

/* With --grade. What is no fault of the hand-in must not look like one. */
static int graded_status(const struct shell *sh)
{
    const enum failure_cause cause = script_cause(&sh->script);
    if (sh->unreadable || sh->out.error || sh->file.error)
        return CAUSE_SCRIPT;
    if (cause != CAUSE_NONE)
        return (int)cause;
    return sh->quit_given ? sh->quit_code : 0;
}

int shell_status(const struct shell *sh)
{
    if (sh->grade && !interrupt_ending() && !sh->interrupted)
        return graded_status(sh);
    if (sh->out.error || sh->file.error)
        return 1;
    if (interrupt_ending())
        return 128 + interrupt_ending();
    if (sh->interrupted)
        return 130;
    if (sh->quit_given && !(sh->safe && sh->failures)) /* a hand-in can't say that all is well */
        return sh->quit_code;
    return sh->unreadable ? 2 : sh->failures ? 1 : 0;
}

/* ---- writing -------------------------------------------------------------------------- */

/* A full disk or a closed pipe must not lose output silently, so nothing goes through stdio. */
int sink_write(struct sink *s, const char *text, size_t n)
{
    if (!s->error)
        s->error = fd_write_until(s->fd, text, n, interrupt_ending);
    return s->error ? -1 : 0;
}

int shell_put(struct shell *sh, struct sink *to, const char *text, size_t n, bool painted)
{
    const unsigned keeps = VISIBLE_LINES | (painted ? VISIBLE_COLOURS : 0);
    struct buf clean = {0};
    if (visible_plain(text, n, keeps) < n) {
        visible_add(&clean, text, n, keeps);
        text = buf_text(&clean);
        n = clean.len;
    }
    sh->session.budget.written += n;
    const bool is_err = to->fd == STDERR_FILENO;
    int rc = sh->talk && (is_err || to->fd == STDOUT_FILENO) ? talk_tell(sh, is_err, text, n)
                                                             : sink_write(to, text, n);
    buf_free(&clean);
    return rc;
}

struct sink *shell_out(struct shell *sh)
{
    return sh->file.fd >= 0 ? &sh->file : &sh->out;
}

/* ---- --safe --------------------------------------------------------------------------- */

void shell_lock(struct shell *sh)
{
    sh->caps.step_limit = sh->session.settings.step_limit;
    sh->caps.budget = sh->session.budget;
    sh->locked = true;
}

/* Under --safe the user's own cache is neither read nor written. */
const char *shell_cache(const struct shell *sh)
{
    return !sh->session.settings.build_cache ? NULL
           : sh->cache                       ? sh->cache
           : sh->safe                        ? NULL
                                             : cache_of_user;
}

/* cudalab waits while a compiler runs, so that both together keep within the session's memory. */
size_t shell_compiler_memory(const struct shell *sh)
{
    const uint64_t limit = room_limit();
    const uint64_t used = computer_used() + sh->session.device->held_bytes, left = limit - used;
    if (!sh->safe)
        return 0;
    return used >= limit ? 1 : left < COMPILER_MOST ? (size_t)left : COMPILER_MOST;
}

/* What a session has used up; NULL: nothing. */
static const char *used_up(struct shell *sh, char text[160])
{
    const struct budget *b = &sh->session.budget;
    if (sh->safe && sh->commands_run > SAFE_COMMANDS)
        snprintf(text, 160, "under --safe a session ends after %d commands, so this one " SESSION_ENDS "--safe)", SAFE_COMMANDS);
    else if (budget_end(b) == BUDGET_SESSION_TIME)
        snprintf(text, 160, "this session has used its %g s and " SESSION_ENDS "session-time)",
                 b->session_s);
    else if (!budget_has_output(b))
        snprintf(text, 160, "this session has written its %llu bytes and " SESSION_ENDS "output-limit)",
                 (unsigned long long)b->output);
    else
        return NULL;
    return text;
}

bool shell_spent(struct shell *sh)
{
    char text[160];
    if (!sh->spent && used_up(sh, text)) {
        sh->spent = true;
        sh->failures++;
        script_note(&sh->script, CAUSE_LIMIT, text);
        shell_complain(sh, text, 0);
    }
    return sh->spent;
}

/* ---- files ---------------------------------------------------------------------------- */

void shell_home_path(const char *path, struct buf *out)
{
    const char *home = strncmp(path, "~/", 2) == 0 ? getenv("HOME") : NULL;
    buf_puts(out, home ? home : "");
    buf_puts(out, home ? path + 1 : path);
}

/* --allow names files by what they are, so that a link to another file opens nothing. */
static bool is_allowed(const struct shell *sh, const struct stat *file)
{
    struct stat allowed;
    for (unsigned i = 0; i < sh->allowed_count; i++)
        if (lstat(sh->allowed[i], &allowed) == 0 && allowed.st_dev == file->st_dev &&
            allowed.st_ino == file->st_ino)
            return true;
    return false;
}

/* Under --safe: a regular file, no link to one, and never waiting for what a pipe may bring. */
static int open_regular(const char *path, struct stat *info, struct err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    int why = fd < 0 ? errno : 0;
    if (why == ELOOP)
        return fail(e, "cannot read `%.300s`: it is a link, and --safe follows none", path);
    /* Confined, cudalab may not even open a pipe or a device: so the file is asked by its name. */
    bool known = fd < 0 ? stat(path, info) == 0 : fstat(fd, info) == 0;
    if (fd >= 0 && known && S_ISREG(info->st_mode))
        return fd;
    if (fd >= 0)
        close(fd);
    return known && !S_ISREG(info->st_mode)
               ? fail(e, "cannot read `%.300s`: --safe opens regular files only", path)
               : fail(e, "cannot read `%.300s`: %s", path, strerror(why));
}

bool shell_allows(const struct shell *sh, const char *path, struct err *e)
{
    struct stat info;
    if (stat(path, &info) == 0 && is_allowed(sh, &info))
        return true;
    fail(e, "under --safe `%.300s` can't be read; start cudalab with --allow FILE for "
         "each file a script may read", path);
    return false;
}

static int open_safe(const struct shell *sh, const char *path, struct err *e)
{
    struct stat info;
    if (!shell_allows(sh, path, e))
        return -1;
    int fd = open_regular(path, &info, e);
    if (fd < 0 || is_allowed(sh, &info))
        return fd;
    close(fd);
    return fail(e, "cannot read `%.300s`: it has changed", path);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* There is no such file: is there one in its folder with a name that is near? */
static int no_such_file(const char *path, struct err *e)
{
    struct near n = {.word = base_name(path)};
    struct buf folder = {0};
    struct dirent **all;
    size_t above = (size_t)(base_name(path) - path);
    buf_add(&folder, path, above);
    int count = folder.failed ? -1 : scandir(above ? buf_text(&folder) : ".", &all, NULL, by_name);
    for (int i = 0; i < count; i++) {
        if (all[i]->d_name[0] != '.')
            near_try(&n, all[i]->d_name);
        free(all[i]);
    }
    if (count >= 0)
        free(all);
    if (n.best)
        fail(e, "cannot read `%.300s`: %s; did you mean %.200s%.100s?", path, strerror(ENOENT),
             buf_text(&folder), n.best);
    else
        fail(e, "cannot read `%.300s`: %s", path, strerror(ENOENT));
    buf_free(&folder);
    return -1;
}

int shell_open_read(struct shell *sh, const char *path, struct err *e)
{
    struct stat info;
    if (sh->safe)
        return open_safe(sh, path, e);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe's writer may come later */
    if (fd < 0)
        return errno == ENOENT ? no_such_file(path, e)
                               : fail(e, "cannot read `%.300s`: %s", path, strerror(errno));
    fcntl(fd, F_SETFL, 0);
    bool known = fstat(fd, &info) == 0;
    if (!known || S_ISDIR(info.st_mode)) {
        close(fd);
        return fail(e, "cannot read `%.300s`: %s", path,
                    known ? "it is a directory" : "it has changed");
    }
    return fd;
}

/* A pipe would have the prompt wait for whoever writes to it, and a device may have no end. */
int shell_open_plain(struct shell *sh, const char *path, struct err *e)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode) &&
        (!sh->safe || is_allowed(sh, &info)))
        return fail(e, "`%.300s` is not a regular file, but a pipe or a device", path);
    return shell_open_read(sh, path, e);
}

int shell_read_text(struct shell *sh, const char *path, struct buf *text, struct err *e)
{
    int fd = shell_open_plain(sh, path, e);
    if (fd < 0)
        return -1;
    const enum fd_all end = fd_read_all(fd, TEXT_MOST, text);
    const int why = errno;
    close(fd);
    if (end == FD_UNREADABLE)
        return fail(e, "cannot read `%.300s`: %s", path, strerror(why));
    if (end == FD_TOO_LARGE)
        return fail(e, "`%.300s` has more than %d MiB; that is too much", path, TEXT_MOST >> 20);
    return text->failed ? fail_memory(e) : 0;
}

/* The path as it is from the folder of `here`. */
static char *path_beside(const char *here, const char *path)
{
    const char *slash = here && *path != '/' ? strrchr(here, '/') : NULL;
    if (!slash)
        return strdup(path);
    size_t dir = (size_t)(slash - here) + 1, n = strlen(path);
    char *whole = malloc(dir + n + 1);
    if (whole) {
        memcpy(whole, here, dir);
        memcpy(whole + dir, path, n + 1);
    }
    return whole;
}

char *shell_path(const struct shell *sh, const char *path)
{
    return path_beside(sh->place && sh->place->is_file ? sh->place->name : NULL, path);
}

/* Under --safe nobody learns whether a file is there that may not be read. */
static bool is_there(const struct shell *sh, const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && (!sh->safe || is_allowed(sh, &info));
}

char *shell_beside(const struct shell *sh, const char *path)
{
    char *there = path_beside(sh->place ? sh->place->name : NULL, path);
    const bool better = there && !is_there(sh, path) && is_there(sh, there);
    char *chosen = there && !better ? strdup(path) : there;
    if (chosen != there)
        free(there);
    return chosen;
}

/* ---- sources -------------------------------------------------------------------------- */

static void run_reader(struct shell *sh, struct reader *r, struct script_place *place)
{
    struct buf line = {0};
    struct err e;
    sh->place = place;
    while (!shell_stops(sh) && !shell_spent(sh)) {
        enum read_status s = reader_next(r, &line, &place->line, &e);
        if (s == READ_END)
            break;
        if (s == READ_LINE) {
            shell_run_line(sh, buf_text(&line), line.len);
        } else if (s == READ_BAD) {
            shell_refuse_line(sh, buf_text(&line), line.len, &e);
        } else if (s == READ_FAILED) {
            shell_complain(sh, e.text, 0);
            sh->unreadable = true;
        }
        if (sh->session.stop)
            sh->interrupted = true;
    }
    scripting_ends(sh);
    sh->place = place->outer;
    sh->leaving = false;
    buf_free(&line);
}

void shell_place_in(struct script_place *place, int fd)
{
    struct stat info;
    place->is_file = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    if (place->is_file) {
        place->dev = info.st_dev;
        place->ino = info.st_ino;
    }
}

static bool is_stdin(int fd)
{
    struct stat file, input;
    return fstat(fd, &file) == 0 && fstat(STDIN_FILENO, &input) == 0 &&
           file.st_dev == input.st_dev && file.st_ino == input.st_ino;
}

int shell_run_fd(struct shell *sh, int fd, const char *shown, struct err *e)
{
    struct script_place place = {.name = shown, .outer = sh->place};
    struct reader r;
    shell_place_in(&place, fd);
    sh->reads_stdin |= is_stdin(fd);
    if (reader_open_fd(&r, fd) != 0)
        return fail_memory(e);
    r.budget = &sh->session.budget;
    int rc = script_check(sh, reader_beginning(&r), shown, e);
    if (rc == 0)
        run_reader(sh, &r, &place);
    reader_close(&r);
    return rc;
}

static void run_text(struct shell *sh, const char *text, struct script_place *place)
{
    struct reader r;
    reader_open_text(&r, text, strlen(text));
    r.budget = &sh->session.budget;
    run_reader(sh, &r, place);
    reader_close(&r);
}

void shell_run_text(struct shell *sh, const char *text, const char *shown)
{
    run_text(sh, text, &(struct script_place){.name = shown, .outer = sh->place});
}

void shell_run_alone(struct shell *sh, const char *text)
{
    char name[60];
    snprintf(name, sizeof name, "cudalab %.*s", (int)strcspn(text, " "), text);
    run_text(sh, text, &(struct script_place){.name = name, .alone = true});
}

/* A file that is being read already would never end; too many deep is a slip as well. */
int shell_check_depth(const struct shell *sh, int fd, const char *path, struct err *e)
{
    struct stat info;
    int deep = 0;
    if (fstat(fd, &info) != 0)
        return fail(e, "cannot read `%.300s`: %s", path, strerror(errno));
    for (const struct script_place *p = sh->place; p; p = p->outer, deep++)
        if (p->is_file && p->dev == info.st_dev && p->ino == info.st_ino)
            return fail(e, "`%.300s` is being read already; it can't source itself", path);
    if (deep >= SOURCES_DEEP)
        return fail(e, "scripts that run other scripts are nested %d deep; no deeper nesting is "
                       "possible", SOURCES_DEEP);
    return 0;
}

int shell_run_file(struct shell *sh, const char *path, struct err *e)
{
    struct stat info;
    int fd = sh->safe && !sh->place ? open_regular(path, &info, e) /* of the command line */
                                    : shell_open_read(sh, path, e);
    if (fd < 0)
        return -1;
    int rc = shell_check_depth(sh, fd, path, e);
    if (rc == 0)
        rc = shell_run_fd(sh, fd, path, e);
    close(fd);
    return rc;
}
