/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settings: a name, a type with its bounds, an initial value and a help sentence each.
 * `set`, `show`, completion and the options cudalab starts with all use this one table.
 */
#ifndef REPL_SETTINGS_H
#define REPL_SETTINGS_H

#include "repl/shell.h"

enum { LIST_BYTES = sizeof ((struct settings *)0)->include };

enum setting_type {
    SETTING_SWITCH,   /* on or off: bool */
    SETTING_INT,      /* lo..hi: int */
    SETTING_UINT,     /* lo..hi: uint64_t */
    SETTING_SECONDS,  /* 0 (none) to hi: double */
    SETTING_CHOICE,   /* one of choices: char[8] */
    SETTING_SCHEDULE, /* lockstep, independent, random[:SEED]: char[40] */
    SETTING_FOLDERS,  /* "inc:lib": char[LIST_BYTES] */
    SETTING_MACROS,   /* "N=64,DEBUG": char[LIST_BYTES] */
    SETTING_DEVICE    /* what device_open() takes: char[64] */
};

struct setting {
    const char *name;
    enum setting_type type;
    size_t offset; /* in struct shell */
    uint64_t lo, hi;
    const char *const *choices; /* SETTING_CHOICE; else what completion offers */
    const char *initial;
    const char *help;
    enum { SAFE_FREE, SAFE_LOWER, SAFE_HELD } under_safe; /* it may only get lower; it stays */
};

enum { SETTINGS_MOST = 32 };
extern const struct setting settings_table[]; /* ends with a NULL name; at most SETTINGS_MOST */

const struct setting *setting_exact(const char *name);               /* NULL: there is none */
const struct setting *setting_named(const char *name, struct err *); /* NULL: offers the nearest */
int setting_put(struct shell *, const struct setting *, const char *text, struct err *);
void setting_get(const struct shell *, const struct setting *, struct buf *);
void setting_json(const struct shell *, const struct setting *, const char *key, struct json *);
/* What it is when cudalab starts: on a terminal `volatile` is on, a script has a time limit. */
const char *setting_initial(const struct shell *, const struct setting *);
int settings_reset(struct shell *, struct err *); /* all to their initial values */
/* The initial value; in words, where main.c starts some sessions with another one. */
const char *setting_at_start(const struct setting *);
void setting_values(const struct setting *, struct buf *); /* "on or off", "1 to 1024" */

#endif
