/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for a header of NVIDIA's samples: operators and functions of float2, float3, float4 and
 * their like. A student's own file of this name is taken first where -I names its folder.
 */
#ifndef CUDALAB_HELPER_MATH_H
#define CUDALAB_HELPER_MATH_H
#define HELPER_MATH_H

#include "cuda_runtime.h"

#define CUDALAB_VECTOR_FN inline __host__ __device__
typedef unsigned uint;
typedef unsigned short ushort;

/* ---- Numbers ---- */

CUDALAB_VECTOR_FN float lerp(float a, float b, float t) { return a + t * (b - a); }
CUDALAB_VECTOR_FN float clamp(float v, float low, float high) { return fmaxf(low, fminf(v, high)); }
CUDALAB_VECTOR_FN int clamp(int v, int low, int high) { return max(low, min(v, high)); }
CUDALAB_VECTOR_FN uint clamp(uint v, uint low, uint high) { return max(low, min(v, high)); }
CUDALAB_VECTOR_FN float smoothstep(float a, float b, float x)
{
    const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}
CUDALAB_VECTOR_FN float fracf(float v) { return v - floorf(v); }

/* ---- Makers: of one number, of a shorter or longer vector, of another type ---- */

#define CUDALAB_MAKERS(V, T)                                                                   \
    CUDALAB_VECTOR_FN V##2 make_##V##2(T s) { return make_##V##2(s, s); }                      \
    CUDALAB_VECTOR_FN V##2 make_##V##2(V##3 v) { return make_##V##2(v.x, v.y); }               \
    CUDALAB_VECTOR_FN V##2 make_##V##2(V##4 v) { return make_##V##2(v.x, v.y); }               \
    CUDALAB_VECTOR_FN V##3 make_##V##3(T s) { return make_##V##3(s, s, s); }                   \
    CUDALAB_VECTOR_FN V##3 make_##V##3(V##2 v) { return make_##V##3(v.x, v.y, 0); }            \
    CUDALAB_VECTOR_FN V##3 make_##V##3(V##2 v, T z) { return make_##V##3(v.x, v.y, z); }       \
    CUDALAB_VECTOR_FN V##3 make_##V##3(V##4 v) { return make_##V##3(v.x, v.y, v.z); }          \
    CUDALAB_VECTOR_FN V##4 make_##V##4(T s) { return make_##V##4(s, s, s, s); }                \
    CUDALAB_VECTOR_FN V##4 make_##V##4(V##3 v) { return make_##V##4(v.x, v.y, v.z, 0); }       \
    CUDALAB_VECTOR_FN V##4 make_##V##4(V##3 v, T w) { return make_##V##4(v.x, v.y, v.z, w); }
