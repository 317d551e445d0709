/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing that notices when it fails. A full disk or a closed pipe must not lose output in
 * silence, so nothing goes through stdio's buffers.
 */
#include "repl/shell.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

int sink_write(struct sink *s, const char *text, size_t n)
{
    while (n && !s->error) {
        ssize_t k = write(s->fd, text, n);
        if (k > 0) {
            text += k;
            n -= (size_t)k;
        } else if (k < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd wait = {.fd = s->fd, .events = POLLOUT};
            poll(&wait, 1, -1);
        } else if (k == 0 || errno != EINTR) {
            s->error = k == 0 ? EIO : errno;
        }
    }
    return s->error ? -1 : 0;
}
