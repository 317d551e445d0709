// What all programs of this folder have. Each ends by saying "right", or what went wrong.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                    \
    do {                                                               \
        cudaError_t e = (call);                                        \
        if (e != cudaSuccess) {                                        \
            printf("%s, line %d\n", cudaGetErrorString(e), __LINE__);  \
            exit(1);                                                   \
        }                                                              \
    } while (0)

static inline int result(bool right)
{
    printf("%s\n", right ? "right" : "wrong");
    return right ? 0 : 1;
}
