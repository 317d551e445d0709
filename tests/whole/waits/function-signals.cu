// The host waits for functions that streams call, by a condition variable. Each function starts a
// thread, which uses the results of its stream and frees them.
// link: -lpthread
#include "check.h"
#include <condition_variable>
#include <mutex>
#include <thread>

const int STREAMS = 4, N = 5000;

static std::mutex lock;
static std::condition_variable changed;
static int ended, right_ones;

struct Work { int number, *host, *device; cudaStream_t stream; };

__global__ void add_one(int *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        v[i]++;
}

static void finish(Work *w)
{
    bool right = true;
    for (int i = 0; i < N; i++)
        right = right && w->host[i] == w->number + i + 1;
    CHECK(cudaFree(w->device));
    CHECK(cudaFreeHost(w->host));
    CHECK(cudaStreamDestroy(w->stream));
    std::lock_guard<std::mutex> guard(lock);
    ended++;
    right_ones += right;
    changed.notify_all();
}

static void CUDART_CB called(void *work)
{
    std::thread(finish, static_cast<Work *>(work)).detach();
}

static void CUDART_CB called_back(cudaStream_t, cudaError_t status, void *work)
{
    CHECK(status);
    called(work);
}

static void begin(Work *w)
{
    const size_t bytes = N * sizeof(int);
    CHECK(cudaStreamCreate(&w->stream));
    CHECK(cudaMalloc(&w->device, bytes));
    CHECK(cudaMallocHost(&w->host, bytes));
    for (int i = 0; i < N; i++)
        w->host[i] = w->number + i;
    CHECK(cudaMemcpyAsync(w->device, w->host, bytes, cudaMemcpyHostToDevice, w->stream));
    add_one<<<(N + 255) / 256, 256, 0, w->stream>>>(w->device);
    CHECK(cudaMemcpyAsync(w->host, w->device, bytes, cudaMemcpyDeviceToHost, w->stream));
    if (w->number % 2)
        CHECK(cudaLaunchHostFunc(w->stream, called, w));
    else
        CHECK(cudaStreamAddCallback(w->stream, called_back, w, 0));
}

int main()
{
    Work work[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
        work[i] = Work{i};
        std::thread(begin, &work[i]).detach();
    }
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [] { return ended == STREAMS; });
    return result(right_ones == STREAMS);
}
