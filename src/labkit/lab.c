/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every lab does with its table of variants, the options they share and the explanation.
 * The labs themselves are in src/labs.
 */
#include "labkit/lab.h"
#include "os/bug.h"
#include "text/explain.h"

#include <string.h>

void lab_extras(const struct session *s, const struct lab_options *o,
                const struct launch_result *result, struct report *r)
{
    if (o->trace)
        say_trace(r, result, 0);
    say_time(r, result);
    if (result->has_counters && (o->counters || s->settings.counters))
        say_counters(r, &result->counters);
}

void lab_explain(struct report *r, const char *file, const char *which, const struct fact *facts,
                 const void *found)
{
    struct slots s = {0};
    if (facts)
        slots_facts(&s, facts, found);
    lab_explain_slots(r, file, which, &s);
}

void lab_explain_slots(struct report *r, const char *file, const char *which, struct slots *s)
{
    if (explain_why(r, file, which, s) || explain_try(r, file, which, s))
        bug("help/%s.txt lacks why or try for %s", file, which);
    slots_free(s);
}

void lab_expected(struct report *r, const char *kind)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < r->fault_count; i++)
        if (strcmp(r->faults[i].kind, kind) != 0)
            r->faults[kept++] = r->faults[i];
    r->fault_count = kept;
    if (r->status == REPORT_FAULT && kept == 0)
        r->status = REPORT_OK;
}
