/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A slide of a well-known lecture on tiled matrix multiplication, as an exercise: what it says of
 * the G80, the first card that CUDA ran on, does not fit that card's limits. The answers are
 * computed here.
 */
#include "labkit/occupancy/occupancy.h"

#include "base/num.h"
#include "screen/pen.h"
#include "labkit/lab.h"
#include "labkit/props.h"
#include "screen/wrap.h"

#include <stdio.h>
#include <string.h>

enum { QUESTIONS = 4, LOADS_A_THREAD = 2 };
struct question {
    const char *asks;
    double slide, answer, guess;
    char because[200];
    bool guessed;
    struct verdict right;
};

/* A block has a tile of A and one of B in shared memory, and a thread for each element. */
static void tile(struct question *q, int width, const struct device_props *g80)
{
    char binds[80];
    const struct occupancy_want w = {width * width, 0, (uint64_t)(2 * width * width) * 4};
    const struct occupancy o = occupancy_of(g80, &w);
    q->answer = o.blocks;
    if (o.blocks)
        snprintf(q->because, sizeof q->because,
                 "%d threads per block: an SM's %d hold %d blocks, and its %d KiB of shared memory "
                 "would have held %lld; the limit: %s",
                 w.threads, g80->max_threads_per_sm, o.blocks,
                 (int)(g80->shared_per_sm / 1024), (long long)o.allows[LIMIT_SHARED],
                 occupancy_binds_text(&o, binds));
    else
        snprintf(q->because, sizeof q->because,
                 "%d threads per block: it may have %d at most, so the launch is refused; shared "
                 "memory would have held %lld",
                 w.threads, g80->max_threads_per_block, (long long)o.allows[LIMIT_SHARED]);
}

static void work_out(struct question q[QUESTIONS])
{
    const struct device_props g80 = card_props(card_named("g80"));
    const double gb_s = peak_gb_s(&g80);
    q[0] = (struct question){.asks = "blocks per SM, tiles 16 x 16", .slide = 8};
    q[1] = (struct question){.asks = "blocks per SM, tiles 32 x 32", .slide = 2};
    q[2] = (struct question){.asks = "loads under way, tiles 16 x 16", .slide = 4096};
    q[3] = (struct question){.asks = "GFLOP/s that 16 x 16 allows", .slide = 347.6};
    tile(&q[0], 16, &g80);
    tile(&q[1], 32, &g80);
    q[2].answer = q[0].answer * 16 * 16 * LOADS_A_THREAD;
    snprintf(q[2].because, sizeof q[2].because, "%.0f blocks x 256 threads x %d", q[0].answer,
             LOADS_A_THREAD);
    q[3].answer = gb_s / 4 * 16;
    snprintf(q[3].because, sizeof q[3].because, "%.1f GB/s / 4 bytes x 16 uses of each", gb_s);
}

/* "3,0,1536,345.6" */
static int read_guesses(const char *text, struct question q[QUESTIONS], struct report *r)
{
    for (int i = 0; i < QUESTIONS; i++) {
        char word[NUM_TEXT];
        struct err e;
        size_t n = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : 0, text);
        const bool more = text[n] == ',';
        if (!*word || num_real(word, &q[i].guess, &e) != 0 || more != (i < QUESTIONS - 1))
            return report_fail(r, "--guess takes four numbers, one for each question, as in "
                                  "--guess 8,2,4096,347.6");
        text += n + more;
    }
    return 0;
}

static bool is_right(const struct question *q)
{
    double off = q->guess - q->answer;
    return off < 0.05 && off > -0.05;
}

static const struct fact facts[] = {
    {.name = "question", FACT_AT(struct question, asks), .head = "question"},
    {FACT(struct question, slide), .format = "%.4g", .head = "slide", .right = true,
     .tells = "the slide says %"},
    {FACT(struct question, guess), .format = "%.4g", WHEN(struct question, guessed),
     .head = "you", .right = true, .tells = "you say %"},
    {FACT(struct question, answer), .format = "%.4g", WHEN(struct question, guessed),
     .head = "is", .right = true, .tells = "it is %"},
    {FACT(struct question, right), WHEN(struct question, guessed), .head = ""},
    {.name = NULL},
};

static void say_questions(struct report *r, struct question *q, bool guessed)
{
    struct table_column columns[TABLE_COLUMNS];
    struct table t;
    uint64_t mask;
    int right = 0;
    for (int i = 0; i < QUESTIONS; i++) {
        q[i].guessed = guessed;
        q[i].right = (struct verdict){is_right(&q[i]), is_right(&q[i]) ? "right" : "not so"};
        right += q[i].right.good;
    }
    table_begin(&t, columns, facts_columns(facts, q, QUESTIONS, sizeof q[0], columns, &mask), 2);
    for (int i = 0; i < QUESTIONS; i++) {
        facts_cells(facts, mask, &q[i], r, &t);
        if (guessed)
            table_note(&t, "%s", q[i].because);
    }
    facts_json_rows(facts, "exercise", q, QUESTIONS, sizeof q[0], &r->result);
    if (guessed)
        json_int(&r->result, "right", right);
    say_table(r, &t);
}

int occupancy_exercise(struct report *r, const char *guesses)
{
    static const char given[] =
        "A kernel multiplies matrices in tiles. A block keeps two tiles of floats in shared "
        "memory. It has one thread for each element of a tile, and each thread loads two floats. "
        "An SM of the G80 has 768 threads, 8 places for blocks and 16 KiB of shared memory. A "
        "block there has at most 512 threads. Global memory moves 86.4 GB/s. With tiles 16 wide, each "
        "float is used 16 times. Check the slide.";
    struct question q[QUESTIONS];
    work_out(q);
    if (guesses && read_guesses(guesses, q, r))
        return -1;
    say_heading(r, "A slide of a lecture: the GeForce 8800 GTX (G80, 2006)");
    say(r, "  ");
    text_wrap(&r->screen, given, sizeof given - 1, r->width, 2);
    say(r, "\n");
    say_questions(r, q, guesses != NULL);
    lab_explain(r, "occupancy", guesses ? "exercise-done" : "exercise", NULL, NULL);
    return 0;
}
