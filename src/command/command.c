/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command as a table: its options and operands in one numbering (its own options, those it
 * shares with all labs, operands), the values a choice has, and the usage text made of them.
 * Matching what was typed against this table is args.c.
 */
#include "base/buf.h"
#include "command/command.h"
#include "command/variants.h"
#include "screen/wrap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const pictures[] = {".svg", NULL};

/* The options that mean the same in every lab; `takes` 0: every lab has it. */
static const struct {
    unsigned takes;
    struct arg_spec spec;
} common[] = {
    {TAKES_VARIANT,
     {OPTION(struct lab_options, variant), GIVEN(struct lab_options, variant), .value = "NAME",
      .type = ARG_CHOICE, .help = "the version to run; `all` runs every version and shows one "
                                  "table"}},
    {TAKES_BLOCKS,
     {OPTION(struct lab_options, blocks), GIVEN(struct lab_options, blocks), .type = ARG_INT,
      .lo = 1, .hi = 2147483647, .help = "blocks in the grid"}},
    {TAKES_THREADS,
     {OPTION(struct lab_options, threads), GIVEN(struct lab_options, threads), .type = ARG_INT,
      .lo = 1, .hi = 1024, .help = "threads in a block"}},
    {TAKES_REPEAT,
     {OPTION(struct lab_options, repeat), GIVEN(struct lab_options, repeat), .type = ARG_INT,
      .lo = 1, .hi = 100000, .initial = "1", .help = "the number of runs"}},
    {TAKES_SEED,
     {OPTION(struct lab_options, seed), GIVEN(struct lab_options, seed), .type = ARG_INT, .lo = 0,
      .hi = INT64_MAX, .help = "the seed of random numbers, for this command only"}},
    {TAKES_TRACE,
     {OPTION(struct lab_options, trace), .type = ARG_FLAG,
      .help = "show what the first warp does, step by step"}},
    {TAKES_COUNTERS,
     {OPTION(struct lab_options, counters), .type = ARG_FLAG, .help = "show every counter"}},
    {TAKES_CALLS,
     {OPTION(struct lab_options, calls), .type = ARG_FLAG,
      .help = "show the CUDA calls that a host program would make for this run"}},
    {0,
     {.name = "long", BIND(struct lab_options, whole), .type = ARG_FLAG,
      .help = "show the whole explanation, not only its first paragraph"}},
    {0,
     {OPTION(struct lab_options, svg), .type = ARG_FILE, .choices = pictures,
      .help = "also save the screen as a picture (.svg)"}},
    {0,
     {OPTION(struct lab_options, json), .type = ARG_FLAG,
      .help = "print this result as one JSON object"}},
};
enum { COMMON = sizeof common / sizeof common[0] };

static bool has_common(const struct command *c, unsigned i)
{
    return c->lab && (common[i].takes == 0 || (c->lab->takes & common[i].takes));
}

static unsigned count_specs(const struct arg_spec *specs)
{
    unsigned n = 0;
    while (specs && specs[n].name)
        n++;
    return n;
}

unsigned command_option_count(const struct command *c)
{
    unsigned n = count_specs(c->options);
    for (unsigned i = 0; i < COMMON; i++)
        n += has_common(c, i);
    return n;
}

unsigned command_spec_count(const struct command *c)
{
    return command_option_count(c) + count_specs(c->operands);
}

const struct arg_spec *command_spec(const struct command *c, unsigned index)
{
    unsigned own = count_specs(c->options);
    if (index < own)
        return &c->options[index];
    index -= own;
    for (unsigned i = 0; i < COMMON; i++)
        if (has_common(c, i) && index-- == 0)
            return &common[i].spec;
    return index < count_specs(c->operands) ? &c->operands[index] : NULL;
}

const char *command_option_name(const struct arg_spec *spec, char out[64])
{
    snprintf(out, 64, "%s%.60s", spec->name[1] ? "--" : "-", spec->name);
    return out;
}

const struct arg_spec *command_option_named(const struct command *c, const char *word, size_t n,
                                            unsigned *index)
{
    char name[64];
    for (*index = 0; *index < command_option_count(c); ++*index) {
        const struct arg_spec *spec = command_spec(c, *index);
        command_option_name(spec, name);
        const char *other = c->one_dash && spec->name[1] ? name + 1 : name;
        if ((strlen(name) == n && memcmp(name, word, n) == 0) ||
            (strlen(other) == n && memcmp(other, word, n) == 0))
            return spec;
    }
    return NULL;
}

const char *command_choice(const struct command *c, const struct arg_spec *spec, unsigned k)
{
    if (spec->choice)
        return spec->choice(k);
    if (spec->choices) {
        for (unsigned i = 0; spec->choices[i]; i++)
            if (i == k)
                return spec->choices[i];
        return NULL;
    }
    if (!c->lab || !c->lab->variants || spec->type != ARG_CHOICE)
        return NULL;
    for (unsigned i = 0; c->lab->variants[i].name; i++)
        if (i == k)
            return c->lab->variants[i].name;
        else if (!c->lab->variants[i + 1].name && k == i + 1)
            return "all";
    return NULL;
}

