// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array len i32 16 iota; array out i32 512 zero; launch fillRows<<<4, 128>>>(len, out)
//@ kind race-shared
//@ cure syncwarp
//@ place between
// a warp a row: lane 0 works out where the row's numbers start
__global__ void fillRows(const int *len, int *out)
{
    __shared__ int start[4];
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    int row = blockIdx.x * 4 + warp;

    if (lane == 0) {
        int sum = 0;
        for (int r = 0; r < row; r++)
            sum += len[r];
        start[warp] = sum;
    }
#ifdef CURED
    __syncwarp();
#endif
    out[row * 32 + lane] = start[warp] + lane;
}
