/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a loaded value goes, read off the text of the instructions: asked only where a finding
 * is about to be made, so that searching a whole function for a name is cheap enough.
 *
 * A copy or conversion is followed to where its result goes. Where a register is set in several
 * places, a use belongs to the one just before it in its block; without one, to all of them.
 */
#include "check/chosen.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 8, MOST_ASKED = 64, UNKNOWN = 0, NO = 1, YES = 2, ADDS = 3,
       IN_STRUCT = 4, ELEMENTS = 4 };

static const struct allocator *const from = &allocator_libc;

void chosen_begin(struct chosen *c, const struct sim_instruction *code, uint32_t count)
{
    *c = (struct chosen){.code = code, .count = count};
}

void chosen_end(struct chosen *c)
{
    mem_put(from, c->known, c->known ? c->count : 0);
    mem_put(from, c->copied, c->copied ? c->count : 0);
    mem_put(from, c->ahead, c->ahead ? c->count : 0);
    mem_put(from, c->filler, c->filler ? c->count : 0);
    mem_put(from, c->single, c->single ? c->count : 0);
    mem_put(from, c->polls, c->polls ? c->count : 0);
    mem_put(from, c->waits, c->waits ? c->count : 0);
    mem_put(from, c->unused, c->unused ? c->count : 0);
    mem_put(from, c->update, c->update ? c->count : 0);
    *c = (struct chosen){.code = NULL};
}

const char *chosen_opcode(const struct sim_instruction *i)
{
    const char *t = i->text;
    if (*t == '@')
        t += strcspn(t, " ");
    return t + strspn(t, " ");
}

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

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- registers in a text --------------------------------------------------------------- */

