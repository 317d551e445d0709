/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memspeed: the same rounds of work with a value that stays in a register, in shared memory or in
 * global memory. Counters prove that every access was made; --as-written shows what the compiler
 * makes of the same kernels without volatile. Two variants take a word of constant memory in each
 * round: the same for a warp, or many. The kernels are in kernels/memspeed.cu.
 */
#include "labkit/lab.h"
#include "labkit/ladder/ladder.h"
#include "labkit/shape.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum value_place { IN_REGISTER, IN_SHARED, IN_GLOBAL, IN_CONSTANT };
enum memspeed_tag { /* of a variant; its place, and: */
    PLACE = 3,
    SHORT = 4, /* it goes wrong only in a block of more than SHORT_ROOM threads */
    SAME = 8,  /* it goes wrong only with several blocks */
    MANY = 16  /* the lanes of a warp take different words */
};
enum { WARP = 32, TABLE = 1024, SHORT_ROOM = 64, WRITTEN_ROUNDS = 20 };
enum { MOST_N = 1 << 20, MOST_ROUNDS = 100000, MOST_WORK = 1 << 26 };

struct memspeed_options {
    struct lab_options lab;
    int n, rounds, words;
    bool as_written;
};

struct memspeed {
    struct lab_run run;
    const struct memspeed_options *options;
    uint32_t *x, *y, table[TABLE];
    /* What the facts say: */
    int n, rounds, words;            /* words: of the table, in a round */
    struct launch_shape shape;
    uint64_t warps;                  /* that have elements */
    bool as_written, constant;
    bool stores_told;                /* counted, and of a memory that a kernel can write */
    unsigned block_bytes;            /* of shared memory, as the launch asks for them */
    uint64_t bytes;                  /* of x */
    uint64_t loads, stores;          /* that the rounds made, of the memory in question */
    uint64_t loads_due, stores_due;  /* and what the source has */
    double each;                     /* warp instructions of a warp */
    const char *memory;              /* its name */
};

/* What one launch works on. */
struct memspeed_launch {
    const char *kernel;
    enum value_place place;
    int words;
    bool from_global; /* the table is in global memory */
};

/* ---- plain C ---------------------------------------------------------------------------- */

static uint32_t last_value(const struct memspeed *w, enum value_place place, bool written,
                           int words, unsigned i)
{
    uint32_t v = w->x[i];
    const unsigned first = i % w->shape.threads % (unsigned)words;
    for (unsigned r = 0; r < (unsigned)w->rounds; r++)
        if (place == IN_CONSTANT)
            v = 3 * v + w->table[(first + r) % TABLE];
        else
            v = written ? v + 1 : 3 * v + 1;
    return v;
}

/* Sectors of 32 bytes that the loads of x take: for each warp, from its first element to its
 * last. */
static uint64_t sectors_of_x(const struct memspeed *w)
{
    enum { SECTOR = 32 / sizeof(uint32_t) };
    uint64_t sectors = 0;
    const uint64_t n = (uint64_t)w->n, threads = w->shape.threads;
    for (uint64_t base = 0; base < n; base += threads)
        for (uint64_t at = base; at < base + threads && at < n; at += WARP) {
            uint64_t end = at + WARP < base + threads ? at + WARP : base + threads;
            end = end < n ? end : n;
            sectors += (end - 1) / SECTOR - at / SECTOR + 1;
        }
    return sectors;
}

/* Different words that the first warp takes in a round: never more than it has lanes. */
static unsigned different(const struct memspeed *w, int words)
{
    unsigned lanes = w->shape.threads < WARP ? w->shape.threads : WARP;
    lanes = (unsigned)w->n < lanes ? (unsigned)w->n : lanes;
    return (unsigned)words < lanes ? (unsigned)words : lanes;
}

/* Loads and stores of the memory in question, as the launch's counters have them. Those of x and y
 * are left out. */
static void count_rounds(const struct memspeed *w, enum value_place place, const struct counters *c,
                         uint64_t *loads, uint64_t *stores)
{
    *stores = 0;
    switch (place) {
    case IN_SHARED:
        *loads = c->shared_load_requests;
        *stores = c->shared_store_requests;
        break;
    case IN_CONSTANT: *loads = c->constant_load_requests; break;
    default:
        *loads = c->global_load_requests - w->warps;
        *stores = c->global_store_requests - w->warps;
    }
}

