/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coalesce: the lanes of a warp read global memory in some pattern, and whole sectors are moved for
 * them. The picture is the first load of warp 0; the counts are of the whole kernel. plan.c has the
 * rule, run.c the runs, draw.c the picture; the kernels are in kernels/coalesce.cu.
 */
#include "labs/coalesce/draw.h"
#include "labs/coalesce/work.h"

#include "labkit/lab.h"
#include "labkit/shape.h"

#include <stdio.h>
#include <string.h>

struct coalesce_options {
    struct lab_options lab;
    unsigned n, stride, offset, fields, read;
    int width; /* which of the choices */
    bool stride_given, offset_given, width_given, fields_given, read_given;
};

/* A variant's tag: how its elements lie, and which options it takes. */
enum {
    ACCESS_KIND = 7,
    OWN_STRIDE = 8, /* it takes --stride and --offset */
    ONE_FURTHER = 16, APART = 32, ALL_THE_SAME = 64 /* other strides and offsets, its own */
};

struct coalesce_lab {
    struct lab_run run;
    const struct coalesce_options *options;
    struct access_plan plan;
    struct access_sums sums;
    struct access_request first; /* of warp 0 */
    const struct lab_variant *of; /* what these are of */
    int *index;                   /* of a gather; NULL: there was none yet */
    /* What the facts say: */
    char shape[80];
    uint64_t sectors, moved, y_bytes, shared_bytes;
    double each, efficiency;
    unsigned first_lanes, first_sectors, first_lines, loads, distance, group_bytes;
    bool strided, gather, structures, staged;
    bool shifted, spills;
};

enum { MOST_BYTES = 1 << 28, DEFAULT_THREADS = 128 };

static const char *const widths[] = {"1", "2", "4", "8", "16", NULL};

/* ---- the plan of a variant -------------------------------------------------------------- */

static enum access_kind kind_of(const struct lab_variant *v)
{
    return (enum access_kind)(v->tag & ACCESS_KIND);
}

static bool is_structure(const struct lab_variant *v)
{
    return kind_of(v) != BY_STRIDE && kind_of(v) != BY_INDEX;
}

static unsigned read_fields(const struct coalesce_options *o)
{
    return o->read_given ? o->read : o->fields;
}

static void place_elements(const struct coalesce_options *o, const struct lab_variant *v,
                           struct access_plan *p)
{
    p->work = p->n;
    if (kind_of(v) == BY_STRIDE)
        p->width = 1u << o->width;
    p->stride = v->tag & APART ? SECTOR_BYTES / p->width : v->tag & ALL_THE_SAME ? 0 : 1;
    p->offset = v->tag & ONE_FURTHER ? 1 : 0;
    if (v->tag & OWN_STRIDE) {
        p->stride = o->stride;
        p->offset = o->offset;
    }
    p->bytes = ((uint64_t)p->stride * (p->n - 1) + p->offset + 1) * p->width;
    if (kind_of(v) == BY_INDEX)
        p->bytes = (uint64_t)p->n * p->width;
}

static void place_structures(const struct coalesce_options *o, const struct lab_variant *v,
                             struct access_plan *p)
{
    const unsigned line = CACHE_LINE_BYTES / sizeof(float);
    p->fields = o->fields;
    p->used = read_fields(o);
    p->work = (unsigned)divide_up(p->n, p->used);
    p->pitch = (unsigned)divide_up(p->work, line) * line;
    p->offset = v->tag & ONE_FURTHER ? 1 : 0;
    p->bytes = ((uint64_t)p->work * p->fields + p->offset) * p->width;
    if (kind_of(v) == BY_FIELD)
        p->bytes = (uint64_t)p->pitch * p->used * p->width;
    if (kind_of(v) == BY_GROUP)
        p->bytes = (uint64_t)p->pitch * p->fields * p->width;
}

static struct access_plan plan_of(const struct coalesce_lab *m, const struct lab_variant *v)
{
    const struct coalesce_options *o = m->options;
    struct access_plan p = {.kind = kind_of(v),
                            .n = o->n,
                            .threads = o->lab.threads ? (unsigned)o->lab.threads : DEFAULT_THREADS,
                            .width = sizeof(float),
                            .seed = lab_seed(m->run.session, &o->lab)};
    if (is_structure(v))
        place_structures(o, v, &p);
    else
        place_elements(o, v, &p);
    p.blocks = (unsigned)divide_up(p.work, p.threads);
    return p;
}

