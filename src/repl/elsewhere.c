/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where cudalab can start no compiler, PTX that one made elsewhere takes its place. For NAME.cu it is
 * NAME.ptx beside it, unless the source is newer. For an example of a help text it is what the build
 * carries. The caller sees the interface of a compiler, so that one can stand here later.
 */
#include "repl/elsewhere.h"

#include "base/lines.h"
#include "cc/source.h"
#include "os/asset.h"
#include "repl/changed.h"
#include "text/topics.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#ifdef WITH_WEB
#define WHY "a page in a browser has no compiler; install cudalab on a computer to compile it, or " \
            "compile it there with `nvcc -ptx` and add the PTX to this session"
#else
#define WHY "this cudalab was built without compilers (configure --disable-compile); compile it to " \
            "PTX elsewhere, and load that"
#endif

static const char folder[] = "kernels/ptx/example-", end[] = ".ptx";

/* ---- examples of the help texts ---------------------------------------------------------- */

static int take_example(const struct compile_want *w, struct compiled *out)
{
    char name[TOPIC_NAME], path[sizeof folder + TOPIC_NAME + sizeof end];
    const struct asset *by = asset_find("kernels/ptx/compiler"), *ptx;
    if (strncmp(w->path, "help:", 5) != 0 || !topic_find(w->path + 5, name))
        return -1;
    snprintf(path, sizeof path, "%s%s%s", folder, name, end);
    ptx = asset_find(path);
    if (!ptx || !ptx->size) /* clang can't compile all of them */
        return -1;
    buf_add(&out->ptx, (const char *)ptx->data, ptx->size);
    if (by)
        snprintf(out->compiler, sizeof out->compiler, "%.*s",
                 (int)strcspn((const char *)by->data, ",\n"), (const char *)by->data);
    return 0;
}

void elsewhere_offer(struct report *r)
{
    const char *between = "You can load the examples of these help texts, because cudalab was built "
                          "with their PTX: ";
    for (size_t i = 0; i < assets_count; i++)
        if (strncmp(assets[i].name, folder, strlen(folder)) == 0 && assets[i].size) {
            const char *name = assets[i].name + strlen(folder);
            buf_printf(&r->details, "%s%.*s", between, (int)(strlen(name) - strlen(end)), name);
            between = ", ";
        }
    if (r->details.len)
        buf_puts(&r->details, ". For example, type `load help:load`.\n");
}

/* ---- a student's file -------------------------------------------------------------------- */

static bool is_newer(const struct stat *one, const struct stat *other)
{
    return one->st_mtim.tv_sec != other->st_mtim.tv_sec
               ? one->st_mtim.tv_sec > other->st_mtim.tv_sec
               : one->st_mtim.tv_nsec > other->st_mtim.tv_nsec;
}

static int take_file(struct shell *sh, const struct compile_want *w, struct compiled *out)
{
    struct buf path = {0};
    struct stat source, made;
    struct err ignored;
    int fd = -1, rc = -1;
    if (w->linked || !ends_in(w->path, ".cu"))
        return -1;
    buf_add(&path, w->path, strlen(w->path) - strlen(".cu"));
    buf_puts(&path, end);
    if (!path.failed && stat(w->path, &source) == 0 && stat(buf_text(&path), &made) == 0 &&
        !is_newer(&source, &made) && (fd = shell_open_plain(sh, buf_text(&path), &ignored)) >= 0)
        rc = source_read(fd, buf_text(&path), PTX_MOST, &out->ptx, &ignored);
    if (rc == 0)
        snprintf(out->compiler, sizeof out->compiler, "the compiler that made %.30s",
                 base_name(buf_text(&path)));
    buf_free(&path);
    return rc;
}

/* ---- in place of a compiler -------------------------------------------------------------- */

/* --debug asks for names, which are missing then. Any other option would change the PTX. */
static bool has_other_options(const char *options)
{
    const char debug[] = {OPTION_DEBUG, '\n', '\0'};
    return options && *options && strcmp(options, debug) != 0;
}

int elsewhere_compile(struct shell *sh, const struct compile_want *w, struct compiled *out,
                      struct err *e)
{
    if (!has_other_options(w->options) &&
        (w->no_file ? take_example(w, out) : take_file(sh, w, out)) == 0)
        return out->ptx.failed ? fail_memory(e) : 0;
    return fail(e, "`%.300s` is CUDA C, and " WHY, w->path);
}
