/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading one declaration's tokens: what declare.c and layout.c share. */
#ifndef CC_DECLARATOR_H
#define CC_DECLARATOR_H

#include "cc/declare.h"
#include "cxx/specifiers.h"

/* The part that all declarators of a statement share: const unsigned in `const unsigned *a, b`. */
struct base_type {
    struct specifiers words;
    size_t name_from, name_to; /* tokens of a type that isn't arithmetic; equal: there is none */
    bool has_body;             /* struct ... { ... } */
};

enum declarator_place { IN_PARAMETER, IN_VARIABLE };

/* Both move *i on and never past `end`. */
void base_type_read(const struct tokens *, size_t *i, size_t end, struct base_type *);
/* -1: out of memory; 1: it declares no object (a function, or nothing that is known). */
int declarator_read(const struct tokens *, size_t *i, size_t end, const struct base_type *,
                    enum declarator_place, struct declared *out);

/* To the next , or ; or closing bracket that isn't inside brackets or template arguments. */
size_t tokens_item_end(const struct tokens *, size_t i);

/* The last part of ns::name. */
const char *name_without_scopes(const char *name);

#endif
