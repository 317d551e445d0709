/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The programs of hostmem, run and told; see work.h.
 */
#include "labs/hostmem/work.h"

#include "labkit/shape.h"
#include "screen/picture.h"

#include <stdio.h>
#include <string.h>

static int find(void *self, const struct lab_variant *);
static const struct schedule as_set = {.name = NULL};
enum { X, Z };

/* ---- programs ----------------------------------------------------------------------------- */

struct hostmem_program {
    enum host_memory memory;
    uint32_t stream;  /* 0: copies that the host waits for */
    bool two, ahead, waits;
};

static struct hostmem_program program_of(int tag)
{
    return (struct hostmem_program){(enum host_memory)(tag & HOSTMEM_MEMORY),
                            tag & HOSTMEM_ASYNC ? 1 : 0, (tag & HOSTMEM_TWO) != 0,
                            (tag & HOSTMEM_ASYNC) != 0, !(tag & HOSTMEM_HASTY)};
}

static struct stream_op op_of(const struct hostmem *w, enum stream_op_kind kind,
                              const struct hostmem_program *p, uint32_t array)
{
    return (struct stream_op){.kind = kind, .stream = p->stream, .array = array,
                              .waits = p->stream == 0 && kind <= STREAM_COPY_OUT,
                              .count = (uint64_t)w->n, .blocks = w->blocks, .reads = 1u << X,
                              .writes = 1u << Z};
}

/* Where a batch lies in the buffers of both sides. */
static uint64_t place_of(const struct hostmem *w, const struct hostmem_program *p, int batch)
{
    return p->two && batch % 2 ? (uint64_t)w->n : 0;
}

static void write_batch(struct hostmem *w, struct streams *s, const struct hostmem_program *p,
                        int batch)
{
    struct stream_op o = op_of(w, HOST_WRITES, p, X);
    o.from = (uint64_t)batch * (uint64_t)w->n;
    o.first = place_of(w, p, batch);
    if (batch < w->batches)
        streams_add(s, o);
}

/* From the host's data to the host's result. With `ahead` the host writes the next batch while the
 * device works. */
static void add_batch(struct hostmem *w, struct streams *s, const struct hostmem_program *p,
                      int batch)
{
    struct stream_op in = op_of(w, STREAM_COPY_IN, p, X), kernel = op_of(w, STREAM_KERNEL, p, X);
    struct stream_op out = op_of(w, STREAM_COPY_OUT, p, Z), reads = op_of(w, HOST_READS, p, Z);
    in.first = kernel.first = out.first = reads.first = place_of(w, p, batch);
    reads.from = (uint64_t)batch * (uint64_t)w->n;
    if (!p->ahead || batch == 0)
        write_batch(w, s, p, batch);
    if (p->memory != BUFFER_MAPPED)
        streams_add(s, in);
    streams_add(s, kernel);
    if (p->memory != BUFFER_MAPPED)
        streams_add(s, out);
    if (p->ahead)
        write_batch(w, s, p, batch + 1);
    if (p->waits && p->stream)
        streams_add(s, op_of(w, HOST_WAITS_STREAM, p, X));
    else if (p->waits && p->memory == BUFFER_MAPPED)
        streams_add(s, op_of(w, HOST_WAITS_ALL, p, X));
    streams_add(s, reads);
}

static void build(struct hostmem *w, struct streams *s, const struct hostmem_program *p)
{
    const uint64_t n = (uint64_t)w->n, size = p->two ? 2 * n : n, total = n * (uint64_t)w->batches;
    streams_free(s);
    streams_array(s, "x", p->memory, size, w->x, total);
    streams_array(s, "z", p->memory, size, w->z, total);
    for (int batch = 0; batch < w->batches; batch++)
        add_batch(w, s, p, batch);
}

