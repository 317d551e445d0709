/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file sends the replies of the process that works with the GPU.
 */
#include "dev/gpu/process-parts.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

int process_refuse(struct process *p, int status, const char *fmt, ...)
{
    char text[300];
    driver_describe(&p->d, status, text, sizeof text);
    int n;
    WITH_ARGS(fmt, n = vsnprintf(p->say, sizeof p->say, fmt, args));
    if (n >= 0 && (size_t)n < sizeof p->say)
        snprintf(p->say + n, sizeof p->say - (size_t)n, ": %s", text);
    return status;
}

void *process_reply(struct process *p, size_t bytes)
{
    p->reply = mem_alloc(&allocator_libc, bytes);
    p->reply_bytes = p->reply ? bytes : 0;
    return p->reply;
}

int process_answer(struct process *p, struct gpu_message *m, int status)
{
    m->status = status;
    m->payload = status ? strlen(p->say) : p->reply_bytes;
    int rc = gpu_send(p->fd, m, status ? p->say : p->reply, NULL);
    mem_free(&allocator_libc, p->reply, p->reply_bytes);
    p->reply = NULL;
    p->reply_bytes = 0;
    return rc;
}
