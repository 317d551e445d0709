// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel for each type of parameter: it writes what it was given.
#include <cuda_fp16.h>

struct mixed {
    int count;
    float weight;
    unsigned char tag;
};

__global__ void of_bool(int *out, bool v) { out[0] = v ? 100 : 200; }
__global__ void of_char(signed char *out, signed char v) { out[0] = v; }
__global__ void of_uchar(unsigned char *out, unsigned char v) { out[0] = v; }
__global__ void of_short(short *out, short v) { out[0] = v; }
__global__ void of_ushort(unsigned short *out, unsigned short v) { out[0] = v; }
__global__ void of_int(int *out, int v) { out[0] = v; }
__global__ void of_uint(unsigned *out, unsigned v) { out[0] = v; }
__global__ void of_long(long long *out, long v) { out[0] = v; }
__global__ void of_llong(long long *out, long long v) { out[0] = v; }
__global__ void of_ullong(unsigned long long *out, unsigned long long v) { out[0] = v; }
__global__ void of_size(unsigned long long *out, size_t v) { out[0] = v; }
__global__ void of_half(float *out, __half v) { out[0] = __half2float(v); }
__global__ void of_float(float *out, float v) { out[0] = v; }
__global__ void of_double(double *out, double v) { out[0] = v; }
__global__ void of_struct(float *out, mixed v)
{
    out[0] = v.count;
    out[1] = v.weight;
    out[2] = v.tag;
}
__global__ void of_pointer(unsigned long long *out, const int *p)
{
    out[0] = (unsigned long long)p;
}
__global__ void of_offset(int *out, const int *p) { out[0] = p[0]; }
__global__ void of_nothing() {}
