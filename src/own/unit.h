/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The student's own files. A unit is one loaded file with its source and its kernels, under the
 * names that people use. Its variables are arrays (own/arrays.h).
 */
#ifndef OWN_UNIT_H
#define OWN_UNIT_H

#include "base/lines.h"
#include "cc/declare.h"
#include "cc/source.h"
#include "cxx/name.h"
#include "ptx/link.h"
#include "session/session.h"

struct unit_kernel {
    const void *kernel;      /* for the device */
    struct kernel_info info; /* info.name is the name in the PTX, perhaps mangled */
    bool is_cxx;             /* name is filled in */
    struct cxx_name name;
    const char *shown;       /* what to type for it: "k", "tk<float>", "ov(int*)" */
    struct declared *params; /* as in the source; NULL: not known */
    int line;                /* in the source, 0: not known */
    unsigned registers;      /* what ptxas says for the GPU asked_for of the unit; 0: not known */
};

struct unit {
    char *path;              /* as typed */
    char compiler[64];       /* "nvcc 13.0"; "": the file is PTX */
    char *options;           /* for its compiler: "Iinc\nDN=64\n" */
    struct buf source, ptx;
    struct print128 print;   /* the fingerprint of the source and its headers when they were loaded */
    bool is_example;         /* the path is help:NAME, so there is no file */
    struct unit *leader;     /* the first of the files that were linked together: itself, if alone */
    unsigned part;           /* its number among them */
    bool no_kernels;         /* it may be without any */
    struct ptx_linked linked; /* the leader's: the PTX of all files, if there are several */
    void *module;            /* the leader's and its own, if there are several */
    struct unit_kernel *kernels;
    unsigned kernel_count;
    unsigned device_arch;    /* of the device that it was compiled for; 0: `set arch` fixed it */
    unsigned asked_for;      /* the GPU that ptxas was asked about, 90 for sm_90; 0: not asked */
    struct shared_shape *shapes; /* of shared variables: own/element-shape.c */
    struct arena memory;     /* of the kernels' names and types */
};

struct unit_text { const char *path; struct span text; };
struct units {
    struct unit **all;       /* in the order of loading */
    unsigned count;
    size_t capacity;
    struct unit_text *texts; /* files without kernels: host code, headers */
    size_t text_count, text_capacity;
};

/* A compiled file. unit_load takes the contents of the buffers, even if it fails. */
struct unit_from {
    const char *path, *compiler, *options; /* options may be NULL */
    struct buf source, ptx;
    struct print128 print;
    unsigned device_arch;
    bool is_example, linked; /* linked: with other files */
    bool no_kernels;         /* it need not have any: it is a part of a program */
};
/* Loads files on the session's device, linked if there are several, and replaces earlier units of
 * their paths. -1: the earlier ones stay as they were. The result is the first file's. */
int units_load(struct session *, struct unit_from *, unsigned count, struct unit **, struct err *);
/* The PTX that the device has: the unit's own, or that of all files linked with it. */
const struct buf *unit_ptx(const struct unit *);
/* Links the leader's files again, since their PTX is another one. */
int unit_link(const struct units *, struct unit *leader, struct ptx_linked *, struct err *);
void units_free(struct session *);
/* The text of a file without kernels, so that findings can quote it. Path and text must stay. */
int units_add_text(struct session *, const char *path, struct span text, struct err *);
/* Moves all units to another device, with the bytes of their variables; -1: nothing has changed. */
int units_move(struct session *, struct device *from, struct device *to, struct err *);

struct unit *unit_of_path(const struct session *, const char *path);
/* Finds k, ns::k, tk<float>, ov(int*), FILE:k. If two files have such a kernel, the one that was
 * loaded last is meant. If a file has two kernels that could be meant, the error lists them. */
const struct unit_kernel *unit_kernel_named(const struct session *, const char *typed,
                                            struct unit **, struct err *);
/* The same, but if there is none, the error is "", since the caller knows other names. */
const struct unit_kernel *unit_kernel_find(const struct session *, const char *typed,
                                           struct unit **, struct err *);

/* The architecture that the PTX names, 90 for sm_90; 0: none. */
unsigned unit_target(const struct unit *);
/* "saxpy(float a, const float* x, float* y, int n)" */
void unit_signature(const struct unit_kernel *, struct buf *);
/* The type of a parameter as in C, or else as in the PTX: "const float*", "u32". */
const char *unit_param_type(const struct unit_kernel *, unsigned i);
const char *unit_param_name(const struct unit_kernel *, unsigned i); /* NULL: not known */
/* A line of a unit's source without the blanks in front; *n is 0 if there is none. */
const char *unit_line(const struct session *, const char *file, int line, size_t *n);

#endif
