/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A special file, such as a FIFO, could make whoever opens it wait for ever. So each file is opened
 * without waiting and must be a plain one.
 */
#define _GNU_SOURCE
#include "grade/tree.h"

#include "base/names.h"
#include "os/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MOST = 32, ARCHIVE_ENTRIES = 20000 };
#define ARCHIVE_BYTES (UINT64_C(2) << 30)

/* Made by an editor or by a system, and no part of what somebody hands in. */
static bool is_left_out(const char *name, size_t n)
{
    static const char *const made[] = {"__MACOSX", "Thumbs.db", "desktop.ini", NULL};
    bool is = n > 1 && name[0] == '.' && !(n == 2 && name[1] == '.');
    for (const char *const *m = made; *m; m++)
        is |= n == strlen(*m) && memcmp(name, *m, n) == 0;
    return is;
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool has_left_out(const char *path)
{
    while (*path) {
        const size_t n = strcspn(path, "/");
        if (is_left_out(path, n))
            return true;
        path += n + (path[n] == '/');
    }
    return false;
}

static struct tree_file *add_file(struct tree *t, struct err *e)
{
    void *items = t->file;
    if (t->count == TREE_FILES_MOST) {
        fail(e, "it has more than %d files", TREE_FILES_MOST);
        return NULL;
    }
    if (mem_grow(&allocator_libc, &items, &t->capacity, t->count, sizeof *t->file) != 0) {
        fail_memory(e);
        return NULL;
    }
    t->file = items;
    t->file[t->count] = (struct tree_file){0};
    return &t->file[t->count++];
}

/* ---- folders -------------------------------------------------------------------------- */

static const char *wrong_kind(mode_t mode)
{
    return S_ISREG(mode)    ? NULL
           : S_ISLNK(mode)  ? "is a link"
           : S_ISFIFO(mode) ? "is a FIFO"
           : S_ISSOCK(mode) ? "is a socket"
                            : "is a device";
}

static int add_path(struct tree *t, const char *name, const char *path, const struct stat *info,
                    struct err *e)
{
    struct tree_file *f = add_file(t, e);
    if (!f)
        return -1;
    f->wrong = wrong_kind(info->st_mode);
    f->size = f->wrong ? 0 : (uint64_t)info->st_size;
    f->name = arena_text(&t->memory, name, strlen(name));
    f->path = arena_text(&t->memory, path, strlen(path));
    return f->name && f->path ? 0 : fail_memory(e);
}

/* A folder that is being read, and how many it lies in. */
struct folder_reading {
    char path[PATH_MAX];
    size_t root; /* the names of files begin here */
    unsigned depth;
};

static const char too_deep[] = "lies in too many folders, or its path is too long";

/* What lies too deep is one file that is wrong. So only the hand-in that has it is wrong. */
static int add_deep(struct tree *t, const struct folder_reading *r, struct err *e)
{
    const struct stat as_file = {.st_mode = S_IFREG};
    if (add_path(t, r->path + r->root, r->path, &as_file, e) != 0)
        return -1;
    t->file[t->count - 1].wrong = too_deep;
    return 0;
}

static int read_folder(struct tree *t, struct folder_reading *r, struct err *e);

static int read_item(struct tree *t, struct folder_reading *r, int at, const char *name,
                     struct err *e)
{
    struct stat info;
    const size_t n = strlen(r->path);
    int rc;
    if (n + strlen(name) + 2 > sizeof r->path)
        return add_deep(t, r, e);
    if (fstatat(at, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return fail(e, "it can't be read: %s", strerror(errno));
    r->path[n] = '/';
    strcpy(r->path + n + 1, name);
    rc = S_ISDIR(info.st_mode) ? read_folder(t, r, e)
                               : add_path(t, r->path + r->root, r->path, &info, e);
    r->path[n] = '\0';
    return rc;
}

/* A folder without rights to read it is a file that can't be read. */
static int add_closed(struct tree *t, const struct folder_reading *r, struct err *e)
{
    const struct stat as_file = {.st_mode = S_IFREG};
    if (strlen(r->path) < r->root)
        return fail(e, "it can't be read: %s", strerror(errno));
    return add_path(t, r->path + r->root, r->path, &as_file, e);
}

static int read_folder(struct tree *t, struct folder_reading *r, struct err *e)
{
    int rc = 0, flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (r->depth ? O_NOFOLLOW : 0);
    if (r->depth == DEPTH_MOST)
        return add_deep(t, r, e);
    int fd = open(r->path, flags);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) {
        rc = add_closed(t, r, e);
        if (fd >= 0)
            close(fd);
        return rc;
    }
    r->depth++;
    for (struct dirent *item; rc == 0 && (item = readdir(d));)
        if (!is_dots(item->d_name) && !is_left_out(item->d_name, strlen(item->d_name)))
            rc = read_item(t, r, fd, item->d_name, e);
    r->depth--;
    closedir(d);
    return rc;
}

int tree_of_folder(struct tree *t, const char *path, struct err *e)
{
    struct folder_reading *r = calloc(1, sizeof *r);
    size_t n = strlen(path);
    int rc = r ? 0 : fail_memory(e);
    while (n > 1 && path[n - 1] == '/')
        n--;
    if (rc == 0 && n >= sizeof r->path)
        rc = fail(e, "its path is longer than %d bytes", PATH_MAX);
    if (rc == 0) {
        memcpy(r->path, path, n);
        r->root = n + 1;
        rc = read_folder(t, r, e);
    }
    free(r);
    names_sort(t->file, t->count, sizeof *t->file);
    return rc;
}

int tree_of_file(struct tree *t, const char *path, struct err *e)
{
    struct stat info;
    char *real = realpath(path, NULL); /* what is typed may be a link */
    int rc = real && stat(real, &info) == 0 ? add_path(t, base_name(path), real, &info, e)
                                            : fail(e, "it can't be read: %s", strerror(errno));
    free(real);
    return rc;
}

/* ---- archives ------------------------------------------------------------------------- */

static bool lies_too_deep(const char *name)
{
    unsigned folders = 0;
    for (; *name; name++)
        folders += *name == '/';
    return folders >= DEPTH_MOST;
}

static int list_archive(struct tree *t, struct err *e)
{
    for (unsigned i = 0; i < t->zip.count; i++) {
        const struct zip_entry *entry = &t->zip.entry[i];
        if (!entry->refused && (entry->folder || has_left_out(entry->name)))
            continue;
        struct tree_file *f = add_file(t, e);
        if (!f)
            return -1;
        *f = (struct tree_file){
            .name = entry->name, .entry = entry, .size = entry->size,
            .wrong = entry->refused               ? entry->refused
                     : lies_too_deep(entry->name) ? too_deep
                                                  : NULL};
    }
    return 0;
}

int tree_of_archive(struct tree *t, struct buf *bytes, struct err *e)
{
    const struct zip_bounds bounds = {ARCHIVE_ENTRIES, ARCHIVE_BYTES};
    t->archive = *bytes;
    *bytes = (struct buf){0};
    int rc = zip_open(&t->zip, (struct span){buf_text(&t->archive), t->archive.len}, &bounds, e);
    if (rc == 0)
        rc = list_archive(t, e);
    names_sort(t->file, t->count, sizeof *t->file);
    return rc;
}

/* ---- reading -------------------------------------------------------------------------- */

int tree_has_more(uint64_t size, uint64_t most, struct err *e)
{
    return fail(e, "it has %llu bytes, and %llu are allowed", (unsigned long long)size,
                (unsigned long long)most);
}

static int read_path(const char *path, uint64_t most, struct buf *to, struct err *e)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, &info) != 0)
        fail(e, "it can't be read: %s", strerror(errno));
    else if (!S_ISREG(info.st_mode))
        fail(e, "it %s", wrong_kind(info.st_mode));
    else if ((uint64_t)info.st_size > most)
        tree_has_more((uint64_t)info.st_size, most, e);
    else
        switch (fd_read_all(fd, (size_t)most, to)) {
        case FD_WHOLE: close(fd); return to->failed ? fail_memory(e) : 0;
        case FD_TOO_LARGE: fail(e, "it grows while it is read"); break;
        default: fail(e, "it can't be read: %s", strerror(errno));
        }
    if (fd >= 0)
        close(fd);
    return -1;
}

int tree_read(const struct tree_file *f, uint64_t most, struct buf *to, const struct go_on *g,
              struct err *e)
{
    if (f->wrong)
        return fail(e, "it %s", f->wrong);
    if (f->path)
        return read_path(f->path, most, to, e);
    if (f->size > most)
        return tree_has_more(f->size, most, e);
    unsigned char *bytes = (unsigned char *)buf_extend(to, (size_t)f->size);
    return bytes ? zip_unpack(f->entry, bytes, g, e) : fail_memory(e);
}

void tree_close(struct tree *t)
{
    zip_close(&t->zip);
    buf_free(&t->archive);
    mem_free(&allocator_libc, t->file, t->capacity * sizeof *t->file);
    arena_free(&t->memory);
    *t = (struct tree){0};
}
