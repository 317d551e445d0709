/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arithmetic on the budget and the clock. Nothing here ends anything.
 */
#include "session/budget.h"

#include "os/clock.h"

#define LEAST_S 1e-3        /* 0 would mean no limit */
#define LAST_TEXT (64 << 10) /* room for saying that the session is nearly over */

enum { COMMAND_PART = 4 };

void budget_begin_session(struct budget *b)
{
    b->session_began = b->command_began = clock_seconds();
    b->written = 0;
}

void budget_begin_command(struct budget *b, double spent)
{
    b->command_began = clock_seconds() - spent;
}

double budget_spent(const struct budget *b)
{
    return clock_seconds() - b->command_began;
}

/* To the millisecond, as times are shown. */
static double rounded(double seconds)
{
    return seconds < LEAST_S ? LEAST_S : (double)(int64_t)(seconds * 1e3 + 0.5) * 1e-3;
}

double budget_limit(const struct budget *b)
{
    double end = b->session_began + b->session_s - b->command_began;
    if (b->session_s > 0 && (b->command_s <= 0 || end < b->command_s))
        return rounded(end);
    return b->command_s > 0 ? b->command_s : 0;
}

double budget_limit_of_compiler(const struct budget *b, double least)
{
    struct budget own = *b;
    if (own.command_s > 0 && own.command_s < least)
        own.command_s = least;
    return budget_limit(&own);
}

double budget_left(const struct budget *b, double unlimited)
{
    double limit = budget_limit(b), left = limit - budget_spent(b);
    return limit <= 0 ? unlimited : left > LEAST_S ? left : LEAST_S;
}

enum budget_end budget_end(const struct budget *b)
{
    if (b->stop && *b->stop)
        return BUDGET_STOPPED;
    if (b->command_s <= 0 && b->session_s <= 0)
        return BUDGET_LEFT;
    double now = clock_seconds();
    if (b->session_s > 0 && now - b->session_began >= b->session_s)
        return BUDGET_SESSION_TIME;
    return b->command_s > 0 && now - b->command_began >= b->command_s ? BUDGET_COMMAND_TIME
                                                                      : BUDGET_LEFT;
}

size_t budget_text(const struct budget *b)
{
    uint64_t part = b->output / COMMAND_PART;
    uint64_t left = b->output > b->written ? b->output - b->written : 0;
    if (!b->output)
        return 0;
    part = left < part ? left : part;
    return part > LAST_TEXT ? (size_t)part : LAST_TEXT;
}

bool budget_has_output(const struct budget *b)
{
    return !b->output || b->written < b->output;
}
