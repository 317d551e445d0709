// wrong: source-changed
// Two straight lines are drawn into two rows. The settings go to the GPU as a struct.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

struct Line {
    int slope;
    int offset;
    int row;
};

static void check(cudaError_t e, const char *where)
{
    if (e != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(e));
        std::exit(1);
    }
}

__global__ void draw(const Line *line, int *rows, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < width) {
        rows[line->row * width + x] = line->slope * x + line->offset;
    }
}

int main()
{
    const int width = 100;
    Line *hostLine = nullptr;
    Line *devLine = nullptr;
    int *rows = nullptr;
    cudaStream_t s;

    check(cudaStreamCreate(&s), "stream");
    check(cudaMallocHost(&hostLine, sizeof(Line)), "host struct");
    check(cudaMalloc(&devLine, sizeof(Line)), "device struct");
    check(cudaMalloc(&rows, 2 * width * sizeof(int)), "rows");
    check(cudaMemsetAsync(rows, 0, 2 * width * sizeof(int), s), "clear");

    *hostLine = Line{3, 1, 0};
    check(cudaMemcpyAsync(devLine, hostLine, sizeof(Line), cudaMemcpyHostToDevice, s), "first line");  // HERE
    draw<<<1, 128, 0, s>>>(devLine, rows, width);
    check(cudaGetLastError(), "draw first");

    hostLine->slope = -2;  // AND HERE
    hostLine->offset = 500;  // OR HERE
    hostLine->row = 1;  // OR HERE
    check(cudaMemcpyAsync(devLine, hostLine, sizeof(Line), cudaMemcpyHostToDevice, s), "second line");
    draw<<<1, 128, 0, s>>>(devLine, rows, width);
    check(cudaGetLastError(), "draw second");
    check(cudaStreamSynchronize(s), "wait");

    std::vector<int> result(2 * width);
    check(cudaMemcpy(result.data(), rows, result.size() * sizeof(int), cudaMemcpyDeviceToHost), "result");
    for (int r = 0; r < 2; r++) {
        std::printf("row %d: %d ... %d\n", r, result[r * width], result[r * width + width - 1]);
    }

    check(cudaFree(rows), "free");
    check(cudaFree(devLine), "free");
    check(cudaFreeHost(hostLine), "free");
    check(cudaStreamDestroy(s), "destroy");
    return 0;
}
