/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the program has seen of time, and which time that was: said once, since none of it is the
 * time of a GPU.
 */
#include "repl/run/running.h"

#include "screen/html.h"

static const struct time_seen {
    const char *name; /* in JSON */
    size_t at;        /* in struct run_time: has the program seen it? */
    const char *says;
} times_seen[] = {
    {"events_modelled", offsetof(struct run_time, told_modelled),
     "events gave modelled times of the simulated card, not measured ones"},
    {"events_of_host", offsetof(struct run_time, told_host),
     "some events had no work for the device between them, and gave the time of this computer"},
    {"clocks_of_simulator", offsetof(struct run_time, told_clock),
     "clocks in kernels counted instructions of warps, not cycles of a GPU"},
};
enum { TIMES_SEEN = sizeof times_seen / sizeof times_seen[0] };

static bool is_seen(const struct running *w, const struct time_seen *t)
{
    return *(const bool *)((const char *)&w->run.time + t->at);
}

void run_say_times(struct running *w)
{
    for (int i = 0; i < TIMES_SEEN; i++) {
        if (is_seen(w, &times_seen[i]))
            say_item(w->report, "times", "%s", times_seen[i].says);
        json_bool(&w->report->result, times_seen[i].name, is_seen(w, &times_seen[i]));
    }
}

void run_times_html(const struct running *w, struct buf *page)
{
    for (int i = 0; i < TIMES_SEEN; i++)
        if (is_seen(w, &times_seen[i]))
            html_paragraph(page, "Times: %s.", times_seen[i].says);
}
