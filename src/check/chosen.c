/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a loaded value goes. This is asked only where a finding is about to be made, so that
 * looking at all instructions of a function is cheap enough.
 *
 * A copy or conversion is followed to where its result goes. Where a register is set in several
 * places, a use belongs to the one just before it in its block; without one, to all of them.
 */
#include "check/chosen.h"

#include "base/mem.h"

#include <string.h>

enum { DEEPEST = 8, MOST_ASKED = 64, ELEMENTS = 4 };
enum { UNKNOWN = 0, NO = 1, YES = 2, ADDS = 3, IN_STRUCT = 4 }; /* answers */

static const struct allocator *const from = &allocator_libc;

void chosen_begin(struct chosen *c, const struct sim_instruction *code, uint32_t count)
{
    *c = (struct chosen){.code = code, .count = count};
}

void chosen_end(struct chosen *c)
{
    for (unsigned i = 0; i < CHOSEN_QUESTIONS; i++)
        mem_free(from, c->answers[i], c->answers[i] ? c->count : 0);
    *c = (struct chosen){.code = NULL};
}

/* The answers to a question by pc; NULL: there is no room for them. */
static uint8_t *answers_to(struct chosen *c, enum chosen_question question)
{
    if (!c->answers[question])
        c->answers[question] = mem_alloc(from, c->count);
    return c->answers[question];
}

static uint8_t answer(struct chosen *c, enum chosen_question question, uint32_t pc);

/* The instructions of one function: they stand together. */
struct body {
    uint32_t first, end;
};

static struct body body_of(const struct chosen *c, uint32_t pc)
{
    const char *function = c->code[pc].function;
    struct body b = {pc, pc + 1};
    while (b.first && c->code[b.first - 1].function == function)
        b.first--;
    while (b.end < c->count && c->code[b.end].function == function)
        b.end++;
    return b;
}

/* ---- registers ------------------------------------------------------------------------- */

static const struct sim_operands no_operands;

static const struct sim_operands *operands_of(const struct sim_instruction *i)
{
    return i->operands ? i->operands : &no_operands;
}

static bool names(const uint32_t *list, uint32_t count, uint32_t reg)
{
    for (uint32_t k = 0; k < count; k++)
        if (list[k] == reg)
            return true;
    return false;
}

static bool uses(const struct sim_instruction *i, uint32_t reg)
{
    const struct sim_operands *o = operands_of(i);
    return names(o->number + o->written, o->read, reg);
}

/* Does the instruction always set the register? Under a guard the register may keep its value. */
static bool sets(const struct sim_instruction *i, uint32_t reg)
{
    const struct sim_operands *o = operands_of(i);
    return !o->guard && names(o->number, o->written, reg);
}

/* The k-th register that the instruction sets; 0: it sets none there. */
static uint32_t result_at(const struct sim_instruction *i, unsigned k)
{
    const struct sim_operands *o = operands_of(i);
    return k < o->written ? o->number[k] : 0;
}

/* ---- where a value goes ---------------------------------------------------------------- */

/* The code, and where a value should end: in selections, or else as it is in memory. */
struct use_search {
    const struct chosen *in;
    bool selections, whole; /* whole: not as one of the bytes that something is put together of */
};

#define OPERATION(name) (1u << SIM_OP_##name)
static bool one_of(const struct sim_instruction *i, unsigned operations)
{
    return i->operation != SIM_OP_OTHER && operations >> i->operation & 1;
}

static bool passes_on(const struct use_search *s, const struct sim_instruction *i)
{
    enum {
        PARTS = OPERATION(CVT) | OPERATION(AND) | OPERATION(SHL) | OPERATION(SHR) |
                OPERATION(BFE) | OPERATION(PRMT),
        BYTES = OPERATION(CVT) | OPERATION(AND) | OPERATION(SHL) | OPERATION(OR) |
                OPERATION(BFI) | OPERATION(PRMT)
    };
    if (i->operation == SIM_OP_MOV)
        return true;
    if (s->selections)
        return one_of(i, PARTS);
    return i->operation == SIM_OP_SELP || i->kind == SIM_CLASS_SHUFFLE ||
           (!s->whole && one_of(i, BYTES));
}

/* Does the instruction store the register's value, rather than use it as the address? */
static bool stores(const struct sim_instruction *i, uint32_t reg)
{
    return i->kind == SIM_CLASS_STORE && operands_of(i)->base != reg;
}

static bool results_chosen(const struct use_search *, const struct sim_instruction *, int depth,
                           bool *used);

