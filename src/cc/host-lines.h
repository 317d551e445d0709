/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a program's own code: which line of which source file an instruction comes from, as
 * gcc and clang write it down with -g (DWARF 2 to 5, the section .debug_line). A big program has
 * millions of lines, and few of them are asked for. So reading notes only where each piece of code
 * has its lines, and finding reads the lines of one piece.
 */
#ifndef CC_HOST_LINES_H
#define CC_HOST_LINES_H

#include "base/buf.h"
#include "base/lines.h"

#include <stdint.h>

/* Instructions one after the other, without a gap: most often those of one function. */
struct host_code {
    uint64_t low, high;   /* its addresses: low is the first, high is beyond the last */
    size_t unit, program; /* where the section has its header, and its lines */
};

struct host_lines {
    struct span section, line_texts, texts; /* .debug_line, .debug_line_str, .debug_str */
    struct host_code *codes;                /* by their addresses */
    size_t count, capacity;
};

/*
 * A line of a source file. The parts of the file's name lie in the program's file, and are empty
 * where there are none. `folder` is where a relative `file` lies, and `root` is where a relative
 * `folder` lies. Before DWARF 5 the folder in which the compiler ran is not among them.
 */
struct host_line {
    struct span root, folder, file;
    unsigned line; /* 1 is the first */
};

/* The lines of a program or a shared library. Its bytes must stay where they are. -1: it has no
 * lines that can be read, and e says why, or memory is out. Free it always. Of a damaged file, what
 * can be read is there. */
int host_lines_read(struct span file, struct host_lines *, struct err *e);
void host_lines_free(struct host_lines *);

/*
 * The line of the instruction at an address, as the linker gave it: of a program that may be loaded
 * anywhere, without the address where it was loaded. A call's instruction ends just before the
 * address to which the call returns. false: the line is not known.
 */
bool host_lines_find(const struct host_lines *, uint64_t address, struct host_line *);

/* Appends the whole name of a line's file. */
int host_line_path(const struct host_line *, struct buf *);

#endif
