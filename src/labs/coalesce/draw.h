/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of one request. */
#ifndef LABS_COALESCE_DRAW_H
#define LABS_COALESCE_DRAW_H

#include "labs/coalesce/work.h"

void access_draw(const struct access_request *, struct report *);

#endif
