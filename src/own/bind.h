/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A call's arguments put into a kernel's parameters, each checked against the parameter's own
 * type: nothing is rounded off, cut short or guessed at.
 */
#ifndef OWN_BIND_H
#define OWN_BIND_H

#include "own/call.h"
#include "own/unit.h"

/* Textures and surfaces made for a call: its block has their handles. */
struct bound {
    uint64_t *handles;
    size_t room;
    unsigned count;
};

/* `block` has room for the kernel's param_bytes. -1: e says which argument, at which column of
 * the call, and what would be right. */
int call_bind(struct session *, const struct unit *, const struct unit_kernel *,
              const struct call *, unsigned char *block, struct bound *, struct err *e);
/* After the launch, or after -1. */
void call_unbind(struct session *, struct bound *);

#endif
