/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every form of tests/data/forms.txt runs here and gives what an H100 gave, tests/h100/forms.txt.
 * Approximate forms may differ from it by 2 ulp of their type; lg2, sin and cos by 2^-21 where
 * that is more, for angles up to pi. tests/gpu/forms.h has the kernels. A new form may stand there
 * as `unmeasured` until someone with such a card has asked it (tests/gpu/forms.c).
 * With --write FOLDER the results are written there (answer.h).
 */
#include "../gpu/forms.h"
#include "answer.h"
#include "sim/sim.h"

#include <math.h>

struct run {
    struct sim *sim;
    uint64_t in, out;
    unsigned char left[COUNT * OUT_BYTES];
    uint64_t table[IN_WORDS];
    char why[400];
};

static bool run_form(struct run *r, const struct form *f)
{
    struct buf ptx = {0};
    struct { uint64_t in, out; unsigned char given[GIVEN]; } params = {r->in, r->out, {0}};
    given_bytes(params.given);
    form_ptx(&ptx, f);
    struct sim_module *m = sim_module_load(r->sim, f->name, buf_text(&ptx), ptx.len);
    const struct sim_kernel *k = m ? sim_kernel_find(m, "k") : NULL;
    snprintf(r->why, sizeof r->why, "%s", !m ? sim_message(r->sim) : k->closed ? k->closed : "");
    memset(r->left, 0, sizeof r->left);
    if (!r->why[0] && sim_write(r->sim, r->out, r->left, sizeof r->left) == 0) {
        struct sim_run *run = sim_start(r->sim, &(struct sim_launch){SIM_LAUNCH,
            .kernel = k, .grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}, .params = &params});
        while (run && sim_step(run, 1 << 20) == SIM_RUNNING)
            ;
        if (run && sim_result(run)->fault_count)
            snprintf(r->why, sizeof r->why, "%s", sim_result(run)->faults[0].message);
        if (run)
            sim_finish(run);
        sim_read(r->sim, r->out, r->left, sizeof r->left);
        form_settle(f, r->left);
    }
    if (m)
        sim_module_unload(r->sim, m);
    buf_free(&ptx);
    return !r->why[0];
}

/* ---- approximate ones ------------------------------------------------------------------ */

struct format {
    int fraction, exponent; /* bits of each */
};

static double as_number(uint64_t bits, struct format t)
{
    int e = (int)(bits >> t.fraction & ((1u << t.exponent) - 1));
    int bias = (1 << (t.exponent - 1)) - 1;
    double fraction = (double)(bits & ((1ull << t.fraction) - 1));
    double size = e == (1 << t.exponent) - 1 ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                  : e == 0 ? ldexp(fraction, 1 - bias - t.fraction)
                           : ldexp(fraction + ldexp(1, t.fraction), e - bias - t.fraction);
    return bits >> (t.fraction + t.exponent) & 1 ? -size : size;
}

static double ulp(double x, struct format t)
{
    int e = 0, least = 2 - (1 << (t.exponent - 1));
    frexp(x, &e);
    return ldexp(1, (e - 1 < least ? least : e - 1) - t.fraction);
}

static bool near(double got, double want, double slack, struct format t)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got);
    if (isinf(want) || isinf(got))
        return got == want;
    double most = 2 * ulp(want, t);
    return fabs(got - want) <= (most > slack ? most : slack);
}

