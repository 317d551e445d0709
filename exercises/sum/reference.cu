// One thread adds everything in double, in order.
//: launch <<<1, 1>>>
__global__ void sum(const float *x, float *total, int n)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    double so_far = 0;
    for (int i = 0; i < n; i++)
        so_far += x[i];
    total[0] = (float)so_far;
}
