/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of libraries that only host code calls. Where only kernels are kept, host code is read
 * and thrown away, so they take any arguments. They have bodies, since an argument's type may be
 * that of a lambda. A whole program would need the library itself, or the header that declares all
 * of it: its call is an error, which says what is missing.
 */
#ifndef CUDALAB_HOST_CALLS_H
#define CUDALAB_HOST_CALLS_H
#ifdef CUDALAB_WHOLE_PROGRAM
#define CUDALAB_CALL_LACKING(result, name, what)                                               \
    template <class... A> __attribute__((unavailable(what))) result name(A &&...);
#else
#define CUDALAB_CALL_LACKING(result, name, what)                                               \
    template <class... A> result name(A &&...) { __builtin_unreachable(); }
#endif
#define CUDALAB_CALL(result, name)                                                             \
    CUDALAB_CALL_LACKING(result, name, "its library comes with the CUDA Toolkit; with clang, " \
                                       "cudalab has nothing in its place")
#define CUDALAB_CALL_HEADER(result, name, header)                                              \
    CUDALAB_CALL_LACKING(result, name, "it needs " header " of the CUDA Toolkit; put that "    \
                                       "file next to the program, or give its folder with -I")
#endif
