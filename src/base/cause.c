/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of causes. */
#include "base/cause.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {[CAUSE_CHECK] = "check",
                                    [CAUSE_SCRIPT] = "script",
                                    [CAUSE_COMPILE] = "compile",
                                    [CAUSE_FAULT] = "fault",
                                    [CAUSE_LIMIT] = "limit"};

const char *cause_name(enum failure_cause c)
{
    return names[c];
}

enum failure_cause cause_named(const char *name)
{
    for (enum failure_cause c = CAUSE_CHECK; c <= CAUSE_LIMIT; c++)
        if (strcmp(names[c], name) == 0)
            return c;
    return CAUSE_NONE;
}
