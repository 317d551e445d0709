/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The paragraphs of a file, for the judge of prose: what of a help text, of Markdown, of a manual
 * page or of C is a sentence, and what is only a remark, such as a heading or a row of a list.
 * Code and tables are left out.
 */
#include "prose.h"

#include <ctype.h>
#include <string.h>

enum { ROOM = 1 << 15 /* a paragraph */ };

static const char *file;
static bool joined; /* lines are, without a line's end between them */
static char paragraph[ROOM];
static size_t paragraph_length;
static int paragraph_line;

static void add(int line, const char *text)
{
    size_t n = strlen(text);
    if (paragraph_length + n + 2 > ROOM)
        give_up("%s:%d: the paragraph is too long", file, line);
    if (!paragraph_length)
        paragraph_line = line;
    else if (!joined)
        paragraph[paragraph_length++] = '\n';
    memcpy(paragraph + paragraph_length, text, n + 1);
    paragraph_length += n;
}

static bool flush(enum part part)
{
    bool any = paragraph_length != 0;
    if (any)
        judge_paragraph(keep_text(paragraph, paragraph_length), paragraph_line, part);
    paragraph_length = 0;
    return any;
}

/* Rows are set in; those of a list by two blanks, deeper ones are code. */
static void read_help(char *text)
{
    enum part part = PROSE;
    bool tries = false, calls = false;
    int n = 0;
    for (char *line; (line = cut_line(&text));) {
        n++;
        const char *gap = strstr(line, "  ");
        if (n == 1 || begins(line, "also:")) {
            const char *summary = strchr(line, ':');
            if (n == 1 && summary)
                judge_paragraph(summary + 1, n, REMARK);
        } else if (begins(line, "== ")) {
            flush(part);
            tries = begins(line, "== try");
            calls = begins(line, "== calls");
            part = begins(line, "== why") ? WHY : begins(line, "== task") ? TASK
                 : begins(line, "== goal")                                ? TASK
                                                                          : PROSE;
        } else if (tries) {
            if (gap)
                judge_paragraph(gap, n, REMARK);
        } else if (calls) { /* a call is code; a word and a colon begin what is said of it */
            if (line[strspn(line, "abcdefghijklmnopqrstuvwxyz")] == ':')
                judge_paragraph(strchr(line, ':') + 1, n, REMARK);
        } else if (!line[0] || line[0] == ' ' || strstr(line, "   ")) {
            if (flush(part) && part == WHY)
                part = PROSE;
            if (begins(line, "  ") && line[2] != ' ')
                judge_paragraph(line, n, REMARK);
        } else {
            add(n, line);
        }
    }
    flush(part);
}

static void read_markdown(char *text)
{
    bool code = false;
    int n = 0;
    for (char *line; (line = cut_line(&text));) {
        n++;
        bool fence = begins(line, "```"), item = begins(line, "- ") || begins(line, "* ");
        if (fence || code || !line[0] || item || strchr("#|<", line[0]) || begins(line, "    "))
            flush(PROSE);
        code ^= fence;
        if (!fence && !code && (line[0] == '#' || line[0] == '|'))
            judge_paragraph(line, n, REMARK);
        else if (!fence && !code && line[0] && line[0] != '<' && !begins(line, "    "))
            add(n, item ? line + 2 : line);
    }
    flush(PROSE);
}

/* What a macro of mdoc marks is code; the marks after it end the sentence. */
static void read_manual(char *text)
{
    static const char *const breaks[] = {".Sh", ".Ss", ".Pp", ".It", ".Bl", ".El", ".Bd", ".Ed",
                                         ".Dl", ".D1", ".Dd", ".Dt", ".Os", ".Nd", ".\\\""};
    bool literal = false, synopsis = false;
    int n = 0;
    for (char *line; (line = cut_line(&text));) {
        n++;
        bool stop = false;
        for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++)
            stop |= begins(line, breaks[i]);
        if (stop)
            flush(PROSE);
        literal = begins(line, ".Bd -literal") || (literal && !begins(line, ".Ed"));
        if (begins(line, ".Sh"))
            synopsis = strcmp(line, ".Sh SYNOPSIS") == 0 || strcmp(line, ".Sh SEE ALSO") == 0;
        if (stop || literal || synopsis)
            continue;
        size_t end = strlen(line);
        while (end > 2 && strchr(" .,;:)", line[end - 1]))
            end--;
        if (line[0] != '.')
            add(n, line);
        else if (begins(line, ".Em ") || begins(line, ".Dq ") || begins(line, ".Pq "))
            add(n, line + 4);
        else
            add(n, keep_format("`%.*s`%s", (int)end - 1, line + 1, line + end + (line[end] == ' ')));
    }
    flush(PROSE);
}