/* The next register in a text, "%r12", and its length; NULL: no more. */
static const char *next_register(const char *text, size_t *length)
{
    const char *r = strchr(text, '%');
    if (r)
        *length = 1 + strspn(r + 1, "abcdefghijklmnopqrstuvwxyz"
                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_$0123456789");
    return r;
}

/* Behind what the instruction sets: one register, or several in { }; at its operands where it
 * sets nothing. */
static const char *behind_results(const struct sim_instruction *i)
{
    const char *t = chosen_opcode(i);
    t += strcspn(t, " ");
    t += strspn(t, " ");
    if (i->kind == SIM_CLASS_BARRIER || *t == '[')
        return t;
    return t + strcspn(t, *t == '{' ? "}" : ",;");
}

static bool names(const char *text, const char *end, const char *name, size_t n)
{
    size_t length;
    for (const char *r = text; (r = next_register(r, &length)) && (!end || r < end); r += length)
        if (length == n && memcmp(r, name, n) == 0)
            return true;
    return false;
}

static bool uses(const struct sim_instruction *i, const char *name, size_t n)
{
    return names(behind_results(i), NULL, name, n);
}

/* Always: under a guard the register may keep what it had. */
static bool sets(const struct sim_instruction *i, const char *name, size_t n)
{
    return i->text[0] != '@' && names(i->text, behind_results(i), name, n);
}

/* ---- where a value goes ---------------------------------------------------------------- */

/* The code, and where a value should end: in selections, or else as it is in memory. */
struct search {
    const struct chosen *in;
    bool selections, whole; /* whole: not as one of the bytes that something is put together of */
};

static bool begins_one(const char *opcode, const char *const list[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (begins(opcode, list[i]))
            return true;
    return false;
}

static bool passes_on(const struct search *s, const char *opcode)
{
    static const char *const parts[] = {"cvt.", "and.", "shl.", "shr.", "bfe.", "prmt."};
    static const char *const bytes[] = {"cvt.", "and.", "shl.", "or.", "bfi.", "prmt."};
    static const char *const values[] = {"selp.", "shfl."};
    if (begins(opcode, "mov."))
        return true;
    if (s->selections)
        return begins_one(opcode, parts, sizeof parts / sizeof *parts);
    return begins_one(opcode, values, sizeof values / sizeof *values) ||
           (!s->whole && begins_one(opcode, bytes, sizeof bytes / sizeof *bytes));
}

/* A store's value, not its address: that stands in [ ]. */
static bool stores(const struct sim_instruction *i, const char *name, size_t n)
{
    const char *t = chosen_opcode(i), *end = strchr(t, ']');
    return begins(t, "st.") && end && !names(strchr(t, '['), end, name, n);
}

static bool results_chosen(const struct search *, const struct sim_instruction *, int depth,
                           bool *used);

/* Does the value end here, as it should, or is it handed on to where it does? */
static bool use_chosen(const struct search *s, const struct sim_instruction *user,
                       const char *name, size_t n, int depth, bool *used)
{
    *used = true;
    return (s->selections ? begins(chosen_opcode(user), "selp.") : stores(user, name, n)) ||
           (depth < DEEPEST && passes_on(s, chosen_opcode(user)) &&
            results_chosen(s, user, depth + 1, used));
}

/* Every use in the function of a register as `setter` left it. */
static bool register_chosen(const struct search *s, const struct sim_instruction *setter,
                            const char *name, size_t n, int depth, bool *used)
{
    const struct chosen *c = s->in;
    const struct sim_instruction *set_here = NULL; /* in this block */
    const struct body body = body_of(c, (uint32_t)(setter - c->code));
    for (uint32_t k = body.first; k < body.end; k++) {
        const struct sim_instruction *i = &c->code[k];
        bool ours = !set_here || set_here == setter;
        if (ours && uses(i, name, n) && !use_chosen(s, i, name, n, depth, used))
            return false;
        if (i->kind == SIM_CLASS_BRANCH || i->kind == SIM_CLASS_HIDDEN) /* lanes part, or meet */
            set_here = NULL;
        else if (sets(i, name, n))
            set_here = i;
    }
    return true;
}

static bool results_chosen(const struct search *s, const struct sim_instruction *i, int depth,
                           bool *used)
{
    const char *end = behind_results(i);
    size_t length;
    for (const char *r = chosen_opcode(i); (r = next_register(r, &length)) && r < end; r += length)
        if (!register_chosen(s, i, r, length, depth, used))
            return false;
    return true;
}

/* The k-th of what the instruction sets; NULL: it sets no register there. */
static const char *result_at(const struct sim_instruction *i, unsigned k, size_t *length)
{
    const char *t = chosen_opcode(i), *end = behind_results(i);
    while (k-- && t && t < end)
        t = strchr(t, ',') ? strchr(t, ',') + 1 : NULL;
    const char *stop = t && t < end ? t + strcspn(t, ",}") : NULL;
    const char *r = stop ? next_register(t, length) : NULL;
    return r && r < stop ? r : NULL;
}

/* Would a compiler load it ahead? */
static bool may_be_ahead(const struct sim_instruction *i)
{
    return i->kind == SIM_CLASS_LOAD && !begins(chosen_opcode(i), "ld.volatile") &&
           (i->space == SIM_SHARED || i->space == SIM_LOCAL || i->space == SIM_GENERIC);
}

bool chosen_only(struct chosen *c, uint32_t pc)
{
    const struct sim_instruction *i = &c->code[pc];
    bool used = false;
    if (!c->known)
        c->known = mem_get(from, c->count);
    if (c->known && c->known[pc] != UNKNOWN)
        return c->known[pc] == YES;
    bool only = may_be_ahead(i) &&
                results_chosen(&(struct search){c, .selections = true}, i, 0, &used) && used;
    if (c->known)
        c->known[pc] = only ? YES : NO;
    return only;
}

static bool has_bytes(const struct sim_instruction *i)
{
    const char *t = chosen_opcode(i), *end = t + strcspn(t, " ");
    for (; t < end; t += 1 + strcspn(t + 1, "."))
        if (begins(t, ".u8") || begins(t, ".s8") || begins(t, ".b8"))
            return true;
    return false;
}

static bool element_copied(const struct chosen *c, const struct sim_instruction *i, unsigned k)
{
    size_t length;
    bool used;
    const char *r = result_at(i, k, &length);
    return !r || register_chosen(&(struct search){c, .whole = !has_bytes(i)}, i, r, length, 0,
                                 &used);
}

static bool element_chosen(const struct chosen *c, const struct sim_instruction *i, unsigned k)
{
    size_t length;
    bool used = false;
    const char *r = may_be_ahead(i) ? result_at(i, k, &length) : NULL;
    return r && register_chosen(&(struct search){c, .selections = true}, i, r, length, 0, &used) &&
           used;
}

typedef bool question(const struct chosen *, const struct sim_instruction *, unsigned k);

/* What was found out of an element before, or is now. */
static bool ask_element(struct chosen *c, uint8_t **kept, uint32_t pc, unsigned k, question *ask)
{
    if (!*kept)
        *kept = mem_get(from, c->count);
    uint8_t *known = *kept && k < ELEMENTS ? *kept + pc : NULL;
    if (known && *known >> k & 1)
        return *known >> (k + ELEMENTS) & 1;
    bool yes = ask(c, &c->code[pc], k);
    if (known)
        *known |= (uint8_t)(1u << k | (unsigned)yes << (k + ELEMENTS));
    return yes;
}

bool chosen_copied(struct chosen *c, uint32_t pc, unsigned k)
{
    return ask_element(c, &c->copied, pc, k, element_copied);
}

bool chosen_element(struct chosen *c, uint32_t pc, unsigned k)
{
    return ask_element(c, &c->ahead, pc, k, element_chosen);
}

/* The register and the offset of what a load reads: "[%rd1+12]". NULL: it names no register. */
static const char *address_of(const struct sim_instruction *i, size_t *length, long *offset)
{
    const char *open = strchr(behind_results(i), '[');
    const char *base = open ? next_register(open, length) : NULL;
    if (base)
        *offset = base[*length] == '+' ? strtol(base + *length + 1, NULL, 0) : 0;
    return base;
}

/* Another load of the same line from the same register, from the k-th instruction on; NULL: there
 * is none. Each one's offset goes to *at and *there. */
static const struct sim_instruction *companion(const struct chosen *c,
                                               const struct sim_instruction *i, uint32_t *k,
                                               long *at, long *there)
{
    size_t length = 0, n;
    const char *base = address_of(i, &length, at);
    const struct body body = body_of(c, (uint32_t)(i - c->code));
    *k = *k < body.first ? body.first : *k;
    while (base && *k < body.end) {
        const struct sim_instruction *other = &c->code[(*k)++];
        if (other == i || other->kind != SIM_CLASS_LOAD || other->line != i->line)
            continue;
        const char *r = address_of(other, &n, there);
        if (r && n == length && memcmp(r, base, n) == 0)
            return other;
    }
    return NULL;
}

/* The bytes of one element of a vector, or of the number that is loaded. */
static unsigned part_of(const struct sim_instruction *i)
{
    const char *v = strstr(chosen_opcode(i), ".v");
    const char *end = strchr(chosen_opcode(i), ' ');
    bool vector = v && v < end && v[2] >= '2' && v[2] <= '8';
    return vector ? i->bytes / (unsigned)(v[2] - '0') : i->bytes;
}

/* The most bytes of an element that a load of the same struct has: how the struct is aligned. */
static long widest_companion(const struct chosen *c, const struct sim_instruction *i)
{
    const struct sim_instruction *other;
    long at, there, widest = 1;
    for (uint32_t k = 0; (other = companion(c, i, &k, &at, &there));)
        widest = part_of(other) > widest ? (long)part_of(other) : widest;
    return widest;
}

/* Is there one that is wider, where this one is of bytes, or one that covers this one? Or does this
 * one fill up what a member before it has left of the struct's alignment? */
static bool comes_along(const struct chosen *c, const struct sim_instruction *i)
{
    const struct sim_instruction *other;
    const long wide = widest_companion(c, i);
    long at, there;
    for (uint32_t k = 0; (other = companion(c, i, &k, &at, &there));) {
        const long start = at - (at % wide + wide) % wide;
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
    long at, there;
    for (uint32_t k = 0; has_bytes(i) && (other = companion(c, i, &k, &at, &there));)
        if (has_bytes(other) && (there + other->bytes == at || at + i->bytes == there))
            return true;
    return false;
}

static uint8_t is_filler(const struct chosen *c, const struct sim_instruction *i)
{
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
    if (!c->filler)
        c->filler = mem_get(from, c->count);
    uint8_t known = c->filler ? c->filler[pc] : UNKNOWN;
    if (known == UNKNOWN)
        known = is_filler(c, &c->code[pc]);
    if (c->filler)
        c->filler[pc] = known;
    return known == YES || (known == IN_STRUCT && in_struct);
}

bool chosen_single(struct chosen *c, uint32_t pc)
{
    long at, there;
    if (!c->single)
        c->single = mem_get(from, c->count);
    if (c->single && c->single[pc] != UNKNOWN)
        return c->single[pc] == YES;
    bool yes = !companion(c, &c->code[pc], &(uint32_t){0}, &at, &there);
    if (c->single)
        c->single[pc] = yes ? YES : NO;
    return yes;
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
    for (unsigned i = 0; i < p->count; i++)
        if (p->asked[i] == pc)
            return false;
    if (p->count == MOST_ASKED)
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
    const struct sim_instruction *from_here = &p->c->code[setter];
    const char *end = behind_results(from_here);
    size_t n;
    if (!asks(p, setter))
        return false;
    for (const char *r = chosen_opcode(from_here); (r = next_register(r, &n)) && r < end; r += n)
        for (uint32_t k = p->body.first; k < p->body.end; k++) {
            const struct sim_instruction *i = &p->c->code[k];
            if (i->kind == SIM_CLASS_BRANCH && names(i->text, chosen_opcode(i), r, n) &&
                ends_loop(p, k))
                return true;
            if (i->kind == SIM_CLASS_ALU && k != setter && uses(i, r, n) && decides(p, k))
                return true;
        }
    return false;
}

bool chosen_polls(struct chosen *c, uint32_t pc)
{
    if (!c->polls)
        c->polls = mem_get(from, c->count);
    if (c->polls && c->polls[pc] != UNKNOWN)
        return c->polls[pc] == YES;
    struct polling p = {.c = c, .body = body_of(c, pc), .load = pc};
    bool polls = decides(&p, pc);
    if (c->polls)
        c->polls[pc] = polls ? YES : NO;
    return polls;
}

static bool function_waits(struct chosen *c, uint32_t pc)
{
    const struct body body = body_of(c, pc);
    for (uint32_t k = body.first; k < body.end; k++) {
        const struct sim_instruction *i = &c->code[k];
        if ((i->kind == SIM_CLASS_ATOMIC || i->kind == SIM_CLASS_LOAD) && chosen_polls(c, k))
            return true;
    }
    return false;
}

bool chosen_waits(struct chosen *c, uint32_t pc)
{
    if (!c->waits)
        c->waits = mem_get(from, c->count);
    if (c->waits && c->waits[pc] != UNKNOWN)
        return c->waits[pc] == YES;
    bool waits = function_waits(c, pc);
    if (c->waits)
        c->waits[pc] = waits ? YES : NO;
    return waits;
}

static bool result_unused(const struct chosen *c, uint32_t pc)
{
    const struct body body = body_of(c, pc);
    const char *end = behind_results(&c->code[pc]);
    size_t n;
    for (const char *r = chosen_opcode(&c->code[pc]); (r = next_register(r, &n)) && r < end; r += n)
        for (uint32_t k = body.first; k < body.end; k++)
            if (uses(&c->code[k], r, n))
                return false;
    return true;
}

bool chosen_unused(struct chosen *c, uint32_t pc)
{
    if (!c->unused)
        c->unused = mem_get(from, c->count);
    if (c->unused && c->unused[pc] != UNKNOWN)
        return c->unused[pc] == YES;
    bool unused = result_unused(c, pc);
    if (c->unused)
        c->unused[pc] = unused ? YES : NO;
    return unused;
}

/* ---- updates --------------------------------------------------------------------------- */

/* The text within [ ] of a plain load or store of one number; NULL: it is none. */
static const char *place_text(const struct sim_instruction *i, size_t *n)
{
    const char *t = chosen_opcode(i), *open = strchr(t, '[');
    bool plain = (i->kind == SIM_CLASS_LOAD || i->kind == SIM_CLASS_STORE) && open &&
                 (i->bytes == 4 || i->bytes == 8) && !memchr(t, '{', (size_t)(open - t)) &&
                 !strchr(open, '{');
    *n = open ? strcspn(open, "]") : 0;
    return plain ? open : NULL;
}

/* Do both reach one place, by what the same source line says? */
static bool same_place(const struct sim_instruction *a, const struct sim_instruction *b)
{
    size_t n, m;
    const char *x = place_text(a, &n), *y = place_text(b, &m);
    return x && y && n == m && memcmp(x, y, n) == 0 && a->bytes == b->bytes && a->line &&
           a->line == b->line;
}

/* Is there such an atomic? Of a product that is added, the register must be what it is added to. */
static bool adds_to(const struct sim_instruction *i, const char *name, size_t n)
{
    static const char *const one_step[] = {"add.", "sub.", "min.", "max.", "and.", "or.", "xor."};
    const char *op = chosen_opcode(i), *last = strrchr(op, ',');
    if (begins(op, "fma.") || begins(op, "mad."))
        return last && names(last, NULL, name, n) && !names(behind_results(i), last, name, n);
    if (begins(op, "sub.") && last && names(last, NULL, name, n))
        return false;
    return begins_one(op, one_step, sizeof one_step / sizeof *one_step) && uses(i, name, n);
}

/* Does the store keep what such a step makes of the register that the load has set? */
static bool keeps_sum(const struct chosen *c, uint32_t load, uint32_t store)
{
    size_t n = 0, m = 0;
    const char *got = result_at(&c->code[load], 0, &n);
    const char *end = strchr(chosen_opcode(&c->code[store]), ']');
    const char *kept = end ? next_register(end, &m) : NULL;
    for (uint32_t k = store; got && kept && k-- > load;)
        if (sets(&c->code[k], kept, m))
            return adds_to(&c->code[k], got, n);
    return false;
}

static bool find_update(const struct chosen *c, uint32_t pc, bool *adds)
{
    const bool stores_it = c->code[pc].kind == SIM_CLASS_STORE;
    const struct body body = body_of(c, pc);
    bool found = false;
    for (uint32_t k = body.first; k < body.end; k++) {
        uint32_t load = stores_it ? k : pc, store = stores_it ? pc : k;
        if (load < store && c->code[load].kind == SIM_CLASS_LOAD &&
            c->code[store].kind == SIM_CLASS_STORE &&
            same_place(&c->code[load], &c->code[store])) {
            *adds = keeps_sum(c, load, store) && (*adds || !found);
            found = true;
        }
    }
    return found;
}

bool chosen_update(struct chosen *c, uint32_t pc, bool *adds)
{
    if (!c->update)
        c->update = mem_get(from, c->count);
    *adds = c->update && c->update[pc] == ADDS;
    if (c->update && c->update[pc] != UNKNOWN)
        return c->update[pc] != NO;
    bool updates = find_update(c, pc, adds);
    if (c->update)
        c->update[pc] = !updates ? NO : *adds ? ADDS : YES;
    return updates;
}