/* ---- one run ---------------------------------------------------------------------------- */

/* Is it a launch that shows what its variant is about? */
static void look(const struct memspeed *w, const struct lab_variant *v, struct attempt *got)
{
    size_t room = sizeof got->not_run;
    if (w->as_written && (v->mended_by || w->constant))
        snprintf(got->not_run, room,
                 "--as-written has kernels for registers, shared and global only");
    else if (v->tag & SHORT && w->shape.threads <= SHORT_ROOM)
        snprintf(got->not_run, room,
                 "its array is too short only for a larger block; take at least --threads %d",
                 SHORT_ROOM + 1);
    else if (v->tag & SHORT && w->n <= SHORT_ROOM)
        snprintf(got->not_run, room,
                 "its array is too short only for more elements; take at least -n %d",
                 SHORT_ROOM + 1);
    else if (v->tag & SAME && w->shape.blocks < 2)
        snprintf(got->not_run, room,
                 "with one block no other block uses its places; take at least -n %u",
                 w->shape.threads + 1);
}

static int launch(struct memspeed *w, const struct trial *t, const struct memspeed_launch *how,
                  struct attempt *got)
{
    struct session *s = t->session;
    struct report *r = t->report;
    uint64_t x, y, from, to;
    const size_t bytes = (size_t)w->n * sizeof *w->x;
    const bool table = how->from_global, written = w->as_written;
    const struct lab_launch l = {.module = "memspeed",
                                 .kernel = how->kernel,
                                 .grid = {w->shape.blocks},
                                 .block = {w->shape.threads},
                                 .shared_bytes = w->block_bytes,
                                 .together = true,
                                 .counts = true};
    int failed =
        lab_symbol_store(s, "memspeed", "table", w->table, sizeof w->table, r) ||
        lab_array(s, bytes, "x", w->x, &x, r) || lab_array(s, bytes, "y", NULL, &y, r) ||
        lab_array(s, table ? sizeof w->table : bytes, table ? "table" : "place",
                  table ? w->table : NULL, &from, r) ||
        lab_array(s, bytes, "to", NULL, &to, r);
    if (failed)
        ;
    else if (table)
        failed = trial_launch(t, &l, got, PARAMS(x, y, w->n, w->rounds, how->words, from));
    else if (how->place == IN_CONSTANT)
        failed = trial_launch(t, &l, got, PARAMS(x, y, w->n, w->rounds, how->words));
    else if (how->place == IN_GLOBAL && written)
        failed = trial_launch(t, &l, got, PARAMS(x, y, w->n, from, to));
    else if (how->place == IN_GLOBAL)
        failed = trial_launch(t, &l, got, PARAMS(x, y, w->n, w->rounds, from));
    else if (written)
        failed = trial_launch(t, &l, got, PARAMS(x, y, w->n));
    else
        failed = trial_launch(t, &l, got, PARAMS(x, y, w->n, w->rounds));
    failed = failed || session_fetch(s, w->y, y, bytes, r);
    lab_arrays_free(s);
    if (failed)
        return -1;
    got->value = 0;
    got->expected = w->n;
    for (unsigned i = 0; i < (unsigned)w->n; i++)
        got->value += w->y[i] == last_value(w, how->place, written, how->words, i);
    got->right = got->value == got->expected;
    return 0;
}

/* Right are all elements and, of a kernel whose accesses are forced, every count. Where a schedule
 * that is tried lets the lanes of a warp run apart, the counts are not those of whole warps. */
