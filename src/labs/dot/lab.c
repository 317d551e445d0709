/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dot: the dot product of two arrays, one kernel a way of adding up the products. The kernels are
 * in kernels/dot.cu; how one is run and judged is in labkit/reduce.c, and the screens are in
 * labkit/reduce-say.c.
 */
#include "labkit/lab.h"
#include "labkit/reduce-say.h"

static const struct lab_variant variants[] = {
    {"shared-atomic", "dot_shared_atomic", "a tree in shared memory, one atomic a block",
     .tag = EACH_BLOCK | SHARED_VALUES},
    {"serial", NULL, "one loop on the host, in float", .tag = EACH_THREAD | ON_HOST},
    {"atomic", "dot_atomic", "one atomic a product", .tag = EACH_THREAD},
    {"shuffle-atomic", "dot_shuffle_atomic", "shuffles in registers, one atomic a block",
     .tag = EACH_BLOCK},
    {"partials", "dot_partials", "32 blocks leave their sums, the host adds them",
     .tag = SUMS_TO_HOST | SHARED_VALUES},
    {"two-kernels", "dot_partials", "a second kernel of one block adds them",
     .tag = SUMS_TO_KERNEL | SHARED_VALUES},
    {"gridstride", "dot_gridstride", "many products a thread, shuffles, one atomic a block",
     .tag = FEW_BLOCKS},
    {"cublas", "cublasSdot", "NVIDIA's library", .tag = FEW_BLOCKS | BY_CUBLAS},
    {"nonpow2", "dot_nonpow2", "a tree that halves blocks of 100", "shared-atomic", NULL,
     EACH_BLOCK | SHARED_VALUES | ODD_BLOCK},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct reduce_options, n), GIVEN(struct reduce_options, n), .value = "N",
     .type = ARG_INT, .lo = 1, .hi = 1 << 28, .initial = "2^18",
     .help = "products; a variant that is wrong on purpose takes 1000 if not told"},
    {.name = "a", BIND(struct reduce_options, fill[0]), .value = "FILL", .type = ARG_TEXT,
     .initial = "random",
     .help = "the first array, as `array` fills: value:1, iota, list:1,2,3, random:-1:1"},
    {.name = "b", BIND(struct reduce_options, fill[1]), .value = "FILL", .type = ARG_TEXT,
     .initial = "random", .help = "the second one; random is drawn with the next seed"},
    {0},
};

static const struct lab lab = {
    .module = "dot",
    .takes = TAKES_VARIANT | TAKES_BLOCKS | TAKES_THREADS | TAKES_REPEAT | TAKES_TRACE |
             TAKES_CALLS | TAKES_COUNTERS | TAKES_SEED,
    .variants = variants,
};

static const struct host_call calls[] = {
    {"cudaMemcpy(a, x, 4 n, cudaMemcpyHostToDevice)", "one array to the device",
     "the host waits until it is copied"},
    {"cudaMemcpy(b, y, 4 n, cudaMemcpyHostToDevice)", "the other one to the device",
     "the host waits until it is copied"},
    {"cudaMemset(dot, 0, 4)", NULL, "the device does it before the kernel"},
    {"%s(a, b, n, dot)", NULL, "the host does not wait: the call returns at once"},
    {"cudaMemcpy(&result, dot, 4, cudaMemcpyDeviceToHost)", "4 bytes to the host",
     "the copy waits for the kernel, the host for the copy"},
    {NULL, NULL, NULL},
};
static const struct host_call host_calls[] = {
    {"cudaMemcpy(a, x, 4 n, ...), cudaMemcpy(b, y, 4 n, ...)", "both arrays to the device",
     "the host waits until they are copied"},
    {"%s(a, b, n, partial)", NULL, "the host does not wait: the call returns at once"},
    {"cudaMemcpy(sums, partial, 4 blocks, cudaMemcpyDeviceToHost)", "4 bytes a block to the host",
     "the copy waits for the kernel, the host for the copy"},
    {"for (i = 0; i < blocks; i++) dot += sums[i];", NULL, "the host adds; the device is idle"},
    {NULL, NULL, NULL},
};
static const struct host_call two_calls[] = {
    {"cudaMemcpy(a, x, 4 n, ...), cudaMemcpy(b, y, 4 n, ...)", "both arrays to the device",
     "the host waits until they are copied"},
    {"%s(a, b, n, partial)", NULL, "the host does not wait: the call returns at once"},
    {"dot_finish<<<1, threads, 4 threads>>>(partial, blocks, dot)", NULL,
     "it starts when the first kernel is done: a stream keeps order"},
    {"cudaMemcpy(&result, dot, 4, cudaMemcpyDeviceToHost)", "4 bytes to the host",
     "the copy waits for both kernels, the host for the copy"},
    {NULL, NULL, NULL},
};
static const struct host_call cublas_calls[] = {
    {"cublasCreate(&handle)", NULL, "the host waits while the library is set up"},
    {"cublasSdot(handle, n, a, 1, b, 1, &result)", "4 bytes to the host",
     "with the answer on the host it waits for the library's kernels"},
    {NULL, NULL, NULL},
};

static const struct host_call *calls_of(const struct lab_variant *v)
{
    unsigned adds = (unsigned)v->tag & REDUCE_MASK;
    return v->tag & BY_CUBLAS        ? cublas_calls
           : adds == SUMS_TO_HOST    ? host_calls
           : adds == SUMS_TO_KERNEL  ? two_calls
                                     : calls;
}

static int run(struct session *s, const void *given, struct report *r)
{
    static const struct reduce_lab dot = {
        .name = "dot", .fills = {"a", "b"}, .threads = 256, .calls_of = calls_of};
    const struct reduce_options *o = given;
    const struct lab_run run = {.session = s, .report = r, .options = &o->lab, .lab = &lab};
    return reduction_run(&dot, &run, o);
}

const struct command lab_dot = {
    .name = "dot",
    .kind = CLASS_LAB,
    .summary = "a dot product: products alone, their sum together",
    .options = options,
    .size = sizeof(struct reduce_options),
    .lab = &lab,
    .run = run,
};
