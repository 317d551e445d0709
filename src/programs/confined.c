/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cudalab confines itself before the first command of others runs. What stays open to it are the
 * files that it was given, the compilers with their headers, a scratch folder for these, and the
 * cache that it was given. A compiler is confined more narrowly still when it is started (child.h).
 */
#include "programs/programs.h"

#include "programs/rules.h"
#include "programs/scratch.h"

#include <stdlib.h>

static void add_surroundings(struct rules *r)
{
    static const char *const read[] = {"/usr/share/terminfo", "/etc/terminfo", "/proc/meminfo",
                                       "/proc/self/status", "/proc/self/statm", "/sys/fs/cgroup",
                                       "/proc/self/cgroup", NULL};
    for (const char *const *path = read; *path; path++)
        rules_add(r, *path, CONFINE_READ);
    rules_add(r, "/dev/null", CONFINE_READ | CONFINE_DEVICE);
    rules_add(r, "/dev/urandom", CONFINE_READ); /* whole programs */
    rules_add(r, "/dev/tty", CONFINE_READ | CONFINE_DEVICE); /* the prompt */
}

static int confine(const struct scratch *scratch, const char *const *files, const char *cache,
                   struct rules *r, struct err *e)
{
    rules_begin(r, CONFINE_PARENT);
    rules_compilers(r);
    add_surroundings(r);
    rules_add(r, scratch->path, CONFINE_READ | CONFINE_WRITE | CONFINE_RUN); /* what `run` makes */
    if (cache)
        rules_add(r, cache, CONFINE_READ | CONFINE_WRITE);
    r->to.plain = files;
    if (r->full)
        return fail(e, "a compiler's path is too long to be confined");
    return setenv("TMPDIR", scratch->path, 1) != 0 ? fail_memory(e) : confine_self(&r->to, e);
}

int program_confine(const char *const *files, const char *cache, struct scratch **out, struct err *e)
{
    if (!confine_version())
        return 0;
    struct rules *r = malloc(sizeof *r);
    struct scratch *scratch = *out = calloc(1, sizeof *scratch);
    int rc = r && scratch ? scratch_make(scratch, e) : fail_memory(e);
    if (rc == 0)
        rc = scratch_leave(scratch, e);
    if (rc == 0)
        rc = confine(scratch, files, cache, r, e);
    free(r);
    return rc;
}

void program_end_confined(struct scratch *scratch)
{
    if (scratch)
        scratch_remove(scratch);
    free(scratch);
}
