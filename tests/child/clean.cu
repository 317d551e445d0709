// The same words without a launch in device code: this file compiles as every other one does.
// child<<<1, 32>>>(p) is only a comment.
__global__ void child(int *p)
{
    p[threadIdx.x] = 1;
}
int main()
{
    child<<<1, 32>>>(0);
    return 0;
}