static void judge(struct memspeed *w, const struct trial *t, struct attempt *got)
{
    const struct lab_variant *v = t->variant;
    const char *schedule = t->schedule->name;
    const bool apart = schedule && strcmp(schedule, "independent") == 0;
    const struct counters *c = &got->counters;
    const enum value_place place = (enum value_place)(v->tag & PLACE);
    uint64_t loads, stores;
    got->has_predicted = !v->mended_by && !w->as_written && !apart;
    got->predicted = w->warps + (place == IN_GLOBAL ? w->loads_due : 0);
    if (!got->has_counters)
        return;
    count_rounds(w, place, c, &loads, &stores);
    if (got->has_predicted)
        got->right = got->right && loads == w->loads_due && stores == w->stores_due &&
                     c->global_load_requests == got->predicted;
    got->cost = (c->global_load_requests + c->global_store_requests) * 1000 +
                (c->shared_load_requests + c->shared_store_requests) * 100 +
                c->constant_load_requests * different(w, w->words);
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct memspeed *w = self;
    const struct lab_variant *v = t->variant;
    char kernel[40];
    look(w, v, got);
    if (got->not_run[0])
        return 0;
    snprintf(kernel, sizeof kernel, "%s%s", v->kernel, w->as_written ? "_written" : "");
    const enum value_place place = (enum value_place)(v->tag & PLACE);
    const struct memspeed_launch how = {kernel, place, w->words, false};
    if (launch(w, t, &how, got))
        return -1;
    judge(w, t, got);
    return 0;
}

/* ---- constant memory: one word for a warp, or many -------------------------------------- */

struct constant_row {
    int words;
    unsigned different; /* of a warp's load */
    uint64_t constant_loads, global_loads, global_sectors;
    struct verdict verdict;
};
static const struct fact words_facts[] = {
    {FACT(struct constant_row, words), .head = "words", .right = true},
    {.name = "different_words", FACT_AT(struct constant_row, different), .head = "per load",
     .right = true},
    {FACT(struct constant_row, constant_loads), .head = "const loads", .right = true},
    {FACT(struct constant_row, global_loads), .head = "global loads", .right = true},
    {FACT(struct constant_row, global_sectors), .head = "global sectors", .right = true},
    {.name = "right", FACT_AT(struct constant_row, verdict), .head = "check"},
    {.name = NULL},
};

static int find_words(struct memspeed *w, struct constant_row *row)
{
    const struct schedule as_set = {.name = NULL};
    const struct trial t = {.session = w->run.session, .report = w->run.report,
                            .variant = w->run.lab->variants, .schedule = &as_set, .quiet = true};
    struct attempt constant = {0}, global = {0};
    const struct memspeed_launch one = {"memspeed_constant", IN_CONSTANT, row->words, false};
    const struct memspeed_launch other = {"memspeed_table", IN_CONSTANT, row->words, true};
    if (launch(w, &t, &one, &constant) || launch(w, &t, &other, &global))
        return -1;
    row->different = different(w, row->words);
    row->constant_loads = constant.counters.constant_load_requests;
    row->global_loads = global.counters.global_load_requests - w->warps; /* without those of x */
    row->global_sectors = global.counters.global_load_sectors - sectors_of_x(w);
    row->verdict.good = constant.right && global.right;
    row->verdict.text = row->verdict.good ? "right" : "WRONG";
    return 0;
}

static void draw_words(struct report *r, const void *found)
{
    struct memspeed w = *(const struct memspeed *)found; /* its own facts stay as they are */
    static const int words[] = {1, 2, 4, 8, 16, 32};
    enum { ROWS = sizeof words / sizeof *words };
    struct constant_row rows[ROWS] = {{0}};
    for (unsigned k = 0; k < ROWS; k++) {
        rows[k].words = words[k];
        if (find_words(&w, &rows[k]))
            return;
    }
    facts_json_rows(words_facts, "by_words", rows, ROWS, sizeof rows[0], &r->result);
    say(r, "\n");
    facts_say_rows(words_facts, rows, ROWS, sizeof rows[0], 2, r);
    say_together(r, w.run.session);
}

/* ---- what there is to say --------------------------------------------------------------- */

static const struct fact task[] = {
    {FACT(struct memspeed, n), .as = AS_GROUP},
    {FACT(struct memspeed, rounds), .as = AS_GROUP},
    {FACT(struct memspeed, as_written)},
    {.name = NULL},
};

