/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks on SMs: the picture, the numbers and the explanation.
 */
#include "labs/waves/work.h"

#include "base/mem.h"
#include "labkit/lab.h"
#include "screen/pen.h"
#include "screen/picture.h"

#include <stdio.h>
#include <string.h>

enum { KINDS = 8, BLOCKS_NAMED = 8 };
static const char *const kinds[KINDS] = {"wave 1", "wave 2", "wave 3", "wave 4",
                                         "wave 5", "wave 6", "wave 7", "later"};

static void put_sms(struct json *j, const void *found)
{
    const struct waves *w = found;
    json_array(j, "sm");
    for (unsigned b = 0; b < w->want.blocks; b++)
        json_uint(j, NULL, w->block[b].sm);
    json_end_array(j);
}

static void put_times(struct json *j, const void *found)
{
    const struct waves *w = found;
    json_array(j, "begin");
    for (unsigned b = 0; b < w->want.blocks; b++)
        json_f64(j, NULL, w->block[b].begin);
    json_end_array(j);
    json_array(j, "end");
    for (unsigned b = 0; b < w->want.blocks; b++)
        json_f64(j, NULL, w->block[b].end);
    json_end_array(j);
}

static const struct fact facts[] = {
    {.name = "blocks", FACT_AT(struct waves, want.blocks)},
    {.name = "threads", FACT_AT(struct waves, want.threads)},
    {FACT(struct waves, sms)},
    {FACT(struct waves, places)},
    {FACT(struct waves, waves)},
    {FACT(struct waves, last_wave)},
    {FACT(struct waves, idle_sms)},
    {FACT(struct waves, modelled)},
    {.put = put_sms},
    {FACT(struct waves, span), WHEN(struct waves, shows_times)},
    {FACT(struct waves, busy), .as = AS_PERCENT, WHEN(struct waves, shows_times)},
    {.put = put_times, WHEN(struct waves, shows_times)},
    {.name = "ok", FACT_AT(struct waves, right)},
    {FACT(struct waves, at_once), .only = FACT_IN_TEXT},
    {FACT(struct waves, one_more), .only = FACT_IN_TEXT},
    {FACT(struct waves, twice), .only = FACT_IN_TEXT},
    {FACT(struct waves, waits), .only = FACT_IN_TEXT},
    {FACT(struct waves, shows_times), .only = FACT_IN_TEXT},
    {FACT(struct waves, one_waits), .only = FACT_IN_TEXT},
    {FACT(struct waves, free), .only = FACT_IN_TEXT},
    {FACT(struct waves, open), .as = AS_GROUP, .only = FACT_IN_TEXT},
    {.name = "all_threads", FACT_AT(struct waves, threads), .only = FACT_IN_TEXT},
    {.label = "waves",
     .says = "{waves}; {waits?{last_wave block} in the last wave|all blocks at once}; "
             "{idle_sms?{idle_sms SM} had no block|each SM had a block}"},
    {.label = "at once", .says = "{at_once:,} = {sms} SMs x {places place}"},
    {.label = "queue", .says = "{waits} of {blocks} blocks {one_waits?waits|wait} for a place"},
    {.label = "in use", WHEN(struct waves, shows_times),
     .says = "{busy} % of the places on average ({modelled?by the model|measured})"},
    {.label = "checked",
     .says = "{ok?each block ran once|SOME BLOCK OR NUMBER IS WRONG}; {ok?all |}{all_threads:,} threads"
             "{ok? stored the right number|, see --json}"},
    {.name = NULL},
};

void tell_waves(const struct waves *w, struct report *r)
{
    facts_tell(facts, w, r);
}

/* ---- blocks by SM ----------------------------------------------------------------------- */

/* The blocks of SM i are list[first[i] .. first[i + 1]), in their order. */
struct by_sm { unsigned *first, *list, sms, blocks; };

static void by_sm_free(struct by_sm *s)
{
    mem_free(&allocator_libc, s->first, s->first ? (s->sms + 2) * sizeof *s->first : 0);
    mem_free(&allocator_libc, s->list, s->list ? s->blocks * sizeof *s->list : 0);
}

