/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static int block_of(int across, int down, int rank)
{
    return (2 * down + rank / 2) * 4 + 2 * across + rank % 2;
}

void reference(void)
{
    int *where = array("where"), *got = array("got");
    for (int i = 0; i < 16; i++) {
        int across = i % 4 / 2, down = i / 8, rank = i / 4 % 2 * 2 + i % 2;
        int next = (rank + 1) % 4, left = 100 * block_of(across, down, next) + 9;
        int w[8] = {rank, 4, rank % 2 + 10 * (rank / 2), 122, across + 10 * down, 22, 1, 128};
        int g[4] = {left, left + 7, next, 3};
        memcpy(where + 8 * i, w, sizeof w);
        memcpy(got + 4 * i, g, sizeof g);
    }
}
