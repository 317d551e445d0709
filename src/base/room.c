/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three questions. Would the kernel map so many bytes for this process, by its limits? Does the
 * computer have them, besides what this process was given and has not touched yet? Do the control
 * groups leave them? A file that can't be read asks nothing.
 */
#define _GNU_SOURCE /* O_CLOEXEC, MAP_ANONYMOUS */
#include "base/room.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Left for small things, and for the rest of the system. */
#define SPARE ((size_t)16 << 20)
#define SPARE_OF_ALL ((uint64_t)128 << 20)

enum { PATH = 512, TEXT = 8192 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHADOWED 1 /* most of its memory is a shadow that is never touched */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                      \
    __has_feature(memory_sanitizer)
#define SHADOWED 1
#endif
#endif
#ifndef SHADOWED
#define SHADOWED 0
#endif

/* ---- files of the kernel's ------------------------------------------------------------ */

static bool read_text(const char *path, char text[TEXT])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, TEXT - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* The number behind a word at the beginning of a line; 0: there is none. */
static uint64_t number_after(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, word, n) == 0)
            return strtoull(line + n, NULL, 10);
    }
    return 0;
}

/* ---- the computer --------------------------------------------------------------------- */

/* Bytes that this process was given and has not touched yet: they are still promised to it. */
static uint64_t promised(char text[TEXT])
{
    unsigned long long size, resident, shared, code, library, data;
    if (SHADOWED || !read_text("/proc/self/statm", text) ||
        sscanf(text, "%llu %llu %llu %llu %llu %llu", &size, &resident, &shared, &code, &library,
               &data) != 6)
        return 0;
    uint64_t touched = resident > shared ? resident - shared : 0;
    return data > touched ? (data - touched) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static bool computer_has(uint64_t bytes)
{
    char text[TEXT];
    uint64_t available = 0, taken = bytes + SPARE_OF_ALL;
    if (read_text("/proc/meminfo", text))
        available = 1024 * number_after(text, "MemAvailable:");
    return !available || available >= taken + promised(text);
}

/* ---- control groups ------------------------------------------------------------------- */

/* The names of version 1 and 2. What was read from files can be taken back at any time. */
static const struct group_files {
    const char *root, *limit, *usage, *reclaimable;
} group_files[] = {{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                    "total_inactive_file"},
                   {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"}};

static uint64_t read_number(const char *folder, const char *name, char text[TEXT])
{
    char path[2 * PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return read_text(path, text) ? strtoull(text, NULL, 10) : 0; /* "max" is 0 as well */
}

static bool folder_has(const struct group_files *f, const char *folder, uint64_t bytes)
{
    char text[TEXT];
    uint64_t limit = read_number(folder, f->limit, text);
    if (!limit || limit > UINT64_MAX / 4)
        return true;
    uint64_t usage = read_number(folder, f->usage, text), back = 0;
    char path[2 * PATH];
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    if (read_text(path, text))
        back = number_after(text, f->reclaimable);
    usage -= back < usage ? back : usage;
    return limit >= usage + promised(text) + bytes + SPARE;
}

/* A group, and all that it lies in. */
static bool group_has(const struct group_files *f, const char *group, size_t n, uint64_t bytes)
{
    char folder[PATH];
    snprintf(folder, sizeof folder, "%s%.*s", f->root, (int)(n < PATH / 2 ? n : PATH / 2), group);
    for (;;) {
        if (!folder_has(f, folder, bytes))
            return false;
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= strlen(f->root) || !slash)
            return true;
        *slash = '\0';
    }
}

/* Lines as 0::/GROUP for version 2, and as 4:memory:/GROUP for version 1. */
static bool groups_have(uint64_t bytes)
{
    char text[TEXT];
    if (!read_text("/proc/self/cgroup", text))
        return true;
    for (char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
        if (!group)
            continue;
        bool second = group == names + 1, first = strncmp(names, ":memory:", 8) == 0;
        if ((first || second) &&
            !group_has(&group_files[second], group + 1, strcspn(group + 1, "\n"), bytes))
            return false;
    }
    return true;
}

/* ---- this process --------------------------------------------------------------------- */

/* The kernel counts a mapping against the limits when it is made, touched or not. */
static bool limits_leave(size_t bytes)
{
    void *p = mmap(NULL, bytes + SPARE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return false;
    munmap(p, bytes + SPARE);
    return true;
}

bool room_for(size_t bytes)
{
    if (bytes < ROOM_ASKS)
        return true;
    return bytes < SIZE_MAX / 4 && limits_leave(bytes) && computer_has(bytes) && groups_have(bytes);
}

static void bound(uint64_t bytes)
{
    struct rlimit limit;
    if (SHADOWED || getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || bytes < limit.rlim_max ? (rlim_t)bytes
                                                                              : limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
}

void room_bound(uint64_t bytes)
{
    bound(bytes);
}

void room_unbound(void)
{
    bound(RLIM_INFINITY);
}
