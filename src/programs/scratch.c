/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file makes scratch folders, and corrects the names of files in the PTX that is made there. A
 * lock on the folder says that its cudalab lives. The system removes the lock however cudalab ends.
 */
#define _GNU_SOURCE
#include "programs/backend.h"

#include "base/lines.h"
#include "os/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int scratch_read(const char *path, size_t most, struct buf *to)
{
    char bytes[1 << 14];
    size_t n;
    FILE *f = fopen(path, "re");
    if (!f)
        return -1;
    while (to->len <= most && (n = fread(bytes, 1, sizeof bytes, f)) > 0)
        buf_add(to, bytes, n);
    fclose(f);
    return to->len && to->len <= most && !to->failed ? 0 : -1;
}

static void remove_now(struct scratch *s)
{
    file_remove_folder(s->path);
    close(s->lock);
    s->path[0] = '\0';
}

/* ---- which are alive -------------------------------------------------------------------- */

/* Opens and locks a folder. -1: it is another user's, somebody has locked it, or it is gone. */
static int lock_folder(const char *path)
{
    struct stat open_one, named;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &open_one) == 0 && open_one.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && lstat(path, &named) == 0 &&
        named.st_ino == open_one.st_ino && named.st_dev == open_one.st_dev)
        return fd;
    close(fd);
    return -1;
}

/* Six letters follow. In paths, `/cudalab.` says that a compiler made the file. */
static const char compiling[] = "cudalab.", grading[] = "cudalab-grade.";

static bool is_scratch_name(const char *name)
{
    const char *const starts[] = {compiling, grading};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const size_t n = strlen(starts[i]);
        if (strncmp(name, starts[i], n) == 0 && strlen(name) == n + 6)
            return true;
    }
    return false;
}

/* Removes folders of such a name that nobody has locked: their cudalab was killed. */
static void remove_dead(const char *where)
{
    struct scratch dead = {.remover = 0};
    DIR *d = opendir(where);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!is_scratch_name(e->d_name) ||
            snprintf(dead.path, SCRATCH_PATH, "%s/%s", where, e->d_name) >= SCRATCH_PATH)
            continue;
        dead.lock = lock_folder(dead.path);
        if (dead.lock >= 0)
            remove_now(&dead);
    }
    if (d)
        closedir(d);
}

static int make(struct scratch *s, const char *name, struct err *e)
{
    enum { TRIES = 10 };
    const char *where = getenv("TMPDIR");
    if (!where || where[0] != '/' || strlen(where) > SCRATCH_PATH - 40)
        where = "/tmp";
    s->remover = 0;
    remove_dead(where);
    for (int i = 0; i < TRIES; i++) { /* another cudalab may take a new one for a dead one */
        snprintf(s->path, SCRATCH_PATH, "%s/%sXXXXXX", where, name);
        if (!mkdtemp(s->path))
            break;
        s->lock = lock_folder(s->path);
        if (s->lock >= 0)
            return 0;
    }
    s->path[0] = '\0';
    return fail(e, "cannot make a temporary folder in `%s`: %s", where, strerror(errno));
}

int scratch_make(struct scratch *s, struct err *e)
{
    return make(s, compiling, e);
}

int scratch_make_grading(struct scratch *s, struct err *e)
{
    return make(s, grading, e);
}

/* Waits until the other end of the pipe is closed, or its owner is dead, and removes the folder. */
static void be_the_remover(struct scratch *s, int until)
{
    char byte;
    setsid();
    for (int fd = 0; fd <= 2; fd++)
        close(fd);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    while (read(until, &byte, 1) < 0 && errno == EINTR)
        continue;
    remove_now(s);
    _exit(0);
}

int scratch_leave(struct scratch *s, struct err *e)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(e, "cannot start a process: %s", strerror(errno));
    s->remover = fork();
    if (s->remover == 0) {
        close(ends[1]);
        be_the_remover(s, ends[0]);
    }
    close(ends[0]);
    s->remover_waits = ends[1];
    if (s->remover > 0)
        return 0;
    s->remover = 0;
    close(ends[1]);
    return fail(e, "cannot start a process: %s", strerror(errno));
}

