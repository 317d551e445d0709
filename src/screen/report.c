/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gathering what a command found, and writing it as the one JSON object that other programs
 * read. What isn't known is left out of the object; nothing stands in for it. The screen text
 * is only kept here: commands write it, and the session shows it.
 */
#include "screen/report.h"

#include "base/json-find.h"
#include "base/mem.h"
#include "cxx/name.h"
#include "os/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void report_init(struct report *r)
{
    *r = (struct report){.width = 80};
    json_begin(&r->result, &r->result_text);
    json_begin(&r->variants, &r->variants_text);
}

void report_free(struct report *r)
{
    buf_free(&r->details);
    buf_free(&r->screen);
    buf_free(&r->result_text);
    buf_free(&r->variants_text);
    buf_free(&r->explain);
    buf_free(&r->tries);
    buf_free(&r->left_out);
    buf_free(&r->output);
    mem_free(&allocator_libc, r->launches, r->launch_count * sizeof *r->launches);
    mem_free(&allocator_libc, r->models, r->model_count * sizeof *r->models);
    mem_free(&allocator_libc, r->faults, r->fault_count * sizeof *r->faults);
    report_init(r);
}

void say(struct report *r, const char *fmt, ...)
{
    WITH_ARGS(fmt, buf_vprintf(&r->screen, fmt, args));
}

void report_said(struct report *r, struct buf *text)
{
    r->screen.failed = r->screen.failed || text->failed;
    buf_free(text);
}

int report_fail(struct report *r, const char *fmt, ...)
{
    char text[ERR_TEXT];
    WITH_ARGS(fmt, vsnprintf(text, sizeof text, fmt, args));
    r->status = REPORT_ERROR;
    return fail(&r->error, "%s", text);
}

int report_fail_err(struct report *r, const struct err *e)
{
    r->status = REPORT_ERROR;
    r->error = *e;
    return -1;
}

void report_error_text(const struct report *r, char out[ERR_TEXT])
{
    snprintf(out, ERR_TEXT, "%s", r->error.text);
    for (char *colon = strstr(out, ": "); colon && r->details.len; colon = strstr(colon + 1, ": "))
        if (strncmp(buf_text(&r->details), colon + 2, strlen(colon + 2)) == 0) {
            colon[1] = '\0';
            return;
        }
}

int report_fail_memory(struct report *r)
{
    r->status = REPORT_ERROR;
    return fail_memory(&r->error);
}

int report_fail_limit(struct report *r, const char *fmt, ...)
{
    char text[ERR_TEXT];
    WITH_ARGS(fmt, vsnprintf(text, sizeof text, fmt, args));
    r->status = REPORT_ERROR;
    return fail_limit(&r->error, "%s", text);
}

/* Of faults, those of a limit say that only if nothing else was found. What a program does wrong
 * after a limit, as not to look at the error, does not count. */
static enum failure_cause cause_of_faults(const struct report *r)
{
    static const char *const limits[] = {"timeout", "host-timeout", "out-of-memory"};
    bool other = false, limit = false;
    for (unsigned i = 0; i < r->fault_count; i++) {
        bool here = false;
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
            here |= strcmp(r->faults[i].kind, limits[k]) == 0;
        limit |= here;
        other |= !here && !r->faults[i].benign && !(limit && r->faults[i].of_host);
    }
    return limit && !other ? CAUSE_LIMIT : CAUSE_FAULT;
}

/* The command has checked its own result, and it is wrong. */
static bool judged_wrong(const struct report *r)
{
    struct buf result = {0};
    struct span ok;
    buf_printf(&result, "{%s}", buf_text(&r->result_text));
    const bool wrong = !result.failed &&
                       json_find((struct span){buf_text(&result), result.len},
                                 SPAN("ok"), &ok) && same_text(ok, "false");
    buf_free(&result);
    return wrong;
}