/* Does the value end here, as it should, or is it handed on to where it does? */
static bool use_chosen(const struct use_search *s, const struct sim_instruction *user, uint32_t reg,
                       int depth, bool *used)
{
    *used = true;
    return (s->selections ? user->operation == SIM_OP_SELP : stores(user, reg)) ||
           (depth < DEEPEST && passes_on(s, user) && results_chosen(s, user, depth + 1, used));
}

/* Every use in the function of a register as `setter` left it. */
static bool register_chosen(const struct use_search *s, const struct sim_instruction *setter,
                            uint32_t reg, int depth, bool *used)
{
    const struct chosen *c = s->in;
    const struct sim_instruction *set_here = NULL; /* in this block */
    const struct body body = body_of(c, (uint32_t)(setter - c->code));
    for (uint32_t k = body.first; k < body.end; k++) {
        const struct sim_instruction *i = &c->code[k];
        bool ours = !set_here || set_here == setter;
        if (ours && uses(i, reg) && !use_chosen(s, i, reg, depth, used))
            return false;
        if (i->kind == SIM_CLASS_BRANCH || i->kind == SIM_CLASS_HIDDEN) /* lanes part, or meet */
            set_here = NULL;
        else if (sets(i, reg))
            set_here = i;
    }
    return true;
}

static bool results_chosen(const struct use_search *s, const struct sim_instruction *i, int depth,
                           bool *used)
{
    const struct sim_operands *o = operands_of(i);
    for (uint32_t k = 0; k < o->written; k++)
        if (o->number[k] && !register_chosen(s, i, o->number[k], depth, used))
            return false;
    return true;
}

/* Would a compiler load it ahead? */
static bool may_be_ahead(const struct sim_instruction *i)
{
    return i->kind == SIM_CLASS_LOAD && i->order != SIM_VOLATILE &&
           (i->space == SIM_SHARED || i->space == SIM_LOCAL || i->space == SIM_GENERIC);
}

static uint8_t find_only(struct chosen *c, uint32_t pc)
{
    const struct use_search s = {c, .selections = true};
    const struct sim_instruction *i = &c->code[pc];
    bool used = false;
    return may_be_ahead(i) && results_chosen(&s, i, 0, &used) && used ? YES : NO;
}

static bool has_bytes(const struct sim_instruction *i)
{
    return i->bytes == i->elements;
}

static bool element_copied(const struct chosen *c, const struct sim_instruction *i, unsigned k)
{
    const struct use_search s = {c, .whole = !has_bytes(i)};
    const uint32_t reg = result_at(i, k);
    bool used;
    return !reg || register_chosen(&s, i, reg, 0, &used);
}

static bool element_chosen(const struct chosen *c, const struct sim_instruction *i, unsigned k)
{
    const struct use_search s = {c, .selections = true};
    const uint32_t reg = may_be_ahead(i) ? result_at(i, k) : 0;
    bool used = false;
    return reg && register_chosen(&s, i, reg, 0, &used) && used;
}

typedef bool ask_element(const struct chosen *, const struct sim_instruction *, unsigned k);

/* An answer for each element of a vector: a bit for each one asked for, and 4 for yes. */
static bool answer_element(struct chosen *c, enum chosen_question question, uint32_t pc,
                           unsigned k, ask_element *ask)
{
    uint8_t *all = answers_to(c, question), *known = all && k < ELEMENTS ? all + pc : NULL;
    if (known && *known >> k & 1)
        return *known >> (k + ELEMENTS) & 1;
    bool yes = ask(c, &c->code[pc], k);
    if (known)
        *known |= (uint8_t)(1u << k | (unsigned)yes << (k + ELEMENTS));
    return yes;
}

bool chosen_copied(struct chosen *c, uint32_t pc, unsigned k)
{
    return answer_element(c, CHOSEN_COPIED, pc, k, element_copied);
}

bool chosen_element(struct chosen *c, uint32_t pc, unsigned k)
{
    return answer_element(c, CHOSEN_ELEMENT, pc, k, element_chosen);
}

/* Another load of the same line from the same register, from the k-th instruction on; NULL: there
 * is none. */
static const struct sim_instruction *companion(const struct chosen *c,
                                               const struct sim_instruction *i, uint32_t *k)
{
    const uint32_t base = operands_of(i)->base;
    const struct body body = body_of(c, (uint32_t)(i - c->code));
    *k = *k < body.first ? body.first : *k;
    while (base && *k < body.end) {
        const struct sim_instruction *other = &c->code[(*k)++];
        if (other != i && other->kind == SIM_CLASS_LOAD && other->line == i->line &&
            operands_of(other)->base == base)
            return other;
    }
    return NULL;
}

