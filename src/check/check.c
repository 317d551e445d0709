/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of checkers, and what is done with each of them in turn.
 */
#include "check/check.h"

const struct checker *const checkers[CHECKER_COUNT] = {
#define CHECKER(NAME, name) [CHECKER_##NAME] = &check_##name,
#include "check/checkers.def"
#undef CHECKER
};

unsigned check_all(void)
{
    unsigned set = 0;
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        set |= checkers[i]->extra ? 0 : 1u << i;
    return set;
}

/* ---- a device -------------------------------------------------------------------------- */

static unsigned number_of(const struct checker *c)
{
    unsigned i = 0;
    while (checkers[i] != c)
        i++;
    return i;
}

int checks_open(struct checks *k)
{
    *k = (struct checks){.kept = {NULL}};
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        if (checkers[i]->open && !(k->kept[i] = checkers[i]->open())) {
            checks_close(k);
            return -1;
        }
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        if (checkers[i]->form_of)
            k->kept[i] = k->kept[number_of(checkers[i]->form_of)];
    return 0;
}

void checks_close(struct checks *k)
{
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        if (checkers[i]->close && k->kept[i])
            checkers[i]->close(k->kept[i]);
    *k = (struct checks){.kept = {NULL}};
}

void checks_memory(struct checks *k, enum checked_memory what, uint64_t address, uint64_t bytes)
{
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        if (checkers[i]->memory)
            checkers[i]->memory(k->kept[i], what, address, bytes);
}

void checks_copied(struct checks *k, uint64_t to, const struct checks *other, uint64_t from)
{
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        if (checkers[i]->copied)
            checkers[i]->copied(k->kept[i], to, other->kept[i], from);
}

bool checks_have_value(const struct checks *k, uint64_t address, uint64_t bytes)
{
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        if (checkers[i]->has_value && !checkers[i]->has_value(k->kept[i], address, bytes))
            return false;
    return true;
}

/* ---- a launch -------------------------------------------------------------------------- */

/* The set without the checkers whose place another one of the set takes. */
static unsigned that_watch(unsigned set)
{
    unsigned watch = set;
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        if (set >> i & 1 && checkers[i]->form_of)
            watch &= ~(1u << number_of(checkers[i]->form_of));
    return watch;
}

/* The last checker of the list sees an access first. This decides the order of findings that are
 * made in one access. */
int checking_begin(struct checking *w, struct checks *k, unsigned set)
{
    const unsigned watch = that_watch(set);
    *w = (struct checking){.set = set};
    for (unsigned i = CHECKER_COUNT; i-- > 0;) {
        const struct checker *c = checkers[i];
        if (!(watch >> i & 1) && c->unwatched)
            c->unwatched(k->kept[i]);
        if (!(watch >> i & 1) || !c->hooks)
            continue;
        void *self = c->begin(k->kept[i], &w->found);
        if (!self)
            return -1;
        w->by[w->count] = c;
        w->observers[w->count++] = (struct sim_observer){c->hooks, self};
    }
    return 0;
}

void checking_settle(struct checking *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->by[i]->settle)
            w->by[i]->settle(&w->found);
}

void checking_end(struct checking *w, bool finished)
{
    for (unsigned i = 0; i < w->count; i++) {
        void *self = w->observers[i].self;
        w->partly = w->partly || (w->by[i]->partly && w->by[i]->partly(self));
        if (w->by[i]->end)
            w->by[i]->end(self, finished);
    }
    w->count = 0;
}

bool checking_tells(const struct checking *w, enum sim_fault_kind kind)
{
    for (unsigned i = 0; i < CHECKER_COUNT; i++)
        for (const enum sim_fault_kind *k = checkers[i]->simulated; k && *k != SIM_FAULT_NONE; k++)
            if (*k == kind)
                return w->set >> i & 1;
    return true;
}
