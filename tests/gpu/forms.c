/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a GPU computes for each form of tests/data/forms.txt, a line each, for tests/h100/forms.txt:
 * the form, its operands, and the hash of what its kernel left; of an approximate one the first
 * results; or that the driver refuses it.
 *
 *     cc -Isrc -o forms tests/gpu/forms.c src/dev/gpu/driver.c src/base/buf.c src/base/mem.c \
 *        src/base/room.c src/base/err.c -ldl
 *     ./forms < tests/data/forms.txt
 *
 * With a folder as argument, all bytes of each form's results go to a file there.
 */
#include "card.h"
#include "forms.h"

static bool run(const char *ptx, uint64_t in, uint64_t out, const char *name)
{
    unsigned char given[GIVEN];
    void *params[] = {&in, &out, given};
    given_bytes(given);
    check(cu.cuMemsetD8_v2(out, 0, (size_t)COUNT * OUT_BYTES), "cuMemsetD8");
    return card_run(ptx, BLOCKS, THREADS, params, name);
}

static void keep_bytes(const char *folder, const struct form *f, const unsigned char *left)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s-%s", folder, f->name, f->operands);
    FILE *file = fopen(path, "wb");
    check(!file || fwrite(left, OUT_BYTES, COUNT, file) != COUNT || fclose(file) != 0, path);
}

int main(int argc, char **argv)
{
    static uint64_t table[IN_WORDS];
    static unsigned char left[COUNT * OUT_BYTES];
    struct form f;
    struct buf ptx = {0};
    uint64_t in, out;
    card_open();
    operand_table(table);
    check(cu.cuMemAlloc_v2(&in, sizeof table), "cuMemAlloc");
    check(cu.cuMemAlloc_v2(&out, sizeof left), "cuMemAlloc");
    check(cu.cuMemcpyHtoD_v2(in, table, sizeof table), "cuMemcpyHtoD");
    while (form_read(stdin, &f)) {
        buf_clear(&ptx);
        form_ptx(&ptx, &f);
        printf("%s %s", f.name, f.operands);
        if (run(buf_text(&ptx), in, out, f.name)) {
            check(cu.cuMemcpyDtoH_v2(left, out, sizeof left), f.name);
            form_settle(&f, left);
            if (argc > 1)
                keep_bytes(argv[1], &f, left);
            if (!form_approximate(&f))
                printf(" %016llx", (unsigned long long)form_hash(left));
            else
                for (unsigned k = 0; k < KEPT; k++)
                    printf(" %llx", (unsigned long long)form_result(left, k));
        } else {
            printf(" refused");
        }
        printf("\n");
    }
    buf_free(&ptx);
    return 0;
}
