/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was typed, matched to a command's table. Every value is looked at once, here: a
 * command that runs can rely on its numbers being numbers and in range. A wrong word is
 * never guessed at; the sentence says which word it is and what would be right.
 */
#include "base/buf.h"
#include "base/near.h"
#include "base/num.h"
#include "command/command.h"
#include "command/variants.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One pass over the words. */
struct parse {
    const struct command *c;
    const struct words *w;
    const char *line;
    const char **text;
    uint64_t given;
    unsigned word;      /* the next word */
    unsigned operands;  /* how many operands have come */
    bool options_ended; /* after a word `--` */
    bool *apart;        /* by word: no part of an ARG_CALL or ARG_LINE */
    const char *second; /* of an ARG_PAIR */
    struct args *out;
    bool after_text;    /* the last word was an option's text, as in -f x^2 */
    struct err *e;
};

static void *member_of(const struct parse *p, const struct arg_spec *spec)
{
    return (char *)p->out->options + spec->at;
}

/* ---- values --------------------------------------------------------------------------- */

static int check_int(const struct arg_spec *spec, const char *name, const char *text,
                     struct err *e)
{
    bool any = !spec->lo && !spec->hi;
    struct err why;
    int64_t v;
    if (num_int(text, any ? INT64_MIN : spec->lo, any ? INT64_MAX : spec->hi, &v, &why) == 0)
        return 0;
    if (any || spec->hi == INT64_MAX)
        return fail(e, "%s: %s", name, why.text);
    return fail(e, "%s: %s (%s is a whole number from %" PRId64 " to %" PRId64 ")", name, why.text,
                name, spec->lo, spec->hi);
}

static int check_real(const char *name, const char *text, struct err *e)
{
    struct err why;
    double v;
    return num_real(text, &v, &why) == 0 ? 0 : fail(e, "%s: %s", name, why.text);
}

static int check_hex(const char *name, const char *text, struct err *e)
{
    struct err why;
    uint64_t v;
    if (num_uint(text, 0, UINT32_MAX, &v, &why) == 0)
        return 0;
    return fail(e, "%s: %s (a mask of 32 lanes: 0x0 to 0xffffffff)", name, why.text);
}

/* Which of the choices a text is; -1: none of them. */
static int choice_index(const struct command *c, const struct arg_spec *spec, const char *text)
{
    const char *choice;
    for (unsigned k = 0; text && (choice = command_choice(c, spec, k)); k++)
        if (strcmp(choice, text) == 0)
            return (int)k;
    return -1;
}

static int check_choice(const struct command *c, const struct arg_spec *spec, const char *name,
                        const char *text, struct err *e)
{
    struct near n = {.word = text};
    struct buf all = {0};
    const char *choice;
    if (choice_index(c, spec, text) >= 0)
        return 0;
    for (unsigned k = 0; (choice = command_choice(c, spec, k)); k++) {
        near_try(&n, choice);
        buf_printf(&all, "%s%s", k ? ", " : "", choice);
    }
    bool syntax = strcmp(name, buf_text(&all)) == 0; /* the word belongs to the syntax */
    if (syntax && n.best)
        fail(e, "`%.60s` is not allowed here: did you mean %s?", text, name);
    else if (syntax)
        fail(e, "`%.60s` is not allowed here, where only `%s` may follow; `help %s` has the syntax",
             text, name, c->name);
    else if (n.best)
        fail(e, "%s has no value `%.60s`: did you mean %s? (it takes %s)", name, text, n.best,
             buf_text(&all));
    else
        fail(e, "%s has no value `%.60s`: it takes %s", name, text, buf_text(&all));
    buf_free(&all);
    return -1;
}

/* The next of a dimension's numbers into part; returns what follows it, NULL when too long. */
static const char *dim_part(const char *s, char part[32])
{
    bool hex = s[0] == '0' && s[1] == 'x' && strspn(s + 2, "0123456789abcdefABCDEF") > 0 &&
               strchr(s + 2, 'x') == NULL && strchr(s, ',') == NULL;
    size_t k = hex ? strlen(s) : strcspn(s, "xX,");
    const char *end = s + k;
    while (k && s[k - 1] == ' ')
        k--;
    if (k >= 32)
        return NULL;
    memcpy(part, s, k);
    part[k] = '\0';
    return end;
}

