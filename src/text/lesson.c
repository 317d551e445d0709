/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lesson explains a finding. It says why it happened, with the names of this run. Then it says
 * which change fixes it, and what to try. The words are in help/findings.txt. They are in a section
 * for the cure, or, if the finding has no cure, in a section for the kind of fault.
 */
#include "text/explain.h"

#include <stdio.h>
#include <string.h>

static const char file[] = "findings";

/* What the sections' slots can say. */
struct lesson {
    char first[64], second[64]; /* "thread 5"; first: of the access that came later */
    char opening[64];           /* `first` at the beginning of a sentence */
    const char *element, *kind, *barrier;
    int line, other, condition; /* line: of the first; other: of the second, or 0 */
    const char *way, *index, *width, *size, *compared;
    uint64_t elements, threads, given;
    bool has_barrier, own_array;
    const char *array;
    int upper, lower;           /* the same two as they stand in the file */
    bool one_line, two_lines, others; /* one_line: both are on `line`; neither: a line is not known */
    const char *atomic; /* "atomicMax" */
    int waits;
    uint64_t given_bytes, needed_bytes;
    int64_t at, below; /* of an index that is out of bounds */
    char place[400]; /* where the barrier goes */
    uint64_t count;
};

static const struct fact facts[] = {
    {FACT(struct lesson, first)},
    {FACT(struct lesson, second)},
    {FACT(struct lesson, opening)},
    {FACT(struct lesson, element)},
    {FACT(struct lesson, kind)},
    {FACT(struct lesson, barrier), .if_set = true},
    {FACT(struct lesson, line), .if_set = true},
    {FACT(struct lesson, other), .if_set = true},
    {FACT(struct lesson, upper), .if_set = true},
    {FACT(struct lesson, lower), .if_set = true},
    {FACT(struct lesson, condition), .if_set = true},
    {FACT(struct lesson, way), .if_set = true},
    {FACT(struct lesson, index), .if_set = true},
    {FACT(struct lesson, width), .if_set = true},
    {FACT(struct lesson, size), .if_set = true},
    {FACT(struct lesson, compared), .if_set = true},
    {FACT(struct lesson, given), .as = AS_GROUP},
    {FACT(struct lesson, elements), .as = AS_GROUP},
    {FACT(struct lesson, threads), .as = AS_GROUP},
    {FACT(struct lesson, has_barrier)},
    {FACT(struct lesson, own_array)},
    {FACT(struct lesson, array)},
    {FACT(struct lesson, one_line)},
    {FACT(struct lesson, two_lines)},
    {FACT(struct lesson, others)},
    {FACT(struct lesson, atomic), .if_set = true},
    {FACT(struct lesson, waits), .if_set = true},
    {FACT(struct lesson, given_bytes), .as = AS_GROUP},
    {FACT(struct lesson, needed_bytes), .as = AS_GROUP, .if_set = true},
    {FACT(struct lesson, at)},
    {FACT(struct lesson, below)},
    {FACT(struct lesson, place), .if_set = true},
    {FACT(struct lesson, count), .as = AS_GROUP},
    {.label = NULL},
};

static const char *barrier_of(const struct fault *f)
{
    static const struct { const char *cure, *barrier; } all[] = {
        {"syncwarp", "__syncwarp()"}, {"syncthreads", "__syncthreads()"},
        {"cluster-sync", "cluster.sync()"}, {"grid-sync", "grid.sync()"}};
    for (unsigned i = 0; f->cure && i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].cure, f->cure) == 0)
            return all[i].barrier;
    return NULL;
}

static bool has_section(const char *name)
{
    size_t n;
    return name && help_section(file, "why", name, &n);
}

static bool has_more_threads(const struct fault *f)
{
    return f->cause.elements && f->cause.threads > f->cause.elements;
}

/* An atomic operation that stores only on a condition; NULL: it does something else. */
static const char *atomic_of(const struct fault *f)
{
    static const struct { const char *where, *atomic; } all[] = {
        {"larger", "atomicMax"}, {"smaller", "atomicMin"}, {"condition", "atomicCAS"}};
    for (unsigned i = 0; f->where && i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].where, f->where) == 0)
            return all[i].atomic;
    return NULL;
}

/* An index that is below 0: by so much. What is unsigned has gone round. 0: it is not. */
static int64_t below_zero(const struct fault *f)
{
    const int64_t round = INT64_C(1) << 32, most = 1 << 20;
    return f->index < 0                                    ? -f->index
           : f->index < round && f->index >= round - most ? round - f->index
                                                            : 0;
}

/* Of an index outside: below 0; in memory whose size no launch decides; in a row; NULL: else. */
static const char *section_of_index(const struct fault *f)
{
    if (strcmp(f->kind, "out-of-bounds") != 0 || !f->cure || strcmp(f->cure, "bounds") != 0)
        return NULL;
    return f->index < 0 ? "bounds-start" : below_zero(f) ? "bounds-wrap"
           : f->in_shared ? "bounds-shared"
           : strcmp(f->array, "memory from malloc") == 0 ? "bounds-malloc"
           : f->cause.width[0] ? "bounds-row" : NULL;
}

