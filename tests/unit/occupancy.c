/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many blocks an SM holds: every line of tests/data/occupancy.txt, which has what NVIDIA's
 * own arithmetic says since 3.0; before that, by hand from its old calculators. And the cards of
 * the simulator are as their compute capability is.
 */
#include "dev/model.h"
#include "dev/occupancy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned tests_run, tests_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %u - %s\n", good ? "" : "not ", ++tests_run, what);
    tests_failed += !good;
}

static struct device_props card_of(int major, int minor)
{
    const struct capability *c = capability_of(major, minor);
    const uint64_t per_sm = (uint64_t)c->shared_per_sm, kept = (uint64_t)c->shared_reserved;
    return (struct device_props){.major = major,
                                 .minor = minor,
                                 .warp_size = 32,
                                 .max_threads_per_block = major < 2 ? 512 : 1024,
                                 .max_threads_per_sm = c->threads_per_sm,
                                 .max_blocks_per_sm = c->blocks_per_sm,
                                 .registers_per_sm = c->registers_per_sm,
                                 .registers_per_block = c->registers_per_block,
                                 .registers_per_thread = c->registers_per_thread,
                                 .shared_per_block = major < 2 ? 16384 : 49152,
                                 .shared_per_block_optin = major < 2   ? 16384
                                                           : major < 7 ? 49152
                                                                       : per_sm - kept,
                                 .shared_per_sm = per_sm,
                                 .shared_reserved = kept};
}

static int blocks(int major, int minor, int threads, int registers, uint64_t shared)
{
    const struct device_props p = card_of(major, minor);
    const struct occupancy_want want = {threads, registers, shared};
    return occupancy_of(&p, &want).blocks;
}

static void test_list(const char *path)
{
    char line[200];
    unsigned compared = 0, differ = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        int major, minor, threads, registers, wanted;
        unsigned long shared;
        if (sscanf(line, "%d.%d %d %d %lu: %d", &major, &minor, &threads, &registers, &shared,
                   &wanted) != 6)
            continue;
        compared++;
        int got = blocks(major, minor, threads, registers, shared);
        if (got != wanted && differ++ < 10)
            printf("# got %d: %s", got, line);
    }
    if (f)
        fclose(f);
    printf("# %u launches compared\n", compared);
    ok(compared > 2000 && differ == 0, "as many blocks as NVIDIA's arithmetic has");
}

static void test_old(void)
{
    ok(blocks(1, 0, 256, 10, 0) == 3, "G80: 256 threads of 10 registers, 3 blocks");
    ok(blocks(1, 0, 256, 11, 0) == 2, "G80: an 11th register costs a block");
    ok(blocks(1, 0, 64, 10, 4097) == 3, "G80: a byte over 4 KB costs the fourth block");
    ok(blocks(1, 3, 192, 16, 0) == 5, "1.3: 5 blocks of 192");
    ok(blocks(2, 0, 192, 20, 0) == 8, "2.0: 8 blocks of 192, the places for blocks bind");
    ok(blocks(2, 0, 256, 21, 0) == 5, "2.0: 21 registers, given as 22: 5 blocks of 256");
    ok(blocks(2, 0, 256, 64, 0) == 0, "2.0: 64 registers a thread are refused");
}

static void test_limits(void)
{
    const struct device_props h100 = card_of(9, 0);
    const struct occupancy_want want = {256, 32, 0}, odd = {256, 33, 0}, none = {256, 0, 0};
    struct occupancy o = occupancy_of(&h100, &want);
    ok(o.blocks == 8 && o.warps == 64, "H100: 32 registers fill the SM");
    ok(o.binds == (1u << LIMIT_THREADS | 1u << LIMIT_REGISTERS), "H100: by threads and registers");
    o = occupancy_of(&h100, &odd);
    ok(o.blocks == 6 && o.binds == 1u << LIMIT_REGISTERS, "H100: a 33rd costs two blocks");
    ok(o.registers_given == 1280, "H100: a warp gets 1280 for 33 x 32");
    o = occupancy_of(&h100, &none);
    ok(!o.counted[LIMIT_REGISTERS] && o.blocks == 8, "registers not known don't count");
    ok(occupancy_most_registers(&h100, &none) == 32, "H100: up to 32 registers cost nothing");
}

/* The time model has as many blocks at once, and one where a block is refused. */
static void test_model(void)
{
    static const unsigned threads[] = {0, 1, 32, 33, 192, 256, 1000, 1024, 1025, ~0u};
    static const uint64_t shared[] = {0, 1, 4097, 16384, 49152, 100000, 233472, UINT64_C(1) << 40};
    unsigned differ = 0;
    for (size_t i = 0; i < card_count; i++)
        for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++)
            for (size_t s = 0; s < sizeof shared / sizeof shared[0]; s++) {
                const struct device_props p = card_props(&card_list[i]);
                const struct model_launch l = {threads[t], 1 << 30, shared[s], false};
                const struct occupancy_want want = {(int)threads[t], 0, shared[s]};
                const bool refused = !threads[t] || threads[t] > (unsigned)p.max_threads_per_block;
                const int blocks = refused ? 0 : occupancy_of(&p, &want).blocks;
                differ += model_card(&p, &l).blocks_per_sm != (unsigned)(blocks ? blocks : 1);
            }
    ok(differ == 0, "the time model has as many blocks at once");
}

/* A card is one row: its name, its compute capability's row, and figures that fit together. */
static void test_cards(void)
{
    for (size_t i = 0; i < card_count; i++) {
        const struct card *card = &card_list[i];
        const struct device_props p = card_props(card);
        const struct capability *c = capability_of(card->major, card->minor);
        char what[100];
        snprintf(what, sizeof what, "%s is as all cards of %d.%d", p.profile, p.major, p.minor);
        ok(card_named(card->profile) == card && strcmp(card_names[i], card->profile) == 0 && c &&
               c->major == p.major && c->minor == p.minor && p.name[0] && p.multiprocessors > 0 &&
               p.clock_khz > 0 && p.memory_clock_khz > 0 && p.bus_bits > 0 &&
               p.shared_per_block <= p.shared_per_block_optin &&
               p.shared_per_block_optin + p.shared_reserved <= p.shared_per_sm &&
               p.registers_per_block <= p.registers_per_sm &&
               (i == 0 || card_is_simulated(card) >= card_is_simulated(&card_list[i - 1])),
           what);
    }
    ok(card_names[card_count] == NULL, "the names end");
    for (size_t i = 1; i < capability_count; i++) {
        const struct capability *before = &capabilities[i - 1], *c = &capabilities[i];
        char what[100];
        snprintf(what, sizeof what, "%d.%d comes after %d.%d", c->major, c->minor, before->major,
                 before->minor);
        ok(capability_of(c->major, c->minor) == c && c->year >= before->year &&
               c->major * 10 + c->minor > before->major * 10 + before->minor,
           what);
    }
    const struct capability *last = &capabilities[capability_count - 1];
    ok(capability_of(last->major + 1, 0) == last, "a newer card has the last row");
    ok(!capability_of(0, 9), "and there is nothing before the first");
}

int main(void)
{
    const char *folder = getenv("top_srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/occupancy.txt", folder ? folder : "..");
    test_list(path);
    test_old();
    test_limits();
    test_model();
    test_cards();
    printf("1..%u\n", tests_run);
    return tests_failed != 0;
}
