/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Device functions under the names that C++ gives them; part of cudalab_device.h, and of the
 * stand-in <math.h> for NVRTC, which has the functions but not these forms of them.
 *
 * Two things: whole numbers as arguments (sqrt(2), pow(x, 2)), which become doubles, and the
 * names in namespace std.  The latter must be known before the C++ library's own <cmath> is
 * read: clang then keeps the library's constexpr functions out of device code.
 */
#ifndef CUDALAB_STD_H
#define CUDALAB_STD_H

#ifdef __CUDACC_RTC__
#define CUDALAB_FN static __device__ __forceinline__
#endif

template <class T> struct cudalab_whole {};            /* ::type is there for whole numbers only */
template <class T> struct cudalab_number : cudalab_whole<T> {};
#define CUDALAB_WHOLE(T) template <> struct cudalab_whole<T> { typedef double type; };
CUDALAB_WHOLE(bool) CUDALAB_WHOLE(char) CUDALAB_WHOLE(signed char) CUDALAB_WHOLE(unsigned char)
CUDALAB_WHOLE(short) CUDALAB_WHOLE(unsigned short) CUDALAB_WHOLE(int) CUDALAB_WHOLE(unsigned)
CUDALAB_WHOLE(long) CUDALAB_WHOLE(unsigned long) CUDALAB_WHOLE(long long)
CUDALAB_WHOLE(unsigned long long)
template <> struct cudalab_number<float> { typedef double type; };
template <> struct cudalab_number<double> { typedef double type; };

template <class A, class B, class = typename cudalab_number<B>::type>
struct cudalab_two : cudalab_number<A> {};

#define CUDALAB_OF_WHOLE(name)                                                                 \
    template <class T> CUDALAB_FN typename cudalab_whole<T>::type name(T x)                    \
    { return name((double)x); }
#define CUDALAB_OF_TWO(name)                                                                   \
    template <class A, class B> CUDALAB_FN typename cudalab_two<A, B>::type name(A x, B y)     \
    { return name((double)x, (double)y); }

/* X for each function of one number, Y for each of two. */
#define CUDALAB_FUNCTIONS(X, Y)                                                                \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf)   \
    X(erfc) X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p)        \
    X(log2) X(logb) X(nearbyint) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh)        \
    X(tgamma) X(trunc)                                                                         \
    Y(atan2) Y(copysign) Y(fdim) Y(fmax) Y(fmin) Y(fmod) Y(hypot) Y(nextafter) Y(pow)          \
    Y(remainder)

CUDALAB_FUNCTIONS(CUDALAB_OF_WHOLE, CUDALAB_OF_TWO)

#define CUDALAB_IN_STD(name) using ::name;
namespace std {
CUDALAB_FUNCTIONS(CUDALAB_IN_STD, CUDALAB_IN_STD)
using ::abs; using ::labs; using ::llabs; using ::fma; using ::frexp; using ::ilogb;
using ::isfinite; using ::isinf; using ::isnan; using ::ldexp; using ::llrint; using ::llround;
using ::lrint; using ::lround; using ::modf; using ::scalbn; using ::signbit;
using ::memcpy; using ::memset; using ::printf; using ::malloc; using ::free;
#ifdef __CUDACC_RTC__
/* clang has these from the C++ library's <algorithm>. */
template <class T> CUDALAB_FN const T &min(const T &x, const T &y) { return y < x ? y : x; }
template <class T> CUDALAB_FN const T &max(const T &x, const T &y) { return x < y ? y : x; }
template <class T> CUDALAB_FN void swap(T &x, T &y) { T z = x; x = y; y = z; }
#endif
}

#endif
