/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much memory of its own this process uses, and how much it could have in all: that, and what
 * the computer and the control groups of the process have left. Linux tells it in files under /proc
 * and /sys.
 */
#ifndef OS_COMPUTER_H
#define OS_COMPUTER_H

#include <stdint.h>

uint64_t computer_used(void); /* bytes of its own that this process has touched */
uint64_t computer_room(void); /* bytes; UINT64_MAX: no file tells */

#endif
