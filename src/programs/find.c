/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds compilers. The toolkit is the folder that CUDA_HOME or CUDA_PATH names, or the
 * one whose bin holds the nvcc on the PATH, or the place where its installer puts it. NVRTC lies in
 * that folder; Debian's packages put both where the system's own programs and libraries are.
 *
 * A program on the PATH may be a script that starts the real one, which lies elsewhere. So a script
 * does not show where the toolkit is, and a confined process cannot run it: its shell is denied.
 */
#include "programs/find.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLANG_NEWEST = 30, CLANG_OLDEST = 11 };

static bool is_program(const char *path)
{
    return path[0] && access(path, X_OK) == 0;
}

/* Tells if the system starts this program by itself. A script needs its shell. */
static bool starts_alone(const char *path)
{
    char first[2] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, first, sizeof first) : 0;
    if (fd >= 0)
        close(fd);
    return n == sizeof first && memcmp(first, "#!", sizeof first) != 0;
}

static bool serves(const char *path, bool confined)
{
    return is_program(path) && (!confined || starts_alone(path));
}

/* Finds the program of that name in the first folder of PATH that has it. */
static bool on_path(const char *name, bool confined, char out[COMPILER_PATH])
{
    const char *at = getenv("PATH");
    while (at && *at) {
        size_t n = strcspn(at, ":");
        int made = snprintf(out, COMPILER_PATH, "%.*s/%s", (int)n, at, name);
        if (n && made < COMPILER_PATH && serves(out, confined))
            return true;
        at += n + (at[n] == ':');
    }
    out[0] = '\0';
    return false;
}

static bool toolkit_in(const char *folder, struct compilers *c)
{
    char path[COMPILER_PATH];
    if (!folder || !*folder ||
        snprintf(path, sizeof path, "%s/bin/nvcc", folder) >= (int)sizeof path)
        return false;
    if (!is_program(path))
        return false;
    snprintf(c->nvcc, sizeof c->nvcc, "%s", path);
    snprintf(c->toolkit, sizeof c->toolkit, "%s", folder);
    return true;
}

/* nvcc on the PATH may be a link into the toolkit: the folder is where the link leads. */
static bool toolkit_of_path(bool scripts, struct compilers *c)
{
    if (!on_path("nvcc", !scripts, c->nvcc))
        return false;
    char *real = realpath(c->nvcc, NULL);
    char *bin = real ? strstr(real, "/bin/nvcc") : NULL;
    if (bin)
        snprintf(c->toolkit, sizeof c->toolkit, "%.*s", (int)(bin - real), real);
    free(real);
    return true;
}

/* Finds the library of the highest version in a folder: libnvrtc.so.13 before libnvrtc.so.12. */
static bool nvrtc_in(const char *folder, char out[COMPILER_PATH])
{
    DIR *d = opendir(folder);
    double best = -1;
    for (struct dirent *entry; d && (entry = readdir(d));) {
        if (strncmp(entry->d_name, "libnvrtc.so", 11) != 0)
            continue;
        double version = entry->d_name[11] == '.' ? strtod(entry->d_name + 12, NULL) : 0;
        if (version > best && snprintf(out, COMPILER_PATH, "%s/%s", folder, entry->d_name) <
                                  COMPILER_PATH)
            best = version;
    }
    if (d)
        closedir(d);
    return best >= 0;
}

/* Libraries are in these folders of the toolkit, or in these of the system. */
static const char *const library_folders[] = {
    "lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
    "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", NULL};

/* The folder's whole path. False: it is one of the toolkit, which is not there. */
static bool library_folder(const struct compilers *c, const char *folder, char out[COMPILER_PATH])
{
    const bool inside = folder[0] != '/';
    return (!inside || c->toolkit[0]) &&
           snprintf(out, COMPILER_PATH, "%s%s%s", inside ? c->toolkit : "", inside ? "/" : "",
                    folder) < COMPILER_PATH;
}

static void find_nvrtc(struct compilers *c)
{
    char folder[COMPILER_PATH];
    for (const char *const *lib = library_folders; *lib; lib++)
        if (library_folder(c, *lib, folder) && nvrtc_in(folder, c->nvrtc))
            return;
    c->nvrtc[0] = '\0';
}

int library_find(const char *name, char out[COMPILER_PATH], struct err *e)
{
    struct compilers c;
    char folder[COMPILER_PATH], inside[100] = "", system[100] = "";
    compilers_find(false, &c);
    for (const char *const *lib = library_folders; *lib; lib++) {
        if (library_folder(&c, *lib, folder) &&
            snprintf(out, COMPILER_PATH, "%s/%s", folder, name) < COMPILER_PATH &&
            access(out, R_OK) == 0)
            return 0;
        char *list = (*lib)[0] == '/' ? system : inside;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof system - used, "%s%s", used ? ", " : "", *lib);
    }
    if (!c.toolkit[0])
        return fail(e, "there is no %s in %s, and no CUDA Toolkit was found: CUDA_HOME can name "
                    "its folder", name, system);
    return fail(e, "there is no %s in %s of the CUDA Toolkit in %.120s, nor in %s", name, inside,
                c.toolkit, system);
}

static void find_clang(bool confined, struct compilers *c)
{
    char name[24];
    if (on_path("clang", confined, c->clang))
        return;
    for (int version = CLANG_NEWEST; version >= CLANG_OLDEST; version--) {
        snprintf(name, sizeof name, "clang-%d", version);
        if (on_path(name, confined, c->clang))
            return;
    }
}

void compilers_find(bool confined, struct compilers *c)
{
    *c = (struct compilers){.nvcc = ""};
    if (!toolkit_in(getenv("CUDA_HOME"), c) && !toolkit_in(getenv("CUDA_PATH"), c) &&
        !toolkit_of_path(false, c) && !toolkit_in("/usr/local/cuda", c))
        toolkit_of_path(true, c);
    find_nvrtc(c);
    find_clang(confined, c);
}

bool tool_find(const char *name, bool confined, char out[COMPILER_PATH])
{
    struct compilers c;
    if (on_path(name, confined, out))
        return true;
    compilers_find(confined, &c);
    return c.toolkit[0] && snprintf(out, COMPILER_PATH, "%s/bin/%s", c.toolkit, name) <
                               COMPILER_PATH && serves(out, confined);
}

const char *compiler_path(const struct compilers *c, enum compiler which)
{
    return which == COMPILER_NVRTC ? c->nvrtc : which == COMPILER_NVCC ? c->nvcc
           : which == COMPILER_CLANG ? c->clang : "";
}
