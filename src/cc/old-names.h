/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that CUDA had once and has no more, and what to write now.
 */
#ifndef CC_OLD_NAMES_H
#define CC_OLD_NAMES_H

#include "base/buf.h"
#include "cc/token.h"

/* Those that a text uses: one line each, at the first place. */
void old_names(const char *path, const char *text, size_t n, struct buf *out);

/* Would host code with this word, after that token, be refused for it? */
bool old_name_is_gone(const struct token *before, const struct token *word);

#endif
