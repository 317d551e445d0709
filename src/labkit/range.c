/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A launch with each seed of a range, the results in groups.
 */
#include "labkit/range.h"

#include "base/hash.h"
#include "screen/facts.h"
#include "own/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The digest does not depend on the order of the lines. */
static uint64_t prints_digest(const struct launch_result *result)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < result->print_count; i++) {
        const struct launch_print *p = &result->prints[i];
        sum += hash_bytes(p->block * 31 + p->thread, p->text, p->length);
    }
    return sum;
}

static const char *first_fault(const struct launch_result *result)
{
    for (unsigned i = 0; i < result->fault_count; i++)
        if (!result->faults[i].benign)
            return result->faults[i].kind;
    return "";
}

/* No result is called the right one: the first seed's may be wrong as well. */
static void difference_text(const struct schedule_range *range, const struct snapshot_difference *d,
                            char *out, size_t size)
{
    char was[NUM_TEXT], is[NUM_TEXT];
    if (!d->of)
        return;
    snprintf(out, size, "%.40s[%" PRIu64 "] is %s; under %s:%" PRIu64 " it is %s", d->of->name,
             d->index, element_text(d->of->type, d->is, is), range->name, range->first,
             element_text(d->of->type, d->was, was));
}

static void add_to_group(struct range_result *all, uint64_t seed, uint64_t digest,
                         const char *fault, const struct snapshot_difference *d)
{
    unsigned i = 0;
    all->runs++;
    all->worked += !fault[0];
    while (i < all->group_count &&
           (all->groups[i].digest != digest || strcmp(all->groups[i].fault, fault) != 0))
        i++;
    if (i == RANGE_GROUPS) {
        all->others++;
        return;
    }
    struct range_group *g = &all->groups[i];
    if (i == all->group_count) {
        all->group_count++;
        *g = (struct range_group){.first = seed, .digest = digest, .ok = !fault[0]};
        snprintf(g->fault, sizeof g->fault, "%s", fault);
        difference_text(&all->range, d, g->difference, sizeof g->difference);
    }
    g->runs++;
}

struct both {
    struct snapshot before, after; /* the first run */
};

static int one_more(struct session *s, struct launch_want *want, uint64_t seed, struct both *kept,
                    struct range_result *all, struct report *r)
{
    struct launch_how how = *want->how;
    struct launch_want again = *want;
    struct launch_result result = {0};
    struct snapshot_difference d;
    uint64_t digest;
    how.seed = seed;
    how.trace_warp = -1;
    how.by_line = false;
    again.how = &how;
    if (snapshot_put_back(s, &kept->before, r) || session_launch(s, &again, true, &result, r))
        return -1;
    int failed = snapshot_compare(s, &kept->after, &d, &digest, r);
    if (!failed) {
        add_to_group(all, seed, digest ^ prints_digest(&result), first_fault(&result), &d);
        failed = report_found(r, &result);
    }
    launch_result_free(&result);
    return failed;
}

static int first_one(struct session *s, struct launch_want *want, struct both *kept,
                     struct launch_result *result, struct range_result *all, struct report *r)
{
    struct snapshot_difference d;
    uint64_t digest;
    if (session_launch(s, want, false, result, r) != 0)
        return -1;
    if (snapshot_take(s, &kept->after, r) || snapshot_compare(s, &kept->after, &d, &digest, r)) {
        launch_result_free(result);
        return -1;
    }
    add_to_group(all, all->range.first, digest ^ prints_digest(result), first_fault(result), &d);
    return 0;
}

int range_launch(struct session *s, struct launch_want *want, const struct schedule_range *range,
                 struct launch_result *first, struct range_result *all, struct report *r)
{
    struct both kept = {.after = {.copies = NULL}};
    *all = (struct range_result){.range = *range};
    if (snapshot_take(s, &kept.before, r))
        return -1;
    int failed = first_one(s, want, &kept, first, all, r);
    for (uint64_t i = 1; !failed && i < range->runs && !s->stop; i++) {
        failed = one_more(s, want, range->first + i, &kept, all, r);
        if (failed)
            launch_result_free(first);
    }
    snapshot_drop(s, &kept.after);
    snapshot_drop(s, &kept.before);
    return failed;
}

/* ---- what is said ----------------------------------------------------------------------- */

static const struct fact group_facts[] = {
    {FACT(struct range_group, first)},
    {FACT(struct range_group, runs)},
    {FACT(struct range_group, ok)},
    {FACT(struct range_group, fault), .if_set = true},
    {FACT(struct range_group, difference), .if_set = true},
    {.name = NULL},
};

static void put_range(struct json *j, const struct range_result *all)
{
    json_object(j, "range");
    json_text(j, "schedule", all->range.name);
    json_uint(j, "runs", all->runs);
    json_uint(j, "ok", all->worked);
    json_uint(j, "results", all->group_count);
    facts_json_rows(group_facts, "groups", all->groups, all->group_count, sizeof all->groups[0], j);
    json_end_object(j);
}

/* Do runs without a fault differ in their results? Then not all of them can be right. */
static bool differ_unfound(const struct range_result *all)
{
    unsigned results = 0;
    for (unsigned i = 0; i < all->group_count; i++)
        results += all->groups[i].ok;
    return results > 1;
}

void say_range(struct report *r, const struct range_result *all)
{
    static const struct table_column columns[] = {
        {.head = "first under"}, {.head = "runs", .right = true}, {.head = ""},
        {.head = "", .folds = true}};
    struct table table;
    put_range(&r->result, all);
    const bool differ = differ_unfound(all);
    say_item(r, "", "%s:%" PRIu64 "..%" PRIu64 ": %s in %" PRIu64 " of %" PRIu64 " schedules%s",
             all->range.name, all->range.first, all->range.first + all->range.runs - 1,
             differ ? "no mistake was found" : "it worked", all->worked, all->runs,
             differ                     ? ", but the results differ"
             : all->group_count == 1 ? ", always with the same results"
                                        : "");
    table_begin(&table, columns, sizeof columns / sizeof columns[0], 2);
    for (unsigned i = 0; i < all->group_count; i++) {
        const struct range_group *g = &all->groups[i];
        table_cell(&table, "%s:%" PRIu64, all->range.name, g->first);
        table_cell(&table, "%" PRIu64, g->runs);
        table_cell_in(&table, g->fault[0] ? INK_BAD : INK_PLAIN, "%s",
                      g->fault[0] ? g->fault : differ ? "no mistake found" : "worked");
        table_cell(&table, "%s", g->difference);
    }
    say_table(r, &table);
    if (all->others)
        say_item(r, "", "and %" PRIu64 " runs with still other results", all->others);
}