/* Reads up to three numbers: "8", "2x3", "dim3(2,3)" or "(2,3)". -1: `why` gets the error. */
static int read_dim(const struct arg_spec *spec, const char *text, unsigned out[3],
                    struct err *why)
{
    char inner[100], part[32];
    text += strncmp(text, "dim3(", 5) == 0 ? 4 : 0;
    size_t n = strlen(text);
    bool paren = n > 1 && text[0] == '(' && text[n - 1] == ')';
    bool any = !spec->lo && !spec->hi;
    if (n >= sizeof inner)
        return fail(why, "is too long");
    memcpy(inner, text + paren, n - 2 * paren);
    inner[n - 2 * paren] = '\0';
    out[0] = out[1] = out[2] = 1;
    const char *s = inner;
    for (int i = 0;; i++) {
        int64_t v;
        s += strspn(s, " ");
        if (i == 3)
            return fail(why, "`%.60s` has more than three parts", text);
        if (!(s = dim_part(s, part)) || !*part)
            return fail(why, "`%.60s` is neither a number nor a product of numbers", text);
        if (num_int(part, any ? 1 : spec->lo, any ? 2147483647 : spec->hi, &v, why) != 0)
            return -1;
        out[i] = (unsigned)v;
        if (!*s)
            return 0;
        s++;
    }
}

static int check_dim(const struct arg_spec *spec, const char *name, const char *text,
                     struct err *e)
{
    struct err why;
    unsigned dim[3];
    if (read_dim(spec, text, dim, &why) == 0)
        return 0;
    return fail(e, "%s: %s (write 8, 2x3 or 4x4x4)", name, why.text);
}

static int check_list(const struct arg_spec *spec, const char *name, const char *text,
                      struct err *e)
{
    bool whole = spec->lo || spec->hi;
    char item[48];
    for (const char *s = text;; s++) {
        size_t k = strcspn(s, ",");
        if (k == 0 || k >= sizeof item)
            return fail(e, "%s: `%.60s` is not a list; write numbers with commas between them, as "
                        "in 5,2,3", name, text);
        snprintf(item, sizeof item, "%.*s", (int)k, s);
        if (whole ? check_int(spec, name, item, e) : check_real(name, item, e))
            return -1;
        s += k;
        if (!*s)
            return 0;
    }
}

static int check_typed(const struct parse *p, const struct arg_spec *spec, const char *name,
                       const char *text)
{
    switch (spec->type) {
    case ARG_INT: return check_int(spec, name, text, p->e);
    case ARG_REAL: return check_real(name, text, p->e);
    case ARG_HEX: return check_hex(name, text, p->e);
    case ARG_CHOICE: return check_choice(p->c, spec, name, text, p->e);
    case ARG_DIM: return check_dim(spec, name, text, p->e);
    case ARG_LIST: return check_list(spec, name, text, p->e);
    case ARG_TEXT:
    case ARG_REST: return 0;
    default: return *text ? 0 : fail(p->e, "%s is empty", name);
    }
}

/* Can this text, which stands in that column, be the value? `name` is used in the error. */
static int check_value(const struct parse *p, const struct arg_spec *spec, const char *name,
                       const char *text, int column)
{
    if (check_typed(p, spec, name, text) == 0)
        return 0;
    p->e->column = column;
    return -1;
}

/* ---- options -------------------------------------------------------------------------- */

static bool names_option(const struct parse *p, unsigned word)
{
    unsigned index;
    const char *text = p->w->word[word];
    return !p->w->quoted[word] && text[0] == '-' &&
           command_option_named(p->c, text, strcspn(text, "="), &index);
}

/* -n5 as other programs take it: the option of one letter, and its value behind it. */
static bool has_value_behind(const struct parse *p, const char *word)
{
    unsigned index;
    const struct arg_spec *spec = word[1] == '-' ? NULL : command_option_named(p->c, word, 2, &index);
    return spec && spec->type != ARG_FLAG && num_looks(word + 2);
}

