/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every case of tests/gpu/textures.h runs here and gives what an H100 gave, as the hashes in
 * tests/h100/textures.txt have it, with as many texture requests as the profiler counted, as in
 * tests/h100/texture-counts.txt. A case of which none is kept fails.
 *
 * With --write FOLDER the results are written there (answer.h).
 *
 * With the folder of raw results that tests/gpu/textures.c wrote as argument, the differences are
 * told instead, result by result: for those who adjust the simulator's images.
 */
#include "../gpu/textures.h"
#include "answer.h"
#include "obs/count.h"
#include "sim/sim.h"

struct run {
    struct sim *sim;
    struct thread threads[COUNT];
    unsigned char image[1 << 18], left[1 << 18];
    uint64_t requests;
    char why[400];
};

static bool launch(struct run *r, const struct access_case *c, const struct sim_kernel *k,
                   uint64_t handle, const uint64_t address[2])
{
    struct { uint64_t handle, in, out; uint32_t count; } params = {handle, address[0], address[1],
                                                                   case_threads(c)};
    struct sim_run *run = sim_start(r->sim, &(struct sim_launch){SIM_LAUNCH,
        .kernel = k, .grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}, .params = &params});
    while (run && sim_step(run, 1 << 20) == SIM_RUNNING)
        ;
    if (!run || sim_result(run)->fault_count)
        snprintf(r->why, sizeof r->why, "%s",
                 run ? sim_result(run)->faults[0].message : sim_message(r->sim));
    if (run) {
        struct counters counts = {0};
        count_tally(&counts, sim_result(run));
        r->requests = counts.texture_requests;
        sim_finish(run);
    }
    return !r->why[0];
}

/* The memory of a case: threads, results, image; freed again where there is none. */
static bool with_memory(struct run *r, const struct access_case *c, const struct sim_kernel *k)
{
    struct sim_texture t = c->texture;
    uint64_t address[2], handle = 0;
    if (sim_malloc(r->sim, sizeof r->threads, "in", &address[0]) != 0 ||
        sim_malloc(r->sim, sizeof r->left, "out", &address[1]) != 0 ||
        sim_malloc(r->sim, c->bytes, "image", &t.image.address) != 0 ||
        sim_write(r->sim, address[0], r->threads, sizeof r->threads) != 0 ||
        sim_write(r->sim, t.image.address, r->image, c->bytes) != 0 ||
        (c->edge ? sim_surface_make(r->sim, &t.image, &handle)
                 : sim_texture_make(r->sim, &t, &handle)) != 0) {
        snprintf(r->why, sizeof r->why, "%s", sim_message(r->sim));
        return false;
    }
    bool ok = launch(r, c, k, handle, address);
    sim_read(r->sim, c->verb == STORE ? t.image.address : address[1], r->left, result_bytes(c));
    return ok;
}

static bool run_case(struct run *r, const struct access_case *c)
{
    struct buf ptx = {0};
    bool ok = false;
    r->sim = sim_open(NULL);
    r->why[0] = '\0';
    case_ptx(&ptx, c);
    image_fill(c, r->image);
    threads_fill(c, r->threads);
    struct sim_module *m = sim_module_load(r->sim, c->word, buf_text(&ptx), ptx.len);
    const struct sim_kernel *k = m ? sim_kernel_find(m, "k") : NULL;
    if (!k || k->closed)
        snprintf(r->why, sizeof r->why, "%s", k ? k->closed : sim_message(r->sim));
    else
        ok = with_memory(r, c, k);
    sim_close(r->sim);
    buf_free(&ptx);
    return ok;
}

/* ---- what an H100 gave ------------------------------------------------------------------- */

/* The hash behind the case's name, as text; NULL: none is kept. */
static const char *kept(FILE *file, const char *name, char line[400])
{
    size_t n = strlen(name);
    rewind(file);
    while (fgets(line, 400, file))
        if (strncmp(line, name, n) == 0 && line[n] == ':' && line[n + 1] == ' ')
            return line + n + 2;
    return NULL;
}

static bool as_kept(struct run *r, const struct access_case *c, const char *hash)
{
    if (!hash)
        snprintf(r->why, sizeof r->why, "no result of an H100 is kept");
    else if (strncmp(hash, "refused", 7) == 0 ||
             strtoull(hash, NULL, 16) == result_hash(c, r->left))
        return true;
    else
        snprintf(r->why, sizeof r->why,
                 "the results are not an H100's; `make answers` shows what changed");
    return false;
}

/* What isn't known yet: how it blends halves and signed bytes, and how it shares the weight among
 * the eight corners of a cube. Here the sums are exact. */
