/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs every matrix instruction of tests/data/tiles.txt. Its result must be the same as on an H100:
 * tests/h100/tiles.txt has a hash of each. All run once as usual on this machine, and once without
 * vector instructions. tests/gpu/tiles.h has the kernels. With --write FOLDER the results are
 * written there (answer.h).
 */
#include "../gpu/tiles.h"
#include "answer.h"
#include "sim/sim.h"

struct run {
    struct sim *sim;
    uint64_t in, out;
    unsigned char table[TILES * TILE_BYTES], left[TILES * TILE_BYTES];
    char why[400];
};

static void launch(struct run *r, const struct sim_kernel *k)
{
    struct { uint64_t in, out; } params = {r->in, r->out};
    struct sim_run *run = sim_start(r->sim, &(struct sim_launch){SIM_LAUNCH,
        .kernel = k, .grid = {TILES, 1, 1}, .block = {LANES_A_TILE, 1, 1}, .params = &params});
    while (run && sim_step(run, 1 << 20) == SIM_RUNNING)
        ;
    if (!run || sim_result(run)->fault_count)
        snprintf(r->why, sizeof r->why, "%s",
                 run ? sim_result(run)->faults[0].message : sim_message(r->sim));
    if (run)
        sim_finish(run);
    sim_read(r->sim, r->out, r->left, sizeof r->left);
}

static bool run_form(struct run *r, const struct tile_form *f)
{
    struct buf ptx = {0};
    tile_table(f, r->table);
    tile_ptx(&ptx, f);
    struct sim_module *m = sim_module_load(r->sim, f->name, buf_text(&ptx), ptx.len);
    const struct sim_kernel *k = m ? sim_kernel_find(m, "k") : NULL;
    snprintf(r->why, sizeof r->why, "%s", !m ? sim_message(r->sim) : k->closed ? k->closed : "");
    memset(r->left, 0, sizeof r->left);
    if (!r->why[0] && sim_write(r->sim, r->in, r->table, sizeof r->table) == 0 &&
        sim_write(r->sim, r->out, r->left, sizeof r->left) == 0)
        launch(r, k);
    if (m)
        sim_module_unload(r->sim, m);
    buf_free(&ptx);
    return !r->why[0];
}

static FILE *data(const char *name)
{
    const char *top = getenv("top_srcdir");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/%s", top ? top : ".", name);
    return fopen(path, "r");
}

/* Reads the hash of a form. false: the line is about another form, or there is no line. */
static bool kept_hash(FILE *kept, const struct tile_form *f, uint64_t *hash)
{
    static char line[256];
    const size_t n = strlen(f->name);
    do
        if (!fgets(line, sizeof line, kept))
            return false;
    while (line[0] == '#');
    *hash = strtoull(line + (n < sizeof line ? n : 0), NULL, 16);
    return strncmp(line, f->name, n) == 0 && line[n] == ' ';
}

/* Runs all forms. Returns how many results differ from those of an H100. */
static unsigned run_all(struct run *r, const char *folder, unsigned *ran)
{
    FILE *forms = data("data/tiles.txt"), *kept = data("h100/tiles.txt");
    struct tile_form f;
    unsigned bad = 0;
    while (forms && kept && tile_read(forms, &f)) {
        uint64_t hash = 0;
        bool there = kept_hash(kept, &f, &hash), ok = run_form(r, &f);
        ++*ran;
        answer_write(folder, f.name, r->left, sizeof r->left, LANE_BYTES / 4);
        if (ok && (!there || tile_hash(r->left) != hash)) {
            snprintf(r->why, sizeof r->why, there
                     ? "the results are not an H100's; `make answers` shows what changed"
                     : "no result of an H100 is kept");
            ok = false;
        }
        if (!ok && ++bad)
            printf("# %s: %s\n", f.name, r->why);
    }
    if (forms)
        fclose(forms);
    if (kept)
        fclose(kept);
    return bad;
}

static struct sim *open_sim(struct run *r, bool plain)
{
    r->sim = sim_open(NULL);
    if (!r->sim || (plain && sim_use_plain(r->sim) != 0) ||
        sim_malloc(r->sim, sizeof r->table, "in", &r->in) != 0 ||
        sim_malloc(r->sim, sizeof r->left, "out", &r->out) != 0)
        return NULL;
    return r->sim;
}

int main(int argc, char **argv)
{
    static struct run r;
    unsigned all_bad = 0;
    for (unsigned plain = 0; plain < 2; plain++) {
        unsigned ran = 0;
        if (!open_sim(&r, plain)) {
            printf("Bail out! no memory\n");
            return 1;
        }
        unsigned bad = run_all(&r, plain ? NULL : answer_folder(argc, argv), &ran);
        printf("%sok %u - all %u forms leave what they left on an H100%s\n",
               bad || !ran ? "not " : "", plain + 1, ran, plain ? ", without vectors too" : "");
        all_bad += bad || !ran;
        sim_close(r.sim);
    }
    printf("1..2\n");
    return all_bad != 0;
}
