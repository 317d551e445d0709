/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This table has the functions by which other programs work for cudalab.
 */
#include "programs/programs.h"

#include "programs/backend.h"

#include <string.h>

static bool serve(int argc, char **argv, int *status)
{
    if (argc < 2 || strcmp(argv[1], nvrtc_process_option) != 0)
        return false;
    *status = nvrtc_process();
    return true;
}

static bool has_compiler(bool confined)
{
    struct compilers c;
    compilers_find(confined, &c);
    return c.nvrtc[0] || c.nvcc[0] || c.clang[0];
}

const struct programs programs_of_this_system = {.compile = program_compile,
                                                 .has_compiler = has_compiler,
                                                 .assemble = program_assemble,
                                                 .usage = program_usage,
                                                 .find_library = library_find,
                                                 .build = program_build,
                                                 .built_free = program_built_free,
                                                 .jit = program_jit,
                                                 .signal_name = child_signal_name,
                                                 .start = child_start,
                                                 .stop = child_stop,
                                                 .attend = child_attend,
                                                 .copy = program_copy,
                                                 .copy_end = program_copy_end,
                                                 .run = program_run,
                                                 .page = program_page,
                                                 .confine = program_confine,
                                                 .end_confined = program_end_confined,
                                                 .made_take = made_take,
                                                 .made_keep = made_keep,
                                                 .jupyter = program_jupyter,
                                                 .scratch_make = scratch_make_grading,
                                                 .scratch_remove = scratch_remove,
                                                 .serve = serve};
