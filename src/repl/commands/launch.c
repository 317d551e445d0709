/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * launch, in the syntax of CUDA itself; what the last launch cost, line by line (counters), and what
 * the checkers found in it (findings).
 */
#include "base/mem.h"
#include "base/visible.h"
#include "dev/checks.h"
#include "repl/changed.h"
#include "repl/commands.h"
#include "repl/what-next.h"
#include "own/bind.h"
#include "own/cause.h"
#include "labkit/range.h"
#include "labkit/times.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMS_MOST = 32764, HOT_LINES = 12 };

void last_forget(struct last *l)
{
    free(l->call);
    free(l->kernel);
    launch_result_free(&l->result);
    *l = (struct last){.call = NULL};
}

/* ---- what a launch cost, in a few lines ----------------------------------------------- */

/* "64 loads of 4.0 sectors" */
static void put_requests(struct buf *b, const char *what, uint64_t requests, uint64_t pieces,
                         const char *unit)
{
    char number[NUM_TEXT];
    if (!requests)
        return;
    int letters = (int)strlen(what);
    if (requests == 1 && what[letters - 1] == 's') /* 1 store, 1 branch */
        letters -= letters > 4 && strcmp(what + letters - 4, "ches") == 0 ? 2 : 1;
    buf_printf(b, "%s%s %.*s", b->len ? ", " : "", num_group((int64_t)requests, number), letters,
               what);
    if (unit)
        buf_printf(b, " of %" PRIu64 ".%" PRIu64 " %s", pieces / requests,
                   pieces * 10 / requests % 10, unit);
}

static void put_plain(struct buf *b, uint64_t n, const char *what)
{
    put_requests(b, what, n, 0, NULL);
}

static void put_global(struct buf *b, const struct counters *c)
{
    put_requests(b, "loads", c->global_load_requests, c->global_load_sectors, "sectors");
    put_requests(b, "stores", c->global_store_requests, c->global_store_sectors, "sectors");
    put_plain(b, c->global_atomics, "atomics");
}

static void put_shared(struct buf *b, const struct counters *c)
{
    put_requests(b, "loads", c->shared_load_requests, c->shared_load_wavefronts, "wavefronts");
    put_requests(b, "stores", c->shared_store_requests, c->shared_store_wavefronts, "wavefronts");
    put_plain(b, c->shared_load_conflicts + c->shared_store_conflicts, "bank conflicts");
    put_plain(b, c->shared_atomics, "atomics");
}

static void put_other(struct buf *b, const struct counters *c)
{
    put_plain(b, c->local_load_requests, "local loads");
    put_plain(b, c->local_store_requests, "local stores");
    put_plain(b, c->constant_load_requests, "constant loads");
    put_plain(b, c->texture_requests, "texture reads");
}

static void put_control(struct buf *b, const struct counters *c)
{
    put_plain(b, c->branches, "branches");
    put_plain(b, c->divergent_branches, "divergent");
    put_plain(b, c->barriers, "barriers");
    put_plain(b, c->shuffles, "shuffles");
}

typedef void put_part(struct buf *, const struct counters *);

static void say_part(struct report *r, const char *label, put_part *put, const struct counters *c)
{
    struct buf text = {0};
    put(&text, c);
    if (text.len) {
        say(r, "  %-13s", label);
        say_wrapped(r, 15, "%s", buf_text(&text));
    }
    buf_free(&text);
}

/* How many of the lanes that have a thread were active on average, in percent. A lane whose guard
 * is false counts as active, because it has evaluated the guard. So all lanes are busy at a branch
 * that no lane takes. */
static unsigned busy(const struct counters *c)
{
    uint64_t active = c->thread_instructions + c->guarded_off;
    uint64_t could = c->warp_instructions * 32 - c->absent;
    return could ? (unsigned)((active * 100 + could / 2) / could) : 0;
}

