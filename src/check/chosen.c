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

/* ---- loads that decide ----------------------------------------------------------------- */

/* Does a value decide whether the instruction at pc leads away? */
struct deciding {
    const struct chosen *c;
    struct body body;
    uint32_t load, store; /* store: what is skipped; only where that is asked */
    bool (*leads_away)(const struct deciding *, uint32_t pc);
    uint32_t asked[MOST_ASKED]; /* instructions that were looked at */
    unsigned count;
};

/* False: it was looked at before, or too many were. */
static bool asks(struct deciding *p, uint32_t pc)
{
    if (p->count == MOST_ASKED || names(p->asked, p->count, pc))
        return false;
    p->asked[p->count++] = pc;
    return true;
}

/* Does a branch, taken or not, leave a loop that the load is in? */
static bool ends_loop(const struct deciding *p, uint32_t branch)
{
    const struct sim_instruction *code = p->c->code;
    for (uint32_t i = p->load; code[branch].kind == SIM_CLASS_BRANCH && i < p->body.end; i++) {
        uint32_t top = code[i].target;
        if (code[i].kind != SIM_CLASS_BRANCH || top > p->load || top > branch || branch > i)
            continue;
        if (branch == i || code[branch].target < top || code[branch].target > i)
            return true;
    }
    return false;
}

/* Does a branch lead into a loop that does nothing? The compiler makes `while (*flag == 0);` of a
 * plain variable so: it reads the variable once, and then waits for ever or not at all. */
static bool enters_empty_loop(const struct deciding *p, uint32_t branch)
{
    const struct sim_instruction *code = p->c->code;
    const uint32_t target = code[branch].target;
    return code[branch].kind == SIM_CLASS_BRANCH && code[target].kind == SIM_CLASS_BRANCH &&
           code[target].target == target && !operands_of(&code[target])->guard;
}

/* Does a branch, taken or not, lead past the store? The store may have the guard itself. */
static bool skips_store(const struct deciding *p, uint32_t pc)
{
    const struct sim_instruction *code = p->c->code, *next = &code[pc + 1];
    if (pc == p->store)
        return true;
    if (code[pc].kind != SIM_CLASS_BRANCH || pc < p->load || pc > p->store)
        return false;
    return code[pc].target > p->store ||
           (pc + 1 < p->store && code[pc].target > pc + 1 && !operands_of(next)->guard &&
            (next->kind == SIM_CLASS_EXIT ||
             (next->kind == SIM_CLASS_BRANCH && next->target > p->store)));
}

/* Does what an instruction sets decide this, by itself or through what is computed? */
static bool decides(struct deciding *p, uint32_t setter)
{
    const struct sim_operands *o = operands_of(&p->c->code[setter]);
    if (!asks(p, setter))
        return false;
    for (uint32_t r = 0; r < o->written; r++)
        for (uint32_t k = p->body.first; o->number[r] && k < p->body.end; k++) {
            const struct sim_instruction *i = &p->c->code[k];
            if (operands_of(i)->guard == o->number[r] && p->leads_away(p, k))
                return true;
            if (i->kind == SIM_CLASS_ALU && k != setter && uses(i, o->number[r]) && decides(p, k))
                return true;
        }
    return false;
}

static uint8_t find_polls(struct chosen *c, uint32_t pc)
{
    struct deciding p = {.c = c, .body = body_of(c, pc), .load = pc, .leads_away = ends_loop};
    return decides(&p, pc) ? YES : NO;
}

/* The innermost loop around pc: its last instruction; 0: there is none. */
static uint32_t loop_end(const struct chosen *c, uint32_t pc)
{
    const struct body body = body_of(c, pc);
    for (uint32_t k = pc; k < body.end; k++)
        if (c->code[k].kind == SIM_CLASS_BRANCH && c->code[k].target <= pc)
            return k;
    return 0;
}

