/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The session knows that launches are kept, so that nobody else begins to keep them. The device
 * does the rest.
 */
#include "labkit/times.h"

#include "labkit/run.h"

bool session_keeps_launches(const struct session *s)
{
    return s->sequence != 0;
}

bool session_begins_to_keep(struct session *s, const struct report *r)
{
    if (!s->device->ops->time || !r->volatile_on || s->runs < 2 || session_keeps_launches(s))
        return false;
    session_keep_launches(s, 1);
    return true;
}

int session_sample_launches(struct session *s, struct sample *out, struct report *r)
{
    const struct timing_want want = {.sequences = 1,
                                     .least = s->runs_may_be_fewer ? 2 : s->runs,
                                     .most = s->runs,
                                     .seconds = 0.2,
                                     .warm_up = 0.02};
    struct timing timing;
    if (session_time_launches(s, &want, &timing, r))
        return -1;
    sample_of(timing.seconds[0], timing.facts.runs, TIMES_CONFIDENCE, out);
    timing_free(&timing);
    return 0;
}

void session_keep_launches(struct session *s, unsigned sequence)
{
    s->sequence = sequence;
    s->kept_launches = 0;
    if (s->device->ops->keep_launches)
        s->device->ops->keep_launches(s->device, sequence);
}

int session_time_launches(struct session *s, const struct timing_want *want, struct timing *out,
                          struct report *r)
{
    struct err e = {0};
    struct launch_how how = session_how(s, NULL, 0, false);
    how.time_spent = budget_spent(&s->budget);
    *out = (struct timing){.memory = {.from = NULL}};
    return s->device->ops->time(s->device, want, &how, out, &e) == 0 ? 0 : report_fail_err(r, &e);
}

void session_forget_launches(struct session *s)
{
    session_keep_launches(s, 0);
}

void times_to_result(const struct sample *of, struct launch_result *to)
{
    to->has_time = true;
    to->runs = of->count;
    to->measured_s = of->median;
    to->min_s = of->least;
    to->mean_s = of->mean;
}
