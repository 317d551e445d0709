/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds files that have changed. This compares the bytes of files and not their times, because an
 * editor may save a file without a change, and a header may change although the source does not.
 * For a source with its headers, a fingerprint is kept and compared. For PTX, the whole text is
 * kept.
 */
#include "repl/changed.h"

#include <string.h>

struct print128 headers_print(const char *path, const struct buf *text, const char *options)
{
    struct print128 print = print_start;
    source_print(path, buf_text(text), text->len, options, &print);
    return print;
}

static bool is_other(const struct unit *u, const struct buf *text)
{
    if (!u->source.len)
        return text->len != u->ptx.len || memcmp(text->data, u->ptx.data, text->len) != 0;
    const struct print128 now = headers_print(u->path, text, u->options);
    return now.high != u->print.high || now.low != u->print.low;
}

bool unit_has_changed(struct shell *sh, const struct unit *u)
{
    struct buf text = {0};
    struct err ignored;
    const size_t most = u->source.len ? (size_t)SOURCE_MOST : (size_t)PTX_MOST;
    int fd = u->is_example ? -1 : shell_open_plain(sh, u->path, &ignored);
    bool changed = fd >= 0 && source_read(fd, u->path, most, &text, &ignored) == 0 &&
                   is_other(u, &text);
    buf_free(&text);
    return changed;
}

struct taking {
    struct shell *shell;
    struct report *report;
    struct buf paths; /* the files that were loaded again; each path ends with a NUL byte */
};

/* The file of the unit, or one that was linked with it, if that has changed; else NULL. */
static const struct unit *changed_part(struct shell *sh, const struct unit *u)
{
    const struct units *all = sh->session.units;
    for (unsigned i = 0; i < all->count; i++)
        if (all->all[i]->leader == u->leader && unit_has_changed(sh, all->all[i]))
            return all->all[i];
    return NULL;
}

static int take_change(struct taking *t, const struct unit *loaded)
{
    const struct unit *u = changed_part(t->shell, loaded);
    if (!u)
        return 0;
    const size_t before = t->paths.len;
    buf_add(&t->paths, u->path, strlen(u->path) + 1);
    int rc = load_again(t->shell, u, t->report);
    if (rc != 0)
        t->paths.len = before;
    return rc;
}

/* Loads all units whose files have changed. A unit that is loaded again moves to the end of the list,
 * so `i` is then the index of the next unit already. */
static int take_all(struct taking *t)
{
    const struct units *all = t->shell->session.units;
    const unsigned count = all ? all->count : 0;
    int rc = 0;
    for (unsigned i = 0, asked = 0; rc == 0 && asked < count; asked++) {
        const struct unit *u = all->all[i];
        rc = take_change(t, u);
        i += all->all[i] == u;
    }
    return rc;
}

static void paths_json(const struct buf *paths, struct json *j)
{
    if (!paths->len || paths->failed)
        return;
    json_array(j, "loaded_again");
    for (size_t at = 0; at < paths->len; at += strlen(paths->data + at) + 1)
        json_text(j, NULL, paths->data + at);
    json_end_array(j);
}

int take_changes(struct shell *sh, const char *kernel, struct report *r)
{
    struct taking t = {.shell = sh, .report = r};
    struct unit *u = NULL;
    struct err ignored = {0};
    if (sh->safe)
        return 0;
    int rc = unit_kernel_named(&sh->session, kernel, &u, &ignored) ? take_change(&t, u)
                                                                   : take_all(&t);
    paths_json(&t.paths, &r->result);
    buf_free(&t.paths);
    return rc;
}
