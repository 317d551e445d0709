/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lexer: one pass over the text, a table of character classes, and a hash table of words.
 * The hash of a word is computed while its end is searched. It knows how PTX spells things
 * and nothing about what they mean.
 *
 * A failure ends the tokens: the parser runs into TOKEN_END, which fits nowhere, and need not
 * ask after each step.
 */
#include "ptx/lex.h"

#include "base/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 1024, LONGEST_WORD = 4000 };

/* Classes of characters. */
enum { BLANK = 1, START = 2, MORE = 4, DIGIT = 8, HEX = 16 };

static const unsigned char class_of[256] = {
    [' '] = BLANK, ['\t'] = BLANK, ['\r'] = BLANK, ['\n'] = BLANK, ['\f'] = BLANK, ['\v'] = BLANK,
    ['_'] = START | MORE, ['$'] = START | MORE,
#define NUMERAL(c) [c] = MORE | DIGIT | HEX
    NUMERAL('0'), NUMERAL('1'), NUMERAL('2'), NUMERAL('3'), NUMERAL('4'),
    NUMERAL('5'), NUMERAL('6'), NUMERAL('7'), NUMERAL('8'), NUMERAL('9'),
#undef NUMERAL
#define LETTER(lower, upper, extra) [lower] = START | MORE | extra, [upper] = START | MORE | extra
    LETTER('a', 'A', HEX), LETTER('b', 'B', HEX), LETTER('c', 'C', HEX), LETTER('d', 'D', HEX),
    LETTER('e', 'E', HEX), LETTER('f', 'F', HEX), LETTER('g', 'G', 0),   LETTER('h', 'H', 0),
    LETTER('i', 'I', 0),   LETTER('j', 'J', 0),   LETTER('k', 'K', 0),   LETTER('l', 'L', 0),
    LETTER('m', 'M', 0),   LETTER('n', 'N', 0),   LETTER('o', 'O', 0),   LETTER('p', 'P', 0),
    LETTER('q', 'Q', 0),   LETTER('r', 'R', 0),   LETTER('s', 'S', 0),   LETTER('t', 'T', 0),
    LETTER('u', 'U', 0),   LETTER('v', 'V', 0),   LETTER('w', 'W', 0),   LETTER('x', 'X', 0),
    LETTER('y', 'Y', 0),   LETTER('z', 'Z', 0),
#undef LETTER
};

static bool is(char c, unsigned what)
{
    return class_of[(unsigned char)c] & what;
}

/* ---- failing -------------------------------------------------------------------------- */

static void stop(struct lex *lex)
{
    lex->failed = true;
    lex->token = (struct ptx_token){.kind = TOKEN_END, .line = lex->line, .at = lex->at};
}

int lex_fail(struct lex *lex, const struct ptx_token *where, const char *fmt, ...)
{
    if (lex->failed)
        return -1;
    const char *line_start = where->at;
    while (line_start > lex->start && line_start[-1] != '\n')
        line_start--;
    char text[ERR_TEXT];
    WITH_ARGS(fmt, vsnprintf(text, sizeof text, fmt, args));
    fail_at(lex->err, where->line, (int)(where->at - line_start) + 1, "%s", text);
    stop(lex);
    return -1;
}

int lex_fail_memory(struct lex *lex)
{
    if (!lex->failed) {
        fail_memory(lex->err);
        lex->given_up = true;
        stop(lex);
    }
    return -1;
}

/* ---- words ---------------------------------------------------------------------------- */

static uint32_t hash_step(uint32_t hash, char c)
{
    return (hash ^ (unsigned char)c) * UINT32_C(16777619);
}

static uint32_t hash_of(const struct lex *lex, const char *text, size_t n)
{
    uint32_t hash = lex->seed;
    for (size_t i = 0; i < n; i++)
        hash = hash_step(hash, text[i]);
    return hash;
}

static struct word **bucket(const struct lex *lex, uint32_t hash)
{
    return &lex->buckets[(hash ^ hash >> 15) & (lex->bucket_count - 1)];
}

