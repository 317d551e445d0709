/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file makes tables of cards.def and answers questions from them.
 */
#include "dev/cards.h"

#include "base/buf.h"
#include "base/near.h"

#include <stdio.h>
#include <string.h>

#define K(n)  ((n) * 1024)
#define KB(n) (UINT64_C(1024) * (n))
#define MB(n) (UINT64_C(1048576) * (n))
#define GB(n) (UINT64_C(1073741824) * (n))
enum { NOT_KNOWN = -1 };

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

/* The columns are the unit of registers, an SM's partitions, the unit of shared memory, and the
 * bytes of each block's shared memory that the system keeps. */
#define UNITS_1_0 256, 2, 512, 0
#define UNITS_1_2 512, 2, 512, 0
#define UNITS_2   64, 2, 128, 0
#define UNITS_3   256, 4, 256, 0 /* to 7.5 */
#define UNITS_6_0 256, 2, 256, 0
#define UNITS_8   256, 4, 128, K(1)

/*
 * The columns are the rates of f16, special functions, integer addition and multiplication.
 * From 3.5 to 8.0 they are those of the slides (NVIDIA's guide 11.5). Older ones are from the guide
 * of their time, newer ones from the guide of CUDA 12. That guide gives 8.6 the 128 halves that it
 * has; the slides say 256, as for 8.0. If a guide's note corrects a number for some cards, the
 * corrected number is here: 2 doubles for 7.5.
 */
#define GUIDE_7_5  "NVIDIA's guide for CUDA 7.5, 2015"
#define GUIDE_11_5 "NVIDIA's guide for CUDA 11.5, 2021"
#define GUIDE_12   "NVIDIA's guide for CUDA 12, 2023"
#define RATES(...) {__VA_ARGS__}
#define RATES_UNKNOWN {NULL, NULL, 0, 0, 0, 0}
#define RATES_3_0 RATES("3.0", GUIDE_7_5, 0, 32, 160, 32)
#define RATES_3_5 RATES("3.5", GUIDE_11_5, 0, 32, 160, 32)
#define RATES_5_0 RATES("5.0", GUIDE_11_5, 0, 32, 128, RATE_SEVERAL)
#define RATES_7_0 RATES("7.0", GUIDE_11_5, 128, 16, 64, 64)

/* The first number is the KB that L1 and shared memory have together. The list says how many of
 * them may be shared memory. The lists from 7.0 on are from cuda_occupancy.h of CUDA 13.0; all
 * other numbers are from NVIDIA's guides. */
#define SPLIT_UNKNOWN NOT_KNOWN, {-1}
#define APART(kb) 0, {kb, -1}
#define SPLIT_2   64, {16, 48, -1}
#define SPLIT_3   64, {16, 32, 48, -1}
#define SPLIT_7_0 128, {0, 8, 16, 32, 64, 96, -1}
#define SPLIT_7_5 96, {32, 64, -1}
#define SPLIT_8_0 192, {0, 8, 16, 32, 64, 100, 132, 164, -1}
#define SPLIT_8_6 128, {0, 8, 16, 32, 64, 100, -1}
#define SPLIT_9_0 256, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228, -1}

#define CAPABILITY(...) {__VA_ARGS__},
#define CARD(...)
const struct capability capabilities[] = {
#include "dev/cards.def"
};
const size_t capability_count = sizeof capabilities / sizeof capabilities[0];

#define CAPABILITY(...)
#define CARD(...) {__VA_ARGS__},
const struct card card_list[] = {
#include "dev/cards.def"
};
const size_t card_count = sizeof card_list / sizeof card_list[0];

#define CAPABILITY(...)
#define CARD(profile, ...) profile,
const char *const card_names[] = {
#include "dev/cards.def"
    NULL,
};

/* ---- compute capabilities ---------------------------------------------------------------- */

bool device_drifts(const struct device_props *p)
{
    return p->major == 0 || p->major >= 7; /* 0: not known */
}

uint64_t device_link_mb_s(const struct device_props *p)
{
    /* Kilobytes of a lane: 2.5 and 5 GT/s with 8 bits in 10, then 8, 16 and 32 with 128 in 130. */
    static const uint64_t lane_kb_s[] = {0, 250000, 500000, 984615, 1969231, 3938462};
    const int most = (int)(sizeof lane_kb_s / sizeof lane_kb_s[0]) - 1;
    if (p->link_generation < 1 || p->link_generation > most || p->link_lanes < 1)
        return 0;
    return lane_kb_s[p->link_generation] * (uint64_t)p->link_lanes / 1000;
}

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

