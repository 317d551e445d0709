/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that links cudalab's parts without its main() can't be started as the process that
 * works with a device. main.c has its own device_program, and then this file isn't linked.
 */
#include "dev/device.h"

const char *const device_program = NULL;
