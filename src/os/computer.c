/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading what Linux tells of memory: /proc/meminfo, /proc/self/statm, and the files of control
 * groups, version 1 and 2. A file that can't be read bounds nothing.
 */
#include "os/computer.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Left for the rest of the system, and for what a group counts besides. */
#define SPARE_OF_ALL ((uint64_t)128 << 20)
#define SPARE_OF_GROUP ((uint64_t)16 << 20)

enum { PATH = 512, TEXT = 8192 };

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

/* Bytes of its own that this process uses now. What it was given and has not touched is no part
 * of them, and none of what the computer calls available. */
uint64_t computer_used(void)
{
    char text[TEXT];
    unsigned long long size, resident, shared;
    if (!read_text("/proc/self/statm", text) ||
        sscanf(text, "%llu %llu %llu", &size, &resident, &shared) != 3)
        return 0;
    return resident > shared ? (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static uint64_t less(uint64_t bytes, uint64_t part)
{
    return bytes > part ? bytes - part : 0;
}

static uint64_t available(void)
{
    char text[TEXT];
    if (!read_text("/proc/meminfo", text) || !number_after(text, "MemAvailable:"))
        return UINT64_MAX;
    return less(1024 * number_after(text, "MemAvailable:"), SPARE_OF_ALL);
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

static uint64_t left_in_folder(const struct group_files *f, const char *folder)
{
    char text[TEXT], path[2 * PATH];
    uint64_t limit = read_number(folder, f->limit, text), back = 0;
    if (!limit || limit > UINT64_MAX / 4)
        return UINT64_MAX;
    uint64_t usage = read_number(folder, f->usage, text);
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    if (read_text(path, text))
        back = number_after(text, f->reclaimable);
    return less(limit, less(usage, back) + SPARE_OF_GROUP);
}

/* A group, and all that it lies in. */
static uint64_t left_in_group(const struct group_files *f, const char *group, size_t n)
{
    char folder[PATH], *slash;
    uint64_t least = UINT64_MAX;
    snprintf(folder, sizeof folder, "%s%.*s", f->root, (int)(n < PATH / 2 ? n : PATH / 2), group);
    do {
        uint64_t left = left_in_folder(f, folder);
        least = left < least ? left : least;
        slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
    } while (slash && strlen(folder) >= strlen(f->root));
    return least;
}

/* Lines as 0::/GROUP for version 2, and as 4:memory:/GROUP for version 1. */
static uint64_t left_in_groups(void)
{
    char text[TEXT];
    uint64_t least = UINT64_MAX;
    if (!read_text("/proc/self/cgroup", text))
        return least;
    for (char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
        if (!group)
            continue;
        bool second = group == names + 1, first = strncmp(names, ":memory:", 8) == 0;
        if (!first && !second)
            continue;
        uint64_t left = left_in_group(&group_files[second], group + 1, strcspn(group + 1, "\n"));
        least = left < least ? left : least;
    }
    return least;
}

uint64_t computer_room(void)
{
    uint64_t left = available(), of_groups = left_in_groups();
    left = of_groups < left ? of_groups : left;
    return left == UINT64_MAX ? left : computer_used() + left;
}
