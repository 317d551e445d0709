/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs each form of tests/data/tiles.txt on a GPU, and prints the lines of tests/h100/tiles.txt. A
 * line has the form and the hash of what its kernel wrote. Or it says that the driver refuses it.
 *
 *     cc -Isrc -o tiles tests/gpu/tiles.c src/dev/gpu/driver.c src/base/buf.c src/base/mem.c \
 *        src/base/err.c -ldl
 *     ./tiles < tests/data/tiles.txt
 *
 * With a file as argument, the results of all forms are written there, one after the other. Of a
 * matrix product, these are the registers of D of all lanes. Of other forms, they are all bytes of
 * the first two tiles.
 */
#include "card.h"
#include "tiles.h"

static bool run(const char *ptx, uint64_t in, uint64_t out, const char *name)
{
    void *params[] = {&in, &out};
    check(cu.cuMemsetD8_v2(out, 0, (size_t)TILES * TILE_BYTES), "cuMemsetD8");
    return card_run(ptx, TILES, LANES_A_TILE, params, name);
}

static void keep(FILE *raw, const struct tile_form *f, const unsigned char *left)
{
    size_t bytes = f->operands == 4 ? f->at[3].registers * (tile_wide(&f->at[3]) ? 8u : 4u)
                                    : LANE_BYTES;
    size_t lanes = f->operands == 4 ? TILES * LANES_A_TILE : 2 * LANES_A_TILE;
    for (size_t i = 0; i < lanes; i++)
        check(fwrite(left + i * LANE_BYTES, 1, bytes, raw) != bytes, "write");
}

int main(int argc, char **argv)
{
    static unsigned char table[TILES * TILE_BYTES], left[TILES * TILE_BYTES];
    struct tile_form f;
    struct buf ptx = {0};
    FILE *raw = argc > 1 ? fopen(argv[1], "wb") : NULL;
    uint64_t in, out;
    card_open();
    check(cu.cuMemAlloc_v2(&in, sizeof table), "cuMemAlloc");
    check(cu.cuMemAlloc_v2(&out, sizeof left), "cuMemAlloc");
    while (tile_read(stdin, &f)) {
        tile_table(&f, table);
        check(cu.cuMemcpyHtoD_v2(in, table, sizeof table), "cuMemcpyHtoD");
        buf_clear(&ptx);
        tile_ptx(&ptx, &f);
        bool ran = run(buf_text(&ptx), in, out, f.name);
        if (ran)
            check(cu.cuMemcpyDtoH_v2(left, out, sizeof left), f.name);
        if (ran)
            printf("%s %016llx\n", f.name, (unsigned long long)tile_hash(left));
        else
            printf("%s refused\n", f.name);
        if (ran && raw)
            keep(raw, &f, left);
    }
    buf_free(&ptx);
    return raw && fclose(raw) != 0;
}