/* The most bytes of an element that a load of the same struct has: how the struct is aligned. */
static int64_t widest_companion(const struct chosen *c, const struct sim_instruction *i)
{
    const struct sim_instruction *other;
    int64_t widest = 1;
    for (uint32_t k = 0; (other = companion(c, i, &k));)
        if (other->bytes / other->elements > widest)
            widest = other->bytes / other->elements;
    return widest;
}

/* Is there one that is wider, where this one is of bytes, or one that covers this one? Or does this
 * one fill up what a member before it has left of the struct's alignment? */
static bool comes_along(const struct chosen *c, const struct sim_instruction *i)
{
    const struct sim_instruction *other;
    const int64_t wide = widest_companion(c, i), at = operands_of(i)->offset;
    const int64_t start = at - (at % wide + wide) % wide;
    for (uint32_t k = 0; (other = companion(c, i, &k));) {
        const int64_t there = other->operands->offset;
        if ((there <= at && at + i->bytes <= there + other->bytes) ||
            (has_bytes(i) && !has_bytes(other)) ||
            (start <= there && there < at && at + i->bytes <= start + wide))
            return true;
    }
    return false;
}

/* Bytes beside other bytes: so memcpy() copies a struct, and so a line of the student's may copy
 * characters. */
static bool beside_bytes(const struct chosen *c, const struct sim_instruction *i)
{
    const struct sim_instruction *other;
    const int64_t at = operands_of(i)->offset;
    for (uint32_t k = 0; has_bytes(i) && (other = companion(c, i, &k));) {
        const int64_t there = other->operands->offset;
        if (has_bytes(other) && (there + other->bytes == at || at + i->bytes == there))
            return true;
    }
    return false;
}

static uint8_t find_filler(struct chosen *c, uint32_t pc)
{
    const struct sim_instruction *i = &c->code[pc];
    if (i->kind != SIM_CLASS_LOAD)
        return NO;
    const uint8_t kind = comes_along(c, i) ? YES : beside_bytes(c, i) ? IN_STRUCT : NO;
    for (unsigned k = 0; k < ELEMENTS; k++)
        if (kind != NO && !element_copied(c, i, k))
            return NO;
    return kind;
}

bool chosen_filler(struct chosen *c, uint32_t pc, bool in_struct)
{
    const uint8_t kind = answer(c, CHOSEN_FILLER, pc);
    return kind == YES || (kind == IN_STRUCT && in_struct);
}

static uint8_t find_single(struct chosen *c, uint32_t pc)
{
    return companion(c, &c->code[pc], &(uint32_t){0}) ? NO : YES;
}

/* ---- loads that poll ------------------------------------------------------------------- */

struct polling {
    const struct chosen *c;
    struct body body;
    uint32_t load;
    uint32_t asked[MOST_ASKED]; /* instructions that were looked at */
    unsigned count;
};

/* False: it was looked at before, or too many were. */
static bool asks(struct polling *p, uint32_t pc)
{
    if (p->count == MOST_ASKED || names(p->asked, p->count, pc))
        return false;
    p->asked[p->count++] = pc;
    return true;
}

/* Does a branch, taken or not, leave a loop that the load is in? */
static bool ends_loop(const struct polling *p, uint32_t branch)
{
    const struct sim_instruction *code = p->c->code;
    for (uint32_t i = p->load; i < p->body.end; i++) {
        uint32_t top = code[i].target;
        if (code[i].kind != SIM_CLASS_BRANCH || top > p->load || top > branch || branch > i)
            continue;
        if (branch == i || code[branch].target < top || code[branch].target > i)
            return true;
    }
    return false;
}

/* Does what an instruction sets decide such a branch, by itself or through what is computed? */
static bool decides(struct polling *p, uint32_t setter)
{
    const struct sim_operands *o = operands_of(&p->c->code[setter]);
    if (!asks(p, setter))
        return false;
    for (uint32_t r = 0; r < o->written; r++)
        for (uint32_t k = p->body.first; o->number[r] && k < p->body.end; k++) {
            const struct sim_instruction *i = &p->c->code[k];
            if (i->kind == SIM_CLASS_BRANCH && operands_of(i)->guard == o->number[r] &&
                ends_loop(p, k))
                return true;
            if (i->kind == SIM_CLASS_ALU && k != setter && uses(i, o->number[r]) && decides(p, k))
                return true;
        }
    return false;
}

static uint8_t find_polls(struct chosen *c, uint32_t pc)
{
    struct polling p = {.c = c, .body = body_of(c, pc), .load = pc};
    return decides(&p, pc) ? YES : NO;
}

static uint8_t find_waits(struct chosen *c, uint32_t pc)
{
    const struct body body = body_of(c, pc);
    for (uint32_t k = body.first; k < body.end; k++) {
        const struct sim_instruction *i = &c->code[k];
        if ((i->kind == SIM_CLASS_ATOMIC || i->kind == SIM_CLASS_LOAD) &&
            chosen_is(c, CHOSEN_POLLS, k))
            return YES;
    }
    return NO;
}

