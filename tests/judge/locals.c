/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Are the values that step/names.h gives those of the kernel?
 *
 *     locals PLAIN.ptx PRINTED.ptx
 *
 * Both are of one kernel, k(int *x, int n). One prints before each statement the line and a digest
 * of each variable. The other is stepped through, instruction by instruction. Each time that a lane
 * comes to a statement, its variables must be what that lane printed there, visit by visit.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "sim/inspect.h"
#include "sim/run.h"
#include "sim/travel.h"
#include "step/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 2, THREADS = 40, LANES_ALL = BLOCKS * THREADS, WORDS = 4096, FOUND = 200,
       BYTES = 1024, LINES = 400, DEPTHS = 16, SHOWN_PROBLEMS = 12 };

static unsigned values, right, wrong, missing, unnamed, early, problems, bools;

static void problem(const char *what, unsigned lane, int line, const char *name, unsigned length)
{
    static struct { const char *what; int line; char name[40]; } told[SHOWN_PROBLEMS];
    static unsigned count;
    bool again = false;
    problems++;
    for (unsigned i = 0; i < count; i++)
        again |= told[i].what == what && told[i].line == line &&
                 strncmp(told[i].name, name, length) == 0 && !told[i].name[length];
    if (again || count == SHOWN_PROBLEMS || length >= sizeof told[0].name)
        return;
    told[count].what = what;
    told[count].line = line;
    memcpy(told[count++].name, name, length);
    printf("# %s: lane %u, line %d, %.*s\n", what, lane, line, (int)length, name);
}

/* ---- what was printed ----------------------------------------------------------------------- */

struct visit {
    int line;
    const char *values; /* " i=1f n=2" */
};
struct lane_prints {
    struct visit *visit;
    size_t count, capacity, next;
};
static struct lane_prints printed[LANES_ALL];

struct rig {
    struct sim *sim;
    struct { uint64_t x; int32_t n; } params;
    struct sim_launch launch;
    struct buf text;
};

static void must(bool good, const char *what, const struct sim *s)
{
    if (!good) {
        printf("# %s: %s\n", what, s ? sim_message(s) : "");
        exit(99);
    }
}

static void open_rig(struct rig *r, const char *path)
{
    FILE *in = fopen(path, "r");
    char part[4096];
    int32_t x[WORDS];
    *r = (struct rig){.sim = sim_open(NULL), .params = {.n = 37}};
    must(in != NULL && r->sim, path, NULL);
    for (size_t n; (n = fread(part, 1, sizeof part, in)) > 0;)
        buf_add(&r->text, part, n);
    fclose(in);
    for (int i = 0; i < WORDS; i++)
        x[i] = i * 7 % 23 - 5;
    sim_set_cores(r->sim, 1);
    must(sim_malloc(r->sim, sizeof x, "x", &r->params.x) == 0 &&
             sim_write(r->sim, r->params.x, x, sizeof x) == 0, path, r->sim);
    struct sim_module *m = sim_module_load(r->sim, path, buf_text(&r->text), r->text.len);
    must(m != NULL, path, r->sim);
    const struct sim_kernel *k = sim_kernel_at(m, 0);
    for (size_t i = 0; i < sim_kernel_count(m); i++)
        k = strstr(sim_kernel_at(m, i)->name, "1k") ? sim_kernel_at(m, i) : k;
    r->launch = (struct sim_launch){SIM_LAUNCH, .kernel = k, .grid = {BLOCKS, 1, 1},
                                    .block = {THREADS, 1, 1}, .params = &r->params};
}

static void read_prints(const char *path)
{
    struct rig r;
    open_rig(&r, path);
    struct sim_run *run = sim_start(r.sim, &r.launch);
    must(run != NULL, path, r.sim);
    while (sim_step(run, 1 << 20) == SIM_RUNNING)
        continue;
    const struct sim_result *out = sim_result(run);
    must(out->fault_count == 0, out->fault_count ? out->faults[0].message : path, NULL);
    for (size_t i = 0; i < out->print_count; i++) {
        const struct sim_print *p = &out->prints[i];
        struct lane_prints *l = &printed[p->block * THREADS + p->thread];
        must(mem_grow(&allocator_libc, (void **)&l->visit, &l->capacity, l->count,
                      sizeof *l->visit) == 0, path, NULL);
        char *text = strndup(p->text, p->length), *rest;
        must(text && text[0] == '@', path, NULL);
        const int line = (int)strtol(text + 1, &rest, 10);
        must(line > 0 && line < LINES, "a line is too far down", NULL);
        l->visit[l->count++] = (struct visit){line, rest};
    }
    sim_finish(run);
}

