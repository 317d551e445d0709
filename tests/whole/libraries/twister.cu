// The numbers of cuRAND's MT19937: for each kind a hash of 2001, and the first three. Then a hash of
// many words, where each of its sequences goes on from its third state. Then what begins anew, and
// the statuses of wrong calls. tests/h100/curand-host.txt has what NVIDIA's library gives.
#include "numbers.h"

enum { N = 2001, MANY = 65536 * 157 + 3 };

static curandGenerator_t create(bool device)
{
    curandGenerator_t g;
    if (device)
        check(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MT19937));
    else
        check(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_MT19937));
    return g;
}

// Each row goes on where the row before has ended.
static void run(bool device, const char *order_name, curandOrdering_t order,
                unsigned long long seed)
{
    Place p(device, N);
    curandGenerator_t g = create(device);
    check(curandSetGeneratorOrdering(g, order));
    if (seed)
        check(curandSetPseudoRandomGeneratorSeed(g, seed));
    const auto row = [&](auto what, const char *name, const char *format, int status) {
        check(status);
        printf("mt19937 %s %s %llu 0", device ? "device" : "host", order_name, seed);
        p.tell<decltype(what)>(name, N, format);
        printf("\n");
    };
    const auto poisson = [&](const char *name, double mean) {
        row(0u, name, " %u", curandGeneratePoisson(g, (unsigned *)p.at, N, mean));
    };
    row(0u, "u32", " %08x", curandGenerate(g, (unsigned *)p.at, N));
    row(0.f, "uniform", " %.9g", curandGenerateUniform(g, (float *)p.at, N));
    row(0., "uniform_double", " %.17g", curandGenerateUniformDouble(g, (double *)p.at, N));
    row(0.f, "normal", " %.9g", curandGenerateNormal(g, (float *)p.at, N, 1, 2));
    row(0., "normal_double", " %.17g", curandGenerateNormalDouble(g, (double *)p.at, N, 0, 1));
    row(0.f, "lognormal", " %.9g", curandGenerateLogNormal(g, (float *)p.at, N, 0, 1));
    row(0., "lognormal_double", " %.17g",
        curandGenerateLogNormalDouble(g, (double *)p.at, N, 0, .5));
    poisson("poisson4", 4.5);
    poisson("poisson75", 75);
    poisson("poisson1500", 1500);
    row(0u, "again", " %08x", curandGenerate(g, (unsigned *)p.at, N));
    check(curandDestroyGenerator(g));
}

static void many(bool device)
{
    Place p(device, MANY / 2 + 1);
    curandGenerator_t g = create(device);
    unsigned *at = (unsigned *)p.at;
    check(curandSetPseudoRandomGeneratorSeed(g, 4357));
    for (int n : {1, 12, 4000, 61523, 7, 65536 * 77, MANY - 65543 - 65536 * 77}) {
        check(curandGenerate(g, at, n));
        at += n;
    }
    printf("mt19937 %s default 4357 0", device ? "device" : "host");
    p.tell<unsigned>("many", MANY, " %08x");
    printf("\n");
    check(curandDestroyGenerator(g));
}

// A word is told after each call that might begin the sequence anew. Two are drawn at a time.
static void anew(bool device)
{
    Place p(device, 2);
    curandGenerator_t g = create(device);
    printf("mt19937 %s anew", device ? "device" : "host");
    const auto draw = [&](int status) {
        unsigned word;
        check(status);
        check(curandGenerate(g, (unsigned *)p.at, 2));
        check(cudaMemcpy(&word, p.at, sizeof word, cudaMemcpyDefault));
        printf(" %08x", word);
    };
    draw(0);
    draw(curandSetPseudoRandomGeneratorSeed(g, 0));
    draw(curandSetPseudoRandomGeneratorSeed(g, 5));
    draw(curandSetPseudoRandomGeneratorSeed(g, 5));
    draw(curandSetPseudoRandomGeneratorSeed(g, 5 + (1ull << 32)));
    draw(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DEFAULT));
    draw(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_LEGACY));
    draw(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_LEGACY));
    draw(curandGenerateSeeds(g));
    draw(curandSetGeneratorOrdering(g, device ? CURAND_ORDERING_PSEUDO_BEST
                                              : CURAND_ORDERING_PSEUDO_DEFAULT));
    draw(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DEFAULT));
    check(curandSetPseudoRandomGeneratorSeed(g, 6));
    draw(curandSetPseudoRandomGeneratorSeed(g, 5 + (1ull << 32)));
    draw(0);
    printf("\n");
    check(curandDestroyGenerator(g));
}

static void wrong(bool device)
{
    Place p(device, 2);
    curandGenerator_t g = create(device);
    const auto n = [](int status) { printf(" %d", status); };
    printf("mt19937 %s statuses", device ? "device" : "host");
    n(curandSetGeneratorOffset(g, 0));
    n(curandSetGeneratorOffset(g, 5));
    n(curandSetQuasiRandomGeneratorDimensions(g, 1));
    n(curandGenerateLongLong(g, (unsigned long long *)p.at, 1));
    n(curandGeneratePoisson(g, (unsigned *)p.at, 1, 0));
    n(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_BEST));
    n(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DEFAULT));
    n(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_SEEDED));
    n(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_LEGACY));
    n(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT));
    n(curandDestroyGenerator(g));
    printf("\n");
}

int main()
{
    for (int device = 0; device < 2; device++) {
        run(device, "default", CURAND_ORDERING_PSEUDO_DEFAULT, 0);
        run(device, "legacy", CURAND_ORDERING_PSEUDO_LEGACY, 0x123456789abc);
        if (device)
            run(device, "best", CURAND_ORDERING_PSEUDO_BEST, 0);
        many(device);
        anew(device);
        wrong(device);
    }
}
