/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a loaded value goes, read off the text of the instructions: asked only where a finding
 * is about to be made, so that searching a whole function for a name is cheap enough.
 *
 * A copy or conversion is followed to where its result goes. Where a register is set in several
 * places, a use belongs to the one just before it in its block; without one, to all of them.
 */
#include "obs/chosen.h"

#include "base/mem.h"

#include <string.h>

enum { DEEPEST = 8, MOST_ASKED = 64, UNKNOWN = 0, NO = 1, YES = 2 };

static const struct allocator *const from = &allocator_libc;

void chosen_begin(struct chosen *c, const struct sim_instruction *code, uint32_t count)
{
    *c = (struct chosen){.code = code, .count = count};
}

void chosen_end(struct chosen *c)
{
    mem_put(from, c->known, c->known ? c->count : 0);
    mem_put(from, c->polls, c->polls ? c->count : 0);
    *c = (struct chosen){.code = NULL};
}

const char *chosen_opcode(const struct sim_instruction *i)
{
    const char *t = i->text;
    if (*t == '@')
        t += strcspn(t, " ");
    return t + strspn(t, " ");
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

static bool passes_on(const char *opcode)
{
    static const char *const copies[] = {"mov.", "cvt.", "and.", "shl.", "shr.", "bfe.", "prmt."};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        if (begins(opcode, copies[i]))
            return true;
    return false;
}

static bool results_chosen(const struct chosen *, const struct sim_instruction *, int depth,
                           bool *used);

/* Is the value chosen from here, or handed on to where it is? */
static bool use_chosen(const struct chosen *c, const struct sim_instruction *user, int depth,
                       bool *used)
{
    *used = true;
    return begins(chosen_opcode(user), "selp.") ||
           (depth < DEEPEST && passes_on(chosen_opcode(user)) &&
            results_chosen(c, user, depth + 1, used));
}

/* Every use in the function of a register as `setter` left it. */
static bool register_chosen(const struct chosen *c, const struct sim_instruction *setter,
                            const char *name, size_t n, int depth, bool *used)
{
    const struct sim_instruction *set_here = NULL; /* in this block */
    for (uint32_t k = 0; k < c->count; k++) {
        const struct sim_instruction *i = &c->code[k];
        if (strcmp(i->function, setter->function) != 0)
            continue;
        bool ours = !set_here || set_here == setter;
        if (ours && uses(i, name, n) && !use_chosen(c, i, depth, used))
            return false;
        if (i->kind == SIM_CLASS_BRANCH || i->kind == SIM_CLASS_HIDDEN) /* lanes part, or meet */
            set_here = NULL;
        else if (sets(i, name, n))
            set_here = i;
    }
    return true;
}

static bool results_chosen(const struct chosen *c, const struct sim_instruction *i, int depth,
                           bool *used)
{
    const char *end = behind_results(i);
    size_t length;
    for (const char *r = chosen_opcode(i); (r = next_register(r, &length)) && r < end; r += length)
        if (!register_chosen(c, i, r, length, depth, used))
            return false;
    return true;
}

bool chosen_only(struct chosen *c, uint32_t pc)
{
    const struct sim_instruction *i = &c->code[pc];
    bool used = false;
    if (i->kind != SIM_CLASS_LOAD || begins(chosen_opcode(i), "ld.volatile") ||
        (i->space != SIM_SHARED && i->space != SIM_LOCAL && i->space != SIM_GENERIC))
        return false;
    if (!c->known)
        c->known = mem_get(from, c->count);
    if (c->known && c->known[pc] != UNKNOWN)
        return c->known[pc] == YES;
    bool only = results_chosen(c, i, 0, &used) && used;
    if (c->known)
        c->known[pc] = only ? YES : NO;
    return only;
}

/* ---- loads that poll ------------------------------------------------------------------- */

struct polling {
    const struct chosen *c;
    uint32_t load;
    unsigned asked; /* registers followed so far */
};

/* Does a branch, taken or not, leave a loop that the load is in? */
static bool ends_loop(const struct polling *p, uint32_t branch)
{
    const struct sim_instruction *code = p->c->code;
    for (uint32_t i = p->load; i < p->c->count; i++) {
        uint32_t top = code[i].target;
        if (code[i].kind != SIM_CLASS_BRANCH || top > p->load || top > branch || branch > i ||
            strcmp(code[i].function, code[p->load].function) != 0)
            continue;
        if (branch == i || code[branch].target < top || code[branch].target > i)
            return true;
    }
    return false;
}

/* Does what an instruction sets decide such a branch, by itself or through what is computed? */
static bool decides(struct polling *p, uint32_t setter, int depth)
{
    const struct sim_instruction *from_here = &p->c->code[setter];
    const char *end = behind_results(from_here);
    size_t n;
    for (const char *r = chosen_opcode(from_here); (r = next_register(r, &n)) && r < end; r += n) {
        if (p->asked++ >= MOST_ASKED)
            return false;
        for (uint32_t k = 0; k < p->c->count; k++) {
            const struct sim_instruction *i = &p->c->code[k];
            if (strcmp(i->function, from_here->function) != 0)
                continue;
            if (i->kind == SIM_CLASS_BRANCH && names(i->text, chosen_opcode(i), r, n) &&
                ends_loop(p, k))
                return true;
            if (i->kind == SIM_CLASS_ALU && k != setter && depth < DEEPEST && uses(i, r, n) &&
                decides(p, k, depth + 1))
                return true;
        }
    }
    return false;
}

bool chosen_polls(struct chosen *c, uint32_t pc)
{
    struct polling p = {.c = c, .load = pc};
    if (!c->polls)
        c->polls = mem_get(from, c->count);
    if (c->polls && c->polls[pc] != UNKNOWN)
        return c->polls[pc] == YES;
    bool polls = decides(&p, pc, 0);
    if (c->polls)
        c->polls[pc] = polls ? YES : NO;
    return polls;
}
