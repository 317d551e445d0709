/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of streams (obs/streams.h) on small lists of calls: when each operation begins and
 * ends, what it waited for, and which operations have no order. Times are in microseconds here: the
 * link moves 4 bytes in one.
 */
#include "obs/streams.h"

#include <stdio.h>
#include <string.h>

enum { OPS = 12, US = 1000000 };

static int tests, bad;

static void check(bool good, const char *what)
{
    tests++;
    bad += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", tests, what);
}

struct list {
    struct stream_plan plan;
    struct stream_op ops[OPS];
    struct stream_span spans[OPS];
    struct stream_race race;
    int32_t with[OPS];
    int64_t races;
};

static const struct stream_machine two_engines = {.copy_engines = 2, .link_mb_s = 4, .places = 8};

static struct list list_of(const struct stream_op *ops, uint32_t count)
{
    struct list l = {.plan = {.streams = 4, .events = 2, .arrays = 2, .count = count,
                              .memory = {BUFFER_PINNED, BUFFER_PINNED}, .size = {100, 100},
                              .total = {100, 100}}};
    memcpy(l.ops, ops, count * sizeof *ops);
    return l;
}

static bool model(struct list *l, const struct stream_machine *m)
{
    l->races = streams_races(&l->plan, l->ops, &l->race, l->with);
    return streams_model(&l->plan, l->ops, m, l->spans) == 0;
}

static bool lies(const struct list *l, uint32_t op, uint64_t from, uint64_t to)
{
    return l->spans[op].begin == from * US && l->spans[op].end == to * US;
}

#define IN(s, n)      {.kind = STREAM_COPY_IN, .stream = s, .array = 0, .count = n}
#define OUT(s, n)     {.kind = STREAM_COPY_OUT, .stream = s, .array = 1, .count = n}
#define KERNEL(s, us, b)                                                                     \
    {.kind = STREAM_KERNEL, .stream = s, .reads = 1, .writes = 2, .count = 10,               \
     .takes = (uint64_t)(us) * US, .blocks = b}
#define OPS_OF(...) ((const struct stream_op[]){__VA_ARGS__})
#define LIST(...)                                                                            \
    list_of(OPS_OF(__VA_ARGS__), sizeof OPS_OF(__VA_ARGS__) / sizeof(struct stream_op))

static void test_engines(void)
{
    struct list l = LIST(IN(1, 10), OUT(2, 10), IN(3, 10));
    struct stream_machine one = two_engines;
    one.copy_engines = 1;
    check(model(&l, &two_engines) && lies(&l, 0, 0, 10) && lies(&l, 1, 0, 10),
          "two engines: in and out at once");
    check(lies(&l, 2, 10, 20) && l.spans[2].why == AFTER_ENGINE && l.spans[2].after == 0,
          "two copies in one after the other");
    check(model(&l, &one) && lies(&l, 1, 10, 20) && lies(&l, 2, 20, 30), "one engine: all of them");
    check(streams_length(&l.plan, l.spans) == (uint64_t)30 * US, "as long as all of it");
}

static void test_order(void)
{
    struct list l = LIST(IN(1, 10), KERNEL(1, 5, 1), OUT(1, 10),
                         {.kind = HOST_WAITS_STREAM, .stream = 1},
                         {.kind = HOST_READS, .array = 1, .count = 10});
    check(model(&l, &two_engines) && lies(&l, 1, 10, 15) && lies(&l, 2, 15, 25),
          "a stream is in order");
    check(l.spans[3].returned == (uint64_t)25 * US && l.spans[4].begin == (uint64_t)25 * US,
          "the host waits for it");
    check(l.races == 0, "nothing is without an order");
    l.plan.count = 3;
    l.ops[3] = l.ops[4];
    l.plan.count = 4;
    check(model(&l, &two_engines) && l.races == 1 && l.race.first == 2 && l.race.second == 3 &&
              l.race.on_host && l.with[3] == 2, "without the wait the host reads too early");
}

