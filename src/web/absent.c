/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a page has not: processes. The commands that start some say so.
 */
#include "repl/commands.h"
#include "screen/report.h"

struct absent_options {
    struct arg_call line;
};

static int absent(struct report *r, const char *what)
{
    return report_fail(r, "%s, which a page in a browser can't start: install cudalab for it", what);
}

static int run_absent_run(struct session *s, const void *given, struct report *r)
{
    (void)s, (void)given;
    return absent(r, "`run` needs a compiler and a process for the program");
}

static int run_absent_grade(struct session *s, const void *given, struct report *r)
{
    (void)s, (void)given;
    return absent(r, "`grade` needs a process for each hand-in");
}

#define ANYTHING                                                                               \
    .operands = (const struct arg_spec[]){                                                     \
        {.name = "ARGUMENTS", BIND(struct absent_options, line), .type = ARG_LINE,             \
         .help = "not in a page"}, {0}},                                                       \
    .size = sizeof(struct absent_options)

const struct command command_run = {
    .name = "run", .kind = CLASS_KERNELS, .summary = "run a whole program (not in a page)",
    ANYTHING, .run = run_absent_run};

const struct command command_grade = {
    .name = "grade", .kind = CLASS_KERNELS, .summary = "mark hand-ins (not in a page)",
    ANYTHING, .run = run_absent_grade};
