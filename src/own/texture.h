/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A texture or surface as an argument of a launch, `texture(a, 16x16, linear)`. What is typed
 * becomes the description of an array's memory from which a device makes the object.
 */
#ifndef OWN_TEXTURE_H
#define OWN_TEXTURE_H

#include "own/arrays.h"

/* Does the text begin with `texture(` or `surface(`? */
bool texture_typed(const char *text);
/* -1: the error says what is wrong with it. */
int texture_parse(struct session *, const char *text, struct sim_texture *, bool *surface,
                  struct err *);

#endif
