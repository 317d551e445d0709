/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The session's limits, and its device's memory with errors in a report.
 */
#include "session/session.h"

#include "dev/device.h"

int session_goes_on(const struct session *s, const char *advice, struct report *r)
{
    const struct budget *b = &s->budget;
    progress_tell(&s->progress, PART_UNKNOWN);
    switch (budget_end(b)) {
    case BUDGET_LEFT: return 0;
    case BUDGET_STOPPED: return report_fail(r, "stopped");
    case BUDGET_SESSION_TIME:
        return report_fault(r, "timeout", "the session has used its %g s", b->session_s);
    case BUDGET_COMMAND_TIME: break;
    }
    return report_fault(r, "timeout", "this took longer than the time limit of %g s; %s",
                        b->command_s, advice);
}

int session_fetch(struct session *s, void *to, uint64_t address, size_t bytes, struct report *r)
{
    struct err e = {0};
    return s->device->ops->read(s->device, to, address, bytes, &e) == 0 ? 0
                                                                        : report_fail_err(r, &e);
}

int session_store(struct session *s, uint64_t address, const void *from, size_t bytes,
                  struct report *r)
{
    struct err e = {0};
    return s->device->ops->write(s->device, address, from, bytes, &e) == 0 ? 0
                                                                           : report_fail_err(r, &e);
}
