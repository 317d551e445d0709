/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands that are not labs, by the file that holds them. commands.c puts them in order.
 */
#ifndef REPL_FAMILIES_H
#define REPL_FAMILIES_H

#include "command/command.h"

/* cmd-arrays.c */
extern const struct command command_array, command_fill, command_print, command_compare,
    command_save, command_free, command_arrays;
/* cmd-kernels.c */
extern const struct command command_load, command_reload, command_watch, command_kernels;
/* cmd-launch.c */
extern const struct command command_launch, command_counters;
/* cmd-findings.c */
extern const struct command command_findings;
/* cmd-code.c, cmd-ptx.c, cmd-sass.c, cmd-fatbin.c */
extern const struct command command_code, command_ptx, command_sass, command_fatbin;
/* cmd-occupancy.c */
extern const struct command command_occupancy;
/* cmd-devices.c */
extern const struct command command_devices;
/* cmd-session.c */
extern const struct command command_set, command_show, command_source, command_echo,
    command_history, command_output, command_alias, command_quit;
/* cmd-play.c */
extern const struct command command_play;
/* cmd-side.c */
extern const struct command command_side;
/* cmd-snap.c */
extern const struct command command_snap;
/* cmd-transcript.c */
extern const struct command command_transcript, command_replay;
/* cmd-next.c */
extern const struct command command_next;
/* cmd-help.c */
extern const struct command command_help, command_apropos, command_explain, command_complete;

#endif
