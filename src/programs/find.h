/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * These functions find the compilers of CUDA C on this machine. They run none of them.
 */
#ifndef PROGRAMS_FIND_H
#define PROGRAMS_FIND_H

#include "cc/compile.h"

#include <stdbool.h>

enum { COMPILER_PATH = 512 };
struct compilers {
    char nvrtc[COMPILER_PATH]; /* the library's file; "" where there is none */
    char nvcc[COMPILER_PATH];
    char clang[COMPILER_PATH];
    char toolkit[COMPILER_PATH]; /* the folder with bin/nvcc, lib64 and include */
};
/* Confined: no script, since a confined process has no shell to run it. */
void compilers_find(bool confined, struct compilers *);
/* Another of the toolkit's programs, "ptxas": on the PATH, or beside nvcc. */
bool tool_find(const char *name, bool confined, char out[COMPILER_PATH]);
/* One of the toolkit's libraries, "libcudadevrt.a", in the folders where NVRTC may be. -1: it is in
 * none of them, and the error names them. */
int library_find(const char *name, char out[COMPILER_PATH], struct err *);
const char *compiler_path(const struct compilers *, enum compiler);

#endif
