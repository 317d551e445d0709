// SPDX-License-Identifier: GPL-3.0-or-later
// Does ten steps of heat flow on a plate in one launch. All blocks meet between steps at a
// barrier of the grid.
//: small   array a f32 64x64 random; array b f32 64x64 random; launch heat<<<4, 256>>>(a, b, 64, 10)
//: middle  array a f32 256x256 random; array b f32 256x256 random; launch heat<<<64, 256>>>(a, b, 256, 10)
//: large   array a f32 1024x1024 random; array b f32 1024x1024 random; launch heat<<<264, 256>>>(a, b, 1024, 10)

#include <cooperative_groups.h>

__global__ void heat(float *a, float *b, int n, int steps)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int s = 0; s < steps; s++) {
        for (int i = grid.thread_rank(); i < n * n; i += grid.size()) {
            int x = i % n, y = i / n;
            if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
                b[i] = a[i] + 0.2f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n] - 4 * a[i]);
        }
        grid.sync();
        float *t = a;
        a = b;
        b = t;
    }
}
