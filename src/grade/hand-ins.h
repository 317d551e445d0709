/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From what an instructor names on the command line to a list of hand-ins, one for each student.
 *
 * An argument is a file, a folder, or a zip archive. An archive or a folder of a whole class is
 * known by the names that Moodle and Canvas write (student.h). A folder without such names is the
 * hand-in of one student if it has one source, or a header beside its sources, and no two archives.
 * With several sources and other files, but no header, it can't be known, and nothing is judged.
 * Otherwise each file, archive and folder in it is a hand-in of its own. So it is in an archive
 * that has at its top archives and no other files. Any other archive is the hand-in of one student.
 *
 * Where there are no sources at all, texts count as sources.
 *
 * Of two hand-ins of one student the later one counts: Canvas tells it by LATE and by numbers, and
 * a folder has anna-2.cu next to anna.cu. A file or folder counts before what has its name in an
 * archive, since a student's archive may have the names of others in it. Where nothing tells which
 * one is later, that hand-in can't be judged.
 *
 * All files are copied into a private folder. There they have names of plain letters. Whatever is
 * wrong with a hand-in is said in one sentence of that hand-in, and all others are read.
 */
#ifndef GRADE_HAND_INS_H
#define GRADE_HAND_INS_H

#include "base/err.h"
#include "base/go-on.h"
#include "base/mem.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HAND_IN_FILES = 500 };
#define HAND_IN_BYTES (UINT64_C(64) << 20) /* of all files together */

/* All texts are as they came, and may have any character but NUL: show them by base/visible.h. */
struct hand_in_file {
    const char *name; /* below the hand-in's folder, as the student named it */
    char *path;       /* where its copy lies in `folder`; NULL: there is none */
    uint64_t size;
    char *wrong; /* a sentence without its subject, "is empty"; NULL: nothing is wrong */
    bool unread; /* its bytes could not be had, and perhaps the student is not at fault */
};

struct hand_in {
    const char *student, *id;  /* id "": nothing tells one */
    const char *from;          /* the argument, and the part of it */
    char folder[32];           /* of its copies, in the private folder */
    struct hand_in_file *file; /* sorted by name */
    unsigned count;
    char *wrong; /* one sentence: why it can't be judged; NULL: nothing is wrong */
    bool at_fault; /* it is wrong by what the student handed in, and gets no points */
    char *note;  /* what was left out, such as an earlier hand-in; may be NULL */
};

struct hand_ins {
    struct hand_in *at; /* sorted by the students' names, then by their ids, byte by byte */
    unsigned count;
    struct arena memory;
};

/* Each may be NULL but `folder`. */
struct hand_ins_want {
    const char *folder; /* an empty folder that only this user can read */
    const struct go_on *go_on;
    const struct progress *progress;
};

/* -1: an argument does not exist, the folder can't be written, or the work should not go on. Free
 * the list always; the copies stay. */
int hand_ins_read(struct hand_ins *, const char *const *arguments, size_t count,
                  const struct hand_ins_want *, struct err *);
void hand_ins_free(struct hand_ins *);

#endif
