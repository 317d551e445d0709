/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of libraries that only host code calls. Where only kernels are kept, host code is read
 * and thrown away, so they take any arguments. They have bodies, since an argument's type may be
 * that of a lambda. A whole program would need the library itself: its call is an error.
 */
#ifndef CUDALAB_HOST_CALLS_H
#define CUDALAB_HOST_CALLS_H
#ifdef CUDALAB_WHOLE_PROGRAM
#define CUDALAB_CALL(result, name)                                                             \
    template <class... A>                                                                      \
    __attribute__((unavailable("its library comes with the CUDA Toolkit; with clang, cudalab " \
                               "has nothing in its place"))) result name(A &&...);
#else
#define CUDALAB_CALL(result, name)                                                             \
    template <class... A> result name(A &&...) { __builtin_unreachable(); }
#endif
#endif