static struct word *find(const struct lex *lex, const char *text, size_t n, uint32_t hash)
{
    struct word *w = *bucket(lex, hash);
    while (w && (w->hash != hash || w->length != n || memcmp(w->text, text, n) != 0))
        w = w->next_in_bucket;
    return w;
}

/* The old table stays in the arena; all of them together are as large as the newest. */
static int enlarge(struct lex *lex)
{
    struct word **old = lex->buckets;
    size_t old_count = lex->bucket_count;
    struct word **fresh = arena_alloc(lex->memory, 4 * old_count * sizeof *fresh);
    if (!fresh)
        return -1;
    lex->buckets = fresh;
    lex->bucket_count = 4 * old_count;
    for (size_t i = 0; i < old_count; i++)
        for (struct word *w = old[i], *next; w; w = next) {
            struct word **place = bucket(lex, w->hash);
            next = w->next_in_bucket;
            w->next_in_bucket = *place;
            *place = w;
        }
    return 0;
}

static struct word *intern(struct lex *lex, const char *text, size_t n, uint32_t hash)
{
    struct word *w = find(lex, text, n, hash);
    if (w)
        return w;
    if (lex->word_count >= lex->bucket_count && enlarge(lex) != 0)
        return NULL;
    w = arena_alloc(lex->memory, sizeof *w);
    char *copy = arena_text(lex->names, text, n);
    if (!w || !copy)
        return NULL;
    w->text = copy;
    w->length = (uint32_t)n;
    w->hash = hash;
    struct word **place = bucket(lex, hash);
    w->next_in_bucket = *place;
    *place = w;
    lex->word_count++;
    return w;
}

struct word *lex_word(struct lex *lex, const char *text, size_t n)
{
    return intern(lex, text, n, hash_of(lex, text, n));
}

struct word *lex_find(const struct lex *lex, const char *text, size_t n)
{
    return find(lex, text, n, hash_of(lex, text, n));
}

/* ---- blanks and comments -------------------------------------------------------------- */

static const char *skip_comment(struct lex *lex, const char *s)
{
    if (s[1] == '/') {
        while (*s && *s != '\n')
            s++;
        return s;
    }
    for (s += 2; *s && !(s[0] == '*' && s[1] == '/'); s++)
        lex->line += *s == '\n';
    return *s ? s + 2 : s;
}

static void skip_blanks(struct lex *lex)
{
    const char *s = lex->at;
    for (;;) {
        if (is(*s, BLANK))
            lex->line += *s++ == '\n';
        else if (*s == '/' && (s[1] == '/' || s[1] == '*'))
            s = skip_comment(lex, s);
        else
            break;
    }
    lex->at = s;
}

void lex_skip_line(struct lex *lex)
{
    while (*lex->at && *lex->at != '\n')
        lex->at++;
    lex_next(lex);
}

int lex_skip_block(struct lex *lex)
{
    struct ptx_token open = lex->token;
    for (size_t depth = 1; depth;) {
        skip_blanks(lex);
        char c = *lex->at;
        if (c == '\0')
            return lex_fail(lex, &open, "this { has no }");
        depth += c == '{';
        depth -= c == '}';
        lex->at++;
    }
    lex->token = (struct ptx_token){.kind = '}', .line = lex->line, .at = lex->at - 1, .length = 1};
    return 0;
}

struct lex_place lex_here(const struct lex *lex)
{
    return (struct lex_place){lex->token, lex->at, lex->line};
}

void lex_return(struct lex *lex, const struct lex_place *to)
{
    lex->token = to->token;
    lex->at = to->at;
    lex->line = to->line;
    lex->failed = false;
    *lex->err = (struct err){0};
}

/* ---- numbers -------------------------------------------------------------------------- */

static int bad_number(struct lex *lex, const char *why)
{
    int shown = 0;
    while (shown < 40 && is(lex->token.at[shown], MORE))
        shown++;
    return lex_fail(lex, &lex->token, "%.*s: %s", shown, lex->token.at, why);
}

