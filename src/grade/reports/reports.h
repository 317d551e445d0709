/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports of marks, for people and for platforms.
 *
 * Where a form has one student in a file, the name of the file has {} for the student's name, or
 * it is a folder. A file is replaced at once. A file that can't be written stays as it was.
 */
#ifndef GRADE_REPORTS_REPORTS_H
#define GRADE_REPORTS_REPORTS_H

#include "grade/marks.h"

struct mark_form;
struct report;

/* The form that a request FORM[:PLACE] names, and the place: NULL where there is none, or
 * where it is `-`. NULL: the error offers a near one. */
const struct mark_form *mark_form_asked(const char *request, const char **place, struct err *);
const char *mark_form_name(unsigned k); /* the k-th; NULL: there are no more */
const char *mark_form_help(unsigned k);

/* Writes the report to its place, or adds it to `out` where there is none. -1: it is not there
 * as a whole; what could be written is written. */
int marks_report(const struct marks *, const struct mark_form *, const char *place, struct buf *out,
                 struct err *);
/* The report of one student alone, as text. -1: the form can't say it. */
int marked_report(const struct marks *, const struct marked *, const struct mark_form *,
                  struct buf *out, struct err *);

#endif
