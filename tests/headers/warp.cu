/* SPDX-License-Identifier: GPL-3.0-or-later */
/* votes, shuffles, matches and reductions of a warp */
__global__ void each(int *i, unsigned *u, float *f, double *d, long long *l)
{
    unsigned all = __activemask();
    u[0] = __ballot_sync(all, i[0]) + __all_sync(all, i[0]) + __any_sync(all, i[0]);
    i[0] = __shfl_sync(all, i[0], 3) + __shfl_up_sync(all, i[0], 1) + __shfl_xor_sync(all, i[0], 1);
    f[0] = __shfl_down_sync(0xffffffff, f[0], 16) + __shfl_down_sync(all, f[1], 2, 8);
    d[0] = __shfl_xor_sync(all, d[0], 4) + __shfl_sync(all, d[1], 0);
    l[0] = __shfl_down_sync(all, l[0], 4) + __shfl_up_sync(all, u[3], 1);
    u[1] = __match_any_sync(all, i[0]) + __match_any_sync(all, l[0]) + __match_any_sync(all, f[0]);
    u[2] = __match_all_sync(all, u[1], i + 1);
    u[3] = __reduce_add_sync(all, u[1]) + __reduce_max_sync(all, i[1]);
    u[4] = __reduce_or_sync(all, u[2]);
    __syncwarp();
    __syncwarp(all);
}