/* Lanes without a thread do not count here. A line of its own says how many there are. */
static void say_cost(struct report *r, const struct counters *c, const unsigned block[3])
{
    char number[NUM_TEXT];
    unsigned threads = block[0] * block[1] * block[2], last = threads % 32;
    say(r, "  %-13s%s by warps, %u %% of the lanes busy\n", "instructions",
        num_group((int64_t)c->warp_instructions, number), busy(c));
    if (last) {
        say(r, "  %-13s", "lanes");
        say_wrapped(r, 15, "%u of the 32 lanes of each block's last warp have no thread",
                    32 - last);
    }
    say_part(r, "global", put_global, c);
    say_part(r, "shared", put_shared, c);
    say_part(r, "memory", put_other, c);
    say_part(r, "flow", put_control, c);
}

/* ---- launch --------------------------------------------------------------------------- */

struct launch_options {
    bool counters, trace;
    int repeat;
    unsigned cluster[3];
    bool cluster_given;
    const char *schedule, *check;
    struct arg_call call;
};

/* Everything that a launch needs. */
struct ready {
    struct own_call call;
    struct unit *unit;
    const struct unit_kernel *kernel;
    unsigned char *params;
    struct own_bound bound;
};

static unsigned cluster_blocks(const struct launch_want *want)
{
    return want->cluster[0] * want->cluster[1] * want->cluster[2];
}

/* Child grids, and the first of their launches that a device refuses: the kernel goes on. */
static void say_children(struct report *r, const struct launch_result *result)
{
    char grids[NUM_TEXT], refused[NUM_TEXT];
    num_group((int64_t)result->child_grids, grids);
    num_group((int64_t)result->child_refused, refused);
    if (!result->child_grids && !result->child_refused)
        return;
    say(r, "  %-13s%s", "child grids", grids);
    if (result->child_refused)
        say_wrapped(r, 15, "; %s launch%s in device code failed, the first with %s", refused,
                    result->child_refused == 1 ? "" : "es", result->child_why);
    else
        say(r, "\n");
}

static void say_launch(struct shell *sh, const struct ready *ready, const struct launch_options *o,
                       const struct launch_want *want, const struct launch_result *result,
                       struct report *r)
{
    const struct session *s = &sh->session;
    say_head(r, s, ready->call.shown);
    if (r->output.len) {
        visible_add(&r->screen, buf_text(&r->output), r->output.len, VISIBLE_LINES);
        if (r->output.data[r->output.len - 1] != '\n')
            say(r, "\n");
    }
    if (want->cluster[0])
        say_item(r, "clusters", "%u block%s in each, chosen by this launch", cluster_blocks(want),
                 cluster_blocks(want) == 1 ? "" : "s");
    if (result->has_counters && !o->counters && !s->settings.counters)
        say_cost(r, &result->counters, want->block);
    else if (result->has_counters)
        say_counters(r, &result->counters);
    say_children(r, result);
    if (result->runs)
        say_time(r, result);
    else if (result->has_time && r->volatile_on)
        say(r, "  %-13s%.3g s, on this machine\n", "simulated", result->measured_s);
    say_trace(r, result, 0);
    if (result->partly_checked)
        say_item(r, "races", "not all was watched: the checker keeps at most 512 MiB of notes a "
                             "launch; a smaller launch is watched whole");
    for (unsigned i = 0; i < r->fault_count; i++)
        cause_find(s, ready->kernel, &ready->call, &r->faults[i]);
    if (r->fault_count) {
        say_faults(r);
        say_quotes(r, s);
        lessons_say(r);
    }
}

static void result_json(struct report *r, const struct launch_want *want)
{
    uint64_t blocks = (uint64_t)want->grid[0] * want->grid[1] * want->grid[2];
    uint64_t threads = (uint64_t)want->block[0] * want->block[1] * want->block[2];
    json_uint(&r->result, "blocks", blocks);
    json_uint(&r->result, "threads", threads);
    if (want->cluster[0]) {
        json_array(&r->result, "cluster");
        for (int i = 0; i < 3; i++)
            json_uint(&r->result, NULL, want->cluster[i]);
        json_end_array(&r->result);
    }
}

static void say_bare(struct report *r, const struct own_call *c)
{
    char note[300];
    snprintf(note, sizeof note, "in a .cu file, write <<<%.150s>>>; C++ reads %.60s as %" PRIu64,
             c->sizes, c->bare, c->bare_is);
    say_item(r, "note", "%s", note);
    json_text(&r->result, "note", note);
}

