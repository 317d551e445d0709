/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lessons of help/findings.txt, told of faults of which little is known. PTX need not have lines,
 * and a GPU names no thread. Then no slot may stand in the sentence as it is in the file.
 */
#include "check/race/inside.h"
#include "text/explain.h"

#include <stdio.h>
#include <string.h>

static const char *const places[] = {NULL, "between", "loop-end", "split", "between-loop",
                                     "split-loop", "call-end", "between-call", "split-call",
                                     "larger", "smaller", "condition", "flag", "again", "guess",
                                     "counter"};
static const char *const kinds[] = {
    "race-shared", "race-global", "uninitialized", "barrier-divergence", "out-of-bounds",
    "use-after-free", "null", "host-pointer", "misaligned", "invalid-shuffle", "deadlock", "timeout",
    "trap", "assert", "stack-overflow", "bad-launch", "out-of-memory", "leak", "printf-overflow",
    "unsupported-instruction", "error-ignored", "not-freed", "double-free", "bad-free",
    "wrong-direction", "copy-too-large", "copy-after-free", "event-unrecorded", "not-waited",
    "source-changed", "used-early", "kernel-pending", "host-crash",
    "host-timeout", "stream-race", "elements-for-bytes", "library-pointer"};
static const int lines[][2] = {{0, 0}, {0, 5}, {5, 0}, {5, 5}, {5, 9}, {9, 5}};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int tests, told;

/* A word in braces is a slot that nothing filled; {x, 1} of a source is none. */
static const char *raw_slot(const char *text)
{
    for (const char *at = text; (at = strchr(at, '{')); at++) {
        size_t n = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_");
        if (n && (at[1 + n] == '}' || at[1 + n] == '?'))
            return at;
    }
    return NULL;
}

static bool tell(struct fault f)
{
    struct report r;
    report_init(&r);
    r.whole = true;
    r.faults = &f;
    r.fault_count = 1;
    lessons_say(&r);
    const char *text = buf_text(&r.explain), *raw = raw_slot(text);
    if (raw)
        printf("# %s, cure %s, place %s, lines %d and %d: %.60s\n", f.kind, f.cure ? f.cure : "none",
               f.where ? f.where : "none", f.at.line, f.other.line, raw);
    told += r.explain.len > 0;
    r.faults = NULL;
    r.fault_count = 0;
    report_free(&r);
    return !raw;
}

/* Cures that no checker of kernels names. */
static const char *const others[] = {"initialize", "launch-refused", "not-ready", "host-too-small",
                                     "pitch-bytes", "elements-for-bytes"};
enum { OTHERS = RACE_CURES + SIM_CURES, CURES = OTHERS + COUNT(others) };

static const char *cure_at(unsigned i)
{
    const struct sim_fault fault = {.cure = (enum sim_cure)(i - RACE_CURES)};
    return i < RACE_CURES ? race_cures[i] : i < OTHERS ? sim_fault_cure(&fault)
                                                               : others[i - OTHERS];
}

static bool tell_all(const char *kind, bool has_place, bool has_other)
{
    bool good = true;
    for (unsigned c = 0; c < CURES; c++)
        for (size_t w = 0; w < COUNT(places); w++)
            for (size_t i = 0; i < COUNT(lines); i++) {
                struct fault f = {.cure = cure_at(c), .where = places[w], .has_place = has_place,
                                  .has_other = has_other, .count = 1};
                snprintf(f.kind, sizeof f.kind, "%s", kind);
                f.at.line = lines[i][0];
                f.other.line = lines[i][1];
                good = tell(f) && good;
            }
    return good;
}

int main(void)
{
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (int known = 0; known < 3; known++)
            printf("%s %d - %s, %s\n",
                   tell_all(kinds[k], known > 0, known > 1) ? "ok" : "not ok", ++tests, kinds[k],
                   known == 0 ? "no thread is known" : known == 1 ? "one thread" : "two threads");
    printf("%s %d - there were lessons: %d\n", told > 10000 ? "ok" : "not ok", ++tests, told);
    printf("1..%d\n", tests);
    return 0;
}
