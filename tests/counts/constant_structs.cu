// SPDX-License-Identifier: GPL-3.0-or-later
// Structures in constant memory.
// launch 1 64
struct rule {
    short from, to;
    int factor;
    long long more;
};
__constant__ rule rules[3] = {{1, 2, 30, 4}, {5, 6, 70, 8}, {9, 10, 110, 12}};

extern "C" __global__ void constant_structs(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    const rule *r = &rules[v % 3];
    out[t] = v * r->factor + r->from + (int)r->more;
    out[t + 64] = r->to;
}
