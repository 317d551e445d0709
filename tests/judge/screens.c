/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screens: judges what must hold for every screen, however wide. Each file has the screens of
 * all commands, one after the other; a line @N@ stands before that of command N.
 *
 *     screens WIDTH COMMANDS ASCII UTF8 [COLOURS] [PLAIN]
 *
 * COMMANDS has a command a line. ASCII is without colours, UTF8 and COLOURS have some, COLOURS in
 * ASCII again; PLAIN is for a screen reader. A file that is not there is named - .
 *
 *  - No line is wider than WIDTH, but for the code that `code`, `ptx` and `--calls` show. WIDTH 0
 *    is for a screen so narrow that some commands to try don't fit.
 *  - ASCII and PLAIN are in ASCII, without control characters.
 *  - A colour ends in the line where it begins, and without its colours COLOURS is ASCII.
 *  - UTF8 says the same as ASCII: it has the same words and numbers in each line.
 *  - PLAIN is for screen readers. No line has only signs, no arrow is between words, and no cell of
 *    a table is a dash or dots. From 100 columns on, few lines are broken, and no line begins with
 *    a sign and a blank.
 *  - If a text mentions a `column "head"`, another line of the screen shows this head.
 *  - PLAIN has all numbers of ASCII. Whole numbers below 32 need not be there, since a picture
 *    writes them beside each lane, bank or axis where a sentence says `0 to 31`; nor rows of
 *    digits, which are rulers and ASCII's sparklines.
 */
#include "judge.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMANDS = 2000, RULER = 24 /* digits in a row */, SMALL = 32 };

enum kind { ASCII, UTF8, COLOURS, PLAIN, KINDS };
static const char *const kind_names[] = {"ASCII", "UTF-8", "with colours", "plain"};

static const char *commands[COMMANDS + 1]; /* from 1 on */
static const char *screens[KINDS][COMMANDS + 1]; /* NULL: not shown */
static int width, command_count;

/* ---- reading ---------------------------------------------------------------------------- */

static void read_commands(const char *path)
{
    char *text = read_file(path);
    for (char *line; (line = cut_line(&text));) {
        if (command_count == COMMANDS)
            give_up("%s: too many commands", path);
        commands[++command_count] = line;
    }
}

/* The number in a line that is @N@; 0: it is another line. */
static int number_in(const char *line)
{
    char *end;
    long n = line[0] == '@' ? strtol(line + 1, &end, 10) : 0;
    return n > 0 && n <= command_count && end[0] == '@' && (end[1] == '\n' || !end[1]) ? (int)n : 0;
}

static void read_screens(enum kind kind, const char *path)
{
    if (strcmp(path, "-") == 0)
        return;
    char *begin = NULL;
    int number = 0;
    for (char *p = read_file(path), *next; *p; p = next) {
        int n = number_in(p);
        next = p + strcspn(p, "\n");
        next += *next == '\n';
        if (!n)
            continue;
        if (number)
            screens[kind][number] = keep_text(begin, (size_t)(p - begin));
        number = n;
        begin = next;
    }
    if (number)
        screens[kind][number] = begin;
}

/* The text without the colours in it: ESC [ digits ; digits m. */
static char *without_colours(const char *text)
{
    char *bare = keep_text(text, strlen(text)), *to = bare;
    for (const char *p = text; *p; p++)
        if (*p == '\033' && p[1] == '[')
            p += 1 + strspn(p + 1, "[0123456789;");
        else
            *to++ = *p;
    *to = '\0';
    return bare;
}

/* ---- the rules: each returns the line that breaks it, or NULL ----------------------------- */

/* Lines of code are as wide as their authors wrote them, and have tabs and other letters. */
static bool shows_code(const char *command)
{
    return begins(command, "code ") || begins(command, "ptx ") || strstr(command, " --calls");
}

static int columns(const char *line)
{
    int n = 0;
    for (; *line; line++)
        n += (*line & 0xC0) != 0x80; /* a character of UTF-8, where it begins; one column each */
    return n;
}

static const char *too_wide(const char *text)
{
    char *rest = without_colours(text);
    for (char *line; (line = cut_line(&rest));)
        if (columns(line) > width)
            return line;
    return NULL;
}

static const char *not_ascii(const char *text)
{
    char *rest = keep_text(text, strlen(text));
    for (char *line; (line = cut_line(&rest));)
        for (const char *p = line; *p; p++)
            if (*p < ' ' || *p > '~')
                return line;
    return NULL;
}

static const char *left_open(const char *text)
{
    char *rest = keep_text(text, strlen(text));
    for (char *line; (line = cut_line(&rest));) {
        const char *last = strrchr(line, '\033');
        if (last && !begins(last, "\033[0m"))
            return line;
    }
    return NULL;
}

/* The next word or number of a line, in `word`; NULL at its end. Digits beyond a row of RULER are
 * no number. A comma or point belongs to a number where a digit follows. */
static const char *next_word(const char *p, char word[64])
{
    for (;;) {
        size_t n = 0, digits;
        while (*p && !isalnum((unsigned char)*p) && *p != '_')
            p++;
        for (; isalnum((unsigned char)*p) || *p == '_' ||
               (n && (*p == '.' || *p == ',') && isdigit((unsigned char)p[1]));
             p++)
            if (n < 63)
                word[n++] = *p;
        word[n] = '\0';
        digits = strspn(word, "0123456789");
        if (digits < RULER)
            return n ? p : NULL;
    }
}

