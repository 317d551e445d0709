/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Launches every kernel of tests/h100/counts once on a real GPU, in alphabetical order, from PTX
 * assembled without optimisation, and prints `name hash-of-results` a line. Under the profiler
 * its counters are what tests/h100/counts.txt keeps; tests/gpu/counts.sh does both:
 *
 *     cc -Isrc -o counts tests/gpu/counts.c src/dev/gpu/driver.c src/base/err.c -ldl
 *     ncu --clock-control none --csv --metrics ... ./counts tests/h100/counts
 */
#include "card.h"
#include "counts.h"

static void run(const struct counts_kernel *k, uint64_t in, uint64_t out)
{
    static int32_t left[COUNTS_WORDS];
    int n = COUNTS_N;
    void *module = card_load_as_written(k->ptx, k->name), *function, *params[] = {&in, &out, &n};
    check(cu.cuModuleGetFunction(&function, module, k->name), k->name);
    check(cu.cuMemsetD8_v2(out, 0, sizeof left), "cuMemsetD8");
    check(cu.cuLaunchKernel(function, k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1],
                            k->block[2], 0, NULL, params, NULL), k->name);
    check(cu.cuStreamSynchronize(NULL), k->name);
    check(cu.cuMemcpyDtoH_v2(left, out, sizeof left), "cuMemcpyDtoH");
    printf("%s %016llx\n", k->name, (unsigned long long)counts_hash(left));
}

int main(int argc, char **argv)
{
    static int32_t table[COUNTS_WORDS];
    const char *folder = argc > 1 ? argv[1] : "tests/h100/counts";
    struct dirent **files;
    struct counts_kernel k;
    uint64_t in, out;
    int count = counts_files(folder, &files);
    check(count <= 0, folder);
    card_open();
    counts_input(table);
    check(cu.cuMemAlloc_v2(&in, sizeof table), "cuMemAlloc");
    check(cu.cuMemAlloc_v2(&out, sizeof table), "cuMemAlloc");
    check(cu.cuMemcpyHtoD_v2(in, table, sizeof table), "cuMemcpyHtoD");
    for (int i = 0; i < count; i++) {
        check(counts_read(folder, files[i]->d_name, &k), files[i]->d_name);
        run(&k, in, out);
        free(k.ptx);
        free(files[i]);
    }
    free(files);
    return 0;
}
