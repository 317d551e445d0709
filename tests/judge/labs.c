/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * labs: judges the commands of tests/data/labs.txt, which explains the words of its rows.
 *
 *     labs shows DEVICE ROWS LEAVES            did each command show what its row says?
 *     labs same|other RULES ROWS SIM GPU       do two devices show the same, field by field?
 *
 * ROWS has SHOWS, ON A GPU and COMMAND of each row, with tabs between. RULES has, of each rule,
 * `any` or `other`, the rows and the fields where it holds. LEAVES, SIM and GPU are what
 * `jsonget --leaves` makes of a session that runs all commands. `other` is for a GPU of another
 * kind than the simulator stands for.
 *
 * Two devices may have rows of a table in another order, or not as many. So a row is known by its
 * name, as in .variants:race!.fault, with a ! where a variant is wrong on purpose.
 */
#include "judge.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 2000, RULES = 200 };

struct row {
    const char *shows, *gpu, *command;
};

struct leaf {
    int command; /* from 1 on */
    const char *path, *value;
};

struct session {
    struct leaf *leaves;
    size_t count;
    struct map values; /* by number of the command and path */
};

static struct row rows[ROWS + 1]; /* from 1 on */
static int row_count;

/* ---- reading ---------------------------------------------------------------------------- */

static void read_rows(const char *path)
{
    char *text = read_file(path);
    for (char *line; (line = cut_line(&text));) {
        if (row_count == ROWS)
            give_up("%s: too many rows", path);
        const char *shows = cut_field(&line, '\t'), *gpu = cut_field(&line, '\t');
        rows[++row_count] = (struct row){shows, gpu ? gpu : "", line ? line : ""};
    }
}

static const char *key_of(int command, const char *path)
{
    return keep_format("%d %s", command, path);
}

/* Whether the path goes through a table of schedules or variants, and where its parts are. */
static bool in_table(const char *path, regmatch_t parts[2])
{
    static regex_t regex;
    static bool ready;
    if (!ready && regcomp(&regex, "(schedules|variants)\\[[0-9]+\\]", REG_EXTENDED) != 0)
        give_up("a regular expression is wrong");
    ready = true;
    return regexec(&regex, path, 2, parts, 0) == 0;
}

/* The path with the name of its table's row in place of the number. Rows learn their names from
 * the leaves that come first. */
static const char *named(const struct leaf *leaf, struct map *names, struct map *seen)
{
    regmatch_t parts[2];
    if (!in_table(leaf->path, parts))
        return leaf->path;
    const char *field = leaf->path + parts[0].rm_eo;
    const char *row = key_of(leaf->command, keep_text(leaf->path, (size_t)parts[0].rm_eo));
    const char *table = keep_text(leaf->path, (size_t)parts[1].rm_eo), *name;
    if (strcmp(field, ".schedule") == 0 || strcmp(field, ".variant") == 0) {
        const char *this = keep_format("%s %s", key_of(leaf->command, table), leaf->value);
        size_t *times = map_get(seen, this);
        if (!times)
            map_set(seen, this, times = keep_bytes(sizeof *times));
        ++*times;
        map_set(names, row, *times > 1 ? keep_format("%s#%zu", leaf->value, *times)
                                       : keep_format("%s", leaf->value));
    }
    name = map_get(names, row);
    if (strcmp(field, ".wrong_on_purpose") == 0 && strcmp(leaf->value, "true") == 0)
        map_set(names, row, keep_format("%s!", name ? name : ""));
    name = map_get(names, row);
    return keep_format("%s:%s%s", table, name ? name : "", field);
}

static struct session read_session(const char *path)
{
    struct session s = {0};
    struct map names = {0}, seen = {0};
    char *text = read_file(path);
    size_t lines = 0;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    s.leaves = keep_bytes((lines + 1) * sizeof *s.leaves);
    for (char *line; (line = cut_line(&text)); s.count++) {
        struct leaf *leaf = &s.leaves[s.count];
        leaf->command = (int)strtol(cut_field(&line, '\t'), NULL, 10);
        leaf->path = cut_field(&line, '\t');
        leaf->value = line ? line : "";
        if (!leaf->path)
            give_up("%s: this is no leaf", path);
        leaf->path = named(leaf, &names, &seen);
        map_set(&s.values, key_of(leaf->command, leaf->path), (void *)leaf->value);
    }
    return s;
}

static const char *value_at(const struct session *s, int command, const char *path)
{
    return map_get(&s->values, key_of(command, path));
}

static bool is(const struct session *s, int command, const char *path, const char *value)
{
    const char *got = value_at(s, command, path);
    return got && strcmp(got, value) == 0;
}

/* ---- what each command shows ------------------------------------------------------------ */

/* What all leaves of a command say together. */
struct shown {
    const char *bad;        /* the right variants that were not right */
    bool schedules, failed; /* it ran under several; under one of them it was wrong */
};

