/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The small kernels of tests/counts, written without sight of the simulator, count here what an
 * H100's profiler counted and leave what they left there: tests/h100/counts.txt and
 * counts-results.txt, by tests/gpu/counts.sh. A dash there is a count that isn't compared: in it
 * are registers that ptxas saves around a call. A kernel may stand there as `unmeasured` until someone
 * with such a card has asked it. With --write FOLDER the results are written there
 * (answer.h).
 */
#include "../gpu/counts.h"
#include "answer.h"
#include "obs/count.h"
#include "sim/sim.h"

#include <stdarg.h>

enum { LINE = 4096 };

struct test {
    struct sim *sim;
    uint64_t in, out;
    int32_t table[COUNTS_WORDS], left[COUNTS_WORDS];
    struct counters counters;
    FILE *counts, *results;
    const char *answers; /* the folder for what was left; NULL: none */
    char columns[LINE];
    char why[LINE]; /* lines that each begin with "# " */
};

static void complain(struct test *t, const char *format, ...)
{
    size_t n = strlen(t->why);
    va_list args;
    va_start(args, format);
    vsnprintf(t->why + n, sizeof t->why - n, format, args);
    va_end(args);
}

/* ---- on the simulator ------------------------------------------------------------------ */

static void launch(struct test *t, const struct sim_kernel *kernel, const struct counts_kernel *k)
{
    struct { uint64_t in, out; int n; } params = {t->in, t->out, COUNTS_N};
    struct arena memory = {0};
    struct count_each each = {.memory = &memory};
    struct counters sum = {0};
    struct sim_observer see[] = {count_observer(&t->counters), count_each_observer(&each)};
    struct sim_launch how = {SIM_LAUNCH, .kernel = kernel, .params = &params, .observers = see,
                             .observer_count = 2, .step_limit = 1 << 24};
    memcpy(how.grid, k->grid, sizeof how.grid);
    memcpy(how.block, k->block, sizeof how.block);
    struct sim_run *run = sim_start(t->sim, &how);
    while (run && sim_step(run, 1 << 20) == SIM_RUNNING)
        ;
    if (!run) {
        complain(t, "# %s\n", sim_message(t->sim));
        return;
    }
    if (sim_result(run)->fault_count)
        complain(t, "# %s\n", sim_result(run)->faults[0].message);
    count_tally(&t->counters, sim_result(run));
    count_each_tally(&each, sim_result(run), &sum);
    if (memcmp(&sum, &t->counters, sizeof sum) != 0)
        complain(t, "# counted by instruction it is another sum\n");
    sim_finish(run);
    arena_free(&memory);
}

static void simulate(struct test *t, const struct counts_kernel *k)
{
    struct sim_module *m = sim_module_load(t->sim, k->name, k->ptx, k->length);
    const struct sim_kernel *kernel = m ? sim_kernel_find(m, k->name) : NULL;
    memset(&t->counters, 0, sizeof t->counters);
    memset(t->left, 0, sizeof t->left);
    if (!m || sim_write(t->sim, t->out, t->left, sizeof t->left) != 0)
        complain(t, "# %s\n", sim_message(t->sim));
    else if (!kernel || kernel->closed)
        complain(t, "# %s\n", kernel ? kernel->closed : "no such kernel in its file");
    else
        launch(t, kernel, k);
    if (sim_read(t->sim, t->out, t->left, sizeof t->left) != 0)
        complain(t, "# %s\n", sim_message(t->sim));
    if (m)
        sim_module_unload(t->sim, m);
}

/* ---- beside what was measured ---------------------------------------------------------- */

/* What follows the name at the start of a line of f, in `line`; NULL where no line has it. */
static char *kept(FILE *f, const char *name, char line[LINE])
{
    size_t n = strlen(name);
    if (f)
        rewind(f);
    while (f && fgets(line, LINE, f))
        if (strncmp(line, name, n) == 0 && line[n] == ' ')
            return line + n + 1;
    return NULL;
}

static const uint64_t *counter(const struct counters *c, const char *name)
{
    for (const struct counter_name *n = counter_names; n->name; n++)
        if (strcmp(n->name, name) == 0)
            return (const uint64_t *)((const char *)c + n->offset);
    return NULL;
}