static bool not_to_the_bit(const struct access_case *c)
{
    const struct sim_texture *t = &c->texture;
    bool blends = t->linear && (c->verb == READ || c->verb == HALF);
    return blends && (t->image.kind == SIM_IMAGE_3D || t->image.channel == SIM_CHANNEL_F16 ||
                      t->image.channel == SIM_CHANNEL_S8);
}

static FILE *open_kept(const char *name)
{
    const char *top = getenv("top_srcdir");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/h100/%s", top ? top : ".", name);
    return fopen(path, "r");
}

/* What a card refuses was not counted. */
static bool as_counted(struct run *r, const char *count)
{
    if (!count || strtoull(count, NULL, 10) == r->requests)
        return true;
    snprintf(r->why, sizeof r->why, "%llu texture requests, the profiler says %s",
             (unsigned long long)r->requests, count);
    return false;
}

/* ---- differences ------------------------------------------------------------------------- */

static void tell_value(uint32_t bits, bool is_float)
{
    float f;
    memcpy(&f, &bits, 4);
    if (is_float)
        printf(" %.9g", (double)f);
    else
        printf(" %x", bits);
}

static void tell_difference(const struct run *r, const struct access_case *c, size_t i,
                            const unsigned char *want)
{
    const struct thread *t = &r->threads[i / 4];
    bool is_float = c->texture.as_float || c->texture.image.channel >= SIM_CHANNEL_F16;
    uint32_t here, there;
    memcpy(&here, r->left + 4 * i, 4);
    memcpy(&there, want + 4 * i, 4);
    printf("    %zu.%zu", i / 4, i % 4);
    if (c->verb != STORE)
        printf(" at %.9g %.9g %.9g | %d %d %d layer %u:", (double)t->at[0], (double)t->at[1],
               (double)t->at[2], t->whole[0], t->whole[1], t->whole[2], t->layer);
    tell_value(here, is_float && c->verb != HALF);
    printf(", H100");
    tell_value(there, is_float && c->verb != HALF);
    printf("\n");
}

static void compare_raw(const struct run *r, const struct access_case *c, const char *folder,
                        unsigned number)
{
    static unsigned char want[1 << 18];
    enum { SHOWN = 6 };
    char path[1024];
    size_t bytes = result_bytes(c), words = bytes / 4, bad = 0;
    snprintf(path, sizeof path, "%s/%03u", folder, number);
    FILE *file = fopen(path, "rb");
    if (!file || fread(want, 1, bytes, file) != bytes) {
        printf("%s: no raw result\n", cases[number]);
    } else {
        for (size_t i = 0; i < words; i++)
            bad += memcmp(r->left + 4 * i, want + 4 * i, 4) != 0;
        printf("%s: %zu of %zu words differ\n", cases[number], bad, words);
        for (size_t i = 0, shown = 0; i < words && shown < SHOWN; i++)
            if (memcmp(r->left + 4 * i, want + 4 * i, 4) != 0 && ++shown)
                tell_difference(r, c, i, want);
    }
    if (file)
        fclose(file);
}

int main(int argc, char **argv)
{
    static struct run r;
    char line[400];
    unsigned bad = 0;
    const char *answers = answer_folder(argc, argv);
    FILE *file = open_kept("textures.txt"), *counts = open_kept("texture-counts.txt");
    for (unsigned n = 0; n < CASES; n++) {
        struct access_case c;
        bool ran = case_read(cases[n], &c) && c.bytes <= sizeof r.image && run_case(&r, &c);
        if (answers && ran)
            answer_write(answers, cases[n], r.left, result_bytes(&c), 4);
        if (argc == 2 && ran) {
            compare_raw(&r, &c, argv[1], n);
            continue;
        }
        bool ok = ran && as_kept(&r, &c, file ? kept(file, cases[n], line) : NULL);
        bool counted = ran && counts && as_counted(&r, kept(counts, cases[n], line));
        bool last_bits = not_to_the_bit(&c);
        printf("%sok %u - %s%s\n", ok ? "" : "not ", 2 * n + 1, cases[n],
               last_bits ? " # TODO an H100's last bits" : "");
        if (!ok)
            printf("#   %s\n", r.why);
        printf("%sok %u - %s: texture requests\n", counted ? "" : "not ", 2 * n + 2, cases[n]);
        if (!counted)
            printf("#   %s\n", r.why);
        bad += (!ok && !last_bits) || !counted;
    }
    if (argc != 2)
        printf("1..%d\n", 2 * CASES);
    if (file)
        fclose(file);
    if (counts)
        fclose(counts);
    return bad != 0;
}