/* ---- members of the struct of options ---------------------------------------------------- */

static bool within(const struct arg_spec *spec, int64_t lo, int64_t hi)
{
    return (spec->lo || spec->hi) && spec->lo >= lo && spec->hi <= hi;
}

/* Can the member hold each value that the option takes? */
static bool member_suits(const struct arg_spec *spec)
{
    enum arg_member m = spec->member;
    switch (spec->type) {
    case ARG_FLAG: return m == MEMBER_BOOL;
    case ARG_REAL: return m == MEMBER_REAL;
    case ARG_HEX: return m == MEMBER_UNSIGNED;
    case ARG_DIM: return m == MEMBER_DIM;
    case ARG_PAIR: return m == MEMBER_PAIR;
    case ARG_MANY:
    case ARG_FILES: return m == MEMBER_MANY;
    case ARG_CALL:
    case ARG_LINE: return m == MEMBER_CALL;
    case ARG_CHOICE: return m == MEMBER_INT || m == MEMBER_TEXT;
    case ARG_INT:
        return m == MEMBER_INT64 || (m == MEMBER_INT && within(spec, INT32_MIN, INT32_MAX)) ||
               (m == MEMBER_UNSIGNED && within(spec, 0, UINT32_MAX)) ||
               (m == MEMBER_UINT64 && within(spec, 0, INT64_MAX));
    default: return m == MEMBER_TEXT;
    }
}

static size_t member_size(enum arg_member m)
{
    static const size_t sizes[] = {[MEMBER_BOOL] = sizeof(bool),
                                   [MEMBER_INT] = sizeof(int),
                                   [MEMBER_UNSIGNED] = sizeof(unsigned),
                                   [MEMBER_INT64] = sizeof(int64_t),
                                   [MEMBER_UINT64] = sizeof(uint64_t),
                                   [MEMBER_REAL] = sizeof(double),
                                   [MEMBER_TEXT] = sizeof(char *),
                                   [MEMBER_DIM] = 3 * sizeof(unsigned),
                                   [MEMBER_PAIR] = sizeof(struct arg_pair),
                                   [MEMBER_MANY] = sizeof(struct arg_many),
                                   [MEMBER_CALL] = sizeof(struct arg_call)};
    return sizes[m];
}

int command_check(const struct command *c, struct err *e)
{
    if (c->lab && c->size < sizeof(struct lab_options))
        return fail(e, "%s: its struct of options does not begin with struct lab_options", c->name);
    for (unsigned i = 0; i < command_spec_count(c); i++) {
        const struct arg_spec *spec = command_spec(c, i);
        if (spec->member == MEMBER_NONE)
            return fail(e, "%s: %s is bound to no member", c->name, spec->name);
        if (!member_suits(spec))
            return fail(e, "%s: the member for %s can not hold its values", c->name, spec->name);
        if (spec->at + member_size(spec->member) > c->size || spec->given_at > c->size)
            return fail(e, "%s: the member for %s is in another struct", c->name, spec->name);
    }
    return 0;
}

/* ---- usage ---------------------------------------------------------------------------- */

void command_value_name(const struct command *c, const struct arg_spec *spec, struct buf *out)
{
    static const char *const names[] = {
        [ARG_FLAG] = "", [ARG_INT] = "N", [ARG_REAL] = "X", [ARG_HEX] = "HEX",
        [ARG_CHOICE] = "NAME", [ARG_DIM] = "DIM", [ARG_TEXT] = "TEXT", [ARG_PAIR] = "A B",
        [ARG_MANY] = "TEXT", [ARG_LIST] = "LIST",
        [ARG_FILE] = "FILE", [ARG_FILES] = "FILES", [ARG_COMMAND] = "COMMAND", [ARG_TOPIC] = "TOPIC",
        [ARG_SETTING] = "NAME", [ARG_ARRAY] = "NAME", [ARG_ARRAYS] = "NAMES", [ARG_KERNEL] = "NAME",
        [ARG_BINARY] = "FILE",
        [ARG_CALL] = "KERNEL<<<GRID,BLOCK>>>(ARGS)", [ARG_LINE] = "COMMAND",
        [ARG_REST] = "TEXT"};
    if (spec->value) {
        buf_puts(out, spec->value);
    } else if (spec->type == ARG_CHOICE) {
        const char *choice;
        for (unsigned k = 0; (choice = command_choice(c, spec, k)); k++)
            buf_printf(out, "%s%s", k ? "|" : "", choice);
    } else {
        buf_puts(out, names[spec->type]);
    }
}

