/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading schedules; see schedule.h.
 */
#include "labkit/ladder/schedule.h"

#include "base/near.h"
#include "base/num.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *const schedule_names[] = {"lockstep", "independent", "random", NULL};

static const char *name_of(const char *text, size_t n)
{
    for (int i = 0; schedule_names[i]; i++)
        if (strlen(schedule_names[i]) == n && strncmp(schedule_names[i], text, n) == 0)
            return schedule_names[i];
    return NULL;
}

static int unknown(const char *text, struct err *e)
{
    const char *near = near_list(text, schedule_names);
    if (near)
        return fail(e, "there is no schedule `%.60s`: did you mean %s?", text, near);
    return fail(e, "there is no schedule `%.60s`: write lockstep, independent, random, random:7 "
                   "with a seed, or random:1..20 for several seeds", text);
}

/* "7" or "1..20" */
static int read_seeds(const char *text, struct schedule_range *r, struct err *e)
{
    char first[32];
    struct err why;
    uint64_t last;
    const char *dots = strstr(text, "..");
    size_t n = dots ? (size_t)(dots - text) : strlen(text);
    if (n >= sizeof first)
        return fail(e, "schedule takes a number as its seed, as in random:7");
    snprintf(first, sizeof first, "%.*s", (int)n, text);
    if (num_uint(first, 0, INT64_MAX, &r->first, &why) != 0)
        return fail(e, "schedule takes random:SEED, as in random:7, or a range of seeds, as in "
                       "random:1..20; %s", why.text);
    last = r->first;
    if (dots && num_uint(dots + 2, 0, INT64_MAX, &last, &why) != 0)
        return fail(e, "schedule takes a range of seeds as in random:1..20; %s", why.text);
    if (last < r->first)
        return fail(e, "the range of seeds must go up, as in random:1..20");
    if (last - r->first >= SCHEDULE_RUNS)
        return fail(e, "schedule takes at most %d seeds in a range", SCHEDULE_RUNS);
    r->runs = last - r->first + 1;
    r->seeded = true;
    return 0;
}

int schedule_read(const char *text, struct schedule_range *r, struct err *e)
{
    size_t n = strcspn(text, ":");
    *r = (struct schedule_range){.name = name_of(text, n), .runs = 1};
    if (!r->name)
        return unknown(text, e);
    if (!text[n])
        return 0;
    if (strcmp(r->name, "lockstep") == 0)
        return fail(e, "the schedule lockstep has no seed, because it is always the same; write "
                       "random:7 or independent:7");
    return read_seeds(text + n + 1, r, e);
}
