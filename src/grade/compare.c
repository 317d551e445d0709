/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Both runs are in the order of students. So the changes come out in that order, too.
 */
#include "grade/compare.h"

#include <stdlib.h>
#include <string.h>

static bool same_student(const struct marked *a, const struct marked *b)
{
    if (*a->id && *b->id)
        return strcmp(a->id, b->id) == 0;
    return strcmp(a->student, b->student) == 0;
}

static const struct marked *find_same(const struct marks *m, const struct marked *h)
{
    for (unsigned i = 0; i < m->count; i++)
        if (same_student(m->of[i], h))
            return m->of[i];
    return NULL;
}

bool mark_change_at(const struct mark_changes *c, const struct mark_change *change, unsigned test,
                    const struct test_mark **before, const struct test_mark **now)
{
    const struct mark_test *new_test = &c->now->test[test];
    const int old = marks_test_named(c->before, new_test->name);
    const struct test_mark *a = old < 0 || !change->before ? NULL : &change->before->mark[old];
    const struct test_mark *b = change->now ? &change->now->mark[test] : NULL;
    *before = a;
    *now = b;
    if (!a || !b)
        return a != b;
    return mark_outcome(&c->before->test[old], a) != mark_outcome(new_test, b) ||
           mark_known(a) != mark_known(b) || mark_points(a) != mark_points(b);
}

static unsigned count_changes(const struct mark_changes *c, const struct mark_change *change)
{
    const struct test_mark *before, *now;
    unsigned count = 0;
    for (unsigned i = 0; i < c->now->test_count; i++)
        count += mark_change_at(c, change, i, &before, &now);
    return count;
}

static bool changed(const struct mark_changes *c, struct mark_change *change)
{
    change->tests = count_changes(c, change);
    return !change->before || !change->now || change->tests ||
           marked_points(c->before, change->before) != marked_points(c->now, change->now);
}

static int by_student(const void *a, const void *b)
{
    const struct mark_change *one = a, *other = b;
    const struct marked *x = one->now ? one->now : one->before;
    const struct marked *y = other->now ? other->now : other->before;
    const int order = strcmp(x->student, y->student);
    return order ? order : strcmp(x->id, y->id);
}

int marks_compare(const struct marks *before, const struct marks *now, struct mark_changes *c,
                  struct err *e)
{
    const size_t most = (size_t)before->count + now->count + 1;
    *c = (struct mark_changes){before, now, calloc(most, sizeof *c->change), 0};
    if (!c->change)
        return fail_memory(e);
    for (unsigned i = 0; i < now->count; i++) {
        struct mark_change *change = &c->change[c->count];
        *change = (struct mark_change){find_same(before, now->of[i]), now->of[i], 0};
        c->count += changed(c, change);
    }
    for (unsigned i = 0; i < before->count; i++)
        if (!find_same(now, before->of[i]))
            c->change[c->count++] = (struct mark_change){before->of[i], NULL, 0};
    qsort(c->change, c->count, sizeof *c->change, by_student);
    return 0;
}

void mark_changes_free(struct mark_changes *c)
{
    free(c->change);
    *c = (struct mark_changes){0};
}
