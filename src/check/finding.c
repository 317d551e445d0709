/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of findings, and the words that all of them share: who, and which array's element.
 */
#include "check/finding.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 1000 };

void findings_free(struct findings *f)
{
    mem_free(&allocator_libc, f->items, f->capacity * sizeof *f->items);
    *f = (struct findings){0};
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Instructions of one source line are one place; without lines each stands for itself. */
static bool same_place(const struct sim_place *p, int ptx_line, const struct sim_instruction *i)
{
    return p->line == i->line && (i->line ? same_text(p->file, i->file) : ptx_line == i->ptx_line);
}

/* At most MOST findings are searched, and only for a pair that findings_pair() does not
 * remember. */
static struct finding *find_known(struct findings *f, const struct finding_kind *kind,
                             const struct finding_side *at, const struct finding_side *other)
{
    for (size_t k = 0; k < f->count; k++) {
        const struct sim_fault *one = &f->items[k].fault;
        if (f->items[k].kind == kind && same_place(&one->at, one->ptx_line, at->code) &&
            one->has_other == (other != NULL) &&
            (!other || same_place(&one->other, other->code->ptx_line, other->code)))
            return &f->items[k];
    }
    return NULL;
}

static void set_side(struct sim_place *p, const struct finding_side *s)
{
    p->file = s->code->file;
    p->line = s->code->line;
    memcpy(p->block, s->block, sizeof p->block);
    memcpy(p->thread, s->thread, sizeof p->thread);
}

static struct finding *add_finding(struct findings *f, const struct finding_kind *kind,
                           const struct finding_side *at, const struct finding_side *other,
                           uint64_t when)
{
    if (f->count >= MOST || mem_grow(&allocator_libc, (void **)&f->items, &f->capacity, f->count,
                                     sizeof *f->items) < 0) {
        f->lost = true;
        return NULL;
    }
    struct finding *one = &f->items[f->count++];
    *one = (struct finding){.kind = kind,
                            .fault = {.has_place = true,
                                      .has_other = other != NULL,
                                      .in_child = f->in_child,
                                      .ptx_line = at->code->ptx_line,
                                      .when = when}};
    set_side(&one->fault.at, at);
    if (other)
        set_side(&one->fault.other, other);
    return one;
}

struct finding *findings_add(struct findings *f, const struct finding_kind *kind,
                             const struct finding_side *at, const struct finding_side *other,
                             uint64_t when, bool *fresh)
{
    struct finding_pair *p = findings_pair(f, kind, at->code, other ? other->code : NULL);
    struct finding *one = p->seen ? findings_of(f, p) : find_known(f, kind, at, other);
    *fresh = !one && !p->seen;
    if (*fresh)
        one = add_finding(f, kind, at, other, when);
    p->seen = true;
    p->lost = !one;
    p->number = one ? (size_t)(one - f->items) : 0;
    if (one)
        one->fault.count++;
    return one;
}

bool findings_tell(const struct findings *f, size_t i)
{
    const struct finding *own = &f->items[i];
    if (own->merged)
        return false;
    for (size_t k = 0; own->kind->told_by && k < f->count; k++)
        if (own->kind->told_by(own, &f->items[k]))
            return false;
    return true;
}

void finding_thread(const unsigned size[3], unsigned number, unsigned thread[3])
{
    thread[0] = number % size[0];
    thread[1] = number / size[0] % size[1];
    thread[2] = number / size[0] / size[1];
}

void finding_block(const unsigned grid[3], uint64_t number, unsigned block[3])
{
    block[0] = (unsigned)(number % grid[0]);
    block[1] = (unsigned)(number / grid[0] % grid[1]);
    block[2] = (unsigned)(number / grid[0] / grid[1]);
}

/* ---- words ----------------------------------------------------------------------------- */

void finding_name(struct sim_run *run, enum sim_space space, uint64_t address, unsigned bytes,
                  struct sim_fault *f, char out[FINDING_NAME])
{
    sim_element_at(run, space == SIM_CLUSTER ? SIM_SHARED : space, address, bytes, f);
    f->has_address = space == SIM_GLOBAL;
    f->address = address;
    if (!f->array) {
        snprintf(out, FINDING_NAME, "%u bytes of %s memory", bytes,
                 space == SIM_SHARED    ? "the block's shared"
                 : space == SIM_CLUSTER ? "another block's shared"
                 : space == SIM_LOCAL   ? "its local"
                                        : "global");
        return;
    }
    snprintf(out, FINDING_NAME, "%s", f->element);
}

static bool is_one_number(const unsigned at[3])
{
    return !at[1] && !at[2];
}

static int put_dims(char *out, size_t size, const char *what, const unsigned at[3], bool in_full)
{
    if (in_full || !is_one_number(at))
        return snprintf(out, size, "%s (%u,%u,%u)", what, at[0], at[1], at[2]);
    return snprintf(out, size, "%s %u", what, at[0]);
}

void finding_who(const struct sim_place *p, const struct sim_place *beside, bool with_block,
                 char out[64])
{
    const bool threads = beside && !is_one_number(beside->thread);
    const bool blocks = beside && !is_one_number(beside->block);
    int n = put_dims(out, 64, "thread", p->thread, threads);
    if (with_block && n > 0 && n < 60)
        put_dims(out + n, 64 - (size_t)n, " of block", p->block, blocks);
}

void finding_owner(const unsigned grid[3], uint64_t block, char name[FINDING_NAME])
{
    unsigned at[3];
    size_t n = strlen(name);
    finding_block(grid, block, at);
    put_dims(name + n, FINDING_NAME - n, " of block", at, false);
}
