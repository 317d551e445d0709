/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cards that the simulator can stand for, oldest first.
 *
 * A number stands here only where NVIDIA's tables of compute capabilities or the card's data
 * sheet give it; what is not known is left out, which reads as zero, or -1 for a yes or no.
 * Of each card, memory is the size on the board (CUDA reports a little less) and the clock is
 * the highest that the data sheet promises.
 *
 * What all cards of one compute capability share is written once, as a list of initialisers.
 */
#include "dev/device.h"

#include <string.h>

#define KB(n) (UINT64_C(1024) * (n))
#define MB(n) (UINT64_C(1048576) * (n))
#define GB(n) (UINT64_C(1073741824) * (n))

/* clang-format off */
#define EVERY_CARD                                                                           \
    .warp_size = 32, .max_threads_per_block = 1024, .max_block = {1024, 1024, 64},           \
    .const_bytes = KB(64), .shared_per_block = KB(48), .can_map_host = 1,                    \
    .concurrent_kernels = 1
#define UNKNOWN_TIMEOUT .kernel_timeout = -1 /* of the machine it stands in, not of the card */

#define FERMI                                                                                \
    EVERY_CARD, UNKNOWN_TIMEOUT, .architecture = "Fermi", .major = 2,                        \
    .max_grid = {65535, 65535, 65535},                                                       \
    .max_threads_per_sm = 1536, .max_blocks_per_sm = 8, .registers_per_block = 32768,        \
    .registers_per_sm = 32768, .registers_per_thread = 63, .shared_per_sm = KB(48),          \
    .shared_per_block_optin = KB(48), .max_texture_1d = 65536, .integrated = 0

#define SINCE_KEPLER EVERY_CARD, .max_grid = {2147483647, 65535, 65535},                     \
    .registers_per_sm = 65536, .registers_per_thread = 255

#define MAXWELL_5_2                                                                          \
    SINCE_KEPLER, UNKNOWN_TIMEOUT, .architecture = "Maxwell", .major = 5, .minor = 2,        \
    .registers_per_block = 65536, .max_threads_per_sm = 2048, .max_blocks_per_sm = 32,       \
    .shared_per_sm = KB(96), .shared_per_block_optin = KB(48), .cores_per_sm = 128,          \
    .f64_per_sm = 4, .max_texture_1d = 65536, .integrated = 0, .ecc = 0

#define SINCE_TURING                                                                         \
    SINCE_KEPLER, .registers_per_block = 65536, .max_texture_1d = 131072, .integrated = 0

#define SMALL_AMPERE_AND_ADA                                                                 \
    SINCE_TURING, UNKNOWN_TIMEOUT, .ecc = -1, .max_threads_per_sm = 1536,                    \
    .shared_per_sm = KB(100), .shared_reserved = KB(1),                                      \
    .shared_per_block_optin = KB(99), .cores_per_sm = 128, .f64_per_sm = 2