static bool near_result(const struct run *r, const struct form *f, unsigned k, uint64_t want)
{
    uint64_t got = form_result(r->left, k), angle = r->table[3 * SLOTS * COUNT + k];
    const char *type = strrchr(f->name, '.');
    if (has_part(f->name, "ftz") && strcmp(type, ".f64") == 0) { /* the upper word is all */
        got >>= 32, want >>= 32;
        type = ".upper";
    }
    struct format t = strcmp(type, ".f64") == 0    ? (struct format){52, 11}
                      : strcmp(type, ".upper") == 0 ? (struct format){20, 11}
                      : strstr(type, ".f16")       ? (struct format){10, 5}
                      : strstr(type, ".bf16")      ? (struct format){7, 8}
                                                   : (struct format){23, 8};
    bool logarithm = starts(f->name, "lg2");
    bool turns = starts(f->name, "sin") || starts(f->name, "cos");
    if (turns && !(fabs(as_number(angle, t)) <= 3.14159265358979))
        return true;
    double slack = logarithm || turns ? ldexp(1, -21) : 0;
    if (strstr(type, "x2"))
        return near(as_number(got & 0xFFFF, t), as_number(want & 0xFFFF, t), slack, t) &&
               near(as_number(got >> 16, t), as_number(want >> 16, t), slack, t);
    return near(as_number(got, t), as_number(want, t), slack, t);
}

static bool near_all(struct run *r, const struct form *f, const char *kept)
{
    for (unsigned k = 0; k < KEPT; k++) {
        char *end;
        uint64_t want = strtoull(kept, &end, 16);
        if (end == kept || !near_result(r, f, k, want)) {
            snprintf(r->why, sizeof r->why, "result %u is %llx, an H100's %llx", k,
                     (unsigned long long)form_result(r->left, k), (unsigned long long)want);
            return false;
        }
        kept = end;
    }
    return true;
}

/* ---- all of them ----------------------------------------------------------------------- */

static bool as_kept(struct run *r, const struct form *f, const char *kept)
{
    if (form_approximate(f))
        return near_all(r, f, kept);
    snprintf(r->why, sizeof r->why,
             "the results are not an H100's; `make answers` shows what changed");
    return form_hash(r->left) == strtoull(kept, NULL, 16);
}

static FILE *data(const char *name)
{
    const char *top = getenv("top_srcdir");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/%s", top ? top : ".", name);
    return fopen(path, "r");
}

int main(int argc, char **argv)
{
    static struct run r;
    static char line[1 << 14], name[LONGEST];
    FILE *forms = data("data/forms.txt"), *kept = data("h100/forms.txt");
    const char *folder = answer_folder(argc, argv);
    unsigned ran = 0, compared = 0, bad = 0;
    struct form f;
    operand_table(r.table);
    r.sim = sim_open(NULL);
    if (!forms || !kept || !r.sim || sim_malloc(r.sim, sizeof r.table, "in", &r.in) != 0 ||
        sim_malloc(r.sim, sizeof r.left, "out", &r.out) != 0 ||
        sim_write(r.sim, r.in, r.table, sizeof r.table) != 0) {
        printf("Bail out! no forms, or no memory\n");
        return 1;
    }
    while (form_read(forms, &f)) {
        do
            if (!fgets(line, sizeof line, kept))
                line[0] = '\0';
        while (line[0] == '#');
        size_t n = strlen(f.name), m = strlen(f.operands);
        bool there = strncmp(line, f.name, n) == 0 && line[n] == ' ' &&
                     strncmp(line + n + 1, f.operands, m) == 0 && line[n + 1 + m] == ' ';
        const char *result = there ? line + n + m + 2 : "";
        bool measured = !starts(result, "refused") && !starts(result, "unmeasured");
        bool ok = run_form(&r, &f);
        ran++;
        snprintf(name, sizeof name, "%s %s", f.name, f.operands);
        answer_write(folder, name, r.left, sizeof r.left, OUT_BYTES / 4);
        if (ok && measured) {
            snprintf(r.why, sizeof r.why, "no result of an H100 is kept");
            ok = there && as_kept(&r, &f, result);
            compared++;
        }
        if (!ok && ++bad)
            printf("# %s %s: %s\n", f.name, f.operands, r.why);
    }
    printf("%sok 1 - all %u forms run, %u of them as on an H100\n", bad || !ran ? "not " : "", ran,
           compared);
    struct form none = {.name = "add.no.f32", .operands = "fff"};
    bool refused = !run_form(&r, &none);
    printf("%sok 2 - and one that isn't there can't\n1..2\n", refused ? "" : "not ");
    sim_close(r.sim);
    fclose(forms);
    fclose(kept);
    return bad || !ran || !refused;
}
