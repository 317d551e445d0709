/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands that are not labs, by the file that holds them. commands.c puts them in order.
 */
#ifndef REPL_FAMILIES_H
#define REPL_FAMILIES_H

#include "command/command.h"

/* commands/arrays.c */
extern const struct command command_array, command_fill, command_print, command_compare,
    command_save, command_free, command_arrays;
/* commands/kernels.c */
extern const struct command command_load, command_reload, command_watch, command_kernels;
/* commands/launch.c */
extern const struct command command_launch, command_counters;
/* commands/findings.c */
extern const struct command command_findings;
/* commands/code.c, commands/ptx.c, commands/sass.c, commands/fatbin.c */
extern const struct command command_code, command_ptx, command_sass, command_fatbin;
/* commands/occupancy.c */
extern const struct command command_occupancy;
/* commands/devices.c */
extern const struct command command_devices;
/* commands/session.c */
extern const struct command command_set, command_show, command_source, command_echo,
    command_history, command_output, command_alias, command_quit;
/* commands/play.c */
extern const struct command command_play;
/* commands/side.c */
extern const struct command command_side;
/* commands/snap.c */
extern const struct command command_snap;
/* commands/transcript.c */
extern const struct command command_transcript, command_replay;
/* commands/next.c */
extern const struct command command_next;
/* commands/help.c */
extern const struct command command_help, command_apropos, command_explain, command_complete;

#endif
