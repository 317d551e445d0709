/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of a screen with a label.
 */
#ifndef SCREEN_ITEM_H
#define SCREEN_ITEM_H

#include "screen/report.h"

/* "  atomics    32,768    one a warp": on one line where it fits, else broken at the wide gaps. */
void say_item(struct report *, const char *label, const char *fmt, ...) PRINTF_LIKE(3, 4);
void say_item_text(struct report *, const char *label, struct buf *text); /* painted; frees it */
int screen_column(const struct report *); /* how many columns its last line takes so far */

#endif
