/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks lie in one arena. A hand-in never moves, so a caller may keep its address while others are
 * added. Each text is cleaned once, when it enters.
 */
#include "grade/marks.h"

#include "base/near.h"
#include "base/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const mark_state_names[MARK_STATES + 1] = {"ungraded", "passed", "failed", "skipped"};
const char *const mark_cause_names[MARK_CAUSES + 1] = {"",        "check", "script",
                                                       "compile", "fault", "limit"};

int mark_named(const char *const *names, struct span name)
{
    for (int i = 0; names[i]; i++)
        if (same_text(name, names[i]))
            return i;
    return -1;
}

/* ---- texts ------------------------------------------------------------------------------- */

/* How many of the first n bytes are whole characters, if all of the text is UTF-8. */
static size_t whole_characters(const char *text, size_t n)
{
    while (n && ((unsigned char)text[n] & 0xC0) == 0x80)
        n--;
    return n;
}

/* Lines end in \n alone, so a line of a text can't be hidden behind another one. */
static const char *keep_text(struct marks *m, const char *text, unsigned keeps, size_t most)
{
    static const char cut[] = "\n(The rest is left out.)";
    struct buf clean = {0};
    const size_t length = strlen(text);
    visible_add(&clean, text, length < 2 * most ? length : 2 * most, keeps);
    const bool too_long = clean.len > most;
    const size_t n = too_long ? whole_characters(clean.data, most - sizeof cut) : clean.len;
    char *copy = clean.failed ? NULL : arena_take(&m->memory, n + sizeof cut);
    if (copy) {
        memcpy(copy, buf_text(&clean), n);
        memcpy(copy + n, too_long ? cut : "", too_long ? sizeof cut : 1);
    }
    buf_free(&clean);
    return copy;
}

const char *marks_text(struct marks *m, const char *text)
{
    return keep_text(m, text, VISIBLE_LINES, MARK_TEXT_MOST);
}

/* A name is never cut: two that are different stay so. */
static const char *keep_name(struct marks *m, const char *text, const char *what, struct err *e)
{
    const char *name = keep_text(m, text, 0, 2 * MARK_NAME_MOST);
    if (!name)
        fail_memory(e);
    else if (strlen(name) > MARK_NAME_MOST) {
        fail(e, "the name of %s is longer than %d bytes: `%.60s...`", what, MARK_NAME_MOST, name);
        return NULL;
    }
    return name;
}

/* ---- making them ------------------------------------------------------------------------- */

int marks_begin(struct marks *m, const char *exercise, struct err *e)
{
    *m = (struct marks){0};
    m->exercise = keep_name(m, exercise, "the exercise", e);
    return m->exercise ? 0 : -1;
}

void marks_free(struct marks *m)
{
    mem_free(&allocator_libc, m->test, m->test_room * sizeof *m->test);
    mem_free(&allocator_libc, m->of, m->room * sizeof(*m->of));
    arena_free(&m->memory);
    *m = (struct marks){0};
}

static int check_points(int64_t points, int64_t most, struct err *e)
{
    char text[POINTS_TEXT];
    if (points >= 0 && points <= most)
        return 0;
    return fail(e, "points must be from 0 to %s", points_text(most, text));
}

int marks_test(struct marks *m, const char *name, int64_t points, bool hidden, int needs,
               struct err *e)
{
    void *grown = m->test;
    const char *kept = keep_name(m, name, "a test", e);
    if (!kept || check_points(points, POINTS_MOST, e) != 0)
        return -1;
    if (!*kept)
        return fail(e, "a test needs a name");
    if (marks_test_named(m, kept) >= 0)
        return fail(e, "two tests have the name `%.200s`; each needs its own", kept);
    if (m->count || m->test_count == MARK_TESTS_MOST || needs < -1 || needs >= (int)m->test_count)
        return fail(e, "an exercise has at most %d tests, and a test needs only earlier ones",
                    MARK_TESTS_MOST);
    if (mem_grow(&allocator_libc, &grown, &m->test_room, m->test_count, sizeof *m->test) != 0)
        return fail_memory(e);
    m->test = grown;
    m->test[m->test_count++] = (struct mark_test){kept, points, hidden, needs};
    return 0;
}

