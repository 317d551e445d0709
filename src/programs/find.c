/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds compilers. The toolkit is the folder that CUDA_HOME or CUDA_PATH names, or the
 * one whose bin holds the nvcc on the PATH, or the place where its installer puts it. NVRTC lies in
 * that folder; Debian's packages put both where the system's own programs and libraries are.
 */
#include "programs/find.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLANG_NEWEST = 30, CLANG_OLDEST = 11 };

static bool is_program(const char *path)
{
    return path[0] && access(path, X_OK) == 0;
}

/* Finds the program of that name in the first folder of PATH that has it. */
static bool on_path(const char *name, char out[COMPILER_PATH])
{
    const char *at = getenv("PATH");
    while (at && *at) {
        size_t n = strcspn(at, ":");
        int made = snprintf(out, COMPILER_PATH, "%.*s/%s", (int)n, at, name);
        if (n && made < COMPILER_PATH && is_program(out))
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
static bool toolkit_of_path(struct compilers *c)
{
    char found[COMPILER_PATH];
    if (!on_path("nvcc", found))
        return false;
    snprintf(c->nvcc, sizeof c->nvcc, "%s", found);
    char *real = realpath(found, NULL);
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
    compilers_find(&c);
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

static void find_clang(struct compilers *c)
{
    char name[24];
    if (on_path("clang", c->clang))
        return;
    for (int version = CLANG_NEWEST; version >= CLANG_OLDEST; version--) {
        snprintf(name, sizeof name, "clang-%d", version);
        if (on_path(name, c->clang))
            return;
    }
}

void compilers_find(struct compilers *c)
{
    *c = (struct compilers){.nvcc = ""};
    if (!toolkit_in(getenv("CUDA_HOME"), c) && !toolkit_in(getenv("CUDA_PATH"), c) &&
        !toolkit_of_path(c))
        toolkit_in("/usr/local/cuda", c);
    find_nvrtc(c);
    find_clang(c);
}

bool tool_find(const char *name, char out[COMPILER_PATH])
{
    struct compilers c;
    if (on_path(name, out))
        return true;
    compilers_find(&c);
    return c.toolkit[0] && snprintf(out, COMPILER_PATH, "%s/bin/%s", c.toolkit, name) <
                               COMPILER_PATH && is_program(out);
}

const char *compiler_path(const struct compilers *c, enum compiler which)
{
    return which == COMPILER_NVRTC ? c->nvrtc : which == COMPILER_NVCC ? c->nvcc
           : which == COMPILER_CLANG ? c->clang : "";
}
