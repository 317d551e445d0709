/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of sessions, and walking it. A place is kept by names, not by numbers: labs that are
 * added later leave a student where he or she stopped.
 */
#include "text/course.h"

#include <stdio.h>
#include <string.h>

#define LABS(...) (const char *const[]){__VA_ARGS__, NULL}

const struct course_session course_sessions[COURSE_SESSIONS] = {
    {"reading", "Reading and the machine",
     LABS("devquery", "code", "ptx", "sass", "fatbin", "occupancy", "waves", "memory", "latency",
          "throughput")},
    {"kernels", "First kernels",
     LABS("hello", "grid", "return", "vecadd", "shared", "atomics", "errors", "timing",
          "relaunch")},
    {"sums", "Sums", LABS("trap", "sumtree", "shfl-trace", "sum", "dot", "barrier")},
    {"memory", "Memory",
     LABS("banks", "coalesce", "memspeed", "normcdf", "hostmem", "streams", "stencil")},
    {"matrices", "Matrices, grids, sorting, chance",
     LABS("matadd", "matmul", "laplace", "heat", "ldlt", "oddeven", "pi")},
    {"hardware", "How the hardware runs it",
     LABS("diverge", "amdahl", "gustafson", "scale", "quiz")},
};

static const char task[] = "task";

/* ---- what there is ---------------------------------------------------------------------- */

static const struct command *named(const char *name, const struct command *const *all)
{
    for (; *all; all++)
        if (strcmp((*all)->name, name) == 0)
            return *all;
    return NULL;
}

const struct command *course_lab(const struct course_session *s, unsigned k,
                                 const struct command *const *all)
{
    for (const char *const *lab = s->labs; *lab; lab++) {
        const struct command *c = named(*lab, all);
        if (c && k-- == 0)
            return c;
    }
    return NULL;
}

unsigned course_labs(const struct course_session *s, const struct command *const *all)
{
    unsigned n = 0;
    while (course_lab(s, n, all))
        n++;
    return n;
}

/* ---- walking ---------------------------------------------------------------------------- */

/* Which of its session's labs it is; the task is behind the last one. */
static unsigned step_of(const struct course_place *p, const struct command *const *all)
{
    const struct course_session *s = &course_sessions[p->session];
    unsigned k = 0;
    const struct command *c;
    while ((c = course_lab(s, k, all)) && !(p->lab && strcmp(c->name, p->lab) == 0))
        k++;
    return k;
}

static void stand_at(struct course_place *p, int session, unsigned step,
                     const struct command *const *all)
{
    const struct command *c = course_lab(&course_sessions[session], step, all);
    *p = (struct course_place){session, c ? c->name : NULL};
}

bool course_begin(struct course_place *p, int session, const struct command *const *all)
{
    if (!course_lab(&course_sessions[session], 0, all))
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
        if (course_lab(&course_sessions[i], 0, all)) {
            *p = (struct course_place){i, NULL};
            return true;
        }
    return false;
}

/* ---- as text ---------------------------------------------------------------------------- */

void course_write(const struct course_place *p, char out[80])
{
    snprintf(out, 80, "%s %s\n", course_sessions[p->session].name, p->lab ? p->lab : task);
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
        if (strcmp(course_sessions[i].name, session) != 0 || !course_begin(p, i, all))
            continue;
        const struct command *c;
        for (unsigned step = 0; (c = course_lab(&course_sessions[i], step, all)); step++)
            if (strcmp(c->name, lab) == 0)
                p->lab = c->name;
        if (strcmp(lab, task) == 0)
            p->lab = NULL;
        return true;
    }
    return false;
}
