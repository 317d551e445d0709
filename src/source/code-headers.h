/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Headers that kernels of several labs share, kernels/lab_*.h, and what of them some lines need.
 *
 * In such a header `//: defines NAME ...` opens a part, which ends where the next one begins,
 * the last one at `//: end`. Lines need the parts whose names they use, and what those use in
 * turn, which lies above them. What stands before the first part is for who reads the header
 * itself.
 */
#ifndef SOURCE_CODE_HEADERS_H
#define SOURCE_CODE_HEADERS_H

#include "source/code-lines.h"

/* The name in `#include "NAME"`; n 0: the line is none. */
struct span included_name(struct span line);
/* Such a header of this build that the line includes; name NULL: it includes none. */
struct text_file shared_header(struct span line);
/* To lines of a lab's file are added, above them, those that they need of the headers that the
 * file includes, with a note where the ones and the others are from; the #includes go. */
void code_lines_head(struct code_lines *, struct text_file cu);

#endif
