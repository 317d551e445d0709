/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Things found by their names: an array of items whose first member is a `const char *`, sorted
 * once and then searched by halving. No choice of names makes that slow, as it does a hash.
 */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>

void names_sort(void *items, size_t count, size_t size);
void *names_find(const void *items, size_t count, size_t size, const char *name); /* or NULL */

#endif
