/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks on SMs, drawn, told and explained.
 */
#include "labs/waves/work.h"

#include "base/mem.h"
#include "base/num.h"
#include "labkit/lab.h"
#include "screen/pen.h"
#include "screen/picture.h"

#include <stdio.h>
#include <string.h>

enum { KINDS = 8, BLOCKS_NAMED = 8 };
static const char *const kinds[KINDS] = {"wave 1", "wave 2", "wave 3", "wave 4",
                                         "wave 5", "wave 6", "wave 7", "later"};

bool waves_shows_times(const struct report *r, const struct waves *w)
{
    return !w->measured || r->volatile_on;
}

void say_waves_counts(struct report *r, const struct waves *w)
{
    char threads[NUM_TEXT], slots[NUM_TEXT];
    const unsigned at_once = w->sms * w->places, blocks = w->want.blocks;
    const unsigned waits = blocks > at_once ? blocks - at_once : 0;
    if (w->waves == 1)
        say_item(r, "waves", "1: all blocks at once; %u SM%s without a block", w->idle_sms,
                 w->idle_sms == 1 ? "" : "s");
    else
        say_item(r, "waves", "%u: %u block%s in the last; %u SM%s without a block", w->waves,
                 w->last_wave, w->last_wave == 1 ? "" : "s", w->idle_sms,
                 w->idle_sms == 1 ? "" : "s");
    say_item(r, "at once", "%s = %u SMs x %u place%s", num_group(at_once, slots), w->sms,
             w->places, w->places == 1 ? "" : "s");
    say_item(r, "queue", "%u of %u blocks wait%s for a place", waits, blocks,
             waits == 1 ? "s" : "");
    if (waves_shows_times(r, w))
        say_item(r, "in use", "%.1f %% of all places' time, %s", w->busy * 100,
                 w->measured ? "measured" : "modelled");
    say_item(r, "checked", "%s; %s threads, %s",
             w->right ? "each block ran once" : "SOME BLOCK OR NUMBER IS WRONG",
             num_group((int64_t)blocks * w->want.threads, threads),
             w->right ? "each number right" : "see --json");
}

/* ---- blocks by SM ----------------------------------------------------------------------- */

/* The blocks of SM i are list[first[i] .. first[i + 1]), in their order. */
struct by_sm { unsigned *first, *list, sms, blocks; };

static void by_sm_free(struct by_sm *s)
{
    mem_put(&allocator_libc, s->first, s->first ? (s->sms + 2) * sizeof *s->first : 0);
    mem_put(&allocator_libc, s->list, s->list ? s->blocks * sizeof *s->list : 0);
}

static int by_sm(const struct waves *w, struct by_sm *s)
{
    *s = (struct by_sm){.sms = w->sms, .blocks = w->want.blocks};
    s->first = mem_get(&allocator_libc, (s->sms + 2) * sizeof *s->first);
    s->list = mem_get(&allocator_libc, s->blocks * sizeof *s->list);
    if (!s->first || !s->list) {
        by_sm_free(s);
        return -1;
    }
    for (unsigned b = 0; b < s->blocks; b++)
        s->first[w->block[b].sm % s->sms + 2]++;
    for (unsigned i = 2; i < s->sms + 2; i++)
        s->first[i] += s->first[i - 1];
    for (unsigned b = 0; b < s->blocks; b++)
        s->list[s->first[w->block[b].sm % s->sms + 1]++] = b;
    return 0;
}

/* Did two SMs do the same at the same times? */
static bool alike(const struct waves *w, const struct by_sm *s, unsigned a, unsigned b)
{
    unsigned n = s->first[a + 1] - s->first[a];
    if (n != s->first[b + 1] - s->first[b])
        return false;
    for (unsigned i = 0; i < n; i++) {
        const struct waves_block *x = &w->block[s->list[s->first[a] + i]];
        const struct waves_block *y = &w->block[s->list[s->first[b] + i]];
        if (x->begin < y->begin || x->begin > y->begin || x->end < y->end || x->end > y->end)
            return false;
    }
    return true;
}

/* ---- the picture ------------------------------------------------------------------------ */

struct rows {
    unsigned from[64], to[64], count, left_out; /* SMs from..to; SMs without a row */
    char label[64][48];
};
enum { ROWS_MOST = 64 };

