// What a program must not do while it captures a stream, and the errors it gets.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void put(int *v) { *v = 1; }

static void show(const char *what, cudaError_t e)
{
    std::printf("%s: %s\n", what, cudaGetErrorName(e));
    cudaGetLastError();
}

int main()
{
    int *v, *w, h = 0;
    cudaGraph_t g = nullptr;
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaMalloc(&v, sizeof *v);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&e);

    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    put<<<1, 1, 0, s>>>(v);
    show("wait for the stream", cudaStreamSynchronize(s));
    show("go on", cudaMemsetAsync(v, 0, 4, s));
    show("end", cudaStreamEndCapture(s, &g));
    std::printf("no graph: %d\n", g == nullptr);

    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    show("allocate", cudaMalloc(&w, 4));
    show("end", cudaStreamEndCapture(s, &g));

    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    put<<<1, 1, 0, s>>>(v);
    show("copy and wait", cudaMemcpy(&h, v, 4, cudaMemcpyDeviceToHost));
    show("end", cudaStreamEndCapture(s, &g));

    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    show("allocate, relaxed", cudaMalloc(&w, 4));
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e, 0);
    put<<<1, 1, 0, t>>>(v);
    show("a stream that was not joined", cudaStreamEndCapture(s, &g));

    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    cudaEventRecord(e, s);
    show("wait for a captured event", cudaEventSynchronize(e));
    show("end", cudaStreamEndCapture(s, &g));

    put<<<1, 1>>>(v);
    cudaMemcpy(&h, v, 4, cudaMemcpyDeviceToHost);
    std::printf("afterwards all is well: %d\n", h);
    cudaEventDestroy(e);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaFree(v);
    cudaFree(w);
    return 0;
}
