// The student forgot to include the header of printf, so the program does not compile.
__global__ void heights(int n, double *area)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        area[i] = 4 / (1 + (i + 0.5) / n * ((i + 0.5) / n)) / n;
}

int main(int argc, char **argv)
{
    std::printf("pi is about %.10f\n", 3.14);
    return 0;
}
