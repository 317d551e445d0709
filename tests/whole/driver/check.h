/* What the programs of this folder share: a call that must succeed, and one whose result is shown. */
#include <cstdio>
#include <cstdlib>
#include <cuda.h>

static const char *name_of(CUresult result)
{
    const char *name = nullptr;
    cuGetErrorName(result, &name);
    return name ? name : "no such error";
}

#define OK(call)                                                                                  \
    do {                                                                                          \
        CUresult result_ = (call);                                                                \
        if (result_ != CUDA_SUCCESS) {                                                            \
            printf("line %d: %s\n", __LINE__, name_of(result_));                                  \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

#define SHOW(what, call) printf("%s: %s\n", what, name_of(call))
