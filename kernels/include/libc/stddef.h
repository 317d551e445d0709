/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for machines without the C library's headers, and for NVRTC, which has none. */
#ifndef CUDALAB_LIBC_STDDEF_H
#define CUDALAB_LIBC_STDDEF_H

typedef decltype(sizeof(0)) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;

#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

#endif
