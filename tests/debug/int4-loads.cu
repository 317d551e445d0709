// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0
extern "C" __global__ void int4load(const int *x, int *out) {
    const int lane = threadIdx.x;
    const int4 *wide = reinterpret_cast<const int4 *>(x);
    int4 q = wide[lane];
    int4 r = wide[63 - lane];
    int dot = q.x * r.x;
    dot += q.y * r.y;
    dot += q.z * r.z;
    dot += q.w * r.w;
    int4 swapped = make_int4(q.w, q.z, q.y, q.x);
    swapped.x += lane;
    swapped.w -= lane;
    int3 rest = make_int3(swapped.y, swapped.z, dot % 7);
    uint2 halves = make_uint2((unsigned)dot >> 16, (unsigned)dot & 0xffffu);
    out[lane] = swapped.x - swapped.w;
    out[lane + 64] = rest.x + rest.y * rest.z;
    out[lane + 128] = (int)(halves.x + halves.y);
}
