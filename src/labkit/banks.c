/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counting passes over the banks. Lanes that are served together (a whole warp for 4 bytes, half
 * of it for 8, a quarter for 16) need as many passes as the bank with the most distinct words.
 * For wide loads twice as many lanes are served together where all neighbours, or all lanes two
 * apart, ask for the same: this was measured on an H100. With 16 banks it is half a warp.
 */
#include "labkit/banks.h"

#include "base/near.h"
#include "base/num.h"
#include "screen/picture.h"
#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = BANK_LANES * 4, MOST_ELEMENT = 1 << 20 };

/* ---- patterns --------------------------------------------------------------------------- */

static int read_list(const char *text, struct bank_pattern *p, struct report *r)
{
    char item[24];
    int count = 0;
    for (const char *at = text;; at++) {
        size_t n = strcspn(at, ",");
        int64_t v;
        snprintf(item, sizeof item, "%.*s", (int)n, at);
        if (n >= sizeof item || num_int(item, 0, MOST_ELEMENT, &v, NULL))
            return report_fail(r,
                               "--pattern: `%s` is not an element; write numbers from 0 to %d with "
                               "commas, as in 0,32,64",
                               item, MOST_ELEMENT);
        if (count == BANK_LANES)
            return report_fail(r, "--pattern: a warp has 32 lanes, so at most 32 elements");
        p->listed[count++] = (int)v;
        at += n;
        if (!*at)
            break;
    }
    for (int lane = count; lane < BANK_LANES; lane++)
        p->listed[lane] = p->listed[lane - count];
    p->kind = BANK_LISTED;
    return 0;
}

int bank_pattern_read(const char *text, struct bank_pattern *p, struct report *r)
{
    static const char *const names[] = {"linear", "broadcast", "reverse",
                                        "random", "transpose", NULL};
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], text) == 0) {
            p->kind = i;
            return 0;
        }
    if (text[0] >= '0' && text[0] <= '9')
        return read_list(text, p, r);
    const char *near = near_list(text, names);
    return report_fail(r,
                       "--pattern has no `%.40s`: %s%s%slinear, broadcast, reverse, random, "
                       "transpose, or elements as in 0,32,64",
                       text, near ? "did you mean " : "it takes ", near ? near : "",
                       near ? "? It takes " : "");
}

void bank_place(const struct bank_pattern *p, struct bank_access *a)
{
    uint64_t chance = p->seed;
    int row = p->stride + p->pad;
    for (int lane = 0; lane < BANK_LANES; lane++) {
        /* Knuth's MMIX generator; its high bits are the good ones. */
        chance = chance * 6364136223846793005u + 1442695040888963407u;
        int drawn = (int)((chance >> 33) % (uint64_t)((BANK_LANES - 1) * row + 1));
        a->element[lane] = p->kind == BANK_BROADCAST ? row
                           : p->kind == BANK_REVERSE ? (BANK_LANES - 1 - lane) * row
                           : p->kind == BANK_RANDOM  ? drawn
                           : p->kind == BANK_LISTED  ? p->listed[lane]
                                                     : lane * row;
    }
}

void bank_describe(const struct bank_pattern *p, char *out, size_t size)
{
    int row = p->stride + p->pad;
    switch (p->kind) {
    case BANK_BROADCAST: snprintf(out, size, "s[%d], as all do", row); break;
    case BANK_REVERSE: snprintf(out, size, "s[%d (31 - i)]", row); break;
    case BANK_RANDOM: snprintf(out, size, "s[any of %d]", (BANK_LANES - 1) * row + 1); break;
    case BANK_TRANSPOSE: snprintf(out, size, "s[i][0] of rows of %d: a column", row); break;
    case BANK_LISTED: snprintf(out, size, "the element listed for it"); break;
    default:
        if (row > 1)
            snprintf(out, size, "s[%d i]", row);
        else
            snprintf(out, size, row ? "s[i]" : "s[0]");
        break;
    }
}

int bank_best_pad(const struct bank_pattern *p, const struct bank_access *a, int most)
{
    struct bank_pattern tried = *p;
    struct bank_access access = *a;
    int best = -1, fewest = bank_count(a).wavefronts;
    for (int pad = 1; p->kind != BANK_LISTED && p->kind != BANK_RANDOM && pad <= most; pad++) {
        tried.pad = pad;
        bank_place(&tried, &access);
        int passes = bank_count(&access).wavefronts;
        if (passes < fewest) {
            fewest = passes;
            best = pad;
        }
    }
    return best;
}

/* ---- passes ----------------------------------------------------------------------------- */

/* The distinct words that some lanes ask for. */
struct word_set {
    int word[MOST_WORDS];
    int count;
};

static void add_word(struct word_set *set, int word)
{
    for (int i = 0; i < set->count; i++)
        if (set->word[i] == word)
            return;
    set->word[set->count++] = word;
}