static void test_events(void)
{
    struct list l = LIST(IN(1, 10), {.kind = STREAM_RECORD, .stream = 1, .event = 0},
                         {.kind = STREAM_WAIT_EVENT, .stream = 2, .event = 0}, KERNEL(2, 5, 1));
    check(model(&l, &two_engines) && lies(&l, 3, 10, 15) && l.races == 0,
          "an event makes another stream wait");
    check(l.spans[2].why == AFTER_EVENT && l.spans[2].after == 1, "and that is why");
    l.ops[1] = l.ops[3];
    l.plan.count = 2;
    check(model(&l, &two_engines) && lies(&l, 1, 0, 5) && l.races == 1 && !l.race.on_host,
          "without it the kernel is too early");
}

static void test_places(void)
{
    struct list l = LIST(KERNEL(1, 10, 4), KERNEL(2, 10, 4), KERNEL(3, 10, 1));
    check(model(&l, &two_engines) && lies(&l, 0, 0, 10) && lies(&l, 1, 0, 10),
          "kernels run at once where there are places");
    check(lies(&l, 2, 10, 20), "and wait where there are none");
    l.ops[0].blocks = 100;
    check(model(&l, &two_engines) && lies(&l, 1, 10, 20), "a large one takes all of them");
}

static void test_default(void)
{
    struct list l = LIST(IN(1, 10), KERNEL(0, 5, 1), KERNEL(2, 5, 1), OUT(2, 10));
    check(model(&l, &two_engines) && lies(&l, 1, 10, 15) && l.spans[1].why == AFTER_DEFAULT,
          "the default stream waits for the others");
    check(lies(&l, 2, 15, 20) && l.races == 0, "and they for it");
}

static void test_host(void)
{
    struct stream_machine slow = two_engines;
    struct list l = LIST({.kind = STREAM_COPY_IN, .stream = 0, .count = 10, .waits = 1},
                         IN(1, 10), {.kind = HOST_WRITES, .array = 0, .count = 10});
    slow.call_ps = 2 * US;
    slow.host_mb_s = 2;
    check(model(&l, &slow) && l.spans[1].called == (uint64_t)10 * US,
          "the host stays in a copy that it waits for");
    check(l.spans[1].returned == (uint64_t)12 * US, "and in no other one");
    check(l.races == 1 && l.race.first == 1, "so it writes what the copy reads");
    l.plan.memory[0] = BUFFER_PAGEABLE;
    check(model(&l, &slow) && lies(&l, 1, 20, 40) && l.spans[1].returned == (uint64_t)40 * US,
          "from pageable memory the CPU copies first, and the host stays");
    check(l.races == 0, "then it may write there");
}

static void test_drawn(void)
{
    bool good = true, others = false;
    struct list plain = LIST(IN(1, 10), KERNEL(1, 5, 1), IN(2, 10), KERNEL(2, 5, 1));
    model(&plain, &two_engines);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct stream_machine m = two_engines;
        struct list l = plain;
        m.seed = seed;
        good &= model(&l, &m) && l.spans[1].begin >= l.spans[0].end &&
                l.spans[3].begin >= l.spans[2].end;
        others |= l.spans[2].begin < l.spans[0].begin;
    }
    check(good, "each drawn timeline keeps the streams in order");
    check(others, "and some have the streams the other way round");
}

static void test_refusals(void)
{
    struct list l = LIST(IN(1, 10));
    struct stream_machine none = two_engines;
    none.places = 0;
    check(streams_model(&l.plan, l.ops, &none, l.spans) == -1, "a machine without places");
    l.plan.streams = STREAMS_MOST + 1;
    check(streams_model(&l.plan, l.ops, &two_engines, l.spans) == -1, "too many streams");
    l.plan.streams = 4;
    l.plan.count = 0;
    check(model(&l, &two_engines) && l.races == 0, "an empty list");
}

int main(void)
{
    test_engines();
    test_order();
    test_events();
    test_places();
    test_default();
    test_host();
    test_drawn();
    test_refusals();
    printf("1..%d\n", tests);
    return bad != 0;
}
