/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The types of parameters as texts, "const float* __restrict__", as in C or the PTX.
 */
#ifndef OWN_TYPE_TEXT_H
#define OWN_TYPE_TEXT_H

#include <stdbool.h>

enum { TYPE_ROOM = 200 };

/* Without `const`, `volatile` and `__restrict__`, and without blanks at the ends. */
void type_bare(const char *type, char out[TYPE_ROOM]);
/* The type is bare. */
bool type_is_pointer(const char *type);
/* Gets "float" from "float*"; false: no pointer, or the PTX only says that it has 64 bits. */
bool type_pointee(const char *type, char out[TYPE_ROOM]);

#endif