static int by_sm(const struct waves *w, struct by_sm *s)
{
    *s = (struct by_sm){.sms = w->sms, .blocks = w->want.blocks};
    s->first = mem_alloc(&allocator_libc, (s->sms + 2) * sizeof *s->first);
    s->list = mem_alloc(&allocator_libc, s->blocks * sizeof *s->list);
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
    struct time_span *spans = mem_alloc(&allocator_libc, w->want.blocks * sizeof *spans);
    if (!spans)
        return report_fail_limit(r, "out of memory; fewer blocks need less");
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
    mem_free(&allocator_libc, spans, w->want.blocks * sizeof *spans);
    return 0;
}

/* "SM 0       blocks 0 132 264 ... (9)" */
static void name_blocks(struct report *r, const struct by_sm *s, unsigned sm)
{
    char label[24];
    struct buf list = {0};
    const unsigned n = s->first[sm + 1] - s->first[sm];
    for (unsigned i = 0; i < n && i < BLOCKS_NAMED; i++)
        buf_printf(&list, "%s%u", i ? " " : n == 1 ? "block " : "blocks ",
                   s->list[s->first[sm] + i]);
    if (n > BLOCKS_NAMED)
        buf_printf(&list, "%s %u, %u in all", n > BLOCKS_NAMED + 1 ? " ..." : "",
                   s->list[s->first[sm] + n - 1], n);
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
        return report_fail_limit(r, "out of memory; fewer blocks need less");
    if (w->shows_times) {
        find_rows(w, &s, most, &rows);
        say(r, "\n");
        say_heading(r, "%s",
                    w->measured ? "SM (blocks), measured by each block's own clock"
                                : "SM (blocks), modelled: blocks do not slow each other down");
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

/* One row for each launch. JSON and the table have the same facts in different orders. */
static const struct fact around[] = {
    {FACT_AT(struct waves, marked), .head = "blocks", .right = true, .tells = "% blocks:"},
    {.name = "blocks", FACT_AT(struct waves, want.blocks)},
    {FACT_AT(struct waves, idle_sms), .head = "idle SMs", .right = true},
    {FACT(struct waves, waves), .head = "waves", .right = true},
    {FACT(struct waves, idle_sms)},
    {FACT(struct waves, last_wave), .head = "in the last", .right = true, .tells = "% blocks in the last wave"},
    {.name = "measured_us", FACT_AT(struct waves, span), WHEN(struct waves, shows_measured),
     .format = "%.1f", .head = "us", .right = true},
    {.name = "modelled_span", FACT_AT(struct waves, span), WHEN(struct waves, modelled),
     .format = "%.4g", .head = "lasts", .right = true, .tells = "it lasts % block times"},
    {FACT(struct waves, busy), .as = AS_PERCENT, WHEN(struct waves, shows_times),
     .head = "% in use", .right = true, .tells = "% percent of the places are in use"},
    {.name = NULL},
};

int say_waves_around(struct report *r, const struct waves_want *given, struct session *s)
{
    enum { LAUNCHES = 5 };
    struct waves rows[LAUNCHES];
    const bool gpu = session_on_gpu(s);
    const unsigned sms = (unsigned)s->device->props.multiprocessors;
    const struct occupancy_want each = {(int)given->threads, 0, given->shared};
    const unsigned slots = sms * (unsigned)occupancy_of(&s->device->props, &each).blocks;
    const unsigned at[LAUNCHES] = {sms - 1, sms, sms + 1, slots, slots + 1};
    unsigned before = 0, count = 0;
    for (unsigned i = 0; i < LAUNCHES; i++) {
        struct waves *w = &rows[count];
        struct waves_want want = *given;
        want.blocks = at[i];
        if (want.blocks <= before || want.blocks > WAVES_MOST_BLOCKS)
            continue;
        before = want.blocks;
        int failed = gpu ? waves_run(w, &want, s, false, true, r)
                         : waves_model(w, &want, &s->device->props, r);
        waves_free(w); /* its numbers stay */
        if (failed)
            return -1;
        snprintf(w->marked, sizeof w->marked, "%s%u", at[i] == given->blocks ? "> " : "", at[i]);
        count++;
    }
    if (r->whole) {
        say(r, "\n");
        facts_say_rows(around, rows, count, sizeof rows[0], 2, r);
    }
    facts_json_rows(around, "around", rows, count, sizeof rows[0], &r->result);
    return 0;
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
    lab_explain(r, "waves", case_of(w), facts, w);
}
