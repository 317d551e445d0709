/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What CUDA's device runtime has as PTX. It is put behind the text of a module that calls for it.
 * The module's list of kernels does not have those of the runtime. The $ keeps their names apart
 * from those of others.
 */
#include "sim/code.h"

#include <string.h>

#define TEXT_OF_(number) #number
#define TEXT_OF(number)  TEXT_OF_(number)

/* Each thread is for one byte: %d1 is its number, and %d4 its address. */
#define KERNEL(name, parameter)                          \
    "\n.visible .entry " name "$(.param .u64 to, .param .u64 count, .param .u64 " parameter ")\n" \
    "{\n"                                                \
    ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %d<6>;\n" \
    "mov.u32 %r1, %ctaid.x;\n"                           \
    "mul.wide.u32 %d1, %r1, " TEXT_OF(RUNTIME_THREADS) ";\n" \
    "mov.u32 %r2, %tid.x;\n"                             \
    "cvt.u64.u32 %d2, %r2;\n"                            \
    "add.u64 %d1, %d1, %d2;\n"                           \
    "ld.param.u64 %d3, [count];\n"                       \
    "setp.ge.u64 %p1, %d1, %d3;\n"                       \
    "@%p1 ret;\n"                                        \
    "ld.param.u64 %d4, [to];\n"                          \
    "add.u64 %d4, %d4, %d1;\n"                           \
    "ld.param.u64 %d5, [" parameter "];\n"

/* In the order of enum runtime_kernel. */
static const char text[] =
    KERNEL("cudaMemsetAsync", "value")
    "st.u8 [%d4], %d5;\n"
    "ret;\n"
    "}\n"
    KERNEL("cudaMemcpyAsync", "from")
    "add.u64 %d5, %d5, %d1;\n"
    "ld.u8 %r3, [%d5];\n"
    "st.u8 [%d4], %r3;\n"
    "ret;\n"
    "}\n";

static const char *const names[RUNTIME_KERNELS] = {"cudaMemsetAsync", "cudaMemcpyAsync"};

const char *runtime_name(enum runtime_kernel which)
{
    return names[which];
}

const char *runtime_kernels_text(const struct ptx_module *m)
{
    return ptx_function_named(m, "__cudaCDP2MemsetAsync") ||
                   ptx_function_named(m, "__cudaCDP2MemcpyAsync")
               ? text
               : NULL;
}

/* The handle of a condition is the address of its value. */
static const char set_condition[] =
    "\n.visible .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value)\n"
    "{\n"
    ".reg .b32 %r<2>; .reg .b64 %d<2>;\n"
    "ld.param.u64 %d1, [handle];\n"
    "ld.param.u32 %r1, [value];\n"
    "st.global.u32 [%d1], %r1;\n"
    "ret;\n"
    "}\n";

const char *runtime_functions_text(const struct ptx_module *m)
{
    const struct ptx_function *f = ptx_function_named(m, "cudaGraphSetConditional");
    return f && !f->has_body ? set_condition : NULL;
}