/* A size of more than 32 bits fits no device. The device checks smaller ones. */
static int check_sizes(const struct own_call *c, struct report *r)
{
    for (int i = 0; i < 3; i++) {
        if (c->grid[i] > UINT32_MAX)
            return report_fault(r, "bad-launch", "%" PRIu64 " blocks along %c: no device allows "
                                "more than 2147483647", c->grid[i], "xyz"[i]);
        if (c->block[i] > UINT32_MAX)
            return report_fault(r, "bad-launch", "%" PRIu64 " threads along %c: a block has at "
                                "most 1024", c->block[i], "xyz"[i]);
    }
    return 0;
}

static int make_ready(struct session *s, struct arena *arena, struct ready *out, struct err *e)
{
    out->kernel = unit_kernel_named(s, out->call.kernel.text, &out->unit, e);
    if (!out->kernel) {
        e->column = out->call.kernel.column;
        return -1;
    }
    if (out->kernel->info.param_bytes > PARAMS_MOST)
        return fail(e, "the parameters of %s take more than %d bytes", out->kernel->shown,
                    PARAMS_MOST);
    out->params = arena_alloc(arena, out->kernel->info.param_bytes + 8);
    if (!out->params)
        return fail_memory(e);
    return call_bind(s, out->unit, out->kernel, &out->call, out->params, &out->bound, e);
}

static void remember(struct last *l, const struct launch_want *want, struct launch_result *result)
{
    launch_result_free(&l->result);
    l->result = *result; /* with the memory that it points to */
    *result = (struct launch_result){.faults = NULL};
    free(l->kernel);
    l->kernel = strdup(want->name);
    memcpy(l->grid, want->grid, sizeof l->grid);
    memcpy(l->block, want->block, sizeof l->block);
    memcpy(l->cluster, want->cluster, sizeof l->cluster);
}

/* Without --check the session's setting stays. */
static int read_checks(const char *list, unsigned *checks, struct report *r)
{
    struct err e = {0};
    return list && checks_parse(list, checks, &e) != 0 ? report_fail_err(r, &e) : 0;
}

/* --repeat: the times of so many runs, on a device that measures. */
static int take_times(struct session *s, struct launch_result *result, struct report *r)
{
    struct sample sample;
    if (launch_result_failed(result))
        return 0;
    if (session_sample_launches(s, &sample, r)) {
        launch_result_free(result);
        return -1;
    }
    if (!sample.count) /* the one run is all that is known */
        return 0;
    times_to_result(&sample, result);
    report_times(r, &sample);
    return 0;
}

static int launch_timed(struct session *s, struct launch_want *want, struct launch_result *result,
                        struct report *r)
{
    const bool timed = session_begins_to_keep(s, r);
    int failed = session_launch(s, want, false, result, r);
    if (timed && !failed)
        failed = take_times(s, result, r);
    if (timed)
        session_forget_launches(s);
    return failed;
}

