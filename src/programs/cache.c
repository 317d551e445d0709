/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This is the cache of what compilers made. An entry is one line of text (format, lengths, a
 * fingerprint of what follows, the compiler), then the log, then what was made. It is written under
 * another name and then renamed, so that two cudalabs can run at once. The file's time says when it
 * was last used.
 *
 * A cache is named by its folder. A whole path is that folder. Any other name is a part of the
 * user's own cache.
 */
#include "programs/backend.h"

#include "os/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = CACHE_PATH, ROOT_ROOM = PATH_ROOM - 40, ENTRY_MOST = 32 << 20,
       ALL_MOST = 64 << 20, GRADED_MOST = 256 << 20, NAMES_MOST = 4096 };

const char cache_of_graded[] = "graded";

static const char magic[] = "cudalab-made-1";

/* ---- where ---------------------------------------------------------------------------- */

/* Tells whether only we can change the folder. Code that others wrote there would run as ours. */
static bool is_ours_alone(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           !(info.st_mode & (S_IWGRP | S_IWOTH));
}

/* The folder above may be the system's. All may write there if only owners can rename files. */
static bool is_kept(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && (info.st_uid == geteuid() || info.st_uid == 0) &&
           (!(info.st_mode & (S_IWGRP | S_IWOTH)) || (info.st_mode & S_ISVTX));
}

/* Makes a folder, and the one above it, if they aren't there. */
static int make_both(const char *root, const char *folder)
{
    if (mkdir(folder, 0700) == 0 || errno == EEXIST)
        return 0;
    return mkdir(root, 0700) == 0 && mkdir(folder, 0700) == 0 ? 0 : -1;
}

/* Names the folder of the user's own cache, and makes it. -1: it can't be made. */
static int make_own(char out[PATH_ROOM], char root[ROOT_ROOM])
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = base && base[0] == '/' ? snprintf(root, ROOT_ROOM, "%s", base)
            : home && home[0] == '/' ? snprintf(root, ROOT_ROOM, "%s/.cache", home) : -1;
    if (n < 0 || n >= ROOT_ROOM)
        return -1;
    snprintf(out, PATH_ROOM, "%s/cudalab", root);
    return make_both(root, out);
}

/* -1: there is no such folder, or others could write there. */
static int cache_folder(const char *cache, char out[PATH_ROOM])
{
    char root[ROOT_ROOM];
    if (cache[0] == '/')
        return snprintf(out, PATH_ROOM, "%s", cache) < PATH_ROOM && is_ours_alone(out) ? 0 : -1;
    if (make_own(out, root) != 0 || !is_kept(root) || !is_ours_alone(out))
        return -1;
    if (!cache[0])
        return 0;
    const size_t n = strlen(out);
    return snprintf(out + n, PATH_ROOM - n, "/%s", cache) < (int)(PATH_ROOM - n) &&
                   (mkdir(out, 0700) == 0 || errno == EEXIST) && is_ours_alone(out)
               ? 0 : -1;
}

bool cache_refused(char out[CACHE_PATH])
{
    char root[ROOT_ROOM];
    return make_own(out, root) == 0 && !(is_kept(root) && is_ours_alone(out));
}

static int entry_path(const char *cache, struct print128 p, char out[PATH_ROOM + 50])
{
    char folder[PATH_ROOM];
    if (!cache || cache_folder(cache, folder) != 0)
        return -1;
    snprintf(out, PATH_ROOM + 50, "%s/%016" PRIx64 "%016" PRIx64 ".made", folder, p.high, p.low);
    return 0;
}

static struct print128 print_of(const struct compiled *c)
{
    struct print128 p = print_text(print_start, c->compiler);
    p = print_add(p, buf_text(&c->log), c->log.len);
    return print_add(p, buf_text(&c->ptx), c->ptx.len);
}

/* ---- reading -------------------------------------------------------------------------- */

