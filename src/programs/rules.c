/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file lists the files that compilers need. A program has its libraries in `lib` beside its
 * `bin`, wherever it is installed. Links are followed first, since rules are about files, not
 * names.
 */
#include "programs/rules.h"

#include "cc/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rules_add(struct rules *r, const char *path, unsigned may)
{
    if (r->to.count == RULES_MOST || strlen(path) >= COMPILER_PATH) {
        r->full = true;
        return;
    }
    char *copy = r->path[r->to.count];
    snprintf(copy, COMPILER_PATH, "%s", path);
    r->all[r->to.count++] = (struct confine_rule){copy, may};
    r->to.rules = r->all;
}

static void add_inside(struct rules *r, const char *folder, const char *name)
{
    char path[COMPILER_PATH];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
        rules_add(r, path, CONFINE_READ);
    else
        r->full = true;
}

void rules_begin(struct rules *r, enum confine_kind kind)
{
    static const char *const libraries[] = {"/lib", "/lib64", "/usr/lib", "/usr/lib64",
                                            "/usr/local/lib", "/etc/ld.so.cache", NULL};
    static const char *const loaders[] = {"/lib64/ld-linux-x86-64.so.2",
                                          "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1",
                                          "/lib/ld-musl-aarch64.so.1", NULL};
    memset(r, 0, sizeof *r);
    r->to.kind = kind;
    for (const char *const *l = libraries; *l; l++)
        rules_add(r, *l, CONFINE_READ);
    for (const char *const *l = loaders; *l; l++)
        rules_add(r, *l, CONFINE_RUN);
#ifdef CONFINE_SANITIZED /* a sanitizer reads the process's map; a student's program has none */
    if (kind != CONFINE_STRANGER)
        rules_add(r, "/proc", CONFINE_READ);
#endif
}

void rules_run(struct rules *r, const char *program)
{
    char *real = realpath(program, NULL);
    if (!real)
        return;
    rules_add(r, real, CONFINE_RUN);
    char *slash = strrchr(real, '/');
    size_t n = (size_t)(slash - real);
    if (n > 4 && memcmp(slash - 4, "/bin", 4) == 0) {
        slash[-4] = '\0';
        add_inside(r, real, "lib");
        add_inside(r, real, "lib64");
    }
    free(real);
}

void rules_toolkit(struct rules *r, const struct compilers *have)
{
    static const char *const inside[] = {"include", "lib", "lib64", "targets", "nvvm", "bin", NULL};
    char *real = have->toolkit[0] ? realpath(have->toolkit, NULL) : NULL;
    for (const char *const *name = inside; real && *name; name++)
        add_inside(r, real, *name);
    free(real);
}

void rules_headers(struct rules *r)
{
    rules_add(r, "/usr/include", CONFINE_READ);
    rules_add(r, "/usr/local/include", CONFINE_READ);
}

void rules_options(struct rules *r, const char *options)
{
    char path[COMPILER_PATH];
    struct span text;
    for (char kind; (kind = option_next(&options, &text));)
        if (kind == 'I' &&
            snprintf(path, sizeof path, "%.*s", (int)text.n, text.at) < (int)sizeof path)
            rules_add(r, path, CONFINE_READ);
}

void rules_compilers(struct rules *r)
{
    static const char *const tools[] = {"ptxas", "nvdisasm", "cuobjdump", "ld", NULL};
    struct compilers have;
    char path[COMPILER_PATH];
    compilers_find(true, &have);
    rules_run(r, "/proc/self/exe"); /* to open NVRTC */
    rules_run(r, have.clang);
    rules_toolkit(r, &have);
    rules_headers(r);
    for (const char *const *tool = tools; *tool; tool++)
        if (tool_find(*tool, true, path))
            rules_run(r, path);
}