enum failure_cause report_cause(const struct report *r)
{
    if (r->status == REPORT_OK)
        return CAUSE_NONE;
    if (r->cause != CAUSE_NONE)
        return r->cause;
    if (r->status == REPORT_FAULT)
        return cause_of_faults(r);
    return r->error.limit ? CAUSE_LIMIT : r->as_meant || judged_wrong(r) ? CAUSE_CHECK
                                                                         : CAUSE_SCRIPT;
}

/* ---- adding a launch ------------------------------------------------------------------- */

/* Room for one item more in an array that is as large as its count. */
static int one_more(void **items, unsigned count, size_t size)
{
    void *p = mem_resize(&allocator_libc, *items, count * size, (count + 1) * size);
    if (!p)
        return -1;
    *items = p;
    return 0;
}

static int add_launch(struct report *r, const struct launch_want *want)
{
    if (one_more((void **)&r->launches, r->launch_count, sizeof *r->launches) != 0)
        return -1;
    struct report_launch *l = &r->launches[r->launch_count++];
    *l = (struct report_launch){.by_library = !want->kernel, .shared_bytes = want->shared_bytes};
    snprintf(l->kernel, sizeof l->kernel, "%s", want->name);
    memcpy(l->grid, want->grid, sizeof l->grid);
    memcpy(l->block, want->block, sizeof l->block);
    return 0;
}

static bool same_line(const struct fault_place *a, const struct fault_place *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

static bool same_fault(const struct fault *a, const struct fault *b)
{
    return strcmp(a->kind, b->kind) == 0 && a->has_place == b->has_place &&
           a->has_other == b->has_other && same_line(&a->at, &b->at) &&
           same_line(&a->other, &b->other);
}

#define FAULT(name) {name, true},
#define FINDING(name) {name, false},
const struct fault_kind fault_kinds[] = {
#include "screen/fault-kinds.def"
    {NULL, false}};
#undef FAULT
#undef FINDING

const struct fault_kind *fault_kind_named(const char *name)
{
    const struct fault_kind *k = fault_kinds;
    while (k->name && strcmp(k->name, name) != 0)
        k++;
    return k->name ? k : NULL;
}

static int add_fault(struct report *r, const struct fault *f)
{
    if (!fault_kind_named(f->kind))
        bug("fault-kinds.def has no `%s`", f->kind);
    for (unsigned i = 0; i < r->fault_count; i++)
        if (same_fault(&r->faults[i], f)) {
            const char *cure = r->faults[i].cure;
            r->faults[i].cure = cure && f->cure && strcmp(cure, f->cure) == 0 ? cure : NULL;
            r->faults[i].count += f->count;
            r->faults[i].follows = r->faults[i].follows && f->follows;
            return 0;
        }
    if (one_more((void **)&r->faults, r->fault_count, sizeof *r->faults) != 0)
        return -1;
    r->faults[r->fault_count++] = *f;
    return 0;
}

/* Prints by block, then thread; those of one thread in the order they came (their address). */
static int print_order(const void *a, const void *b)
{
    const struct launch_print *x = *(const struct launch_print *const *)a;
    const struct launch_print *y = *(const struct launch_print *const *)b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x > y) - (x < y);
}

static int add_output(struct report *r, const struct launch_result *result)
{
    if (result->print_count == 0)
        return 0;
    size_t bytes = result->print_count * sizeof(struct launch_print *);
    const struct launch_print **sorted = mem_alloc(&allocator_libc, bytes);
    if (!sorted)
        return -1;
    for (size_t i = 0; i < result->print_count; i++)
        sorted[i] = &result->prints[i];
    qsort(sorted, result->print_count, sizeof *sorted, print_order);
    for (size_t i = 0; i < result->print_count; i++)
        buf_add(&r->output, sorted[i]->text, sorted[i]->length);
    mem_free(&allocator_libc, sorted, bytes);
    return r->output.failed ? -1 : 0;
}

