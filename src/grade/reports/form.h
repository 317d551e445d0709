/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A form of report is one file that ends in a const struct mark_form, and one line in forms.def.
 * It turns marks into the text that a platform reads.
 *
 * Some forms are for students. What these show of a test comes from student_sees() alone, so that a
 * hidden test shows no more than its points.
 */
#ifndef GRADE_REPORTS_FORM_H
#define GRADE_REPORTS_FORM_H

#include "grade/marks-json.h"
#include "grade/reports/reports.h"

/* What is to be written. */
struct form_ask {
    const struct marks *marks;
    const struct marked *of; /* the student's hand-in; NULL where the form has all of them */
    size_t text_most;        /* bytes of one feedback */
};

struct mark_form {
    const char *name;
    const char *ending; /* of its files */
    const char *help;   /* one sentence, no full stop */
    bool one;           /* one student in a file, and for this student's eyes */
    bool joins;         /* the texts of several students may follow each other */
    bool complete;      /* the platform has no word for a test that was not graded */
    bool by_part;       /* it gives a part of all points, so there must be some */
    size_t most;        /* bytes that the platform reads; 0: any number. Feedback is cut for it */
    void (*write)(const struct form_ask *, struct buf *out);
};

/* A test in the eyes of the student. The two texts are new, and freed by seen_free(). */
struct seen_test {
    struct buf name; /* "hidden test 1" of a hidden one */
    struct buf text; /* empty for a hidden one */
    bool hidden, known;
    enum mark_state state;
    int64_t points, most;
};
struct seen_test student_sees(const struct form_ask *, unsigned test);
void seen_free(struct seen_test *);
/* What a feedback file says, also where a form has only one text. */
void student_text(const struct form_ask *, struct buf *out);
/* The part of all points that the hand-in has, from 0 to 1. */
double student_part(const struct form_ask *);
/* A text of at most so many bytes, and a sentence where it is cut. */
void put_cut(struct buf *out, const char *text, size_t most);

/* All that an instructor can read of a mark: feedback, note, override. Lines, or nothing. */
void instructor_text(const struct marks *, const struct marked *, unsigned test, struct buf *out);
/* "2 of 3 points" */
void put_points_of(struct buf *out, int64_t points, int64_t most);

#endif
