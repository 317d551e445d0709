/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole messages over a socket, whatever pieces they come in.
 */
#include "dev/gpu-wire.h"

#include <errno.h>
#include <sys/socket.h>

static int send_all(int fd, const void *from, size_t bytes)
{
    const char *at = from;
    while (bytes) {
        ssize_t n = send(fd, at, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

int gpu_send(int fd, const struct gpu_message *m, const void *payload)
{
    return send_all(fd, m, sizeof *m) == 0 && send_all(fd, payload, m->payload) == 0 ? 0 : -1;
}

int gpu_receive(int fd, void *to, size_t bytes)
{
    char *at = to;
    while (bytes) {
        ssize_t n = recv(fd, at, bytes, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}
