/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a call's arguments into a kernel's parameters. Each is checked against the parameter's
 * type, and nothing is rounded, cut or guessed.
 */
#ifndef OWN_BIND_H
#define OWN_BIND_H

#include "own/call.h"
#include "own/unit.h"

/* Textures and surfaces that were made for a call; its block of parameters has their handles. */
struct own_bound {
    uint64_t *handles;
    size_t room;
    unsigned count;
};

/* `block` has room for the kernel's param_bytes. -1: the error says which argument is wrong, at
 * which column of the call, and what would be right. */
int call_bind(struct session *, const struct unit *, const struct unit_kernel *,
              const struct own_call *, unsigned char *block, struct own_bound *, struct err *e);
/* Call it after the launch, and after -1. */
void call_unbind(struct session *, struct own_bound *);

#endif
