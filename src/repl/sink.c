/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing that notices when it fails. A full disk or a closed pipe must not lose output in
 * silence, so nothing goes through stdio's buffers.
 */
#include "repl/shell.h"

#include "base/fd.h"

int sink_write(struct sink *s, const char *text, size_t n)
{
    if (!s->error)
        s->error = fd_write(s->fd, text, n);
    return s->error ? -1 : 0;
}
