/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mistakes in the program's own tables and texts: a slot that no table has, a kernel that no
 * module has, an option that its member can't hold. No input causes them. A test build
 * (--enable-test-build, or any with sanitizers) ends at once, so that no test misses one; any
 * other build goes on with what it has.
 */
#ifndef OS_BUG_H
#define OS_BUG_H

#include "base/err.h"

void bug(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
