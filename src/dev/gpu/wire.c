/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A message is sent and received whole, whatever pieces the socket cuts it into.
 */
#include "dev/gpu/wire.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

/* Sends all bytes, or fills them with what comes. Where somebody waits with a limit, no call
 * blocks. */
static int transfer(int fd, char *at, size_t bytes, bool sends, const struct gpu_wait *w)
{
    const int flags = MSG_NOSIGNAL | (w ? MSG_DONTWAIT : 0);
    while (bytes) {
        if (w && w->ready(w->self, sends ? POLLOUT : POLLIN) != 0)
            return -1;
        ssize_t n = sends ? send(fd, at, bytes, flags) : recv(fd, at, bytes, flags);
        if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
            continue;
        if (n < 0 || (n == 0 && !sends))
            return -1;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

int gpu_send(int fd, const struct gpu_message *m, const void *payload, const struct gpu_wait *w)
{
    if (transfer(fd, (char *)(uintptr_t)m, sizeof *m, true, w) != 0)
        return -1;
    return transfer(fd, (char *)(uintptr_t)payload, m->payload, true, w);
}

int gpu_receive(int fd, void *to, size_t bytes, const struct gpu_wait *w)
{
    return transfer(fd, to, bytes, false, w);
}
