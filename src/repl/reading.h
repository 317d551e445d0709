/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `code` and `ptx` share: what a name means, a lab or a kernel of the student's own, and
 * where the files are that it was made of.
 */
#ifndef REPL_READING_H
#define REPL_READING_H

#include "base/lines.h"
#include "base/near.h"
#include "cc/sass.h"
#include "repl/shell.h"
#include "source/code-lines.h"
#include "source/ptx-text.h"
#include "own/unit.h"

/* A lab wins over a kernel of its name; FILE.cu:k is always the kernel. */
struct reading_wish {
    const struct command *lab; /* or NULL */
    struct unit *unit;         /* or NULL */
    const struct unit_kernel *kernel;
};
/* -1: the name could mean several. Both NULL: it means neither. */
int reading_wish(struct shell *, const char *name, struct reading_wish *, struct report *);
/* The error for a name that means nothing, no kernel of a lab either. Always -1. */
int reading_no_such(struct shell *, const char *name, struct report *);

/* A file of the build: format has the module's %s. Its name is without folders. */
struct text_file lab_file(const char *format, const char *module);
/* The module that a lab's file belongs to: "trap" of "trap.cu"; empty where there is no file. */
void lab_module_of(struct text_file, char module[64]);
/* The PTX of the lab that has a kernel of this name, and its CUDA C; name NULL: none has. */
struct text_file lab_of_kernel(const char *kernel, struct text_file *cu);
/* The PTX and the CUDA C of a lab's variant: the lab's own, but for a kernel that isn't there, as
 * one for newer cards in a file of its own. variant: NULL, or not known: the lab's. */
struct text_file lab_of_variant(const struct lab *, const char *variant, struct text_file *cu);
int no_variant(const struct command *lab, struct text_file cu, const char *name, struct report *);

/* The sources of a unit (NULL: of the labs) by the paths that its PTX names: the file loaded,
 * or one beside it. A file is called by the path that leads to it from here. */
struct reading_sources {
    struct shell *shell;
    const struct unit *unit;
    struct source_beside {
        char *path;
        struct buf text;
        bool found;
    } beside[16];
    unsigned count;
};
void sources_init(struct reading_sources *, struct shell *, const struct unit *);
void sources_free(struct reading_sources *);
struct text_file sources_find(void *sources, const char *path);
/* The file that has a unit's kernels; its name is NULL where there is none. */
struct text_file sources_of_kernel(struct reading_sources *);

/* The PTX of a kernel, parsed, where its sources are at hand. */
struct reading_ptx {
    struct ptx_text text;
    const struct ptx_function *kernel;
    const struct unit_kernel *own; /* NULL: a lab's kernel */
    struct text_file cu;           /* the kernel's source; its name may be NULL */
    struct reading_sources sources;
    char title[200];
};
/* By a lab (and variant, NULL: its first), or a kernel; -1: the report says why not. Close it
 * always. */
int reading_ptx_open(struct reading_ptx *, struct shell *, const char *name, const char *variant,
                     struct report *);
void reading_ptx_close(struct reading_ptx *);

/* What ptxas makes of it for a GPU, 90 for sm_90. usage_only: its registers and the like alone.
 * -1: there is no ptxas, or it refused, and e says so. Free the sass always. */
int reading_assemble(const struct reading_ptx *, struct shell *, unsigned arch, bool usage_only,
                     struct sass *, struct err *);

const char *unit_kernel_plain(const struct unit_kernel *); /* its name in the source */

#endif
