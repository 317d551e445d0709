/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a descriptor doesn't block, this waits until it takes more.
 */
#include "os/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int never(void)
{
    return 0;
}

ssize_t fd_read(int fd, void *to, size_t n)
{
    size_t done = 0;
    ssize_t k = 1;
    while (done < n && k != 0) {
        k = read(fd, (char *)to + done, n - done);
        if (k < 0 && errno != EINTR)
            return -1;
        done += k > 0 ? (size_t)k : 0;
    }
    return (ssize_t)done;
}

int fd_write(int fd, const void *bytes, size_t n)
{
    return fd_write_until(fd, bytes, n, never);
}

int fd_write_until(int fd, const void *bytes, size_t n, int (*ended)(void))
{
    const char *at = bytes;
    while (n) {
        ssize_t k = write(fd, at, n);
        if (k > 0) {
            at += k;
            n -= (size_t)k;
        } else if (k < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd wait = {.fd = fd, .events = POLLOUT};
            if (poll(&wait, 1, -1) < 0 && ended())
                return EINTR;
        } else if (k == 0 || errno != EINTR || ended()) {
            return k == 0 ? EIO : errno;
        }
    }
    return 0;
}

static bool is_larger(int fd, size_t most)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (uintmax_t)info.st_size > most;
}

enum fd_all fd_read_all(int fd, size_t most, struct buf *text)
{
    char bytes[1 << 12];
    ssize_t n = 1;
    if (is_larger(fd, most))
        return FD_TOO_LARGE;
    while (n > 0 && text->len <= most && !text->failed)
        if ((n = fd_read(fd, bytes, sizeof bytes)) > 0)
            buf_add(text, bytes, (size_t)n);
    return n < 0 ? FD_UNREADABLE : text->len > most ? FD_TOO_LARGE : FD_WHOLE;
}

int fd_make_file(const char *folder, const char *name, const void *bytes, size_t n)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return -1;
        *slash = '/';
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    int why = fd_write(fd, bytes, n);
    if (close(fd) != 0 && !why)
        why = errno;
    errno = why;
    return why ? -1 : 0;
}
