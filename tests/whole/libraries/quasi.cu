// The numbers of cuRAND's quasi-random generators: for each a hash of 30,720, and the first three.
// Then the statuses of wrong calls, the direction vectors, and the constants of scrambled ones.
// tests/h100/curand-host.txt has what NVIDIA's library gives.
#include "numbers.h"

enum { N = 30720, VECTORS_OF = 1024, CONSTANTS = 20000 };

struct Case {
    const char *name;
    curandRngType_t type;
    bool device;
    unsigned dimensions;
    unsigned long long offset;
    bool wide() const
    {
        return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
    }
};

static curandGenerator_t create(const Case &c)
{
    curandGenerator_t g;
    if (c.device)
        check(curandCreateGenerator(&g, c.type));
    else
        check(curandCreateGeneratorHost(&g, c.type));
    check(curandSetQuasiRandomGeneratorDimensions(g, c.dimensions));
    check(curandSetGeneratorOffset(g, c.offset));
    return g;
}

// Each row goes on where the row before has ended.
static void run(const Case &c)
{
    Place p(c.device, N);
    curandGenerator_t g = create(c);
    const auto row = [&](auto what, const char *name, const char *format, int status) {
        check(status);
        printf("%s %s %u 0 %llu", c.name, c.device ? "device" : "host", c.dimensions, c.offset);
        p.tell<decltype(what)>(name, N, format);
        printf("\n");
    };
    const auto poisson = [&](const char *name, double mean) {
        row(0u, name, " %u", curandGeneratePoisson(g, (unsigned *)p.at, N, mean));
    };
    if (c.wide())
        row(0ull, "u64", " %016llx", curandGenerateLongLong(g, (unsigned long long *)p.at, N));
    else
        row(0u, "u32", " %08x", curandGenerate(g, (unsigned *)p.at, N));
    row(0.f, "uniform", " %.9g", curandGenerateUniform(g, (float *)p.at, N));
    row(0., "uniform_double", " %.17g", curandGenerateUniformDouble(g, (double *)p.at, N));
    row(0.f, "normal", " %.9g", curandGenerateNormal(g, (float *)p.at, N, 1, 2));
    row(0., "normal_double", " %.17g", curandGenerateNormalDouble(g, (double *)p.at, N, 0, 1));
    row(0.f, "lognormal", " %.9g", curandGenerateLogNormal(g, (float *)p.at, N, 0, 1));
    row(0., "lognormal_double", " %.17g",
        curandGenerateLogNormalDouble(g, (double *)p.at, N, 0, .5));
    poisson("poisson4", 4.5);
    poisson("poisson10", 10);
    poisson("poisson75", 75);
    poisson("poisson1500", 1500);
    check(curandDestroyGenerator(g));
}

static void vectors()
{
    curandDirectionVectors32_t *narrow;
    curandDirectionVectors64_t *wide;
    check(curandGetDirectionVectors32(&narrow, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    check(curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    printf("sobol32 vectors %08x %08x\n", hash(narrow, VECTORS_OF * sizeof *narrow), narrow[9][5]);
    printf("sobol64 vectors %08x %016llx\n", hash(wide, VECTORS_OF * sizeof *wide), wide[9][5]);
    check(curandGetDirectionVectors32(&narrow, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));
    check(curandGetDirectionVectors64(&wide, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6));
    printf("scrambled32 vectors %08x %08x\n", hash(narrow, VECTORS_OF * sizeof *narrow),
           narrow[9][5]);
    printf("scrambled64 vectors %08x %016llx\n", hash(wide, VECTORS_OF * sizeof *wide),
           wide[9][5]);
}

static void constants()
{
    unsigned *narrow;
    unsigned long long *wide;
    check(curandGetScrambleConstants32(&narrow));
    check(curandGetScrambleConstants64(&wide));
    printf("scrambled32 constants %08x %08x\n", hash(narrow, CONSTANTS * sizeof *narrow),
           narrow[CONSTANTS - 1]);
    printf("scrambled64 constants %08x %016llx\n", hash(wide, CONSTANTS * sizeof *wide),
           wide[CONSTANTS - 1]);
}

// The points go on with other dimensions, and a new offset counts points.
static void wrong(const Case &c)
{
    unsigned few[16];
    curandGenerator_t g = create(c);
    const auto n = [](int status) { printf(" %d", status); };
    printf("%s statuses", c.name);
    n(curandSetPseudoRandomGeneratorSeed(g, 3));
    n(curandSetQuasiRandomGeneratorDimensions(g, 0));
    n(curandSetQuasiRandomGeneratorDimensions(g, 20001));
    n(curandSetQuasiRandomGeneratorDimensions(g, 3));
    n(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DEFAULT));
    n(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT));
    n(curandGenerateUniform(g, (float *)few, 10));
    n(curandGenerateUniform(g, (float *)few, 0));
    n(curandGeneratePoisson(g, few, 9, 0));
    if (c.wide())
        n(curandGenerate(g, few, 3));
    else
        n(curandGenerateLongLong(g, (unsigned long long *)few, 3));
    n(curandGenerateUniform(g, (float *)few, 6));
    printf(" %g", ((float *)few)[5]);
    n(curandSetQuasiRandomGeneratorDimensions(g, 2));
    n(curandGenerateUniform(g, (float *)few, 4));
    printf(" %g", ((float *)few)[3]);
    n(curandSetGeneratorOffset(g, 7));
    n(curandGenerateUniform(g, (float *)few, 2));
    printf(" %g", ((float *)few)[1]);
    n(curandDestroyGenerator(g));
    curandDirectionVectors32_t *v;
    n(curandGetDirectionVectors32(&v, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    printf("\n");
}

int main()
{
    static const struct { const char *name; curandRngType_t type; } types[] = {
        {"sobol32", CURAND_RNG_QUASI_SOBOL32}, {"sobol64", CURAND_RNG_QUASI_SOBOL64},
        {"scrambled32", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32},
        {"scrambled64", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64}};
    for (const auto &t : types) {
        for (int device = 0; device < 2; device++) {
            run({t.name, t.type, device != 0, 1, 0});
            run({t.name, t.type, device != 0, 3, 5});
            // Without scrambled points on the device, this goes beyond 32 bits.
            const bool near = t.type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 && device;
            run({t.name, t.type, device != 0, VECTORS_OF, near ? 0xfffff000u : 0xfffffff0u});
        }
        wrong({t.name, t.type, false, 1, 0});
    }
    vectors();
    constants();
}