static void add_counters(struct report *r, const struct launch_result *result)
{
    if (!result->has_counters)
        return;
    counters_add(&r->counters, &result->counters);
    r->has_counters = true;
}

int report_fault(struct report *r, const char *kind, const char *fmt, ...)
{
    struct fault f = {.count = 0};
    char text[sizeof f.message];
    snprintf(f.kind, sizeof f.kind, "%s", kind);
    WITH_ARGS(fmt, vsnprintf(text, sizeof text, fmt, args));
    return report_fault_like(r, &f, "%s", text);
}

int report_fault_like(struct report *r, const struct fault *like, const char *fmt, ...)
{
    struct fault f = *like;
    f.ends = true;
    f.count = 1;
    WITH_ARGS(fmt, vsnprintf(f.message, sizeof f.message, fmt, args));
    if (add_fault(r, &f) != 0)
        return report_fail_memory(r);
    r->status = REPORT_FAULT;
    return -1;
}

void report_remark(struct report *r, const char *fmt, ...)
{
    WITH_ARGS(fmt, vsnprintf(r->error.text, sizeof r->error.text, fmt, args));
    if (r->status == REPORT_OK)
        r->status = REPORT_ERROR;
}

int report_found(struct report *r, const struct launch_result *result)
{
    for (unsigned i = 0; i < result->fault_count; i++) {
        struct fault f = result->faults[i]; /* where functions have the names that PTX knows */
        cxx_readable(result->faults[i].message, f.message, sizeof f.message);
        if (add_fault(r, &f) != 0)
            return report_fail_memory(r);
    }
    if (r->status == REPORT_OK && launch_result_failed(result))
        r->status = REPORT_FAULT;
    return 0;
}

void report_drop_following(struct report *r)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < r->fault_count; i++)
        if (!r->faults[i].follows)
            r->faults[kept++] = r->faults[i];
    r->fault_count = kept;
}

int report_model_add(struct report *r, const char *name, unsigned launches,
                     const struct model_time *t)
{
    unsigned i = 0;
    while (i < r->model_count &&
           strncmp(r->models[i].name, name, sizeof r->models[i].name - 1) != 0)
        i++;
    if (i == r->model_count) {
        if (one_more((void **)&r->models, r->model_count, sizeof *r->models) != 0)
            return report_fail_memory(r);
        r->models[i] = (struct report_model){.launches = 0};
        snprintf(r->models[i].name, sizeof r->models[i].name, "%s", name);
        r->model_count++;
    }
    struct report_model *m = &r->models[i];
    m->launches += launches;
    model_add(&m->time, t);
    return 0;
}

int report_launch_model(struct report *r, const struct launch_want *want,
                        const struct launch_result *result)
{
    r->modelled += result->has_model;
    r->unmodelled += !result->has_model;
    return result->has_model ? report_model_add(r, want->name, 1, &result->model) : 0;
}

bool report_modelled(const struct report *r, struct model_time *sum)
{
    *sum = (struct model_time){0};
    for (unsigned i = 0; i < r->model_count; i++)
        model_add(sum, &r->models[i].time);
    return r->modelled && !r->unmodelled;
}

int report_launch_add(struct report *r, const struct launch_want *want,
                      const struct launch_result *result)
{
    if (add_launch(r, want) != 0 || add_output(r, result) != 0)
        return report_fail_memory(r);
    add_counters(r, result);
    r->has_time = r->has_time || result->has_time;
    r->measured_s += result->has_time ? result->measured_s : 0;
    r->min_s += result->min_s;
    r->mean_s += result->mean_s;
    r->runs = result->runs;
    if (report_launch_model(r, want, result) != 0)
        return -1;
    return report_found(r, result);
}

void report_times(struct report *r, const struct sample *s)
{
    r->has_time = true;
    r->measured_s = s->median;
    r->min_s = s->least;
    r->mean_s = s->mean;
    r->runs = s->count;
}

