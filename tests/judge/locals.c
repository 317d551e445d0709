/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Are the values that step/names.h gives those of the kernel?
 *
 *     locals SOURCE.cu PLAIN.ptx PRINTED.ptx
 *
 * Both are of one kernel. One prints before each statement the line and a digest of each variable.
 * The other is stepped through, instruction by instruction. Each time that a lane comes to a
 * statement, its variables must be what that lane printed there, visit by visit.
 *
 * A line "// launch: " of the source has the blocks and the threads of a block, then each parameter
 * of the kernel:
 *
 *     2 8x4: f32[] 12 step -0.25, i32[] 0 step 3 mod 7, i32[] random 0 99, i64 3000000007
 *
 * A line "// away: NAME ..." has variables that a compiler keeps nowhere for a while. The judge tells
 * if one of them is never away.
 *
 * "step" adds to each element what is added to the one before; "mod" is the rest of what was added.
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

enum { LANES_ALL = 256, WORDS = 2048, PARAMS_MOST = 128, FOUND = 200, BYTES = 1024, LINES = 400,
       DEPTHS = 24, SHOWN_PROBLEMS = 12 };
static const char usual_launch[] = "2 40: i32[] -5 step 7 mod 23, i32 37";

static unsigned values, right, wrong, missing, unnamed, early, problems;

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
    unsigned char params[PARAMS_MOST];
    struct sim_launch launch;
    struct buf text;
};
static unsigned blocks, threads; /* threads of a block */

static void must(bool good, const char *what, const struct sim *s)
{
    if (!good) {
        printf("# %s: %s\n", what, s ? sim_message(s) : "");
        exit(99);
    }
}

static bool take(const char **at, const char *word)
{
    const size_t n = strlen(word);
    *at += strspn(*at, " ");
    if (strncmp(*at, word, n) != 0)
        return false;
    *at += n;
    return true;
}

static double take_number(const char **at)
{
    char *end;
    const double n = strtod(*at, &end);
    must(end != *at, "a number is missing in the launch", NULL);
    *at = end;
    return n;
}

/* "8x4" */
static void take_size(const char **at, unsigned size[3])
{
    size[0] = (unsigned)take_number(at);
    size[1] = take(at, "x") ? (unsigned)take_number(at) : 1;
    size[2] = 1;
}

enum of_type { I32, I64, F32 };

static size_t put_element(void *to, enum of_type t, double n)
{
    const int32_t i32 = t == I32 ? (int32_t)n : 0;
    const int64_t i64 = (int64_t)n;
    const float f32 = (float)n;
    memcpy(to, t == I32 ? (const void *)&i32 : t == I64 ? (const void *)&i64 : (const void *)&f32,
           t == I64 ? 8 : 4);
    return t == I64 ? 8 : 4;
}

/* Arrays lie at the same addresses in both, whatever else a module has in memory. */
static uint64_t take_array(const char **at, enum of_type t, struct sim *sim, unsigned number)
{
    static unsigned char all[WORDS * 8];
    const bool random = take(at, "random");
    const double first = take_number(at), second = random ? take_number(at) : 0,
                 step = take(at, "step") ? take_number(at) : 0,
                 rest = take(at, "mod") ? take_number(at) : 0;
    const uint64_t address = UINT64_C(0x300000000000) + number * UINT64_C(0x100000);
    uint64_t seed = 1;
    size_t size = 0;
    for (unsigned i = 0; i < WORDS; i++) {
        const double more = i * step;
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        size += put_element(all + size, t,
                            random ? first + (double)((seed >> 33) % (uint64_t)(second - first + 1))
                            : rest > 0 ? first + (double)((int64_t)more % (int64_t)rest)
                                       : first + more);
    }
    must(sim_malloc_at(sim, address, size, "x") == 0 && sim_write(sim, address, all, size) == 0,
         "no memory", sim);
    return address;
}

static void read_launch(struct rig *r, const char *launch, const struct sim_kernel *k)
{
    unsigned grid[3], block[3];
    take_size(&launch, grid);
    take_size(&launch, block);
    must(take(&launch, ":"), "the launch has no ':'", NULL);
    for (unsigned i = 0; i < k->param_count; i++) {
        must(k->params[i].offset + 8 <= PARAMS_MOST, "too many parameters", NULL);
        must(!i || take(&launch, ","), "too few parameters in the launch", NULL);
        const enum of_type t = take(&launch, "i32") ? I32 : take(&launch, "i64") ? I64 : F32;
        must(t != F32 || take(&launch, "f32"), "a type is missing in the launch", NULL);
        unsigned char *to = r->params + k->params[i].offset;
        if (take(&launch, "[]")) {
            const uint64_t address = take_array(&launch, t, r->sim, i);
            memcpy(to, &address, sizeof address);
        } else {
            put_element(to, t, take_number(&launch));
        }
    }
    must(!*launch, "too many parameters in the launch", NULL);
    blocks = grid[0] * grid[1];
    threads = block[0] * block[1];
    must(blocks * threads <= LANES_ALL, "too many threads", NULL);
    r->launch = (struct sim_launch){SIM_LAUNCH, .kernel = k, .grid = {grid[0], grid[1], 1},
                                    .block = {block[0], block[1], 1}, .params = r->params};
}

