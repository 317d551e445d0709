/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda::std: limits, types, pairs, arrays, complex numbers */
//! array f f64 400
//! array r i32 400
//! launch standard<<<1,8>>>(f, r)
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace cs = cuda::std;

template <class T> __device__ void limits(double *&f)
{
    typedef cs::numeric_limits<T> n;
    double values[] = {(double)n::max(), (double)n::min(), (double)n::lowest(),
        (double)n::epsilon(), (double)n::digits, (double)n::is_signed, (double)n::is_integer,
        (double)n::digits10, (double)n::infinity(), (double)n::denorm_min()};
    for (double value : values)
        *f++ = value;
}

template <class T> __device__ cs::enable_if_t<cs::is_integral_v<T>, int> kind(T) { return 1; }
template <class T> __device__ cs::enable_if_t<cs::is_floating_point<T>::value, int> kind(T)
{
    return 2;
}
template <cs::size_t... i> __device__ int sum(cs::index_sequence<i...>)
{
    return (0 + ... + (int)i);
}

__global__ void standard(double *f, int *r)
{
    const int me = threadIdx.x;
    cs::complex<float> z(me + 1, 2 - me), w(0.5f, me);
    cs::complex<double> big(z.real(), z.imag());
    r += me * 40;
    *r++ = (int)((z * w).real() * 4);
    *r++ = (int)(z + w - cs::conj(z)).imag();
    *r++ = (int)cs::norm(z);
    *r++ = z == w;
    *r++ = (int)(cs::abs(big) * 1000);
    *r++ = (int)((big / cs::complex<double>(2, 0)).real() * 8);
    *r++ = (int)(cs::exp(big).real() * 10);
    cs::array<int, 4> a = {me, 3, 2, 1};
    for (int &x : a)
        x += 2;
    cs::swap(a[0], a[3]);
    cs::pair<int, float> p = cs::make_pair(a.front(), 1.5f);
    cs::int64_t wide = cs::exchange(p.first, 9);
    *r++ = a.back() + a.size() * 100 + wide * 1000 + p.first;
    *r++ = kind(1) + 10 * kind(2.0f) + 100 * sum(cs::make_index_sequence<5>());
    *r++ = cs::is_same_v<cs::remove_cvref_t<const int &>, int> + 2 * cs::is_pointer<int *>::value
           + 4 * cs::is_same_v<cs::common_type_t<int, double>, double>
           + 8 * cs::is_same_v<cs::conditional_t<true, int, char>, int>
           + 16 * cs::is_convertible_v<int *, int> + 32 * cs::is_unsigned_v<unsigned char>
           + 64 * cs::is_same_v<cs::decay_t<int[3]>, int *>
           + 128 * cs::is_same_v<cs::make_unsigned_t<long>, unsigned long>;
    *r++ = (int)(cs::sqrt(2.0f) * 1000) + (int)cs::uint8_t(300);
    if (me == 0) {
        limits<char>(f), limits<unsigned char>(f), limits<short>(f), limits<unsigned short>(f);
        limits<int>(f), limits<unsigned>(f), limits<long long>(f), limits<unsigned long long>(f);
        limits<bool>(f), limits<float>(f), limits<double>(f), limits<signed char>(f);
    }
}
