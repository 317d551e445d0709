// A program that asks for what no program of CUDA should. Some of it goes to cudalab's socket past
// the runtime. cudalab has to refuse it and go on. The first argument says what it asks for.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>
#include "run/wire.h"

enum { SOCKET = 3, MEMORY };

__device__ int variable[4];

__global__ void uses_shared(int *out)
{
    __shared__ int four[4];
    four[threadIdx.x] = threadIdx.x;
    *out = four[0];
}

static void send_request(const run_message &m)
{
    if (write(SOCKET, &m, sizeof m) != (ssize_t)sizeof m)
        _exit(2);
}

// The status that cudalab answers. No byte of this program is given or taken.
static int ask(const run_message &m)
{
    run_message answer;
    send_request(m);
    for (;;) {
        if (recv(SOCKET, &answer, sizeof answer, MSG_WAITALL) != (ssize_t)sizeof answer)
            _exit(3);
        if (answer.what == RUN_DONE)
            return answer.status;
        char byte;
        for (uint64_t i = 0; answer.what != RUN_READ && i < answer.bytes; i++)
            if (read(SOCKET, &byte, 1) != 1)
                _exit(4);
        answer.status = cudaErrorInvalidValue;
        answer.bytes = 0;
        send_request(answer);
    }
}

static run_message request(run_what what)
{
    run_message m = {};
    m.what = what;
    m.thread = 1;
    return m;
}

static run_message copy(uint64_t to, uint64_t from, uint64_t width, cudaMemcpyKind kind)
{
    run_message m = request(RUN_COPY);
    const uint64_t numbers[] = {to, from, width, 1, 1, width, width, width, width, (uint64_t)kind};
    memcpy(m.number, numbers, sizeof numbers);
    m.number[11] = 1;
    return m;
}

static int try_one(const char *what)
{
    char *managed, *device;
    void *symbol;
    const uint64_t end = RUN_SHARED_BASE + RUN_SHARED_BYTES;
    cudaMallocManaged(&managed, 1 << 20);
    cudaMalloc(&device, 1 << 20);
    cudaGetSymbolAddress(&symbol, variable);
    if (strcmp(what, "copy-behind") == 0) // past the end of the memory that both have
        return ask(copy(end - 16, (uint64_t)device, 1 << 20, cudaMemcpyDefault));
    if (strcmp(what, "copy-around") == 0) { // the sum of all slices is 0
        run_message m = copy((uint64_t)managed, (uint64_t)device, 1 << 16, cudaMemcpyDeviceToDevice);
        m.number[4] = (1ull << 60) + 1;
        m.number[7] = (1ull << 36) - 16;
        m.number[8] = 0;
        return ask(m);
    }
    if (strcmp(what, "fill") == 0) { // so many bytes and one are none
        run_message m = request(RUN_FILL);
        m.number[0] = (uint64_t)symbol;
        m.number[2] = UINT64_MAX;
        m.number[3] = m.number[7] = 1;
        return ask(m) || ask(request(RUN_STREAM_WAIT));
    }
    if (strcmp(what, "truncate") == 0) { // cudalab uses these pages
        int error = ftruncate(MEMORY, 0) == 0 ? 0 : 1;
        return error || cudaMemcpy(device, managed, 1 << 20, cudaMemcpyDefault);
    }
    if (strcmp(what, "shared") == 0) {
        uses_shared<<<1, 4, (size_t)-8>>>((int *)device);
        return cudaGetLastError();
    }
    if (strcmp(what, "no-threads") == 0) {
        int blocks;
        cudaLaunchConfig_t config = {};
        config.blockDim.x = 0;
        return cudaOccupancyMaxPotentialClusterSize(&blocks, uses_shared, &config);
    }
    if (strcmp(what, "no-graph") == 0) {
        cudaGraph_t graph;
        cudaStream_t stream;
        cudaGraphCreate(&graph, 0);
        cudaStreamCreate(&stream);
        cudaStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, cudaStreamCaptureModeRelaxed);
        cudaGraphDestroy(graph);
        return cudaMemsetAsync(device, 0, 4, stream);
    }
    if (strcmp(what, "leave") == 0) { // while cudalab waits for bytes of it
        send_request(copy((uint64_t)device, (uint64_t)&end, 8, cudaMemcpyHostToDevice));
        _exit(0);
    }
    return 0;
}

int main(int, char **argv)
{
    printf("%s\n", try_one(argv[1]) ? "refused" : "served");
    fflush(stdout);
    _exit(0);
}