static int check_plan(const struct access_plan *p, const struct device_props *props,
                      struct report *r)
{
    char bytes[NUM_TEXT], most[NUM_TEXT];
    if (threads_in_block(p->threads, props, r) || blocks_in_grid(p->blocks, props, r))
        return -1;
    if (p->bytes <= MOST_BYTES)
        return 0;
    return report_fail(r, "the elements lie in %s bytes, and at most %s are possible; take a "
                          "smaller -n or %s",
                       num_group((int64_t)p->bytes, bytes), num_group(MOST_BYTES, most),
                       p->fields ? "fewer --fields" : "--stride");
}

/* Options that a variant doesn't take are refused, where it is the only one to run. */
static int check_options(const struct coalesce_options *o, const struct lab_variant *v,
                         struct report *r)
{
    if (o->read_given && o->read > o->fields)
        return report_fail(r, "--read %u: a structure has %u fields; take at most %u, or more "
                              "--fields", o->read, o->fields, o->fields);
    if (!v)
        return 0;
    if ((o->stride_given || o->offset_given) && !(v->tag & OWN_STRIDE))
        return report_fail(r, "%s has its own stride and offset; --variant linear takes --stride "
                              "and --offset", v->name);
    if (o->width_given && kind_of(v) != BY_STRIDE)
        return report_fail(r, "%s reads floats; --variant linear takes --width", v->name);
    if ((o->fields_given || o->read_given) && !is_structure(v))
        return report_fail(r, "%s reads no structures; --variant aos takes --fields and --read",
                           v->name);
    return 0;
}

/* ---- what the facts say ----------------------------------------------------------------- */

/* "lane i reads x[2 i + 1]" */
static void describe(struct coalesce_lab *m)
{
    static const char *const shapes[] = {
        [BY_INDEX] = "lane i reads x[index[i]]",
        [BY_STRUCTURE] = "lane i reads structure i, field by field",
        [BY_FIELD] = "lane i reads element i of each field's array",
        [BY_GROUP] = "lane i reads element i of each field in its group of 32",
        [BY_FOURS] = "lane i reads structure i, four fields per load",
        [THROUGH_SHARED] = "a block loads its structures in order"};
    const struct access_plan *p = &m->plan;
    char stride[24] = "", offset[24] = "";
    if (p->kind != BY_STRIDE) {
        snprintf(m->shape, sizeof m->shape, "%s", shapes[p->kind]);
        return;
    }
    if (p->stride > 1)
        snprintf(stride, sizeof stride, "%u ", p->stride);
    if (p->offset)
        snprintf(offset, sizeof offset, " + %u", p->offset);
    if (p->stride)
        snprintf(m->shape, sizeof m->shape, "lane i reads x[%si%s]", stride, offset);
    else
        snprintf(m->shape, sizeof m->shape, "each lane reads x[%u]", p->offset);
}

/* The pattern of the first load, for the texts. */
static void find_pattern(struct coalesce_lab *m)
{
    const struct access_plan *p = &m->plan;
    uint64_t touched[TOUCHED_MOST];
    m->first = plan_request(p, m->index, 0, 0);
    m->first_sectors = request_touches(&m->first, SECTOR_BYTES, touched);
    m->first_lines = request_touches(&m->first, CACHE_LINE_BYTES, touched);
    m->first_lanes = (unsigned)__builtin_popcount(m->first.mask);
    m->strided = p->kind == BY_STRIDE;
    m->gather = p->kind == BY_INDEX;
    m->structures = !m->strided && !m->gather;
    m->staged = p->kind == THROUGH_SHARED;
    m->distance = (m->structures ? p->fields : p->stride) * p->width;
    m->shifted = p->offset * p->width % SECTOR_BYTES != 0;
    m->spills = p->used < p->fields;
    m->group_bytes = WARP_LANES * p->fields * p->width;
    m->y_bytes = (uint64_t)p->work * p->width;
    m->shared_bytes = plan_shared(p);
    m->loads = p->work ? plan_requests(p, 0) : 0;
}

