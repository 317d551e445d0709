// One kernel template, many operations: functors, device function pointers,
// a member template, and a lambda inside of a kernel.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct AddN {
    int n;
    __host__ __device__ int operator()(int v) const { return v + n; }
};

template <int K>
struct Modulo {
    __device__ int operator()(int v) const { return v % K; }
};

template <typename F, typename G>
struct Compose {
    F f;
    G g;
    __device__ int operator()(int v) const { return g(f(v)); }
};

template <typename T, typename Op>
__global__ void map_kernel(const T *in, T *out, int n, Op op)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = op(in[i]);
}

typedef int (*Function)(int);
__device__ int square(int v) { return v * v; }
__device__ int negate(int v) { return -v; }
__device__ Function table[2] = {square, negate};

__global__ void apply(const int *in, int *out, int n, Function f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f(in[i]);
}

__global__ void lambda_kernel(const int *in, int *out, int n, int base)
{
    auto mirror = [base](int v) { return base - v; };
    auto twice = [&](int v) { return mirror(mirror(v) / 2); };
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = twice(in[i]);
}

template <typename T>
static void show(const char *name, const T *dev, int n)
{
    std::vector<T> v(n);
    cudaMemcpy(v.data(), dev, n * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (T x : v)
        sum += x;
    std::printf("%-8s %g %g sum %.1f\n", name, double(v[1]), double(v[n - 1]), sum);
}

struct Half {
    __device__ float operator()(float v) const { return v * 0.5f; }
};

int main()
{
    const int n = 150;
    std::vector<int> host(n);
    std::vector<float> real(n);
    for (int i = 0; i < n; ++i) {
        host[i] = 3 * i + 1;
        real[i] = float(i);
    }
    int *in, *out;
    float *fin, *fout;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&fin, n * sizeof(float));
    cudaMalloc(&fout, n * sizeof(float));
    cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(fin, real.data(), n * sizeof(float), cudaMemcpyHostToDevice);

    map_kernel<<<3, 64>>>(in, out, n, AddN{10});
    show("add", out, n);
    map_kernel<<<3, 64>>>(in, out, n, Modulo<7>{});
    show("modulo", out, n);
    map_kernel<<<3, 64>>>(in, out, n, Compose<AddN, Modulo<10>>{{5}, {}});
    show("compose", out, n);
    map_kernel<<<3, 64>>>(fin, fout, n, Half{});
    show("half", fout, n);

    Function f[2];
    cudaMemcpyFromSymbol(f, table, sizeof f);
    apply<<<3, 64>>>(in, out, n, f[0]);
    show("square", out, n);
    apply<<<3, 64>>>(in, out, n, f[1]);
    show("negate", out, n);
    lambda_kernel<<<3, 64>>>(in, out, n, 1000);
    show("lambda", out, n);

    cudaError_t e = cudaGetLastError();
    std::printf("%s\n", cudaGetErrorString(e));
    cudaFree(in);
    cudaFree(out);
    cudaFree(fin);
    cudaFree(fout);
    return e != cudaSuccess;
}
