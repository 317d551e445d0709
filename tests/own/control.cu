// SPDX-License-Identifier: GPL-3.0-or-later
//! array code u8 24 list:43,43,43,91,62,43,43,60,45,93,62,43
//! array tape i32 8
//! array kinds i32 64
//! array steps i32 100
//! launch interpret<<<1,1>>>(code, 24, tape)
//! launch classify<<<2,32>>>(kinds)
//! launch collatz<<<4,32>>>(steps, 100)
//! expect tape
//! expect kinds
//! expect steps
// switch with and without breaks, goto, while with break and continue

__global__ void interpret(const char *code, int n, int *tape)
{
    int cell[8] = {0, 0, 0, 0, 0, 0, 0, 0}, at = 0, pc = 0, depth;
next:
    if (pc >= n) goto done;
    switch (code[pc]) {
    case '>': at++; break;
    case '<': at--; break;
    case '+': cell[at]++; break;
    case '-': cell[at]--; break;
    case '[':
        if (cell[at]) break;
        for (depth = 1; depth; )
            if (code[++pc] == ']') depth--;
            else if (code[pc] == '[') depth++;
        break;
    case ']':
        if (!cell[at]) break;
        for (depth = 1; depth; )
            if (code[--pc] == '[') depth--;
            else if (code[pc] == ']') depth++;
        break;
    default: goto done;
    }
    pc++;
    goto next;
done:
    for (int i = 0; i < 8; i++) tape[i] = cell[i];
}

__global__ void classify(int *kinds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    switch (i * 7 % 13) {
    case 0: r = 1; break;
    case 1: r += 10;                // falls through
    case 2: r += 100;
    case 3: r += 1000; break;
    case 5: case 8: r = -i; break;
    case 11: kinds[i] = 11; return;
    default: r = i % 2 ? 5 : 6;
    }
    kinds[i] = r;
}

__global__ void collatz(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = i + 1;
    int k = 0;
    while (1) {
        if (v == 1) break;
        k++;
        if (v & 1) { v = 3 * v + 1; continue; }
        v /= 2;
    }
    steps[i] = k;
}