static int find(void *self, const struct lab_variant *v)
{
    struct coalesce_lab *m = self;
    const struct lab_variant *of = v ? v : m->run.lab->variants;
    const struct counters *c = &m->run.got.counters;
    if (m->of != of) {
        m->plan = plan_of(m, of);
        if (check_plan(&m->plan, &m->run.session->device->props, m->run.report) ||
            (m->plan.kind == BY_INDEX && !m->index &&
             !(m->index = mem_alloc(&allocator_libc, m->plan.n * sizeof *m->index))))
            return m->run.report->status == REPORT_OK
                       ? report_fail_limit(m->run.report, "out of memory; a smaller n needs less") : -1;
        if (m->plan.kind == BY_INDEX)
            plan_shuffle(&m->plan, m->index);
        if (plan_add_up(&m->plan, m->index, &m->sums, m->run.session, m->run.report))
            return -1;
        find_pattern(m);
        describe(m);
        m->of = of;
    }
    m->sectors = m->run.got.has_counters && c->global_load_sectors
                     ? c->global_load_sectors - m->sums.index_sectors : m->sums.sectors;
    m->moved = m->sectors * SECTOR_BYTES;
    m->each = (double)m->sectors / (double)m->sums.requests;
    m->efficiency = (double)m->sums.needed / (double)m->moved;
    if (v && v->tag & OWN_STRIDE)
        m->run.why = m->plan.stride > 1  ? "linear-gaps"
                     : !m->plan.stride   ? "linear-same"
                     : m->shifted        ? "linear-shifted"
                                         : "linear";
    if (v && m->plan.kind == BY_STRIDE)
        m->run.kernel = (const char *const[]){"coalesce1", "coalesce2", "coalesce4", "coalesce8",
                                              "coalesce16"}[m->options->width];
    return 0;
}

static void put_first(struct json *j, const void *found)
{
    const struct coalesce_lab *m = found;
    json_object(j, "first");
    json_uint(j, "lanes", m->first_lanes);
    json_uint(j, "sectors", m->first_sectors);
    json_uint(j, "lines", m->first_lines);
    json_array(j, "bytes");
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (m->first.mask >> lane & 1)
            json_uint(j, NULL, m->first.at[lane]);
        else
            json_null(j, NULL);
    json_end_array(j);
    json_end_object(j);
}

