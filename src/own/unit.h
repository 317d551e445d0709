/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The student's own files: a unit is one loaded file, with its kernels under the names that
 * people use, and its source at hand. Its variables are arrays (own/arrays.h).
 */
#ifndef OWN_UNIT_H
#define OWN_UNIT_H

#include "cc/declare.h"
#include "cxx/name.h"
#include "session/session.h"

struct unit_kernel {
    const void *kernel;      /* the device's own */
    struct kernel_info info; /* info.name is the PTX's: mangled where C++ mangled it */
    bool is_cxx;             /* name is filled in */
    struct cxx_name name;
    const char *shown;       /* what to type for it: "k", "tk<float>", "ov(int*)" */
    struct declared *params; /* as the source has them; NULL where that isn't known */
    int line;                /* in the source, 0: not known */
};

struct unit {
    char *path;              /* as typed */
    char compiler[64];       /* "nvcc 13.0"; "" for PTX that was loaded as it is */
    char *options;           /* that it was compiled with: "Iinc\nDN=64\n" */
    struct buf source, ptx;
    void *module;
    struct unit_kernel *kernels;
    unsigned kernel_count;
    struct shared_shape *shapes; /* of its shared variables: own/element-shape.c */
    struct arena memory;     /* of the kernels' names and types */
};

struct units {
    struct unit **all;       /* in the order of loading */
    unsigned count;
    size_t capacity;
};

/* What a file becomes once it is compiled; takes the buffers' contents over, even on failure. */
struct unit_from {
    const char *path, *compiler, *options; /* options may be NULL */
    struct buf source, ptx;
};
/* A unit on the session's device, in place of an earlier one of that path; -1: the earlier one
 * stays as it was. */
int unit_load(struct session *, struct unit_from *, struct unit **, struct err *);
void units_unload(struct session *, struct unit *);
void units_free(struct session *);
/* All units from one device to another, with what their variables hold; -1: nothing changed. */
int units_move(struct session *, struct device *from, struct device *to, struct err *);

struct unit *unit_of_path(const struct session *, const char *path);
/* k, ns::k, tk<float>, ov(int*), FILE:k. Of two files with such a kernel the one loaded last
 * is meant; two in one file that both could be meant are an error that lists them. */
const struct unit_kernel *unit_kernel_named(const struct session *, const char *typed,
                                            struct unit **, struct err *);
/* The same, but where there is none, the error is "": the caller knows of other names. */
const struct unit_kernel *unit_kernel_find(const struct session *, const char *typed,
                                           struct unit **, struct err *);

/* "saxpy(float a, const float* x, float* y, int n)" */
void unit_signature(const struct unit_kernel *, struct buf *);
/* The type of a parameter as C has it, or as the PTX does: "const float*", "u32". */
const char *unit_param_type(const struct unit_kernel *, unsigned i);
const char *unit_param_name(const struct unit_kernel *, unsigned i); /* NULL: not known */
/* Line n of a unit's source without its blanks in front; n 0 where there is none. */
const char *unit_line(const struct session *, const char *file, int line, size_t *n);

#endif