const struct device_props device_profiles[] = {
    {.profile = "c2050", .name = "Tesla C2050", FERMI, .minor = 0,
     .global_bytes = GB(3), .l2_bytes = KB(768), .multiprocessors = 14, .cores_per_sm = 32,
     .f64_per_sm = 16, .clock_khz = 1150000, .memory_clock_khz = 1500000, .bus_bits = 384,
     .copy_engines = 2, .ecc = -1},
    {.profile = "quadro600", .name = "Quadro 600", FERMI, .minor = 1,
     .global_bytes = GB(1), .multiprocessors = 2, .cores_per_sm = 48, .f64_per_sm = 4,
     .clock_khz = 1280000, .memory_clock_khz = 800000, .bus_bits = 128, .ecc = 0},
    {.profile = "gk20a", .name = "GK20A (Jetson TK1)", SINCE_KEPLER, UNKNOWN_TIMEOUT,
     .architecture = "Kepler",
     .major = 3, .minor = 2, .global_bytes = GB(2), .l2_bytes = KB(128),
     .registers_per_block = 32768, .max_threads_per_sm = 2048, .max_blocks_per_sm = 16,
     .shared_per_sm = KB(48), .shared_per_block_optin = KB(48), .multiprocessors = 1,
     .cores_per_sm = 192, .f64_per_sm = 8, .clock_khz = 852000, .memory_clock_khz = 924000,
     .bus_bits = 64, .max_texture_1d = 65536, .copy_engines = 1, .integrated = 1, .ecc = 0},
    {.profile = "titanx", .name = "GeForce GTX TITAN X", MAXWELL_5_2,
     .global_bytes = GB(12), .l2_bytes = MB(3), .multiprocessors = 24, .clock_khz = 1075000,
     .memory_clock_khz = 3505000, .bus_bits = 384, .copy_engines = 2},
    {.profile = "gtx970", .name = "GeForce GTX 970", MAXWELL_5_2,
     .global_bytes = GB(4), .l2_bytes = KB(1792), .multiprocessors = 13, .clock_khz = 1178000,
     .memory_clock_khz = 3505000, .bus_bits = 256, .copy_engines = 2},
    {.profile = "t4", .name = "Tesla T4", SINCE_TURING, UNKNOWN_TIMEOUT, .ecc = -1,
     .architecture = "Turing",
     .major = 7, .minor = 5, .global_bytes = GB(16), .l2_bytes = MB(4),
     .max_threads_per_sm = 1024, .max_blocks_per_sm = 16, .shared_per_sm = KB(64),
     .shared_per_block_optin = KB(64), .multiprocessors = 40, .cores_per_sm = 64,
     .f64_per_sm = 2, .clock_khz = 1590000, .memory_clock_khz = 5001000, .bus_bits = 256,
     .copy_engines = 3},
    {.profile = "a100", .name = "NVIDIA A100-SXM4-40GB", SINCE_TURING, UNKNOWN_TIMEOUT, .ecc = -1,
     .architecture = "Ampere", .major = 8, .minor = 0, .global_bytes = GB(40),
     .l2_bytes = MB(40), .max_threads_per_sm = 2048, .max_blocks_per_sm = 32,
     .shared_per_sm = KB(164), .shared_reserved = KB(1),
     .shared_per_block_optin = KB(163), .multiprocessors = 108,
     .cores_per_sm = 64, .f64_per_sm = 32, .clock_khz = 1410000, .memory_clock_khz = 1215000,
     .bus_bits = 5120, .copy_engines = 3},
    {.profile = "rtx3090", .name = "NVIDIA GeForce RTX 3090", SMALL_AMPERE_AND_ADA,
     .architecture = "Ampere", .major = 8, .minor = 6, .global_bytes = GB(24),
     .l2_bytes = MB(6), .max_blocks_per_sm = 16, .multiprocessors = 82, .clock_khz = 1695000,
     .memory_clock_khz = 9751000, .bus_bits = 384, .copy_engines = 2},
    {.profile = "rtx4060-laptop", .name = "NVIDIA GeForce RTX 4060 Laptop GPU",
     SMALL_AMPERE_AND_ADA, .architecture = "Ada Lovelace", .major = 8, .minor = 9,
     .global_bytes = GB(8), .l2_bytes = MB(32), .max_blocks_per_sm = 24,
     .multiprocessors = 24, .clock_khz = 2370000, .memory_clock_khz = 8001000, .bus_bits = 128},
    {.profile = "h100", .name = "NVIDIA H100 80GB HBM3", SINCE_TURING,
     .architecture = "Hopper", .major = 9, .minor = 0, .global_bytes = UINT64_C(85017493504),
     .l2_bytes = MB(50), .max_threads_per_sm = 2048, .max_blocks_per_sm = 32,
     .shared_per_sm = KB(228), .shared_reserved = KB(1),
     .shared_per_block_optin = KB(227), .multiprocessors = 132,
     .cores_per_sm = 128, .f64_per_sm = 64, .clock_khz = 1980000, .memory_clock_khz = 2619000,
     .bus_bits = 5120, .copy_engines = 3, .ecc = 1}, /* as measured: tests/h100/device.txt */
};
/* clang-format on */

const size_t device_profile_count = sizeof device_profiles / sizeof device_profiles[0];

const struct device_props *device_profile(const char *name)
{
    for (size_t i = 0; i < device_profile_count; i++)
        if (strcmp(device_profiles[i].profile, name) == 0)
            return &device_profiles[i];
    return NULL;
}
