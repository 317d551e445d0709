// args: 45 70 9
// Matrix times vector. One warp works on each row. Arguments: rows, columns, seed.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#include <cuda_runtime.h>

// A small owner of device memory.
template <typename T>
class DeviceArray {
public:
    explicit DeviceArray(size_t n) : count(n)
    {
        if (cudaMalloc(&data, n * sizeof(T)) != cudaSuccess)
            std::exit(1);
    }
    explicit DeviceArray(const std::vector<T> &v) : DeviceArray(v.size())
    {
        cudaMemcpy(data, v.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~DeviceArray() { cudaFree(data); }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;

    T *get() const { return data; }
    std::vector<T> to_host() const
    {
        std::vector<T> v(count);
        cudaMemcpy(v.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
        return v;
    }

private:
    T *data = nullptr;
    size_t count;
};

__global__ void multiply(const double *m, const double *x, double *y, int rows, int cols)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;                         // A whole warp leaves.
    double sum = 0.0;
    for (int c = lane; c < cols; c += 32)
        sum += m[row * cols + c] * x[c];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[row] = sum;
}

int main(int argc, char *argv[])
{
    if (argc < 4) {
        std::fprintf(stderr, "give rows, columns and seed\n");
        return 2;
    }
    const int rows = std::atoi(argv[1]);
    const int cols = std::atoi(argv[2]);
    unsigned seed = std::strtoul(argv[3], nullptr, 10);
    auto random = [&seed] {
        seed = seed * 22695477u + 1u;
        return static_cast<double>((seed >> 16) % 21) - 10.0;
    };

    std::vector<double> m(rows * cols), x(cols);
    for (double &v : m)
        v = random();
    for (double &v : x)
        v = random() * 0.5;

    auto dm = std::make_unique<DeviceArray<double>>(m);
    DeviceArray<double> dx(x), dy(rows);
    const int threads = 128;
    multiply<<<(rows * 32 + threads - 1) / threads, threads>>>(dm->get(), dx.get(), dy.get(), rows,
                                                               cols);
    std::vector<double> y = dy.to_host();

    int wrong = 0;
    double norm1 = 0.0;
    for (int r = 0; r < rows; ++r) {
        double want = 0.0;
        for (int c = 0; c < cols; ++c)
            want += m[r * cols + c] * x[c];
        wrong += want != y[r];
        norm1 += y[r] < 0 ? -y[r] : y[r];
    }
    std::printf("%d rows, %d columns, wrong: %d\n", rows, cols, wrong);
    std::printf("y: %.1f %.1f ... %.1f\n", y[0], y[1], y[rows - 1]);
    std::printf("sum of sizes: %.1f\n", norm1);
    return wrong ? 1 : 0;
}
