// tries: to start grids that start grids
// gets: 0 0 limit | timeout: no end after.*child grid
__global__ void child(int n)
{
    for (int i = 0; i < 100; i++)
        child<<<100, 32>>>(n + 1);
}
__global__ void twice(int n, float f, const float *in, float *out) { child<<<1, 32>>>(1); }
