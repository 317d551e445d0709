/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One table of a device's fields, from which the screen and the JSON are made.
 */
#include "teach/props.h"

#include "teach/picture.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- every field, once ------------------------------------------------------------------ */

enum kind { BYTES, COUNT, KHZ, YES_NO };
struct field {
    const char *key, *label;
    enum kind kind;
    size_t offset, size;
};
#define FIELD(key, kind, member, label)                                                       \
    {key, label, kind, offsetof(struct device_props, member),                                 \
     sizeof((const struct device_props *)0)->member}

/* The first group is what the course's own device query prints, in its order. */
static const struct field fields[] = {
    FIELD("global_bytes", BYTES, global_bytes, "global memory"),
    FIELD("shared_per_block", BYTES, shared_per_block, "shared memory a block"),
    FIELD("registers_per_block", COUNT, registers_per_block, "registers a block"),
    FIELD("warp_size", COUNT, warp_size, "threads in a warp"),
    FIELD("max_threads_per_block", COUNT, max_threads_per_block, "threads a block, at most"),
    FIELD("const_bytes", BYTES, const_bytes, "constant memory"),
    FIELD("clock_khz", KHZ, clock_khz, "clock (1)"),
    FIELD("max_texture_1d", COUNT, max_texture_1d, "1D texture, at most"),
    FIELD("copy_engines", COUNT, copy_engines, "copy engines (1)"),
    FIELD("multiprocessors", COUNT, multiprocessors, "multiprocessors (SMs)"),
    FIELD("kernel_timeout", YES_NO, kernel_timeout, "kernels limited in time (1)"),
    FIELD("integrated", YES_NO, integrated, "part of a chipset"),
    FIELD("can_map_host", YES_NO, can_map_host, "can map host memory"),
    FIELD("concurrent_kernels", YES_NO, concurrent_kernels, "kernels side by side"),
    FIELD("ecc", YES_NO, ecc, "memory corrects errors (ECC)"),
    FIELD("max_threads_per_sm", COUNT, max_threads_per_sm, "threads an SM, at most"),
    FIELD("max_blocks_per_sm", COUNT, max_blocks_per_sm, "blocks an SM, at most"),
    FIELD("registers_per_sm", COUNT, registers_per_sm, "registers an SM"),
    FIELD("registers_per_thread", COUNT, registers_per_thread, "registers a thread, at most"),
    FIELD("shared_per_block_optin", BYTES, shared_per_block_optin, "shared a block, opted in"),
    FIELD("shared_per_sm", BYTES, shared_per_sm, "shared memory an SM"),
    FIELD("l2_bytes", BYTES, l2_bytes, "L2 cache"),
    FIELD("memory_clock_khz", KHZ, memory_clock_khz, "memory clock"),
    FIELD("bus_bits", COUNT, bus_bits, "memory bus, bits"),
    FIELD("cores_per_sm", COUNT, cores_per_sm, "float cores an SM"),
    FIELD("f64_per_sm", COUNT, f64_per_sm, "double cores an SM"),
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static int64_t value_of(const struct device_props *p, const struct field *f)
{
    int narrow;
    uint64_t wide;
    if (f->size == sizeof wide) {
        memcpy(&wide, (const char *)p + f->offset, sizeof wide);
        return (int64_t)wide;
    }
    memcpy(&narrow, (const char *)p + f->offset, sizeof narrow);
    return narrow;
}

static bool is_known(const struct field *f, int64_t v)
{
    return f->kind == YES_NO ? v >= 0 : v > 0;
}

static void put_field(struct table *t, const struct field *f, int64_t v)
{
    char text[NUM_TEXT];
    num_group(v, text);
    table_cell(t, "%s", f->label);
    if (f->kind == YES_NO)
        table_cell(t, "%s", v ? "yes" : "no");
    else if (f->kind == KHZ)
        table_cell(t, "%.0f MHz", (double)v / 1000);
    else if (f->kind == BYTES && v >= 1 << 20)
        table_cell(t, "%s bytes (%.1f MiB)", text, (double)v / (1 << 20));
    else
        table_cell(t, "%s%s", text, f->kind == BYTES ? " bytes" : "");
}

/* ---- what follows from them ------------------------------------------------------------- */

double peak_gb_s(const struct device_props *p)
{
    return p->bus_bits / 8.0 * p->memory_clock_khz * 1e3 * 2 / 1e9;
}

double peak_gflop_s(const struct device_props *p, int cores)
{
    return 2.0 * p->multiprocessors * cores * p->clock_khz * 1e3 / 1e9;
}

static void put_peaks(struct table *t, const struct device_props *p)
{
    table_heading(t, "worked out");
    if (p->bus_bits && p->memory_clock_khz) {
        table_cell(t, "peak memory traffic");
        table_cell(t, "%.0f GB/s = %d bits / 8 x %.0f MHz x 2", peak_gb_s(p), p->bus_bits,
                   p->memory_clock_khz / 1e3);
    }
    if (p->cores_per_sm && p->clock_khz) {
        table_cell(t, "peak float");
        table_cell(t, "%.0f GFLOP/s = %d x %d cores x %.0f MHz x 2",
                   peak_gflop_s(p, p->cores_per_sm), p->multiprocessors, p->cores_per_sm,
                   p->clock_khz / 1e3);
    }
    if (p->f64_per_sm && p->clock_khz) {
        table_cell(t, "peak double");
        table_cell(t, "%.0f GFLOP/s", peak_gflop_s(p, p->f64_per_sm));
    }
}

/* ---- architectures ---------------------------------------------------------------------- */

/* The textbook's table 6.3, which ends with Ampere, carried on to today. */
static const struct {
    int from; /* 75: from compute capability 7.5 on */
    const char *name, *capabilities;
} architectures[] = {
    {10, "Tesla", "1.x"},       {20, "Fermi", "2.x"},        {30, "Kepler", "3.x"},
    {50, "Maxwell", "5.x"},     {60, "Pascal", "6.x"},       {70, "Volta", "7.0, 7.2"},
    {75, "Turing", "7.5"},      {80, "Ampere", "8.0 8.6 8.7"}, {89, "Ada Lovelace", "8.9"},
    {90, "Hopper", "9.0"},      {100, "Blackwell", "10.x, 12.x"},
};
enum { ARCHITECTURES = sizeof architectures / sizeof architectures[0] };

const char *architecture_of(const struct device_props *p)
{
    const char *name = p->architecture;
    for (size_t i = 0; i < ARCHITECTURES && !p->architecture; i++)
        if (p->major * 10 + p->minor >= architectures[i].from)
            name = architectures[i].name;
    return name ? name : "unknown";
}

void say_architectures(struct report *r)
{
    static const struct table_column columns[] = {
        {.head = "architecture"}, {.head = "compute capabilities", .folds = true}};
    struct table t;
    table_begin(&t, columns, 2, 0);
    for (size_t i = 0; i < ARCHITECTURES; i++) {
        table_cell(&t, "%s", architectures[i].name);
        table_cell(&t, "%s", architectures[i].capabilities);
    }
    say(r, "\n");
    say_table(r, &t);
}

/* ---- all of it -------------------------------------------------------------------------- */

static void put_extent(struct table *t, const char *label, int64_t x, int64_t y, int64_t z)
{
    if (x <= 0)
        return;
    table_cell(t, "%s", label);
    table_cell(t, "%lld x %lld x %lld", (long long)x, (long long)y, (long long)z);
}

static void put_all(struct table *t, const struct device_props *p)
{
    table_cell(t, "name");
    table_cell(t, "%s", p->name ? p->name : "unknown");
    table_cell(t, "compute capability");
    table_cell(t, "%d.%d (%s)", p->major, p->minor, architecture_of(p));
    put_extent(t, "block, at most", p->max_block[0], p->max_block[1], p->max_block[2]);
    put_extent(t, "grid, at most", p->max_grid[0], p->max_grid[1], p->max_grid[2]);
    for (size_t i = 0; i < FIELDS; i++) {
        int64_t v = value_of(p, &fields[i]);
        if (is_known(&fields[i], v))
            put_field(t, &fields[i], v);
    }
}

void say_props(struct report *r, const struct device_props *p, const char *inside)
{
    static const struct table_column columns[] = {{.head = ""}, {.head = "", .folds = true}};
    struct table t;
    table_begin(&t, columns, 2, 2);
    put_all(&t, p);
    table_note(&t, "(1) by cudaDeviceGetAttribute: CUDA 13 took it out of cudaDeviceProp");
    put_peaks(&t, p);
    if (inside) {
        table_cell(&t, "a kernel asked from inside");
        table_cell(&t, "%s", inside);
    }
    say_table(r, &t);
}

static void json_extent(struct json *j, const char *key, int64_t x, int64_t y, int64_t z)
{
    if (x <= 0)
        return;
    json_array(j, key);
    json_int(j, NULL, x);
    json_int(j, NULL, y);
    json_int(j, NULL, z);
    json_end_array(j);
}

void json_props(struct json *j, const struct device_props *p)
{
    if (p->name)
        json_text(j, "name", p->name);
    if (p->profile)
        json_text(j, "profile", p->profile);
    json_text(j, "architecture", architecture_of(p));
    json_int(j, "major", p->major);
    json_int(j, "minor", p->minor);
    json_extent(j, "max_block", p->max_block[0], p->max_block[1], p->max_block[2]);
    json_extent(j, "max_grid", p->max_grid[0], p->max_grid[1], p->max_grid[2]);
    for (size_t i = 0; i < FIELDS; i++) {
        int64_t v = value_of(p, &fields[i]);
        if (is_known(&fields[i], v) && fields[i].kind == YES_NO)
            json_bool(j, fields[i].key, v != 0);
        else if (is_known(&fields[i], v))
            json_int(j, fields[i].key, v);
    }
    if (peak_gb_s(p) > 0)
        json_f64(j, "peak_gb_s", peak_gb_s(p));
    if (peak_gflop_s(p, p->cores_per_sm) > 0)
        json_f64(j, "peak_gflop_s", peak_gflop_s(p, p->cores_per_sm));
    if (peak_gflop_s(p, p->f64_per_sm) > 0)
        json_f64(j, "peak_gflop_s_f64", peak_gflop_s(p, p->f64_per_sm));
}

/* ---- typed ------------------------------------------------------------------------------ */

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
    const char *number = begins(word, "sm_") ? text + 3 : begins(word, "compute_") ? text + 8 : text;
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
