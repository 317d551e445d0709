/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion: what could stand where a line ends. The prompt and the command `complete` ask
 * the same function.
 */
#ifndef REPL_COMPLETE_H
#define REPL_COMPLETE_H

#include "repl/shell.h"

struct completions {
    char **names; /* sorted, each once */
    unsigned count;
    size_t capacity;
    size_t from;  /* where in the line the piece starts that they would replace */
    bool files;
    bool calls;   /* kernels to launch: <<< follows the name */
};

int complete_line(struct shell *, const char *line, size_t n, struct completions *);
/* As members: where the piece begins (bytes of the line), the names, and what follows a kernel. */
void completions_json(const struct completions *, struct json *);
void completions_free(struct completions *);

#endif
