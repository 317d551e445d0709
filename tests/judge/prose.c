/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prose: judges how cudalab writes, as far as it can be measured. HACKING.md has the style.
 *
 *     prose show RULES FILE...           a summary, then each complaint as FILE:LINE: what: words
 *     prose judge RULES LATER FILE...    a verdict on each text
 *     prose rules RULES                  a verdict on each rule of forms.txt, by its own samples
 *
 * A FILE is a help text (.txt), Markdown (.md), a manual page (.1) or C (anything else), of which
 * the string literals that look like sentences are read. Of CUDA C (.cu, and the headers in
 * kernels/), which `code` shows, the comments are read. LATER names the texts that are not
 * rewritten yet: each of them must still have a complaint, all others must have none.
 *
 * RULES is a folder:
 *  - forms.txt: forms that are not used. A paragraph a rule: `re:` an extended regular expression
 *    for whole words in any case, where ^ is the start of a sentence; `but:` what it does not
 *    mean; `in: sentences` or `in: texts but tasks`, where it is for these only; `say:` what to write
 *    instead; `bad:` and `good:` samples, for `prose rules`.
 *  - terms.txt: a term, a colon, and the help texts that explain it, the first of them to be
 *    linked. The words of a term count as two syllables at most.
 *  - verbs.txt: words that can be the verb of a sentence.
 *
 * What is measured: words of a sentence, their mean, a reading grade (Flesch and Kincaid's),
 * the length of the first paragraph of `== why`, terms without a link, sentences without a verb.
 * Code, tables, rows of lists, headings and remarks are no sentences: only forms are looked for in
 * the last three. No text is understood: what is well said but badly thought goes unseen.
 */
#include "prose.h"

#include <ctype.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 24, MEAN = 14, GRADE = 8, /* of a sentence, of a text; of a text */
    FEW = 40, /* words: too few for a mean or a grade */
    WHY_WORDS = 50, WHY_LINES = 4,
    LINKS = 6, OFTEN = 2, /* terms to be linked in one text, and their uses in it */
    FORMS = 200, TERMS = 200, COMPLAINTS = 20000
};

static struct form { regex_t re, but; bool has_but, sentences, questions; const char *name, *say, *bad, *good; }
    forms[FORMS];
static struct term { const char *name, *texts; int uses, line; } terms[TERMS];
static int form_count, term_count;
static struct map verbs, short_words;

static struct sums { int texts, sentences, words, complaints, fail; double grades; } sums[KINDS];

static struct text { /* the one that is being read */
    const char *name, *all;
    enum kind kind;
    int sentences, words, syllables, complaints;
} now;

static const char *complaints[COMPLAINTS];
static int complaint_count;

FORMAT(2, 3)
static void complain(int line, const char *format, ...)
{
    char what[600];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (complaint_count == COMPLAINTS)
        give_up("too many complaints");
    complaints[complaint_count++] = keep_format("%s:%d: %s", now.name, line, what);
    now.complaints++;
}

/* ---- the rules -------------------------------------------------------------------------- */

static const char *value_of(const char *line, const char *key)
{
    return begins(line, key) ? line + strlen(key) : NULL;
}

/* A rule is for whole words. Sentences are matched with a blank before and after them. */
static void compile(regex_t *re, const char *text)
{
    bool start = text[0] == '^';
    const char *whole = keep_format("%s(%s)[^[:alnum:]_]", start ? "^ " : "[^[:alnum:]_]",
                                    text + start);
    if (regcomp(re, whole, REG_EXTENDED | REG_ICASE) != 0)
        give_up("forms.txt: not a regular expression: %s", text);
}

static void read_forms(const char *path)
{
    char *text = read_file(path);
    struct form *f = NULL;
    for (char *line; (line = cut_line(&text));) {
        const char *value;
        if ((value = value_of(line, "re: "))) {
            if (form_count == FORMS)
                give_up("%s: too many rules", path);
            f = &forms[form_count++];
            compile(&f->re, f->name = value);
        } else if (line[0] == '#' || !line[0]) {
            continue;
        } else if (!f) {
            give_up("%s: a rule begins with re: and a blank, not: %s", path, line);
        } else if ((value = value_of(line, "but: "))) {
            compile(&f->but, value);
            f->has_but = true;
        } else if (strcmp(line, "in: sentences") == 0) {
            f->sentences = true;
        } else if (strcmp(line, "in: texts but tasks") == 0) {
            f->questions = true;
        } else if ((value = value_of(line, "say: "))) {
            f->say = value;
        } else if ((value = value_of(line, "bad: "))) {
            f->bad = value;
        } else if ((value = value_of(line, "good: "))) {
            f->good = value;
        } else {
            give_up("%s: not a line of a rule: %s", path, line);
        }
    }
    for (int i = 0; i < form_count; i++)
        if (!forms[i].say || !forms[i].bad || !forms[i].good)
            give_up("%s: say, bad or good is missing: %s", path, forms[i].name);
}

