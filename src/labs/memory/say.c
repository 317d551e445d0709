/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the memory lab shows: whether the results are right, which memories the counters saw, and
 * for each variant the picture that belongs to it.
 */
#include "labs/memory/say.h"

#include "labs/memory/work.h"
#include "labkit/lab.h"
#include "labkit/memories.h"
#include <stdio.h>
#include <string.h>

enum { USUAL_SHARED = 64 * 1024 };

/* ---- opening ---------------------------------------------------------------------------- */

int memory_open(struct memory_lab *m, struct session *s, const struct args *args,
                const struct lab_variant *variants, struct report *r)
{
    const struct device_props *p = &s->device->props;
    uint64_t most = p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
    uint64_t usual = most && most < USUAL_SHARED ? most : USUAL_SHARED;
    *m = (struct memory_lab){.session = s, .args = args, .report = r, .variants = variants};
    m->size = (struct memory_size){
        .blocks = arg_given(args, "blocks") ? (unsigned)arg_int(args, "blocks") : 1,
        .threads = arg_given(args, "threads") ? (unsigned)arg_int(args, "threads") : 128,
        .keys = (unsigned)arg_int(args, "keys"),
        .terms = (unsigned)arg_int(args, "terms"),
        .launches = (unsigned)arg_int(args, "launches"),
        .shared_bytes = arg_given(args, "shared") ? (uint64_t)arg_int(args, "shared") : usual};
    if (m->size.shared_bytes % sizeof(int) == 0)
        return 0;
    return report_fail(r,
                       "--shared %llu: the kernel fills words of 4 bytes, so it must be a "
                       "multiple of 4, for example %llu",
                       (unsigned long long)m->size.shared_bytes,
                       (unsigned long long)(m->size.shared_bytes / 4 * 4 + 4));
}

/* ---- pieces of a screen ----------------------------------------------------------------- */

static void say_job(struct memory_lab *m, const struct lab_variant *v)
{
    char line[160], keys[NUM_TEXT];
    const struct memory_size *s = &m->size;
    int n = snprintf(line, sizeof line, "%s: %u x %u threads", v->name, s->blocks, s->threads);
    char *more = line + n;
    size_t room = sizeof line - (size_t)n;
    switch (v->tag & MEMORY_JOB) {
    case THROUGH_SYMBOLS:
        snprintf(more, room, ", %u terms, launches: %u", s->terms, s->launches);
        break;
    case FILL_BINS:
        snprintf(more, room, ", %s keys each into 16 bins", num_group(s->keys, keys));
        break;
    case FILL_SHARED:
        snprintf(more, room, ", %s bytes of shared memory a block",
                 num_group((int64_t)s->shared_bytes, keys));
        break;
    default: snprintf(more, room, " read each memory once");
    }
    say_head(m->report, m->session, line);
}

static void say_check(struct memory_lab *m, const struct attempt *got)
{
    struct buf check;
    char right[NUM_TEXT], all[NUM_TEXT];
    buf_init(&check);
    paint(m->report, &check, got->right ? INK_GOOD : INK_BAD, got->right ? "right" : "WRONG", 5);
    buf_printf(&check, ": %s of %s results are those of plain C",
               num_group((int64_t)got->value, right),
               num_group((int64_t)got->expected, all));
    say_item_text(m->report, "check", &check);
}

static void put(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct memory_lab *m = self;
    struct json *j = &m->report->result;
    const struct memory_size *s = &m->size;
    if (!v)
        return;
    json_text(j, "variant", v->name);
    json_uint(j, "blocks", s->blocks);
    json_uint(j, "threads", s->threads);
    json_uint(j, "right", (uint64_t)got->value);
    json_uint(j, "results", (uint64_t)got->expected);
    json_uint(j, "local_loads_predicted", memory_local_loads(v, s));
    if (memory_shared(v, s))
        json_uint(j, "shared_bytes", memory_shared(v, s));
    json_bool(j, "ok", attempt_ok(got));
}

