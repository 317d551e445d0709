/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each name that a compiler has written is looked at once. Compilers write the name of one file in
 * several ways, so a file is known by its place on the disk. What was typed comes first.
 */
#include "run/sources.h"

#include "cc/source.h"
#include "own/cause.h"
#include "run/run.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct run_source {
    const char *name;  /* as the compiler has it, or as it was typed */
    const char *shown; /* NULL: it is not the student's */
    bool exists;
    dev_t device;
    ino_t number;
    struct buf text; /* that was read here */
};

/* Headers of the system and of compilers, wherever these are installed, and what nvcc writes. */
static bool is_foreign(const char *name)
{
    static const char *const parts[] = {"/usr/", "/opt/", "/lib/clang/", "/include/c++/",
                                        "/include/cuda", "cuda/include/", "/targets/", "/tmpxft_",
                                        "/include/crt/", "/include/thrust/", "/include/cub/",
                                        "kernels/include/", "cudalab_device", NULL};
    bool found = name[0] == '<';
    for (int i = 0; parts[i] && !found; i++)
        found = i < 2 ? strncmp(name, parts[i], strlen(parts[i])) == 0
                      : strstr(name, parts[i]) != NULL;
    return found || ends_in(name, ".stub") || ends_in(name, ".stub.c");
}

static struct run_source *add(struct run *r, const char *name, const char *shown)
{
    struct run_sources *s = &r->sources;
    void *all = s->all;
    struct run_source made = {.name = arena_text(&s->names, name, strlen(name))};
    struct stat info;
    if (shown)
        made.shown = arena_text(&s->names, shown, strlen(shown));
    if (!made.name || (shown && !made.shown) ||
        mem_grow(&allocator_libc, &all, &s->capacity, s->count, sizeof *s->all) != 0)
        return NULL;
    made.exists = stat(name, &info) == 0 && S_ISREG(info.st_mode);
    if (made.exists) {
        made.device = info.st_dev;
        made.number = info.st_ino;
    }
    s->all = all;
    s->all[s->count] = made;
    return &s->all[s->count++];
}

int run_source_give(struct run *r, const char *path, struct span text, struct err *e)
{
    struct run_source *s = add(r, path, path);
    if (!s || units_add_text(&r->session, path, text, e) != 0)
        return fail_memory(e);
    return 0;
}

/* The name as it is seen from the current folder. */
static const char *seen_from_here(const char *name)
{
    char here[PATH_MAX];
    while (strncmp(name, "./", 2) == 0)
        name += 2;
    const size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
    return n > 1 && strncmp(name, here, n) == 0 && name[n] == '/' ? name + n + 1 : name;
}

static void read_text(struct run *r, struct run_source *s)
{
    struct err unread;
    const bool may = s->exists && (!r->may_read || r->may_read(r->ctx, s->name));
    int fd = may ? open(s->name, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0 && source_read(fd, s->name, SOURCE_MOST, &s->text, &unread) == 0)
        units_add_text(&r->session, s->shown, (struct span){buf_text(&s->text), s->text.len},
                       &unread);
}

const char *run_source_shown(struct run *r, const char *name)
{
    const struct run_sources *s = &r->sources;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->all[i].name, name) == 0)
            return s->all[i].shown;
    struct run_source *found = add(r, name, NULL);
    for (size_t i = 0; found && found->exists && i + 1 < s->count; i++)
        if (s->all[i].shown && s->all[i].exists && s->all[i].device == found->device &&
            s->all[i].number == found->number)
            return found->shown = s->all[i].shown;
    if (!found || is_foreign(name))
        return NULL;
    found->shown = seen_from_here(found->name);
    read_text(r, found);
    return found->shown;
}

/* The lines are .file NUMBER "NAME", where nothing is escaped but what is no letter. */
const char *run_source_of_ptx(struct run *r, struct span ptx)
{
    struct span line;
    char name[PATH_MAX];
    unsigned number;
    while (next_line(&ptx, &line)) {
        char text[PATH_MAX + 40];
        line = trim(line);
        if (!begins(line, ".file") || line.n >= sizeof text)
            continue;
        snprintf(text, sizeof text, "%.*s", (int)line.n, line.at);
        if (sscanf(text, ".file %u \"%4095[^\"]\"", &number, name) != 2)
            continue;
        const char *shown = run_source_shown(r, name);
        if (shown)
            return shown;
    }
    return NULL;
}

struct span run_source_text(const struct run *r, const char *shown)
{
    return kernel_source(&r->session, shown);
}

struct span run_source_line(const struct run *r, const struct run_place *p)
{
    return p->line ? line_at(run_source_text(r, p->file), p->line) : SPAN("");
}

void run_sources_free(struct run *r)
{
    struct run_sources *s = &r->sources;
    for (size_t i = 0; i < s->count; i++)
        buf_free(&s->all[i].text);
    mem_free(&allocator_libc, s->all, s->capacity * sizeof *s->all);
    arena_free(&s->names);
    *s = (struct run_sources){0};
}