/* ---- stepping -------------------------------------------------------------------------------- */

struct frame_lines {
    char function[80];
    int line;
};
struct lane_place {
    uint32_t pc;
    unsigned depth;
    bool any;
    struct frame_lines at[DEPTHS][4]; /* by calls, then by inlined function; 0: of the call itself */
};
static struct lane_place places[LANES_ALL];
static bool line_met[LINES], has_code[LINES];

static uint64_t digest(const unsigned char *bytes, size_t n)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

/* Where a local array lies depends on what else its function has: all such addresses count as 0. */
static uint64_t digest_of(const struct name_type *t, unsigned char *bytes)
{
    uint64_t address;
    if (t->kind == NAME_POINTER && t->bytes == sizeof address) {
        memcpy(&address, bytes, sizeof address);
        if (address - LOCAL_WINDOW < WINDOW_SIZE)
            memset(bytes, 0, sizeof address);
    }
    return digest(bytes, (size_t)t->bytes);
}

static const struct name_variable *visible(const struct name_variable *v, size_t count,
                                           const char *name, size_t length)
{
    const struct name_variable *found = NULL;
    for (size_t i = 0; i < count; i++)
        if (strlen(v[i].name) == length && memcmp(v[i].name, name, length) == 0 && !v[i].is_outer &&
            !v[i].is_hidden && (!found || found->state == NAME_NOT_SET))
            found = &v[i];
    return found;
}

static void compare(const struct sim_run *run, unsigned lane, int line, const char *text,
                    const struct name_variable *v, size_t count)
{
    while (*text == ' ') {
        const char *name = text + 1;
        const size_t length = strcspn(name, "=");
        char *end;
        const uint64_t want = strtoull(name + length + 1, &end, 16);
        const struct name_variable *each = visible(v, count, name, length);
        unsigned char bytes[BYTES];
        text = end;
        values++;
        if (!each) {
            unnamed++;
            problem("not named by the compiler", lane, line, name, (unsigned)length);
        } else if (!names_value(run, lane / THREADS, lane % THREADS / 32, lane % THREADS % 32, each,
                                bytes, sizeof bytes)) {
            /* nvcc does not say where many a bool is */
            if (each->where == NAME_AWAY && each->state == NAME_SET && each->type && each->type->kind == NAME_BOOL) {
                bools++;
                continue;
            }
            missing++;
            problem(each->state == NAME_NOT_SET ? "said to be not set" : "said to be away", lane, line,
                    name, (unsigned)length);
        } else if (digest_of(names_shown(each), bytes) != want) {
            wrong++;
            problem("wrong value", lane, line, name, (unsigned)length);
        } else {
            right++;
        }
    }
}

/* The next visit that was printed, of a line that has code; NULL: the lane comes here on its way only,
 * as from an early return to the end of its function. */
static const struct visit *next_visit(struct lane_prints *l, int line)
{
    while (l->next < l->count && !has_code[l->visit[l->next].line])
        l->next++;
    return l->next < l->count && l->visit[l->next].line == line ? &l->visit[l->next++] : NULL;
}

/* Does the lane come to another line of this function, inlined or not? */
static bool comes_to(struct lane_place *p, unsigned depth, const char *function, bool inlined,
                     int line)
{
    struct frame_lines *f = NULL;
    for (unsigned d = depth + 1; d < DEPTHS; d++)
        memset(p->at[d], 0, sizeof p->at[d]);
    f = inlined ? NULL : &p->at[depth][0];
    for (unsigned i = 1; i < 4 && !f; i++)
        if (!p->at[depth][i].function[0] || strcmp(p->at[depth][i].function, function) == 0)
            f = &p->at[depth][i];
    must(f != NULL, "too many inlined functions", NULL);
    if (!inlined)
        memset(&p->at[depth][1], 0, 3 * sizeof *f);
    if (strcmp(f->function, function) != 0)
        f->line = 0;
    snprintf(f->function, sizeof f->function, "%s", function);
    const bool comes = f->line != line;
    f->line = line;
    return comes;
}

