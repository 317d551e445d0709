// SPDX-License-Identifier: GPL-3.0-or-later
struct Item {
    int key;
    int count;
};
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    Item items[4] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
    for (int j = 0; j < 6; j++) {
        int at = (i + j) & 3;
        items[at].count += j;
        items[at].key ^= 1;
    }
    Item best = items[0];
    for (int j = 1; j < 4; j++) {
        Item each = items[j];
        if (each.count > best.count) {
            best = each;
        }
    }
    x[i] = best.key * 100 + best.count;
}