/* Offer the nearest option, dashes aside: -variant and --varaint both mean --variant. */
static int unknown_option(const struct parse *p, const char *word, int column)
{
    char typed[64], best[64] = "";
    if (has_value_behind(p, word))
        return fail_at(p->e, 0, column, "%s has no option %.60s: did you mean %.2s %.60s?",
                       p->c->name, word, word, word + 2);
    const char *bare = word + strspn(word, "-");
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(bare, "="), bare);
    struct near n = {.word = typed};
    for (unsigned i = 0; i < command_option_count(p->c); i++) {
        const struct arg_spec *spec = command_spec(p->c, i);
        if ((spec->name[1] || strcmp(spec->name, typed) == 0) && near_try(&n, spec->name))
            command_option_name(spec, best);
    }
    if (*best)
        return fail_at(p->e, 0, column, "%s has no option %.60s: did you mean %s?", p->c->name,
                       word, best);
    if (p->c->hint)
        return fail_at(p->e, 0, column, "%s has no option %.60s: %s", p->c->name, word, p->c->hint);
    return fail_at(p->e, 0, column, "%s has no option %.60s; `help %s` lists its options",
                   p->c->name, word, p->c->name);
}

static int missing_value(const struct parse *p, const struct arg_spec *spec, int column)
{
    const char *what = spec->type == ARG_PAIR ? "two values" : "a value";
    char name[64];
    struct buf value = {0};
    command_value_name(p->c, spec, &value);
    command_option_name(spec, name);
    fail_at(p->e, 0, column, "%s needs %s: %s %s", name, what, name, buf_text(&value));
    buf_free(&value);
    return -1;
}

/* The next word is the option's value, or its second one. */
static int take_value(struct parse *p, const struct arg_spec *spec, int column, const char **value)
{
    if (p->word >= p->w->count || names_option(p, p->word))
        return missing_value(p, spec, column);
    p->apart[p->word] = true;
    *value = p->w->word[p->word++];
    return 0;
}

/* -Iinc and -DN=64, where -I and -D may be repeated. */
static const struct arg_spec *option_with_value(const struct parse *p, const char *word,
                                                unsigned *index)
{
    const struct arg_spec *spec =
        word[0] == '-' && word[1] && word[2] ? command_option_named(p->c, word, 2, index) : NULL;
    return spec && spec->type == ARG_MANY ? spec : NULL;
}

/* One value more of an option that may be repeated, or one file more: it goes to its member at
 * once. */
static int add_text(struct parse *p, const struct arg_spec *spec, const char *value, int column)
{
    struct arg_many *to = member_of(p, spec);
    if (to->count == MANY_MOST)
        return fail_at(p->e, 0, column, "%s can be given %d times at most", spec->name, MANY_MOST);
    to->text[to->count++] = value;
    return 0;
}

static int take_repeated(struct parse *p, const struct arg_spec *spec, unsigned index,
                         const char *value, int column)
{
    if ((!value && take_value(p, spec, column, &value) != 0) ||
        add_text(p, spec, value, column) != 0)
        return -1;
    p->given |= UINT64_C(1) << index;
    p->text[index] = value;
    return 0;
}

/* The word at p->word is an option; take it and its value. */
static int take_option(struct parse *p)
{
    unsigned at = p->word++, index;
    char name[64];
    p->after_text = false;
    const char *word = p->w->word[at], *equals = strchr(word, '=');
    int column = p->w->column[at];
    const struct arg_spec *spec = command_option_named(p->c, word, strcspn(word, "="), &index);
    p->apart[at] = true;
    if (!spec && (spec = option_with_value(p, word, &index)))
        return take_repeated(p, spec, index, word + 2, column);
    if (!spec)
        return unknown_option(p, word, column);
    if (spec->type == ARG_MANY)
        return take_repeated(p, spec, index, equals ? equals + 1 : NULL, column);
    if (p->given >> index & 1)
        return fail_at(p->e, 0, column, "%.*s is given twice; once is enough",
                       (int)strcspn(word, "="), word);
    p->given |= UINT64_C(1) << index;
    p->text[index] = "";
    if (spec->type == ARG_FLAG)
        return equals ? fail_at(p->e, 0, column, "%.*s takes no value; write it alone",
                                (int)(equals - word), word)
                      : 0;
    const char *value = equals ? equals + 1 : NULL;
    int value_column = equals ? column + (int)(value - word) : 0;
    if (!equals) {
        value_column = p->word < p->w->count ? p->w->column[p->word] : 0;
        if (take_value(p, spec, column, &value) != 0)
            return -1;
    }
    if (spec->type == ARG_PAIR && take_value(p, spec, column, &p->second) != 0)
        return -1;
    p->text[index] = value;
    p->after_text = spec->type == ARG_TEXT;
    return check_value(p, spec, command_option_name(spec, name), value, value_column);
}

