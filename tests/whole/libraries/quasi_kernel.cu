// Kernels that draw quasi-random numbers by direction vectors and constants of the host. What they
// draw must be what a generator of the host gives: each thread has a part of the points of a
// dimension.
#include <curand_kernel.h>
#include "numbers.h"

enum { DIMENSIONS = 6, PARTS = 16, EACH = 25, POINTS = PARTS * EACH, N = DIMENSIONS * POINTS };

template <class State, class Vectors, class Word>
__device__ void start(State *state, Vectors &vectors, Word, int first)
{
    curand_init(vectors, first, state);
}

__device__ void start(curandStateScrambledSobol32 *state, curandDirectionVectors32_t &vectors,
                      unsigned constant, int first)
{
    curand_init(vectors, constant, first, state);
}

__device__ void start(curandStateScrambledSobol64 *state, curandDirectionVectors64_t &vectors,
                      unsigned long long constant, int first)
{
    curand_init(vectors, constant, first, state);
}

template <class State, class Vectors, class Word>
__global__ void draw(Vectors *vectors, const Word *constants, Word *out, float *uniform)
{
    State state;
    const int dimension = blockIdx.x, begin = threadIdx.x * EACH;
    start(&state, vectors[dimension], constants[dimension], begin);
    for (int i = 0; i < EACH; i++) {
        State same = state;
        out[dimension * POINTS + begin + i] = curand(&state);
        uniform[dimension * POINTS + begin + i] = curand_uniform(&same);
    }
}

template <class State, class Vectors, class Word, class Generate>
static void compare(const char *name, curandRngType_t type, Vectors *vectors,
                    const Word *constants, Generate generate)
{
    Vectors *there;
    Word *words, *constants_there;
    float *uniform;
    check(cudaMalloc(&there, DIMENSIONS * sizeof *there));
    check(cudaMalloc(&words, N * sizeof *words));
    check(cudaMalloc(&uniform, N * sizeof *uniform));
    check(cudaMemcpy(there, vectors, DIMENSIONS * sizeof *there, cudaMemcpyHostToDevice));
    check(cudaMalloc(&constants_there, DIMENSIONS * sizeof *constants));
    check(cudaMemcpy(constants_there, constants, DIMENSIONS * sizeof *constants,
                     cudaMemcpyHostToDevice));
    draw<State><<<DIMENSIONS, PARTS>>>(there, constants_there, words, uniform);
    std::vector<Word> drawn(N), wanted(N);
    std::vector<float> floats(N), wanted_floats(N);
    check(cudaMemcpy(drawn.data(), words, N * sizeof(Word), cudaMemcpyDeviceToHost));
    check(cudaMemcpy(floats.data(), uniform, N * sizeof(float), cudaMemcpyDeviceToHost));
    curandGenerator_t g;
    check(curandCreateGeneratorHost(&g, type));
    check(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS));
    check(generate(g, wanted.data(), N));
    check(curandSetGeneratorOffset(g, 0));
    check(curandGenerateUniform(g, wanted_floats.data(), N));
    check(curandDestroyGenerator(g));
    printf("%s %s %s\n", name, drawn == wanted ? "equal" : "DIFFERENT",
           floats == wanted_floats ? "equal" : "DIFFERENT");
    check(cudaFree(there));
    check(cudaFree(constants_there));
    check(cudaFree(words));
    check(cudaFree(uniform));
}

int main()
{
    curandDirectionVectors32_t *narrow;
    curandDirectionVectors64_t *wide;
    unsigned *narrow_constants;
    unsigned long long *wide_constants;
    check(curandGetScrambleConstants32(&narrow_constants));
    check(curandGetScrambleConstants64(&wide_constants));
    check(curandGetDirectionVectors32(&narrow, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    check(curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    compare<curandStateSobol32, curandDirectionVectors32_t, unsigned>(
        "sobol32", CURAND_RNG_QUASI_SOBOL32, narrow, narrow_constants, curandGenerate);
    compare<curandStateSobol64, curandDirectionVectors64_t, unsigned long long>(
        "sobol64", CURAND_RNG_QUASI_SOBOL64, wide, wide_constants, curandGenerateLongLong);
    check(curandGetDirectionVectors32(&narrow, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));
    check(curandGetDirectionVectors64(&wide, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6));
    compare<curandStateScrambledSobol32, curandDirectionVectors32_t, unsigned>(
        "scrambled32", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, narrow, narrow_constants,
        curandGenerate);
    compare<curandStateScrambledSobol64, curandDirectionVectors64_t, unsigned long long>(
        "scrambled64", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, wide, wide_constants,
        curandGenerateLongLong);
}
