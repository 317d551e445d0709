/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inverses of erf, Bessel functions, norms: eight digits of them, since the last bits differ */
//! array d f64 600
//! array r i32 64
//! launch special<<<1,20>>>(d,r)
__device__ double digits(double v)
{
    double size = fabs(v) > 1 ? fabs(v) : 1;
    return isfinite(v) ? rint(v * 1e8 / size) : v != v ? 777 : v;
}

__global__ void special(double *d, int *r)
{
    const double values[] = {0.0, 1e-12, 1e-3, 0.3, 0.77, 1.0, 1.9, 2.4, 7.7, 13.1, 24.9, 25.1,
                             44.4, 100.5, 333.0, -0.4, -3.3, 1.4999, 1.51, 700.0};
    const int i = threadIdx.x;
    const double v = values[i], vector[3] = {v, 2 * v, 3};
    int at = i;
#define ONE(e) d[at] = digits(e); at += 20;
    ONE(erfinv(v)) ONE(erfcinv(v)) ONE(erfcx(v)) ONE(normcdfinv(v)) ONE(cyl_bessel_i0(v))
    ONE(cyl_bessel_i1(v)) ONE(j0(v)) ONE(j1(v)) ONE(jn(3, v + 1e-3)) ONE(jn(40, v + 1e-3))
    ONE(y0(v)) ONE(y1(v)) ONE(yn(2, v)) ONE(yn(7, v)) ONE(remquo(v * 3, 0.7, r + i))
    ONE(remquo(-v * 3, 0.7, r + 20 + i)) ONE(remquo(v, 1e-3, r + 40 + i)) ONE(norm(3, vector))
    ONE(rnorm(3, vector)) ONE(rnorm4d(v, v, 1, 2)) ONE(fdivide(v, 3.0)) ONE(scalbln(v, 7))
    ONE(erfinvf(v) * 1e-3) ONE(j0f(v) * 1e-3) ONE(erfcxf(v) * 1e-3) ONE(yn(1, v) * 1e-3)
    ONE(fdividef(v, 3.0f) * 1e-3) ONE(normcdfinvf(v) * 1e-3)
}
