// SPDX-License-Identifier: GPL-3.0-or-later
enum Mode { OFF, SLOW = 3, FAST = -2 };
enum class Level : unsigned char { LOW, MID = 7, TOP };
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    Mode mode = i & 1 ? SLOW : FAST;
    Level level = Level::LOW;
    int cost = 0;
    for (int j = 0; j < 3; j++) {
        if (mode == FAST) {
            mode = OFF;
            level = Level::MID;
        } else if (mode == SLOW) {
            mode = FAST;
            level = Level::TOP;
        }
        cost += (int)mode + (int)level;
    }
    x[i] = cost;
}
