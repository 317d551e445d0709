/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole messages over a socket, whatever pieces they come in.
 */
#include "dev/gpu/wire.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

/* Where somebody waits with a limit, no call may block. */
static int flags_of(const struct gpu_wait *w)
{
    return MSG_NOSIGNAL | (w ? MSG_DONTWAIT : 0);
}

static bool again(void)
{
    return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
}

static int send_all(int fd, const void *from, size_t bytes, const struct gpu_wait *w)
{
    const char *at = from;
    while (bytes) {
        if (w && w->ready(w->self, POLLOUT) != 0)
            return -1;
        ssize_t n = send(fd, at, bytes, flags_of(w));
        if (n < 0 && again())
            continue;
        if (n < 0)
            return -1;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

int gpu_send(int fd, const struct gpu_message *m, const void *payload, const struct gpu_wait *w)
{
    int rc = send_all(fd, m, sizeof *m, w);
    return rc == 0 ? send_all(fd, payload, m->payload, w) : -1;
}

int gpu_receive(int fd, void *to, size_t bytes, const struct gpu_wait *w)
{
    char *at = to;
    while (bytes) {
        if (w && w->ready(w->self, POLLIN) != 0)
            return -1;
        ssize_t n = recv(fd, at, bytes, flags_of(w));
        if (n < 0 && again())
            continue;
        if (n <= 0)
            return -1;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}
