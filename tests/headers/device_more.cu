/* SPDX-License-Identifier: GPL-3.0-or-later */
/* headers by older names; addresses of spaces, gradients of textures, three launch bounds */
#include <builtin_types.h>
#include <channel_descriptor.h>
#include <crt/host_defines.h>
#include <library_types.h>
#include <math_functions.h>
#include <sm_60_atomic_functions.h>
#include <surface_types.h>
#include <texture_types.h>

__global__ void __launch_bounds__(256) one(int *p) { p[0] = 1; }
__global__ void __launch_bounds__(256, 2) two(int *p) { p[0] = 2; }
__global__ void __launch_bounds__(256, 2, 4) three(int *p) { p[0] = 3; }

__global__ void more(float *f, cudaTextureObject_t t, cudaSurfaceObject_t s,
                     const __grid_constant__ int n)
{
    __shared__ int word;
    word = n;
    void *p = __cvta_shared_to_generic(__cvta_generic_to_shared(&word));
    f[0] = *(int *)p + *(float *)__cvta_global_to_generic(__cvta_generic_to_global(f + n));
    f[1] = tex1DGrad<float>(t, 1, 0.5f, 0.25f) + texCubemapLod<float>(t, 1, 2, 3, 0);
    f[2] = tex2DGrad<float>(t, 1, 2, make_float2(1, 0), make_float2(0, 1));
    f[3] = tex1DLayeredLod<float>(t, 1, 2, 3) + tex2DLayeredLod<float>(t, 1, 2, 3, 4);
    f[4] = __tanhf(f[5]) + __fmaf_ieee_rn(f[6], 2, 3) + surfCubemapread<float>(s, 4, 2, 1);
    surfCubemapwrite(1.0f, s, 4, 2, 5);
    __prof_trigger(3);
}
