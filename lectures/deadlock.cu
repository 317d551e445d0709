// wait(N) waits at barrier N for 64 threads.
#define wait(n) asm volatile( \
    "bar.sync " #n ", 64;" ::: "memory")

__global__ void apart(int *x)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    s[i] = x[i];
    if (i < 32)
        wait(1);
    else
        wait(2);
    x[i] = s[63 - i];
}

__global__ void together(int *x)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    s[i] = x[i];
    wait(1);
    x[i] = s[63 - i];
}