/* The character that an escape stands for, its end in `*p`; a conversion of printf is a slot. */
static const char *letter(const char **p)
{
    static char one[2];
    char c = *(*p)++;
    if (c == '%') {
        size_t flags = strspn(*p, "-+ #0123456789.*hlzjt");
        bool percent = !flags && **p == '%';
        *p += flags + ((*p)[flags] != '"');
        return percent ? "%" : "{v}";
    }
    if (c == '\\') {
        c = *(*p)++;
        c = c == 'n' || c == 't' ? ' ' : c;
    }
    one[0] = c;
    return one;
}

/* Literals that follow one another are one. Four words in small letters look like a sentence. */
static void end_literal(void)
{
    int words = 0;
    const char *p = masked(paragraph_length ? paragraph : "");
    for (char word[64]; next_word(&p, word);)
        words += strspn(word, "abcdefghijklmnopqrstuvwxyz'-") == strlen(word) && word[1];
    if (words < 4 || strstr(paragraph, ", %") /* a register of PTX */)
        paragraph_length = 0;
    bool whole = paragraph_length && isupper((unsigned char)paragraph[0]) &&
                 strchr(".!?", paragraph[paragraph_length - 1]);
    flush(whole ? PROSE : REMARK);
}

static void read_literals(char *text)
{
    int line = 1;
    for (const char *p = text; *p;) {
        size_t skip = 1;
        if (begins(p, "//") || (*p == '#' && (p == text || p[-1] == '\n'))) {
            skip = strcspn(p, "\n");
        } else if (begins(p, "/*")) {
            const char *end = strstr(p + 2, "*/");
            skip = end ? (size_t)(end - p) + 2 : strlen(p);
        } else if (*p == '\'') {
            skip = p[1] == '\\' ? 4 : 3;
        } else if (*p == '"') {
            const char *q = p + 1;
            while (*q && *q != '"')
                add(line, letter(&q));
            skip = (size_t)(q - p) + (*q != '\0');
        } else if (isupper((unsigned char)*p) && paragraph_length) { /* PRIu64: see the % */
            skip = strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789ux");
        } else if (!isspace((unsigned char)*p)) {
            end_literal();
        }
        for (size_t i = 0; i < skip; i++)
            line += p[i] == '\n';
        p += skip;
    }
    end_literal();
}

/* A paragraph of a comment: a sentence, or a remark next to code. */
static void end_comment(void)
{
    const char *p = paragraph_length ? paragraph : "";
    bool whole = (isupper((unsigned char)p[0]) || p[0] == '`' || p[0] == '"') &&
                 strchr(".!?", p[paragraph_length - 1]);
    flush(whole ? PROSE : REMARK);
}

/* Reads the comments between slashes and stars. Comments after two slashes are marks, or no
 * prose. */
static void read_comments(char *text)
{
    bool inside = false;
    int n = 0;
    for (char *line; (line = cut_line(&text));) {
        char *begin = line, *end;
        n++;
        if (!inside && !(begin = strstr(line, "/*")))
            continue;
        begin += inside ? 0 : 2;
        begin += strspn(begin, inside ? " *" : " ");
        if (inside && begin > line && begin[-1] == '*' && begin[0] == '/')
            begin--;
        inside = !(end = strstr(begin, "*/"));
        while (end && end > begin && end[-1] == ' ')
            end--;
        if (end)
            *end = '\0';
        if (!*begin || begins(begin, "SPDX"))
            end_comment();
        else
            add(n, begin);
        if (!inside)
            end_comment();
    }
}

void read_paragraphs(const char *name, enum kind kind, const char *text)
{
    static void (*const readers[])(char *) = {read_help, read_markdown, read_manual,
                                              read_literals, read_comments};
    file = name;
    joined = kind == LITERALS;
    readers[kind](keep_text(text, strlen(text)));
}
