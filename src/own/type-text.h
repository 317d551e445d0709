/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The types of parameters as texts, "const float* __restrict__", as C or the PTX has them.
 */
#ifndef OWN_TYPE_TEXT_H
#define OWN_TYPE_TEXT_H

#include <stdbool.h>

enum { TYPE_ROOM = 200 };

/* Without `const`, `volatile` and `__restrict__`, and without blanks at the ends. */
void type_bare(const char *type, char out[TYPE_ROOM]);
/* Of a bare type. */
bool type_is_pointer(const char *type);
/* "float" of "float*"; false: not a pointer, or the PTX only says that it is 64 bits wide. */
bool type_pointee(const char *type, char out[TYPE_ROOM]);

#endif
