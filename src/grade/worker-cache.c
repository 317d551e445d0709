/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a worker compiles follows from its options and from the files that it may read. Their names
 * and bytes are what its cache is kept for (programs/made.c).
 */
#include "grade/worker-cache.h"

#include "grade/worker.h"
#include "os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 4 << 20 }; /* bytes; a larger hand-in is compiled each time */

/* A word or a file with its size, so that the end of each is known. */
static void add_part(struct buf *of, const char *bytes, size_t n)
{
    buf_printf(of, "%zu\n", n);
    buf_add(of, bytes, n);
}

/* The folder itself is allowed where headers lie in it, which are named as well. */
static bool add_file(struct buf *of, const char *folder, const char *name)
{
    struct buf path = {0}, text = {0};
    struct err ignored;
    if (strcmp(name, ".") == 0)
        return true;
    if (folder && name[0] != '/')
        buf_printf(&path, "%s/", folder);
    buf_puts(&path, name);
    const bool good = !path.failed && file_read(buf_text(&path), FILES_MOST, &text, &ignored) == 0;
    add_part(of, name, strlen(name));
    add_part(of, buf_text(&text), text.len);
    buf_free(&path);
    buf_free(&text);
    return good;
}

static bool name_inputs(struct buf *of, const struct worker_want *want)
{
    bool good = true;
    for (const char *const *word = want->options; word && *word; word++)
        add_part(of, *word, strlen(*word));
    for (const char *const *file = want->files; good && file && *file; file++)
        good = add_file(of, want->folder, *file) && of->len < FILES_MOST;
    return good && !of->failed;
}

void worker_cache_begin(struct worker_cache *c, const struct worker_want *want)
{
    c->folder[0] = '\0';
    if (!want->cached || !want->temporary || !want->files || !want->files[0] ||
        !name_inputs(&c->of, want) ||
        snprintf(c->folder, sizeof c->folder, "%s/cache-XXXXXX", want->temporary) >=
            (int)sizeof c->folder ||
        !mkdtemp(c->folder)) {
        c->folder[0] = '\0';
        return;
    }
    want->programs->made_take((struct span){buf_text(&c->of), c->of.len}, c->folder, &c->made);
}

void worker_cache_end(struct worker_cache *c, const struct worker_want *want, bool keeps)
{
    if (c->folder[0] && keeps)
        want->programs->made_keep((struct span){buf_text(&c->of), c->of.len}, c->folder, &c->made);
    if (c->folder[0])
        file_remove_folder(c->folder);
    c->folder[0] = '\0';
    buf_free(&c->of);
    buf_free(&c->made);
}
