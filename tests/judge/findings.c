/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * findings: judges what the checkers found in a file of kernels whose comments say what there is
 * to find, as in tests/checks:
 *
 *     //@ launch K<<<...>>>(...)    the launch that the next lines are about
 *     //@found KIND [MARK]          its finding, at one of the lines that end with `// MARK`
 *     //@element X[3]               the element that the finding is about
 *     //@none                       nothing is to be found
 *     //@may KIND                   this may be found besides
 *     //@or KIND                    this may be found instead
 *     //@missed                     it is known that the finding does not come
 *     //@nvcc                       clang makes other accesses of it, so its verdict tells nothing
 *
 * findings FILE.cu LEAVES TITLE: LEAVES is what `jsonget --leaves` makes of the session's objects.
 * findings FILE.cu: prints a line a launch, with its kernel and its finding or `none`.
 */
#include "judge.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 1000, FINDINGS = 64 };

struct wanted {
    const char *kernel, *kind, *element; /* element "-": any */
    const char *lines;                   /* "3,7"; "any"; or "-" */
    const char *also;                    /* what may come as well: " missed or:leak leak" */
};

struct found {
    const char *kind, *element; /* without its blanks; "-": it has none */
    long lines[2];              /* 0: none */
    int line_count;
};

struct launch {
    struct found found[FINDINGS];
    int count;
    const char *refused; /* why it did not run; NULL: it ran */
};

/* ---- what is wanted --------------------------------------------------------------------- */

/* The mark at the end of a line, "// mark"; NULL where there is none. */
static const char *mark_of(const char *line)
{
    const char *end = line + strlen(line), *p = end;
    while (p > line && (islower((unsigned char)p[-1]) || isdigit((unsigned char)p[-1]) ||
                        p[-1] == '-'))
        p--;
    return p < end && p - line >= 3 && strncmp(p - 3, "// ", 3) == 0 ? p : NULL;
}

static void read_marks(struct map *marks, const char *path)
{
    char *text = read_file(path);
    int number = 0;
    for (char *line; (line = cut_line(&text));) {
        const char *mark = mark_of(line), *before;
        number++;
        if (!mark)
            continue;
        before = map_get(marks, mark);
        map_set(marks, mark, before ? keep_format("%s,%d", before, number)
                                    : keep_format("%d", number));
    }
}

/* The word with this number in a line, words counted from 0; "" where there are fewer. */
static char *word_of(const char *line, int number)
{
    line += strspn(line, " \t");
    while (number-- > 0) {
        line += strcspn(line, " \t");
        line += strspn(line, " \t");
    }
    return keep_text(line, strcspn(line, " \t"));
}

static void read_comment(struct wanted *w, const char *line, const struct map *marks)
{
    const char *word = word_of(line, 1), *mark = word_of(line, 2);
    if (begins(line, "//@found ")) {
        const char *lines = *mark ? map_get(marks, mark) : "any";
        w->kind = word;
        w->lines = lines ? lines : "-";
    } else if (begins(line, "//@element ")) {
        w->element = word;
    } else if (begins(line, "//@missed")) {
        w->also = keep_format("%s missed", w->also);
    } else if (begins(line, "//@or ")) {
        w->also = keep_format("%s or:%s %s", w->also, word, word);
    } else if (strcmp(line, "//@nvcc") == 0) {
        w->also = keep_format("%s nvcc", w->also);
    } else if (begins(line, "//@may ")) {
        w->also = keep_format("%s %s", w->also, word);
    }
}

static int read_wanted(struct wanted wanted[LAUNCHES], const char *path)
{
    struct map marks = {0};
    char *text = read_file(path);
    int count = 0;
    read_marks(&marks, path);
    for (char *line; (line = cut_line(&text));)
        if (begins(line, "//@ launch ")) {
            char *kernel = word_of(line, 2);
            kernel[strcspn(kernel, "<")] = '\0';
            if (count == LAUNCHES)
                give_up("%s: too many launches", path);
            wanted[count++] = (struct wanted){kernel, "none", "-", "-", ""};
        } else if (count) {
            read_comment(&wanted[count - 1], line, &marks);
        }
    return count;
}

/* ---- what was found --------------------------------------------------------------------- */

static const char *without_blanks(const char *text)
{
    char *out = keep_text(text, strlen(text)), *to = out;
    for (const char *p = text; *p; p++)
        if (*p != ' ')
            *to++ = *p;
    *to = '\0';
    return out;
}

/* The line in a place such as "kernels.cu:12"; 0 where it ends otherwise. */
static long line_in(const char *source)
{
    const char *colon = strrchr(source, ':');
    return colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1)
               ? strtol(colon + 1, NULL, 10) : 0;
}

/* A leaf below .faults[N]: its kind, its first element, and where the first two accesses are. */
static void read_leaf(struct found *f, const char *field, const char *value)
{
    if (strcmp(field, ".kind") == 0)
        f->kind = value;
    else if (ends(field, ".element") && strcmp(f->element, "-") == 0)
        f->element = without_blanks(value);
    else if (ends(field, ".source") && f->line_count < 2 && line_in(value))
        f->lines[f->line_count++] = line_in(value);
}