/* The notes' program: copies of one direction, and a kernel that stores each element once. */
static void build_notes(struct hostmem *w, struct streams *s, enum host_memory memory, bool in)
{
    const struct hostmem_program p = {.memory = memory, .waits = true};
    struct stream_op copy = op_of(w, in ? STREAM_COPY_IN : STREAM_COPY_OUT, &p, X);
    struct stream_op kernel = op_of(w, STREAM_KERNEL, &p, X);
    kernel.reads = 0;
    kernel.writes = 1u << X;
    streams_free(s);
    streams_array(s, "a", memory, (uint64_t)w->n, w->x, (uint64_t)w->n);
    for (int batch = 0; batch < w->batches; batch++) {
        if (in && memory != BUFFER_MAPPED)
            streams_add(s, copy);
        streams_add(s, kernel);
        if (!in && memory != BUFFER_MAPPED)
            streams_add(s, copy);
    }
    if (memory == BUFFER_MAPPED)
        streams_add(s, op_of(w, HOST_WAITS_ALL, &p, X));
}

/* ---- times -------------------------------------------------------------------------------- */

/* Of one batch on average: all that lies between the host's writing and its reading. */
static double batch_us(const struct hostmem *w, const struct streams *s)
{
    uint64_t sum = 0, from = 0;
    bool open = false;
    for (uint32_t i = 0; i < s->plan.count; i++) {
        const struct stream_op *o = &s->ops[i];
        if (o->kind == HOST_READS && open)
            sum += s->spans[i].called > from ? s->spans[i].called - from : 0;
        if (o->kind == HOST_READS)
            open = false;
        else if (o->kind != HOST_WRITES && !open) {
            from = s->spans[i].called;
            open = true;
        }
    }
    return (double)sum / 1e6 / w->batches;
}

static struct streams_kernel kernel_of(const struct hostmem *w, const char *name,
                                       const struct param *params)
{
    return (struct streams_kernel){
        .launch = {.module = "hostmem", .kernel = name, .block = {w->threads}},
        .params = params};
}

/* One figure of the table: modelled, or measured on a GPU. -1: the report says why. */
static int time_program(struct hostmem *w, struct streams *s, struct streams_kernel *k,
                        bool whole, double *us)
{
    struct session *session = w->run.session;
    struct report *r = w->run.report;
    const struct trial t = {.session = session, .report = r, .variant = w->run.lab->variants,
                            .schedule = &as_set, .quiet = true};
    struct attempt got = {0};
    const struct device_props *p = &session->device->props;
    if (streams_count(k, s, &t))
        return -1;
    streams_time_kernels(s, k, &w->machine, p);
    int failed = w->rows_measured ? streams_run(s, k, &w->machine, &t, &got)
                                  : streams_lay_out(s, &w->machine, 0, r);
    if (failed)
        return -1;
    if (got.not_run[0])
        return report_fail(r, "the kinds of memory can't be compared: %s", got.not_run);
    *us = whole ? streams_us(s) / w->batches : batch_us(w, s);
    return 0;
}

static int time_kind(struct hostmem *w, enum host_memory memory, struct hostmem_row *row)
{
    struct streams s = {.room = 0};
    const struct hostmem_program p = {.memory = memory, .waits = true};
    const struct param *set = PARAMS((uint64_t)0, w->n, 7u);
    struct streams_kernel notes = kernel_of(w, "hostmem_set", set);
    double *const us[] = {&row->to_gpu, &row->from_gpu, &row->once, &row->passes};
    int failed = 0;
    for (int i = 0; i < 4 && !failed; i++) {
        const struct param *work = PARAMS((uint64_t)0, (uint64_t)0, w->n, i == 2 ? 1 : w->passes);
        struct streams_kernel k = kernel_of(w, "hostmem_work", work);
        if (i < 2)
            build_notes(w, &s, memory, i == 0);
        else
            build(w, &s, &p);
        failed = time_program(w, &s, i < 2 ? &notes : &k, i < 2, us[i]);
    }
    streams_free(&s);
    return failed;
}

int hostmem_compare(struct hostmem *w)
{
    const struct device_props *p = &w->run.session->device->props;
    static const char *const kinds[HOSTMEM_KINDS] = {"pageable", "pinned", "mapped"};
    if (p->can_map_host == 0)
        return 0;
    w->rows_measured = session_on_gpu(w->run.session) && w->run.report->volatile_on;
    if (find(w, NULL))
        return -1;
    for (int k = 0; k < HOSTMEM_KINDS; k++) {
        w->rows[k].memory = kinds[k];
        if (time_kind(w, (enum host_memory)k, &w->rows[k]))
            return -1;
    }
    w->has_rows = true;
    return 0;
}

