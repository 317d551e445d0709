/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parameters of a launch. PARAMS(x, n) takes each value with its C type, so that no list of
 * letters can disagree with it; the launch compares size and kind with what the kernel declares.
 */
#ifndef LABKIT_PARAMS_H
#define LABKIT_PARAMS_H

#include "base/err.h"
#include "dev/device.h"

struct param {
    unsigned char bytes[8];
    unsigned size; /* 0 ends a list */
    bool is_float;
};

struct param param_int(int);
struct param param_unsigned(unsigned);
struct param param_address(uint64_t);
struct param param_float(float);
struct param param_double(double);

#define PARAM(x)                        \
    _Generic((x), int                   \
             : param_int, unsigned      \
             : param_unsigned, uint64_t \
             : param_address, float     \
             : param_float, double      \
             : param_double)(x)

/* A list of one to eight parameters. A kernel without parameters takes NULL. */
#define PARAMS(...)                                                                          \
    (const struct param[])                                                                   \
    {                                                                                        \
        PARAMS_PICK(__VA_ARGS__, PARAMS_8, PARAMS_7, PARAMS_6, PARAMS_5, PARAMS_4, PARAMS_3, \
                    PARAMS_2, PARAMS_1)                                                      \
        (__VA_ARGS__),                                                                       \
        {                                                                                    \
            .size = 0                                                                        \
        }                                                                                    \
    }
#define PARAMS_PICK(a, b, c, d, e, f, g, h, name, ...) name
#define PARAMS_1(x)                                    PARAM(x)
#define PARAMS_2(x, ...)                               PARAM(x), PARAMS_1(__VA_ARGS__)
#define PARAMS_3(x, ...)                               PARAM(x), PARAMS_2(__VA_ARGS__)
#define PARAMS_4(x, ...)                               PARAM(x), PARAMS_3(__VA_ARGS__)
#define PARAMS_5(x, ...)                               PARAM(x), PARAMS_4(__VA_ARGS__)
#define PARAMS_6(x, ...)                               PARAM(x), PARAMS_5(__VA_ARGS__)
#define PARAMS_7(x, ...)                               PARAM(x), PARAMS_6(__VA_ARGS__)
#define PARAMS_8(x, ...)                               PARAM(x), PARAMS_7(__VA_ARGS__)

enum { PARAM_BYTES_MOST = 4096 }; /* bytes of parameters that a kernel can have, on every card */

/* Lay the parameters out as the kernel declares them. -1: they do not fit it. */
int params_lay_out(const struct param *, const struct kernel_info *,
                   unsigned char block[PARAM_BYTES_MOST], struct err *);

#endif
