// tries: to use what a GPU has and the simulator lacks, which is no mistake
// gets: ? ? | can't execute the hand-in: unsupported instruction multimem.st.*PTX.*lacks.cu:6
extern "C" __global__ void twice(unsigned n, float f, const float *in, float *out)
{
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        asm volatile("multimem.st.weak.global.f32 [%0], %1;" :: "l"(out + i), "f"(f * in[i]));
}
