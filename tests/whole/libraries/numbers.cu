// The numbers of cuRAND's generators: for each a hash of 20,000, and the first three.
// tests/h100/curand-host.txt has what an H100 gives.
#include <cstdio>
#include <cstdlib>
#include <curand.h>
#include <vector>

enum { N = 20000 };

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
    explicit Place(bool device) : device(device), at(nullptr)
    {
        if (device)
            check(cudaMalloc(&at, N * sizeof(double)));
        else
            at = malloc(N * sizeof(double));
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

static void run(const char *name, curandRngType_t type, bool device, const char *order_name,
                curandOrdering_t order, unsigned long long seed, unsigned long long offset)
{
    curandGenerator_t g;
    Place p(device);
    if (device)
        check(curandCreateGenerator(&g, type));
    else
        check(curandCreateGeneratorHost(&g, type));
    check(curandSetGeneratorOrdering(g, order));
    if (seed)
        check(curandSetPseudoRandomGeneratorSeed(g, seed));
    check(curandSetGeneratorOffset(g, offset));
    const auto row = [&] {
        printf("%s %s %s %llu %llu", name, device ? "device" : "host", order_name, seed, offset);
    };
    row();
    check(curandGenerate(g, (unsigned *)p.at, N));
    p.tell<unsigned>("u32", N, " %08x");
    printf("\n"), row();
    check(curandGenerateUniform(g, (float *)p.at, N));
    p.tell<float>("uniform", N, " %.9g");
    printf("\n"), row();
    check(curandGenerateUniformDouble(g, (double *)p.at, N));
    p.tell<double>("uniform_double", N, " %.17g");
    printf("\n"), row();
    check(curandGenerateNormal(g, (float *)p.at, N, 1, 2));
    p.tell<float>("normal", N, " %.9g");
    printf("\n"), row();
    check(curandGenerateNormalDouble(g, (double *)p.at, N, 0, 1));
    p.tell<double>("normal_double", N, " %.17g");
    printf("\n"), row();
    check(curandGenerateLogNormal(g, (float *)p.at, N, 0, 1));
    p.tell<float>("lognormal", N, " %.9g");
    printf("\n"), row();
    check(curandGeneratePoisson(g, (unsigned *)p.at, N, 10));
    p.tell<unsigned>("poisson10", N, " %u");
    printf("\n"), row();
    check(curandGenerate(g, (unsigned *)p.at, 7));
    p.tell<unsigned>("seven", 7, " %08x");
    printf("\n");
    check(curandDestroyGenerator(g));
}

int main()
{
    static const struct { const char *name; curandRngType_t type; } types[] = {
        {"xorwow", CURAND_RNG_PSEUDO_XORWOW}, {"mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A},
        {"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10}};
    for (const auto &t : types)
        for (int device = 0; device < 2; device++) {
            run(t.name, t.type, device, "default", CURAND_ORDERING_PSEUDO_DEFAULT, 1234, 0);
            run(t.name, t.type, device, "best", CURAND_ORDERING_PSEUDO_BEST, 1234, 0);
            run(t.name, t.type, device, "legacy", CURAND_ORDERING_PSEUDO_LEGACY, 1234, 0);
            run(t.name, t.type, device, "default", CURAND_ORDERING_PSEUDO_DEFAULT, 0, 0);
            run(t.name, t.type, device, "default", CURAND_ORDERING_PSEUDO_DEFAULT, 42, 5);
        }
}
