/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replacing is mkstemp() in the same folder, and then rename().
 */
#include "os/file.h"

#include "base/lines.h"
#include "os/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h> /* mkstemp */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot(const char *verb, const char *path, int why, struct err *e)
{
    return fail(e, "cannot %s `%.300s`: %s", verb, path, strerror(why));
}

int file_read(const char *path, size_t most, struct buf *text, struct err *e)
{
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* no wait for a pipe's writer */
    if (fd < 0)
        return cannot("read", path, errno, e);
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(fd);
        return fail(e, "cannot read `%.300s`: it is not a regular file", path);
    }
    const enum fd_all end = fd_read_all(fd, most, text);
    const int why = errno;
    close(fd);
    if (end == FD_UNREADABLE)
        return cannot("read", path, why, e);
    if (end == FD_TOO_LARGE)
        return fail(e, "`%.300s` has more than %zu MiB; that is too much", path, most >> 20);
    return text->failed ? fail_memory(e) : 0;
}

static mode_t usual_mode(void)
{
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int open_beside(struct file_new *f, const char *path, mode_t mode)
{
    buf_printf(&f->beside, "%s.XXXXXX", path);
    if (f->beside.failed) {
        errno = ENOMEM;
        return -1;
    }
    const int fd = mkstemp(f->beside.data);
    if (fd >= 0 && fchmod(fd, mode) != 0 && fchmod(fd, 0600) != 0) {
        close(fd);
        unlink(f->beside.data);
        return -1;
    }
    return fd;
}

/* With O_NONBLOCK, a pipe that nobody reads is refused at once. */
static int open_device(const char *path)
{
    const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0)
        fcntl(fd, F_SETFL, O_APPEND);
    return fd;
}

int file_new_begin(struct file_new *f, const char *path, struct err *e)
{
    struct stat info;
    const bool exists = lstat(path, &info) == 0, plain = exists && S_ISREG(info.st_mode);
    *f = (struct file_new){.fd = -1};
    if (exists && S_ISDIR(info.st_mode))
        errno = EISDIR;
    else if (exists && !plain && (!S_ISLNK(info.st_mode) || begins_with(path, "/dev/")))
        f->fd = open_device(path); /* /dev/stdout is a link */
    else
        f->fd = open_beside(f, path, plain ? info.st_mode & 0777 : usual_mode());
    if (f->fd >= 0)
        return 0;
    cannot("write", path, errno, e);
    buf_free(&f->beside);
    return -1;
}

int file_new_end(struct file_new *f, const char *path, int wrong, struct err *e)
{
    if (close(f->fd) != 0 && !wrong)
        wrong = errno;
    if (f->beside.len && !wrong && rename(f->beside.data, path) != 0)
        wrong = errno;
    if (f->beside.len && wrong)
        unlink(f->beside.data);
    buf_free(&f->beside);
    return wrong ? cannot("write", path, wrong, e) : 0;
}

int file_replace(const char *path, const char *bytes, size_t n, struct err *e)
{
    struct file_new f;
    if (file_new_begin(&f, path, e) != 0)
        return -1;
    return file_new_end(&f, path, fd_write(f.fd, bytes, n), e);
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

void file_remove_folder(const char *path)
{
    empty_folder(AT_FDCWD, path);
    rmdir(path);
}