/* ---- operands ------------------------------------------------------------------------- */

/* The synopsis in one line, without its newline. */
static void put_usage(const struct command *c, struct buf *usage)
{
    command_synopsis(c, usage, 10000);
    if (usage->len)
        usage->data[--usage->len] = '\0';
}

static bool names_variant(const struct lab *lab, const char *word)
{
    return lab && lab->variants &&
           (strcmp(word, "all") == 0 || lab_variant_named(lab, word));
}

/* A lab's variant, its n, an option without its dashes: what is most often typed so. A command
 * that reads labs doesn't know their variants: there any other name may be one. */
static void guess_option(const struct parse *p, const char *word, char out[120])
{
    struct err unread;
    int64_t n;
    bool known = names_variant(p->c->lab, word), likely = known;
    out[0] = '\0';
    for (unsigned i = 0; !known && i < command_option_count(p->c); i++) {
        const struct arg_spec *spec = command_spec(p->c, i);
        if (strcmp(spec->name, "n") == 0 && num_int(word, 0, INT64_MAX, &n, &unread) == 0)
            snprintf(out, 120, ", did you mean -n %.60s?", word);
        else if (spec->name[1] && strcmp(spec->name, word) == 0)
            snprintf(out, 120, ", did you mean --%.60s?", word);
        else if (!out[0] && !p->c->lab && strcmp(spec->name, "variant") == 0)
            likely = *word >= 'a' && *word <= 'z';
    }
    if (likely && !out[0])
        snprintf(out, 120, ", did you mean --variant %.60s?", word);
}

/* The command may know better what was meant by a word that can't stand here. */
static void say_unexpected(const struct parse *p, unsigned at)
{
    struct err better;
    if (!p->c->unexpected || strstr(p->e->text, "did you mean") ||
        p->c->unexpected(p->w, at, &better) == 0)
        return;
    better.column = p->w->column[at];
    *p->e = better;
}

static int one_too_many(const struct parse *p, unsigned at)
{
    struct buf usage = {0};
    char guess[120];
    const char *blanks = ", or the value before it has blanks and needs quotes";
    if (p->c->hint)
        return fail_at(p->e, 0, p->w->column[at], "`%.60s` is one word too many: %s",
                       p->w->word[at], p->c->hint);
    put_usage(p->c, &usage);
    guess_option(p, p->w->word[at], guess);
    fail_at(p->e, 0, p->w->column[at], "`%.60s` is one word too many%s%s usage is %s",
            p->w->word[at], p->after_text ? blanks : guess, p->after_text || !guess[0] ? ":" : "",
            buf_text(&usage));
    buf_free(&usage);
    say_unexpected(p, at);
    return -1;
}

/* Its value is the line itself, without the options of this command. */
static bool takes_line(const struct arg_spec *spec)
{
    return spec->type == ARG_CALL || spec->type == ARG_LINE;
}

static bool takes_rest(const struct arg_spec *spec)
{
    return spec->type == ARG_REST || spec->type == ARG_ARRAYS;
}

/* One of several files. All words to come belong to the same operand. */
static int take_file(struct parse *p, const struct arg_spec *spec, unsigned at)
{
    p->operands--;
    return add_text(p, spec, p->w->word[at], p->w->column[at]);
}

static int take_operand(struct parse *p)
{
    unsigned at = p->word++, index = command_option_count(p->c) + p->operands++;
    const struct arg_spec *spec = command_spec(p->c, index);
    if (!spec)
        return one_too_many(p, at);
    if (takes_line(spec)) {
        p->operands--; /* all words to come belong to it */
        if (p->given >> index & 1)
            return 0;
    } else {
        p->apart[at] = true;
    }
    p->given |= UINT64_C(1) << index;
    p->text[index] = p->w->word[at];
    if (spec->type == ARG_FILES)
        return take_file(p, spec, at);
    if (takes_rest(spec)) {
        p->text[index] = p->line + p->w->column[at] - 1;
        p->word = p->w->count;
    }
    if (check_value(p, spec, spec->name, p->text[index], p->w->column[at]) == 0)
        return 0;
    say_unexpected(p, at);
    return -1;
}

