// SPDX-License-Identifier: GPL-3.0-or-later
// Small kernels that show one cost of a card each. tests/h100/calibration.txt has their times, from
// which the measured numbers of src/dev/model.def come.
extern "C" __global__ void empty(int *x) {}
extern "C" __global__ void one_store(int *x) { int i = blockIdx.x * blockDim.x + threadIdx.x; x[i] = i; }
extern "C" __global__ void fchain(float *x, int n) { float a = x[threadIdx.x]; for (int i = 0; i < n; i++) a = a * 1.0001f + 0.5f; x[blockIdx.x * blockDim.x + threadIdx.x] = a; }
extern "C" __global__ void fchain4(float *x, int n) { float a = x[threadIdx.x], b = a + 1, c = a + 2, d = a + 3; for (int i = 0; i < n; i++) { a = a * 1.0001f + 0.5f; b = b * 1.0001f + 0.5f; c = c * 1.0001f + 0.5f; d = d * 1.0001f + 0.5f; } x[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d; }
extern "C" __global__ void ichain4(int *x, int n) { int a = x[threadIdx.x], b = a + 1, c = a + 2, d = a + 3; for (int i = 0; i < n; i++) { a = (a ^ b) + 7; b = (b ^ c) + 9; c = (c ^ d) + 11; d = (d ^ a) + 13; } x[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d; }
extern "C" __global__ void mchain4(int *x, int n) { int a = x[threadIdx.x], b = a + 1, c = a + 2, d = a + 3; for (int i = 0; i < n; i++) { a = a * b + 7; b = b * c + 9; c = c * d + 11; d = d * a + 13; } x[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d; }
extern "C" __global__ void divf(float *x, int n) { float a = x[threadIdx.x]; for (int i = 0; i < n; i++) a = 3.0f / (a + 1.5f); x[blockIdx.x * blockDim.x + threadIdx.x] = a; }
extern "C" __global__ void sqrtf_(float *x, int n) { float a = x[threadIdx.x]; for (int i = 0; i < n; i++) a = sqrtf(a + 1.5f); x[blockIdx.x * blockDim.x + threadIdx.x] = a; }
extern "C" __global__ void divi(int *x, int n) { int a = x[threadIdx.x]; for (int i = 0; i < n; i++) a = 100000 / (a % 77 + 3); x[blockIdx.x * blockDim.x + threadIdx.x] = a; }
extern "C" __global__ void dchain(double *x, int n) { double a = x[threadIdx.x]; for (int i = 0; i < n; i++) a = a * 1.0001 + 0.5; x[blockIdx.x * blockDim.x + threadIdx.x] = a; }
extern "C" __global__ void spec(float *x, int n) { float a = x[threadIdx.x]; for (int i = 0; i < n; i++) a = __sinf(a); x[blockIdx.x * blockDim.x + threadIdx.x] = a; }
extern "C" __global__ void atom_f(float *x, int mask) { int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(&x[i & mask], 1.0f); }
extern "C" __global__ void atom_i(int *x, int mask) { int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(&x[i & mask], 1); }
extern "C" __global__ void atom_w(float *x, int mask) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (threadIdx.x % 32 == 0) atomicAdd(&x[i & mask], 1.0f); }
extern "C" __global__ void atom_iw(int *x, int mask) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (threadIdx.x % 32 == 0) atomicAdd(&x[i & mask], 1); }
extern "C" __global__ void atom_r(int *x, int *y, int mask) { int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = atomicAdd(&x[i & mask], 1); }
extern "C" __global__ void atom_rnd(int *x, const int *k, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(&x[k[i]], 1); }
extern "C" __global__ void atom_s(int *x, int n) { __shared__ int h[256]; h[threadIdx.x] = 0; __syncthreads(); for (int i = 0; i < n; i++) atomicAdd(&h[(threadIdx.x * 7 + i) & 255], 1); __syncthreads(); x[blockIdx.x * blockDim.x + threadIdx.x] = h[threadIdx.x]; }
extern "C" __global__ void atom_s1(int *x, int n) { __shared__ int h[256]; h[threadIdx.x] = 0; __syncthreads(); for (int i = 0; i < n; i++) atomicAdd(&h[i & 3], 1); __syncthreads(); x[blockIdx.x * blockDim.x + threadIdx.x] = h[threadIdx.x]; }
extern "C" __global__ void reread(const float *x, float *y, int n, int turns) { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int t = 0; t < turns; t++) s += x[(i + t * 4096) & (n - 1)]; y[i] = s; }
extern "C" __global__ void copy1(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }
extern "C" __global__ void copy4(const float4 *x, float4 *y, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i]; }
extern "C" __global__ void read1(const float *x, float *y, int n) { float s = 0; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i]; y[blockIdx.x * blockDim.x + threadIdx.x] = s; }
extern "C" __global__ void write1(float *y, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = i; }
extern "C" __global__ void gather(const float *x, const int *k, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[k[i]]; }
extern "C" __global__ void bars(int *x, int n) { for (int i = 0; i < n; i++) __syncthreads(); x[blockIdx.x * blockDim.x + threadIdx.x] = n; }
extern "C" __global__ void shfl(int *x, int n) { int a = threadIdx.x; for (int i = 0; i < n; i++) a += __shfl_xor_sync(~0u, a, 1); x[blockIdx.x * blockDim.x + threadIdx.x] = a; }
extern "C" __global__ void bank(int *x, int n, int s) { __shared__ int h[8192]; for (int i = threadIdx.x; i < 8192; i += blockDim.x) h[i] = (i * 5 + s) & 8191; __syncthreads(); int a = (threadIdx.x * s) & 8191, b = 0; for (int i = 0; i < n; i++) b += h[(a + i) & 8191]; x[blockIdx.x * blockDim.x + threadIdx.x] = b; }
extern "C" __global__ void bankc(int *x, int n) { __shared__ int h[1024]; for (int i = threadIdx.x; i < 1024; i += blockDim.x) h[i] = (i * 5 + 1) & 1023; __syncthreads(); int a = threadIdx.x; for (int i = 0; i < n; i++) a = h[a]; x[blockIdx.x * blockDim.x + threadIdx.x] = a; }
