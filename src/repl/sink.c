/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing that notices when it fails. A full disk or a closed pipe must not lose output in
 * silence, so nothing goes through stdio's buffers. What commands say goes through shell_put():
 * it counts the bytes, and shows what others wrote so that it steers no terminal.
 */
#include "repl/shell.h"

#include "os/fd.h"
#include "base/visible.h"
#include "repl/interrupt.h"

int sink_write(struct sink *s, const char *text, size_t n)
{
    if (!s->error)
        s->error = fd_write_until(s->fd, text, n, interrupt_ending);
    return s->error ? -1 : 0;
}

int shell_put(struct shell *sh, struct sink *to, const char *text, size_t n, bool painted)
{
    const unsigned keeps = VISIBLE_LINES | (painted ? VISIBLE_COLOURS : 0);
    struct buf clean = {0};
    if (visible_plain(text, n, keeps) < n) {
        visible_add(&clean, text, n, keeps);
        text = buf_text(&clean);
        n = clean.len;
    }
    sh->session.budget.written += n;
    int rc = sink_write(to, text, n);
    buf_free(&clean);
    return rc;
}

struct sink *shell_out(struct shell *sh)
{
    return sh->file.fd >= 0 ? &sh->file : &sh->out;
}