static bool runs_another(const struct command *c)
{
    const struct arg_spec *spec;
    for (unsigned i = command_option_count(c); (spec = command_spec(c, i)); i++)
        if (spec->type == ARG_LINE)
            return true;
    return false;
}

/* May a word with a dash, which comes next, belong to an operand? */
static bool operand_takes_dashes(const struct parse *p)
{
    const struct arg_spec *spec = command_spec(p->c, command_option_count(p->c) + p->operands);
    return spec && ((takes_rest(spec) && p->operands) ||
                    ((takes_rest(spec) || runs_another(p->c)) && !names_option(p, p->word)));
}

static int take_word(struct parse *p)
{
    const char *word = p->w->word[p->word];
    bool dashed = !p->w->quoted[p->word] && word[0] == '-' && word[1] && !num_looks(word);
    if (p->options_ended || !dashed || operand_takes_dashes(p))
        return take_operand(p);
    if (strcmp(word, "--") == 0) {
        p->options_ended = true;
        p->word++;
        return 0;
    }
    return command_explains_options(p->c) ? take_operand(p) : take_option(p);
}

/* A line that is right: the operands as typed, and an example of each that is missing. `skipped`
 * was left out before others that were typed; past the last: none was. Empty: there is none. */
static void put_example(const struct parse *p, unsigned skipped, struct buf *out)
{
    unsigned first = command_option_count(p->c), count = command_spec_count(p->c), typed = first;
    buf_puts(out, p->c->name);
    for (unsigned i = first; i < count; i++) {
        const struct arg_spec *spec = command_spec(p->c, i);
        const bool is_typed = i != skipped && p->given >> typed & 1;
        const char *text = is_typed ? p->text[typed++] : spec->example;
        if (!text && spec->required) {
            buf_clear(out);
            return;
        }
        if (text)
            buf_printf(out, " %s", text);
    }
}

/* A number stands where one of several names belongs: that name was left out. */
static int left_out_name(const struct parse *p)
{
    struct buf right = {0};
    for (unsigned i = command_option_count(p->c); p->given >> i & 1; i++) {
        const struct arg_spec *spec = command_spec(p->c, i);
        if (spec->type != ARG_TEXT || !spec->choices || !num_looks(p->text[i]))
            continue;
        put_example(p, i, &right);
        fail(p->e, "`%.60s` is not a %s: write %s", p->text[i], spec->name, buf_text(&right));
        for (unsigned at = 0; at < p->w->count; at++)
            if (p->w->word[at] == p->text[i])
                p->e->column = p->w->column[at];
        buf_free(&right);
        return -1;
    }
    return 0;
}

static int one_too_few(const struct parse *p, const struct arg_spec *spec)
{
    struct buf usage = {0}, right = {0};
    if (left_out_name(p) != 0)
        return -1;
    put_usage(p->c, &usage);
    put_example(p, command_spec_count(p->c), &right);
    fail_at(p->e, 0, (int)strlen(p->line) + 1, "%s is missing: usage is %s%s%s", spec->name,
            buf_text(&usage), right.len ? "; for example: " : "", buf_text(&right));
    buf_free(&usage);
    buf_free(&right);
    const unsigned first = command_option_count(p->c);
    for (unsigned at = 1; p->given >> first & 1 && at < p->w->count; at++)
        if (p->w->word[at] == p->text[first])
            say_unexpected(p, at); /* the word that came may be what is wrong */
    return -1;
}

static int fill_in(struct parse *p)
{
    unsigned count = command_spec_count(p->c);
    for (unsigned i = 0; i < count; i++) {
        const struct arg_spec *spec = command_spec(p->c, i);
        if (p->given >> i & 1)
            continue;
        p->text[i] = command_initial(p->c, spec);
        if (i >= command_option_count(p->c) && spec->required)
            return one_too_few(p, spec);
    }
    return 0;
}

