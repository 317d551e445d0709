// wrong: double-free
// A small class that owns device memory.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(x)                                                              \
    do {                                                                      \
        cudaError_t status = (x);                                             \
        if (status != cudaSuccess) {                                          \
            std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
            std::exit(1);                                                     \
        }                                                                     \
    } while (0)

template <typename T>
class Buffer {
public:
    explicit Buffer(int n) : n_(n) { CHECK(cudaMalloc(&p_, n * sizeof(T))); }
    ~Buffer()
    {
        CHECK(cudaFree(p_));  // OR HERE
    }
    T *get() const { return p_; }
    int size() const { return n_; }

private:
    T *p_ = nullptr;
    int n_ = 0;
};

__global__ void fill(int *p, int n, int start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i] = start + i;
    }
}

int main()
{
    Buffer<int> numbers(150);
    Buffer<int> view = numbers;  // HERE

    fill<<<(numbers.size() + 31) / 32, 32>>>(numbers.get(), numbers.size(), 10);
    CHECK(cudaGetLastError());

    std::vector<int> h(view.size());
    CHECK(cudaMemcpy(h.data(), view.get(), h.size() * sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("first %d, last %d\n", h.front(), h.back());
    return 0;
}