/* ---- one run ------------------------------------------------------------------------------ */

static uint32_t worked(uint32_t x, int passes)
{
    uint32_t v = 0;
    for (int p = 0; p < passes; p++)
        v = 3 * v + x;
    return v;
}

static void judge(struct hostmem *w, struct attempt *got)
{
    const size_t total = (size_t)w->n * (size_t)w->batches;
    got->value = 0;
    got->expected = (double)total;
    for (size_t i = 0; i < total; i++)
        got->value += w->z[i] == worked(w->x[i], w->passes);
    got->right = got->value == got->expected;
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct hostmem *w = self;
    const struct hostmem_program p = program_of(t->variant->tag);
    const struct device_props *props = &t->session->device->props;
    if (p.memory == BUFFER_MAPPED && props->can_map_host == 0) {
        snprintf(got->not_run, sizeof got->not_run, "this device can't map memory of the host");
        return 0;
    }
    if (p.ahead && w->batches < 2) {
        snprintf(got->not_run, sizeof got->not_run,
                 "it writes the next batch ahead; take at least --batches 2");
        return 0;
    }
    const struct param *params = PARAMS((uint64_t)0, (uint64_t)0, w->n, w->passes);
    struct streams_kernel k = kernel_of(w, t->variant->kernel, params);
    const size_t bytes = (size_t)w->n * (size_t)w->batches * sizeof *w->z;
    memset(w->z, 0xff, bytes);
    build(w, &w->streams, &p);
    if (streams_count(&k, &w->streams, t))
        return -1;
    streams_time_kernels(&w->streams, &k, &w->machine, props);
    w->kernel = k;
    w->kernel.params = NULL; /* it was a local */
    if (streams_run(&w->streams, &k, &w->machine, t, got))
        return -1;
    judge(w, got);
    w->us = batch_us(w, &w->streams);
    w->whole_us = streams_us(&w->streams);
    return 0;
}

/* ---- what there is to say ------------------------------------------------------------------ */

static const struct fact row_facts[] = {
    {FACT(struct hostmem_row, memory), .head = "host memory"},
    {.name = "notes_to_gpu_us", FACT_AT(struct hostmem_row, to_gpu), .head = "notes: in",
     .format = "%.2f", .right = true, .tells = "as in the notes, to the device: % us"},
    {.name = "notes_from_gpu_us", FACT_AT(struct hostmem_row, from_gpu), .head = "out",
     .format = "%.2f", .right = true, .tells = "and from it: % us"},
    {.name = "once_us", FACT_AT(struct hostmem_row, once), .head = "fair: 1 pass",
     .format = "%.2f", .right = true, .tells = "fair, with 1 pass: % us"},
    {.name = "passes_us", FACT_AT(struct hostmem_row, passes), .head = "all passes",
     .format = "%.2f", .right = true, .tells = "with all passes: % us"},
    {.name = NULL},
};

static void draw_rows(struct report *r, const void *found)
{
    const struct hostmem *w = found;
    say(r, "\n");
    say_heading(r, "one batch, in us, %s:", w->rows_measured ? "measured" : "modelled");
    facts_say_rows(row_facts, w->rows, HOSTMEM_KINDS, sizeof w->rows[0], 2, r);
}

static void put_rows(struct json *j, const void *found)
{
    const struct hostmem *w = found;
    facts_json_rows(row_facts, w->rows_measured ? "measured_table" : "modelled_table", w->rows,
                    HOSTMEM_KINDS, sizeof w->rows[0], j);
}

static void draw_time(struct report *r, const void *found)
{
    const struct hostmem *w = found;
    say(r, "\n");
    say_streams(&w->streams, r);
}

static void put_time(struct json *j, const void *found)
{
    const struct hostmem *w = found;
    put_streams(&w->streams, j);
}

