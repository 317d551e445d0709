// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __noinline__ int search(const int *from, int count, int key)
{
    for (int at = 0; at < count; at++) {
        int each = from[at];
        if (each == key) {
            int found = at;
            return found;
        }
        if (each < -4) {
            return -2;
        }
    }
    int none = -1;
    return none;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    if (i > n) {
        return;
    }
    int at = search(x + 128, 20, i - 5);
    if (at < 0) {
        int code = at * 10;
        x[i] = code;
        return;
    }
    int more = search(x + 200 + at, 9, 3);
    x[i] = at + more;
}