static struct marked *new_marked(struct marks *m, struct err *e)
{
    void *grown = m->of;
    struct marked *h = arena_alloc(&m->memory, sizeof *h);
    struct test_mark *mark = arena_alloc(&m->memory, m->test_count * sizeof *mark);
    if (!h || !mark || mem_grow(&allocator_libc, &grown, &m->room, m->count, sizeof(*m->of)) != 0) {
        fail_memory(e);
        return NULL;
    }
    m->of = grown;
    h->mark = mark;
    h->feedback = h->note = "";
    for (unsigned i = 0; i < m->test_count; i++)
        mark[i].feedback = mark[i].note = "";
    return h;
}

struct marked *marks_add(struct marks *m, const char *student, const char *id, struct err *e)
{
    struct marked *h = NULL;
    if (m->count == MARKED_MOST)
        fail(e, "there are more than %d hand-ins", MARKED_MOST);
    else
        h = new_marked(m, e);
    if (!h || !(h->student = keep_name(m, student, "a student", e)) ||
        !(h->id = keep_name(m, id ? id : "", "a student's id", e)))
        return NULL;
    if (!*h->student) {
        fail(e, "a hand-in needs the name of its student");
        return NULL;
    }
    m->of[m->count++] = h;
    return h;
}

/* Puts copies of both texts in place. NULL: the text is empty. */
static int keep_words(struct marks *m, const char **feedback, const char **note,
                      const char *new_feedback, const char *new_note, struct err *e)
{
    const char *first = marks_text(m, new_feedback ? new_feedback : "");
    const char *second = marks_text(m, new_note ? new_note : "");
    if (!first || !second)
        return fail_memory(e);
    *feedback = first;
    *note = second;
    return 0;
}

int mark_set(struct marks *m, struct marked *h, unsigned test, enum mark_state state,
             enum mark_cause cause, const char *feedback, const char *note, struct err *e)
{
    struct test_mark *mark = &h->mark[test];
    if (keep_words(m, &mark->feedback, &mark->note, feedback, note, e) != 0)
        return -1;
    mark->state = state;
    mark->cause = state == MARK_PASSED || state == MARK_UNGRADED ? MARK_NO_CAUSE : cause;
    mark->points = state == MARK_PASSED ? m->test[test].points : 0;
    return 0;
}

int marked_say(struct marks *m, struct marked *h, enum mark_cause cause, const char *feedback,
               const char *note, struct err *e)
{
    if (keep_words(m, &h->feedback, &h->note, feedback, note, e) != 0)
        return -1;
    h->cause = cause;
    return 0;
}

static int by_student(const void *a, const void *b)
{
    const struct marked *one = *(struct marked *const *)a, *other = *(struct marked *const *)b;
    const int order = strcmp(one->student, other->student);
    return order ? order : strcmp(one->id, other->id);
}

int marks_sort(struct marks *m, struct err *e)
{
    if (m->count)
        qsort(m->of, m->count, sizeof(*m->of), by_student);
    for (unsigned i = 1; i < m->count; i++)
        if (by_student(&m->of[i - 1], &m->of[i]) == 0)
            return fail(e, "there are two hand-ins of `%.200s` with the same id",
                        m->of[i]->student);
    return 0;
}

/* ---- asking them ------------------------------------------------------------------------- */

int marks_test_named(const struct marks *m, const char *name)
{
    for (unsigned i = 0; i < m->test_count; i++)
        if (strcmp(m->test[i].name, name) == 0)
            return (int)i;
    return -1;
}

static bool is_of(const struct marked *h, const char *student)
{
    return strcmp(h->student, student) == 0 || (*h->id && strcmp(h->id, student) == 0);
}

unsigned marks_count_of(const struct marks *m, const char *student)
{
    unsigned count = 0;
    for (unsigned i = 0; i < m->count; i++)
        count += is_of(m->of[i], student);
    return count;
}

static void fail_unknown(const struct marks *m, const char *student, struct err *e)
{
    struct near near = {.word = student};
    for (unsigned i = 0; i < m->count; i++) {
        near_try(&near, m->of[i]->student);
        if (*m->of[i]->id)
            near_try(&near, m->of[i]->id);
    }
    fail(e,
         near.best ? "no hand-in is from `%.200s`; did you mean `%.200s`?"
                   : "no hand-in is from `%.200s`",
         student, near.best);
}