static int read_found(struct launch launches[LAUNCHES], const char *path)
{
    char *text = read_file(path);
    int count = 0;
    long of_launch = 0;
    for (char *line; (line = cut_line(&text));) {
        long object = strtol(cut_field(&line, '\t'), NULL, 10);
        const char *field = cut_field(&line, '\t'), *value = line ? line : "";
        if (field && strcmp(field, ".command") == 0 && begins(value, "launch ") &&
            count < LAUNCHES) {
            of_launch = object;
            launches[count++] = (struct launch){.count = 0};
        } else if (field && object == of_launch && strcmp(field, ".error.message") == 0) {
            launches[count - 1].refused = value;
        } else if (field && object == of_launch && begins(field, ".faults[")) {
            struct launch *l = &launches[count - 1];
            char *rest;
            long n = strtol(field + strlen(".faults["), &rest, 10);
            while (l->count <= n && l->count < FINDINGS)
                l->found[l->count++] = (struct found){"", "-", {0, 0}, 0};
            if (n >= 0 && n < FINDINGS)
                read_leaf(&l->found[n], rest + strlen("]"), value);
        }
    }
    return count;
}

/* ---- the verdict ------------------------------------------------------------------------ */

static bool among(const char *list, const char *mark, const char *before, const char *word)
{
    return strstr(keep_format("%s%s%s", mark, list, mark),
                  keep_format("%s%s%s%s", mark, before, word, mark)) != NULL;
}

static bool at_wanted_line(const struct wanted *w, const struct found *f)
{
    if (strcmp(w->kind, "none") == 0)
        return true;
    bool hit = strcmp(w->lines, "any") == 0;
    for (int i = 0; i < 2; i++)
        hit = hit || (f->lines[i] && among(w->lines, ",", "", keep_format("%ld", f->lines[i])));
    return hit && (strcmp(w->element, "-") == 0 || strcmp(w->element, f->element) == 0);
}

/* Was the wanted one found, and nothing that was not to be found? */
static bool is_right(const struct wanted *w, const struct launch *l)
{
    bool good = l->count == 0 && strcmp(w->kind, "none") == 0;
    for (int i = 0; i < l->count; i++) {
        const struct found *f = &l->found[i];
        bool this_kind = strcmp(f->kind, w->kind) == 0;
        if ((this_kind || among(w->also, " ", "or:", f->kind)) && at_wanted_line(w, f))
            good = true;
        else if (!this_kind && !among(w->also, " ", "", f->kind))
            return false;
    }
    return good;
}

static const char *text_of(const struct launch *l)
{
    const char *text = l->count ? "" : "none";
    for (int i = 0; i < l->count; i++) {
        const struct found *f = &l->found[i];
        text = keep_format("%s%s%s:%ld:%ld:%s", text, i ? " " : "", f->kind, f->lines[0],
                           f->lines[1], f->element);
    }
    return text;
}

static void judge(const struct wanted *w, const struct launch *l, const char *title)
{
    const char *name = keep_format("%s %s, %s", w->kernel, w->kind, title);
    if (strstr(title, "clang") && among(w->also, " ", "", "nvcc"))
        tell(PASS, keep_format("%s: clang 14 makes other accesses of it, %s", w->kernel, title),
             "-");
    else if (l->count == 0 && l->refused)
        tell(FLUNK, name, "it did not run: %s", l->refused);
    else if (is_right(w, l))
        tell(PASS, name, "-");
    else if (l->count == 0 && among(w->also, " ", "", "missed"))
        tell(SKIP, name, "it is known that this is not found");
    else
        tell(FLUNK, name, "wanted: %s of %s at line %s; found: %s", w->kind, w->element, w->lines,
             text_of(l));
}

int main(int argc, char **argv)
{
    static struct wanted wanted[LAUNCHES];
    static struct launch launches[LAUNCHES];
    if (argc != 2 && argc != 4)
        give_up("usage: findings FILE.cu [LEAVES TITLE]");
    int count = read_wanted(wanted, argv[1]);
    if (argc == 2) {
        for (int i = 0; i < count; i++)
            printf("%s %s\n", wanted[i].kernel, wanted[i].kind);
        return 0;
    }
    int ran = read_found(launches, argv[2]);
    tell(ran == count ? PASS : FLUNK, keep_format("%s: every launch ran", argv[3]),
         "%d launches, and %d are wanted", ran, count);
    for (int i = 0; i < count && i < ran; i++)
        judge(&wanted[i], &launches[i], argv[3]);
    for (int i = ran; i < count; i++)
        tell(FLUNK, keep_format("%s %s, %s", wanted[i].kernel, wanted[i].kind, argv[3]),
             "it did not run");
    return 0;
}
