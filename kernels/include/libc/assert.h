/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for machines without the C library's headers, and for NVRTC, which knows assert. */
/* No guard: each #include asks NDEBUG anew. */
#ifdef NDEBUG
#undef assert
#define assert(condition) ((void)0)
#elif !defined __CUDACC_RTC__
#ifndef CUDALAB_LIBC_ASSERT_H
#define CUDALAB_LIBC_ASSERT_H
extern "C" void __assert_fail(const char *__text, const char *__file, unsigned __line,
                              const char *__function) __attribute__((noreturn));
#endif
#undef assert
#define assert(condition) \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
