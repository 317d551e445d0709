/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compute capabilities, from the first to today's. Sources: the tables of NVIDIA's
 * programming guides, its occupancy calculators for 1.x and 2.x, and the header
 * cuda_occupancy.h of CUDA 13.0 for all since, to which tests/data/occupancy.txt holds it.
 */
#include "dev/capability.h"

#include "dev/device.h"

#include <stdio.h>

#define K(n) ((n) * 1024)

/* What a row's last four columns are, by generation. */
#define UNITS_1_0 256, 2, 512, 0
#define UNITS_1_2 512, 2, 512, 0
#define UNITS_2   64, 2, 128, 0
#define UNITS_3   256, 4, 256, 0 /* to 7.5 */
#define UNITS_6_0 256, 2, 256, 0
#define UNITS_8   256, 4, 128, K(1)

#define TESLA     "Tesla", 2006
#define FERMI     "Fermi", 2010
#define KEPLER    "Kepler", 2012
#define MAXWELL   "Maxwell", 2014
#define PASCAL    "Pascal", 2016
#define VOLTA     "Volta", 2017
#define TURING    "Turing", 2018
#define AMPERE    "Ampere", 2020
#define ADA       "Ada Lovelace", 2022
#define HOPPER    "Hopper", 2022
#define BLACKWELL "Blackwell", 2024

/* clang-format off */
const struct capability capabilities[] = {
    /*                              an SM's threads, blocks, registers; a block's, a thread's;
     *                                              an SM's shared memory, float, double units */
    {1, 0, TESLA, "8800 GTX",       768, 8,    K(8), K(8), 124,   K(16), 8, 0,     UNITS_1_0},
    {1, 1, TESLA, "8600 GT",        768, 8,    K(8), K(8), 124,   K(16), 8, 0,     UNITS_1_0},
    {1, 2, TESLA, "GT 240",         1024, 8,   K(16), K(16), 124, K(16), 8, 0,     UNITS_1_2},
    {1, 3, TESLA, "GTX 280",        1024, 8,   K(16), K(16), 124, K(16), 8, 1,     UNITS_1_2},
    {2, 0, FERMI, "C2050",          1536, 8,   K(32), K(32), 63,  K(48), 32, 16,   UNITS_2},
    {2, 1, FERMI, "Quadro 600",     1536, 8,   K(32), K(32), 63,  K(48), 48, 4,    UNITS_2},
    {3, 0, KEPLER, "GTX 680",       2048, 16,  K(64), K(64), 63,  K(48), 192, 8,   UNITS_3},
    {3, 2, KEPLER, "Jetson TK1",    2048, 16,  K(64), K(32), 255, K(48), 192, 8,   UNITS_3},
    {3, 5, KEPLER, "K40",           2048, 16,  K(64), K(64), 255, K(48), 192, 64,  UNITS_3},
    {3, 7, KEPLER, "K80",           2048, 16,  K(128), K(64), 255, K(112), 192, 64, UNITS_3},
    {5, 0, MAXWELL, "GTX 750",      2048, 32,  K(64), K(64), 255, K(64), 128, 4,   UNITS_3},
    {5, 2, MAXWELL, "GTX TITAN X",  2048, 32,  K(64), K(64), 255, K(96), 128, 4,   UNITS_3},
    {5, 3, MAXWELL, "Jetson TX1",   2048, 32,  K(64), K(32), 255, K(64), 128, 4,   UNITS_3},
    {6, 0, PASCAL, "P100",          2048, 32,  K(64), K(64), 255, K(64), 64, 32,   UNITS_6_0},
    {6, 1, PASCAL, "GTX 1080",      2048, 32,  K(64), K(64), 255, K(96), 128, 4,   UNITS_3},
    {6, 2, PASCAL, "Jetson TX2",    2048, 32,  K(64), K(32), 255, K(64), 128, 4,   UNITS_3},
    {7, 0, VOLTA, "V100",           2048, 32,  K(64), K(64), 255, K(96), 64, 32,   UNITS_3},
    {7, 2, VOLTA, "Jetson Xavier",  2048, 32,  K(64), K(64), 255, K(96), 64, 0,    UNITS_3},
    {7, 5, TURING, "T4",            1024, 16,  K(64), K(64), 255, K(64), 64, 2,    UNITS_3},
    {8, 0, AMPERE, "A100",          2048, 32,  K(64), K(64), 255, K(164), 64, 32,  UNITS_8},
    {8, 6, AMPERE, "RTX 3090",      1536, 16,  K(64), K(64), 255, K(100), 128, 2,  UNITS_8},
    {8, 7, AMPERE, "Jetson Orin",   1536, 16,  K(64), K(64), 255, K(164), 128, 0,  UNITS_8},
    {8, 9, ADA, "RTX 4090",         1536, 24,  K(64), K(64), 255, K(100), 128, 2,  UNITS_8},
    {9, 0, HOPPER, "H100",          2048, 32,  K(64), K(64), 255, K(228), 128, 64, UNITS_8},
    {10, 0, BLACKWELL, "B200",      2048, 32,  K(64), K(64), 255, K(228), 128, 64, UNITS_8},
    {10, 3, BLACKWELL, "B300",      2048, 32,  K(64), K(64), 255, K(228), 128, 0,  UNITS_8},
    {11, 0, BLACKWELL, "Jetson Thor", 1536, 24, K(64), K(64), 255, K(228), 128, 0, UNITS_8},
    {12, 0, BLACKWELL, "RTX 5090",  1536, 24,  K(64), K(64), 255, K(100), 128, 2,  UNITS_8},
    {12, 1, BLACKWELL, "DGX Spark", 1536, 24,  K(64), K(64), 255, K(100), 128, 0,  UNITS_8},
};
/* clang-format on */

const size_t capability_count = sizeof capabilities / sizeof capabilities[0];

const struct capability *capability_of(int major, int minor)
{
    const struct capability *best = NULL;
    for (size_t i = 0; i < capability_count; i++) {
        const struct capability *c = &capabilities[i];
        if (c->major < major || (c->major == major && c->minor <= minor))
            best = c;
    }
    return best;
}

bool capability_gives_blocks(const struct capability *c)
{
    return c->major < 2;
}

bool capability_by_cuda_13(const struct capability *c)
{
    return c->major * 10 + c->minor >= 75;
}

bool capability_read(struct span word, unsigned *cc)
{
    enum { LEAST = 10, MOST = 999 };
    char text[32];
    unsigned major, minor;
    int used = 0;
    if (!word.n || word.n >= sizeof text)
        return false;
    snprintf(text, sizeof text, "%.*s", (int)word.n, word.at);
    const struct device_props *p = device_profile(text);
    const char *number = begins(word, "sm_")        ? text + 3
                         : begins(word, "compute_") ? text + 8
                                                    : text;
    if (p)
        *cc = (unsigned)(p->major * 10 + p->minor);
    else if (*number < '0' || *number > '9')
        return false;
    else if (sscanf(number, "%3u.%1u%n", &major, &minor, &used) == 2 && !number[used])
        *cc = major * 10 + minor;
    else if (sscanf(number, "%3u%n", cc, &used) != 1 || number[used])
        return false;
    return *cc >= LEAST && *cc <= MOST;
}
