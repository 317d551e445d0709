/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks as JSON: all that is known of them, for other programs, for a comparison with a later run
 * and for the journal. It is read back strictly: what is unknown, missing or twice there is an
 * error, and so is a sum that is not right.
 *
 *     {"cudalab_marks":1, "exercise":"saxpy", "most":3,
 *      "tests":[{"name":"runs", "points":2, "hidden":false, "needs":null}, ...],
 *      "hand_ins":[
 *     {"student":"Ann Lee", "id":"4711", "points":2, "ungraded":0, "cause":"fault",
 *      "feedback":"", "note":"",
 *      "tests":[{"name":"runs", "state":"passed", "points":2, "cause":null, "feedback":"",
 *                "note":"", "override":{"why":"...", "state":"failed", "points":0}}, ...]}, ...]}
 *
 * A test's state and points are those that count. An override has in it what was graded; without
 * one it is absent. Points of a test without a mark are null.
 */
#ifndef GRADE_MARKS_JSON_H
#define GRADE_MARKS_JSON_H

#include "base/json.h"
#include "grade/marks.h"

enum { MARKS_FILE_MOST = 1 << 29 }; /* bytes of a file with marks that is read */

void marks_json(const struct marks *, struct buf *out);
void marked_json(const struct marks *, const struct marked *, struct json *, const char *key);
void json_points(struct json *, const char *key, bool known, int64_t points); /* null: unknown */
/* New marks from such a text. -1: the error has the line, and there are no marks. */
int marks_read(struct marks *, struct span text, struct err *);
int marks_read_file(struct marks *, const char *path, struct err *);
/* Adds one hand-in, from JSON that was checked (base/json-check.h). NULL: it is not one, or its
 * tests are not those of the exercise. */
struct marked *marked_read(struct marks *, struct span object, struct err *);

/* The members of an object by their names (NULL at the end), each once. The first `required` of
 * them must be there; the others are {NULL, 0} where they are absent. `what` is for the error. */
int json_fields(struct span object, const char *const *names, unsigned required, const char *what,
                struct span *values, struct err *);

#endif
