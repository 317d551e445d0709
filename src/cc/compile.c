/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file names the compilers and frees what one of them made.
 */
#include "cc/compile.h"

const char cache_of_user[] = "";
const char *const compiler_names[] = {"auto", "nvrtc", "nvcc", "clang", NULL};

void compiled_free(struct compiled *c)
{
    buf_free(&c->ptx);
    buf_free(&c->log);
}