static struct word_set words_of(const struct bank_access *a, int first, int lanes)
{
    struct word_set set = {.count = 0};
    int size = a->bytes / 4;
    for (int lane = first; lane < first + lanes; lane++)
        for (int k = 0; k < size; k++)
            add_word(&set, a->element[lane] * size + k);
    return set;
}

/* The most words that one bank has to serve. */
static int deepest(const struct word_set *set, int banks)
{
    int depth[BANK_LANES] = {0}, most = 0;
    for (int i = 0; i < set->count; i++) {
        int d = ++depth[set->word[i] % banks];
        most = d > most ? d : most;
    }
    return most;
}

static void count_lanes(const struct bank_access *a, struct bank_passes *p)
{
    int size = a->bytes / 4;
    struct word_set all = words_of(a, 0, BANK_LANES);
    for (int i = 0; i < all.count; i++)
        p->words[all.word[i] % a->banks]++;
    for (int lane = 0; lane < BANK_LANES; lane++)
        for (int k = 0; k < size && k < a->banks; k++)
            p->lanes[(a->element[lane] * size + k) % a->banks]++;
}

/* Does every lane ask for the same element as the lane at the distance `apart`? */
static bool paired(const struct bank_access *a, int apart)
{
    for (int lane = 0; lane < BANK_LANES; lane++)
        if (a->element[lane] != a->element[lane ^ apart])
            return false;
    return true;
}

static int lanes_together(const struct bank_access *a)
{
    int words = a->bytes / 4, lanes = a->banks / words;
    bool merges = a->banks == BANK_LANES && words > 1 && !a->store;
    return merges && (paired(a, 1) || paired(a, 2)) ? 2 * lanes : lanes;
}

struct bank_passes bank_count(const struct bank_access *a)
{
    struct bank_passes p = {.together = lanes_together(a)};
    struct word_set all = words_of(a, 0, BANK_LANES);
    p.shared_words = all.count < BANK_LANES * (a->bytes / 4);
    for (int first = 0; first < BANK_LANES; first += p.together) {
        struct word_set set = words_of(a, first, p.together);
        int d = deepest(&set, a->banks);
        p.ideal++;
        p.wavefronts += d;
        p.degree = d > p.degree ? d : p.degree;
    }
    count_lanes(a, &p);
    return p;
}

const char *bank_case(const struct bank_access *a, const struct bank_passes *p)
{
    return a->banks != BANK_LANES                  ? "old"
           : p->degree > 1                         ? "conflict"
           : p->shared_words && p->wavefronts == 1 ? "broadcast"
           : a->bytes > 4                          ? "wide"
                                                   : "free";
}

int bank_elements(const struct bank_access *a)
{
    int most = 0;
    for (int lane = 0; lane < BANK_LANES; lane++)
        most = a->element[lane] > most ? a->element[lane] : most;
    return most + 1;
}

/* ---- the picture ------------------------------------------------------------------------ */

/* One lane gets no colour, and 8 or more get the hottest. */
static void put_cell(struct picture_row *row, int bank, int n)
{
    if (n)
        snprintf(row->cell[bank], sizeof row->cell[bank], "%d", n);
    else
        memcpy(row->cell[bank], ".", 2);
    row->ink[bank] = n > 1 ? ink_heat(n, 1, 8) : INK_PLAIN;
}

void bank_draw(const struct bank_access *a, const struct bank_passes *p, struct report *r)
{
    struct picture_row rows[2] = {{.label = "lanes"}, {.label = "words"}};
    for (int b = 0; b < BANK_LANES; b++) {
        put_cell(&rows[0], b, p->lanes[b]);
        put_cell(&rows[1], b, p->words[b]);
    }
    say_picture(r, "bank", rows, 2, (unsigned)a->banks);
}

/* The pass in which a bank serves this word: it serves words in the order of the lanes. */
static int pass_of(const struct word_set *set, int word, int banks)
{
    int pass = 1;
    for (int i = 0; set->word[i] != word; i++)
        pass += set->word[i] % banks == word % banks;
    return pass;
}

void bank_draw_lanes(const struct bank_access *a, struct report *r)
{
    struct bank_grid g = {.row_name = "lane", .meaning = "the pass that serves it",
                          .rows = BANK_LANES, .banks = (unsigned)a->banks};
    int size = a->bytes / 4, together = lanes_together(a), before = 0;
    for (int first = 0; first < BANK_LANES; first += together) {
        struct word_set set = words_of(a, first, together);
        for (int lane = first; lane < first + together; lane++)
            for (int k = 0; k < size; k++) {
                int word = a->element[lane] * size + k;
                g.cell[lane][word % a->banks] =
                    (unsigned char)(before + pass_of(&set, word, a->banks));
            }
        before += deepest(&set, a->banks);
    }
    say_bank_grid(r, &g);
}
