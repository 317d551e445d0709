/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Launches of the labs' kernels whose counts are compared between the profiler and the
 * simulator: one list, walked by tests/gpu/profile.c on a GPU and by tests/unit/counters.c.
 */
#ifndef TESTS_GPU_CASES_H
#define TESTS_GPU_CASES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct test_case {
    char name[64];
    const char *module, *kernel;
    unsigned grid, block, shared;
    int32_t in[32];          /* goes to the first buffer */
    unsigned char params[64]; /* filled by case_params once the buffers' addresses are known */
};

enum { CASE_N = 1 << 13, CASE_BUFFER = 1 << 16 };

static const char *const case_traps[] = {
    "atomic", "shuffle", "shared", "block_shuffle", "block_shared", "two_barriers", "samebank",
    "gridstride", "race", "private", "init_race", "norange", "noscale", "lockstep", "nobarrier",
    "reuse", "partial" };
static const char *const case_banks[] = { "banks4", "banks8", "banks16", "banks4_store",
                                          "banks8_store", "banks16_store" };
static const char *const case_shuffles[] = { "shfl_down", "shfl_up", "shfl_xor", "shfl_idx" };
static const int case_strides[] = { 0, 1, 2, 3, 4, 5, 8, 16, 17, 32, 33 };
enum { CASE_STRIDES = 11, CASE_PATTERNS = 4 };

/* Element of lane i: strides first, then reverse, pairs, halves swapped, scattered. */
static int case_element(unsigned pattern, int i)
{
    if (pattern < CASE_STRIDES)
        return i * case_strides[pattern];
    switch (pattern - CASE_STRIDES) {
    case 0: return 31 - i;
    case 1: return i / 2 * 32;
    case 2: return i ^ 16;
    default: return i * i * 7 % 61;
    }
}

/* The n-th case; 0 when there are no more. */
static int case_at(unsigned n, struct test_case *c)
{
    enum { TRAPS = sizeof case_traps / sizeof *case_traps };
    enum { BANKS = 6 * (CASE_STRIDES + CASE_PATTERNS) };
    memset(c, 0, sizeof *c);
    if (n < TRAPS) {
        static char kernel[64];
        snprintf(kernel, sizeof kernel, "trap_%s", case_traps[n]);
        snprintf(c->name, sizeof c->name, "%s", kernel);
        c->module = "trap";
        c->kernel = kernel;
        c->block = strcmp(case_traps[n], "partial") == 0 ? 40 : 256;
        c->grid = strcmp(case_traps[n], "gridstride") == 0 ? 8 : (CASE_N + c->block - 1) / c->block;
        return 1;
    }
    n -= TRAPS;
    if (n < BANKS) {
        unsigned pattern = n / 6;
        c->module = "banks";
        c->kernel = case_banks[n % 6];
        snprintf(c->name, sizeof c->name, "%s:%u", c->kernel, pattern);
        c->grid = 1;
        c->block = 32;
        c->shared = 32 * 33 * 4u << (n % 3);
        for (int i = 0; i < 32; i++)
            c->in[i] = case_element(pattern, i);
        return 1;
    }
    n -= BANKS;
    if (n < 4) {
        c->module = "shfl-trace";
        c->kernel = case_shuffles[n];
        snprintf(c->name, sizeof c->name, "%s", c->kernel);
        c->grid = 1;
        c->block = 32;
        for (int i = 0; i < 32; i++)
            c->in[i] = i;
        return 1;
    }
    return 0;
}

/* Lay out the parameters; a holds the input (for trap: the sum), b is for results. */
static void case_params(struct test_case *c, uint64_t a, uint64_t b)
{
    if (strcmp(c->module, "trap") == 0) {
        float f[3] = { -3.0f, 3.0f, 6.0f / CASE_N };
        int32_t n = CASE_N;
        memcpy(c->params, f, 12);
        memcpy(c->params + 12, &n, 4);
        memcpy(c->params + 16, &a, 8);
    } else if (strcmp(c->module, "banks") == 0) {
        int32_t words = (int32_t)(c->shared / 4);
        memcpy(c->params, &a, 8);
        memcpy(c->params + 8, &b, 8);
        memcpy(c->params + 16, &words, 4);
    } else {
        uint32_t rest[4] = { 1, 32, 0xffffffffu, 0xffffffffu };
        memcpy(c->params, &a, 8);
        memcpy(c->params + 8, &b, 8);
        memcpy(c->params + 16, rest, 16);
    }
}

#endif
