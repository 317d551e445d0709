// tries: to use up the memory of the simulator
// gets: 0 0 fault | not-freed
#include <cerrno>
#include <cstdio>
#include <cstring>

static bool in;

static void attempt()
{
    void *p;
    for (int i = 0; i < 1000000; i++)
        if (cudaMalloc(&p, 1 << 28) == cudaSuccess)
            cudaMemset(p, 1, 1 << 28);
        else
            break;
    for (int i = 0; i < 100000; i++)
        if (cudaMallocHost(&p, 1 << 28) != cudaSuccess || cudaMallocManaged(&p, 1 << 28) != cudaSuccess)
            break;
}

int main()
{
    attempt();
    const int why = errno;
    printf(in ? "GOT IN\n" : "it was denied: %s\n", strerror(why));
    return 0;
}