static void look_at(struct debug_names *n, const struct sim_run *run, unsigned lane,
                    const struct sim_instruction *at, unsigned depth)
{
    struct name_variable found[FOUND];
    struct lane_place *p = &places[lane];
    if (!at->line || at->line >= LINES || depth >= DEPTHS || !at->file || !strstr(at->file, ".cu"))
        return;
    const size_t all = names_at(n, at->function, at->ptx_line, found, FOUND),
                 count = all < FOUND ? all : FOUND;
    const char *function = at->function;
    bool inlined = false, begun = false; /* not where inlined code begins before its range */
    for (size_t i = 0; i < count; i++)
        begun |= !found[i].is_outer && found[i].line && found[i].line <= at->line;
    for (size_t i = 0; i < count; i++) {
        inlined |= found[i].is_outer;
        function = !found[i].is_outer && found[i].function[0] ? found[i].function : function;
        if (found[i].line > at->line && !found[i].is_outer && !found[i].is_parameter && begun && found[i].state != NAME_NOT_SET) {
            early++;
            problem("set before its declaration", lane, at->line, found[i].name,
                    (unsigned)strlen(found[i].name));
        }
    }
    if (!comes_to(p, depth, function, inlined, at->line))
        return;
    const struct visit *v = next_visit(&printed[lane], at->line);
    if (v) {
        line_met[at->line] = true;
        compare(run, lane, at->line, v->values, found, count);
    }
}

static void look(struct debug_names *n, struct sim_run *run, const struct sim_instruction *code)
{
    for (unsigned block = 0; block < BLOCKS; block++)
        for (unsigned warp = 0; warp < (THREADS + 31) / 32; warp++) {
            struct sim_warp_state s;
            if (!sim_inspect_warp(run, block, warp, &s))
                continue;
            for (unsigned g = 0; g < s.count; g++)
                for (unsigned i = 0; i < 32; i++) {
                    const unsigned lane = block * THREADS + warp * 32 + i;
                    const struct sim_group *at = &s.group[g];
                    if (!(at->mask >> i & 1))
                        continue;
                    struct lane_place *p = &places[lane];
                    if (p->any && p->pc == at->pc && p->depth == at->depth)
                        continue;
                    p->any = true;
                    p->pc = at->pc;
                    p->depth = at->depth;
                    look_at(n, run, lane, &code[at->pc], at->depth);
                }
        }
}

int main(int argc, char **argv)
{
    struct rig r;
    struct err e = {0};
    unsigned lines = 0, stops = 0;
    bool prints[LINES] = {false};
    must(argc == 3, "usage: locals PLAIN.ptx PRINTED.ptx", NULL);
    read_prints(argv[2]);
    open_rig(&r, argv[1]);
    struct debug_names *n = names_read(buf_text(&r.text), r.text.len, &e);
    must(n != NULL, e.text, NULL);
    struct sim_travel *t = sim_travel_begin(r.sim, &r.launch);
    must(t != NULL, argv[1], r.sim);
    struct sim_run *run = sim_travel_run(t);
    const struct sim_instruction *code = sim_result(run)->code;
    for (uint32_t i = 0; i < sim_result(run)->code_count; i++)
        if (code[i].line > 0 && code[i].line < LINES && code[i].file && strstr(code[i].file, ".cu"))
            has_code[code[i].line] = true;
    for (uint64_t place = 0;; place++) {
        must(sim_travel_to(t, place) == 0, "out of memory", NULL);
        if (sim_travel_status(t) != SIM_RUNNING)
            break;
        look(n, run, code);
    }
    must(sim_travel_status(t) == SIM_DONE, "the kernel ends with a fault", NULL);
    for (unsigned lane = 0; lane < LANES_ALL; lane++)
        for (size_t i = 0; i < printed[lane].count; i++) {
            const int line = printed[lane].visit[i].line;
            prints[line] = true;
        }
    for (int line = 0; line < LINES; line++) {
        lines += prints[line];
        stops += line_met[line];
    }
    for (unsigned lane = 0; lane < LANES_ALL; lane++)
        if (next_visit(&printed[lane], 0) || printed[lane].next < printed[lane].count)
            problem("it did not come here", lane, printed[lane].visit[printed[lane].next].line, "", 0);
    sim_travel_end(t);
    names_free(n);
    printf("%u of %u lines, %u values: %u right, %u wrong, %u away or not set, %u not named, %u early; "
           "%u bools away, %u problems\n", stops, lines, values, right, wrong, missing, unnamed, early,
           bools, problems);
    return problems != 0;
}