static int launch_ready(struct shell *sh, const struct ready *ready,
                        const struct launch_options *o, struct report *r)
{
    struct session *s = &sh->session;
    struct launch_result result = {0};
    struct schedule_range range;
    struct range_result several;
    s->counting = o->counters;
    s->runs = (unsigned)o->repeat;
    const char *schedule = o->schedule ? o->schedule : s->settings.schedule;
    struct launch_how how = session_how(s, schedule, 0, o->trace);
    struct err e = {0};
    struct launch_want want = {.kernel = ready->kernel->kernel, .name = ready->kernel->shown,
                               .shared_bytes = ready->call.shared_bytes,
                               .params = ready->params,
                               .param_bytes = ready->kernel->info.param_bytes, .how = &how};
    how.by_line = true;
    if (schedule_read(schedule, &range, &e) != 0)
        return report_fail_err(r, &e);
    if (read_checks(o->check, &how.checks, r) != 0 || check_sizes(&ready->call, r) != 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        want.grid[i] = (unsigned)ready->call.grid[i];
        want.block[i] = (unsigned)ready->call.block[i];
        want.cluster[i] = o->cluster_given ? o->cluster[i] : o->call.text ? 0 : sh->last.cluster[i];
    }
    if (range.runs > 1 ? range_launch(s, &want, &range, &result, &several, r)
                       : launch_timed(s, &want, &result, r)) {
        if (s->stop)
            what_next_stopped(s, ready->kernel, &ready->call, r);
        return -1;
    }
    r->unchecked = !how.checks || strcmp(s->device->kind, "sim") != 0;
    say_launch(sh, ready, o, &want, &result, r);
    if (ready->call.bare)
        say_bare(r, &ready->call);
    if (range.runs > 1)
        say_range(r, &several);
    if (!r->fault_count)
        what_next_launched(s, ready->kernel, &ready->call, how.checks, r);
    result_json(r, &want);
    if (result.child_grids || result.child_refused)
        json_uint(&r->result, "child_grids", result.child_grids);
    if (result.child_refused) {
        json_uint(&r->result, "child_launches_refused", result.child_refused);
        json_text(&r->result, "child_launch_error", result.child_why);
    }
    if (result.partly_checked)
        json_bool(&r->result, "partly_checked", true);
    remember(&sh->last, &want, &result);
    return 0;
}

/* The name of a kernel alone: the line that is proposed has its own parameters. */
static void propose_launch(const struct session *s, const char *text, struct err *e)
{
    struct buf line = {0};
    struct err ignored;
    struct unit *unit;
    const struct unit_kernel *k =
        strpbrk(text, "<( \t") ? NULL : unit_kernel_find(s, text, &unit, &ignored);
    const int column = e->column;
    if (k && what_next_launch(s, unit, k, &line))
        fail_at(e, 0, column, "`%.60s` has no <<<blocks, threads>>>: write launch %s", text,
                buf_text(&line));
    buf_free(&line);
}

/* Prepares the launch that is in `text`. -1: it is not possible, and the report says why. */
static int read_call(struct shell *sh, const char *text, struct arena *arena, struct ready *out,
                     struct report *r)
{
    struct err e = {0};
    if (call_parse(text, arena, &out->call, &e) != 0) {
        propose_launch(&sh->session, text, &e);
        return report_fail_err(r, &e);
    }
    if (take_changes(sh, out->call.kernel.text, r) != 0)
        return -1;
    return make_ready(&sh->session, arena, out, &e) == 0 ? 0 : report_fail_err(r, &e);
}

static int run_launch(struct session *s, const void *given, struct report *r)
{
    const struct launch_options *o = given;
    struct shell *sh = shell_of(s);
    const char *typed = o->call.text;
    struct ready ready = {.unit = NULL};
    struct arena arena = {0};
    if (!typed && !sh->last.call)
        return report_fail(r, "there was no launch yet; write launch k<<<4, 256>>>(x, 1000)");
    char *text = strdup(typed ? typed : sh->last.call);
    if (!text)
        return report_fail_limit(r, "out of memory");
    int rc = read_call(sh, text, &arena, &ready, r);
    if (rc != 0) {
        int column = r->error.column;
        r->error.column = typed && column ? column + o->call.column - 1 : 0;
    } else {
        rc = launch_ready(sh, &ready, o, r);
        free(sh->last.call);
        sh->last.call = text;
        text = NULL;
    }
    call_unbind(s, &ready.bound);
    free(text);
    arena_free(&arena);
    return rc;
}

