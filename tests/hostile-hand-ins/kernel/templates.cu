// tries: to exhaust the compiler by templates without end
// gets: 0 0 compile | excessive recursion
template <int N> struct T { enum { v = T<N + 1>::v + T<N + 2>::v }; };
__global__ void twice(int n, float f, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f * in[i];
    out[0] = T<0>::v;
}
