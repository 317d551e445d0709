/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A folder of our own under TMPDIR for the time of one compilation, and the names of files in
 * the PTX that comes out of it.
 */
#include "cc/backend.h"

#include "base/lines.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int scratch_make(char out[SCRATCH_PATH], struct err *e)
{
    const char *where = getenv("TMPDIR");
    if (!where || where[0] != '/' || strlen(where) > SCRATCH_PATH - 40)
        where = "/tmp";
    snprintf(out, SCRATCH_PATH, "%s/cudalab.XXXXXX", where);
    if (mkdtemp(out))
        return 0;
    return fail(e, "cannot make a temporary folder in `%s`: %s", where, strerror(errno));
}

/* name may lie in folders, which are made: "include/c/stdio.h". */
int scratch_write(const char *folder, const char *name, const void *bytes, size_t n)
{
    char path[SCRATCH_PATH + 200];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return -1;
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return -1;
        *slash = '/';
    }
    FILE *f = fopen(path, "wxe");
    if (!f)
        return -1;
    bool bad = fwrite(bytes, 1, n, f) != n;
    return fclose(f) != 0 || bad ? -1 : 0;
}

static void empty_folder(int at, const char *name)
{
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (struct dirent *e; (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (unlinkat(dirfd(d), e->d_name, 0) != 0) {
            empty_folder(dirfd(d), e->d_name);
            unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
        }
    }
    closedir(d);
}

void scratch_remove(const char *folder)
{
    empty_folder(AT_FDCWD, folder);
    rmdir(folder);
}

/* ---- names of files ------------------------------------------------------------------- */

static bool lies_in(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return n > 1 && strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* What compilers bring along: theirs, the system's, and our stand-ins. */
static bool is_foreign(const char *path)
{
    static const char *const folders[] = {"/usr", "/opt", NULL};
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

/* Without the ./ that clang puts in front. */
static const char *plain(const char *name)
{
    while (strncmp(name, "./", 2) == 0)
        name += 2;
    return name;
}

/* The compiler's name of a file as the student would write it. */
static void put_name(const struct naming *n, const char *name, struct buf *out)
{
    char real[PATH_MAX];
    const char *typed = n->want->path, *slash = strrchr(typed, '/');
    int typed_folder = slash ? (int)(slash - typed) + 1 : 0;
    if (strcmp(name, typed) == 0 || (realpath(name, real) && strcmp(real, n->real) == 0)) {
        buf_puts(out, typed);
    } else if (!strstr(name, "/cudalab.") && lies_in(name, n->folder)) {
        buf_printf(out, "%.*s%s", typed_folder, typed, plain(name + strlen(n->folder) + 1));
    } else if (!strstr(name, "/cudalab.") && !is_foreign(name)) {
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
    struct buf out;
    buf_init(&out);
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
