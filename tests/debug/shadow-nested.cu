// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 16: i32[] 0, i32 5
extern "C" __global__ void shadow(int *out, int start) {
    int x = start + (int)threadIdx.x;
    int acc = x;
    {
        int x = 100;
        acc += x;
        {
            int x = 7;
            x = x * 3;
            acc += x;
        }
        x = x + 1;
        acc += x;
    }
    for (int x = 0; x < 3; x++) {
        float acc = 0.5f * x;
        if (acc > 0.4f) {
            double x = 2.25;
            acc = acc + (float)x;
        }
        out[threadIdx.x + 32 * x] = (int)(acc * 4.0f);
    }
    x = x - start;
    out[threadIdx.x + 128] = acc + x;
}