/* A call is the line from its first word on, with what is no part of it blanked. */
static int take_call(const struct parse *p)
{
    unsigned index = command_option_count(p->c), count = p->w->count;
    const struct arg_spec *spec;
    while ((spec = command_spec(p->c, index)) && !takes_line(spec))
        index++;
    if (!spec || !(p->given >> index & 1))
        return 0;
    size_t n = strlen(p->line), first = 0;
    struct args *a = p->out;
    if (!(a->call = strdup(p->line)))
        return fail_memory(p->e);
    for (unsigned i = 0; i < count; i++) {
        size_t from = (size_t)p->w->column[i] - 1;
        size_t to = i + 1 < count ? (size_t)p->w->column[i + 1] - 1 : n;
        if (i == 0 || p->apart[i])
            memset(a->call + (i ? from : 0), ' ', i ? to - from : to);
        else if (!first)
            first = from;
    }
    while (n > first && a->call[n - 1] == ' ')
        a->call[--n] = '\0';
    p->text[index] = a->call + first;
    return 0;
}

/* ---- into the struct of options ----------------------------------------------------------- */

static int64_t whole_number(const char *text)
{
    int64_t v = 0;
    if (text)
        num_int(text, INT64_MIN, INT64_MAX, &v, NULL);
    return v;
}

static double real_number(const char *text)
{
    double v = 0;
    if (text)
        num_real(text, &v, NULL);
    return v;
}

static void store_dim(const struct arg_spec *spec, const char *text, unsigned out[3])
{
    struct err why;
    out[0] = out[1] = out[2] = 1;
    if (text)
        read_dim(spec, text, out, &why);
}

/* The text was checked when it was read. NULL: the option is absent and has no initial value. */
static void store_value(const struct parse *p, const struct arg_spec *spec, const char *text)
{
    void *to = member_of(p, spec);
    const char *call = p->out->call;
    switch (spec->member) {
    case MEMBER_NONE:
    case MEMBER_MANY: break; /* it is there already */
    case MEMBER_BOOL: *(bool *)to = text != NULL; break;
    case MEMBER_INT:
        *(int *)to = spec->type == ARG_CHOICE ? choice_index(p->c, spec, text)
                                              : (int)whole_number(text);
        break;
    case MEMBER_UNSIGNED: *(unsigned *)to = (unsigned)whole_number(text); break;
    case MEMBER_INT64: *(int64_t *)to = whole_number(text); break;
    case MEMBER_UINT64: *(uint64_t *)to = (uint64_t)whole_number(text); break;
    case MEMBER_REAL: *(double *)to = real_number(text); break;
    case MEMBER_TEXT: *(const char **)to = text; break;
    case MEMBER_DIM: store_dim(spec, text, to); break;
    case MEMBER_PAIR: *(struct arg_pair *)to = (struct arg_pair){text, p->second}; break;
    case MEMBER_CALL:
        *(struct arg_call *)to =
            (struct arg_call){text, call && text ? (int)(text - call) + 1 : 0};
        break;
    }
}

static void store_values(const struct parse *p)
{
    for (unsigned i = 0; i < command_spec_count(p->c); i++) {
        const struct arg_spec *spec = command_spec(p->c, i);
        store_value(p, spec, p->text[i]);
        if (spec->given_at)
            *((bool *)((char *)p->out->options + spec->given_at - 1)) = p->given >> i & 1;
    }
}

int args_parse(const struct command *c, const struct words *w, const char *line, struct args *a,
               struct err *e)
{
    struct parse p = {.c = c, .w = w, .line = line, .word = 1, .out = a, .e = e};
    *a = (struct args){.options = calloc(1, c->size + 1)};
    p.text = calloc(command_spec_count(c) + 1, sizeof *p.text);
    p.apart = calloc(w->count + 1, sizeof *p.apart);
    int failed = p.text && p.apart && a->options ? 0 : fail_memory(e);
    while (p.word < w->count && !failed)
        failed = take_word(&p);
    if (!failed)
        failed = fill_in(&p);
    if (!failed)
        failed = take_call(&p);
    if (failed)
        args_free(a);
    else
        store_values(&p);
    free(p.apart);
    free(p.text);
    return failed ? -1 : 0;
}

void args_free(struct args *a)
{
    free(a->options);
    free(a->call);
    *a = (struct args){0};
}
