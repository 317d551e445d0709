/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time that passes on this computer, for limits and for what is measured. No result may
 * depend on it.
 */
#ifndef OS_CLOCK_H
#define OS_CLOCK_H

double clock_seconds(void); /* since some moment; setting the computer's clock changes nothing */
double clock_cpu_seconds(void); /* that this process has kept processors busy, as C's clock() */

#endif
