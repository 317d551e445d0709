/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The marks of an exercise: its tests, and how each hand-in did in each of them. Reports, the
 * comparison of two runs, overrides and the journal are functions over this data. Nothing here
 * starts a process.
 *
 * - Points are whole thousandths, so sums are exact and the same everywhere.
 * - A mark begins as MARK_UNGRADED. So a test that could not be judged never counts as 0 points.
 * - Sums are computed when they are asked for, and never kept.
 * - Names, feedback and notes are texts of others. They pass base/visible.h when they enter, and
 *   are valid UTF-8 without control characters from then on. Each form escapes only its own marks.
 */
#ifndef GRADE_MARKS_H
#define GRADE_MARKS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/lines.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum { POINT = 1000, POINTS_MOST = 1000000 * POINT, MARK_TESTS_MOST = 1000, MARKED_MOST = 100000 };
enum { MARK_NAME_MOST = 1100, MARK_TEXT_MOST = 1 << 16 }; /* bytes as they are kept */

/* How a test ended. MARK_SKIPPED: it was not run, since another test had not passed. */
enum mark_state { MARK_UNGRADED, MARK_PASSED, MARK_FAILED, MARK_SKIPPED, MARK_STATES };
/* Why it did not pass. The names are those of the JSON field `cause`. */
enum mark_cause {
    MARK_NO_CAUSE,
    MARK_CHECK,
    MARK_SCRIPT,
    MARK_COMPILE,
    MARK_FAULT,
    MARK_LIMIT,
    MARK_CAUSES
};
extern const char *const mark_state_names[MARK_STATES + 1]; /* NULL at the end */
extern const char *const mark_cause_names[MARK_CAUSES + 1]; /* "" for MARK_NO_CAUSE */
/* The place of a name in one of these lists; -1: it is not in there. */
int mark_named(const char *const *names, struct span name);

struct mark_test {
    const char *name;
    int64_t points; /* the most that it gives */
    bool hidden;    /* students see its points, and nothing else */
    int needs;      /* the test that must have passed before; -1: none */
};

struct test_mark {
    enum mark_state state;
    enum mark_cause cause;
    int64_t points;       /* as graded */
    const char *feedback; /* for the student */
    const char *note;     /* for the instructor alone */
    const char *why;      /* the reason of an override; NULL: there is none */
    int64_t override;     /* its points */
};

/* A hand-in with its marks. */
struct marked {
    const char *student, *id; /* id "": it has none */
    enum mark_cause cause;    /* of the hand-in as a whole: it does not compile */
    const char *feedback;     /* on the whole hand-in, for the student */
    const char *note;         /* likewise, for the instructor */
    struct test_mark *mark;   /* one for each test of the exercise */
};

struct marks {
    const char *exercise;
    struct mark_test *test;
    unsigned test_count;
    struct marked **of;
    unsigned count;
    size_t test_room, room;
    struct arena memory;
};

/* ---- making them ------------------------------------------------------------------------- */

int marks_begin(struct marks *, const char *exercise, struct err *);
void marks_free(struct marks *);
/* All tests come before the first hand-in. */
int marks_test(struct marks *, const char *name, int64_t points, bool hidden, int needs,
               struct err *);
/* A new hand-in, with all of its tests ungraded. It stays where it is. NULL: the error says why. */
struct marked *marks_add(struct marks *, const char *student, const char *id, struct err *);
/* How a test ended. A passed test has all of its points, any other one 0. feedback and note may be
 * NULL. */
int mark_set(struct marks *, struct marked *, unsigned test, enum mark_state, enum mark_cause,
             const char *feedback, const char *note, struct err *);
/* On the hand-in as a whole. */
int marked_say(struct marks *, struct marked *, enum mark_cause, const char *feedback,
               const char *note, struct err *);
/* By student, then by id. -1: two of them are the same. */
int marks_sort(struct marks *, struct err *);
/* A copy of a text of others, as marks keep it: without control characters, and cut where it is
 * too long. NULL: memory is out. */
const char *marks_text(struct marks *, const char *text);

/* ---- asking them ------------------------------------------------------------------------- */

int marks_test_named(const struct marks *, const char *name);       /* -1: there is none */
unsigned marks_count_of(const struct marks *, const char *student); /* hand-ins that it names */
/* The hand-in of a student, who is named by name or by id. NULL: the error offers near ones. */
struct marked *marks_find(const struct marks *, const char *student, struct err *);
/* The two names in one: "Ann Lee", or "Ann Lee (4711)" where another hand-in has the same name. */
void marked_name(const struct marks *, const struct marked *, struct buf *out);

/* What counts: the override, if there is one. */
enum mark_state mark_outcome(const struct mark_test *, const struct test_mark *);
int64_t mark_points(const struct test_mark *); /* of a mark that is known */
bool mark_known(const struct test_mark *);     /* it was graded, or an override gives its points */
/* The sum of the marks that are known. */
int64_t marked_points(const struct marks *, const struct marked *);
unsigned marked_ungraded(const struct marks *, const struct marked *); /* tests without a mark */
/* Of the whole, or else of the first test that did not pass and has one. */
enum mark_cause marked_cause(const struct marks *, const struct marked *);
int64_t marks_most(const struct marks *);      /* all points of all tests */
unsigned marks_ungraded(const struct marks *); /* hand-ins that have a test without a mark */

/* ---- points as text ---------------------------------------------------------------------- */

/* "2", "0.5": at most three decimals, from 0 to 1000000. */
int points_read(const char *text, int64_t *points, struct err *);
int points_of(double, int64_t *points, struct err *); /* the same of a number */
enum { POINTS_TEXT = 24 };
const char *points_text(int64_t points, char out[POINTS_TEXT]);

#endif
