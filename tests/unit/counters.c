/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulator's counters against a real profiler's: the same PTX, the same launches
 * (tests/gpu/cases.h), every column of tests/h100/counters-*.txt; and the wavefront rule
 * against 912 patterns measured on the same card. With --write FOLDER the results are written
 * there (answer.h).
 */
#include "../gpu/cases.h"
#include "answer.h"
#include "base/hash.h"
#include "obs/count.h"

#include <stdbool.h>
#include <stdlib.h>

enum { MOST_COLUMNS = 24 };
static int tests, failed;
static const char *answers; /* the folder for results; NULL: none */

static void ok(bool good, const char *name)
{
    printf("%s %d - %s\n", good ? "ok" : "not ok", ++tests, name);
    failed += !good;
}

static FILE *data(const char *name)
{
    char path[1024];
    const char *root = getenv("top_srcdir");
    snprintf(path, sizeof path, "%s/tests/h100/%s", root ? root : ".", name);
    return fopen(path, "rb");
}

static char *slurp(const char *name, size_t *n)
{
    FILE *f = data(name);
    char *text = f ? malloc(4 << 20) : NULL;
    *n = text ? fread(text, 1, 4 << 20, f) : 0;
    if (f)
        fclose(f);
    return text;
}

/* ---- wavefronts ---------------------------------------------------------------------- */

static void check_wavefronts(void)
{
    char line[512];
    unsigned lines = 0, wrong = 0;
    FILE *f = data("wavefronts.txt");
    while (f && fgets(line, sizeof line, f)) {
        uint64_t address[32];
        char *at = line;
        if (line[0] == '#')
            continue;
        unsigned measured = (unsigned)strtoul(at, &at, 10), bytes = (unsigned)strtoul(at, &at, 10);
        uint32_t mask = (uint32_t)strtoul(at, &at, 16);
        for (int i = 0; i < 32; i++)
            address[i] = strtoul(at, &at, 10) * bytes;
        struct wavefronts w = count_wavefronts(address, mask, bytes, false);
        lines++;
        if (w.wavefronts != measured) {
            wrong++;
            printf("# %u counted: %s", w.wavefronts, line);
        }
    }
    if (f)
        fclose(f);
    ok(lines == 912 && wrong == 0, "wavefronts of 912 loads are the H100's");
}

/* ---- launches ------------------------------------------------------------------------ */

/* Do the counts by instruction, which skip accesses like the last, add up to the same? */
static bool adds_up(struct count_each *each, const struct sim_result *r, const struct counters *all)
{
    struct counters sum = {0};
    count_each_tally(each, r, &sum);
    return memcmp(&sum, all, sizeof sum) == 0;
}

static bool launch(struct sim *s, struct sim_module *m, struct test_case *c, struct counters *out,
                   unsigned char result[CASE_BUFFER])
{
    uint64_t a, b;
    struct arena memory = {0};
    struct count_each each = { .memory = &memory };
    struct sim_observer see[] = { count_observer(out), count_each_observer(&each) };
    if (sim_malloc(s, CASE_BUFFER, "a", &a) < 0 || sim_malloc(s, CASE_BUFFER, "b", &b) < 0)
        return false;
    sim_write(s, a, c->in, sizeof c->in);
    case_params(c, a, b);
    struct sim_launch l = {SIM_LAUNCH, .kernel = sim_kernel_find(m, c->kernel), .grid = { c->grid, 1, 1 },
                            .block = { c->block, 1, 1 }, .shared_bytes = c->shared,
                            .params = c->params, .observers = see, .observer_count = 2 };
    memset(out, 0, sizeof *out);
    struct sim_run *r = sim_start(s, &l);
    while (r && sim_step(r, 1 << 20) == SIM_RUNNING)
        ;
    bool done = r && sim_step(r, 1) == SIM_DONE;
    if (done) {
        count_tally(out, sim_result(r));
        if (!adds_up(&each, sim_result(r), out))
            done = false, printf("# %s: the sum by instruction is another\n", c->name);
    } else if (r && sim_result(r)->fault_count)
        printf("# %s: %s\n", c->name, sim_result(r)->faults[0].message);
    sim_finish(r);
    arena_free(&memory);
    sim_read(s, b, result, CASE_BUFFER);
    sim_free(s, a);
    sim_free(s, b);
    return done;
}

