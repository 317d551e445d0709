// tries: to use what a GPU has and the simulator lacks, which is no mistake
// gets: ? ? | can't execute the hand-in: unsupported instruction multimem.st
__global__ void store(float *x)
{
    asm volatile("multimem.st.weak.global.f32 [%0], %1;" :: "l"(x), "f"(1.0f));
}

int main()
{
    float *x;
    cudaMalloc(&x, sizeof *x);
    store<<<1, 1>>>(x);
    return cudaDeviceSynchronize() != cudaSuccess;
}
