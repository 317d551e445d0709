/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of banks.cu's programs (source/code-host.h): 32 indices a stride apart, as much
 * dynamic shared memory as they reach over, and a check of every word that comes back.
 */

//: used by banks4 banks4_store
typedef float Element;
//: used by banks8 banks8_store
typedef float2 Element;
//: used by banks16 banks16_store
typedef float4 Element;
//: used by banks4 banks8 banks16
typedef Element Result;   /* an element a lane comes back */
//: used by banks4_store banks8_store banks16_store
typedef float Result;     /* the whole array comes back */
//: used by all
enum { LANES = 32, WORDS = sizeof(Element) / sizeof(float) };

//: used by banks4 banks8 banks16
/* Has each lane the words of its element?  Word w held w. */
static bool Is_right(const float *out, const int *index)
{
    for (int lane = 0; lane < LANES; lane++)
        for (int k = 0; k < WORDS; k++)
            if (out[lane * WORDS + k] != index[lane] * WORDS + k)
                return false;
    return true;
}
//: used by banks4_store banks8_store banks16_store
/* Has each element the mark of a lane that was to write there? */
static bool Is_right(const float *out, const int *index)
{
    for (int lane = 0; lane < LANES; lane++) {
        int writer = (int)-out[index[lane] * WORDS] - 1;
        if (writer < 0 || writer >= LANES || index[writer] != index[lane])
            return false;
    }
    return true;
}
//: used by all

/* Argument: the stride, in elements.  How many passes that took is the profiler's to say (ncu). */
int main(int argc, char *argv[])
{
    int stride = (int)Argument(argc, argv, 1, 32);
    int index[LANES];

    if (stride < 0 || stride > 4096) {
        fprintf(stderr, "the stride is 0 to 4096\n");
        return EXIT_FAILURE;
    }
    for (int lane = 0; lane < LANES; lane++)
        index[lane] = stride * lane;

    int words = (stride * (LANES - 1) + 1) * WORDS;
    size_t shared = words * sizeof(float);
    size_t room = (words > LANES * WORDS ? words : LANES * WORDS) * sizeof(float);
    float *out = (float *)Allocate(room);
    int *index_d;
    Result *out_d;
    CHECK(cudaMalloc(&index_d, sizeof index));
    CHECK(cudaMalloc(&out_d, room));
    CHECK(cudaMemcpy(index_d, index, sizeof index, cudaMemcpyHostToDevice));

    /* Over 48 KB of shared memory must be asked for; too much of it is refused here. */
    CHECK(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    KERNEL<<<1, LANES, shared>>>(index_d, out_d, words);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, out_d, room, cudaMemcpyDeviceToHost));

    bool right = Is_right(out, index);
    printf("stride %d, %zu bytes a lane: %s\n", stride, sizeof(Element), right ? "right" : "WRONG");
    CHECK(cudaFree(index_d));
    CHECK(cudaFree(out_d));
    free(out);
    return right ? 0 : EXIT_FAILURE;
}