static const struct fact facts[] = {
    FACT_VARIANT,
    {.name = "score", FACT_AT(struct memspeed, run.got.value), .as = AS_GROUP, .label = "score",
     .says = "{score} of {n} results are the same as in plain C"},
    {.name = "blocks", FACT_AT(struct memspeed, shape.blocks), .as = AS_GROUP},
    {.name = "threads", FACT_AT(struct memspeed, shape.threads)},
    {FACT(struct memspeed, words), WHEN(struct memspeed, constant)},
    {.name = "predicted", FACT_AT(struct memspeed, run.got.predicted), .as = AS_GROUP,
     WHEN(struct memspeed, run.got.has_predicted)},
    FACT_OK,
    {.name = "round_loads_predicted", FACT_AT(struct memspeed, loads_due), .as = AS_GROUP},
    {.name = "round_stores_predicted", FACT_AT(struct memspeed, stores_due), .as = AS_GROUP},
    {.name = "round_loads", FACT_AT(struct memspeed, loads), .as = AS_GROUP,
     WHEN(struct memspeed, run.got.has_counters), .label = "loads",
     .says = "{round_loads} from {memory} in the rounds; "
             "{as_written?the source has|predicted} {round_loads_predicted}"},
    {.name = "round_stores", FACT_AT(struct memspeed, stores), .as = AS_GROUP,
     WHEN(struct memspeed, stores_told), .label = "stores",
     .says = "{round_stores} to {memory} in the rounds; "
             "{as_written?the source has|predicted} {round_stores_predicted}"},
    {.name = "instructions_each", FACT_AT(struct memspeed, each), .format = "%.1f",
     WHEN(struct memspeed, run.got.has_counters), .label = "work",
     .says = "{instructions_each} instructions per warp, for {rounds} rounds"},
    {.draw = draw_words, WHEN(struct memspeed, constant)},
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {FACT(struct memspeed, memory)},
    {FACT(struct memspeed, constant)},
    {FACT(struct memspeed, block_bytes)},
    {FACT(struct memspeed, bytes)},
    {FACT(struct memspeed, warps), .as = AS_GROUP},
    {.name = "many", FACT_AT(struct memspeed, words), .as = AS_GROUP},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *given)
{
    static const char *const memories[] = {"global memory", "shared memory", "global memory",
                                           "constant memory"};
    struct memspeed *w = self;
    const struct memspeed_options *o = w->options;
    const struct device_props *p = &w->run.session->device->props;
    const struct counters *c = &w->run.got.counters;
    const struct lab_variant *v = given ? given : w->run.lab->variants;
    const enum value_place place = (enum value_place)(v->tag & PLACE);
    w->constant = place == IN_CONSTANT;
    w->words = v->tag & MANY ? o->words : 1;
    w->shape.threads = o->lab.threads ? (unsigned)o->lab.threads : 256;
    w->shape.blocks = shape_blocks((uint64_t)w->n, w->shape.threads, false, p);
    w->warps = (uint64_t)w->n / w->shape.threads * divide_up(w->shape.threads, WARP) +
               divide_up((uint64_t)w->n % w->shape.threads, WARP);
    w->memory = memories[place];
    w->loads_due = place == IN_REGISTER ? 0 : w->warps * (uint64_t)w->rounds;
    w->stores_due = w->constant ? 0 : w->loads_due;
    if (w->as_written && place != IN_REGISTER) { /* two arrays, and the first and last access */
        w->loads_due = w->warps * (2 * WRITTEN_ROUNDS + 1);
        w->stores_due = w->loads_due;
    }
    if (w->run.got.has_counters)
        count_rounds(w, place, c, &w->loads, &w->stores);
    w->stores_told = w->run.got.has_counters && !w->constant;
    w->each = (double)c->warp_instructions / (double)w->warps;
    w->bytes = (uint64_t)w->n * sizeof(uint32_t);
    w->block_bytes = place == IN_SHARED && !w->as_written && !(v->tag & SHORT)
                         ? w->shape.threads * (unsigned)sizeof(uint32_t) : 0;
    if (w->as_written)
        w->run.why = "written";
    return shape_fits(w->shape, w->n, false, p, w->run.report);
}

