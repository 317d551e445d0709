// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0
extern "C" __global__ void switchcase(const int *x, int *out) {
    int i = threadIdx.x;
    int value = x[i];
    int kind = value % 6;
    int result = -1;
    switch (kind) {
        case 0: {
            int half = value / 2;
            result = half;
            break;
        }
        case 1:
            result = value * 10;
            // fall through
        case 2:
            result += 5;
            break;
        case 3:
        case 4: {
            unsigned bits = (unsigned)value << 2;
            result = (int)(bits ^ 3u);
            break;
        }
        default: {
            short small = (short)(value - 40);
            result = small;
        }
    }
    out[i] = result;
}