const struct command command_launch = {
    .name = "launch", .kind = CLASS_KERNELS,
    .summary = "run a kernel of your own, or repeat the last launch",
    .options = (const struct arg_spec[]){
        {OPTION(struct launch_options, counters), .help = "show every counter"},
        {OPTION(struct launch_options, repeat), .type = ARG_INT, .lo = 1, .hi = 100000,
         .help = "on a GPU: measure the time of N runs; all start with the same values in arrays"},
        {OPTION(struct launch_options, trace), .help = "show each instruction of the first warp"},
        {OPTION(struct launch_options, schedule), .value = "S", .type = ARG_TEXT,
         .choices = schedule_names,
         .help = "the order in which threads run; random:1..20 runs once with each seed"},
        {OPTION(struct launch_options, cluster), GIVEN(struct launch_options, cluster), .value = "N", .type = ARG_DIM, .lo = 1, .hi = 1024,
         .help = "blocks in a cluster, as the launch attribute of CUDA: 2, or 2x2"},
        {OPTION(struct launch_options, check), .value = "LIST", .type = ARG_TEXT,
         .choice = checks_name, .help = "the checkers that are used: ", .help_more = checks_names},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "CALL", BIND(struct launch_options, call), .value = "KERNEL<<<GRID,BLOCK>>>(ARGS)",
         .type = ARG_CALL,
         .help = "as in CUDA: k<<<4, 256>>>(x, 1000); the third number in <<< >>> is shared "
                 "bytes"}, {0}},
    .size = sizeof(struct launch_options), .run = run_launch};

/* ---- counters ------------------------------------------------------------------------- */

static int by_heat(const void *a, const void *b)
{
    const struct line_count *x = *(const struct line_count *const *)a;
    const struct line_count *y = *(const struct line_count *const *)b;
    if (x->counters.warp_instructions != y->counters.warp_instructions)
        return x->counters.warp_instructions > y->counters.warp_instructions ? -1 : 1;
    return (x > y) - (x < y);
}

static void say_line_cost(struct report *r, const struct session *s, const struct line_count *l,
                          uint64_t all)
{
    static put_part *const parts[] = {put_global, put_shared, put_other, put_control};
    static const char *const labels[] = {"global ", "shared ", "", ""};
    char number[NUM_TEXT], lead[40];
    size_t n;
    const char *text = unit_line(s, l->file, l->line, &n);
    const struct counters *c = &l->counters;
    snprintf(lead, sizeof lead, "%29s", "");
    say(r, "  %5d  %12s %3u %%  ", l->line, num_group((int64_t)c->warp_instructions, number),
        (unsigned)((c->warp_instructions * 100 + all / 2) / (all ? all : 1)));
    code_wrap(&r->screen, text, n, r->width, lead);
    struct buf notes = {0};
    for (int i = 0; i < 4; i++) {
        struct buf part = {0};
        parts[i](&part, c);
        if (part.len)
            buf_printf(&notes, "%s%s%s", notes.len ? "; " : "", labels[i], buf_text(&part));
        buf_free(&part);
    }
    if (busy(c) < 100)
        buf_printf(&notes, "%s%u %% of the lanes busy", notes.len ? "; " : "", busy(c));
    if (notes.len) {
        say(r, "%30s", "");
        say_wrapped(r, 30, "%s", buf_text(&notes));
    }
    buf_free(&notes);
}

static void counters_json(struct json *j, const char *key, const struct counters *c)
{
    json_object(j, key);
    for (const struct counter_name *n = counter_names; n->name; n++)
        if (counter_at(c, n->offset))
            json_uint(j, n->name, counter_at(c, n->offset));
    json_end_object(j);
}

static void line_json(struct json *j, const struct session *s, const struct line_count *l)
{
    char source[300];
    size_t n;
    const char *text = unit_line(s, l->file, l->line, &n);
    snprintf(source, sizeof source, "%.280s:%d", l->file, l->line);
    json_object(j, NULL);
    json_text(j, "source", source);
    if (n)
        json_bytes(j, "text", text, n);
    counters_json(j, "counters", &l->counters);
    json_end_object(j);
}

struct counters_options { bool all, in_order; };

