/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What other people's source may ask a compiler to read: under --safe, the stand-in headers
 * and nothing else. No state is kept from line to line, so that no string or comment can hide
 * a directive: whatever stands where a directive could begin is taken for one. The price is
 * that an #include in a block comment counts as well. It doesn't expand macros; a directive
 * that would need it is refused.
 */
#include "cc/backend.h"

#include "base/asset.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN = 60, WORD = 40, NAME = 200 };

struct asking {
    const char *path;  /* of the source */
    const char *start, *end;
    char *out;         /* what it asks for, as a sentence can name it */
};

static bool asks(struct asking *a, const char *at)
{
    const char *stop = at;
    while (stop < a->end && stop - at < SHOWN && *stop != '\n' && *stop != '\r')
        stop++;
    snprintf(a->out, ASKS_ROOM, "`%.*s`", (int)(stop - at), at);
    return true;
}

/* ---- the text as a preprocessor sees it ------------------------------------------------ */

/* Lines that end in \ are one with the next; blanks may stand behind the \. */
static void join_lines(const char *text, size_t n, struct buf *out)
{
    for (const char *at = text, *end = text + n; at < end;) {
        const char *slash = memchr(at, '\\', (size_t)(end - at)), *rest = slash ? slash + 1 : end;
        buf_add(out, at, (size_t)((slash ? slash : end) - at));
        while (rest < end && (*rest == ' ' || *rest == '\t' || *rest == '\r'))
            rest++;
        bool joins = slash && rest < end && *rest == '\n';
        if (slash && !joins)
            buf_add(out, slash, (size_t)(rest - slash));
        at = rest + joins;
    }
}

/* Past blanks and comments; a comment may span lines. */
static const char *skip_blanks(const struct asking *a, const char *at)
{
    while (at < a->end) {
        if (a->end - at > 1 && at[0] == '/' && at[1] == '*') {
            for (at += 2; at < a->end && !(at[0] == '*' && a->end - at > 1 && at[1] == '/');)
                at++;
            at += a->end - at > 1 ? 2 : 0;
        } else if (*at == ' ' || *at == '\t' || *at == '\v' || *at == '\f') {
            at++;
        } else {
            break;
        }
    }
    return at;
}

/* Could a directive begin here? In front of it on its line are blanks, or a comment's end. */
static bool begins_line(const struct asking *a, const char *at)
{
    while (at > a->start && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\v' || at[-1] == '\f'))
        at--;
    return at == a->start || at[-1] == '\n' || at[-1] == '\r' ||
           (at - a->start > 1 && at[-1] == '/' && at[-2] == '*');
}

static const char *read_word(const struct asking *a, const char *at, char word[WORD])
{
    size_t n = 0;
    at = skip_blanks(a, at);
    for (; at < a->end && (isalnum((unsigned char)*at) || *at == '_'); at++)
        if (n < WORD - 1)
            word[n++] = *at;
    word[n] = '\0';
    return at;
}

static bool is_one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

/* ---- headers --------------------------------------------------------------------------- */

static bool is_stand_in(const char *name)
{
    for (size_t i = 0; i < assets_count; i++) {
        const char *known = stand_in_name(&assets[i]);
        if (known && strcmp(known, name) == 0)
            return true;
    }
    return false;
}

/* "stdio.h" in quotes would rather be a file beside the source, or in the working folder. */
static bool lies_beside(const char *path, const char *name)
{
    char beside[1024];
    const char *slash = strrchr(path, '/');
    int n = snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path,
                     name);
    return n >= (int)sizeof beside || access(beside, F_OK) == 0 || access(name, F_OK) == 0;
}

static bool may_include(const struct asking *a, const char *at)
{
    char name[NAME];
    at = skip_blanks(a, at);
    char close = at < a->end && *at == '<' ? '>' : at < a->end && *at == '"' ? '"' : 0;
    const char *stop = close ? memchr(at + 1, close, (size_t)(a->end - at - 1)) : NULL;
    if (!stop || stop - at >= NAME)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(stop - at - 1), at + 1);
    return is_stand_in(name) && (close == '>' || !lies_beside(a->path, name));
}

/* ---- directives ------------------------------------------------------------------------ */

/* Some pragmas name files; those that students write for the compiler's sake don't. */
static bool may_pragma(const struct asking *a, const char *at)
{
    static const char *const plain[] = {"unroll", "nounroll", "once", "pack", "diag_suppress",
                                        "diag_default", "nv_diag_suppress", "nv_diag_default",
                                        "nv_diagnostic", "omp", "nv_exec_check_disable", NULL};
    static const char *const makers[] = {"GCC", "clang", NULL};
    static const char *const of_makers[] = {"diagnostic", "unroll", "loop", "fp", "optimize", NULL};
    char word[WORD];
    at = read_word(a, at, word);
    if (is_one_of(word, plain))
        return true;
    if (!is_one_of(word, makers))
        return false;
    read_word(a, at, word);
    return is_one_of(word, of_makers);
}

static bool may_direct(const struct asking *a, const char *at)
{
    static const char *const harmless[] = {"", "if", "ifdef", "ifndef", "elif", "else", "endif",
                                           "define", "undef", "error", "warning", NULL};
    char word[WORD];
    at = read_word(a, at, word);
    if (strcmp(word, "include") == 0)
        return may_include(a, at);
    if (strcmp(word, "pragma") == 0)
        return may_pragma(a, at);
    return is_one_of(word, harmless);
}

/* The words that reach a file without a directive. */
static bool may_say(const struct asking *a, const char *word, size_t n, const char *after)
{
    static const char *const never[] = {"__has_include", "__has_include_next", "__has_embed"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (n == strlen(never[i]) && memcmp(word, never[i], n) == 0)
            return false;
    bool operator = (n == 7 && memcmp(word, "_Pragma", 7) == 0) ||
                    (n == 8 && memcmp(word, "__pragma", 8) == 0);
    if (!operator)
        return true;
    after = skip_blanks(a, after);
    after += after < a->end && *after == '(';
    after = skip_blanks(a, after);
    after += after < a->end && *after == '"';
    return may_pragma(a, after);
}

static bool looks_through(struct asking *a)
{
    for (const char *at = a->start; at < a->end;) {
        const char *word = at;
        while (at < a->end && (isalnum((unsigned char)*at) || *at == '_'))
            at++;
        if (at > word) {
            if (!may_say(a, word, (size_t)(at - word), at))
                return asks(a, word);
            continue;
        }
        size_t mark = *at == '#' ? 1 : a->end - at > 1 && memcmp(at, "%:", 2) == 0 ? 2 : 0;
        bool trigraph = a->end - at > 2 && at[0] == '?' && at[1] == '?' &&
                        (at[2] == '=' || at[2] == '/');
        if (trigraph || (mark && begins_line(a, at) && !may_direct(a, at + mark)))
            return asks(a, at);
        at++;
    }
    return false;
}

int source_asks_for(const char *path, const char *text, size_t n, char out[ASKS_ROOM])
{
    struct buf joined;
    buf_init(&joined);
    join_lines(text, n, &joined);
    struct asking a = {.path = path, .start = buf_text(&joined), .out = out};
    a.end = a.start + joined.len;
    int rc = joined.failed ? -1 : looks_through(&a);
    buf_free(&joined);
    return rc;
}