static void read_file(const char *path, struct buf *out)
{
    FILE *in = fopen(path, "r");
    char part[4096];
    must(in != NULL, path, NULL);
    for (size_t n; (n = fread(part, 1, sizeof part, in)) > 0;)
        buf_add(out, part, n);
    fclose(in);
}

static void open_rig(struct rig *r, const char *path, const char *launch, bool prints)
{
    struct sim_limits limits = {SIM_LIMITS};
    *r = (struct rig){.sim = sim_open(NULL)};
    must(r->sim != NULL, path, NULL);
    read_file(path, &r->text);
    sim_set_cores(r->sim, 1);
    sim_limits_default(&limits);
    if (prints)
        limits.printf_bytes = UINT64_C(64) << 20;
    must(sim_set_limits(r->sim, &limits) == 0, path, r->sim);
    struct sim_module *m = sim_module_load(r->sim, path, buf_text(&r->text), r->text.len);
    must(m != NULL, path, r->sim);
    must(sim_kernel_count(m) == 1, "it has not one kernel", NULL);
    read_launch(r, launch, sim_kernel_at(m, 0));
}

static void read_prints(const char *path, const char *launch)
{
    struct rig r;
    open_rig(&r, path, launch, true);
    struct sim_run *run = sim_start(r.sim, &r.launch);
    must(run != NULL, path, r.sim);
    while (sim_step(run, 1 << 20) == SIM_RUNNING)
        continue;
    const struct sim_result *out = sim_result(run);
    must(out->fault_count == 0, out->fault_count ? out->faults[0].message : path, NULL);
    for (size_t i = 0; i < out->print_count; i++) {
        const struct sim_print *p = &out->prints[i];
        struct lane_prints *l = &printed[p->block * threads + p->thread];
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
    bool any, leaves; /* leaves: it is on its way out of a function */
    struct frame_lines at[DEPTHS][4]; /* by calls, then by inlined function; 0: of the call itself */
};
static struct lane_place places[LANES_ALL];
static bool line_met[LINES], has_code[LINES];

/* The variables before an instruction: the same ones whenever a lane comes to it. */
struct stop {
    struct name_variable *v;
    size_t count;
};

static const struct stop *stop_at(struct debug_names *n, struct stop *s,
                                  const struct sim_instruction *at)
{
    if (!s->v) {
        s->v = calloc(FOUND, sizeof *s->v);
        must(s->v != NULL, "out of memory", NULL);
        s->count = names_at(n, at->function, at->ptx_line, s->v, FOUND);
        must(s->count <= FOUND, "too many variables", NULL);
    }
    return s;
}

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

static struct may_away {
    char name[40];
    bool was;
} aways[8];

static bool may_be_away(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof aways / sizeof *aways; i++)
        if (length && strlen(aways[i].name) == length && memcmp(aways[i].name, name, length) == 0)
            return aways[i].was = true;
    return false;
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
        if (!each && may_be_away(name, length)) {
            missing++;
        } else if (!each) {
            unnamed++;
            problems--;
            problem("not named by the compiler", lane, line, name, (unsigned)length);
        } else if (!names_value(run, lane / threads, lane % threads / 32, lane % threads % 32, each,
                                bytes, sizeof bytes)) {
            missing++;
            if (each->where == NAME_AWAY && each->state == NAME_SET && may_be_away(name, length))
                continue;
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

/* The code that ends a function belongs to the line above it in the text. A lane that comes there from
 * an early return does not come to that line. */
static bool is_way_out(const struct sim_instruction *code, uint32_t pc)
{
    uint32_t above = pc;
    do
        if (!above--)
            return false;
    while (!code[above].operands); /* a hidden one */
    if (code[pc].line != code[above].line || code[pc].function != code[above].function)
        return false;
    const int line = code[pc].line;
    while (code[pc].line == line &&
           (strncmp(code[pc].text, "mov.", 4) == 0 || strncmp(code[pc].text, "st.param", 8) == 0))
        pc++;
    return code[pc].line == line && strncmp(code[pc].text, "ret", 3) == 0;
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
                    const struct sim_instruction *at, struct stop *stop, unsigned depth)
{
    struct lane_place *p = &places[lane];
    if (!at->line || at->line >= LINES || depth >= DEPTHS || !at->file || !strstr(at->file, ".cu"))
        return;
    const struct name_variable *found = stop_at(n, stop, at)->v;
    const size_t count = stop->count;
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

static void look(struct debug_names *n, struct sim_run *run, const struct sim_instruction *code,
                 struct stop *stops)
{
    for (unsigned block = 0; block < blocks; block++)
        for (unsigned warp = 0; warp < (threads + 31) / 32; warp++) {
            struct sim_warp_state s;
            if (!sim_inspect_warp(run, block, warp, &s))
                continue;
            for (unsigned g = 0; g < s.count; g++)
                for (unsigned i = 0; i < 32; i++) {
                    const unsigned lane = block * threads + warp * 32 + i;
                    const struct sim_group *at = &s.group[g];
                    if (!(at->mask >> i & 1))
                        continue;
                    struct lane_place *p = &places[lane];
                    if (p->any && p->pc == at->pc && p->depth == at->depth)
                        continue;
                    p->leaves = p->depth == at->depth &&
                                (p->pc + 1 == at->pc ? p->leaves : is_way_out(code, at->pc));
                    p->any = true;
                    p->pc = at->pc;
                    p->depth = at->depth;
                    if (!p->leaves)
                        look_at(n, run, lane, &code[at->pc], &stops[at->pc], at->depth);
                }
        }
}

/* The launch that the source asks for, as a text of its own. */
static const char *launch_in(const struct buf *source)
{
    static char launch[200];
    static const char mark[] = "// launch: ";
    const char *at = strstr(buf_text(source), mark);
    if (!at)
        return usual_launch;
    at += sizeof mark - 1;
    snprintf(launch, sizeof launch, "%.*s", (int)strcspn(at, "\n"), at);
    return launch;
}

static void read_aways(const struct buf *source)
{
    static const char mark[] = "// away: ";
    const char *at = strstr(buf_text(source), mark);
    at = at ? at + sizeof mark - 1 : "";
    for (size_t i = 0; i < sizeof aways / sizeof *aways && *at && *at != '\n'; i++) {
        const size_t n = strcspn(at, " \n");
        snprintf(aways[i].name, sizeof aways[i].name, "%.*s", (int)n, at);
        at += n + (at[n] == ' ');
    }
}

static bool source_named(void *ctx, const char *path, struct source_text *out)
{
    const struct buf *source = ctx;
    *out = (struct source_text){buf_text(source), source->len};
    return strstr(path, ".cu") != NULL;
}

int main(int argc, char **argv)
{
    struct rig r;
    struct buf source = {0};
    struct err e = {0};
    unsigned lines = 0, stops = 0;
    bool prints[LINES] = {false};
    must(argc == 4, "usage: locals SOURCE.cu PLAIN.ptx PRINTED.ptx", NULL);
    read_file(argv[1], &source);
    read_aways(&source);
    const char *launch = launch_in(&source);
    read_prints(argv[3], launch);
    open_rig(&r, argv[2], launch, false);
    struct debug_names *n = names_read(buf_text(&r.text), r.text.len, &e);
    must(n != NULL, e.text, NULL);
    names_set_source(n, source_named, &source);
    struct sim_travel *t = sim_travel_begin(r.sim, &r.launch);
    must(t != NULL, argv[2], r.sim);
    struct sim_run *run = sim_travel_run(t);
    const struct sim_instruction *code = sim_result(run)->code;
    for (uint32_t i = 0; i < sim_result(run)->code_count; i++)
        if (code[i].line > 0 && code[i].line < LINES && code[i].file && strstr(code[i].file, ".cu"))
            has_code[code[i].line] = true;
    struct stop *at = calloc(sim_result(run)->code_count, sizeof *at);
    must(at != NULL, "out of memory", NULL);
    for (uint64_t place = 0;; place++) {
        must(sim_travel_to(t, place) == 0, "out of memory", NULL);
        if (sim_travel_status(t) != SIM_RUNNING)
            break;
        look(n, run, code, at);
    }
    must(sim_travel_status(t) == SIM_DONE, "the kernel ends with a fault", NULL);
    for (unsigned lane = 0; lane < LANES_ALL; lane++)
        for (size_t i = 0; i < printed[lane].count; i++) {
            const int line = printed[lane].visit[i].line;
            prints[line] = true;
        }
    for (size_t i = 0; i < sizeof aways / sizeof *aways; i++)
        if (aways[i].name[0] && !aways[i].was)
            printf("# never away: %s\n", aways[i].name);
    for (int line = 0; line < LINES; line++) {
        lines += prints[line];
        stops += line_met[line];
    }
    for (unsigned lane = 0; lane < LANES_ALL; lane++)
        if (next_visit(&printed[lane], 0) || printed[lane].next < printed[lane].count)
            problem("it did not come here", lane, printed[lane].visit[printed[lane].next].line, "", 0);
    for (uint32_t i = 0; i < sim_result(run)->code_count; i++)
        free(at[i].v);
    free(at);
    sim_travel_end(t);
    names_free(n);
    printf("%u of %u lines, %u values: %u right, %u wrong, %u away or not set, %u not named, %u early; "
           "%u problems\n", stops, lines, values, right, wrong, missing, unnamed, early,
           problems);
    return problems != 0;
}