const struct capability *capability_column(const struct capability *c)
{
    if (!c || !c->rates.column)
        return NULL;
    while (c > capabilities && c[-1].rates.column &&
           strcmp(c[-1].rates.column, c->rates.column) == 0)
        c--;
    return c;
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
    const struct card *card = card_named(text);
    const char *number = begins(word, "sm_")        ? text + 3
                         : begins(word, "compute_") ? text + 8
                                                    : text;
    if (card)
        *cc = (unsigned)(card->major * 10 + card->minor);
    else if (*number < '0' || *number > '9')
        return false;
    else if (sscanf(number, "%3u.%1u%n", &major, &minor, &used) == 2 && !number[used])
        *cc = major * 10 + minor;
    else if (sscanf(number, "%3u%n", cc, &used) != 1 || number[used])
        return false;
    return *cc >= LEAST && *cc <= MOST;
}

/* ---- cards -------------------------------------------------------------------------------- */

const struct card *card_named(const char *profile)
{
    for (size_t i = 0; i < card_count; i++)
        if (strcmp(card_list[i].profile, profile) == 0)
            return &card_list[i];
    return NULL;
}

bool card_is_simulated(const struct card *c)
{
    return c->major >= 2;
}

const char device_default_profile[] = "h100";

static void fail_unknown(const char *profile, struct err *e)
{
    struct buf all = {0};
    struct near near = {.word = profile};
    for (size_t i = 0; i < card_count; i++) {
        if (!card_is_simulated(&card_list[i]))
            continue;
        near_try(&near, card_list[i].profile);
        buf_printf(&all, "%s%s", all.len ? ", " : "", card_list[i].profile);
    }
    if (near.best)
        fail(e, "there is no profile `%.40s`; did you mean sim:%s? The profiles are: %s", profile,
             near.best, buf_text(&all));
    else
        fail(e, "there is no profile `%.40s`; the profiles are: %s", profile, buf_text(&all));
    buf_free(&all);
}

const struct card *card_simulated(const char *profile, struct err *e)
{
    const struct card *card = card_named(profile ? profile : device_default_profile);
    if (card && card_is_simulated(card))
        return card;
    fail_unknown(profile, e);
    return NULL;
}

/* Adds the limits that a whole generation shares. They are from the guides' table of technical
 * specifications. */
static void add_generation(struct device_props *p)
{
    const bool first = p->major < 2;
    const int threads = first ? 512 : 1024;
    p->warp_size = 32;
    p->const_bytes = KB(64);
    p->max_threads_per_block = p->max_block[0] = p->max_block[1] = threads;
    p->max_block[2] = 64;
    p->max_grid[0] = p->major < 3 ? 65535 : 2147483647;
    p->max_grid[1] = 65535;
    p->max_grid[2] = first ? 1 : 65535;
    p->shared_per_block = first ? KB(16) : KB(48);
    p->shared_per_block_optin = p->major < 7 ? p->shared_per_block
                                             : p->shared_per_sm - p->shared_reserved;
    p->max_texture_1d = first ? 0 : p->major < 6 ? 65536 : 131072;
    p->can_map_host = p->concurrent_kernels = !first;
}

struct device_props card_props(const struct card *card)
{
    const struct capability *c = capability_of(card->major, card->minor);
    struct device_props p = {.profile = card->profile,
                             .name = card->name,
                             .architecture = c->architecture,
                             .major = card->major,
                             .minor = card->minor,
                             .global_bytes = card->global_bytes,
                             .l2_bytes = card->l2_bytes,
                             .shared_per_sm = (uint64_t)c->shared_per_sm,
                             .shared_reserved = (uint64_t)c->shared_reserved,
                             .registers_per_block = c->registers_per_block,
                             .registers_per_sm = c->registers_per_sm,
                             .registers_per_thread = c->registers_per_thread,
                             .max_threads_per_sm = c->threads_per_sm,
                             .max_blocks_per_sm = c->blocks_per_sm,
                             .multiprocessors = card->multiprocessors,
                             .cores_per_sm = c->cores_per_sm,
                             .f64_per_sm = c->f64_per_sm,
                             .clock_khz = card->clock_mhz * 1000,
                             .memory_clock_khz = card->memory_clock_mhz * 1000,
                             .bus_bits = card->bus_bits,
                             .copy_engines = card->copy_engines,
                             .integrated = card->integrated,
                             .link_generation = card->link_generation,
                             .link_lanes = card->link_lanes,
                             .persisting_bytes = card->persisting_bytes,
                             .window_bytes = card->window_bytes,
                             .ecc = card->ecc,
                             .kernel_timeout = card->kernel_timeout};
    add_generation(&p);
    return p;
}
