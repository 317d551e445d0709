/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda::std: tuples, optional values, spans, operators, bits; complex numbers of cuComplex.h */
//! array r i32 2000
//! array f f32 2000
//! array d f64 2000
//! launch standard<<<1,8>>>(r)
//! launch complex<<<1,64>>>(f, d)
#include <cuComplex.h>
#include <cuda/std/bit>
#include <cuda/std/functional>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
namespace cs = cuda::std;

__device__ cs::optional<int> halved(int x)
{
    if (x % 2)
        return cs::nullopt;
    return x / 2;
}

__global__ void standard(int *r)
{
    const int me = threadIdx.x;
    r += me * 64;
    auto t = cs::make_tuple(me, 2.5f, 'c');
    auto [a, b, c] = t;
    *r++ = a + (int)(b * 4) + c;
    cs::get<1>(t) = me * 0.5f;
    *r++ = (int)(cs::get<1>(t) * 8) + cs::get<0>(t) + (int)cs::tuple_size<decltype(t)>::value;
    int x = 1, y = 2;
    cs::tie(x, y) = cs::make_tuple(y + me, x);
    *r++ = x * 100 + y;
    cs::tie(cs::ignore, y) = cs::make_pair(3, 44);
    *r++ = y;
    *r++ = cs::make_tuple(1, me) < cs::make_tuple(1, 3);
    *r++ = cs::make_tuple(1, me) == cs::make_tuple(1, 3);
    *r++ = cs::apply([](int p, int q) { return p * 10 + q; }, cs::make_tuple(me, 7));
    cs::optional<int> o = halved(me), n;
    *r++ = o.has_value() + 2 * o.value_or(50) + (n ? 1000 : 0) + (o == n) * 10000;
    n = 5;
    n.emplace(me + 6);
    *r++ = *n + n.value() + (n == 8) + (o != cs::nullopt);
    n.reset();
    *r++ = n.has_value();
    int words[10];
    cs::span<int> all(words, 10), part = all.subspan(2, 5);
    for (int &word : all)
        word = (int)(&word - words) * 3 + me;
    *r++ = part[1] + (int)part.size() * 100 + part.front() * 1000 + part.back() * 100000;
    *r++ = (int)all.last(3).size_bytes() + all.first(2)[1] + all.subspan(4).empty();
    cs::array<int, 3> few = {1, 2, me};
    cs::span<int, 3> fixed(few);
    *r++ = fixed[2] + (int)fixed.size();
    *r++ = cs::plus<int>()(me, 2) + cs::multiplies<>()(me, 2.5) + cs::less<int>()(me, 3)
           + cs::logical_and<bool>()(me, true) + cs::negate<int>()(me) + cs::bit_xor<int>()(me, 9);
    const unsigned bits = 0x00f0a001u << me;
    *r++ = cs::popcount(bits) + 100 * cs::countl_zero(bits) + 10000 * cs::countr_zero(bits);
    *r++ = cs::has_single_bit(bits) + (int)cs::bit_ceil(bits >> 9) + (int)cs::bit_floor(bits >> 9);
    *r++ = (int)cs::rotl(bits, me) ^ (int)cs::rotr(bits, 3);
    *r++ = cs::bit_cast<int>(me + 0.5f) + cs::countl_one((unsigned char)0xe0) + cs::bit_width(9u);
}

__global__ void complex(float *f, double *d)
{
    const float parts[] = {0.0f, 1.0f, -2.5f, 3e-39f, 3e38f, -1e-20f, 7.25f, 1e19f};
    const float x = parts[threadIdx.x % 8], y = parts[threadIdx.x / 8];
    const cuFloatComplex z = make_cuFloatComplex(x, y), w = make_cuComplex(y - 1.5f, x + 2.25f);
    const cuDoubleComplex v = make_cuDoubleComplex(x * 1.1e3, y), u = cuComplexFloatToDouble(w);
    f += threadIdx.x;
    d += threadIdx.x;
    const cuFloatComplex floats[] = {cuCaddf(z, w), cuCsubf(z, w), cuCmulf(z, w), cuCdivf(z, w),
        cuConjf(z), cuCfmaf(z, z, w), cuComplexDoubleToFloat(u),
        make_cuComplex(cuCabsf(z) + cuCabsf(w), cuCrealf(z) - cuCimagf(w))};
    for (cuFloatComplex value : floats) {
        f[0] = value.x;
        f[64] = value.y;
        f += 128;
    }
    const cuDoubleComplex doubles[] = {cuCadd(v, u), cuCsub(v, u), cuCmul(v, u), cuCdiv(v, u),
        cuConj(v), cuCfma(v, v, u), make_cuDoubleComplex(cuCabs(v), cuCreal(v) - cuCimag(u))};
    for (cuDoubleComplex value : doubles) {
        d[0] = value.x;
        d[64] = value.y;
        d += 128;
    }
}