/* "-n N" or "--variant NAME"; an operand is its own name. */
static void put_spec(const struct command *c, const struct arg_spec *spec, bool operand,
                     struct buf *out)
{
    char name[64];
    buf_puts(out, operand ? spec->name : command_option_name(spec, name));
    buf_puts(out, spec->type == ARG_FILES ? "..." : "");
    if (!operand && spec->type != ARG_FLAG) {
        buf_putc(out, ' ');
        command_value_name(c, spec, out);
    }
}

/* Append one bracketed piece, on a new line where this one is full. */
static void put_piece(struct buf *out, const struct buf *piece, size_t *at, int width)
{
    if (*at + 1 + piece->len > (size_t)width) {
        buf_puts(out, "\n     ");
        *at = 5;
    }
    buf_printf(out, " %s", buf_text(piece));
    *at += 1 + piece->len;
}

/* The i-th in the order of usage texts: operands come first, since readers look for them. */
static const struct arg_spec *operands_first(const struct command *c, unsigned i, bool *operand)
{
    unsigned operands = count_specs(c->operands);
    *operand = i < operands;
    return *operand ? &c->operands[i] : command_spec(c, i - operands);
}

void command_synopsis(const struct command *c, struct buf *out, int width)
{
    struct buf piece = {0};
    buf_puts(out, c->name);
    size_t at = strlen(c->name);
    unsigned n = command_spec_count(c);
    for (unsigned i = 0; i < n; i++) {
        bool operand;
        const struct arg_spec *spec = operands_first(c, i, &operand);
        bool must = operand && spec->required;
        buf_clear(&piece);
        buf_puts(&piece, must ? "" : "[");
        put_spec(c, spec, operand, &piece);
        buf_puts(&piece, must ? "" : "]");
        put_piece(out, &piece, &at, width);
    }
    buf_putc(out, '\n');
    buf_free(&piece);
}

const char *command_initial(const struct command *c, const struct arg_spec *spec)
{
    if (spec->initial || spec->required || spec->type != ARG_CHOICE || spec->choices)
        return spec->initial;
    return !spec->choice && c->lab && c->lab->all_unless_told ? "all" : command_choice(c, spec, 0);
}

/* A word is quoted, so that `both` is not read as a word of the sentence. */
static bool is_word(const char *initial)
{
    return (*initial >= 'a' && *initial <= 'z') || (*initial >= 'A' && *initial <= 'Z');
}

static void put_limits(const struct command *c, const struct arg_spec *spec, struct buf *out)
{
    if (spec->type == ARG_INT && (spec->lo || spec->hi) && spec->hi < INT64_MAX)
        buf_printf(out, "; %" PRId64 " to %" PRId64, spec->lo, spec->hi);
    const char *initial = command_initial(c, spec);
    if (spec->initial_but)
        buf_printf(out, " (if not given: %s; %s)", initial, spec->initial_but);
    else if (initial && spec->type != ARG_FLAG)
        buf_printf(out, is_word(initial) ? " (`%s` if not given)" : " (%s if not given)", initial);
}

void command_meaning(const struct arg_spec *spec, struct buf *out)
{
    buf_puts(out, spec->help ? spec->help : "");
    if (spec->help_more)
        spec->help_more(out);
}

/* One option or operand: its name, and what it means in a column of its own. */
static void put_meaning(const struct command *c, const struct arg_spec *spec, bool operand,
                        bool limits, struct buf *out, int width)
{
    enum { MEANING = 24 };
    struct buf text = {0};
    size_t start = out->len;
    buf_puts(out, "  ");
    put_spec(c, spec, operand, out);
    if (out->len - start > MEANING - 2) {
        buf_putc(out, '\n');
        start = out->len;
    }
    buf_printf(out, "%*s", (int)(MEANING - (out->len - start)), "");
    command_meaning(spec, &text);
    if (limits)
        put_limits(c, spec, &text);
    text_wrap(out, buf_text(&text), text.len, width, MEANING);
    buf_free(&text);
}

void command_option_usage(const struct command *c, const struct arg_spec *spec, bool limits,
                          struct buf *out, int width)
{
    put_meaning(c, spec, false, limits, out, width);
}

bool command_explains_options(const struct command *c)
{
    return !command_option_count(c) && c->operands && c->operands->type == ARG_TOPIC;
}

void command_usage(const struct command *c, struct buf *out, int width)
{
    command_synopsis(c, out, width);
    unsigned n = command_spec_count(c);
    for (unsigned i = 0; i < n; i++) {
        bool operand;
        const struct arg_spec *spec = operands_first(c, i, &operand);
        put_meaning(c, spec, operand, true, out, width);
    }
    if (c->alias)
        buf_printf(out, "  %s means the same\n", c->alias);
}

const struct lab_variant *lab_variant_named(const struct lab *lab, const char *name)
{
    if (!lab->variants)
        return NULL;
    for (const struct lab_variant *v = lab->variants; v->name; v++)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}