/* ---- each variant's own picture --------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"local ld", offsetof(struct counters, local_load_requests)},
    {"shared ld", offsetof(struct counters, shared_load_requests)},
    {"global ld", offsetof(struct counters, global_load_requests)},
    {"const ld", offsetof(struct counters, constant_load_requests)},
    {"warp ins", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static void put_bins(struct memory_lab *m, const struct lab_variant *v, bool shown,
                     const struct counters *c, struct table *t)
{
    struct json *j = &m->report->result;
    table_cell(t, "%s%s", v->name, shown ? " *" : "");
    json_object(j, NULL);
    json_text(j, "variant", v->name);
    static const char *const names[] = {"local_load_requests", "local_store_requests",
                                        "shared_load_requests", "shared_store_requests",
                                        "warp_instructions"};
    const uint64_t counts[] = {c->local_load_requests, c->local_store_requests,
                               c->shared_load_requests, c->shared_store_requests,
                               c->warp_instructions};
    for (int i = 0; i < 5; i++) {
        table_cell(t, "%llu", (unsigned long long)counts[i]);
        json_uint(j, names[i], counts[i]);
    }
    json_end_object(j);
}

/* The same bins in each of the places for them, side by side. */
static void say_places(struct memory_lab *m, const struct lab_variant *shown,
                       const struct attempt *own)
{
    const struct schedule as_set = {.name = NULL};
    static const struct table_column heads[] = {
        {.head = "bins in"},
        {.head = "local ld", .right = true},
        {.head = "local st", .right = true},
        {.head = "shared ld", .right = true},
        {.head = "shared st", .right = true},
        {.head = "warp ins", .right = true, .gives_way = 1}};
    struct table t;
    int failed = 0;
    table_begin(&t, heads, sizeof heads / sizeof heads[0], 2);
    json_array(&m->report->result, "places");
    for (const struct lab_variant *v = m->variants; v->name && !failed; v++) {
        struct attempt other = {0};
        const struct trial how = {.session = m->session, .report = m->report, .variant = v,
                                  .schedule = &as_set, .quiet = true};
        unsigned ignored;
        if ((v->tag & MEMORY_JOB) != FILL_BINS || v->mended_by)
            continue;
        if (v != shown && memory_shared(v, &m->size) > m->session->device->props.shared_per_block)
            continue; /* a card may not have as much */
        failed = v != shown && memory_run(&how, &m->size, &other, &ignored);
        if (!failed)
            put_bins(m, v, v == shown, v == shown ? &own->counters : &other.counters, &t);
    }
    json_end_array(&m->report->result);
    say(m->report, "\n");
    say_table(m->report, &t);
}

static void say_carveout(struct memory_lab *m)
{
    struct report *r = m->report;
    const struct device_props *p = &m->session->device->props;
    const uint64_t asked = m->size.shared_bytes, free = p->shared_per_block;
    const struct capability *d = division_of(p);
    int64_t blocks = division_blocks(p, p->shared_per_sm, asked);
    char sm[NUM_TEXT], own[NUM_TEXT], block[NUM_TEXT];
    if (asked > free)
        say_item(r, "opted in", "%s come by themselves; for more a program asks first",
                 num_bytes(free, own));
    if (p->shared_per_sm)
        say_item(r, "fit an SM", "%lld    %s / (%s%s)", (long long)blocks,
                 num_bytes(p->shared_per_sm, sm), num_bytes(asked, block),
                 p->shared_reserved ? " + 1 KB that each block costs" : "");
    json_bool(&r->result, "opted_in", asked > free);
    json_uint(&r->result, "reserved_per_block", p->shared_reserved);
    if (p->shared_per_sm)
        json_int(&r->result, "blocks_per_sm", blocks);
    if (d && d->l1_and_shared_kb)
        say_item(r, "an SM has", "%d KB for shared memory and L1, divided in one of these ways",
                 d->l1_and_shared_kb);
    if (d)
        say_divisions(r, p, asked);
}

static void say_symbols(struct memory_lab *m, const struct attempt *got)
{
    struct report *r = m->report;
    char loads[NUM_TEXT];
    say_item(r, "to", "coefficient, %u bytes    where, 8 bytes    launches, 4 bytes",
             m->size.terms * 4);
    say_item(r, "from", "launches = %u    nobody set it again between the launches",
             m->launched);
    uint64_t requests = got->counters.constant_load_requests;
    if (got->has_counters)
        say_item(r, "constant", "%s loads a launch, each of one word for a whole warp",
                 num_group((int64_t)(requests / m->size.launches), loads));
    json_uint(&r->result, "terms", m->size.terms);
    json_uint(&r->result, "launches", m->launched);
}

static void tell(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct memory_lab *m = self;
    say_check(m, got);
    switch (v->tag & MEMORY_JOB) {
    case TOUCH_EACH:
        say(m->report, "\n");
        say_memories(m->report, &m->session->device->props,
                     got->has_counters ? &got->counters : NULL);
        json_table_6_7(m->report);
        break;
    case THROUGH_SYMBOLS: say_symbols(m, got); break;
    case FILL_BINS: say_places(m, v, got); break;
    default: say_carveout(m);
    }
}

/* ---- why -------------------------------------------------------------------------------- */

