// What the programs for cuRAND have in common: a place for results, and a hash of them.
#include <cstdio>
#include <cstdlib>
#include <curand.h>
#include <vector>

static void check(int status)
{
    if (status != 0) {
        printf("status %d\n", status);
        exit(2);
    }
}

static unsigned hash(const void *bytes, size_t n)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const unsigned char *)bytes)[i]) * 16777619u;
    return h;
}

struct Place {
    bool device;
    void *at;
    Place(bool device, int n) : device(device), at(nullptr)
    {
        if (device)
            check(cudaMalloc(&at, n * sizeof(double)));
        else
            at = malloc(n * sizeof(double));
    }
    ~Place() { device ? check(cudaFree(at)) : free(at); }
    template <class T> void tell(const char *name, int n, const char *format) const
    {
        std::vector<T> v(n);
        check(cudaMemcpy(v.data(), at, n * sizeof(T), cudaMemcpyDefault));
        printf(" %s %08x", name, hash(v.data(), n * sizeof(T)));
        for (int i = 0; i < 3; i++)
            printf(format, v[i]);
    }
};
