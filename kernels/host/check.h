/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>

/*
 * Each call of the runtime says whether it went well; what a kernel did
 * wrong, a later call says.  The first error ends the program.
 */
#define CHECK(call) Check(call, #call, __LINE__)

inline void Check(cudaError_t error, const char *call, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, line, call,
            cudaGetErrorName(error), cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

/* A number of the command line, or the usual one where it ends earlier. */
inline double Argument(int argc, char *argv[], int place, double usual)
{
    if (place >= argc)
        return usual;
    char *end;
    double number = strtod(argv[place], &end);
    if (end == argv[place] || *end != '\0') {
        fprintf(stderr, "%s: %s is no number\n", argv[0], argv[place]);
        exit(EXIT_FAILURE);
    }
    return number;
}

/* Memory of the host, which can run out as well. */
inline void *Allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL) {
        fprintf(stderr, "the host has no %zu bytes left\n", bytes);
        exit(EXIT_FAILURE);
    }
    return memory;
}