static uint64_t counter(const struct counters *c, const char *name)
{
    for (const struct counter_name *n = counter_names; n->name; n++)
        if (strcmp(n->name, name) == 0)
            return *(const uint64_t *)(const void *)((const char *)c + n->offset);
    return UINT64_MAX;
}

static unsigned columns(char *line, char *word[MOST_COLUMNS])
{
    unsigned n = 0;
    for (char *w = strtok(line, " \n"); w && n < MOST_COLUMNS; w = strtok(NULL, " \n"))
        word[n++] = w;
    return n;
}

static void compare(const char *compiler, const char *name, struct counters *c, char *line,
                    char *const head[], unsigned head_count)
{
    char *word[MOST_COLUMNS], text[128];
    unsigned n = columns(line, word), wrong = 0;
    for (unsigned i = 1; i < n && i < head_count; i++)
        if (counter(c, head[i]) != strtoull(word[i], NULL, 10)) {
            wrong++;
            printf("# %s: %s is %llu, on the H100 %s\n", name, head[i],
                   (unsigned long long)counter(c, head[i]), word[i]);
        }
    snprintf(text, sizeof text, "%s, %s: %u counters are the H100's", name, compiler, n - 1);
    ok(n == head_count && n > 1 && !wrong && strcmp(word[0], name) == 0, text);
}

/* The next line of the results measured, "name hash", against this case's. */
static void same_result(const char *compiler, const char *name,
                        const unsigned char result[CASE_BUFFER], FILE *results)
{
    char line[256], want[256], text[128];
    uint64_t hash = hash_bytes(HASH_START, result, CASE_BUFFER);
    do
        if (!results || !fgets(line, sizeof line, results))
            line[0] = 0;
    while (line[0] == '#');
    snprintf(want, sizeof want, "%s %016llx\n", name, (unsigned long long)hash);
    snprintf(text, sizeof text, "%s, %s: its results are the H100's", name, compiler);
    ok(strcmp(line, want) == 0, text);
    snprintf(text, sizeof text, "%s %s", compiler, name);
    answer_write(answers, text, result, CASE_BUFFER, 8);
}

static void check_compiler(const char *compiler, bool plain)
{
    static unsigned char result[CASE_BUFFER];
    char file[128], line[1024], first[1024], *head[MOST_COLUMNS];
    struct test_case c;
    struct sim *s = sim_open(NULL);
    struct sim_module *m = NULL;
    if (s && plain)
        sim_use_plain(s);
    const char *loaded = "";
    unsigned head_count = 0, n = 0;
    snprintf(file, sizeof file, "counters-%s.txt", compiler);
    FILE *f = data(file), *results;
    snprintf(file, sizeof file, "results-%s.txt", compiler);
    results = data(file);
    while (f && !head_count && fgets(first, sizeof first, f))
        if (first[0] != '#')
            head_count = columns(first, head);
    for (; s && f && case_at(n, &c) && fgets(line, sizeof line, f); n++) {
        struct counters counted;
        size_t length;
        if (strcmp(loaded, c.module) != 0) {
            snprintf(file, sizeof file, "%s/%s.ptx", compiler, loaded = c.module);
            char *ptx = slurp(file, &length);
            m = ptx ? sim_module_load(s, file, ptx, length) : NULL;
            free(ptx);
        }
        if (!m || !launch(s, m, &c, &counted, result)) {
            ok(false, c.name);
            continue;
        }
        compare(compiler, c.name, &counted, line, head, head_count);
        same_result(compiler, c.name, result, results);
    }
    ok(n == 111, "all cases were there");
    if (f)
        fclose(f);
    if (results)
        fclose(results);
    sim_close(s);
}

int main(int argc, char **argv)
{
    answers = answer_folder(argc, argv);
    check_wavefronts();
    check_compiler("nvcc", false);
    check_compiler("clang", false);
    check_compiler("nvcc", true); /* and without vector instructions */
    printf("1..%d\n", tests);
    return failed != 0;
}
