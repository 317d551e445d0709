// What the programs for cuBLAS have in common: small whole numbers, whose sums are exact in any order,
// and a plain computation beside each call.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <vector>

static int failures;

static void expect(bool good, const char *what)
{
    printf("%s %s\n", good ? "ok" : "WRONG", what);
    failures += !good;
}

#define CALL(call)                                                                             \
    do {                                                                                       \
        cublasStatus_t status_ = call;                                                         \
        if (status_ != CUBLAS_STATUS_SUCCESS) {                                                \
            printf("line %d: %s\n", __LINE__, cublasGetStatusName(status_));                   \
            exit(2);                                                                           \
        }                                                                                      \
    } while (0)

// -4 to 4, and never 0, so that it can be divided by.
template <class T> std::vector<T> numbers(int n, unsigned seed)
{
    std::vector<T> v(n);
    for (T &x : v) {
        seed = seed * 1103515245u + 12345u;
        int k = (int)(seed >> 16) % 8 - 4;
        x = (T)(k >= 0 ? k + 1 : k);
    }
    return v;
}

template <class T> struct OnDevice {
    T *at = nullptr;
    int n;
    explicit OnDevice(const std::vector<T> &v) : n((int)v.size())
    {
        if (cudaMalloc(&at, n * sizeof(T)) != cudaSuccess)
            exit(3);
        CALL(cublasSetVector(n, sizeof(T), v.data(), 1, at, 1));
    }
    ~OnDevice() { if (cudaFree(at) != cudaSuccess) exit(3); }
    operator T *() const { return at; }
    std::vector<T> back() const
    {
        std::vector<T> v(n);
        CALL(cublasGetVector(n, sizeof(T), at, 1, v.data(), 1));
        return v;
    }
};
