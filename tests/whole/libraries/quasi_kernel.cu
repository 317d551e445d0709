// Kernels that draw quasi-random numbers by direction vectors of the host. What they draw must be
// what a generator of the host gives: each thread has a part of the points of a dimension.
#include <curand_kernel.h>
#include "numbers.h"

enum { DIMENSIONS = 6, PARTS = 16, EACH = 25, POINTS = PARTS * EACH, N = DIMENSIONS * POINTS };

template <class State, class Vectors, class Word>
__global__ void draw(Vectors *vectors, Word *out, float *uniform)
{
    State state;
    const int dimension = blockIdx.x, begin = threadIdx.x * EACH;
    curand_init(vectors[dimension], begin, &state);
    for (int i = 0; i < EACH; i++) {
        State same = state;
        out[dimension * POINTS + begin + i] = curand(&state);
        uniform[dimension * POINTS + begin + i] = curand_uniform(&same);
    }
}

template <class State, class Vectors, class Word, class Generate>
static void compare(const char *name, curandRngType_t type, Vectors *vectors, Generate generate)
{
    Vectors *there;
    Word *words;
    float *uniform;
    check(cudaMalloc(&there, DIMENSIONS * sizeof *there));
    check(cudaMalloc(&words, N * sizeof *words));
    check(cudaMalloc(&uniform, N * sizeof *uniform));
    check(cudaMemcpy(there, vectors, DIMENSIONS * sizeof *there, cudaMemcpyHostToDevice));
    draw<State><<<DIMENSIONS, PARTS>>>(there, words, uniform);
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
    check(cudaFree(words));
    check(cudaFree(uniform));
}

int main()
{
    curandDirectionVectors32_t *narrow;
    curandDirectionVectors64_t *wide;
    check(curandGetDirectionVectors32(&narrow, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    check(curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    compare<curandStateSobol32, curandDirectionVectors32_t, unsigned>(
        "sobol32", CURAND_RNG_QUASI_SOBOL32, narrow, curandGenerate);
    compare<curandStateSobol64, curandDirectionVectors64_t, unsigned long long>(
        "sobol64", CURAND_RNG_QUASI_SOBOL64, wide, curandGenerateLongLong);
}