/* Cures that differ in more than a barrier's place have sections of their own. */
static const char *special_section(const struct fault *f)
{
    static const struct { const char *cure, *where, *section; } all[] = {
        {"grid-sync", "split", "second-array"},
        {"grid-sync", "counter", "last-block"},
        {"atomic", "flag", "atomic-flag"},
        {"atomic", "again", "atomic-read"},
        {"atomic", "guess", "atomic-guess"}};
    if (f->cure && strcmp(f->cure, "grid-sync") == 0 && f->syncs_grid)
        return "grid-sync-here";
    for (unsigned i = 0; f->cure && f->where && i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].cure, f->cure) == 0 && strcmp(all[i].where, f->where) == 0)
            return all[i].section;
    if (f->cure && strcmp(f->cure, "atomic") == 0 && atomic_of(f))
        return "atomic-test";
    return f->in_shared && strcmp(f->kind, "uninitialized") == 0 ? "unwritten-shared" : NULL;
}

static const char *section_of(const struct fault *f)
{
    if (f->cause.way)
        return strcmp(f->cause.way, "loop") == 0 ? "barrier-loop" : "barrier-return";
    if (section_of_index(f))
        return section_of_index(f);
    if (f->cause.compared[0])
        return "bounds-number";
    if (has_more_threads(f))
        return "bounds-threads";
    if (f->cause.index[0] && f->cause.size[0])
        return "bounds-size";
    if (special_section(f))
        return special_section(f);
    return has_section(f->cure) ? f->cure : has_section(f->kind) ? f->kind : NULL;
}

static bool is_one_number(const unsigned at[3])
{
    return !at[1] && !at[2];
}

/* Both threads of a lesson are written alike: each as one number, or each as three. */
static void put_thread(const struct fault_place *p, const struct fault_place *beside,
                       bool with_block, char *out, size_t size)
{
    const bool threads = is_one_number(p->thread) && is_one_number(beside->thread);
    const bool blocks = is_one_number(p->block) && is_one_number(beside->block);
    struct buf text = {0};
    buf_printf(&text, threads ? "thread %u" : "thread (%u,%u,%u)",
               p->thread[0], p->thread[1], p->thread[2]);
    if (with_block)
        buf_printf(&text, !blocks ? " of block (%u,%u,%u)" : " of block %u",
                   p->block[0], p->block[1], p->block[2]);
    snprintf(out, size, "%s", buf_text(&text));
    buf_free(&text);
}

static void fill_in(struct lesson *l, const struct fault *f, struct slots *s)
{
    const bool apart = memcmp(f->at.block, f->other.block, sizeof f->at.block) != 0;
    *l = (struct lesson){.element = f->element[0]  ? f->element
                                    : f->array[0] ? f->array
                                                  : "the memory",
                         .first = "a thread", /* on a GPU it is not known which thread it was */
                         .second = "another thread",
                         .kind = f->kind,
                         .barrier = barrier_of(f),
                         .line = f->at.line,
                         .other = f->has_other ? f->other.line : 0,
                         .condition = f->condition,
                         .way = f->cause.way,
                         .index = f->cause.index,
                         .width = f->cause.width,
                         .size = f->cause.size,
                         .compared = f->cause.compared,
                         .given = f->cause.given,
                         .elements = f->cause.elements,
                         .threads = f->cause.threads,
                         .has_barrier = f->cause.has_barrier,
                         .own_array = f->cause.own_array,
                         .array = f->array,
                         .one_line = f->has_other && f->at.line && f->other.line == f->at.line,
                         .others = f->others,
                         .atomic = atomic_of(f),
                         .waits = f->waits,
                         .given_bytes = f->given_bytes,
                         .needed_bytes = f->needed_bytes,
                         .at = f->index,
                         .below = below_zero(f),
                         .count = f->count};
    if (f->has_place)
        put_thread(&f->at, f->has_other ? &f->other : &f->at, f->has_other && apart, l->first,
                   sizeof l->first);
    if (f->has_other)
        put_thread(&f->other, &f->at, apart, l->second, sizeof l->second);
    snprintf(l->opening, sizeof l->opening, "%s", l->first);
    l->opening[0] = f->has_place ? 'T' : 'A';
    l->two_lines = l->line && l->other && l->line != l->other;
    l->upper = l->other && l->other < l->line ? l->other : l->line;
    l->lower = l->other > l->line ? l->other : l->line;
    slots_facts(s, facts, l);
    struct buf place = {0};
    const bool known = f->where && l->barrier && l->line && l->other;
    if (l->barrier)
        snprintf(l->place, sizeof l->place, "Put %s between the two accesses.", l->barrier);
    if (known && help_filled(&place, file, "place", f->where, s) == 0)
        snprintf(l->place, sizeof l->place, "%s", buf_text(&place));
    buf_free(&place);
}

static bool same_lesson(const struct fault *a, const struct fault *b)
{
    const char *one = section_of(a), *other = section_of(b);
    return one && other && strcmp(one, other) == 0;
}

static bool was_said(const struct report *r, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (same_lesson(&r->faults[k], &r->faults[i]))
            return true;
    return false;
}

void lessons_say(struct report *r)
{
    struct told *told = r->told;
    bool first = true;
    r->told = NULL; /* each run has other threads and lines */
    for (unsigned i = 0; i < r->fault_count; i++) {
        const struct fault *f = &r->faults[i];
        const char *section = section_of(f);
        struct lesson l;
        struct slots s = {0};
        if (!section || was_said(r, i))
            continue;
        fill_in(&l, f, &s);
        r->briefly = !first && !r->whole && !f->ends;
        explain_why(r, file, section, &s);
        r->briefly = !first && !r->whole;
        explain_try(r, file, "lesson", &s);
        first = false;
    }
    r->briefly = false;
    r->told = told;
}
