/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for machines without the C library's headers, and for NVRTC, which has none. */
#ifndef CUDALAB_LIBC_STDDEF_H
#define CUDALAB_LIBC_STDDEF_H
#pragma GCC system_header

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

#endif
