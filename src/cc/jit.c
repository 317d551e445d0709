/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cc/jit.h"

void jitted_free(struct jitted *j)
{
    buf_free(&j->log);
    buf_free(&j->ptx);
    buf_free(&j->cubin);
    buf_free(&j->names);
}
