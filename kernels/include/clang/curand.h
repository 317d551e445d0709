/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for cuRAND's host library: types and functions, so that host code can be read. */
#ifndef CUDALAB_CURAND_H
#define CUDALAB_CURAND_H
#define CURAND_H_ /* headers of helpers ask for it */

#define CURAND_STATUS(X)                                                                       \
    X(SUCCESS, 0) X(VERSION_MISMATCH, 100) X(NOT_INITIALIZED, 101) X(ALLOCATION_FAILED, 102)   \
    X(TYPE_ERROR, 103) X(OUT_OF_RANGE, 104) X(LENGTH_NOT_MULTIPLE, 105)                        \
    X(DOUBLE_PRECISION_REQUIRED, 106) X(LAUNCH_FAILURE, 201) X(PREEXISTING_FAILURE, 202)       \
    X(INITIALIZATION_FAILED, 203) X(ARCH_MISMATCH, 204) X(INTERNAL_ERROR, 999)
#define CUDALAB_STATUS(name, value) CURAND_STATUS_##name = value,
enum curandStatus { CURAND_STATUS(CUDALAB_STATUS) };
#undef CURAND_STATUS
#undef CUDALAB_STATUS
typedef enum curandStatus curandStatus_t, curandStatus;

enum curandRngType {
    CURAND_RNG_TEST = 0, CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121, CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142, CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200, CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202, CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
};
enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100, CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102, CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104, CURAND_ORDERING_QUASI_DEFAULT = 201
};
typedef enum curandRngType curandRngType_t, curandRngType;
typedef enum curandOrdering curandOrdering_t, curandOrdering;
typedef struct curandGenerator_st *curandGenerator_t;

enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
    CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
};
enum curandMethod {
    CURAND_CHOOSE_BEST, CURAND_ITR, CURAND_KNUTH, CURAND_HITR, CURAND_M1, CURAND_M2,
    CURAND_BINARY_SEARCH, CURAND_DISCRETE_GAUSS, CURAND_REJECTION, CURAND_DEVICE_API,
    CURAND_FAST_REJECTION, CURAND_3RD, CURAND_DEFINITION, CURAND_POISSON
};
typedef enum curandDirectionVectorSet curandDirectionVectorSet_t, curandDirectionVectorSet;
typedef enum curandMethod curandMethod_t, curandMethod;
typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

/* Tables of a distribution: curand_kernel.h has what is in them. */
typedef double curandDistribution_st, curandHistogramM2V_st;
typedef unsigned curandHistogramM2K_st;
typedef double *curandDistribution_t, *curandHistogramM2V_t;
typedef unsigned *curandHistogramM2K_t;
typedef struct curandDistributionShift_st *curandDistributionShift_t;
typedef struct curandDistributionM2Shift_st *curandDistributionM2Shift_t;
typedef struct curandHistogramM2_st *curandHistogramM2_t;
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

#ifndef __CUDACC_RTC__
typedef struct CUstream_st *cudaStream_t; /* as in the runtime's headers, which need not be there */
extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t g);
curandStatus_t curandGetVersion(int *version);
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order);
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned count);
curandStatus_t curandGenerateSeeds(curandGenerator_t g);
curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n);
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *out, size_t n);
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set);
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set);
curandStatus_t curandGetScrambleConstants32(unsigned **constants);
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants);
curandStatus_t curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t *d);
curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t d);
curandStatus_t curandGenerateBinomial(curandGenerator_t g, unsigned *out, size_t count, unsigned n,
                                      double p);
curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned *out, size_t n, double lambda);
#define CUDALAB_GENERATE(end, type)                                                            \
    curandStatus_t curandGenerateUniform##end(curandGenerator_t g, type *out, size_t n);       \
    curandStatus_t curandGenerateNormal##end(curandGenerator_t g, type *out, size_t n,         \
                                             type mean, type deviation);                       \
    curandStatus_t curandGenerateLogNormal##end(curandGenerator_t g, type *out, size_t n,      \
                                                type mean, type deviation);
CUDALAB_GENERATE(, float)
CUDALAB_GENERATE(Double, double)
}
#endif
#endif
