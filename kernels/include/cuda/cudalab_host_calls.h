/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of libraries that only host code calls. Host code is read and thrown away, so they take
 * any arguments. They have bodies, since an argument's type may be that of a lambda.
 */
#ifndef CUDALAB_HOST_CALLS_H
#define CUDALAB_HOST_CALLS_H
#define CUDALAB_CALL(result, name)                                                             \
    template <class... A> result name(A &&...) { __builtin_unreachable(); }
#endif
