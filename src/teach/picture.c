/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures of 32 lanes or banks as rows of short cells. Cells may hold UTF-8, so they are
 * padded by characters, which printf can't.
 */
#include "teach/picture.h"

enum { HALF = 16, CELL = 4 };

static int characters(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static void say_half(struct report *r, const struct picture_row *row, unsigned from)
{
    say(r, "%-8s", row->label);
    for (unsigned i = from; i < from + HALF; i++)
        say(r, "%*s%s", CELL - characters(row->cell[i]), "", row->cell[i]);
    say(r, "\n");
}

void say_picture(struct report *r, const char *label, const struct picture_row *rows,
                 unsigned count, unsigned columns)
{
    for (unsigned from = 0; from < columns; from += HALF) {
        if (from)
            say(r, "\n");
        say(r, "%-8s", label);
        for (unsigned i = from; i < from + HALF; i++)
            say(r, "%*u", CELL, i);
        say(r, "\n");
        for (unsigned k = 0; k < count; k++)
            say_half(r, &rows[k], from);
    }
}
