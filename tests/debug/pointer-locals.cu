// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0
__device__ void swapInts(int *a, int *b) {
    int tmp = *a;
    *a = *b;
    *b = tmp;
}

extern "C" __global__ void pointers(int *x, int *out) {
    int t = threadIdx.x;
    int first = x[t];
    int second = x[t + 10] * 2;
    int *p = &first;
    int *q = &second;
    if (t % 2 == 0) {
        swapInts(p, q);
    }
    *p += 3;
    int **pp = &q;
    **pp -= 1;
    q = p;
    *pp = &second;
    int buffer[4] = {first, second, 0, -1};
    int *cursor = buffer;
    int *end = buffer + 4;
    int total = 0;
    while (cursor != end) {
        total = total * 3 + *cursor;
        ++cursor;
    }
    long distance = cursor - buffer;
    out[t] = total;
    out[t + 64] = *q + (int)distance;
}
