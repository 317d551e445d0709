/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Textures and surfaces by object, for clang: tex2D<float>(t, x, y), surf2Dwrite(v, s, x, y) and
 * their family.  A texture instruction gives four registers, of floats, of signed or of unsigned
 * numbers; the type that a program asks for says which, and how many of them it takes.  A surface
 * is accessed by bytes: the size of the type decides.
 */
#ifndef CUDALAB_TEXTURE_H
#define CUDALAB_TEXTURE_H

/* The handles. A kernel may take one in a file that includes no header of the runtime. */
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

/* ---- What a type is made of ---- */

template <class T> struct cudalab_texel;
#define CUDALAB_TEXEL(name, whole, make)                                                       \
    template <> struct cudalab_texel<name> {                                                   \
        typedef whole part;                                                                    \
        static __inline__ __attribute__((device, always_inline, nodebug)) name of(             \
            const part v[4]) { return make; }                                                  \
    };
#define CUDALAB_TEXELS(name, base, whole)                                                      \
    CUDALAB_TEXEL(name##1, whole, name##1{(base)v[0]})                                         \
    CUDALAB_TEXEL(name##2, whole, (name##2{(base)v[0], (base)v[1]}))                           \
    CUDALAB_TEXEL(name##4, whole, (name##4{(base)v[0], (base)v[1], (base)v[2], (base)v[3]}))
CUDALAB_TEXEL(char, int, (char)v[0])
CUDALAB_TEXEL(signed char, int, (signed char)v[0])
CUDALAB_TEXEL(unsigned char, unsigned, (unsigned char)v[0])
CUDALAB_TEXEL(short, int, (short)v[0])
CUDALAB_TEXEL(unsigned short, unsigned, (unsigned short)v[0])
CUDALAB_TEXEL(int, int, v[0])
CUDALAB_TEXEL(unsigned, unsigned, v[0])
CUDALAB_TEXEL(float, float, v[0])
CUDALAB_TEXELS(char, signed char, int)
CUDALAB_TEXELS(uchar, unsigned char, unsigned)
CUDALAB_TEXELS(short, short, int)
CUDALAB_TEXELS(ushort, unsigned short, unsigned)
CUDALAB_TEXELS(int, int, int)
CUDALAB_TEXELS(uint, unsigned, unsigned)
CUDALAB_TEXELS(float, float, float)

/* ---- Textures ---- */

/* NAME(t, coordinates) and NAME(where to, t, coordinates): `at` and `more` are the PTX operands
 * by their names in `...`. */
#define CUDALAB_TEX_ONE(id, letter, whole, ptx, type, from, at, parameters, ...)               \
    CUDALAB_FN void cudalab_##id(whole v[4], unsigned long long t, CUDALAB_LIST parameters)    \
    {                                                                                          \
        asm(ptx ".v4." type "." from " {%0, %1, %2, %3}, [%[t], {" at ";"                      \
            : letter(v[0]), letter(v[1]), letter(v[2]), letter(v[3])                           \
            : [t] "l"(t), __VA_ARGS__);                                                        \
    }
#define CUDALAB_LIST(...) __VA_ARGS__
#define CUDALAB_TEX(name, ptx, from, at, parameters, values, ...)                              \
    CUDALAB_TEX_ONE(name, "=f", float, ptx, "f32", from, at, parameters, __VA_ARGS__)          \
    CUDALAB_TEX_ONE(name, "=r", int, ptx, "s32", from, at, parameters, __VA_ARGS__)            \
    CUDALAB_TEX_ONE(name, "=r", unsigned, ptx, "u32", from, at, parameters, __VA_ARGS__)       \
    template <class T> CUDALAB_FN T name(unsigned long long t, CUDALAB_LIST parameters)        \
    {                                                                                          \
        typename cudalab_texel<T>::part v[4];                                                  \
        cudalab_##name(v, t, CUDALAB_LIST values);                                             \
        return cudalab_texel<T>::of(v);                                                        \
    }                                                                                          \
    template <class T>                                                                         \
    CUDALAB_FN void name(T *to, unsigned long long t, CUDALAB_LIST parameters)                 \
    { *to = name<T>(t, CUDALAB_LIST values); }

#define CUDALAB_X [x] "f"(x)
#define CUDALAB_XY [x] "f"(x), [y] "f"(y)
#define CUDALAB_XYZ [x] "f"(x), [y] "f"(y), [z] "f"(z)
CUDALAB_TEX(tex1Dfetch, "tex.1d", "s32", "%[x]}]", (int x), (x), [x] "r"(x))
CUDALAB_TEX(tex1D, "tex.1d", "f32", "%[x]}]", (float x), (x), CUDALAB_X)
CUDALAB_TEX(tex2D, "tex.2d", "f32", "%[x], %[y]}]", (float x, float y), (x, y), CUDALAB_XY)
CUDALAB_TEX(tex3D, "tex.3d", "f32", "%[x], %[y], %[z], %[z]}]", (float x, float y, float z),
            (x, y, z), CUDALAB_XYZ)
CUDALAB_TEX(tex1DLayered, "tex.a1d", "f32", "%[l], %[x]}]", (float x, int l), (x, l), CUDALAB_X,
            [l] "r"(l))
CUDALAB_TEX(tex2DLayered, "tex.a2d", "f32", "%[l], %[x], %[y], %[y]}]",
            (float x, float y, int l), (x, y, l), CUDALAB_XY, [l] "r"(l))
CUDALAB_TEX(texCubemap, "tex.cube", "f32", "%[x], %[y], %[z], %[z]}]",
            (float x, float y, float z), (x, y, z), CUDALAB_XYZ)
CUDALAB_TEX(texCubemapLayered, "tex.acube", "f32", "%[l], %[x], %[y], %[z]}]",
            (float x, float y, float z, int l), (x, y, z, l), CUDALAB_XYZ, [l] "r"(l))
CUDALAB_TEX(tex1DLod, "tex.level.1d", "f32", "%[x]}], %[level]", (float x, float level),
            (x, level), CUDALAB_X, [level] "f"(level))
CUDALAB_TEX(tex2DLod, "tex.level.2d", "f32", "%[x], %[y]}], %[level]",
            (float x, float y, float level), (x, y, level), CUDALAB_XY, [level] "f"(level))
CUDALAB_TEX(tex3DLod, "tex.level.3d", "f32", "%[x], %[y], %[z], %[z]}], %[level]",
            (float x, float y, float z, float level), (x, y, z, level), CUDALAB_XYZ,
            [level] "f"(level))
CUDALAB_TEX(texCubemapLod, "tex.level.cube", "f32", "%[x], %[y], %[z], %[z]}], %[level]",
            (float x, float y, float z, float level), (x, y, z, level), CUDALAB_XYZ,
            [level] "f"(level))
CUDALAB_TEX(tex1DLayeredLod, "tex.level.a1d", "f32", "%[l], %[x]}], %[level]",
            (float x, int l, float level), (x, l, level), CUDALAB_X, [l] "r"(l),
            [level] "f"(level))
CUDALAB_TEX(tex2DLayeredLod, "tex.level.a2d", "f32", "%[l], %[x], %[y], %[y]}], %[level]",
            (float x, float y, int l, float level), (x, y, l, level), CUDALAB_XY, [l] "r"(l),
            [level] "f"(level))
CUDALAB_TEX(tex1DGrad, "tex.grad.1d", "f32", "%[x]}], {%[dx]}, {%[dy]}",
            (float x, float dx, float dy), (x, dx, dy), CUDALAB_X, [dx] "f"(dx), [dy] "f"(dy))
CUDALAB_TEX(tex2DGrad, "tex.grad.2d", "f32",
            "%[x], %[y]}], {%[dxx], %[dxy]}, {%[dyx], %[dyy]}",
            (float x, float y, float2 dx, float2 dy), (x, y, dx, dy), CUDALAB_XY,
            [dxx] "f"(dx.x), [dxy] "f"(dx.y), [dyx] "f"(dy.x), [dyy] "f"(dy.y))
CUDALAB_TEX(cudalab_gather0, "tld4.r.2d", "f32", "%[x], %[y]}]", (float x, float y), (x, y),
            CUDALAB_XY)
CUDALAB_TEX(cudalab_gather1, "tld4.g.2d", "f32", "%[x], %[y]}]", (float x, float y), (x, y),
            CUDALAB_XY)
CUDALAB_TEX(cudalab_gather2, "tld4.b.2d", "f32", "%[x], %[y]}]", (float x, float y), (x, y),
            CUDALAB_XY)
CUDALAB_TEX(cudalab_gather3, "tld4.a.2d", "f32", "%[x], %[y]}]", (float x, float y), (x, y),
            CUDALAB_XY)
template <class T>
CUDALAB_FN T tex2Dgather(unsigned long long t, float x, float y, int channel = 0)
{
    return channel == 1   ? cudalab_gather1<T>(t, x, y)
           : channel == 2 ? cudalab_gather2<T>(t, x, y)
           : channel == 3 ? cudalab_gather3<T>(t, x, y)
                          : cudalab_gather0<T>(t, x, y);
}

/* ---- Surfaces ---- */

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap
};

/* The bytes of a value, as registers. */
union cudalab_bytes {
    unsigned short half;
    unsigned word[4];
};

/* One instruction for each size a texel may have; all but one go when the size is known. */
#define CUDALAB_SULD(ptx, edge, at, ...)                                                       \
    if (size == 1)                                                                             \
        asm volatile("suld.b." ptx ".b8." edge " {%0}, [%[s], {" at "}];"                      \
                     : "=h"(b.half) : [s] "l"(s), __VA_ARGS__);                                \
    else if (size == 2)                                                                        \
        asm volatile("suld.b." ptx ".b16." edge " {%0}, [%[s], {" at "}];"                     \
                     : "=h"(b.half) : [s] "l"(s), __VA_ARGS__);                                \
    else if (size == 4)                                                                        \
        asm volatile("suld.b." ptx ".b32." edge " {%0}, [%[s], {" at "}];"                     \
                     : "=r"(b.word[0]) : [s] "l"(s), __VA_ARGS__);                             \
    else if (size == 8)                                                                        \
        asm volatile("suld.b." ptx ".v2.b32." edge " {%0, %1}, [%[s], {" at "}];"              \
                     : "=r"(b.word[0]), "=r"(b.word[1]) : [s] "l"(s), __VA_ARGS__);            \
    else                                                                                       \
        asm volatile("suld.b." ptx ".v4.b32." edge " {%0, %1, %2, %3}, [%[s], {" at "}];"      \
                     : "=r"(b.word[0]), "=r"(b.word[1]), "=r"(b.word[2]), "=r"(b.word[3])      \
                     : [s] "l"(s), __VA_ARGS__);
#define CUDALAB_SUST(ptx, edge, at, ...)                                                       \
    if (size == 1)                                                                             \
        asm volatile("sust.b." ptx ".b8." edge " [%[s], {" at "}], {%0};"                      \
                     : : "h"(b.half), [s] "l"(s), __VA_ARGS__);                                \
    else if (size == 2)                                                                        \
        asm volatile("sust.b." ptx ".b16." edge " [%[s], {" at "}], {%0};"                     \
                     : : "h"(b.half), [s] "l"(s), __VA_ARGS__);                                \
    else if (size == 4)                                                                        \
        asm volatile("sust.b." ptx ".b32." edge " [%[s], {" at "}], {%0};"                     \
                     : : "r"(b.word[0]), [s] "l"(s), __VA_ARGS__);                             \
    else if (size == 8)                                                                        \
        asm volatile("sust.b." ptx ".v2.b32." edge " [%[s], {" at "}], {%0, %1};"              \
                     : : "r"(b.word[0]), "r"(b.word[1]), [s] "l"(s), __VA_ARGS__);             \
    else                                                                                       \
        asm volatile("sust.b." ptx ".v4.b32." edge " [%[s], {" at "}], {%0, %1, %2, %3};"      \
                     : : "r"(b.word[0]), "r"(b.word[1]), "r"(b.word[2]), "r"(b.word[3]),       \
                       [s] "l"(s), __VA_ARGS__);
#define CUDALAB_EDGES(access, ptx, at, ...)                                                    \
    if (mode == cudaBoundaryModeZero) {                                                        \
        access(ptx, "zero", at, __VA_ARGS__)                                                   \
    } else if (mode == cudaBoundaryModeClamp) {                                                \
        access(ptx, "clamp", at, __VA_ARGS__)                                                  \
    } else {                                                                                   \
        access(ptx, "trap", at, __VA_ARGS__)                                                   \
    }
#define CUDALAB_SURF(name, ptx, at, parameters, values, ...)                                   \
    template <class T>                                                                         \
    CUDALAB_FN T name##read(unsigned long long s, CUDALAB_LIST parameters,                     \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)               \
    {                                                                                          \
        const unsigned size = sizeof(T);                                                       \
        cudalab_bytes b;                                                                       \
        T v;                                                                                   \
        CUDALAB_EDGES(CUDALAB_SULD, ptx, at, __VA_ARGS__)                                      \
        __builtin_memcpy(&v, &b, sizeof v);                                                    \
        return v;                                                                              \
    }                                                                                          \
    template <class T>                                                                         \
    CUDALAB_FN void name##read(T *to, unsigned long long s, CUDALAB_LIST parameters,           \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)            \
    { *to = name##read<T>(s, CUDALAB_LIST values, mode); }                                     \
    template <class T>                                                                         \
    CUDALAB_FN void name##write(T v, unsigned long long s, CUDALAB_LIST parameters,            \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)           \
    {                                                                                          \
        const unsigned size = sizeof(T);                                                       \
        cudalab_bytes b = {0};                                                                 \
        __builtin_memcpy(&b, &v, sizeof v);                                                    \
        CUDALAB_EDGES(CUDALAB_SUST, ptx, at, __VA_ARGS__)                                      \
    }

CUDALAB_SURF(surf1D, "1d", "%[x]", (int x), (x), [x] "r"(x))
CUDALAB_SURF(surf2D, "2d", "%[x], %[y]", (int x, int y), (x, y), [x] "r"(x), [y] "r"(y))
CUDALAB_SURF(surf3D, "3d", "%[x], %[y], %[z], %[z]", (int x, int y, int z), (x, y, z),
             [x] "r"(x), [y] "r"(y), [z] "r"(z))
CUDALAB_SURF(surf1DLayered, "a1d", "%[l], %[x]", (int x, int l), (x, l), [x] "r"(x), [l] "r"(l))
/* The faces of a cube are layers. */
CUDALAB_SURF(surfCubemap, "a2d", "%[l], %[x], %[y], %[y]", (int x, int y, int l), (x, y, l),
             [x] "r"(x), [y] "r"(y), [l] "r"(l))
CUDALAB_SURF(surfCubemapLayered, "a2d", "%[l], %[x], %[y], %[y]", (int x, int y, int l),
             (x, y, l), [x] "r"(x), [y] "r"(y), [l] "r"(l))
CUDALAB_SURF(surf2DLayered, "a2d", "%[l], %[x], %[y], %[y]", (int x, int y, int l), (x, y, l),
             [x] "r"(x), [y] "r"(y), [l] "r"(l))

#endif