/* 0f3F800000 and 0d3FF0000000000000: the bits of a float, all digits written. */
static int lex_float_bits(struct lex *lex, const char *s, int digits, enum number_kind kind)
{
    uint64_t bits = 0;
    int n = 0;
    for (; hex_value(s[n]) >= 0; n++)
        bits = bits << 4 | (unsigned)hex_value(s[n]);
    if (n != digits || is(s[n], MORE))
        return bad_number(lex, digits == 8 ? "a float is 0f and 8 hexadecimal digits"
                                           : "a double is 0d and 16 hexadecimal digits");
    lex->token.number = (struct number){kind, bits};
    lex->at = s + n;
    return 0;
}

static int lex_integer(struct lex *lex, const char *s, unsigned base)
{
    uint64_t v = 0;
    const char *first = s;
    for (; is(*s, HEX) && (unsigned)hex_value(*s) < base; s++) {
        unsigned digit = (unsigned)hex_value(*s);
        if (v > (UINT64_MAX - digit) / base)
            return bad_number(lex, "this number has more than 64 bits");
        v = v * base + digit;
    }
    bool is_unsigned = *s == 'U';
    s += is_unsigned;
    if (s == first + is_unsigned || is(*s, MORE))
        return bad_number(lex, "this is not a number");
    if (v > INT64_MAX)
        is_unsigned = true;
    lex->token.number = (struct number){is_unsigned ? NUMBER_UNSIGNED : NUMBER_SIGNED, v};
    lex->at = s;
    return 0;
}

/* The end of 1.5 or 2e-3, or NULL where the digits are those of an integer. */
static const char *end_of_decimal_float(const char *s)
{
    bool is_float = false;
    while (is(*s, DIGIT))
        s++;
    if (*s == '.' && is(s[1], DIGIT | BLANK)) {
        is_float = true;
        for (s++; is(*s, DIGIT);)
            s++;
    }
    if (*s == 'e' || *s == 'E') {
        const char *digits = s + 1 + (s[1] == '-' || s[1] == '+');
        if (!is(*digits, DIGIT))
            return NULL;
        is_float = true;
        for (s = digits; is(*s, DIGIT);)
            s++;
    }
    return is_float ? s : NULL;
}

static int lex_number(struct lex *lex)
{
    const char *s = lex->at;
    lex->token.kind = TOKEN_NUMBER;
    if (*s == '0')
        switch (s[1]) {
        case 'f': case 'F': return lex_float_bits(lex, s + 2, 8, NUMBER_F32);
        case 'd': case 'D': return lex_float_bits(lex, s + 2, 16, NUMBER_F64);
        case 'x': case 'X': return lex_integer(lex, s + 2, 16);
        case 'b': case 'B': return lex_integer(lex, s + 2, 2);
        default: break;
        }
    const char *end = end_of_decimal_float(s);
    if (!end)
        return lex_integer(lex, s, *s == '0' ? 8 : 10);
    double v = strtod(s, NULL);
    lex->token.number.kind = NUMBER_F64;
    memcpy(&lex->token.number.bits, &v, sizeof v);
    lex->at = end;
    return 0;
}

/* ---- the rest ------------------------------------------------------------------------- */

/* A word goes on over ".x" and "::y", so that an opcode is one word. */
static bool joins(const char *s)
{
    return s[0] == '.' ? is(s[1], MORE) : s[0] == ':' && s[1] == ':' && is(s[2], MORE);
}

static int lex_name(struct lex *lex, int kind)
{
    const char *first = lex->at, *s = first + 1;
    uint32_t hash = hash_step(lex->seed, *first);
    for (;;) {
        for (; is(*s, MORE); s++)
            hash = hash_step(hash, *s);
        if (kind == TOKEN_DIRECTIVE || !joins(s))
            break;
        hash = hash_step(hash, *s++);
        if (*s == ':')
            hash = hash_step(hash, *s++);
    }
    if (s - first > LONGEST_WORD)
        return lex_fail(lex, &lex->token, "this name is longer than %d letters", LONGEST_WORD);
    lex->token.kind = kind;
    lex->token.word = intern(lex, first, (size_t)(s - first), hash);
    lex->at = s;
    return lex->token.word ? 0 : lex_fail_memory(lex);
}