static uint8_t find_unused(struct chosen *c, uint32_t pc)
{
    const struct body body = body_of(c, pc);
    const struct sim_operands *o = operands_of(&c->code[pc]);
    for (uint32_t r = 0; r < o->written; r++)
        for (uint32_t k = body.first; o->number[r] && k < body.end; k++)
            if (uses(&c->code[k], o->number[r]))
                return NO;
    return YES;
}

/* ---- updates --------------------------------------------------------------------------- */

/* A plain load or store of one number. */
static bool is_plain(const struct sim_instruction *i)
{
    return (i->kind == SIM_CLASS_LOAD || i->kind == SIM_CLASS_STORE) && !i->async &&
           i->elements == 1 && (i->bytes == 4 || i->bytes == 8);
}

/* Do both reach one place, by what the same source line says? */
static bool same_place(const struct sim_instruction *a, const struct sim_instruction *b)
{
    const struct sim_operands *x = operands_of(a), *y = operands_of(b);
    return is_plain(a) && is_plain(b) && x->base == y->base && x->symbol == y->symbol &&
           x->offset == y->offset && a->bytes == b->bytes && a->line && a->line == b->line;
}

/* Does an atomic exist that does the same to the register? A product must be added to the
 * register. */
static bool adds_to(const struct sim_instruction *i, uint32_t reg)
{
    enum {
        ONE_STEP = OPERATION(ADD) | OPERATION(SUB) | OPERATION(MIN) | OPERATION(MAX) |
                   OPERATION(AND) | OPERATION(OR) | OPERATION(XOR)
    };
    const struct sim_operands *o = operands_of(i);
    const uint32_t *read = o->number + o->written;
    const bool last = o->read && read[o->read - 1] == reg;
    if (i->operation == SIM_OP_FMA || i->operation == SIM_OP_MAD)
        return last && !names(read, o->read - 1, reg);
    if (i->operation == SIM_OP_SUB && last)
        return false;
    return one_of(i, ONE_STEP) && uses(i, reg);
}

/* Does the store keep what such a step makes of the register that the load has set? */
static bool keeps_sum(const struct chosen *c, uint32_t load, uint32_t store)
{
    enum { VALUE = 1 }; /* of what a store reads: behind the address */
    const struct sim_operands *o = operands_of(&c->code[store]);
    const uint32_t got = result_at(&c->code[load], 0);
    const uint32_t kept = o->read > VALUE ? o->number[o->written + VALUE] : 0;
    for (uint32_t k = store; got && kept && k-- > load;)
        if (sets(&c->code[k], kept))
            return adds_to(&c->code[k], got);
    return false;
}

static uint8_t find_update(struct chosen *c, uint32_t pc)
{
    const bool stores_it = c->code[pc].kind == SIM_CLASS_STORE;
    const struct body body = body_of(c, pc);
    uint8_t found = NO;
    for (uint32_t k = body.first; k < body.end; k++) {
        uint32_t load = stores_it ? k : pc, store = stores_it ? pc : k;
        if (load < store && c->code[load].kind == SIM_CLASS_LOAD &&
            c->code[store].kind == SIM_CLASS_STORE && same_place(&c->code[load], &c->code[store]))
            found = found != YES && keeps_sum(c, load, store) ? ADDS : YES;
    }
    return found;
}

bool chosen_update(struct chosen *c, uint32_t pc, bool *adds)
{
    const uint8_t update = answer(c, CHOSEN_UPDATE, pc);
    *adds = update == ADDS;
    return update != NO;
}

/* ---- questions ------------------------------------------------------------------------- */

static uint8_t answer(struct chosen *c, enum chosen_question question, uint32_t pc)
{
    static uint8_t (*const find[CHOSEN_QUESTIONS])(struct chosen *, uint32_t pc) = {
        [CHOSEN_ONLY] = find_only,   [CHOSEN_FILLER] = find_filler, [CHOSEN_SINGLE] = find_single,
        [CHOSEN_POLLS] = find_polls, [CHOSEN_WAITS] = find_waits,   [CHOSEN_UNUSED] = find_unused,
        [CHOSEN_UPDATE] = find_update};
    uint8_t *known = answers_to(c, question);
    if (known && known[pc] != UNKNOWN)
        return known[pc];
    uint8_t found = find[question](c, pc);
    if (known)
        known[pc] = found;
    return found;
}

bool chosen_is(struct chosen *c, enum chosen_question question, uint32_t pc)
{
    return answer(c, question, pc) == YES;
}