static const char *other_words(const char *ascii, const char *utf8)
{
    char *here = keep_text(ascii, strlen(ascii)), *there = without_colours(utf8);
    char *line, *twin = NULL;
    while ((line = cut_line(&here)) && (twin = cut_line(&there))) {
        const char *p = line, *q = twin;
        char a[64], b[64];
        do {
            p = next_word(p, a);
            q = next_word(q, b);
            if (!p != !q || (p && strcmp(a, b) != 0))
                return twin;
        } while (p);
    }
    return line ? line : cut_line(&there);
}

/* The next number of a text, without commas between its digits; NULL at the end. */
static const char *next_number(const char *p, char number[64])
{
    size_t n = 0;
    p += strcspn(p, "0123456789");
    for (; isdigit((unsigned char)*p) ||
           (n && (*p == '.' || *p == ',') && isdigit((unsigned char)p[1]));
         p++)
        if (*p != ',' && n < 63)
            number[n++] = *p;
    number[n] = '\0';
    return n ? p : NULL;
}

static const char *number_lost(const char *ascii, const char *plain)
{
    struct map there = {0};
    char number[64];
    for (const char *p = plain; (p = next_number(p, number));)
        map_set(&there, keep_text(number, strlen(number)), (void *)"there");
    for (const char *p = ascii; (p = next_number(p, number));) {
        bool whole = !strchr(number, '.');
        bool small = whole && strtol(number, NULL, 10) < SMALL && strlen(number) <= 2;
        if (!small && !(whole && strlen(number) >= RULER) && !map_get(&there, number))
            return keep_text(number, strlen(number));
    }
    return NULL;
}

static bool is_sign(char c)
{
    return c && strchr("-><*+=|~^#:.", c);
}

/* Finds a line that a screen reader can't read well. Signs are allowed in code: in a source line,
 * in a formula of a lab, and in Why and Try. */
static const char *for_the_eye(const char *text)
{
    char *rest = keep_text(text, strlen(text));
    bool explained = false;
    for (char *line; (line = cut_line(&rest));) {
        const char *p = line + strspn(line, " ");
        size_t signs = strspn(p, "-><*+=|~^#:. ");
        explained = explained || begins(line, "Why ") || begins(line, "Try ") || begins(line, "Goal ");
        if (!*p || explained)
            continue;
        if (!p[signs] || (width >= 100 && is_sign(*p) && p[1] == ' ') || strstr(p, " -> ") ||
            strstr(p, " <- ") || strstr(p, " -, ") || strstr(p, " ..., ..."))
            return line;
    }
    return NULL;
}

/* Finds the head of a column that the text mentions and no other line of the screen shows. */
static const char *column_missing(const char *text)
{
    static const char mark[] = "column \"";
    char *one = keep_text(text, strlen(text)), *to = one;
    for (const char *p = text; *p; p++)
        if (!isspace((unsigned char)*p))
            *to++ = *p;
        else if (to > one && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
    for (const char *p = one; (p = strstr(p, mark));) {
        p += strlen(mark);
        size_t n = strcspn(p, "\"");
        const char *head = keep_text(p, n);
        bool found = false;
        for (const char *q = one; (q = strstr(q, head)); q += n)
            found = found || q == one || (q[-1] != '"' && q[n] != '"');
        if (!found)
            return head;
    }
    return NULL;
}

/* ---- the verdict ------------------------------------------------------------------------ */

static char *why;

static void must_not(const char *what, enum kind kind, const char *line)
{
    if (line)
        why = keep_format("%s%s%s: %s: %s", why, *why ? "; " : "", kind_names[kind], what, line);
}

static void judge(int n)
{
    bool code = shows_code(commands[n]);
    const char *text[KINDS];
    why = keep_format("%s", "");
    for (int k = 0; k < KINDS; k++) {
        text[k] = screens[k][n];
        if (text[k] && !code && width)
            must_not("too wide", k, too_wide(text[k]));
        if (text[k])
            must_not("a colour is left open", k, left_open(text[k]));
        if (text[k] && !code && (k == ASCII || k == PLAIN))
            must_not("not ASCII", k, not_ascii(text[k]));
    }
    if (!text[ASCII] || !text[UTF8])
        must_not("there is no such screen", text[ASCII] ? UTF8 : ASCII, "-");
    if (text[ASCII] && text[UTF8])
        must_not("other words than in ASCII", UTF8, other_words(text[ASCII], text[UTF8]));
    if (text[ASCII] && text[COLOURS] && strcmp(without_colours(text[COLOURS]), text[ASCII]) != 0)
        must_not("another screen without its colours", COLOURS, "-");
    if (text[ASCII] && text[PLAIN] && !code)
        must_not("lacks a number", PLAIN, number_lost(text[ASCII], text[PLAIN]));
    if (text[PLAIN] && !code && !begins(commands[n], "help ")) /* texts draw their own pictures */
        must_not("is for the eye", PLAIN, for_the_eye(text[PLAIN]));
    if (text[ASCII] && !code)
        must_not("names a column that is not there", ASCII, column_missing(text[ASCII]));
    tell(*why ? FLUNK : PASS, keep_format("%s: %d columns", commands[n], width), "%s", why);
}

static void count_shown(void)
{
    int shown = 0;
    for (int n = 1; n <= command_count; n++)
        shown += screens[ASCII][n] && *screens[ASCII][n];
    tell(10 * shown >= 9 * command_count ? PASS : FLUNK,
         keep_format("most commands show something: %d columns", width), "%d of %d do", shown,
         command_count);
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc > 3 + KINDS)
        give_up("usage: screens WIDTH COMMANDS ASCII UTF8 [COLOURS] [PLAIN]");
    width = atoi(argv[1]);
    read_commands(argv[2]);
    for (int k = 3; k < argc; k++)
        read_screens((enum kind)(k - 3), argv[k]);
    for (int n = 1; n <= command_count; n++)
        judge(n);
    count_shown();
    return 0;
}
