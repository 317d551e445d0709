/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all kinds of exercises have in common where a testcase is judged: the object as expectations
 * see it, and what the script's end means for the mark.
 */
#include "base/json-find.h"
#include "base/num.h"
#include "grade/grading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the object --------------------------------------------------------------------------- */

static void copy_members(struct span from, const char *const *but, struct json *j)
{
    struct span name, value;
    char key[80];
    for (struct json_walk w = json_walk(from); json_next_member(&w, &name, &value);) {
        bool left_out = name.n >= sizeof key;
        for (unsigned i = 0; but && but[i] && !left_out; i++)
            left_out = same_text(name, but[i]);
        if (left_out)
            continue;
        memcpy(key, name.at, name.n);
        key[name.n] = '\0';
        json_raw(j, key, value.at, value.n);
    }
}

static bool is_ignored(const struct exercise *x, struct span fault)
{
    for (unsigned i = 0; x && i < x->ignored.count; i++)
        if (json_is(fault, "kind", x->ignored.text[i]))
            return true;
    return false;
}

/* The faults that count, as a list. Returns how many there are. */
static unsigned put_faults(struct span object, const struct exercise *x, struct json *j,
                           unsigned *ignored)
{
    struct span list, item;
    unsigned count = 0;
    *ignored = 0;
    json_array(j, "faults");
    if (json_find(object, (struct span){"faults", 6}, &list))
        for (struct json_walk w = json_walk(list); json_next_element(&w, &item);) {
            const bool counts = !is_ignored(x, item);
            if (counts)
                json_raw(j, NULL, item.at, item.n);
            count += counts;
            *ignored += !counts;
        }
    json_end_array(j);
    return count;
}

void judged_object(struct span object, const struct judged_object *with, struct buf *out)
{
    const char *but[6] = {"result", "faults"};
    unsigned n = 2;
    struct json j;
    struct span value;
    unsigned ignored;
    json_begin(&j, out);
    json_object(&j, NULL);
    /* Some findings, as memory that is not freed, leave a command ok. In an exercise they count,
     * unless an expectation names them. */
    const unsigned faults = put_faults(object, with->x, &j, &ignored);
    const bool ok = json_is(object, "status", "ok"), fault = json_is(object, "status", "fault");
    const bool found = ok && faults, forgiven = fault && ignored && !faults;
    if (with->command)
        json_text(&j, but[n++] = "command", with->command);
    if (found || forgiven) {
        json_text(&j, but[n++] = "status", found ? "fault" : "ok");
        but[n++] = "cause";
    }
    if (found)
        json_text(&j, "cause", "fault");
    copy_members(object, but, &j);
    if (!json_has(object, "output")) {
        json_array(&j, "output");
        json_end_array(&j);
    }
    json_object(&j, "result");
    if (with->run)
        exercise_run_json(with->run, &j);
    if (with->launching && with->launching->registers_known)
        json_uint(&j, "registers", with->launching->registers);
    if (with->launching)
        json_uint(&j, "static_shared_bytes", with->launching->static_shared);
    if (with->more)
        with->more(with->self, &j);
    if (json_find(object, SPAN("result"), &value) && begins(value, "{"))
        copy_members(value, NULL, &j);
    json_end_object(&j);
    json_end_object(&j);
}

bool judged_lacks(struct span object, struct err *e)
{
    struct span list, fault;
    bool lacks = false;
    if (!json_find(object, SPAN("faults"), &list))
        return false;
    for (struct json_walk w = json_walk(list); !lacks && json_next_element(&w, &fault);) {
        struct buf what = {0}, place = {0};
        lacks = json_is(fault, "kind", "unsupported-instruction") &&
                json_is(fault, "cure", "other-device");
        json_text_at(fault, "message", &what);
        json_text_at(fault, "source", &place);
        if (lacks)
            fail(e, "the simulator can't execute the hand-in: %.300s%s%.200s", buf_text(&what),
                 place.len ? ", at " : "", buf_text(&place));
        buf_free(&what);
        buf_free(&place);
    }
    return lacks;
}

/* ---- a part of an array ------------------------------------------------------------------- */

int judged_part(const char *text, uint64_t count, struct host_array *a, struct err *e)
{
    const size_t n = strlen(text);
    char lo[NUM_TEXT] = "", hi[NUM_TEXT] = "";
    uint64_t first = 0, last = 0;
    a->lo = 0;
    a->count = a->whole = count;
    if (!*text)
        return 0;
    const char *dots = strstr(text, "..");
    const char *end = dots ? dots : text + n - 1, *second = dots ? dots + 2 : text + 1;
    if (n >= sizeof lo || text[n - 1] != ']')
        return fail(e, "`%.40s` is not a part of an array: write [3] or [0..9]", text);
    snprintf(lo, sizeof lo, "%.*s", (int)(end - text - 1), text + 1);
    snprintf(hi, sizeof hi, "%.*s", (int)(text + n - 1 - second), second);
    if (num_uint(lo, 0, UINT64_MAX, &first, e) != 0 || num_uint(hi, 0, UINT64_MAX, &last, e) != 0)
        return -1;
    if (first > last || last >= count)
        return fail(e, "there is no %.40s: the array has %llu elements", text,
                    (unsigned long long)count);
    a->one = !dots;
    a->lo = first;
    a->count = last - first + 1;
    return 0;
}

/* ---- the end ------------------------------------------------------------------------------ */

void judging_failed(void *self, const struct statement *st, const struct err *e)
{
    struct judging *j = self;
    if (j->lost || j->of_hand_in)
        return; /* the script has noted a mistake of the hand-in, for the student */
    j->mistaken = true;
    buf_printf(&j->end->note, "Line %d of the exercise can't be judged: %s\n", st->line, e->text);
}

static enum mark_cause mark_cause_of(enum failure_cause c)
{
    switch (c) {
    case CAUSE_CHECK: return MARK_CHECK;
    case CAUSE_SCRIPT: return MARK_SCRIPT;
    case CAUSE_COMPILE: return MARK_COMPILE;
    case CAUSE_FAULT: return MARK_FAULT;
    case CAUSE_LIMIT: return MARK_LIMIT;
    default: return MARK_NO_CAUSE;
    }
}

static void say_run(const struct exercise_run *run, struct buf *out)
{
    struct buf with = {0};
    if (run)
        exercise_run_say(run, &with);
    if (with.len)
        buf_printf(out, "With %s:\n", buf_text(&with));
    buf_free(&with);
}

void judging_ends(struct judging *j, const struct exercise_run *run, struct test_end *end)
{
    const struct script_test *t = j->script.test_count ? &j->script.tests[0] : NULL;
    if (j->mistaken || !t || j->lost) {
        end->state = MARK_UNGRADED;
        if (!t && !j->lost)
            buf_puts(&end->note, "The testcase did not come to its end.\n");
        return;
    }
    if (t->state == TEST_PASSED) {
        end->state = MARK_PASSED;
        return;
    }
    end->state = MARK_FAILED;
    end->cause = mark_cause_of(t->cause);
    say_run(run, &end->feedback);
    buf_add(&end->feedback, buf_text(&t->feedback), t->feedback.len);
}

void judging_lost(struct grader_worker *asked, const struct exercise_run *run, struct test_end *end)
{
    end->state = MARK_FAILED;
    say_run(run, &end->feedback);
    if (asked_lives(asked)) {
        end->cause = MARK_FAULT;
        buf_puts(&end->feedback, "The process that runs your hand-in gave a wrong answer.\n");
    } else
        end->cause = asked_cause(asked, &end->feedback);
    asked_stop(asked);
}