/* Does the loop around a load look at this value alone? */
static bool looks_only(const struct chosen *c, uint32_t pc)
{
    const uint32_t end = loop_end(c, pc);
    for (uint32_t k = end ? c->code[end].target : 0; k < end; k++) {
        const struct sim_instruction *i = &c->code[k];
        if (k != pc && (i->kind == SIM_CLASS_LOAD || i->kind == SIM_CLASS_STORE ||
                        i->kind == SIM_CLASS_BARRIER))
            return false;
    }
    return true;
}

/* Does a loop take a lock by this atomic, or look at a flag by it? An atomic that computes a new
 * value of the one that it found before is an update that is tried again. */
static bool takes_or_looks(const struct chosen *c, uint32_t pc)
{
    const struct sim_instruction *i = &c->code[pc];
    const struct sim_operands *o = operands_of(i);
    const size_t n = strlen(i->text);
    const bool by_zero = n > 4 && strcmp(i->text + n - 4, ", 0;") == 0;
    if (!strstr(i->text, ".cas.") && !strstr(i->text, ".exch.") && !by_zero)
        return false;
    for (uint32_t k = loop_end(c, pc); k > pc; k--)
        for (uint32_t r = 0; r < o->read; r++)
            if (o->number[o->written + r] && sets(&c->code[k], o->number[o->written + r]))
                return false;
    return true;
}

static bool waits_for_ever(const struct chosen *c, uint32_t load)
{
    struct deciding p = {
        .c = c, .body = body_of(c, load), .load = load, .leads_away = enters_empty_loop};
    return c->code[load].kind == SIM_CLASS_LOAD && decides(&p, load);
}

/* grid.sync() waits in a loop too. That is a barrier, and no lock or flag of the student's. */
static uint8_t find_spins(struct chosen *c, uint32_t pc)
{
    const enum sim_class kind = c->code[pc].kind;
    if (c->code[pc].group_sync)
        return NO;
    if (waits_for_ever(c, pc))
        return YES;
    if ((kind != SIM_CLASS_LOAD && kind != SIM_CLASS_ATOMIC) || !chosen_is(c, CHOSEN_POLLS, pc))
        return NO;
    return (kind == SIM_CLASS_LOAD ? looks_only(c, pc) : takes_or_looks(c, pc)) ? YES : NO;
}

bool chosen_waits_at(struct chosen *c, uint32_t pc, uint32_t *loop)
{
    const struct body body = body_of(c, pc);
    for (*loop = body.first; *loop < body.end; ++*loop)
        if (chosen_is(c, CHOSEN_SPINS, *loop))
            return true;
    return false;
}