static const struct ladder_column columns[] = {
    {"global loads", offsetof(struct counters, global_load_requests)},
    {"shared loads", offsetof(struct counters, shared_load_requests)},
    {"const loads", offsetof(struct counters, constant_load_requests)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {0},
};

static const struct ladder ladder = {
    .value = "score",
    .kind = VALUE_INT,
    .order = "Most accesses to global memory first, then to shared memory, then words of constant "
             "memory.",
    .columns = columns,
    .head = "{variant}{as_written? as written|}: n = {n}, {rounds} rounds, blocks of {threads}",
    .head_of_all = "the same work in each memory{as_written?, as written|}: n = {n}, {rounds} "
                   "rounds, blocks of {threads}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"registers", "memspeed_registers", "the value stays in a register", .tag = IN_REGISTER},
    {"shared", "memspeed_shared", "each round stores and loads the value in shared memory",
     .tag = IN_SHARED},
    {"global", "memspeed_global", "each round stores and loads the value in global memory",
     .tag = IN_GLOBAL},
    {"constant", "memspeed_constant", "each round loads one word of constant memory per warp",
     .tag = IN_CONSTANT},
    {"constant-many", "memspeed_constant", "the lanes of a warp load different words",
     .tag = IN_CONSTANT | MANY},
    {"short", "memspeed_short", "the array in shared memory is shorter than the block", "shared",
     "out-of-bounds", IN_SHARED | SHORT},
    {"sameplace", "memspeed_sameplace", "all blocks use the same places in global memory",
     "global", "race-global", IN_GLOBAL | SAME},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct memspeed_options, n), .value = "N", .type = ARG_INT, .lo = 1, .hi = MOST_N,
     .initial = "1000", .help = "elements, one for each thread"},
    {OPTION(struct memspeed_options, rounds), .value = "R", .type = ARG_INT, .lo = 1,
     .hi = MOST_ROUNDS, .initial = "20", .help = "rounds of work for each element"},
    {OPTION(struct memspeed_options, words), .value = "W", .type = ARG_INT, .lo = 1, .hi = TABLE,
     .initial = "32", .help = "different words that neighbouring lanes load (constant-many)"},
    {.name = "as-written", BIND(struct memspeed_options, as_written),
     .help = "the kernels as in the notes, without volatile (registers, shared, global)"},
    {0},
};

static const struct lab lab = {
    .module = "memspeed",
    .takes = TAKES_LADDER | TAKES_THREADS | TAKES_SEED,
    .variants = variants,
};

static int check_options(const struct memspeed_options *o, struct report *r)
{
    if (o->as_written && o->rounds != WRITTEN_ROUNDS)
        return report_fail(r, "--as-written: these kernels have %d rounds in their source; leave "
                              "out --rounds", WRITTEN_ROUNDS);
    if ((int64_t)o->n * o->rounds <= MOST_WORK)
        return 0;
    return report_fail(r, "%d elements with %d rounds each are more than %d steps; with this n at "
                          "most --rounds %d are possible", o->n, o->rounds, MOST_WORK,
                       MOST_WORK / o->n);
}

static int run(struct session *s, const void *given, struct report *r)
{
    const struct memspeed_options *o = given;
    struct memspeed w = {.run = {s, r, &o->lab, &lab}, .options = o, .n = o->n,
                         .rounds = o->rounds, .as_written = o->as_written};
    const size_t bytes = (size_t)o->n * sizeof *w.x;
    const uint64_t seed = lab_seed(s, &o->lab);
    if (check_options(o, r))
        return -1;
    w.x = mem_alloc(&allocator_libc, bytes);
    w.y = mem_alloc(&allocator_libc, bytes);
    int failed = w.x && w.y ? 0 : report_fail_limit(r, "out of memory; take a smaller n");
    for (int i = 0; i < o->n && !failed; i++)
        w.x[i] = lab_drawn(seed, (uint32_t)i);
    for (uint32_t k = 0; k < TABLE; k++)
        w.table[k] = lab_drawn(seed + 1, k);
    if (!failed)
        failed = ladder_run(&ladder, &w.run);
    mem_free(&allocator_libc, w.x, bytes);
    mem_free(&allocator_libc, w.y, bytes);
    return failed ? -1 : 0;
}

const struct command lab_memspeed = {
    LAB_COMMAND(struct memspeed_options),
    .name = "memspeed",
    .summary = "the same work with registers, shared, global and constant memory",
    .options = options,
};
