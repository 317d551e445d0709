/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the compilers have in common: each turns one want into PTX and a log, or says that
 * the source is wrong (REFUSED) or that the compiler itself is of no use here (BROKEN).
 */
#ifndef PROGRAMS_BACKEND_H
#define PROGRAMS_BACKEND_H

#include "programs/child.h"
#include "cc/compile.h"
#include "programs/rules.h"
#include "programs/scratch.h"
#include "cc/token.h"

enum served { SERVED, REFUSED, BROKEN, ENDED /* stopped, or out of time: e says so */ };

struct attempt {
    const struct compile_want *want;
    const struct compilers *have;
    struct compiled *out;
    struct err *e; /* why BROKEN or ENDED */
    const char *options; /* the student's, as this compiler's process understands them */
    double deadline; /* of all compilers together, by clock_seconds(); 0: none */
};
enum served by_nvrtc(struct attempt *);
enum served by_nvcc(struct attempt *);
enum served by_clang(struct attempt *);

/* What the toolkit's compilers compile for where nobody says: 75, and 90 where the source has
 * clusters, which no card before has. */
int toolkit_arch(const struct compile_want *);

/* The name that a stand-in header is included by, "stdio.h"; NULL: it is none. */
struct asset;
const char *stand_in_name(const struct asset *);

/* A kernel that host code launches: "tk<float>" of `tk<float><<<4, 256>>>(x)`. */
struct launched {
    char name[200];
};
bool next_launched(struct token_reader *, const char *start, struct launched *);

/* What a child that did not come to its own end means. */
enum served child_ended(const struct attempt *, const struct child_result *, const char *who);
bool ran_out_of_memory(const struct attempt *, const struct child_result *, const char *who);
enum { PRINT_MOST = 64 << 20 };

/* A compiler's process as this attempt wants it: under --safe confined to these rules. */
struct child child_of(const struct attempt *, const char *const *argv, const struct rules *);

/* The .file names of a PTX as a student knows them: their own as typed, others in < >. */
int ptx_tidy_files(const struct compile_want *, struct buf *ptx);

#endif