static uint8_t find_waits(struct chosen *c, uint32_t pc)
{
    const struct body body = body_of(c, pc);
    for (uint32_t k = body.first; k < body.end; k++) {
        const struct sim_instruction *i = &c->code[k];
        if ((i->kind == SIM_CLASS_ATOMIC || i->kind == SIM_CLASS_LOAD) && !i->group_sync &&
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

/* ---- tests ----------------------------------------------------------------------------- */

bool chosen_one_place(const struct chosen *c, uint32_t a, uint32_t b)
{
    const struct sim_operands *x = operands_of(&c->code[a]), *y = operands_of(&c->code[b]);
    return c->code[a].function == c->code[b].function && x->base == y->base &&
           x->symbol == y->symbol && x->offset == y->offset && (x->base || x->symbol);
}

bool chosen_adds(const struct chosen *c, uint32_t store)
{
    const struct body body = body_of(c, store);
    for (uint32_t k = body.first; k < store; k++)
        if (c->code[k].kind == SIM_CLASS_LOAD && chosen_one_place(c, k, store) &&
            keeps_sum(c, k, store))
            return true;
    return false;
}

/* What an instruction stores: the operand behind the address. */
static uint32_t stored_by(const struct sim_instruction *i)
{
    const struct sim_operands *o = operands_of(i);
    return o->read > 1 ? o->number[o->written + 1] : 0;
}

/* A comparison of integers, as "setp.lt.s32" has it: below 0 for less, above for greater, else 0. */
static int order_of(const char *setp)
{
    static const struct { const char *name; int order; } all[] = {
        {".lt.", -1}, {".le.", -1}, {".lo.", -1}, {".ls.", -1},
        {".gt.", 1}, {".ge.", 1}, {".hi.", 1}, {".hs.", 1}};
    const bool whole = strstr(setp, ".s32") || strstr(setp, ".u32") || strstr(setp, ".s64") ||
                       strstr(setp, ".u64");
    for (size_t k = 0; whole && k < sizeof all / sizeof all[0]; k++)
        if (strstr(setp, all[k].name))
            return all[k].order;
    return 0;
}

/* Is the guard of the instruction the opposite of its predicate? */
static bool is_negated(const struct sim_instruction *i)
{
    return i->text[0] == '@' && i->text[1] == '!';
}

/* The comparison at `setp` of the loaded value decides by itself. */
static enum chosen_test test_by(const struct deciding *p, uint32_t setp, uint32_t loaded)
{
    const struct sim_instruction *code = p->c->code;
    const struct sim_operands *o = operands_of(&code[setp]);
    const uint32_t *read = o->number + o->written, stored = stored_by(&code[p->store]);
    int order = o->read == 2 ? order_of(code[setp].text) : 0;
    if (!order || !stored || (read[0] == loaded ? read[1] : read[0]) != stored)
        return CHOSEN_OTHER_TEST;
    order = read[0] == loaded ? order : -order; /* of the loaded value against the other */
    for (uint32_t k = setp; k <= p->store; k++)
        if (operands_of(&code[k])->guard == o->number[0] && skips_store(p, k)) {
            const bool does = k == p->store || code[k].target <= p->store;
            return does == is_negated(&code[k]) ? (order < 0 ? CHOSEN_SMALLER : CHOSEN_LARGER)
                                                : (order < 0 ? CHOSEN_LARGER : CHOSEN_SMALLER);
        }
    return CHOSEN_OTHER_TEST;
}

enum chosen_test chosen_test(struct chosen *c, uint32_t load, uint32_t store)
{
    struct deciding p = {.c = c, .body = body_of(c, load), .load = load, .store = store,
                         .leads_away = skips_store};
    const uint32_t loaded = result_at(&c->code[load], 0);
    const char *text = c->code[store].text;
    const bool swaps = strstr(text, "atom.") && strstr(text, ".cas.");
    if (load >= store || c->code[load].kind != SIM_CLASS_LOAD || !loaded ||
        (c->code[store].kind != SIM_CLASS_STORE && c->code[store].kind != SIM_CLASS_ATOMIC) ||
        !chosen_one_place(c, load, store) || (!swaps && !decides(&p, load)))
        return CHOSEN_NO_TEST;
    if (swaps)
        return CHOSEN_GUESS;
    if (c->code[store].kind == SIM_CLASS_ATOMIC && (strstr(text, ".max.") || strstr(text, ".min.")))
        return CHOSEN_AGAIN;
    for (uint32_t k = load; k < store; k++)
        if (strstr(c->code[k].text, "setp.") && uses(&c->code[k], loaded))
            return test_by(&p, k, loaded);
    return CHOSEN_OTHER_TEST;
}

enum chosen_test chosen_test_before(struct chosen *c, uint32_t store)
{
    enum chosen_test found = CHOSEN_NO_TEST;
    for (uint32_t k = body_of(c, store).first; !found && k < store; k++)
        found = chosen_test(c, k, store);
    return found;
}

/* ---- questions ------------------------------------------------------------------------- */

static uint8_t answer(struct chosen *c, enum chosen_question question, uint32_t pc)
{
    static uint8_t (*const find[CHOSEN_QUESTIONS])(struct chosen *, uint32_t pc) = {
        [CHOSEN_ONLY] = find_only,   [CHOSEN_FILLER] = find_filler, [CHOSEN_SINGLE] = find_single,
        [CHOSEN_POLLS] = find_polls, [CHOSEN_WAITS] = find_waits,   [CHOSEN_UNUSED] = find_unused,
        [CHOSEN_UPDATE] = find_update, [CHOSEN_SPINS] = find_spins};
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
