/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command as a table: its options and operands in one numbering (its own options, those it
 * shares with all labs, operands), the values a choice has, and the usage text made of them.
 * Matching what was typed against this table is args.c.
 */
#include "base/buf.h"
#include "base/num.h"
#include "command/command.h"
#include "command/variants.h"
#include "screen/wrap.h"

#include <inttypes.h>
#include <string.h>

/* The options that mean the same in every lab; `takes` 0: every lab has it. */
static const struct {
    unsigned takes;
    struct arg_spec spec;
} common[] = {
    {TAKES_VARIANT, {.name = "variant", .value = "NAME", .type = ARG_CHOICE,
                     .help = "the version to run; `all` runs each in one table"}},
    {TAKES_BLOCKS, {.name = "blocks", .type = ARG_INT, .lo = 1, .hi = 2147483647,
                    .help = "blocks in the grid"}},
    {TAKES_THREADS, {.name = "threads", .type = ARG_INT, .lo = 1, .hi = 1024,
                     .help = "threads in a block"}},
    {TAKES_REPEAT, {.name = "repeat", .type = ARG_INT, .lo = 1, .hi = 100000, .initial = "1",
                    .help = "how often to run it"}},
    {TAKES_SEED, {.name = "seed", .type = ARG_INT, .lo = 0, .hi = INT64_MAX,
                  .help = "what chance starts from, for this command alone"}},
    {TAKES_TRACE, {.name = "trace", .type = ARG_FLAG,
                   .help = "show what the first warp did, step by step"}},
    {TAKES_COUNTERS, {.name = "counters", .type = ARG_FLAG, .help = "show every counter"}},
    {TAKES_CALLS, {.name = "calls", .type = ARG_FLAG,
                   .help = "show the host's calls that this run stands for"}},
    {0, {.name = "json", .type = ARG_FLAG, .help = "print this result as one JSON object"}},
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

unsigned command_spec_count(const struct command *c)
{
    unsigned n = count_specs(c->options) + count_specs(c->operands);
    for (unsigned i = 0; i < COMMON; i++)
        n += has_common(c, i);
    return n;
}

const struct arg_spec *command_spec(const struct command *c, unsigned index, bool *operand)
{
    unsigned own = count_specs(c->options);
    if (operand)
        *operand = false;
    if (index < own)
        return &c->options[index];
    index -= own;
    for (unsigned i = 0; i < COMMON; i++)
        if (has_common(c, i) && index-- == 0)
            return &common[i].spec;
    if (index >= count_specs(c->operands))
        return NULL;
    if (operand)
        *operand = true;
    return &c->operands[index];
}

const char *command_choice(const struct command *c, const struct arg_spec *spec, unsigned k)
{
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

/* ---- usage ---------------------------------------------------------------------------- */

void command_value_name(const struct command *c, const struct arg_spec *spec, struct buf *out)
{
    static const char *const names[] = {
        [ARG_FLAG] = "", [ARG_INT] = "N", [ARG_REAL] = "X", [ARG_HEX] = "HEX",
        [ARG_CHOICE] = "NAME", [ARG_DIM] = "DIM", [ARG_TEXT] = "TEXT", [ARG_PAIR] = "A B",
        [ARG_MANY] = "TEXT", [ARG_LIST] = "LIST",
        [ARG_FILE] = "FILE", [ARG_COMMAND] = "COMMAND", [ARG_TOPIC] = "TOPIC",
        [ARG_SETTING] = "NAME", [ARG_ARRAY] = "NAME", [ARG_ARRAYS] = "NAMES", [ARG_KERNEL] = "NAME",
        [ARG_BINARY] = "FILE",
        [ARG_CALL] = "KERNEL<<<GRID,BLOCK>>>(ARGS)",
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
    if (operand) {
        buf_puts(out, spec->name);
        return;
    }
    buf_printf(out, "%s%s", spec->name[1] ? "--" : "-", spec->name);
    if (spec->type != ARG_FLAG) {
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

void command_synopsis(const struct command *c, struct buf *out, int width)
{
    struct buf piece;
    buf_init(&piece);
    buf_puts(out, c->name);
    size_t at = strlen(c->name);
    unsigned n = command_spec_count(c);
    /* Operands first: they are what a reader looks for. */
    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < n; i++) {
            bool operand;
            const struct arg_spec *spec = command_spec(c, i, &operand);
            if (operand != (pass == 0))
                continue;
            buf_clear(&piece);
            bool must = operand && spec->required;
            buf_puts(&piece, must ? "" : "[");
            put_spec(c, spec, operand, &piece);
            buf_puts(&piece, must ? "" : "]");
            put_piece(out, &piece, &at, width);
        }
    buf_putc(out, '\n');
    buf_free(&piece);
}

static const char *first_value(const struct command *c, const struct arg_spec *spec)
{
    if (!spec->initial && spec->type == ARG_CHOICE && !spec->choices)
        return command_choice(c, spec, 0);
    return spec->initial;
}

static void put_limits(const struct command *c, const struct arg_spec *spec, struct buf *out)
{
    if (spec->type == ARG_INT && (spec->lo || spec->hi) && spec->hi < INT64_MAX)
        buf_printf(out, "; %" PRId64 " to %" PRId64, spec->lo, spec->hi);
    const char *initial = first_value(c, spec);
    if (initial && spec->type != ARG_FLAG)
        buf_printf(out, " (%s if not given)", initial);
}

/* One option or operand: its name, and what it means in a column of its own. */
static void put_meaning(const struct command *c, const struct arg_spec *spec, bool operand,
                        struct buf *out, int width)
{
    enum { MEANING = 24 };
    struct buf text;
    size_t start = out->len;
    buf_init(&text);
    buf_puts(out, "  ");
    put_spec(c, spec, operand, out);
    if (out->len - start > MEANING - 2) {
        buf_putc(out, '\n');
        start = out->len;
    }
    buf_printf(out, "%*s", (int)(MEANING - (out->len - start)), "");
    buf_puts(&text, spec->help ? spec->help : "");
    put_limits(c, spec, &text);
    text_wrap(out, buf_text(&text), text.len, width, MEANING);
    buf_free(&text);
}

void command_usage(const struct command *c, struct buf *out, int width)
{
    command_synopsis(c, out, width);
    unsigned n = command_spec_count(c);
    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < n; i++) {
            bool operand;
            const struct arg_spec *spec = command_spec(c, i, &operand);
            if (operand == (pass == 0))
                put_meaning(c, spec, operand, out, width);
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
