/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `cudalab --jupyter`: Python takes the place of this process, and the package cudalab_kernel tells
 * Jupyter how to start this program. The package is where `make install` put it, as seen from the
 * program, or in the tree where the program was built.
 */
#include "programs/programs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MOST = 16, PLACE = 1000 };

static bool has_package(const char *folder)
{
    char file[PLACE + 60];
    snprintf(file, sizeof file, "%s/cudalab_kernel/__main__.py", folder);
    return access(file, R_OK) == 0;
}

static bool find_package(const char *program, char folder[PLACE])
{
    static const char *const from_program[] = {"../share/cudalab/jupyter", "../jupyter", "jupyter"};
    const int n = (int)(strrchr(program, '/') - program);
    for (size_t i = 0; i < sizeof from_program / sizeof from_program[0]; i++)
        if (snprintf(folder, PLACE, "%.*s/%s", n, program, from_program[i]) < PLACE &&
            has_package(folder))
            return true;
    return false;
}

int program_jupyter(const char *const *words, struct err *e)
{
    char program[PLACE], folder[PLACE], *whole = NULL;
    const char *argv[WORDS_MOST] = {"python3", "-m", "cudalab_kernel", "install", "--program"};
    unsigned count = 5;
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0)
        return fail(e, "/proc/self/exe does not say where this program is");
    program[n] = '\0';
    if (find_package(program, folder))
        whole = realpath(folder, NULL);
    const bool is_set = !whole || setenv("PYTHONPATH", whole, 1) == 0;
    free(whole);
    if (!is_set)
        return fail_memory(e);
    if (!getenv("PYTHONPATH"))
        return fail(e, "the Python package cudalab_kernel is not in share/cudalab/jupyter, seen from "
                       "the folder above this program; `make install` puts it there");
    argv[count++] = program;
    for (; *words; words++) {
        if (count + 1 == WORDS_MOST)
            return fail(e, "--jupyter has too many options");
        argv[count++] = *words;
    }
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    return errno == ENOENT
               ? fail(e, "python3 is missing. On Debian and Ubuntu, `apt install python3-ipykernel` "
                         "installs it and the modules that the kernel needs")
               : fail(e, "python3 can't be started: %s", strerror(errno));
}