static bool is_right_variant(const char *path)
{
    return begins(path, ".variants:") && ends(path, ".ok") && !strchr(path, '!');
}

static struct shown *look_at(const struct session *s)
{
    struct shown *all = keep_bytes((size_t)(row_count + 1) * sizeof *all);
    for (int i = 0; i <= row_count; i++)
        all[i].bad = "";
    for (size_t i = 0; i < s->count; i++) {
        const struct leaf *leaf = &s->leaves[i];
        if (leaf->command < 1 || leaf->command > row_count)
            continue;
        struct shown *shown = &all[leaf->command];
        if (is_right_variant(leaf->path) && strcmp(leaf->value, "true") != 0)
            shown->bad = keep_format("%s %s", shown->bad, leaf->path);
        if (ends(leaf->path, ".right")) {
            shown->schedules = true;
            shown->failed = shown->failed || strcmp(leaf->value, "false") == 0;
        }
    }
    return all;
}

static bool all_right(const struct session *s, int i, const struct shown *shown)
{
    return is(s, i, ".status", "ok") && is(s, i, ".result.ok", "true") && !*shown->bad;
}

/* It failed as a variant that is wrong on purpose, also on this GPU, unless that is luck. */
static bool wrong_on_purpose(const struct session *s, int i)
{
    const char *message = value_at(s, i, ".error.message");
    const char *words = message ? strstr(message, "wrong on purpose") : NULL;
    return is(s, i, ".result.ok", "false") && words && strstr(words, "fixes it") &&
           (!is(s, i, ".result.schedules:this GPU.ok", "true") || begins(rows[i].gpu, "luck"));
}

static bool is_among(const char *words, const char *word)
{
    return word && strstr(keep_format(" %s ", words), keep_format(" %s ", word));
}

static bool names_library(const char *message)
{
    static const char *const names[] = {"cuBLAS", "cuRAND"};
    for (size_t i = 0; message && i < sizeof names / sizeof names[0]; i++)
        if (strstr(message, names[i]))
            return true;
    return false;
}

static bool has_few_gpus(const char *message)
{
    return message && strstr(message, ": this computer has ");
}

static bool is_good(const struct session *s, int i, const struct shown *shown)
{
    const char *shows = rows[i].shows, *kind = value_at(s, i, ".faults[0].kind");
    if (strcmp(shows, "right") == 0)
        return all_right(s, i, shown);
    if (strcmp(shows, "told") == 0)
        return is(s, i, ".status", "ok") && !is(s, i, ".result.ok", "false");
    if (begins(shows, "fault "))
        return is(s, i, ".status", "fault") && wrong_on_purpose(s, i) && is_among(shows, kind);
    if (strcmp(shows, "wrong") == 0)
        return is(s, i, ".status", "error") && wrong_on_purpose(s, i) && !kind &&
               (!shown->schedules || shown->failed);
    if (strcmp(shows, "library") == 0)
        return all_right(s, i, shown) || names_library(value_at(s, i, ".error.message"));
    if (strcmp(shows, "gpus") == 0)
        return all_right(s, i, shown) || has_few_gpus(value_at(s, i, ".error.message"));
    return strcmp(shows, "refused") == 0 && is(s, i, ".status", "error");
}

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

/* What it needs was left out of this build: `configure --disable-compile`. */
static bool left_out(const struct session *s, int i)
{
    const char *message = value_at(s, i, ".error.message");
    return message && strstr(message, "this cudalab was built without");
}

static void judge_all(const char *device, const char *leaves)
{
    struct session s = read_session(leaves);
    const struct shown *all = look_at(&s);
    const char *where = strcmp(device, "sim") == 0 ? "" : keep_format(", on %s", device);
    for (int i = 1; i <= row_count; i++)
        tell(left_out(&s, i) ? SKIP : is_good(&s, i, &all[i]) ? PASS : FLUNK,
             keep_format("%s: %s%s", rows[i].command, rows[i].shows, where),
             "%s, ok %s%s, first fault %s: %s", or_nothing(value_at(&s, i, ".status")),
             or_nothing(value_at(&s, i, ".result.ok")), all[i].bad,
             or_nothing(value_at(&s, i, ".faults[0].kind")),
             or_nothing(value_at(&s, i, ".error.message")));
}

/* ---- two devices ------------------------------------------------------------------------ */

static struct rule {
    regex_t rows, fields;
} rules[RULES];
static int rule_count;

static void compile(regex_t *regex, const char *text)
{
    if (regcomp(regex, text, REG_EXTENDED | REG_NOSUB) != 0)
        give_up("this is no regular expression: %s", text);
}

