/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that commands write. A student's own file is easily lost by a slip: `output k.cu`. So at
 * the prompt cudalab asks before it replaces a file, unless this session has left the file as it
 * is now.
 */
#include "repl/shell.h"

#include "base/mem.h"
#include "os/file.h"
#include "os/tty.h"
#include "repl/prompt.h"
#include "repl/talk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file as the session left it. An editor that saves it changes at least its time. */
struct written_file {
    dev_t dev;
    ino_t ino;
    off_t size;
    struct timespec changed;
};

static struct written_file file_now(const struct stat *info)
{
    return (struct written_file){info->st_dev, info->st_ino, info->st_size, info->st_mtim};
}

static bool same_file(const struct written_file *a, const struct written_file *b)
{
    return a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* Scripts replace files without a question, so they need not be noted there. */
void shell_wrote(struct shell *sh, int fd)
{
    struct written_files *w = &sh->written;
    struct stat info;
    if (!sh->prompting || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    void *grown = w->files;
    if (mem_grow(&allocator_libc, &grown, &w->room, w->count, sizeof *w->files) != 0)
        return; /* then it is asked about once too often */
    w->files = grown;
    w->files[w->count++] = file_now(&info);
}

void written_forget(struct written_files *w)
{
    mem_free(&allocator_libc, w->files, w->room * sizeof *w->files);
    *w = (struct written_files){0};
}

/* Is it in the list? It is taken out, since it will be replaced. */
static bool take_written(struct shell *sh, const struct stat *info)
{
    struct written_files *w = &sh->written;
    const struct written_file now = file_now(info);
    for (unsigned i = 0; i < w->count; i++)
        if (same_file(&w->files[i], &now)) {
            w->files[i] = w->files[--w->count];
            return true;
        }
    return false;
}

/* ---- asking --------------------------------------------------------------------------- */

bool shell_can_ask(const struct shell *sh)
{
    return shell_watched(sh) && sh->prompting && (sh->talk ? sh->talk->asks : tty_is(STDIN_FILENO));
}

bool shell_agrees_to_replace(struct shell *sh, const char *path)
{
    struct buf question = {0};
    if (!shell_can_ask(sh))
        return false;
    buf_printf(&question, "%s exists. Type y to overwrite the file: ", path);
    bool yes = prompt_agrees(sh, buf_text(&question));
    buf_free(&question);
    return yes;
}

int shell_may_replace(struct shell *sh, const char *path, struct err *e)
{
    struct stat info;
    if (!shell_can_ask(sh) || stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        info.st_size == 0 || take_written(sh, &info) || shell_agrees_to_replace(sh, path))
        return 0;
    return fail(e, "`%.300s` is kept. Choose another name, or answer y", path);
}

/* ---- saving --------------------------------------------------------------------------- */

/* In pieces, so that the student sees how far a large file is, and can stop it. Returns an errno,
 * or 0. */
static int write_all(struct shell *sh, struct sink *to, const char *bytes, size_t n)
{
    enum { PIECE = 16 << 20 };
    size_t done = 0;
    do {
        const size_t more = n - done < PIECE ? n - done : PIECE;
        if (done && sh->session.stop)
            return EINTR;
        if (sink_write(to, bytes + done, more) != 0)
            return to->error;
        done += more;
        progress_tell(&sh->session.progress, n ? (double)done / (double)n : 1);
    } while (done < n);
    return 0;
}

static int replace(struct shell *sh, const char *path, const char *bytes, size_t n, struct err *e)
{
    struct file_new f;
    if (file_new_begin(&f, path, e) != 0)
        return -1;
    struct sink to = {.fd = f.fd};
    const int wrong = write_all(sh, &to, bytes, n);
    shell_wrote(sh, f.fd);
    const int rc = file_new_end(&f, path, wrong, e);
    if (rc == 0 && sh->talk)
        talk_wrote(sh, path);
    return rc;
}

int shell_save_own(struct shell *sh, const char *path, const char *bytes, size_t n,
                   struct err *e)
{
    if (sh->safe)
        return fail(e, "--safe allows no writing to files");
    return team_speaks(sh->session.team) ? replace(sh, path, bytes, n, e) : 0;
}

int shell_save(struct shell *sh, const char *path, const char *bytes, size_t n, struct err *e)
{
    if (!sh->safe && shell_may_replace(sh, path, e) != 0)
        return -1;
    return shell_save_own(sh, path, bytes, n, e);
}
