/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file opens libcurand, makes a generator, and puts its statuses into words.
 */
#include "dev/gpu/rand.h"

#include "dev/gpu/vendor.h"

static const char *const names[] = {"libcurand.so.10", "libcurand.so", NULL};

static const struct vendor_function functions[] = {
#define RAND(name, parameters) {#name, offsetof(struct rand, name)},
#include "dev/gpu/rand.def"
#undef RAND
    {NULL, 0},
};

static const struct vendor_status statuses[] = {
    {RAND_VERSION_MISMATCH, "CURAND_STATUS_VERSION_MISMATCH, its files have several versions"},
    {RAND_NOT_INITIALIZED, "CURAND_STATUS_NOT_INITIALIZED, there is no such generator"},
    {RAND_ALLOCATION_FAILED, "CURAND_STATUS_ALLOCATION_FAILED, no memory is left for it"},
    {RAND_TYPE_ERROR, "CURAND_STATUS_TYPE_ERROR, this generator can't do this"},
    {RAND_OUT_OF_RANGE, "CURAND_STATUS_OUT_OF_RANGE, an argument that it can't take"},
    {RAND_LENGTH_NOT_MULTIPLE,
     "CURAND_STATUS_LENGTH_NOT_MULTIPLE, it can't generate so many numbers"},
    {RAND_LAUNCH_FAILURE, "CURAND_STATUS_LAUNCH_FAILURE, its kernel could not be run"},
    {RAND_INITIALIZATION_FAILED,
     "CURAND_STATUS_INITIALIZATION_FAILED, the driver or GPU doesn't suit it"},
    {RAND_ARCH_MISMATCH, "CURAND_STATUS_ARCH_MISMATCH, it has no code for this GPU"},
    {RAND_INTERNAL_ERROR, "CURAND_STATUS_INTERNAL_ERROR, something inside it failed"},
    {0, NULL},
};

static const struct vendor_library curand = {"cuRAND", names, functions, statuses};

static int failed(const char *call, int status, struct err *e)
{
    return vendor_failed(&curand, call, status, e);
}

int rand_open(struct rand *r, int type, void *stream, struct err *e)
{
    if (r->generator && r->type == type)
        return 0;
    rand_close(r);
    if (!r->library && !(r->library = vendor_open(&curand, r, e)))
        return -1;
    int status = r->curandCreateGenerator(&r->generator, type);
    if (status != RAND_OK) {
        r->generator = NULL;
        return failed("curandCreateGenerator", status, e);
    }
    r->type = type;
    status = r->curandSetStream(r->generator, stream);
    if (status == RAND_OK)
        return 0;
    rand_close(r);
    return failed("curandSetStream", status, e);
}

void rand_close(struct rand *r)
{
    if (r->generator)
        r->curandDestroyGenerator(r->generator);
    r->generator = NULL;
}

/* Each call begins at the seed's first number, so that all runs of a measurement give the same. */
int rand_uniform(const struct rand *r, const struct random_job *j, struct err *e)
{
    int status = r->curandSetPseudoRandomGeneratorSeed(r->generator, j->seed);
    if (status != RAND_OK)
        return failed("curandSetPseudoRandomGeneratorSeed", status, e);
    status = r->curandSetGeneratorOffset(r->generator, 0);
    if (status != RAND_OK)
        return failed("curandSetGeneratorOffset", status, e);
    status = r->curandGenerateUniform(r->generator, (float *)(uintptr_t)j->to, (size_t)j->n);
    return status == RAND_OK ? 0 : failed("curandGenerateUniform", status, e);
}