static void draw_first(struct report *r, const void *found)
{
    const struct coalesce_lab *m = found;
    say_together(r, m->run.session);
    say(r, "\n");
    say_heading(r, r->plain ? "The first load of warp 0, by cache lines of four sectors."
                            : "the first load of warp 0: each character is a word of 4 bytes");
    access_draw(&m->first, r);
    if (!r->plain)
        say_wrapped(r, 0, "Lanes 0 to 31 are A-Z and a-f. A star is several lanes. A dot is not "
                          "read.");
}

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "n", FACT_AT(struct coalesce_lab, plan.n)},
    {.name = "blocks", FACT_AT(struct coalesce_lab, plan.blocks)},
    {.name = "threads", FACT_AT(struct coalesce_lab, plan.threads)},
    {.name = "width", FACT_AT(struct coalesce_lab, plan.width)},
    {.name = "stride", FACT_AT(struct coalesce_lab, plan.stride),
     WHEN(struct coalesce_lab, strided)},
    {.name = "offset", FACT_AT(struct coalesce_lab, plan.offset),
     WHEN(struct coalesce_lab, strided)},
    {.name = "fields", FACT_AT(struct coalesce_lab, plan.fields),
     WHEN(struct coalesce_lab, structures)},
    {.name = "read", FACT_AT(struct coalesce_lab, plan.used),
     WHEN(struct coalesce_lab, structures)},
    {.name = "score", FACT_AT(struct coalesce_lab, run.got.value), .as = AS_GROUP, .label = "check",
     .says = "{verdict}: {score} of {results} results are the same as in plain C"},
    {.name = "results", FACT_AT(struct coalesce_lab, run.got.expected), .as = AS_GROUP},
    {.put = put_first, .draw = draw_first},
    {.name = "requests", FACT_AT(struct coalesce_lab, sums.requests), .as = AS_GROUP},
    {.name = "sectors", FACT_AT(struct coalesce_lab, sectors), .as = AS_GROUP, .label = "sectors",
     .says = "{sectors} for {requests} requests: {sectors_per_request:%.4g} per request; the lab "
             "predicted {predicted:,}"},
    {.name = "predicted", FACT_AT(struct coalesce_lab, sums.sectors)},
    {.name = "sectors_per_request", FACT_AT(struct coalesce_lab, each)},
    {.name = "lines", FACT_AT(struct coalesce_lab, sums.lines)},
    {.name = "needed_bytes", FACT_AT(struct coalesce_lab, sums.needed), .as = AS_GROUP},
    {.name = "moved_bytes", FACT_AT(struct coalesce_lab, moved), .as = AS_GROUP},
    {.name = "efficiency", FACT_AT(struct coalesce_lab, efficiency), .as = AS_PERCENT,
     .label = "bytes",
     .says = "{needed_bytes} needed, {moved_bytes} moved: efficiency {efficiency} %"},
    {.label = "index", WHEN(struct coalesce_lab, gather),
     .says = "{index_sectors} more sectors for index[], in {index_requests} requests"},
    {.label = "shared", WHEN(struct coalesce_lab, staged),
     .says = "{shared_load_requests:%.0f} loads from shared memory, with "
             "{shared_load_conflicts:%.0f} bank conflicts"},
    FACT_OK,
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct coalesce_lab, shape)},
    {.name = "results_n", FACT_AT(struct coalesce_lab, plan.work), .as = AS_GROUP},
    {.name = "index_sectors", FACT_AT(struct coalesce_lab, sums.index_sectors), .as = AS_GROUP},
    {.name = "index_requests", FACT_AT(struct coalesce_lab, sums.index_requests), .as = AS_GROUP},
    {.name = "x_bytes", FACT_AT(struct coalesce_lab, plan.bytes)},
    {.name = "y_bytes", FACT_AT(struct coalesce_lab, y_bytes)},
    {.name = "shared_bytes", FACT_AT(struct coalesce_lab, shared_bytes)},
    {FACT(struct coalesce_lab, first_lanes)},
    {FACT(struct coalesce_lab, first_sectors)},
    {FACT(struct coalesce_lab, first_lines)},
    {FACT(struct coalesce_lab, distance), .as = AS_GROUP},
    {FACT(struct coalesce_lab, group_bytes), .as = AS_GROUP},
    {FACT(struct coalesce_lab, loads)},
    {FACT(struct coalesce_lab, structures)},
    {FACT(struct coalesce_lab, spills)},
    {.name = "together_n", FACT_AT(struct coalesce_lab, plan.n), .as = AS_GROUP},
    {.name = NULL},
};

/* ---- the ladder ------------------------------------------------------------------------- */

/* Does this block have room for the structures, and do they suit loads of four floats? */
static bool lacks(const struct coalesce_lab *m, const struct device_props *p, struct attempt *got)
{
    const struct access_plan *plan = &m->plan;
    uint64_t most = p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
    if (plan->kind == BY_FOURS && plan->fields % 4)
        snprintf(got->not_run, sizeof got->not_run,
                 "a float4 load needs structures of 4, 8, 12 or more fields, not %u",
                 plan->fields);
    else if (most && plan_shared(plan) > most)
        snprintf(got->not_run, sizeof got->not_run,
                 "%u structures of %u fields do not fit in a block's shared memory; take fewer "
                 "--threads or --fields",
                 plan->threads, plan->fields);
    return got->not_run[0] != '\0';
}

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    struct coalesce_lab *m = self;
    if (lacks(m, &how->session->device->props, got))
        return 0;
    return access_run(how, &m->plan, m->run.kernel, m->index, &m->sums, got);
}