static int lex_string(struct lex *lex)
{
    const char *s = lex->at + 1;
    while (*s && *s != '"' && *s != '\n')
        s += s[0] == '\\' && s[1] && s[1] != '\n' ? 2 : 1;
    if (*s != '"')
        return lex_fail(lex, &lex->token, "this text has no closing \"");
    lex->token.kind = TOKEN_STRING;
    lex->token.length = (size_t)(s - lex->at - 1);
    lex->at = s + 1;
    return 0;
}

static int operator_of(const char *s)
{
    static const struct {
        char text[3];
        int kind;
    } doubled[] = {{"<<", TOKEN_SHIFT_LEFT}, {">>", TOKEN_SHIFT_RIGHT}, {"<=", TOKEN_LESS_EQUAL},
                   {">=", TOKEN_GREATER_EQUAL}, {"==", TOKEN_EQUAL}, {"!=", TOKEN_NOT_EQUAL},
                   {"&&", TOKEN_AND}, {"||", TOKEN_OR}};
    for (size_t i = 0; i < sizeof doubled / sizeof *doubled; i++)
        if (s[0] == doubled[i].text[0] && s[1] == doubled[i].text[1])
            return doubled[i].kind;
    return (unsigned char)*s;
}

static int lex_punctuation(struct lex *lex)
{
    unsigned char c = (unsigned char)*lex->at;
    if (!strchr(",;:{}[]()<>|@!+-*/%&^~?=", c))
        return lex_fail(lex, &lex->token,
                        c > ' ' && c < 0x7F ? "'%c' doesn't belong in PTX"
                                            : "byte 0x%02x doesn't belong in PTX",
                        c);
    lex->token.kind = strchr("<>=!&|", c) ? operator_of(lex->at) : c;
    lex->at += lex->token.kind > 255 ? 2 : 1;
    return 0;
}

bool lex_word_follows(const struct lex *lex)
{
    return is(*lex->at, START) || (*lex->at == '%' && is(lex->at[1], START));
}

/* Asks now and then whether the parse should go on. */
static bool told_to_stop(struct lex *lex)
{
    enum { TOKENS = 1 << 14 };
    if (++lex->tokens % TOKENS != 0 || go_on(lex->go_on, lex->err) == 0)
        return false;
    lex->given_up = true;
    stop(lex);
    return true;
}

void lex_next(struct lex *lex)
{
    if (lex->failed || told_to_stop(lex))
        return;
    skip_blanks(lex);
    const char *s = lex->at;
    lex->token.kind = TOKEN_END;
    lex->token.at = s;
    lex->token.line = lex->line;
    if (lex_word_follows(lex))
        lex_name(lex, TOKEN_WORD);
    else if (is(*s, DIGIT))
        lex_number(lex);
    else if (*s == '.' && is(s[1], START))
        lex_name(lex, TOKEN_DIRECTIVE);
    else if (*s == '.' && is(s[1], DIGIT))
        lex_number(lex);
    else if (*s == '"')
        lex_string(lex);
    else if (*s)
        lex_punctuation(lex);
    if (lex->token.kind != TOKEN_STRING)
        lex->token.length = (size_t)(lex->at - s);
}

int lex_begin(struct lex *lex, const char *text, struct arena *names, struct arena *memory,
              const struct go_on *go_on, struct err *err)
{
    *lex = (struct lex){.at = text, .start = text, .line = 1, .go_on = go_on, .err = err};
    lex->names = names;
    lex->memory = memory;
    lex->bucket_count = FIRST_BUCKETS;
    lex->buckets = arena_alloc(memory, FIRST_BUCKETS * sizeof *lex->buckets);
    /* Names in the same bucket are slow to find. The hash begins with an address, which is another
     * number in each run. So no file can be made of names that share a bucket. No result depends on
     * the bucket of a word. */
    lex->seed = (uint32_t)((uintptr_t)lex->buckets >> 4) * UINT32_C(2654435761) | 1;
    return lex->buckets ? 0 : lex_fail_memory(lex);
}
