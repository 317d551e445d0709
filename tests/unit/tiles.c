/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs every matrix instruction of tests/data/tiles.txt. Its result must be the same as on an H100:
 * tests/h100/tiles.txt has a hash of each. All run once as usual on this machine, and once without
 * vector instructions. Sums that lose no bit are computed in a way of their own: that way and the
 * usual one must give the same. tests/gpu/tiles.h has the kernels. With --write FOLDER the results are
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

/* Runs a form with the operands in the table. */
static bool run_table(struct run *r, const struct tile_form *f)
{
    struct buf ptx = {0};
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

static bool run_form(struct run *r, const struct tile_form *f)
{
    tile_table(f, r->table);
    return run_table(r, f);
}

/* ---- sums that lose no bit --------------------------------------------------------------- */

static const struct tile_format *format_of(char type)
{
    for (unsigned i = 0; i < sizeof tile_formats / sizeof *tile_formats; i++)
        if (tile_formats[i].type == type)
            return &tile_formats[i];
    return NULL;
}

/* Fills an operand of two tiles with the same numbers. They have few bits: how many, and how far
 * their sizes differ, depends on the number of the pair. Some are 0 or -0. */
static void fill_pair(struct run *r, const struct tile_operand *o, unsigned which, unsigned pair)
{
    const struct tile_format *f = format_of(o->type);
    const unsigned bytes = f->bits / 8, sum = which == 2, bits = sum ? pair / 8 * 3 : pair % 8;
    const unsigned dropped = bits < (unsigned)f->fraction ? (unsigned)f->fraction - bits : 0;
    const int spread = sum ? 1 + (int)(pair % 5) * 4 : 1 + (int)(pair / 8 % 3);
    for (unsigned lane = 0; lane < LANES_A_TILE; lane++)
        for (unsigned k = 0; k < o->registers * 4 / bytes; k++) {
            const uint64_t random = mixed(((pair * 32 + lane) * 4 + which) * 64 + k);
            const int e = (int)(random >> 32 & 0xFFFF) % spread - (sum ? spread / 2 : 0);
            uint64_t v = tile_float(f, e, random) >> dropped << dropped;
            if (random >> 48 & 3 ? 0 : 1)
                v &= UINT64_C(1) << (f->fraction + f->exponent);
            for (unsigned i = 0; i < 2; i++)
                memcpy(r->table + ((size_t)(2 * pair + i) * LANES_A_TILE + lane) * LANE_BYTES +
                       which * 64 + k * bytes, &v, bytes);
        }
}

/* The second tile of each pair gets a NaN in A. So its sums are computed in the usual way. Where
 * they are numbers, they must be those of the first tile. Returns how many sums were compared, or
 * -1. */
static int compare_pairs(struct run *r, const struct tile_form *f)
{
    const struct tile_format *a = format_of(f->at[0].type);
    const uint64_t nan = (UINT64_C(1) << (a->fraction + a->exponent)) - 1;
    int compared = 0;
    for (unsigned pair = 0; pair < TILES / 2; pair++) {
        for (unsigned k = 0; k < 3; k++)
            fill_pair(r, &f->at[k], k, pair);
        memcpy(r->table + (size_t)(2 * pair + 1) * TILE_BYTES, &nan, a->bits / 8);
    }
    if (!run_table(r, f))
        return -1;
    for (unsigned pair = 0; pair < TILES / 2; pair++)
        for (unsigned at = 0; at < TILE_BYTES; at += 4) {
            uint32_t first, second;
            memcpy(&first, r->left + (size_t)2 * pair * TILE_BYTES + at, 4);
            memcpy(&second, r->left + (size_t)(2 * pair + 1) * TILE_BYTES + at, 4);
            const bool nothing = at % LANE_BYTES >= f->at[3].registers * 4;
            if (nothing || second == 0x7FFFFFFF)
                continue;
            if (first != second) {
                snprintf(r->why, sizeof r->why, "pair %u, byte %u: %08x, but %08x beside a NaN",
                         pair, at, first, second);
                return -1;
            }
            compared++;
        }
    return compared;
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

/* Compares the pairs of all forms that add up floats to f32. Returns how many forms are wrong. */
static unsigned compare_all(struct run *r, unsigned *ran)
{
    FILE *forms = data("data/tiles.txt");
    struct tile_form f;
    unsigned bad = 0;
    while (forms && tile_read(forms, &f)) {
        if (f.operands != 4 || !strchr("hbt45", f.at[0].type) || f.at[3].type != 'f')
            continue;
        memset(r->table, 0, sizeof r->table);
        const int compared = compare_pairs(r, &f);
        ++*ran;
        if (compared <= 0 && ++bad)
            printf("# %s: %s\n", f.name, compared ? r->why : "no sum was compared");
    }
    if (forms)
        fclose(forms);
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
               bad || !ran ? "not " : "", 2 * plain + 1, ran,
               plain ? ", without vectors too" : "");
        all_bad += bad || !ran;
        ran = 0;
        bad = compare_all(&r, &ran);
        printf("%sok %u - sums of few bits are the same beside a NaN, in %u forms%s\n",
               bad || !ran ? "not " : "", 2 * plain + 2, ran,
               plain ? ", without vectors too" : "");
        all_bad += bad || !ran;
        sim_close(r.sim);
    }
    printf("1..4\n");
    return all_bad != 0;
}
