/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a whole program may have: its stdin, its bytes of output, and under --safe its memory and
 * the files that it may read. programs/whole.c confines it.
 */
#include "repl/run/running.h"

#include "base/room.h"
#include "os/fd.h"
#include "os/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUT_MOST = 64 << 20, INPUT_MOST = 64 << 20 };

/* A confined compiler could not open the folder, and would say that a header is missing. */
static int check_folders(struct shell *sh, const struct arg_many *folders, struct err *e)
{
    for (unsigned i = 0; i < folders->count; i++)
        if (!shell_allows(sh, folders->text[i], e))
            return -1;
    return 0;
}

int run_check_safe(struct running *w)
{
    const struct run_options *o = w->options;
    struct err e = {0};
    if (!w->sh->safe)
        return 0;
    if (o->device == RUN_ON_GPU || o->compare)
        return report_fail(w->report, "under --safe a program runs on the simulator only: it can't "
                                      "be confined with the driver of a GPU");
    if (o->report_file)
        return report_fail(w->report, "--safe allows no writing to files");
    return check_folders(w->sh, &o->folders, &e) || check_folders(w->sh, &o->library_folders, &e)
               ? report_fail_err(w->report, &e) : 0;
}

const char *const *run_allowed(const struct running *w)
{
    return w->sh->safe ? w->sh->allowed : NULL;
}

/* Somebody else's script must not read what is meant for the operator: only commands that the
 * operator typed have the input. A terminal could be written to, and a socket. */
static bool is_safe_input(const struct shell *sh)
{
    struct stat info;
    const int flags = fcntl(STDIN_FILENO, F_GETFL);
    const struct script_place *p = sh->place;
    return p && !p->outer && !p->is_file && (p->alone || strcmp(p->name, "-c") == 0) &&
           flags >= 0 && (flags & O_ACCMODE) == O_RDONLY && fstat(STDIN_FILENO, &info) == 0 &&
           (S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode));
}

bool run_gives_input(const struct running *w)
{
    const struct shell *sh = w->sh;
    return !w->options->input && !w->input.data && !sh->reads_stdin && !sh->record.caught &&
           !sh->session.team && (!sh->safe || is_safe_input(sh));
}

int run_keep_input(struct running *w, struct err *e)
{
    if (!run_gives_input(w) || tty_is(STDIN_FILENO))
        return 0;
    const enum fd_all end = fd_read_all(STDIN_FILENO, INPUT_MOST, &w->input);
    if (end == FD_TOO_LARGE)
        return fail(e, "stdin has more than %d MiB, which is too much for two runs",
                    INPUT_MOST >> 20);
    return end == FD_UNREADABLE ? fail(e, "cannot read stdin: %s", strerror(errno))
           : w->input.failed    ? fail_memory(e) : 0;
}

size_t run_output_most(const struct running *w)
{
    const size_t text = budget_text(&w->sh->session.budget);
    return text && text < OUTPUT_MOST ? text : OUTPUT_MOST;
}

/* What the session has left is divided: a half is cudalab's, where the program's arrays are, a
 * quarter each for the program and for the memory that both share. */
void run_share_memory(struct running *w)
{
    const size_t left = shell_compiler_memory(w->sh);
    w->memory = left / 2;
    if (left && room_limit() != UINT64_MAX)
        room_bound(room_limit() - left); /* until the next command */
}

bool run_used_memory(const struct running *w)
{
    struct stat info;
    return w->memory && fstat(w->run.memory, &info) == 0 &&
           (uint64_t)info.st_blocks * 512 > w->memory;
}
