/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions of integers and bits, min and max of all kinds */
__global__ void each(int *p, unsigned *u, long long *l, unsigned long long *v)
{
    int x = p[0], y = p[1];
    p[0] = __popc(x) + __clz(x) + __ffs(x) + __mulhi(x, y) + __mul24(x, y) + __hadd(x, y);
    p[1] = __rhadd(x, y) + __sad(x, y, 3u) + abs(x) + min(x, y) + max(x, 3) + __dp4a(x, y, 4);
    u[0] = __brev(u[0]) + __umulhi(u[0], u[1]) + __umul24(u[0], 3) + __usad(u[0], u[1], u[2]);
    u[1] = __byte_perm(u[0], u[1], 0x3210) + __funnelshift_l(u[0], u[1], 5) + __uhadd(u[0], u[1]);
    u[2] = __funnelshift_r(u[0], u[1], 5) + __funnelshift_lc(u[0], u[1], 40) + __urhadd(u[0], u[1]);
    u[3] = min(u[0], 3) + max(3, u[1]) + __dp4a(u[0], u[1], u[2]) + __funnelshift_rc(u[0], u[1], 3);
    l[0] = __mul64hi(l[0], l[1]) + llabs(l[0]) + labs(l[1]) + min(l[0], l[1]) + max(l[0], 3LL);
    v[0] = __umul64hi(v[0], v[1]) + __brevll(v[0]) + __popcll(v[0]) + __clzll(l[0]) + __ffsll(l[0]);
    v[1] = min(v[0], v[1]) + max(v[0], l[0]) + min(2.0f, 3.0) + max(1.0f, 2.0f) + min(1.0, 2.0);
}
int main() { return min(1, 2) + max(2u, 3) + min(1.0f, 2.0f) > 2.0; }