struct marked *marks_find(const struct marks *m, const char *student, struct err *e)
{
    struct marked *found = NULL;
    for (unsigned i = 0; i < m->count; i++) {
        if (!is_of(m->of[i], student))
            continue;
        if (found) {
            fail(e, "`%.200s` has two hand-ins; name one by its id: `%.80s` or `%.80s`", student,
                 found->id, m->of[i]->id);
            return NULL;
        }
        found = m->of[i];
    }
    if (!found)
        fail_unknown(m, student, e);
    return found;
}

void marked_name(const struct marks *m, const struct marked *h, struct buf *out)
{
    bool shared = false;
    for (unsigned i = 0; i < m->count && *h->id; i++)
        shared = shared || (m->of[i] != h && strcmp(m->of[i]->student, h->student) == 0);
    buf_printf(out, shared ? "%s (%s)" : "%s", h->student, h->id);
}

bool mark_known(const struct test_mark *mark)
{
    return mark->why || mark->state != MARK_UNGRADED;
}

int64_t mark_points(const struct test_mark *mark)
{
    return mark->why ? mark->override : mark->points;
}

enum mark_state mark_outcome(const struct mark_test *test, const struct test_mark *mark)
{
    if (!mark->why)
        return mark->state;
    return mark->override == test->points ? MARK_PASSED : MARK_FAILED;
}

int64_t marked_points(const struct marks *m, const struct marked *h)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < m->test_count; i++)
        sum += mark_known(&h->mark[i]) ? mark_points(&h->mark[i]) : 0;
    return sum;
}

unsigned marked_ungraded(const struct marks *m, const struct marked *h)
{
    unsigned count = 0;
    for (unsigned i = 0; i < m->test_count; i++)
        count += !mark_known(&h->mark[i]);
    return count;
}

enum mark_cause marked_cause(const struct marks *m, const struct marked *h)
{
    enum mark_cause cause = h->cause;
    for (unsigned i = 0; i < m->test_count && cause == MARK_NO_CAUSE; i++)
        if (mark_outcome(&m->test[i], &h->mark[i]) != MARK_PASSED)
            cause = h->mark[i].cause;
    return cause;
}

int64_t marks_most(const struct marks *m)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < m->test_count; i++)
        sum += m->test[i].points;
    return sum;
}

unsigned marks_ungraded(const struct marks *m)
{
    unsigned count = 0;
    for (unsigned i = 0; i < m->count; i++)
        count += marked_ungraded(m, m->of[i]) > 0;
    return count;
}

/* ---- points as text ---------------------------------------------------------------------- */

static int no_points(const char *text, struct err *e)
{
    return fail(e,
                "`%.40s` is not a number of points, such as 2 or 0.5; they go from 0 to %d, with "
                "at most three decimals",
                text, POINTS_MOST / POINT);
}

int points_read(const char *text, int64_t *points, struct err *e)
{
    const char *at = text;
    int64_t sum = 0, unit = POINT;
    for (; is_digit(*at) && sum <= POINTS_MOST; at++)
        sum = 10 * sum + (*at - '0') * (int64_t)POINT;
    if (*at == '.' && at > text && is_digit(at[1]))
        for (at++; is_digit(*at) && unit > 1; at++)
            sum += (*at - '0') * (unit /= 10);
    if (*at || at == text || sum > POINTS_MOST)
        return no_points(text, e);
    *points = sum;
    return 0;
}

int points_of(double number, int64_t *points, struct err *e)
{
    char text[40];
    const bool in_range = number >= 0 && number <= (double)(POINTS_MOST / POINT);
    const int64_t nearest = in_range ? (int64_t)(number * POINT + 0.5) : 0;
    if (in_range && (double)nearest / POINT == number) {
        *points = nearest;
        return 0;
    }
    snprintf(text, sizeof text, "%.17g", number);
    return no_points(text, e);
}

const char *points_text(int64_t points, char out[POINTS_TEXT])
{
    int n =
        snprintf(out, POINTS_TEXT, "%lld.%03d", (long long)(points / POINT), (int)(points % POINT));
    while (out[n - 1] == '0')
        out[--n] = '\0';
    if (out[n - 1] == '.')
        out[n - 1] = '\0';
    return out;
}