int report_faults_add(struct report *r, const struct report *from)
{
    for (unsigned i = 0; i < from->fault_count; i++)
        if (add_fault(r, &from->faults[i]) != 0)
            return report_fail_memory(r);
    return 0;
}

int report_add_up(struct report *r, const struct report *from)
{
    const size_t old = r->launch_count * sizeof *r->launches;
    const size_t more = from->launch_count * sizeof *r->launches;
    struct report_launch *all =
        more ? mem_resize(&allocator_libc, r->launches, old, old + more) : NULL;
    if (more && !all)
        return report_fail_memory(r);
    if (more) {
        memcpy(all + r->launch_count, from->launches, more);
        r->launches = all;
        r->launch_count += from->launch_count;
    }
    counters_add(&r->counters, &from->counters);
    r->has_counters |= from->has_counters;
    r->modelled += from->modelled;
    r->unmodelled += from->unmodelled;
    for (unsigned i = 0; i < from->model_count; i++)
        if (report_model_add(r, from->models[i].name, from->models[i].launches,
                             &from->models[i].time) != 0)
            return -1;
    return 0;
}

/* ---- the JSON object ------------------------------------------------------------------- */

static void write_launch(struct json *j, const struct report_launch *l)
{
    json_text(j, "kernel", l->kernel);
    if (l->by_library)
        return;
    json_dims(j, "grid", l->grid);
    json_dims(j, "block", l->block);
    json_uint(j, "shared_bytes", l->shared_bytes);
}

static void write_launches(struct json *j, const struct report *r)
{
    if (r->launch_count == 1) {
        write_launch(j, &r->launches[0]);
        return;
    }
    json_array(j, "launches");
    for (unsigned i = 0; i < r->launch_count; i++) {
        json_object(j, NULL);
        write_launch(j, &r->launches[i]);
        json_end_object(j);
    }
    json_end_array(j);
}

void report_counters_json(struct json *j, const struct counters *c)
{
    json_object(j, "counters");
#define X(name) json_uint(j, #name, c->name);
    COUNTERS(X)
#undef X
    json_end_object(j);
}

static void write_place(struct json *j, const struct fault_place *p)
{
    char source[sizeof p->file + 16];
    if (p->file[0] && p->line > 0) {
        snprintf(source, sizeof source, "%s:%d", p->file, p->line);
        json_text(j, "source", source);
    }
}

static void write_thread(struct json *j, const struct fault_place *p)
{
    json_dims(j, "block", p->block);
    json_dims(j, "thread", p->thread);
}

static void write_fault(struct json *j, const struct fault *f, bool volatile_on)
{
    json_object(j, NULL);
    json_text(j, "kind", f->kind);
    json_text(j, "message", f->message);
    if (f->cure)
        json_text(j, "cure", f->cure);
    write_place(j, &f->at);
    if (f->ptx_line > 0)
        json_int(j, "ptx_line", f->ptx_line);
    if (f->has_place && !f->of_host)
        write_thread(j, &f->at);
    if (f->has_address && volatile_on)
        json_hex(j, "address", f->address);
    if (f->array[0]) {
        json_text(j, "array", f->array);
        json_int(j, "index", f->index);
        if (f->element[0])
            json_text(j, "element", f->element);
    }
    json_uint(j, "count", f->count);
    if (f->has_other) {
        json_object(j, "other");
        write_place(j, &f->other);
        if (!f->of_host)
            write_thread(j, &f->other);
        json_end_object(j);
    }
    json_end_object(j);
}

static void write_faults(struct json *j, const struct report *r)
{
    json_array(j, "faults");
    for (unsigned i = 0; i < r->fault_count; i++)
        write_fault(j, &r->faults[i], r->volatile_on);
    json_end_array(j);
}

static void write_error(struct json *j, const struct err *e)
{
    json_object(j, "error");
    json_text(j, "message", e->text);
    if (e->line > 0)
        json_int(j, "line", e->line);
    if (e->source[0])
        json_text(j, "source", e->source);
    json_end_object(j);
}

