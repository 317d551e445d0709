/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a made-up program on a GPU without the driver's optimiser:
 *
 *     plain FILE.ptx KERNEL BLOCKS THREADS IN.BIN WORDS >OUT.BIN
 *
 * The kernel gets the words of IN.BIN and an array of WORDS words. `make fuzz-programs` asks this
 * where a GPU differs from the simulator: if this agrees, the optimiser of ptxas has the mistake.
 */
#include "gpu/card.h"

#include "base/buf.h"

#include <string.h>

static void read_all(const char *path, struct buf *to)
{
    char part[1 << 14];
    FILE *f = fopen(path, "rb");
    check(!f, path);
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        buf_add(to, part, n);
    fclose(f);
    check(to->failed, "memory");
}

int main(int argc, char **argv)
{
    struct buf ptx = {0}, input = {0};
    uint64_t in, out;
    void *function;
    check(argc != 7, "plain FILE.ptx KERNEL BLOCKS THREADS IN.BIN WORDS >OUT.BIN");
    const size_t bytes = strtoul(argv[6], NULL, 10) * 4;
    unsigned char *left = malloc(bytes);
    read_all(argv[1], &ptx);
    read_all(argv[5], &input);
    check(!left, "memory");
    card_open();
    void *module = card_load_as_written(buf_text(&ptx), argv[1]);
    check(cu.cuModuleGetFunction(&function, module, argv[2]), argv[2]);
    check(cu.cuMemAlloc_v2(&in, input.len), "cuMemAlloc");
    check(cu.cuMemAlloc_v2(&out, bytes), "cuMemAlloc");
    check(cu.cuMemcpyHtoD_v2(in, input.data, input.len), "cuMemcpyHtoD");
    check(cu.cuMemsetD8_v2(out, 0, bytes), "cuMemsetD8");
    check(cu.cuLaunchKernel(function, (unsigned)atoi(argv[3]), 1, 1, (unsigned)atoi(argv[4]), 1, 1,
                            0, NULL, (void *[]){&in, &out}, NULL), argv[2]);
    check(cu.cuMemcpyDtoH_v2(left, out, bytes), "cuMemcpyDtoH");
    check(fwrite(left, 1, bytes, stdout) != bytes || fflush(stdout) != 0, "stdout");
    free(left);
    buf_free(&ptx);
    buf_free(&input);
    return 0;
}