/* Each word, in a map, with and without the s of a plural. */
static void add_words(struct map *map, const char *words)
{
    char *rest = keep_text(words, strlen(words));
    for (char *word; (word = cut_field(&rest, ' '));) {
        map_set(map, word, word);
        map_set(map, keep_format("%ss", word), word);
    }
}

static void read_terms(const char *path)
{
    char *text = read_file(path);
    for (char *line; (line = cut_line(&text));) {
        if (line[0] == '#' || !line[0])
            continue;
        char *texts = line;
        const char *name = cut_field(&texts, ':');
        add_words(&short_words, name);
        if (!texts || !*texts)
            continue;
        if (term_count == TERMS)
            give_up("%s: too many terms", path);
        terms[term_count++] = (struct term){.name = name, .texts = texts + 1};
    }
}

static void read_verbs(const char *path)
{
    char *text = read_file(path);
    for (char *line; (line = cut_line(&text));)
        for (char *word; (word = line[0] == '#' ? NULL : cut_field(&line, ' '));) {
            map_set(&verbs, word, word);
            if (!line)
                break;
        }
}

static void read_rules(const char *folder)
{
    read_forms(keep_format("%s/forms.txt", folder));
    read_terms(keep_format("%s/terms.txt", folder));
    read_verbs(keep_format("%s/verbs.txt", folder));
}

/* ---- one paragraph ---------------------------------------------------------------------- */

static int line_at(const char *text, size_t offset, int line)
{
    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    return line;
}

/* Some words of a text, from `from` on, in one line. */
static const char *quote(const char *from, size_t length, size_t most)
{
    size_t lead = strspn(from, " \n");
    lead = lead < length ? lead : length;
    length -= lead;
    char *some = keep_text(from + lead, length < most ? length : most);
    for (char *p = some; *p; p++)
        *p = *p == '\n' ? ' ' : *p;
    return length > most ? keep_format("%s...", some) : some;
}

/* Where a form is in a sentence that has blanks around it; false: it isn't. What the rule does
 * not mean is taken out before, but for the blanks around it. */
static bool has_form(const struct form *f, const char *padded, regmatch_t *at)
{
    char *left = keep_text(padded, strlen(padded));
    regmatch_t but[2];
    while (f->has_but && regexec(&f->but, left, 2, but, 0) == 0) {
        memset(left + but[1].rm_so, '#', (size_t)(but[1].rm_eo - but[1].rm_so));
        if (but[1].rm_so == but[1].rm_eo)
            break;
    }
    return regexec(&f->re, left, 1, at, 0) == 0;
}

/* A remark may be two thoughts, and a task may ask. */
static bool may_judge(const struct form *f, enum part part)
{
    return !(f->sentences && part == REMARK) && !(f->questions && part == TASK);
}

static void judge_forms(const char *text, const char *m, size_t length, int line, enum part part)
{
    const char *padded = keep_format(" %.*s ", (int)length, m);
    for (int i = 0; i < form_count; i++) {
        regmatch_t at[1];
        if (may_judge(&forms[i], part) && has_form(&forms[i], padded, at)) {
            size_t from = (size_t)at->rm_so, end = (size_t)at->rm_eo - 2;
            complain(line_at(text, from, line), "form: \"%s\": %s",
                     quote(text + from, end - from, 60), forms[i].say);
        }
    }
}

static bool is_abbreviation(const char *begin, const char *dot)
{
    static const char *const list[] = {"e.g", "i.e", "vs", "cf", "p", "pp", "Fig", "sec", "ca"};
    const char *word = dot;
    while (word > begin && word[-1] != ' ' && word[-1] != '(')
        word--;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if ((size_t)(dot - word) == strlen(list[i]) && begins(word, list[i]))
            return true;
    return false;
}