static void read_rules(const char *path, bool other)
{
    char *text = read_file(path);
    for (char *line; (line = cut_line(&text));) {
        bool for_others = strcmp(cut_field(&line, '\t'), "other") == 0;
        const char *of_rows = cut_field(&line, '\t'), *fields = cut_field(&line, '\t');
        if (for_others && !other)
            continue;
        if (rule_count == RULES || !fields)
            give_up("%s: too many rules, or one without fields", path);
        compile(&rules[rule_count].rows, of_rows);
        compile(&rules[rule_count++].fields, keep_format("^(%s)$", fields));
    }
}

/* Counters, times and the device's name are compared nowhere. */
static bool is_compared(const char *path)
{
    return strcmp(path, ".device") != 0 && strcmp(path, ".model") != 0 &&
           strcmp(path, ".counters_from") != 0 && !strstr(path, ".counters.") &&
           !strstr(path, ".time.");
}

static double number_at(const struct session *s, int i, const char *path)
{
    const char *text = value_at(s, i, path);
    return text ? strtod(text, NULL) : 0;
}

/* Is the GPU's sum of floats as near to the exact one as its bound says? */
static bool is_within_bound(const struct session *gpu, int i)
{
    static const char *const answers[] = {".result.area", ".result.sum", ".result.dot"};
    const char *answer = answers[2], *exact = ".result.exact";
    for (int k = 2; k >= 0; k--)
        if (value_at(gpu, i, answers[k]))
            answer = answers[k];
    if (value_at(gpu, i, ".result.in_double"))
        exact = ".result.in_double";
    double off = number_at(gpu, i, answer) - number_at(gpu, i, exact);
    double bound = number_at(gpu, i, ".result.bound");
    return off <= bound && -off <= bound;
}

static bool is_answer(const char *path)
{
    return strcmp(path, ".result.area") == 0 || strcmp(path, ".result.sum") == 0 ||
           strcmp(path, ".result.dot") == 0 || strcmp(path, ".result.error") == 0;
}

static bool may_differ(const struct session *gpu, int i, const char *path)
{
    const char *row = keep_format("%s: %s", rows[i].shows, rows[i].command);
    for (int k = 0; k < rule_count; k++)
        if (regexec(&rules[k].rows, row, 0, NULL, 0) == 0 &&
            regexec(&rules[k].fields, path, 0, NULL, 0) == 0)
            return true;
    return strcmp(rows[i].gpu, "bound") == 0 && is_answer(path) && is_within_bound(gpu, i);
}

/* The same text, or two ways to write one number. */
static bool is_same(const char *a, const char *b)
{
    char *after_a, *after_b;
    double x = strtod(a, &after_a), y = strtod(b, &after_b);
    bool numbers = *a && *b && !*after_a && !*after_b;
    return strcmp(a, b) == 0 || (numbers && x <= y && x >= y);
}

/* Add to each row's text the fields of a session, in order, whose values differ. */
static void compare(const struct session *each, const struct session *sim,
                    const struct session *gpu, struct map *seen, const char **differences)
{
    for (size_t k = 0; k < each->count; k++) {
        const struct leaf *leaf = &each->leaves[k];
        int i = leaf->command;
        const char *key = key_of(i, leaf->path);
        if (i < 1 || i > row_count || !is_compared(leaf->path) || map_get(seen, key))
            continue;
        map_set(seen, key, (void *)"seen");
        const char *here = value_at(gpu, i, leaf->path), *there = value_at(sim, i, leaf->path);
        here = here ? here : "(absent)";
        there = there ? there : "(absent)";
        if (!is_same(here, there) && !may_differ(gpu, i, leaf->path))
            differences[i] = keep_format("%s%s%s: %.90s, sim %.90s", differences[i],
                                         *differences[i] ? "; " : "", leaf->path, here, there);
    }
}

static void compare_all(const char *sim_leaves, const char *gpu_leaves)
{
    struct session sim = read_session(sim_leaves), gpu = read_session(gpu_leaves);
    const char **differences = keep_bytes((size_t)(row_count + 1) * sizeof *differences);
    struct map seen = {0};
    for (int i = 0; i <= row_count; i++)
        differences[i] = "";
    compare(&sim, &sim, &gpu, &seen, differences);
    compare(&gpu, &sim, &gpu, &seen, differences);
    for (int i = 1; i <= row_count; i++)
        tell(*differences[i] ? FLUNK : PASS, keep_format("%s: the same on both", rows[i].command),
             "%.600s", differences[i]);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (argc == 5 && strcmp(what, "shows") == 0) {
        read_rows(argv[3]);
        judge_all(argv[2], argv[4]);
    } else if (argc == 6 && (strcmp(what, "same") == 0 || strcmp(what, "other") == 0)) {
        read_rules(argv[2], strcmp(what, "other") == 0);
        read_rows(argv[3]);
        compare_all(argv[4], argv[5]);
    } else {
        give_up("usage: labs shows DEVICE ROWS LEAVES | labs same|other RULES ROWS SIM GPU");
    }
    for (int i = 0; i < rule_count; i++) {
        regfree(&rules[i].rows);
        regfree(&rules[i].fields);
    }
    return 0;
}