static const struct fact task[] = {
    {FACT(struct hostmem, n), .as = AS_GROUP},
    {FACT(struct hostmem, batches)},
    {FACT(struct hostmem, passes)},
    {FACT(struct hostmem, bytes), .as = AS_GROUP},
    {.draw = draw_rows, .put = put_rows, WHEN(struct hostmem, all_rows)},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "score", FACT_AT(struct hostmem, run.got.value), .as = AS_GROUP, .label = "check",
     .says = "{verdict}: {score} of {all} results are the same as in plain C"},
    FACT_OK,
    {FACT(struct hostmem, memory)},
    {FACT(struct hostmem, blocks)},
    {FACT(struct hostmem, threads)},
    {FACT(struct hostmem, copied_in), .as = AS_GROUP},
    {.label = "copied", WHEN(struct hostmem, copied_in),
     .says = "{copied_in} bytes in, {copied_out} bytes out{staged?; the CPU copies {staged} "
             "more|}"},
    {FACT(struct hostmem, copied_out), .as = AS_GROUP},
    {FACT(struct hostmem, staged), .as = AS_GROUP},
    {FACT(struct hostmem, reached_in), .as = AS_GROUP, WHEN(struct hostmem, reached_in),
     .label = "reached",
     .says = "the kernel reads {reached_in} bytes over the link, and writes {reached_out}"},
    {FACT(struct hostmem, reached_out), .as = AS_GROUP, WHEN(struct hostmem, reached_out)},
    {.name = "races", FACT_AT(struct hostmem, streams.races)},
    {.label = "order", WHEN(struct hostmem, raced), .says = "nothing makes {race}"},
    {.name = "batch_us", FACT_AT(struct hostmem, us), .format = "%.2f",
     WHEN(struct hostmem, has_time), .label = "a batch",
     .says = "{batch_us} us {modelled?modelled; {link_assumed?assumed link|link} {link:%.4g} GB/s, "
             "assumed CPU {host_rate:%.4g} GB/s, call {call:%.4g} us|measured}"},
    {.name = "whole_us", FACT_AT(struct hostmem, whole_us), .format = "%.2f",
     WHEN(struct hostmem, has_time)},
    {FACT(struct hostmem, modelled)},
    {.draw = draw_time, .put = put_time, WHEN(struct hostmem, has_time)},
    {.draw = draw_rows, .put = put_rows, WHEN(struct hostmem, has_rows)},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {.name = "all", FACT_AT(struct hostmem, run.got.expected), .as = AS_GROUP},
    {.name = "link", FACT_AT(struct hostmem, machine.link_gb_s)},
    {.name = "link_assumed", FACT_AT(struct hostmem, machine.link_assumed)},
    {.name = "host_rate", FACT_AT(struct hostmem, machine.host_gb_s)},
    {.name = "call", FACT_AT(struct hostmem, machine.call_us)},
    {FACT(struct hostmem, how)},
    {FACT(struct hostmem, race)},
    {FACT(struct hostmem, shown)},
    {FACT(struct hostmem, mapped)},
    {FACT(struct hostmem, pageable)},
    {.name = NULL},
};

static bool show(void *self, const struct lab_variant *v, const struct launch_result *traced)
{
    struct hostmem *w = self;
    (void)traced;
    if (!v->mended_by)
        return false;
    say(w->run.report, "\n");
    say_item(w->run.report, "order", "nothing makes %s", w->race);
    draw_time(w->run.report, w);
    return true;
}

static void find_bytes(struct hostmem *w, const struct hostmem_program *p)
{
    enum { SECTOR = 32 };
    const struct counters *c = &w->run.got.counters;
    const uint64_t all = w->bytes * (uint64_t)w->batches;
    w->mapped = p->memory == BUFFER_MAPPED;
    w->pageable = p->memory == BUFFER_PAGEABLE;
    w->copied_in = w->copied_out = w->mapped ? 0 : all;
    w->staged = w->pageable ? 2 * all : 0;
    w->reached_in = w->mapped && w->run.got.has_counters ? c->global_load_sectors * SECTOR : 0;
    w->reached_out = w->mapped && w->run.got.has_counters ? c->global_store_sectors * SECTOR : 0;
}

