/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of sessions, and walking it. A place is kept by names, not by numbers: labs that are
 * added later leave a student where he or she stopped.
 */
#include "repl/course.h"

#include <stdio.h>
#include <string.h>

/* The lines of src/labs/LIST: a session with its title, or a lab of the session above it. */
static const struct { const char *session, *title, *lab; } lines[] = {
#define SESSION(name, title) {#name, title, NULL},
#define LAB(id, name) {NULL, NULL, name},
#define STEP(name) {NULL, NULL, name},
#include "labs/list.h"
#undef SESSION
#undef LAB
#undef STEP
};
enum { LINES = sizeof lines / sizeof lines[0] };

static const char task[] = "task";

/* ---- what there is ---------------------------------------------------------------------- */

static int line_of(int session)
{
    int i = 0;
    while (!lines[i].session || session-- > 0)
        i++;
    return i;
}

const char *course_session(int session)
{
    return lines[line_of(session)].session;
}

const char *course_title(int session)
{
    return lines[line_of(session)].title;
}

static const struct command *named(const char *name, const struct command *const *all)
{
    while (*all && strcmp((*all)->name, name) != 0)
        all++;
    return *all;
}

const struct command *course_lab(int session, unsigned k, const struct command *const *all)
{
    for (int i = line_of(session) + 1; i < LINES && lines[i].lab; i++)
        if (k-- == 0)
            return named(lines[i].lab, all);
    return NULL;
}

unsigned course_labs(int session, const struct command *const *all)
{
    unsigned n = 0;
    while (course_lab(session, n, all))
        n++;
    return n;
}

/* ---- walking ---------------------------------------------------------------------------- */

/* Which of its session's labs it is; the task is behind the last one. */
static unsigned step_of(const struct course_place *p, const struct command *const *all)
{
    unsigned k = 0;
    const struct command *c;
    while ((c = course_lab(p->session, k, all)) && !(p->lab && strcmp(c->name, p->lab) == 0))
        k++;
    return k;
}

static void stand_at(struct course_place *p, int session, unsigned step,
                     const struct command *const *all)
{
    const struct command *c = course_lab(session, step, all);
    *p = (struct course_place){session, c ? c->name : NULL};
}

bool course_begin(struct course_place *p, int session, const struct command *const *all)
{
    if (!course_lab(session, 0, all))
        return false;
    stand_at(p, session, 0, all);
    return true;
}

bool course_forward(struct course_place *p, const struct command *const *all)
{
    if (p->session >= 0 && p->lab) {
        stand_at(p, p->session, step_of(p, all) + 1, all);
        return true;
    }
    for (int i = p->session + 1; i < COURSE_SESSIONS; i++)
        if (course_begin(p, i, all))
            return true;
    return false;
}

bool course_back(struct course_place *p, const struct command *const *all)
{
    if (p->session < 0)
        return false;
    unsigned step = step_of(p, all);
    if (step > 0) {
        stand_at(p, p->session, step - 1, all);
        return true;
    }
    for (int i = p->session; i-- > 0;)
        if (course_lab(i, 0, all)) {
            *p = (struct course_place){i, NULL};
            return true;
        }
    return false;
}

/* ---- as text ---------------------------------------------------------------------------- */

void course_write(const struct course_place *p, char out[80])
{
    snprintf(out, 80, "%s %s\n", course_session(p->session), p->lab ? p->lab : task);
}

bool course_read(const char *text, struct course_place *p, const struct command *const *all)
{
    char session[COURSE_NAME], lab[COURSE_NAME];
    size_t n = strcspn(text, " "), k = text[n] ? strcspn(text + n + 1, "\n") : 0;
    if (n == 0 || n >= sizeof session || k == 0 || k >= sizeof lab)
        return false;
    snprintf(session, sizeof session, "%.*s", (int)n, text);
    snprintf(lab, sizeof lab, "%.*s", (int)k, text + n + 1);
    for (int i = 0; i < COURSE_SESSIONS; i++) {
        if (strcmp(course_session(i), session) != 0 || !course_begin(p, i, all))
            continue;
        const struct command *c;
        for (unsigned step = 0; (c = course_lab(i, step, all)); step++)
            if (strcmp(c->name, lab) == 0)
                p->lab = c->name;
        if (strcmp(lab, task) == 0)
            p->lab = NULL;
        return true;
    }
    return false;
}