static void compare_counts(struct test *t, char *row)
{
    char columns[LINE], *name_rest, *row_rest;
    memcpy(columns, t->columns, sizeof columns);
    char *name = strtok_r(columns, " \n", &name_rest), *want = strtok_r(row, " \n", &row_rest);
    for (; name; name = strtok_r(NULL, " \n", &name_rest)) {
        const uint64_t *got = counter(&t->counters, name);
        char *end = NULL;
        unsigned long long number = want ? strtoull(want, &end, 10) : 0;
        if (!got || !want || (strcmp(want, "-") != 0 && (end == want || *end)))
            complain(t, "# no measurement of %s kept\n", name);
        else if (end != want && number != *got)
            complain(t, "# %s is %llu, an H100's %s\n", name, (unsigned long long)*got, want);
        want = strtok_r(NULL, " \n", &row_rest);
    }
}

static void compare(struct test *t, const char *name)
{
    char line[LINE];
    char *row = kept(t->counts, name, line);
    if (row && strncmp(row, "unmeasured", 10) == 0)
        return;
    if (row && t->columns[0])
        compare_counts(t, row);
    else
        complain(t, "# no measurement kept\n");
    row = kept(t->results, name, line);
    if (!row)
        complain(t, "# no results kept\n");
    else if (strtoull(row, NULL, 16) != counts_hash(t->left))
        complain(t, "# the results are not an H100's; `make answers` shows what changed\n");
}

/* ---- all of them ----------------------------------------------------------------------- */

static unsigned rows(FILE *f)
{
    char line[LINE];
    unsigned n = 0;
    rewind(f);
    while (fgets(line, sizeof line, f))
        n += line[0] != '#' && strncmp(line, "kernel ", 7) != 0;
    return n;
}

static int run_all(struct test *t, const char *folder, struct dirent **files, int count)
{
    int bad = 0;
    for (int i = 0; i < count; i++) {
        struct counts_kernel k;
        t->why[0] = '\0';
        if (counts_read(folder, files[i]->d_name, &k) != 0) {
            complain(t, "# no launch line, or not to be read\n");
        } else {
            simulate(t, &k);
            compare(t, k.name);
            answer_write(t->answers, k.name, t->left, sizeof t->left, 8);
            free(k.ptx);
        }
        bad += t->why[0] != '\0';
        printf("%s%sok %d - %s\n", t->why, t->why[0] ? "not " : "", i + 1, k.name);
        free(files[i]);
    }
    return bad;
}

static FILE *data(const char *top, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/h100/%s", top, name);
    return fopen(path, "r");
}

int main(int argc, char **argv)
{
    static struct test t;
    struct dirent **files;
    char folder[1024], line[LINE];
    const char *top = getenv("top_srcdir") ? getenv("top_srcdir") : ".";
    snprintf(folder, sizeof folder, "%s/tests/h100/counts", top);
    int count = counts_files(folder, &files);
    t.counts = data(top, "counts.txt");
    t.results = data(top, "counts-results.txt");
    char *columns = kept(t.counts, "kernel", line);
    snprintf(t.columns, sizeof t.columns, "%s", columns ? columns : "");
    t.sim = sim_open(NULL);
    t.answers = answer_folder(argc, argv);
    counts_input(t.table);
    if (count <= 0 || !t.sim || sim_malloc(t.sim, sizeof t.table, "in", &t.in) != 0 ||
        sim_malloc(t.sim, sizeof t.left, "out", &t.out) != 0 ||
        sim_write(t.sim, t.in, t.table, sizeof t.table) != 0) {
        printf("Bail out! no kernels, or no memory\n");
        return 1;
    }
    int bad = run_all(&t, folder, files, count);
    bool same = t.counts && t.results && rows(t.counts) == (unsigned)count &&
                rows(t.results) == (unsigned)count;
    printf("%sok %d - a row for each kernel and none besides\n1..%d\n", same ? "" : "not ",
           count + 1, count + 1);
    free(files);
    sim_close(t.sim);
    if (t.counts)
        fclose(t.counts);
    if (t.results)
        fclose(t.results);
    return bad || !same;
}
