// tries: to have the compiler write 1 TB of constants
// gets: 0 0 limit | needs more memory|took more than
__device__ char big[1L << 40] = {1};
__global__ void twice(int n, float f, const float *in, float *out) { big[n] = 1; }
