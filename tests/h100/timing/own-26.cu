// SPDX-License-Identifier: GPL-3.0-or-later
// Product of two matrices of doubles with tiles of 16 by 16 in shared memory.
//: small   array a f64 4096 random; array b f64 4096 random; array c f64 4096; launch tiled<16><<<dim3(4,4), dim3(16,16)>>>(a, b, c, 64, 64, 64)
//: middle  array a f64 65536 random; array b f64 65536 random; array c f64 65536; launch tiled<16><<<dim3(16,16), dim3(16,16)>>>(a, b, c, 256, 256, 256)
//: large   array a f64 524288 random; array b f64 262144 random; array c f64 524288; launch tiled<16><<<dim3(32,64), dim3(16,16)>>>(a, b, c, 1024, 512, 512)

template <int T>
__global__ void tiled(const double *a, const double *b, double *c, int m, int n, int k)
{
    __shared__ double ta[T][T];
    __shared__ double tb[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty;
    int col = blockIdx.x * T + tx;
    double sum = 0.0;
    for (int base = 0; base < k; base += T) {
        ta[ty][tx] = a[row * k + base + tx];
        tb[ty][tx] = b[(base + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += ta[ty][i] * tb[i][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

template __global__ void tiled<16>(const double *, const double *, double *, int, int, int);
