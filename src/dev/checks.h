/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checkers by name, as `launch --check LIST` has them: race, race:strict, memory, uninit,
 * sync, joined by commas; or none; or all, which is every one of them but strict.
 */
#ifndef DEV_CHECKS_H
#define DEV_CHECKS_H

#include "dev/device.h"

extern const char *const check_names[]; /* for completion and help; ends with NULL */
int checks_parse(const char *list, unsigned *checks, struct err *);

#endif
