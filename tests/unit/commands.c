/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of all commands, labs and the shell's own: each option and operand is bound to a
 * member that can hold its values. Commands made up here show that command_check() finds what
 * is wrong.
 */
#include "command/command.h"
#include "command/variants.h"
#include "labs/labs.h"
#include "repl/shell.h"

#include <stdio.h>
#include <string.h>

static unsigned tests;

static void ok(bool good, const char *name, const char *why)
{
    printf("%sok %u - %s\n", good ? "" : "not ", ++tests, name);
    if (!good)
        printf("# %s\n", why);
}

static unsigned check_all(const struct command *const *list)
{
    unsigned count = 0;
    for (; list[count]; count++) {
        struct err e = {.text = ""};
        ok(command_check(list[count], &e) == 0, list[count]->name, e.text);
    }
    return count;
}

/* ---- commands that are wrong ------------------------------------------------------------ */

struct made_up {
    int number;
    bool flag, number_given;
    const char *text;
    uint64_t far;
};

static void finds(const struct arg_spec *options, size_t size, const struct lab *lab,
                  const char *wanted)
{
    const struct command made_up = {.name = "toy", .options = options, .size = size, .lab = lab};
    struct err e = {.text = ""};
    int rc = command_check(&made_up, &e);
    ok(wanted ? rc == -1 && strcmp(e.text, wanted) == 0 : rc == 0,
       wanted ? wanted : "a command whose tables fit", e.text);
}

static void check_made_up(void)
{
    static const struct lab lab = {.module = NULL};
    const struct arg_spec right[] = {
        {OPTION(struct made_up, number), GIVEN(struct made_up, number), .type = ARG_INT, .lo = 1,
         .hi = 9},
        {OPTION(struct made_up, flag), .type = ARG_FLAG}, {0}};
    const struct arg_spec unbound[] = {{.name = "loose", .type = ARG_FLAG}, {0}};
    const struct arg_spec other_type[] = {{OPTION(struct made_up, text), .type = ARG_REAL}, {0}};
    const struct arg_spec too_many[] = {{OPTION(struct made_up, number), .type = ARG_INT}, {0}};
    const struct arg_spec other_struct[] = {
        {OPTION(struct made_up, far), .type = ARG_INT, .lo = 0, .hi = 1}, {0}};
    const size_t size = sizeof(struct made_up);
    finds(right, size, NULL, NULL);
    finds(unbound, size, NULL, "toy: loose is bound to no member");
    finds(other_type, size, NULL, "toy: the member for text can not hold its values");
    finds(too_many, size, NULL, "toy: the member for number can not hold its values");
    finds(other_struct, sizeof(int), NULL, "toy: the member for far is in another struct");
    finds(right, sizeof(int), &lab,
          "toy: its struct of options does not begin with struct lab_options");
}

int main(void)
{
    check_made_up();
    unsigned labs = check_all(all_labs), own = check_all(shell_own_commands);
    ok(labs > 20 && own > 30, "all of them were looked at", "a list is too short");
    printf("1..%u\n", tests);
    return 0;
}
