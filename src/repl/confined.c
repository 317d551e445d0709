/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cudalab confines itself before the first command of others runs. What stays open to it are the
 * files that it was given, the compilers with their headers, and a scratch folder for these; a
 * compiler is confined more narrowly still when it is started (programs/child.h).
 */
#include "repl/confined.h"

#include "programs/rules.h"

#include <stdlib.h>
#include <string.h>

static void add_surroundings(struct rules *r)
{
    static const char *const read[] = {"/usr/share/terminfo", "/etc/terminfo", "/proc/meminfo",
                                       "/proc/self/status", "/proc/self/statm", "/sys/fs/cgroup",
                                       "/proc/self/cgroup", NULL};
    for (const char *const *path = read; *path; path++)
        rules_add(r, *path, CONFINE_READ);
    rules_add(r, "/dev/null", CONFINE_READ | CONFINE_DEVICE);
    rules_add(r, "/dev/tty", CONFINE_READ | CONFINE_DEVICE); /* the prompt */
}

/* Both lists in one, from malloc. */
static const char **name_files(const struct shell *sh, const char *const *scripts, unsigned count)
{
    const char **all = calloc(count + sh->allowed_count + 1, sizeof *all);
    if (all && count)
        memcpy(all, scripts, count * sizeof *all);
    if (all && sh->allowed_count)
        memcpy(all + count, sh->allowed, sh->allowed_count * sizeof *all);
    return all;
}

static int confine(struct shell *sh, struct rules *r, const char *const *files, struct err *e)
{
    rules_begin(r, false);
    rules_compilers(r);
    add_surroundings(r);
    rules_add(r, sh->scratch.path, CONFINE_READ | CONFINE_WRITE);
    r->to.plain = files;
    if (r->full)
        return fail(e, "a compiler's path is too long to be confined");
    return setenv("TMPDIR", sh->scratch.path, 1) != 0 ? fail_memory(e) : confine_self(&r->to, e);
}

int shell_confine(struct shell *sh, const char *const *scripts, unsigned count, struct err *e)
{
    if (!confine_version() || strcmp(sh->session.device->kind, "sim") != 0)
        return 0;
    if (scratch_make(&sh->scratch, e) != 0 || scratch_leave(&sh->scratch, e) != 0)
        return -1;
    struct rules *r = malloc(sizeof *r);
    const char **files = name_files(sh, scripts, count);
    int rc = r && files ? confine(sh, r, files, e) : fail_memory(e);
    free(r);
    free(files);
    return rc;
}