static void find_rows(const struct waves *w, const struct by_sm *s, unsigned most,
                      struct rows *rows)
{
    memset(rows, 0, sizeof *rows);
    for (unsigned i = 0, next; i < w->sms; i = next) {
        for (next = i + 1; next < w->sms && alike(w, s, i, next); next++)
            ;
        if (rows->count == most || rows->count == ROWS_MOST) {
            rows->left_out += next - i;
            continue;
        }
        char *label = rows->label[rows->count];
        const unsigned blocks = s->first[i + 1] - s->first[i];
        if (next == i + 1)
            snprintf(label, sizeof rows->label[0], "SM %u (%u)", i, blocks);
        else
            snprintf(label, sizeof rows->label[0], "SM %u-%u (%u)", i, next - 1, blocks);
        rows->from[rows->count] = i;
        rows->to[rows->count++] = next - 1;
    }
}

static int draw(struct report *r, const struct waves *w, const struct by_sm *s,
                const struct rows *rows)
{
    const char *labels[ROWS_MOST];
    struct timeline t = {.rows = labels, .row_count = rows->count, .kinds = kinds,
                         .unit = w->measured ? "us" : "block times"};
    struct time_span *spans = mem_get(&allocator_libc, w->want.blocks * sizeof *spans);
    if (!spans)
        return report_fail(r, "out of memory; fewer blocks need less");
    for (unsigned i = 0; i < rows->count; i++) {
        labels[i] = rows->label[i];
        for (unsigned k = s->first[rows->from[i]]; k < s->first[rows->from[i] + 1]; k++) {
            const struct waves_block *b = &w->block[s->list[k]];
            unsigned kind = b->wave < KINDS ? b->wave : KINDS - 1;
            spans[t.span_count++] = (struct time_span){i, kind, b->begin, b->end};
            t.kind_count = kind + 1 > t.kind_count ? kind + 1 : t.kind_count;
        }
    }
    t.spans = spans;
    say_timeline(r, &t);
    mem_put(&allocator_libc, spans, w->want.blocks * sizeof *spans);
    return 0;
}

/* "SM 0       blocks 0 132 264 ... (9)" */
static void name_blocks(struct report *r, const struct by_sm *s, unsigned sm)
{
    char label[24];
    struct buf list;
    const unsigned n = s->first[sm + 1] - s->first[sm];
    buf_init(&list);
    for (unsigned i = 0; i < n && i < BLOCKS_NAMED; i++)
        buf_printf(&list, "%s%u", i ? " " : n == 1 ? "block " : "blocks ",
                   s->list[s->first[sm] + i]);
    if (n > BLOCKS_NAMED)
        buf_printf(&list, " ... %u, %u in all", s->list[s->first[sm] + n - 1], n);
    snprintf(label, sizeof label, "SM %u", sm);
    say_item(r, label, "%s", n ? buf_text(&list) : "no block");
    buf_free(&list);
}

int say_waves(struct report *r, const struct waves *w, unsigned most)
{
    struct by_sm s;
    struct rows rows;
    int failed = 0;
    if (by_sm(w, &s))
        return report_fail(r, "out of memory; fewer blocks need less");
    if (waves_shows_times(r, w)) {
        find_rows(w, &s, most, &rows);
        say(r, "\n");
        say_heading(r, "%s",
                    w->measured ? "SM (blocks), measured by each block's own clock"
                                : "SM (blocks), modelled: sharing an SM costs a block nothing");
        failed = draw(r, w, &s, &rows);
        if (rows.left_out)
            say_item(r, "", "and %u more SMs: --rows shows more", rows.left_out);
    }
    name_blocks(r, &s, 0);
    if (w->sms > 1)
        name_blocks(r, &s, w->sms - 1);
    by_sm_free(&s);
    return failed;
}

/* ---- around the number of SMs ----------------------------------------------------------- */

static void put_around(struct table *t, struct report *r, const struct waves *w, unsigned marked)
{
    struct json *j = &r->result;
    json_object(j, NULL);
    json_uint(j, "blocks", w->want.blocks);
    json_uint(j, "waves", w->waves);
    json_uint(j, "idle_sms", w->idle_sms);
    json_uint(j, "last_wave", w->last_wave);
    table_cell(t, "%s%u", w->want.blocks == marked ? "> " : "", w->want.blocks);
    table_cell(t, "%u", w->idle_sms);
    table_cell(t, "%u", w->waves);
    table_cell(t, "%u", w->last_wave);
    if (waves_shows_times(r, w)) {
        table_cell(t, w->measured ? "%.1f" : "%.4g", w->span);
        table_cell(t, "%.1f", w->busy * 100);
        json_f64(j, w->measured ? "measured_us" : "modelled_span", w->span);
        json_f64(j, "busy", w->busy);
    }
    json_end_object(j);
}

