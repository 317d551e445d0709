/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The architecture to compile for. It is the one that the student set, or else the device's. A
 * compiler that does not know the device's is asked for the nearest older one that it knows, since
 * code for an older architecture runs on newer ones. Each compiler is asked what it knows.
 */
#include "programs/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_MOST = 64, CLUSTERS = 90, NOBODY_SAYS = 75 };

static bool has_clusters(const struct compile_want *w)
{
    struct token_reader from = tokens_of(w->text, w->size);
    struct token t;
    while (token_next(&from, &t))
        if (token_is(&t, "__cluster_dims__"))
            return true;
    return false;
}

int arch_wanted(const struct compile_want *w)
{
    const int of_device = w->device ? w->device : NOBODY_SAYS;
    if (w->arch)
        return w->arch;
    return of_device < CLUSTERS && has_clusters(w) ? CLUSTERS : of_device;
}

int arch_nearest(int wanted, const int *known, unsigned count)
{
    int below = 0, lowest = 0;
    for (unsigned i = 0; i < count; i++) {
        if (known[i] <= wanted && known[i] > below)
            below = known[i];
        if (!lowest || known[i] < lowest)
            lowest = known[i];
    }
    return below ? below : lowest ? lowest : wanted;
}

/* Reads the numbers behind `before` in what a compiler printed: "sm_75", "compute_75". Those of
 * one card only, such as sm_90a, are left out. */
static unsigned read_known(const char *text, const char *before, int known[KNOWN_MOST])
{
    unsigned count = 0;
    char *end;
    for (const char *at = text; count < KNOWN_MOST && (at = strstr(at, before)); at = end) {
        const long number = strtol(at + strlen(before), &end, 10);
        if (number > 0 && number < 1000 && strchr(" \t\r\n", *end))
            known[count++] = (int)number;
    }
    return count;
}

int arch_told(const struct compile_want *w, const struct child_result *said, const char *before)
{
    int known[KNOWN_MOST];
    unsigned count = read_known(buf_text(&said->out), before, known);
    if (!count)
        count = read_known(buf_text(&said->err), before, known);
    return w->arch ? w->arch : arch_nearest(arch_wanted(w), known, count);
}
