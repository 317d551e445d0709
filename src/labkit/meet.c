/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws which threads came to which barrier, by warp and lane, with the source line of each barrier.
 * Each barrier has a letter. Two barriers are different if their lines differ, or their numbers, or
 * the lanes that they name. The first picture shows the barrier to which each thread came first, and
 * the second picture the next one. Further barriers are not drawn.
 */
#include "labkit/run.h"

#include "screen/pen.h"
#include "screen/picture.h"

#include <stdio.h>
#include <string.h>

enum { LANES = 32, WARPS = 32, LETTERS = 32, STOPS = 2, LEGEND = 8 };

struct meeting_place {
    const struct meeting *first; /* of those that came */
    unsigned came, open;
};

struct meet {
    struct meeting_place places[LETTERS];
    unsigned place_count, warps, stops;
    unsigned char visits[WARPS][LANES]; /* so far */
    char marks[STOPS][WARPS][LANES];
};

static bool same_place(const struct meeting *a, const struct meeting *b)
{
    return a->line == b->line && a->group == b->group && a->of_lanes == b->of_lanes;
}

static char letter_of(unsigned place)
{
    return (char)(place < 26 ? 'A' + place : 'a' + place - 26);
}

static struct meeting_place *place_of(struct meet *m, const struct meeting *one)
{
    unsigned i = 0;
    while (i < m->place_count && !same_place(m->places[i].first, one))
        i++;
    if (i == LETTERS)
        return NULL;
    if (i == m->place_count)
        m->places[m->place_count++] = (struct meeting_place){.first = one};
    return &m->places[i];
}

static void put_marks(struct meet *m, const struct meeting *one, char letter)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(one->mask >> lane & 1))
            continue;
        unsigned stop = m->visits[one->warp][lane]++;
        if (stop < STOPS)
            m->marks[stop][one->warp][lane] = letter;
        if (stop < STOPS && stop >= m->stops)
            m->stops = stop + 1;
    }
}

static void read_meetings(struct meet *m, const struct launch_result *result, unsigned threads)
{
    *m = (struct meet){.warps = (threads + LANES - 1) / LANES};
    memset(m->marks, '.', sizeof m->marks);
    for (unsigned t = threads; t < m->warps * LANES; t++)
        for (unsigned stop = 0; stop < STOPS; stop++)
            m->marks[stop][t / LANES][t % LANES] = ' ';
    for (size_t i = 0; i < result->meeting_count; i++) {
        const struct meeting *one = &result->meetings[i];
        struct meeting_place *p = one->warp < m->warps ? place_of(m, one) : NULL;
        if (!p)
            continue;
        unsigned lanes = (unsigned)__builtin_popcount(one->mask);
        p->came += lanes;
        p->open += one->open ? lanes : 0;
        put_marks(m, one, letter_of((unsigned)(p - m->places)));
    }
}

static void say_place(struct report *r, const struct meeting_place *p, char letter)
{
    const struct meeting *m = p->first;
    char which[40], label[8];
    if (m->of_lanes)
        snprintf(which, sizeof which, "of lanes 0x%08x", (unsigned)m->group);
    else
        snprintf(which, sizeof which, "barrier %u", (unsigned)m->group);
    snprintf(label, sizeof label, "%c", letter);
    if (p->open)
        say_item(r, label, "line %d, %s: %u thread%s, and %u wait%s for ever", m->line, which,
                 p->came, p->came == 1 ? " arrives" : "s arrive", p->open, p->open == 1 ? "s" : "");
    else
        say_item(r, label, "line %d, %s: %u thread%s and continue%s", m->line, which, p->came,
                 p->came == 1 ? " arrives" : "s arrive", p->came == 1 ? "s" : "");
}

static void put_places(struct json *j, const struct meet *m)
{
    json_array(j, "barriers");
    for (unsigned i = 0; i < m->place_count; i++) {
        const struct meeting_place *p = &m->places[i];
        json_object(j, NULL);
        json_int(j, "line", p->first->line);
        if (p->first->of_lanes)
            json_hex(j, "lanes", p->first->group);
        else
            json_uint(j, "number", p->first->group);
        json_uint(j, "threads", p->came);
        json_uint(j, "waiting", p->open);
        json_end_object(j);
    }
    json_end_array(j);
}

/* Of each stop, who was there: the letters of a warp's lanes as one text. */
static void put_stops(struct json *j, const struct meet *m)
{
    json_array(j, "arrivals");
    for (unsigned stop = 0; stop < m->stops; stop++) {
        json_array(j, NULL);
        for (unsigned w = 0; w < m->warps; w++) {
            char text[LANES + 1] = "";
            memcpy(text, m->marks[stop][w], LANES);
            json_text(j, NULL, text);
        }
        json_end_array(j);
    }
    json_end_array(j);
}

void say_meetings(struct report *r, const struct launch_result *result, unsigned threads)
{
    static const char *const titles[STOPS] = {"the first barrier that each thread reaches",
                                              "the next one"};
    struct meet m;
    read_meetings(&m, result, threads);
    if (!m.place_count)
        return;
    for (unsigned stop = 0; stop < m.stops; stop++) {
        const struct lane_marks rows = {.name = "warp", .count = m.warps, .mark = m.marks[stop]};
        say(r, "\n");
        say_heading(r, "%s", titles[stop]);
        say_lane_marks(r, &rows);
    }
    for (unsigned i = 0; i < m.place_count && i < LEGEND; i++)
        say_place(r, &m.places[i], letter_of(i));
    if (m.place_count > LEGEND)
        say_item(r, "", "and %u more like these", m.place_count - LEGEND);
    put_places(&r->result, &m);
    put_stops(&r->result, &m);
}
