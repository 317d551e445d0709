// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array a f32 1024 random; array out f32 1024 zero; launch scaleRows<<<1, 128>>>(a, out, 8, 128)
//@ kind race-shared
//@ cure syncthreads
//@ place loop-end
// divides each row by its own first element (plus 2)
__global__ void scaleRows(const float *a, float *out, int rows, int cols)
{
    __shared__ float pivot;
    int c = threadIdx.x;

    for (int r = 0; r < rows; r++) {
        const float *row = a + r * cols;
        if (c == 0)
            pivot = row[0] + 2.0f;
        __syncthreads();
        out[r * cols + c] = row[c] / pivot;
#ifdef CURED
        __syncthreads();
#endif
    }
}
