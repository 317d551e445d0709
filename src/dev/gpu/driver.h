/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CUDA driver is found at run time. struct driver has one pointer for each line of driver.def.
 * Only the process that works with the GPU calls these functions.
 *
 * cudalab is built without NVIDIA's cuda.h. This header declares what it needs of it.
 */
#ifndef DEV_GPU_DRIVER_H
#define DEV_GPU_DRIVER_H

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

enum driver_status { /* CUresult */
    DRIVER_OK = 0, DRIVER_INVALID_VALUE = 1, DRIVER_OUT_OF_MEMORY = 2, DRIVER_UNAVAILABLE = 46,
    DRIVER_NO_DEVICE = 100, DRIVER_INVALID_DEVICE = 101, DRIVER_INVALID_IMAGE = 200,
    DRIVER_NO_BINARY = 209, DRIVER_INVALID_PTX = 218, DRIVER_NO_COMPILER = 221,
    DRIVER_UNSUPPORTED_PTX = 222, DRIVER_OPERATING_SYSTEM = 304, DRIVER_ILLEGAL_ADDRESS = 700,
    DRIVER_OUT_OF_RESOURCES = 701, DRIVER_LAUNCH_TIMEOUT = 702, DRIVER_ASSERT = 710,
    DRIVER_HARDWARE_STACK = 714, DRIVER_ILLEGAL_INSTRUCTION = 715, DRIVER_MISALIGNED = 716,
    DRIVER_INVALID_SPACE = 717, DRIVER_INVALID_PC = 718, DRIVER_LAUNCH_FAILED = 719,
    DRIVER_COOPERATIVE_TOO_LARGE = 720, DRIVER_VERSION_MISMATCH = 803,
    DRIVER_INVALID_CLUSTER = 912,
    DRIVER_NOT_FOUND = -1 /* our own: this libcuda has no such function */
};

enum driver_jit { /* CUjit_option */
    JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6
};

enum driver_input { /* CUjitInputType */
    INPUT_PTX = 1, INPUT_LIBRARY = 4
};

enum driver_function { /* CUfunction_attribute */
    FUNCTION_SHARED = 1, FUNCTION_LOCAL = 3, FUNCTION_REGISTERS = 4,
    FUNCTION_MAX_DYNAMIC_SHARED = 8
};

enum driver_limit { /* CUlimit */
    LIMIT_STACK = 0, LIMIT_HEAP = 2
};

struct memory_place { int type, id; };          /* CUmemLocation */
struct memory_access { struct memory_place place; int flags; }; /* CUmemAccessDesc */
struct memory_kind {                            /* CUmemAllocationProp */
    int type, handle_types;
    struct memory_place place;
    void *unused;
    unsigned char flags[8];
};
enum { MEMORY_PINNED = 1, MEMORY_ON_DEVICE = 1, MEMORY_READ_WRITE = 3 };
enum { HOST_MAPPED = 2, STREAM_APART = 1, MANAGED_BY_ALL = 1 };

/* ---- images ------------------------------------------------------------------------------ */

enum image_format { /* CUarray_format */
    FORMAT_U8 = 1, FORMAT_U16 = 2, FORMAT_U32 = 3, FORMAT_S8 = 8, FORMAT_S16 = 9, FORMAT_S32 = 10,
    FORMAT_F16 = 16, FORMAT_F32 = 32
};
enum { IMAGE_LAYERED = 1, IMAGE_SURFACE = 2, IMAGE_CUBEMAP = 4, IMAGE_GATHER = 8 };
struct image_storage { /* CUDA_ARRAY3D_DESCRIPTOR; what there is none of is 0 */
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
};
enum { MEMORY_OF_HOST = 1, MEMORY_OF_DEVICE = 2, MEMORY_OF_IMAGE = 3 };
struct copy_side { /* one half of CUDA_MEMCPY3D */
    size_t x_bytes, y, z, level;
    int memory;
    const void *host;
    uint64_t device;
    void *image, *unused;
    size_t pitch, height;
};
struct copy_box { /* CUDA_MEMCPY3D */
    struct copy_side from, to;
    size_t width_bytes, height, depth;
};
struct image_source { /* CUDA_RESOURCE_DESC */
    int type;
    union {
        void *image;
        struct { uint64_t address; int format; unsigned channels; size_t bytes; } memory;
        struct {
            uint64_t address;
            int format;
            unsigned channels;
            size_t width, height, pitch;
        } pitched;
        int reserved[32];
    } of;
    unsigned flags;
};
enum { SOURCE_IMAGE = 0, SOURCE_MEMORY = 2, SOURCE_PITCHED = 3 };
struct image_reading { /* CUDA_TEXTURE_DESC; addresses as enum sim_beyond has them */
    int beyond[3], linear;
    unsigned flags, anisotropy;
    int levels_linear;
    float level_bias, level_least, level_most, border[4];
    int reserved[12];
};
enum { READING_INTEGERS = 1, READING_NORMALIZED = 2 };

/* A launch with attributes. */
struct launch_attribute {
    int id;
    char unused[4];
    union {
        char all[64];
        int cooperative;
        unsigned cluster[3];
    } value;
};
enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };
struct launch_config {
    unsigned grid[3], block[3], shared_bytes;
    void *stream;
    struct launch_attribute *attributes;
    unsigned attribute_count;
};

/* ---- the library ------------------------------------------------------------------------- */

struct driver {
    void *library;
#define DRIVER(name, parameters) int (*name) parameters;
#include "dev/gpu/driver.def"
#undef DRIVER
};

/* -1: there is no libcuda that can be opened. Functions that it lacks return DRIVER_NOT_FOUND. */
int driver_open(struct driver *, struct err *);
/* Finds a function of an open library; its pointer has `size` bytes. -1: there is none. */
int driver_function(void *library, const char *name, void *function, size_t size);
/* Is there a libcuda on this machine? Nothing in it is called. */
int driver_is_there(void);
/* "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)" */
void driver_describe(const struct driver *, int status, char *text, size_t size);

#endif
