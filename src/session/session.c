/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The session's limits, and its device's memory with errors in a report.
 */
#include "session/session.h"

#include "base/parts.h"
#include "dev/device.h"

/* -1: the work has to end, and the report says why. */
static int tell_end(const struct session *s, const char *advice, struct report *r)
{
    const struct budget *b = &s->budget;
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

int session_goes_on(const struct session *s, const char *advice, struct report *r)
{
    progress_tell(&s->progress, PART_UNKNOWN);
    return tell_end(s, advice, r);
}

struct asked_budget { const struct budget *budget; bool ended; };

static int ask_budget(void *self, struct err *e)
{
    struct asked_budget *a = self;
    a->ended = budget_end(a->budget) != BUDGET_LEFT;
    return a->ended ? fail(e, "stopped") : 0;
}

int session_do_parts(const struct session *s, const struct parts *given, const char *advice,
                     struct report *r)
{
    struct asked_budget asked = {.budget = &s->budget};
    const struct go_on ask = {ask_budget, &asked};
    struct parts p = *given;
    struct err e = {0};
    p.go_on = &ask;
    p.progress = &s->progress;
    if (s->settings.threads && (!p.threads || p.threads > (unsigned)s->settings.threads))
        p.threads = (unsigned)s->settings.threads;
    int failed = parts_do(&p, &e);
    if (asked.ended)
        return tell_end(s, advice, r);
    return failed ? report_fail_err(r, &e) : 0;
}

/* So many bytes are copied between two looks at the limits. */
enum { COPIED_AT_ONCE = 32 << 20 };

/* -1: the report says why no more bytes are copied. */
static int copy_goes_on(const struct session *s, uint64_t done, uint64_t bytes, struct report *r)
{
    if (done == 0)
        return 0;
    progress_tell(&s->progress, (double)done / (double)bytes);
    return tell_end(s, "take smaller arrays", r);
}

int session_fetch(struct session *s, void *to, uint64_t address, uint64_t bytes, struct report *r)
{
    struct device *d = s->device;
    struct err e = {0};
    uint64_t done = 0, n;
    do {
        n = bytes - done < COPIED_AT_ONCE ? bytes - done : COPIED_AT_ONCE;
        if (copy_goes_on(s, done, bytes, r) != 0)
            return -1;
        if (d->ops->read(d, (char *)to + done, address + done, n, &e) != 0)
            return report_fail_err(r, &e);
    } while ((done += n) < bytes);
    return 0;
}

int session_store(struct session *s, uint64_t address, const void *from, uint64_t bytes,
                  struct report *r)
{
    struct device *d = s->device;
    struct err e = {0};
    uint64_t done = 0, n;
    do {
        n = bytes - done < COPIED_AT_ONCE ? bytes - done : COPIED_AT_ONCE;
        if (copy_goes_on(s, done, bytes, r) != 0)
            return -1;
        if (d->ops->write(d, address + done, (const char *)from + done, n, &e) != 0)
            return report_fail_err(r, &e);
    } while ((done += n) < bytes);
    return 0;
}