static const struct ladder_column columns[] = {
    {"sectors", offsetof(struct counters, global_load_sectors)},
    {"requests", offsetof(struct counters, global_load_requests)},
    {"shared loads", offsetof(struct counters, shared_load_requests)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "score",
    .kind = VALUE_INT,
    .order = "most sectors first; every variant needs the same number of elements",
    .columns = columns,
    .head = "{variant}: {shape}; {results_n thread}, "
            "{structures?structures of {fields field}, {read} read|{width byte} per element}",
    .head_of_all = "{together_n} elements read from global memory in different ways",
    .beside_head = "efficiency",
    .beside = "{efficiency} %",
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"linear", "coalesce4", "neighbouring lanes read neighbouring elements",
     .tag = BY_STRIDE | OWN_STRIDE},
    {"misaligned", "coalesce4", "the same, shifted by one element", .tag = BY_STRIDE | ONE_FURTHER},
    {"strided", "coalesce4", "a sector for each lane", .tag = BY_STRIDE | APART},
    {"broadcast", "coalesce4", "all lanes read the same element",
     .tag = BY_STRIDE | ALL_THE_SAME},
    {"random", "coalesce_random", "a gather: elements in random order, and their index",
     .tag = BY_INDEX},
    {"aos", "coalesce_aos", "an array of structures, field by field", .tag = BY_STRUCTURE},
    {"soa", "coalesce_soa", "a structure of arrays: each field in its own array", .tag = BY_FIELD},
    {"aosoa", "coalesce_aosoa", "groups of 32 structures, each field in its own part",
     .tag = BY_GROUP},
    {"vector", "coalesce_vector", "the structures of aos, four fields per load", .tag = BY_FOURS},
    {"staged", "coalesce_staged", "the structures of aos, by way of shared memory",
     .tag = THROUGH_SHARED},
    {"nobarrier", "coalesce_nobarrier", "staged without its barrier", "staged",
     "race-shared uninitialized", THROUGH_SHARED},
    {"unaligned", "coalesce_vector", "float4 loads that begin one float too late", "vector",
     "misaligned", BY_FOURS | ONE_FURTHER},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct coalesce_options, n), .value = "N", .type = ARG_INT, .lo = 1, .hi = 1 << 24,
     .initial = "1024", .help = "the number of elements that the threads read in all"},
    {OPTION(struct coalesce_options, stride), GIVEN(struct coalesce_options, stride),
     .type = ARG_INT, .lo = 0, .hi = 65536, .initial = "1",
     .help = "the distance between the elements of two neighbouring lanes (linear)"},
    {OPTION(struct coalesce_options, offset), GIVEN(struct coalesce_options, offset),
     .type = ARG_INT, .lo = 0, .hi = 1 << 20, .initial = "0",
     .help = "the element of lane 0 (linear)"},
    {OPTION(struct coalesce_options, width), GIVEN(struct coalesce_options, width),
     .type = ARG_CHOICE, .choices = widths, .initial = "4",
     .help = "bytes of an element (linear, misaligned, strided, broadcast)"},
    {OPTION(struct coalesce_options, fields), GIVEN(struct coalesce_options, fields),
     .type = ARG_INT, .lo = 1, .hi = FIELDS_MOST, .initial = "4",
     .help = "floats in a structure (aos, soa, aosoa, vector, staged)"},
    {OPTION(struct coalesce_options, read), GIVEN(struct coalesce_options, read), .value = "K",
     .type = ARG_INT, .lo = 1, .hi = FIELDS_MOST,
     .help = "the fields that a thread reads, from the first; if not given, all of them"},
    {0},
};

static const struct lab lab = {
    .module = "coalesce",
    .takes = TAKES_LADDER | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct coalesce_options *o = given;
    struct coalesce_lab m = {.run = {s, r, &o->lab, &lab}, .options = o};
    if (check_options(o, lab_variant_named(&lab, o->lab.variant), r))
        return -1;
    int failed = ladder_run(&ladder, &m.run);
    mem_free(&allocator_libc, m.index, o->n * sizeof *m.index);
    return failed;
}

const struct command lab_coalesce = {
    LAB_COMMAND(struct coalesce_options),
    .name = "coalesce",
    .summary = "coalescing: which sectors of global memory are moved for a warp",
    .options = options,
};
