/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One table of a device's fields, from which the screen and the JSON are made.
 */
#include "labkit/props.h"

#include "screen/picture.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- every field, once ------------------------------------------------------------------ */

enum property_kind { BYTES, COUNT, KHZ, YES_NO };
struct field {
    const char *key, *label, *cuda; /* cuda: of cudaDeviceProp, or of an attribute */
    enum property_kind kind;
    size_t offset, size;
    bool moved; /* CUDA 13 took it out of cudaDeviceProp */
    bool chief; /* on the screen also without --long */
};
#define FIELD_AS(key, kind, member, label, cuda, moved, chief)                                \
    {key, label, cuda, kind, offsetof(struct device_props, member),                           \
     sizeof((const struct device_props *)0)->member, moved, chief}
#define CHIEF(kind, member, label, cuda) FIELD_AS(#member, kind, member, label, cuda, false, true)
#define FIELD(kind, member, label, cuda) FIELD_AS(#member, kind, member, label, cuda, false, false)
#define MOVED(kind, member, label, cuda) FIELD_AS(#member, kind, member, label, cuda, true, false)

/* The first rows are what the course's device query prints, in its order. */
static const struct field fields[] = {
    CHIEF(BYTES, global_bytes, "global memory", "totalGlobalMem"),
    CHIEF(BYTES, shared_per_block, "shared memory per block", "sharedMemPerBlock"),
    FIELD(COUNT, registers_per_block, "registers per block", "regsPerBlock"),
    CHIEF(COUNT, warp_size, "threads in a warp", "warpSize"),
    CHIEF(COUNT, max_threads_per_block, "threads per block, at most", "maxThreadsPerBlock"),
    FIELD(BYTES, const_bytes, "constant memory", "totalConstMem"),
    MOVED(KHZ, clock_khz, "clock", "cudaDevAttrClockRate"),
    FIELD(COUNT, max_texture_1d, "1D texture, at most", "maxTexture1D"),
    FIELD_AS("device_overlap", YES_NO, copy_engines, "copies beside a kernel",
             "cudaDevAttrGpuOverlap", true, false),
    FIELD(COUNT, copy_engines, "copy engines", "asyncEngineCount"),
    CHIEF(COUNT, multiprocessors, "multiprocessors (SMs)", "multiProcessorCount"),
    MOVED(YES_NO, kernel_timeout, "kernels limited in time", "cudaDevAttrKernelExecTimeout"),
    FIELD(YES_NO, integrated, "part of a chipset", "integrated"),
    FIELD(YES_NO, can_map_host, "can map host memory", "canMapHostMemory"),
    FIELD(YES_NO, concurrent_kernels, "kernels side by side", "concurrentKernels"),
    FIELD(YES_NO, ecc, "memory corrects errors (ECC)", "ECCEnabled"),
    CHIEF(COUNT, max_threads_per_sm, "threads per SM, at most", "maxThreadsPerMultiProcessor"),
    FIELD(COUNT, max_blocks_per_sm, "blocks per SM, at most", "maxBlocksPerMultiProcessor"),
    CHIEF(COUNT, registers_per_sm, "registers per SM", "regsPerMultiprocessor"),
    FIELD(COUNT, registers_per_thread, "registers per thread, at most", "-"),
    FIELD(BYTES, shared_per_block_optin, "shared per block, opted in", "sharedMemPerBlockOptin"),
    CHIEF(BYTES, shared_per_sm, "shared memory per SM", "sharedMemPerMultiprocessor"),
    FIELD(BYTES, shared_reserved, "reserved per block", "reservedSharedMemPerBlock"),
    CHIEF(BYTES, l2_bytes, "L2 cache", "l2CacheSize"),
    MOVED(KHZ, memory_clock_khz, "memory clock", "cudaDevAttrMemoryClockRate"),
    FIELD(COUNT, bus_bits, "memory bus, bits", "memoryBusWidth"),
    FIELD(COUNT, cores_per_sm, "float cores per SM", "-"),
    FIELD(COUNT, f64_per_sm, "double cores per SM", "-"),
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

/* 0 copy engines can mean that the number is not known. */
static bool is_known(const struct field *f, int64_t v)
{
    bool counted = f->offset == offsetof(struct device_props, copy_engines);
    return f->kind == YES_NO && !counted ? v >= 0 : v > 0;
}

static void put_field(struct table *t, const struct field *f, int64_t v)
{
    char text[NUM_TEXT];
    num_group(v, text);
    table_cell(t, "%s%s", f->label, f->moved ? " (1)" : "");
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

static void put_worked_out(struct table *t, const struct device_props *p)
{
    char all[NUM_TEXT];
    table_heading(t, "worked out");
    if (p->max_threads_per_sm && p->warp_size) {
        table_cell(t, "warps per SM, at most");
        table_cell(t, "%d = %d threads / %d", p->max_threads_per_sm / p->warp_size,
                   p->max_threads_per_sm, p->warp_size);
        table_cell(t, "threads at once, at most");
        table_cell(t, "%s = %d x %d",
                   num_group((int64_t)p->multiprocessors * p->max_threads_per_sm, all),
                   p->multiprocessors, p->max_threads_per_sm);
    }
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
        table_cell(t, "%.0f GFLOP/s = %d x %d units x %.0f MHz x 2",
                   peak_gflop_s(p, p->f64_per_sm), p->multiprocessors, p->f64_per_sm,
                   p->clock_khz / 1e3);
    }
}

const char *architecture_of(const struct device_props *p)
{
    const struct capability *c = capability_of(p->major, p->minor);
    return p->architecture ? p->architecture : c ? c->architecture : "unknown";
}

/* ---- all of it -------------------------------------------------------------------------- */

static void put_extent(struct table *t, const char *label, int64_t x, int64_t y, int64_t z)
{
    if (x <= 0)
        return;
    table_cell(t, "%s", label);
    table_cell(t, "%lld x %lld x %lld", (long long)x, (long long)y, (long long)z);
}

/* Fields that are not known are named in one row. */
static void put_unknown(struct table *t, const struct device_props *p)
{
    struct buf all = {0};
    for (size_t i = 0; i < FIELDS; i++)
        if (!is_known(&fields[i], value_of(p, &fields[i])) &&
            /* before 8.0 the system keeps nothing */
            fields[i].offset != offsetof(struct device_props, shared_reserved))
            buf_printf(&all, "%s%s", all.len ? ", " : "", fields[i].label);
    if (all.len) {
        table_cell(t, "not known of this card");
        table_cell(t, "%s", buf_text(&all));
    }
    buf_free(&all);
}

static void put_all(struct table *t, const struct device_props *p, bool whole)
{
    table_cell(t, "name");
    table_cell(t, "%s", p->name ? p->name : "unknown");
    table_cell(t, "compute capability");
    table_cell(t, "%d.%d (%s)", p->major, p->minor, architecture_of(p));
    if (whole) {
        put_extent(t, "block, at most", p->max_block[0], p->max_block[1], p->max_block[2]);
        put_extent(t, "grid, at most", p->max_grid[0], p->max_grid[1], p->max_grid[2]);
    }
    for (size_t i = 0; i < FIELDS; i++) {
        int64_t v = value_of(p, &fields[i]);
        if (is_known(&fields[i], v) && (whole || fields[i].chief))
            put_field(t, &fields[i], v);
    }
    if (whole)
        put_unknown(t, p);
}

void say_props(struct report *r, const struct device_props *p, const char *inside)
{
    static const struct table_column columns[] = {{.head = ""}, {.head = "", .folds = true}};
    struct table t;
    table_begin(&t, columns, 2, 2);
    put_all(&t, p, r->whole);
    if (r->whole) {
        table_note(&t, "(1) by cudaDeviceGetAttribute: CUDA 13 took it out of cudaDeviceProp");
        put_worked_out(&t, p);
    } else {
        table_cell(&t, "everything else");
        table_cell(&t, "`devquery --long`");
    }
    if (inside) {
        table_cell(&t, "check");
        table_cell(&t, "%s", inside);
    }
    say_table(r, &t);
}

/* A value under the name that a program uses: "warpSize 32". */
static void put_name(struct table *t, const char *name, const char *unit, const char *fmt, ...)
{
    char value[120];
    WITH_ARGS(fmt, vsnprintf(value, sizeof value, fmt, args));
    table_cell(t, "%s", name);
    table_cell(t, "%s", value);
    table_cell(t, "%s", unit);
}

void say_props_names(struct report *r, const struct device_props *p)
{
    static const struct table_column columns[] = {
        {.head = "in CUDA", .tells = "%"},
        {.head = "is", .folds = true, .tells = "is %"},
        {.head = "", .gives_way = 1, .tells = "in %"}};
    static const char *const units[] = {"bytes", "", "kHz", ""};
    struct table t;
    const int *b = p->max_block;
    const int64_t *g = p->max_grid;
    table_begin(&t, columns, 3, 2);
    put_name(&t, "name", "", "%s", p->name ? p->name : "unknown");
    put_name(&t, "major, minor", "", "%d, %d", p->major, p->minor);
    put_name(&t, "maxThreadsDim", "", "%d, %d, %d", b[0], b[1], b[2]);
    put_name(&t, "maxGridSize", "", "%lld, %lld, %lld", (long long)g[0], (long long)g[1],
             (long long)g[2]);
    for (size_t i = 0; i < FIELDS; i++) {
        const struct field *f = &fields[i];
        int64_t v = value_of(p, f);
        if (is_known(f, v) && f->cuda[0] != '-')
            put_name(&t, f->cuda, units[f->kind], "%lld", (long long)(f->kind == YES_NO ? !!v : v));
    }
    table_note(&t, "cudaDevAttr... by cudaDeviceGetAttribute: CUDA 13 took these out of "
                   "cudaDeviceProp, where the others are.");
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
    json_object(j, NULL);
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
    if (p->max_threads_per_sm && p->warp_size)
        json_int(j, "max_warps_per_sm", p->max_threads_per_sm / p->warp_size);
    if (peak_gb_s(p) > 0)
        json_f64(j, "peak_gb_s", peak_gb_s(p));
    if (peak_gflop_s(p, p->cores_per_sm) > 0)
        json_f64(j, "peak_gflop_s", peak_gflop_s(p, p->cores_per_sm));
    if (peak_gflop_s(p, p->f64_per_sm) > 0)
        json_f64(j, "peak_gflop_s_f64", peak_gflop_s(p, p->f64_per_sm));
    json_end_object(j);
}

struct props_peaks props_peaks(const struct device_props *p)
{
    const double gb_s = peak_gb_s(p), gflop_s = peak_gflop_s(p, p->cores_per_sm);
    return (struct props_peaks){
        .name = p->name ? p->name : "this device", .sms = p->multiprocessors,
        .threads = p->max_threads_per_sm,
        .resident = (int64_t)p->multiprocessors * p->max_threads_per_sm,
        .gbs = (int64_t)(gb_s + 0.5), .gflops = (int64_t)(gflop_s + 0.5),
        .balance = gb_s > 0 ? gflop_s / (gb_s / 4) : 0};
}

const struct fact props_peak_facts[] = {
    {FACT(struct props_peaks, name)},
    {FACT(struct props_peaks, sms)},
    {FACT(struct props_peaks, threads), .as = AS_GROUP},
    {FACT(struct props_peaks, resident), .as = AS_GROUP},
    {FACT(struct props_peaks, gbs), .as = AS_GROUP},
    {FACT(struct props_peaks, gflops), .as = AS_GROUP},
    {FACT(struct props_peaks, balance), .format = "%.0f"},
    {.name = NULL},
};

void put_devices(const struct device *d, struct json *j)
{
    json_array(j, "devices");
    for (int i = 0; d->cards && i < d->cards->count; i++)
        json_props(j, &d->cards->at[i].props);
    if (!d->cards)
        json_props(j, &d->props);
    json_end_array(j);
}