static size_t sentence_length(const char *m)
{
    for (const char *p = m; *p; p++) {
        if (!strchr(".!?", *p))
            continue;
        const char *end = p + 1 + strspn(p + 1, ")\"'");
        const char *next = end + strspn(end, " ");
        bool dots = p > m && p[-1] == '.';
        if (!*end || (*end == ' ' && !(dots && !isupper((unsigned char)*next)) &&
                      !is_abbreviation(m, p)))
            return (size_t)(end - m);
    }
    return strlen(m);
}

static void judge_sentence(const char *text, const char *m, size_t length, int line)
{
    char *alone = keep_text(m, length);
    int words = count_words(alone);
    if (!words)
        return;
    now.sentences++;
    now.words += words;
    const char *p = alone;
    for (char word[64]; next_word(&p, word);)
        now.syllables += syllables(word, &short_words);
    if (words > LONGEST)
        complain(line, "%d words in a sentence (at most %d): %s", words, LONGEST,
                 quote(text, length, 60));
    if (!memchr(text, '{', length) && alone[length - 1] != ':' && !has_verb(alone, &verbs))
        complain(line, "no verb: %s", quote(text, length, 60));
}

static void count_terms(const char *text, const char *m, int line)
{
    for (int i = 0; i < term_count; i++) {
        size_t n = strlen(terms[i].name);
        for (const char *p = m; *p; p++) {
            size_t k = 0;
            while (k < n && tolower((unsigned char)p[k]) == terms[i].name[k])
                k++;
            bool end = k == n && !isalnum((unsigned char)p[n + (p[n] == 's')]) && p[n] != '_';
            if (!end || (p > m && (isalnum((unsigned char)p[-1]) || strchr("_-", p[-1]))))
                continue;
            if (!terms[i].uses++)
                terms[i].line = line_at(text, (size_t)(p - m), line);
        }
    }
}

void judge_paragraph(const char *text, int line, enum part part)
{
    const char *m = masked(text);
    if (part == REMARK) {
        judge_forms(text, m, strlen(m), line, part);
        return;
    }
    for (size_t at = strspn(m, " "), n; m[at]; at += n + strspn(m + at + n, " ")) {
        n = sentence_length(m + at);
        judge_sentence(text + at, m + at, n, line_at(text, at, line));
        judge_forms(text + at, m + at, n, line_at(text, at, line), part);
    }
    if (part != TASK)
        count_terms(text, m, line);
    int words = count_words(m), lines = count_lines(text);
    if (part == WHY && (words > WHY_WORDS || lines > WHY_LINES))
        complain(line, "%d words in %d lines (at most %d in %d): %s", words, lines, WHY_WORDS,
                 WHY_LINES, quote(text, strlen(text), 40));
}

/* ---- one text --------------------------------------------------------------------------- */

/* Does the text refer to one of these, as `help NAME`? */
static bool refers(const char *names)
{
    char *rest = keep_text(names, strlen(names));
    for (char *name; (name = cut_field(&rest, ' '));) {
        const char *wanted = keep_format("help %s", name);
        for (const char *p = now.all; (p = strstr(p, wanted)); p++)
            if (!isalnum((unsigned char)p[strlen(wanted)]) && p[strlen(wanted)] != '-')
                return true;
    }
    return false;
}

static bool is_about(const char *names)
{
    char *rest = keep_text(names, strlen(names));
    for (char *name; (name = cut_field(&rest, ' '));)
        if (ends(now.name, keep_format("/%s.txt", name)))
            return true;
    return false;
}

/* The terms that are used most have a link; those that come first in the list, if equal. One link
 * is enough for all terms of a text. */
static void judge_links(void)
{
    for (int k = 0; k < LINKS; k++) {
        struct term *most = &terms[0];
        for (int i = 1; i < term_count; i++)
            if (terms[i].uses > most->uses)
                most = &terms[i];
        if (most->uses < OFTEN)
            return;
        if (is_about(most->texts))
            k--;
        else if (!refers(most->texts))
            complain(most->line, "no link: %s (%d): write (help %.*s)", most->name, most->uses,
                     (int)strcspn(most->texts, " "), most->texts);
        for (int i = 0; i < term_count; i++)
            if (strcmp(terms[i].texts, most->texts) == 0)
                terms[i].uses = 0;
    }
}