static int run_counters(struct session *s, const void *given, struct report *r)
{
    const struct counters_options *o = given;
    const struct last *last = &shell_of(s)->last;
    const struct launch_result *result = &last->result;
    if (!last->kernel)
        return report_fail(r, "there was no launch yet; after `launch`, `counters` shows what "
                              "each line of the kernel cost");
    if (!result->has_counters)
        return report_fail(r, "the last launch, of %s, did not end normally, so it has no counters",
                           last->kernel);
    const struct line_count **sorted =
        mem_alloc(&allocator_libc, (result->line_count + 1) * sizeof *sorted);
    if (!sorted)
        return report_fail_limit(r, "out of memory");
    for (size_t i = 0; i < result->line_count; i++)
        sorted[i] = &result->lines[i];
    if (!o->in_order)
        qsort(sorted, result->line_count, sizeof *sorted, by_heat);
    char grid[DIMS_TEXT], block[DIMS_TEXT];
    say(r, "%s<<<%s, %s>>>: its lines, %s\n", last->kernel, num_dims(last->grid, grid),
        num_dims(last->block, block), o->in_order ? "in order" : "the hottest first");
    say(r, "  %5s  %12s %5s  %s\n", "line", "instructions", "", "source");
    size_t shown = o->all || result->line_count < HOT_LINES ? result->line_count
                                                                       : HOT_LINES;
    json_text(&r->result, "kernel", last->kernel);
    json_array(&r->result, "lines");
    for (size_t i = 0; i < result->line_count; i++) {
        if (i < shown)
            say_line_cost(r, s, sorted[i], result->counters.warp_instructions);
        line_json(&r->result, s, sorted[i]);
    }
    json_end_array(&r->result);
    counters_json(&r->result, "total", &result->counters);
    if (shown < result->line_count)
        say(r, "  and %zu more; `counters --all` shows them\n", result->line_count - shown);
    if (result->line_count == 0)
        say(r, "  (no line information: the PTX was made without it)\n");
    say_cost(r, &result->counters, last->block);
    mem_free(&allocator_libc, sorted, (result->line_count + 1) * sizeof *sorted);
    return 0;
}

const struct command command_counters = {
    .name = "counters", .kind = CLASS_KERNELS,
    .summary = "what each source line of the last launch cost",
    .options = (const struct arg_spec[]){
        {OPTION(struct counters_options, all), .help = "show every line, not only the most "
                                                       "expensive ones"},
        {.name = "in-order", BIND(struct counters_options, in_order), .help = "sort by line "
                                                                              "number"},
        {0}},
    .size = sizeof(struct counters_options), .run = run_counters};

/* ---- findings ------------------------------------------------------------------------- */

void found_forget(struct found *f)
{
    free(f->command);
    report_free(&f->report);
    *f = (struct found){.command = NULL};
    report_init(&f->report);
}

void found_keep(struct shell *sh, const char *command, const struct report *r)
{
    struct found *f = &sh->found;
    const bool launched = r->launch_count || r->has_counters; /* a program tells only what it cost */
    if (!launched && r->status != REPORT_FAULT)
        return;
    found_forget(f);
    f->command = strdup(command);
    f->launches = r->launch_count;
    report_faults_add(&f->report, r);
    f->report.unchecked = r->unchecked;
}

struct findings_options { bool all; };

static int run_findings(struct session *s, const void *given, struct report *r)
{
    const struct findings_options *o = given;
    const struct found *f = &shell_of(s)->found;
    if (!f->command)
        return report_fail(r, "no kernel was launched yet; after a launch or a lab, `findings` "
                              "shows what the checkers found");
    r->faults_all = o->all;
    if (report_faults_add(r, &f->report))
        return -1;
    r->status = REPORT_OK; /* this command itself succeeded */
    for (unsigned i = 0; i < r->fault_count; i++)
        cause_find(s, NULL, NULL, &r->faults[i]);
    json_text(&r->result, "of", f->command);
    json_uint(&r->result, "count", f->report.fault_count);
    say_wrapped(r, 0, "%s%s", f->command,
                f->report.fault_count  ? ""
                : f->report.unchecked ? ": no checker was on"
                                        : ": nothing was found");
    if (f->report.unchecked)
        json_bool(&r->result, "unchecked", true);
    say_faults(r);
    say_quotes(r, s);
    lessons_say(r);
    return 0;
}

const struct command command_findings = {
    .name = "findings", .kind = CLASS_KERNELS,
    .summary = "show again what the checkers found in the last launch",
    .options = (const struct arg_spec[]){
        {OPTION(struct findings_options, all),
         .help = "show all findings, not only the first ones"}, {0}},
    .size = sizeof(struct findings_options), .run = run_findings};
