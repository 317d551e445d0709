/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trapezoidal rule seen from the host: the function under the integral, built into the
 * kernels or typed by the student, and the plain C answers that a kernel's area is held
 * against. What the kernels do, and with how many threads, is the lab's business.
 */
#ifndef LABS_TRAP_TRAPEZOID_H
#define LABS_TRAP_TRAPEZOID_H

#include "expr/expr.h"
#include "screen/report.h"
#include "labkit/run.h"

struct integrand {
    struct expr *typed; /* NULL: x^2 + 1, which the kernels have built in */
    const char *text;   /* "x^2 + 1" */
};

/* text NULL: the built-in one. -1: it can't be read, and the report says where. */
int integrand_open(struct integrand *, const char *text, struct report *);
void integrand_close(struct integrand *);

/*
 * Load `module` with the body of its device function `function` replaced by this integrand.
 * The PTX is changed as text; no compiler runs.
 */
int integrand_load(const struct integrand *, struct session *, const char *module,
                   const char *function, struct report *);

/* One problem and its answers. */
struct trapezoid {
    float a, b, h; /* h is (b - a) / n rounded to float, as the kernels use it */
    int n;
    float start;      /* (f(a) + f(b)) / 2 in float: where the sum begins */
    double exact;     /* the integral */
    double in_double; /* the rule itself, all in double: what a kernel should come near */
    float in_order;   /* one float sum in the order of i, as a serial program makes it */
    double terms_off; /* how far the float terms, summed without error, are from in_double */
    double magnitude; /* |h| times the sum of all |f(x_i)| */
};

/* -1: f is not finite somewhere (the report says where), or the student stopped it. */
int trapezoid_solve(const struct integrand *, double a, double b, int n, struct session *,
                    struct trapezoid *, struct report *);

/*
 * How far a float area may be from in_double if no value goes through more than `chain`
 * additions one after the other: each of them, and the last product, is off by at most
 * 2^-24 of what it gives, and that is never more than the sum of all magnitudes.
 */
double trapezoid_bound(const struct trapezoid *, double chain);

#endif