static enum kind kind_of(const char *path)
{
    static const struct { const char *ending; enum kind kind; } kinds[] = {
        {".txt", HELP}, {".md", README}, {".1", MANUAL}, {".cu", COMMENTS}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (ends(path, kinds[i].ending))
            return kinds[i].kind;
    return begins(path, "kernels/") ? COMMENTS : LITERALS;
}

static void judge_text(const char *path)
{
    now = (struct text){.name = path, .all = read_file(path), .kind = LITERALS};
    now.kind = kind_of(path);
    for (int i = 0; i < term_count; i++)
        terms[i].uses = 0;
    read_paragraphs(path, now.kind, now.all);
    if (now.kind == HELP)
        judge_links();
    double mean = now.sentences ? 1.0 * now.words / now.sentences : 0;
    double grade = now.words ? 0.39 * mean + 11.8 * now.syllables / now.words - 15.59 : 0;
    if (now.words >= FEW && mean > MEAN)
        complain(1, "mean: %.1f words a sentence (at most %d)", mean, MEAN);
    if (now.words >= FEW && grade > GRADE)
        complain(1, "grade: %.1f (at most %d): use shorter words and sentences", grade, GRADE);
    struct sums *s = &sums[now.kind];
    s->texts += now.sentences > 0;
    s->sentences += now.sentences;
    s->words += now.words;
    s->complaints += now.complaints;
    s->fail += now.complaints > 0;
    s->grades += grade;
}

/* ---- what is printed -------------------------------------------------------------------- */

static void show(char **paths)
{
    static const char *const names[] = {"help", "Markdown", "manual", "literals",
                                        "comments"};
    for (; *paths; paths++)
        judge_text(*paths);
    printf("%-9s %6s %10s %11s %11s %11s %11s\n", "", "texts", "sentences", "mean words",
           "mean grade", "complaints", "texts fail");
    for (int k = 0; k < KINDS; k++) {
        const struct sums *s = &sums[k];
        if (s->texts)
            printf("%-9s %6d %10d %11.1f %11.1f %11d %11d\n", names[k], s->texts, s->sentences,
                   1.0 * s->words / s->sentences, s->grades / s->texts, s->complaints, s->fail);
    }
    for (int i = 0; i < complaint_count; i++)
        puts(complaints[i]);
}

static void judge_all(const char *later_path, char **paths)
{
    struct map later = {0};
    char *text = read_file(later_path);
    for (char *line; (line = cut_line(&text));)
        if (line[0] != '#')
            map_set(&later, line, line);
    for (; *paths; paths++) {
        int before = complaint_count;
        judge_text(*paths);
        if (now.kind == LITERALS && !now.complaints && !map_get(&later, *paths))
            continue; /* most of these files say nothing */
        if (!map_get(&later, *paths))
            tell(now.complaints ? FLUNK : PASS, *paths, "%d complaints, the first: %s",
                 now.complaints, now.complaints ? complaints[before] : "none");
        else if (now.complaints)
            tell(PASS, keep_format("%s: later", *paths), "%d complaints", now.complaints);
        else
            tell(FLUNK, *paths, "it has no complaint left: take its name out of later.txt");
        map_set(&later, *paths, NULL);
    }
    for (size_t i = 0; i < later.room; i++)
        if (later.slots[i].key && later.slots[i].value)
            tell(FLUNK, later.slots[i].key, "later.txt names it, but there is no such text");
}

static void judge_rules(void)
{
    for (int i = 0; i < form_count; i++) {
        const struct form *f = &forms[i];
        regmatch_t at;
        bool bad = has_form(f, keep_format(" %s ", f->bad), &at);
        bool good = has_form(f, keep_format(" %s ", f->good), &at);
        tell(bad && !good ? PASS : FLUNK, f->name, "%s",
             !bad ? "its bad sample passes" : good ? "its good sample does not pass" : "");
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        give_up("usage: prose show RULES FILE... or judge RULES LATER FILE... or rules RULES");
    read_rules(argv[2]);
    if (strcmp(argv[1], "show") == 0)
        show(argv + 3);
    else if (strcmp(argv[1], "judge") == 0 && argc > 3)
        judge_all(argv[3], argv + 4);
    else if (strcmp(argv[1], "rules") == 0)
        judge_rules();
    else
        give_up("prose: no such call: %s", argv[1]);
    return 0;
}
