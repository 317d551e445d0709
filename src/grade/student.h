/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the name of a file tells about the student, as Moodle and Canvas write it when they pack all
 * hand-ins of a class:
 *
 *     Surname First_1234567_assignsubmission_file_/x.cu       Moodle
 *     Surname First_1234567_assignsubmission_file_x.cu        Moodle, without folders
 *     surnamefirst_12345_67890_x.cu                           Canvas
 *     surnamefirst_LATE_12345_67890_x-1.cu                    Canvas: late, handed in once more
 */
#ifndef GRADE_STUDENT_H
#define GRADE_STUDENT_H

#include "base/lines.h"

struct student_name {
    struct span student, id; /* id.n 0: it has none */
    struct span file;        /* the name of the file, or n 0: the files lie in a folder */
    bool late;
    bool numbered;    /* the file's name may have a number that the platform put there */
    unsigned attempt; /* that number; 0: it has none */
};

/* item: a name without slashes, of a file or a folder. false: it is none of Moodle's. */
bool student_of_moodle(struct span item, struct student_name *);
bool student_of_canvas(struct span item, struct student_name *);
/* Takes "-2" from the end of a name, before what ends the file's name. Returns that number; 0:
 * there is none. The name without it is in two parts. */
unsigned student_attempt(struct span name, struct span *before, struct span *ending);
struct span student_without_ending(struct span name); /* "anna.cu" is anna */
/* Does a name end in one of these, in small letters or in capitals? The list ends with NULL. */
bool student_ends_in(struct span name, const char *const *endings);

#endif