static int find(void *self, const struct lab_variant *given)
{
    static const char *const memories[] = {"pageable", "pinned", "mapped"};
    static const char *const hows[] = {"malloc", "cudaMallocHost", "cudaHostAlloc"};
    struct hostmem *w = self;
    const struct lab_variant *v = given ? given : w->run.lab->variants;
    const struct hostmem_program p = program_of(v->tag);
    const struct device_props *props = &w->run.session->device->props;
    w->all_rows = !given && w->has_rows;
    w->memory = memories[p.memory];
    w->how = hows[p.memory];
    w->in_stream = p.stream != 0;
    w->two = p.two;
    w->bytes = (uint64_t)w->n * sizeof *w->x;
    w->threads = w->options->lab.threads ? (unsigned)w->options->lab.threads : 256;
    w->blocks = shape_blocks((uint64_t)w->n, w->threads, false, props);
    w->has_time = w->run.got.launches > 0;
    w->modelled = !w->streams.measured;
    find_bytes(w, &p);
    w->raced = streams_find_race(&w->streams, w->race, sizeof w->race);
    w->shown[0] = '\0';
    if (w->run.got.launches)
        snprintf(w->shown, sizeof w->shown, "%.2f", (double)w->run.got.cost / 1e6);
    const struct launch_shape shape = {w->blocks, w->threads};
    return shape_fits(shape, w->n, false, props, w->run.report);
}

/* ---- calls --------------------------------------------------------------------------------- */

/* The calls before the first batch, one line each; the list's own numbers begin behind them. */
static unsigned put_prologue(const struct hostmem *w, const struct hostmem_program *p,
                             struct buf *out)
{
    const unsigned long long bytes = w->bytes * (p->two ? 2 : 1);
    unsigned calls = 0;
    for (int i = 0; i < 2; i++) {
        const char array = i ? 'z' : 'x';
        calls += 2;
        if (p->memory == BUFFER_PAGEABLE)
            buf_printf(out, "h%c = malloc(%llu)\n"
                            "  waits: pageable memory: the system may move it\n", array, bytes);
        else if (p->memory == BUFFER_PINNED)
            buf_printf(out, "cudaMallocHost(&h%c, %llu)\n"
                            "  waits: pinned memory: the system can't move it\n", array, bytes);
        else
            buf_printf(out, "cudaHostAlloc(&h%c, %llu, cudaHostAllocMapped)\n"
                            "  waits: pinned memory that kernels can reach\n", array, bytes);
        if (p->memory == BUFFER_MAPPED)
            buf_printf(out, "cudaHostGetDevicePointer(&d%c, h%c, 0)\n"
                            "  waits: d%c is the device's address of the same bytes\n", array,
                       array, array);
        else
            buf_printf(out, "cudaMalloc(&d%c, %llu)\n  waits: the host waits for the address\n",
                       array, bytes);
    }
    if (p->stream) {
        buf_puts(out, "cudaStreamCreate(&s1)\n  waits: the host waits for the stream\n");
        calls++;
    }
    return calls;
}

static int calls(void *self, const struct lab_variant *v, struct buf *out)
{
    struct hostmem *w = self;
    const struct hostmem_program p = program_of(v->tag);
    const struct param *params = PARAMS((uint64_t)0, (uint64_t)0, w->n, w->passes);
    const struct streams_kernel k = kernel_of(w, v->kernel, params);
    build(w, &w->streams, &p);
    if (streams_lay_out(&w->streams, &w->machine, 0, w->run.report))
        return -1;
    streams_calls(&w->streams, &k, put_prologue(w, &p, out), out);
    return 0;
}

void hostmem_close(struct hostmem *w)
{
    streams_free(&w->streams);
}

/* ---- the ladder ---------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"load sectors", offsetof(struct counters, global_load_sectors)},
    {"store sectors", offsetof(struct counters, global_store_sectors)},
    {0},
};

const struct ladder hostmem_ladder = {
    .value = "score",
    .kind = VALUE_INT,
    .order = "The slowest first, by the modelled time of all batches.",
    .columns = columns,
    .head = "{variant}: n = {n}, {batches} batches, each element read {passes time}",
    .head_of_all = "host memory: n = {n}, {batches} batches, each element read {passes time}",
    .beside_head = "model us",
    .beside = "{shown}",
    .own_times = true,
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
    .show = show,
    .calls = calls,
};
