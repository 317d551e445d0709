/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors as values. A function that can fail returns -1 (or NULL) and leaves one
 * sentence in the struct err its caller owns: what is wrong, then what would be right.
 * Nothing here prints; whoever owns the conversation does.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>

enum { ERR_TEXT = 600, ERR_SOURCE = 150 };

struct err {
    int line;   /* line of the text that was read, 0 where there is none */
    int column; /* 1 is the first byte, 0 where there is none */
    bool limit; /* a limit of time, memory or output is the reason */
    char source[ERR_SOURCE]; /* where a kernel was stopped, such as "k.cu:12"; else empty */
    char text[ERR_TEXT];
};

#if defined(__GNUC__)
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#else
#define PRINTF_LIKE(f, a)
#endif

/* For a function whose parameters end in `fmt, ...`. The call gets the arguments after fmt as
 * `args`. */
#define WITH_ARGS(fmt, call) \
    do {                     \
        va_list args;        \
        va_start(args, fmt); \
        call;                \
        va_end(args);        \
    } while (0)

int fail(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3); /* always -1 */
int fail_at(struct err *e, int line, int column, const char *fmt, ...) PRINTF_LIKE(4, 5);
int fail_limit(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
int fail_memory(struct err *e); /* a limit too */

#endif