static void slots_of(void *self, const struct lab_variant *v, const struct attempt *got,
                     struct slots *s)
{
    struct memory_lab *m = self;
    char text[NUM_TEXT];
    const struct memory_size *z = &m->size;
    const struct device_props *p = &m->session->device->props;
    const struct device_props old = card_props(card_named("quadro600"));
    const struct device_props titan = card_props(card_named("titanx"));
    unsigned warps = z->blocks * ((z->threads + 31) / 32);
    slot(s, "keys", "%u", z->keys);
    if (!v || !got)
        return;
    slot(s, "threads", "%u", z->threads);
    slot(s, "warps", "%u", warps);
    slot(s, "terms", "%u", z->terms);
    slot(s, "launches", "%u", m->launched);
    slot(s, "registers", "%d", p->registers_per_thread);
    slot(s, "bytes", "%s", num_group(4 * p->registers_per_thread, text));
    slot(s, "old", "%d", 4 * old.registers_per_thread);
    slot(s, "titan", "%s", num_group(4 * titan.registers_per_thread, text));
    slot(s, "local", "%llu", (unsigned long long)got->counters.local_load_requests);
    slot(s, "shared", "%llu", (unsigned long long)got->counters.shared_load_requests);
    slot(s, "constant", "%llu", (unsigned long long)got->counters.constant_load_requests);
    slot(s, "each", "%u", z->keys + MEMORY_BINS);
    slot(s, "asked", "%s", num_bytes(z->shared_bytes, text));
    slot(s, "most", "%s", num_bytes(p->shared_per_sm, text));
    slot(s, "one", "%s", num_bytes(p->shared_per_block_optin, text));
    slot(s, "blocks", "%lld", (long long)division_blocks(p, p->shared_per_sm, z->shared_bytes));
    slot(s, "resident", "%s",
         num_group((int64_t)z->threads * division_blocks(p, p->shared_per_sm, z->shared_bytes),
                   text));
    slot(s, "room", "%s", num_group(p->max_threads_per_sm, text));
}

/* ---- the ladder ------------------------------------------------------------------------- */

static int head(void *self, const struct lab_variant *v)
{
    struct memory_lab *m = self;
    const struct device_props *p = &m->session->device->props;
    char line[160];
    for (const struct lab_variant *each = m->variants; each->name; each++)
        if ((!v || v == each) && memory_fits(each, &m->size, p, m->report))
            return -1;
    if (v) {
        say_job(m, v);
        return 0;
    }
    snprintf(line, sizeof line, "each memory at work: %u x %u threads", m->size.blocks,
             m->size.threads);
    say_head(m->report, m->session, line);
    return 0;
}

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    struct memory_lab *m = self;
    return memory_run(how, &m->size, got, &m->launched);
}

static const struct host_call plain_calls[] = {
    {"cudaMalloc(&in, bytes), cudaMalloc(&out, bytes)", NULL, "the host waits for the addresses"},
    {"cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice)", "the input to the device",
     "the host waits until it is copied"},
    {"%s(in, out, ...)", NULL, "the host does not wait: the call returns at once"},
    {"cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost)", "the results to the host",
     "the copy waits for the kernel, the host for the copy"},
    {"cudaFree(in), cudaFree(out)", NULL, "global memory lives until here"},
    {NULL, NULL, NULL},
};
static const struct host_call symbol_calls[] = {
    {"cudaMalloc(&out, bytes)", NULL, "the host waits for the address"},
    {"cudaMemcpyToSymbol(coefficient, host, bytes)", "the coefficients to constant memory",
     "the host waits until they are copied"},
    {"cudaMemcpyToSymbol(launches, &zero, 4)", "4 bytes to a __device__ variable", "likewise"},
    {"cudaMemcpyToSymbol(where, &out, sizeof out)", "8 bytes: an address, not what it leads to",
     "likewise; `unset` leaves this call out"},
    {"%s(terms)", NULL, "no pointer among the parameters; the host does not wait"},
    {"cudaMemcpyFromSymbol(&count, launches, 4)", "4 bytes to the host",
     "the copy waits for the kernels, the host for the copy"},
    {"cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost)", "the results to the host",
     "cudaFree(out) follows; the symbols live as long as the program"},
    {NULL, NULL, NULL},
};
static const struct host_call carveout_calls[] = {
    {"cudaFuncSetAttribute(fill_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)", NULL,
     "asks for more than 48 KB a block; without it the launch is refused"},
    {"cudaFuncSetAttribute(fill_shared, cudaFuncAttributePreferredSharedMemoryCarveout, percent)",
     NULL, "a wish for how an SM divides its memory; the driver may choose another"},
    {"%s(out, words)", NULL, "the host does not wait: the call returns at once"},
    {"cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost)", "the results to the host",
     "the copy waits for the kernel, the host for the copy"},
    {NULL, NULL, NULL},
};

static const struct host_call *calls_of(void *self, const struct lab_variant *v)
{
    static const struct host_call *const calls[] = {plain_calls, symbol_calls, plain_calls,
                                                    carveout_calls};
    (void)self;
    return calls[v->tag & MEMORY_JOB];
}

static void call_of(void *self, const struct lab_variant *v, char *out, size_t size)
{
    const struct memory_lab *m = self;
    const uint64_t shared = memory_shared(v, &m->size);
    char bytes[NUM_TEXT + 2] = "";
    if (shared)
        snprintf(bytes, sizeof bytes, ", %llu", (unsigned long long)shared);
    snprintf(out, size, "%s<<<%u, %u%s>>>", v->kernel, m->size.blocks, m->size.threads, bytes);
}

struct old_ladder memory_ladder(struct memory_lab *m)
{
    return (struct old_ladder){
        .session = m->session, .report = m->report, .args = m->args, .variants = m->variants,
        .file = "memory", .value = "matches", .kind = VALUE_INT,
        .order = "most requests to global and local memory first",
        .columns = columns, .calls_of = calls_of, .self = m, .attempt = attempt, .head = head,
        .tell = tell, .put = put, .slots = slots_of, .call = call_of};
}