int say_waves_around(struct report *r, const struct waves_want *given, struct session *s)
{
    struct waves w;
    struct table t;
    const bool gpu = session_on_gpu(s);
    const unsigned sms = (unsigned)s->device->props.multiprocessors;
    const struct occupancy_want each = {(int)given->threads, 0, given->shared};
    const unsigned slots = sms * (unsigned)occupancy_of(&s->device->props, &each).blocks;
    const unsigned at[] = {sms - 1, sms, sms + 1, slots, slots + 1};
    const struct table_column columns[] = {{.head = "blocks", .right = true},
                                           {.head = "idle SMs", .right = true},
                                           {.head = "waves", .right = true},
                                           {.head = "in the last", .right = true},
                                           {.head = gpu ? "us" : "lasts", .right = true},
                                           {.head = "% in use", .right = true}};
    const int count = gpu && !r->volatile_on ? 4 : 6;
    int failed = 0;
    unsigned before = 0;
    say(r, "\n");
    table_begin(&t, columns, count, 2);
    json_array(&r->result, "around");
    for (unsigned i = 0; i < sizeof at / sizeof at[0] && !failed; i++) {
        struct waves_want want = *given;
        want.blocks = at[i];
        if (want.blocks <= before || want.blocks > WAVES_MOST_BLOCKS)
            continue;
        before = want.blocks;
        failed = gpu ? waves_run(&w, &want, s, false, true, r)
                     : waves_model(&w, &want, &s->device->props, r);
        if (!failed)
            put_around(&t, r, &w, given->blocks);
        waves_free(&w);
    }
    json_end_array(&r->result);
    say_table(r, &t);
    return failed;
}

/* ---- JSON ------------------------------------------------------------------------------- */

void json_waves(struct report *r, const struct waves *w)
{
    struct json *j = &r->result;
    json_uint(j, "blocks", w->want.blocks);
    json_uint(j, "threads", w->want.threads);
    json_uint(j, "sms", w->sms);
    json_uint(j, "places", w->places);
    json_uint(j, "waves", w->waves);
    json_uint(j, "last_wave", w->last_wave);
    json_uint(j, "idle_sms", w->idle_sms);
    json_bool(j, "modelled", !w->measured);
    json_array(j, "sm");
    for (unsigned b = 0; b < w->want.blocks; b++)
        json_uint(j, NULL, w->block[b].sm);
    json_end_array(j);
    if (waves_shows_times(r, w)) {
        json_f64(j, "span", w->span);
        json_f64(j, "busy", w->busy);
        json_array(j, "begin");
        for (unsigned b = 0; b < w->want.blocks; b++)
            json_f64(j, NULL, w->block[b].begin);
        json_end_array(j);
        json_array(j, "end");
        for (unsigned b = 0; b < w->want.blocks; b++)
            json_f64(j, NULL, w->block[b].end);
        json_end_array(j);
    }
    json_bool(j, "ok", w->right);
}

/* ---- the why ---------------------------------------------------------------------------- */

static const char *case_of(const struct waves *w)
{
    if (w->idle_sms)
        return "idle";
    if (w->want.uneven && w->waves > 1)
        return "uneven";
    return w->waves == 1 ? "one" : w->last_wave < w->sms * w->places ? "tail" : "even";
}

void explain_waves(const struct waves *w, struct report *r)
{
    const unsigned slots = w->sms * w->places;
    char text[NUM_TEXT];
    struct slots s;
    slots_init(&s);
    slot(&s, "blocks", "%u", w->want.blocks);
    slot(&s, "threads", "%u", w->want.threads);
    slot(&s, "sms", "%u", w->sms);
    slot(&s, "places", "%u", w->places);
    slot(&s, "at_once", "%u", slots);
    slot(&s, "one_more", "%u", slots + 1);
    slot(&s, "twice", "%u", 2 * slots);
    slot(&s, "idle", "%u", w->idle_sms);
    slot(&s, "waves", "%u", w->waves);
    slot(&s, "last", "%u", w->last_wave);
    slot(&s, "free", "%s", num_group(slots - w->last_wave, text));
    slot(&s, "open", "%s",
         num_group(slots > w->want.blocks ? slots - w->want.blocks : 0, text));
    if (waves_shows_times(r, w))
        slot(&s, "use", ": %.1f %% of their time is used", w->busy * 100);
    else
        slot(&s, "use", "%s", "");
    lab_explain_slots(r, "waves", case_of(w), &s);
}
