/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands that are not labs.
 */
#ifndef REPL_COMMANDS_H
#define REPL_COMMANDS_H

#include "command/command.h"

#define COMMAND(name) extern const struct command command_##name;
#include "repl/commands.def"
#undef COMMAND

#endif
