// wrong: managed-early
// Stage one makes numbers. Stage two turns each of them into a grade.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(x) check((x), __LINE__)

static void check(cudaError_t e, int line)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorName(e));
        exit(EXIT_FAILURE);
    }
}

struct Exam {
    int points;
    char grade;
};

__global__ void mark(Exam *exams, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        exams[i].points = (i * 37) % 101;
    }
}

__global__ void grade(const Exam *exams, char *grades, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int p = exams[i].points;
        grades[i] = p >= 80 ? 'A' : p >= 60 ? 'B' : p >= 40 ? 'C' : 'D';  // HERE
    }
}

int main(void)
{
    const int n = 300;
    Exam *exams = NULL;
    char *grades = NULL;
    cudaStream_t stream;
    cudaEvent_t ready;

    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    CHECK(cudaMalloc(&exams, n * sizeof(Exam)));
    CHECK(cudaMallocManaged(&grades, n));
    for (int i = 0; i < n; i++) {
        grades[i] = '-';
    }

    mark<<<3, 128, 0, stream>>>(exams, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(ready, stream));  // OR HERE
    grade<<<3, 128, 0, stream>>>(exams, grades, n);
    CHECK(cudaGetLastError());

    CHECK(cudaEventSynchronize(ready));  // OR HERE
    int count[4] = {0, 0, 0, 0};
    for (int i = 0; i < n; i++) {
        char g = grades[i];  // AND HERE
        if (g >= 'A' && g <= 'D') {
            count[g - 'A']++;
        }
    }
    for (int k = 0; k < 4; k++) {
        printf("grade %c: %d\n", 'A' + k, count[k]);
    }

    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(exams));
    CHECK(cudaFree(grades));
    CHECK(cudaEventDestroy(ready));
    CHECK(cudaStreamDestroy(stream));
    return 0;
}
