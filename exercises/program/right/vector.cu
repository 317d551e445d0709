// The sum is made on the device, and an exception reports what failed.
#include <cstdio>
#include <stdexcept>
#include <string>

static void must(cudaError_t result, const char *what)
{
    if (result != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(result));
}

template <typename T> class on_device {
    T *first = nullptr;

  public:
    explicit on_device(size_t count)
    {
        must(cudaMalloc((void **)&first, count * sizeof(T)), "cudaMalloc");
    }
    on_device(const on_device &) = delete;
    ~on_device()
    {
        cudaFree(first);
    }
    T *get() const
    {
        return first;
    }
};

__global__ void add_strip(unsigned n, double width, double *total)
{
    unsigned strip = blockDim.x * blockIdx.x + threadIdx.x;
    if (strip >= n)
        return;
    double middle = (strip + 0.5) * width;
    atomicAdd(total, width * 4.0 / (1.0 + middle * middle));
}

int main(int count, char *words[])
try {
    if (count < 3)
        throw std::runtime_error("give the number of strips and of threads");
    const unsigned n = std::stoul(words[1]), block = std::stoul(words[2]);
    on_device<double> total(1);
    must(cudaMemset(total.get(), 0, sizeof(double)), "cudaMemset");
    add_strip<<<(n + block - 1) / block, block>>>(n, 1.0 / n, total.get());
    must(cudaGetLastError(), "the launch");
    must(cudaDeviceSynchronize(), "the kernel");
    double pi = 0;
    must(cudaMemcpy(&pi, total.get(), sizeof pi, cudaMemcpyDeviceToHost), "cudaMemcpy");
    std::printf("pi is about %.10f\n", pi);
    return 0;
} catch (const std::exception &problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