/* Members written elsewhere, put between brackets here. */
static void write_members(struct json *j, const char *key, const struct buf *members, char open,
                          char close)
{
    struct buf whole = {0};
    buf_putc(&whole, open);
    buf_add(&whole, buf_text(members), members->len);
    buf_putc(&whole, close);
    if (!whole.failed)
        json_raw(j, key, buf_text(&whole), whole.len);
    buf_free(&whole);
}

static void write_device(struct json *j, const struct device *d)
{
    const char *model = d->props.profile ? d->props.profile : d->props.name;
    json_text(j, "device", d->kind);
    if (model)
        json_text(j, "model", model);
}

static void write_time(struct json *j, const struct report *r)
{
    const bool measured = r->has_time && r->volatile_on;
    struct model_time modelled;
    const bool has_model = report_modelled(r, &modelled);
    if (!measured && !has_model)
        return;
    json_object(j, "time");
    if (has_model)
        json_f64(j, "modelled_s", modelled.seconds);
    if (measured)
        json_f64(j, "measured_s", r->measured_s);
    if (measured && r->runs) { /* measured_s is their median */
        json_f64(j, "min_s", r->min_s);
        json_f64(j, "median_s", r->measured_s);
        json_f64(j, "mean_s", r->mean_s);
        json_uint(j, "runs", r->runs);
    }
    json_end_object(j);
}

/* What a launch leaves; without one none of it is known. */
static void write_counts(struct json *j, const struct report *r, const struct device *d)
{
    if (r->has_counters)
        report_counters_json(j, &r->counters);
    if (r->has_counters && d && strcmp(d->kind, "gpu") == 0)
        json_text(j, "counters_from", "sim");
    if (r->launch_count || r->fault_count)
        write_faults(j, r);
    write_time(j, r);
}

void try_split(struct span line, struct span *command, struct span *remark)
{
    line = trim(line);
    size_t n = 0;
    while (n < line.n && !(is_blank(line.at[n]) && n + 1 < line.n && is_blank(line.at[n + 1])))
        n++;
    *command = (struct span){line.at, n};
    *remark = trim((struct span){line.at + n, line.n - n});
}

/* Writes "try": each command with its remark. */
static void write_tries(struct json *j, const struct report *r)
{
    struct span rest = {buf_text(&r->tries), r->tries.len}, line;
    json_array(j, "try");
    while (next_line(&rest, &line)) {
        struct span command, remark;
        try_split(line, &command, &remark);
        json_object(j, NULL);
        json_bytes(j, "command", command.at, command.n);
        if (remark.n)
            json_bytes(j, "remark", remark.at, remark.n);
        json_end_object(j);
    }
    json_end_array(j);
}

void report_json(const struct report *r, const char *command, const struct device *d,
                 struct buf *out)
{
    struct json j;
    json_begin(&j, out);
    json_object(&j, NULL);
    json_text(&j, "command", command);
    json_text(&j, "status",
              r->status == REPORT_OK ? "ok" : r->status == REPORT_ERROR ? "error" : "fault");
    if (r->status != REPORT_OK)
        json_text(&j, "cause", cause_name(report_cause(r)));
    if (d)
        write_device(&j, d);
    if (r->launch_count)
        write_launches(&j, r);
    if (r->launch_count || r->output.len)
        json_lines(&j, "output", buf_text(&r->output), r->output.len);
    if (r->result_text.len)
        write_members(&j, "result", &r->result_text, '{', '}');
    if (r->variants_text.len)
        write_members(&j, "variants", &r->variants_text, '[', ']');
    write_counts(&j, r, d);
    if (r->error.text[0])
        write_error(&j, &r->error);
    if (r->explain.len)
        json_bytes(&j, "explain", buf_text(&r->explain), r->explain.len);
    if (r->tries.len)
        write_tries(&j, r);
    json_end_object(&j);
}