static int read_entry(const char *text, size_t n, struct compiled *out)
{
    struct print128 p, is;
    size_t log, ptx;
    int used = 0;
    const char *newline = memchr(text, '\n', n);
    if (!newline ||
        sscanf(text, "cudalab-made-1 %zu %zu %16" SCNx64 "%16" SCNx64 " %63[^\n]%n", &log,
               &ptx, &p.high, &p.low, out->compiler, &used) != 5 ||
        text + used != newline)
        return -1;
    const char *body = newline + 1;
    size_t left = (size_t)(text + n - body);
    if (log > left || ptx != left - log)
        return -1;
    buf_add(&out->log, body, log);
    buf_add(&out->ptx, body + log, ptx);
    is = print_of(out);
    return out->ptx.failed || out->log.failed || is.high != p.high || is.low != p.low ? -1 : 0;
}

int cache_read(const char *cache, struct print128 p, struct compiled *out)
{
    char path[PATH_ROOM + 50];
    struct buf whole = {0};
    struct stat info;
    int fd = entry_path(cache, p, path) == 0
                 ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    if (fd < 0)
        return -1;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid() ||
        (info.st_mode & (S_IWGRP | S_IWOTH))) {
        close(fd);
        return -1;
    }
    futimens(fd, NULL); /* it was of use today */
    int rc = fd_read_all(fd, ENTRY_MOST, &whole) == FD_WHOLE && !whole.failed
                 ? read_entry(buf_text(&whole), whole.len, out) : -1;
    close(fd);
    buf_free(&whole);
    if (rc != 0) {
        buf_clear(&out->ptx);
        buf_clear(&out->log);
        out->compiler[0] = '\0';
    }
    return rc;
}

/* ---- writing and making room ---------------------------------------------------------- */

struct entry {
    struct timespec used;
    off_t size;
    char name[64];
};

static int by_age(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return (x->used.tv_nsec > y->used.tv_nsec) - (x->used.tv_nsec < y->used.tv_nsec);
}

static size_t list_entries(DIR *d, struct entry *all, off_t *bytes)
{
    size_t count = 0;
    struct stat info;
    for (struct dirent *e; count < NAMES_MOST && (e = readdir(d));) {
        if (strlen(e->d_name) >= sizeof all->name || e->d_name[0] == '.' ||
            fstatat(dirfd(d), e->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode))
            continue;
        all[count] = (struct entry){.used = info.st_mtim, .size = info.st_size};
        snprintf(all[count].name, sizeof all->name, "%s", e->d_name);
        *bytes += info.st_size;
        count++;
    }
    return count;
}

/* Removes the oldest entries until the rest fits. */
static void make_room(const char *cache)
{
    const off_t most = cache == cache_of_graded ? GRADED_MOST : ALL_MOST;
    char folder[PATH_ROOM];
    struct entry *all = calloc(NAMES_MOST, sizeof *all);
    DIR *d = all && cache_folder(cache, folder) == 0 ? opendir(folder) : NULL;
    off_t bytes = 0;
    if (d) {
        size_t count = list_entries(d, all, &bytes);
        qsort(all, count, sizeof *all, by_age);
        for (size_t i = 0; i < count && (bytes > most || count - i >= NAMES_MOST); i++)
            if (unlinkat(dirfd(d), all[i].name, 0) == 0)
                bytes -= all[i].size;
        closedir(d);
    }
    free(all);
}

void cache_write(const char *cache, struct print128 p, const struct compiled *c)
{
    char path[PATH_ROOM + 50], beside[PATH_ROOM + 60], head[160];
    if (c->ptx.len + c->log.len > ENTRY_MOST / 2 || entry_path(cache, p, path) != 0)
        return;
    struct print128 sum = print_of(c);
    int n = snprintf(head, sizeof head, "%s %zu %zu %016" PRIx64 "%016" PRIx64 " %s\n", magic,
                     c->log.len, c->ptx.len, sum.high, sum.low, c->compiler);
    snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    int fd = mkstemp(beside);
    if (fd < 0)
        return;
    bool bad = fd_write(fd, head, (size_t)n) != 0 ||
               fd_write(fd, buf_text(&c->log), c->log.len) != 0 ||
               fd_write(fd, buf_text(&c->ptx), c->ptx.len) != 0;
    bad = close(fd) != 0 || bad;
    if (bad || rename(beside, path) != 0)
        unlink(beside);
    make_room(cache);
}