void scratch_remove(struct scratch *s)
{
    if (!s->path[0])
        return;
    if (!s->remover) {
        remove_now(s);
        return;
    }
    close(s->remover_waits);
    while (waitpid(s->remover, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(s->lock);
    s->remover = 0;
    s->path[0] = '\0';
}

/* ---- names of files ------------------------------------------------------------------- */

static bool lies_in(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return n > 1 && strncmp(path, folder, n) == 0 && path[n] == '/';
}

bool comes_with_system(const char *path)
{
    static const char *const folders[] = {"/usr", "/opt", "/lib", "/lib64", NULL};
    for (const char *const *f = folders; *f; f++)
        if (lies_in(path, *f))
            return true;
    return path[0] != '/' || strstr(path, "/include/cuda") || strstr(path, "/cccl/");
}

struct naming {
    const struct compile_want *want;
    char here[PATH_MAX];   /* the working folder */
    char real[PATH_MAX];   /* the source, links followed */
    char folder[PATH_MAX]; /* where it lies */
};

/* Removes the ./ that clang puts in front of a name. */
static const char *plain(const char *name)
{
    while (strncmp(name, "./", 2) == 0)
        name += 2;
    return name;
}

/* A confined compiler runs in the root folder and takes the typed name to begin there, or it reads a
 * copy in a folder of its own. */
static bool is_confined_name(const struct naming *n, const char *name)
{
    const char *typed = n->want->path;
    return n->want->safe &&
           ((name[0] == '/' && strcmp(name + 1, typed) == 0) ||
            (strstr(name, "/cudalab.") && strcmp(base_name(name), base_name(typed)) == 0));
}

/* Writes the compiler's name of a file as the student would write it. */
static void put_name(const struct naming *n, const char *name, struct buf *out)
{
    char real[PATH_MAX];
    const char *typed = n->want->path, *slash = strrchr(typed, '/');
    int typed_folder = slash ? (int)(slash - typed) + 1 : 0;
    if (strcmp(n->want->no_file ? base_name(name) : name, typed) == 0 ||
        (realpath(name, real) && strcmp(real, n->real) == 0) || is_confined_name(n, name)) {
        buf_puts(out, typed);
    } else if (!strstr(name, "/cudalab.") && lies_in(name, n->folder)) {
        buf_printf(out, "%.*s%s", typed_folder, typed, plain(name + strlen(n->folder) + 1));
    } else if (!strstr(name, "/cudalab.") && !comes_with_system(name)) {
        buf_puts(out, lies_in(name, n->here) ? plain(name + strlen(n->here) + 1) : name);
    } else {
        const char *last = strrchr(name, '/');
        buf_printf(out, "<%s>", last ? last + 1 : name);
    }
}

static void set_naming(const struct compile_want *w, struct naming *n)
{
    n->want = w;
    if (!getcwd(n->here, sizeof n->here))
        n->here[0] = '\0';
    if (!realpath(w->path, n->real))
        snprintf(n->real, sizeof n->real, "%s", w->path);
    snprintf(n->folder, sizeof n->folder, "%s", n->real);
    char *slash = strrchr(n->folder, '/');
    if (slash)
        *slash = '\0';
}

/* A line `.file 1 "/home/ann/k.cu", 1762, 301`: only number and name stay. */
static bool tidy_line(const struct naming *n, const char *line, size_t size, struct buf *out)
{
    char name[PATH_MAX];
    size_t blank = 0;
    while (blank < size && (line[blank] == ' ' || line[blank] == '\t'))
        blank++;
    if (size - blank < 7 || strncmp(line + blank, ".file", 5) != 0)
        return false;
    const char *open = memchr(line, '"', size);
    const char *close = open ? memchr(open + 1, '"', (size_t)(line + size - open - 1)) : NULL;
    if (!close || close - open > PATH_MAX - 1)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(close - open - 1), open + 1);
    buf_add(out, line, (size_t)(open - line) + 1);
    put_name(n, name, out);
    buf_puts(out, "\"\n");
    return true;
}

int ptx_tidy_files(const struct compile_want *w, struct buf *ptx)
{
    struct naming *n = calloc(1, sizeof *n);
    struct buf out = {0};
    struct span rest = {buf_text(ptx), ptx->len}, line;
    if (n)
        set_naming(w, n);
    while (n && next_line(&rest, &line))
        if (!tidy_line(n, line.at, line.n, &out))
            buf_add(&out, line.at, (size_t)(rest.at - line.at));
    int rc = !n || out.failed ? -1 : 0;
    free(n);
    buf_free(ptx);
    *ptx = out;
    return rc;
}
