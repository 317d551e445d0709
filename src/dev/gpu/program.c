/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that links cudalab's parts without its main() can't be started as the process that
 * works with a GPU. main.c has its own gpu_program, and then this file isn't linked.
 */
#include "dev/gpu/process.h"

const char *const gpu_program = NULL;
