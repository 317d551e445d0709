/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A texture or surface as a launch is given it, `texture(a, 16x16, linear)`: what is typed, as
 * the description of an array's memory that a device makes an object of.
 */
#ifndef OWN_TEXTURE_H
#define OWN_TEXTURE_H

#include "own/arrays.h"

/* Does the text begin as one of the two does? */
bool texture_typed(const char *text);
/* -1: e says what is wrong with it. */
int texture_parse(struct session *, const char *text, struct sim_texture *, bool *surface,
                  struct err *);

#endif
