/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `greet`: the command that tests/recipes.t adds to a copy of the tree.
 */
#include "repl/commands.h"
#include "repl/shell.h"

struct greet_options {
    const char *name;
    bool loud;
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct greet_options *o = given;
    (void)s;
    say(r, "Hello, %s%s\n", o->name, o->loud ? "!" : ".");
    json_text(&r->result, "name", o->name);
    return 0;
}

const struct command command_greet = {
    .name = "greet", .kind = CLASS_HELP, .summary = "say hello to somebody",
    .options = (const struct arg_spec[]){
        {OPTION(struct greet_options, loud), .type = ARG_FLAG, .help = "with an exclamation mark"},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "NAME", BIND(struct greet_options, name), .type = ARG_TEXT, .required = true,
         .help = "the person to greet"},
        {0}},
    .size = sizeof(struct greet_options),
    .run = run};
