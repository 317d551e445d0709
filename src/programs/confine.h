/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process that gives up rights: from then on it, and all that it starts, can open only the
 * files that are listed. It has no network and no system calls that reach other processes.
 * Nothing gives a right back.
 */
#ifndef PROGRAMS_CONFINE_H
#define PROGRAMS_CONFINE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* The address sanitizer needs more: address space without end, /proc, ptrace. */
#ifdef __SANITIZE_ADDRESS__
#define CONFINE_SANITIZED
#endif

enum {
    CONFINE_READ = 1,  /* read files, list folders */
    CONFINE_RUN = 2,   /* start programs */
    CONFINE_WRITE = 4, /* make, change and remove files */
    CONFINE_DEVICE = 8 /* write to devices and control them */
};

/* A file, or a folder with all that lies in it. One that does not exist is passed over. */
struct confine_rule {
    const char *path;
    unsigned may;
};

/* What a confined process may do to other processes. */
enum confine_kind {
    CONFINE_PARENT,   /* start and end them; cudalab itself */
    CONFINE_ALONE,    /* nothing */
    CONFINE_STRANGER  /* nothing. It is a program of somebody's, which may signal itself, as abort()
                       * does, and gets no memory past RLIMIT_DATA */
};

struct confinement {
    const struct confine_rule *rules;
    unsigned count;
    const char *const *plain; /* to be read, ends with NULL; files and folders, no links */
    enum confine_kind kind;
};

/* The version of Landlock that the kernel has; 0: it has none, or no seccomp. */
int confine_version(void);
/* For the calling thread and its future children. -1: it is not, or only in part, confined. */
int confine_self(const struct confinement *, struct err *);

#endif