CUDALAB_MAKERS(float, float) CUDALAB_MAKERS(int, int) CUDALAB_MAKERS(uint, uint)
#define CUDALAB_MADE_FROM(V, T, W)                                                             \
    CUDALAB_VECTOR_FN V##2 make_##V##2(W##2 v) { return make_##V##2((T)v.x, (T)v.y); }         \
    CUDALAB_VECTOR_FN V##3 make_##V##3(W##3 v) { return make_##V##3((T)v.x, (T)v.y, (T)v.z); } \
    CUDALAB_VECTOR_FN V##4 make_##V##4(W##4 v)                                                 \
    { return make_##V##4((T)v.x, (T)v.y, (T)v.z, (T)v.w); }
CUDALAB_MADE_FROM(float, float, int) CUDALAB_MADE_FROM(float, float, uint)
CUDALAB_MADE_FROM(int, int, float) CUDALAB_MADE_FROM(int, int, uint)
CUDALAB_MADE_FROM(uint, uint, int)

/* ---- Each element by itself: EACH2(f, a, b) is f(a.x, b.x), f(a.y, b.y) ---- */

#define CUDALAB_EACH2(f, ...) f(x, __VA_ARGS__), f(y, __VA_ARGS__)
#define CUDALAB_EACH3(f, ...) CUDALAB_EACH2(f, __VA_ARGS__), f(z, __VA_ARGS__)
#define CUDALAB_EACH4(f, ...) CUDALAB_EACH3(f, __VA_ARGS__), f(w, __VA_ARGS__)
#define CUDALAB_OP(e, op) a.e op b.e
#define CUDALAB_OP_RIGHT(e, op) a.e op b
#define CUDALAB_OP_LEFT(e, op) a op b.e
#define CUDALAB_MINUS(e, unused) -a.e
#define CUDALAB_CALL1(e, f) f(a.e)
#define CUDALAB_CALL2(e, f) f(a.e, b.e)
#define CUDALAB_CLAMP(e, unused) clamp(v.e, a.e, b.e)
#define CUDALAB_CLAMP_ALL(e, unused) clamp(v.e, a, b)
#define CUDALAB_SMOOTH(e, unused) smoothstep(a.e, b.e, v.e)

#define CUDALAB_OPERATOR2(n, V, T, op)                                                         \
    CUDALAB_VECTOR_FN V##n operator op(V##n a, V##n b)                                         \
    { return make_##V##n(CUDALAB_EACH##n(CUDALAB_OP, op)); }                                   \
    CUDALAB_VECTOR_FN V##n operator op(V##n a, T b)                                            \
    { return make_##V##n(CUDALAB_EACH##n(CUDALAB_OP_RIGHT, op)); }                             \
    CUDALAB_VECTOR_FN V##n operator op(T a, V##n b)                                            \
    { return make_##V##n(CUDALAB_EACH##n(CUDALAB_OP_LEFT, op)); }                              \
    CUDALAB_VECTOR_FN void operator op##=(V##n &a, V##n b) { a = a op b; }                     \
    CUDALAB_VECTOR_FN void operator op##=(V##n &a, T b) { a = a op b; }
#define CUDALAB_WHOLE(n, V, T)                                                                 \
    CUDALAB_OPERATOR2(n, V, T, +) CUDALAB_OPERATOR2(n, V, T, -) CUDALAB_OPERATOR2(n, V, T, *)  \
    CUDALAB_VECTOR_FN V##n clamp(V##n v, V##n a, V##n b)                                       \
    { return make_##V##n(CUDALAB_EACH##n(CUDALAB_CLAMP, )); }                                  \
    CUDALAB_VECTOR_FN V##n clamp(V##n v, T a, T b)                                             \
    { return make_##V##n(CUDALAB_EACH##n(CUDALAB_CLAMP_ALL, )); }
#define CUDALAB_SIGNED(n, V)                                                                   \
    CUDALAB_VECTOR_FN V##n operator-(const V##n &a)                                            \
    { return make_##V##n(CUDALAB_EACH##n(CUDALAB_MINUS, )); }
#define CUDALAB_OF_TWO(n, V, name, f)                                                          \
    CUDALAB_VECTOR_FN V##n name(V##n a, V##n b)                                                \
    { return make_##V##n(CUDALAB_EACH##n(CUDALAB_CALL2, f)); }
#define CUDALAB_OF_ONE(n, name, f)                                                             \
    CUDALAB_VECTOR_FN float##n name(float##n a)                                                \
    { return make_float##n(CUDALAB_EACH##n(CUDALAB_CALL1, f)); }
#define CUDALAB_FLOATS(n)                                                                      \
    CUDALAB_WHOLE(n, float, float) CUDALAB_OPERATOR2(n, float, float, /)                       \
    CUDALAB_SIGNED(n, float)                                                                   \
    CUDALAB_OF_TWO(n, float, fminf, fminf) CUDALAB_OF_TWO(n, float, fmaxf, fmaxf)              \
    CUDALAB_OF_TWO(n, float, fmodf, fmodf) CUDALAB_OF_ONE(n, floorf, floorf)                   \
    CUDALAB_OF_ONE(n, fabs, fabsf) CUDALAB_OF_ONE(n, fracf, fracf)                             \
    CUDALAB_VECTOR_FN float##n lerp(float##n a, float##n b, float t)                           \
    { return a + t * (b - a); }                                                                \
    CUDALAB_VECTOR_FN float##n smoothstep(float##n a, float##n b, float##n v)                  \
    { return make_float##n(CUDALAB_EACH##n(CUDALAB_SMOOTH, )); }
#define CUDALAB_INTS(n)                                                                        \
    CUDALAB_WHOLE(n, int, int) CUDALAB_WHOLE(n, uint, uint) CUDALAB_SIGNED(n, int)             \
    CUDALAB_OF_TWO(n, int, min, min) CUDALAB_OF_TWO(n, int, max, max)                          \
    CUDALAB_OF_TWO(n, uint, min, min) CUDALAB_OF_TWO(n, uint, max, max)
CUDALAB_FLOATS(2) CUDALAB_FLOATS(3) CUDALAB_FLOATS(4)
CUDALAB_INTS(2) CUDALAB_INTS(3) CUDALAB_INTS(4)

/* ---- All elements together ---- */

#define CUDALAB_DOT(V, T)                                                                      \
    CUDALAB_VECTOR_FN T dot(V##2 a, V##2 b) { return a.x * b.x + a.y * b.y; }                  \
    CUDALAB_VECTOR_FN T dot(V##3 a, V##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }      \
    CUDALAB_VECTOR_FN T dot(V##4 a, V##4 b)                                                    \
    { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
CUDALAB_DOT(float, float) CUDALAB_DOT(int, int) CUDALAB_DOT(uint, uint)
#define CUDALAB_LENGTH(V)                                                                      \
    CUDALAB_VECTOR_FN float length(V v) { return sqrtf(dot(v, v)); }                           \
    CUDALAB_VECTOR_FN V normalize(V v) { return v * rsqrtf(dot(v, v)); }
CUDALAB_LENGTH(float2) CUDALAB_LENGTH(float3) CUDALAB_LENGTH(float4)
CUDALAB_VECTOR_FN float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
CUDALAB_VECTOR_FN float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }

#endif
