/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sections, slots and wrapping, on a help file made for the purpose. The table of embedded
 * files stands here, so that the program's own is not linked in.
 */
#include "text/explain.h"
#include "os/asset.h"
#include "text/topics.h"

#include <stdio.h>
#include <string.h>

static const char help_text[] = "toy: shows nothing much\n"
                                "\n"
                                "What the toy is for.\n"
                                "\n"
                                "== why\n"
                                "It ran {n} threads {{not more}.\n"
                                "\n"
                                "A second paragraph, {{missing} on purpose.\n"
                                "== why fast faster\n"
                                "Faster by {times}.\n"
                                "== try\n"
                                "toy --n {n}  the same once more\n"
                                "toy    bare\n"
                                "toy alone\n"
                                "== calls\n"
                                "  cudaMalloc      kept as it is\n";

static const char word_text[] = "word: has others that mean the same\n"
                                "also: Words <<<>>>\n"
                                "also: last\n"
                                "\n"
                                "What it means.\n";

const struct asset assets[] = {
    {"help/toy.txt", (const unsigned char *)help_text, sizeof help_text - 1},
    {"help/word.txt", (const unsigned char *)word_text, sizeof word_text - 1},
    {"kernels/toy.cu", (const unsigned char *)"", 0}};
const size_t assets_count = 3;

static int tests;

static void is(const char *got, const char *wanted, const char *name)
{
    int good = strcmp(got, wanted) == 0;
    printf("%s %d - %s\n", good ? "ok" : "not ok", ++tests, name);
    if (!good)
        printf("# got:    <%s>\n# wanted: <%s>\n", got, wanted);
}

static void section_is(const char *kind, const char *one, const char *wanted, const char *name)
{
    size_t n = 0;
    const char *text = help_section("toy", kind, one, &n);
    char copy[400];
    snprintf(copy, sizeof copy, "%.*s", (int)n, text ? text : "");
    is(text ? copy : "(none)", wanted, name);
}

static void check_sections(void)
{
    char summary[80];
    is(help_summary("toy", summary, sizeof summary), "shows nothing much", "the summary");
    is(help_summary("nothing", summary, sizeof summary) ? "some" : "none", "none",
       "no file, no summary");
    section_is(NULL, NULL, "What the toy is for.", "the prose before the sections");
    section_is("why", "faster", "Faster by {times}.", "a heading serves each word it names");
    section_is("why", "slow", "(none)", "no section of that name");
    section_is("calls", NULL, "  cudaMalloc      kept as it is", "leading blanks are kept");
}

static void check_topics(void)
{
    struct topic_walk w = {.next = 0};
    struct buf all = {0};
    char name[TOPIC_NAME] = "none";
    size_t n = 0;
    while (topic_next(&w))
        buf_printf(&all, "%s:%s ", w.name, w.word);
    is(buf_text(&all), "toy:toy word:word word:Words word:<<<>>> word:last ",
       "a walk over all words");
    buf_free(&all);
    is(topic_find("words", name) ? name : "none", "word", "a word that means the same");
    is(topic_find("TOY", name) ? name : "none", "toy", "capitals don't matter");
    is(topic_find("also:", name) || topic_find("", name) ? name : "none", "none", "no such word");
    const char *text = help_section("word", NULL, NULL, &n);
    is(n == strlen("What it means.") ? text : "", "What it means.\n",
       "the prose starts after them");
}

static void wrap_is(const char *text, int width, int indent, const char *wanted, const char *name)
{
    struct buf out = {0};
    text_wrap(&out, text, strlen(text), width, indent);
    is(buf_text(&out), wanted, name);
    buf_free(&out);
}

static void check_wrapping(void)
{
    wrap_is("one two three four", 9, 0, "one two\nthree\nfour\n", "lines break between words");
    wrap_is("one two three four", 11, 4, "one two\n    three\n    four\n",
            "following lines are set in");
    wrap_is("a\nb\n\nc", 20, 0, "a b\n\nc\n", "a blank line ends a paragraph");
    wrap_is("a\n  kept   so\nb", 20, 1, "a\n   kept   so\n b\n", "preformatted lines stay");
    wrap_is("  name   what it means and rather more", 36, 2,
            "  name   what it means and rather\n           more\n",
            "a last column breaks under itself");
    wrap_is("  alpha   bb cc dd", 12, 0, "  alpha\n      bb cc\n      dd\n",
            "or, where that is narrow, set in");
    wrap_is("abcdefghij k", 5, 0, "abcdefghij\nk\n", "a word too long has a line of its own");
    wrap_is("\xC3\xA9\xC3\xA9\xC3\xA9 \xC3\xA9", 5, 0, "\xC3\xA9\xC3\xA9\xC3\xA9 \xC3\xA9\n",
            "width counts characters, not bytes");
    wrap_is("", 5, 0, "\n", "no text is one empty line");
}

static void check_explaining(void)
{
    struct report r;
    static const struct toy {
        int n, one;
        double times;
    } toy = {256, 1, 1.5};
    static const struct fact facts[] = {
        {FACT(struct toy, n)},
        {FACT(struct toy, one)},
        {FACT(struct toy, times)},
        {.name = NULL},
    };
    struct slots s = {0};
    report_init(&r);
    r.width = 35;
    slots_facts(&s, facts, &toy);
    explain_why(&r, "toy", NULL, &s);
    is(buf_text(&r.screen), "Why  It ran 256 threads {not more}.\n", "the first paragraph");
    buf_clear(&r.screen);
    buf_clear(&r.explain);
    r.whole = true;
    say(&r, "answer\n");
    explain_why(&r, "toy", NULL, &s);
    explain_try(&r, "toy", "fast", &s);
    is(buf_text(&r.screen),
       "answer\n"
       "\n"
       "Why  It ran 256 threads {not more}.\n"
       "\n"
       "     A second paragraph, {missing}\n"
       "     on purpose.\n"
       "Try  toy --n 256\n"
       "         # the same once more\n"
       "     toy        # bare\n"
       "     toy alone\n",
       "why and try on a narrow screen");
    is(buf_text(&r.explain),
       "It ran 256 threads {not more}.\n\nA second paragraph, {missing} on purpose.",
       "the same as plain text");
    buf_clear(&r.screen);
    r.width = 80;
    explain_why(&r, "toy", "fast", &s);
    explain_try(&r, "toy", NULL, &s);
    is(buf_text(&r.screen),
       "Why  Faster by 1.5.\n"
       "Try  toy --n 256  # the same once more\n"
       "     toy          # bare\n"
       "     toy alone\n",
       "remarks stand in a column where there is room");
    buf_clear(&r.screen);
    buf_clear(&r.explain);
    r.width = 32;
    help_try(&r, "toy");
    is(buf_text(&r.screen),
       "Try  toy --n {n}\n"
       "         # the same once more\n"
       "     toy        # bare\n"
       "     toy alone\n",
       "what to try, in help");
    is(buf_text(&r.explain), "", "explains nothing");
    struct buf text = {0};
    const char *counted = "{n thread}, {one full warp}";
    slots_fill(&text, counted, strlen(counted), &s, NULL);
    is(buf_text(&text), "256 threads, 1 full warp", "a noun in a slot goes by its number");
    buf_free(&text);
    is(explain_why(&r, "nothing", NULL, &s) == -1 ? "-1" : "0", "-1", "no file is told");
    report_free(&r);
}

int main(void)
{
    check_sections();
    check_topics();
    check_wrapping();
    check_explaining();
    printf("1..%d\n", tests);
    return 0;
}
