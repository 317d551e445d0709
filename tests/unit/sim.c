/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs every .ptx file of tests/ptx in the simulator and compares with what the file itself says
 * must come out. The files named parse-*.ptx belong to the parser's own test.
 *
 * What a file may say, in comment lines of its own (//!+ continues the line before):
 *
 *     //! array NAME TYPE[COUNT]            fresh memory; "= 1 2 3" or ": i*2" fills it
 *     //! free NAME
 *     //! texture NAME ...                  an array, and an object that reads it: see images.h
 *     //! surface NAME ... | of TEXTURE     the same; as an argument, NAME is the object
 *     //! local BYTES                       the simulator's limit of local memory a thread
 *     //! step-limit N                      for the launches that follow
 *     //! later WHY                         not there yet: a failure is expected (# TODO)
 *     //! valgrind WHY                      the same, where valgrind runs it
 *     //! any-order                         same results under every schedule and seed
 *     //! refused TEXT                      the module does not load, the message has TEXT
 *     //! closed KERNEL [here:X] TEXT       this kernel can't run here, the others can
 *     //! launch K<<<GRID, BLOCK, SHARED>>>(ARGS)    ARGS: NAME, NAME+BYTES, numbers, null
 *     //! fault KIND [here:X] [block X,Y,Z] [thread X,Y,Z] [array NAME] [index BYTES] [says TEXT]
 *     //! finding KIND ...                  a fault that lets the launch go on
 *     //! print "TEXT\n"                    what it prints; several are joined
 *     //! counter NAME N
 *     //! NAME = 1 2 3    NAME[FROM] = ...  NAME : i*2     array or module variable afterwards
 *
 * Lines below a launch tell about that launch. "here:X" is the line of the PTX that ends in
 * a comment "here:X". A launch without a fault line must end without one.
 */
#include "../gpu/images.h"
#include "base/buf.h"
#include "obs/count.h"
#include "sim/sim.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARRAYS = 96, MAX_LINES = 400, MAX_FILES = 200, SHOWN = 4 };

struct array {
    char name[48];
    enum sim_type type;
    uint64_t address;
    size_t count;
    struct sim_image image; /* of a texture or surface */
    uint64_t handle;
};

struct script {
    char *text; /* the whole file */
    size_t length;
    char *say[MAX_LINES]; /* its directives, continued lines joined */
    int count;
    bool any_order;
    const char *refused, *later;
};

struct world {
    const struct script *script;
    struct sim *sim;
    struct sim_module *module;
    struct array arrays[MAX_ARRAYS];
    int array_count;
    uint64_t step_limit;
    enum sim_schedule schedule;
    uint64_t seed;
    bool lost;         /* a launch ended in a fault nobody foresaw: its results say nothing */
    struct buf *wrong; /* one line for each thing that isn't as it must be */
};

/* ---- words and numbers ----------------------------------------------------------------- */

static const char *skip_space(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

/* Takes one word: letters, digits, _ $ . - and so on, up to a space or one of `stops`. */
static const char *take_word(const char *p, const char *stops, char *word, size_t size)
{
    size_t n = 0;

    p = skip_space(p);
    while (*p && !isspace((unsigned char)*p) && !strchr(stops, *p)) {
        if (n + 1 < size)
            word[n++] = *p;
        p++;
    }
    word[n] = '\0';
    return skip_space(p);
}

static bool starts(const char **p, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*p, word, n) != 0 || (isalnum((unsigned char)word[n - 1]) &&
                                      isalnum((unsigned char)(*p)[n])))
        return false;
    *p = skip_space(*p + n);
    return true;
}

static enum sim_type type_named(const char *name)
{
    for (int t = SIM_PRED; t <= SIM_F64; t++) {
        if (strcmp(sim_type_name((enum sim_type)t), name) == 0)
            return (enum sim_type)t;
    }
    return SIM_NONE;
}

/* ---- a tiny expression: C's integer operators over i and numbers, 64-bit ---------------- */

struct expr {
    const char *p;
    int64_t i;
};

static int64_t expr_choice(struct expr *);

static int64_t expr_atom(struct expr *e)
{
    char *end;
    int64_t v = 0;

    e->p = skip_space(e->p);
    switch (*e->p) {
    case '(':
        e->p++;
        v = expr_choice(e);
        e->p = skip_space(e->p);
        if (*e->p == ')')
            e->p++;
        return v;
    case '-': e->p++; return (int64_t)(0 - (uint64_t)expr_atom(e));
    case '~': e->p++; return ~expr_atom(e);
    case '!': e->p++; return !expr_atom(e);
    case 'i': e->p++; return e->i;
    default:
        v = (int64_t)strtoull(e->p, &end, 0);
        e->p = end;
        return v;
    }
}

/* The binary operators from the loosest to the tightest; longer spellings first. */
static const char *const operators[][5] = {
    { "|" }, { "^" }, { "&" }, { "==", "!=" }, { "<=", ">=", "<", ">" }, { "<<", ">>" },
    { "+", "-" }, { "*", "/", "%" },
};
enum { LEVELS = sizeof operators / sizeof operators[0] };

static int64_t apply(const char *op, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;

    switch (op[0]) {
    case '|': return (int64_t)(x | y);
    case '^': return (int64_t)(x ^ y);
    case '&': return (int64_t)(x & y);
    case '=': return a == b;
    case '!': return a != b;
    case '+': return (int64_t)(x + y);
    case '-': return (int64_t)(x - y);
    case '*': return (int64_t)(x * y);
    case '/': return b ? a / b : 0;
    case '%': return b ? a % b : 0;
    case '<': return op[1] == '<' ? (int64_t)(x << (y & 63)) : op[1] ? a <= b : a < b;
    default: return op[1] == '>' ? (int64_t)(x >> (y & 63)) : op[1] ? a >= b : a > b;
    }
}

static const char *operator_at(struct expr *e, int level)
{
    e->p = skip_space(e->p);
    for (int k = 0; k < 5 && operators[level][k]; k++) {
        const char *op = operators[level][k];
        size_t n = strlen(op);
        if (strncmp(e->p, op, n) != 0)
            continue;
        if (n == 1 && strchr("<>", *op) && e->p[1] == *op)
            continue; /* a shift, which binds tighter */
        e->p += n;
        return op;
    }
    return NULL;
}

static int64_t expr_level(struct expr *e, int level)
{
    int64_t v;
    const char *op;

    if (level == LEVELS)
        return expr_atom(e);
    v = expr_level(e, level + 1);
    while ((op = operator_at(e, level)) != NULL)
        v = apply(op, v, expr_level(e, level + 1));
    return v;
}

static int64_t expr_choice(struct expr *e)
{
    int64_t v = expr_level(e, 0), yes, no;

    e->p = skip_space(e->p);
    if (*e->p != '?')
        return v;
    e->p++;
    yes = expr_choice(e);
    e->p = skip_space(e->p);
    if (*e->p == ':')
        e->p++;
    no = expr_choice(e);
    return v ? yes : no;
}

/* ---- values ----------------------------------------------------------------------------- */

/* The bits of one value as written: 0x... is bits, else a number of the type. */
static uint64_t bits_of(const char *word, enum sim_type type)
{
    float f;
    double d;
    uint32_t w;
    uint64_t x;

    if (strncmp(word, "0x", 2) == 0 || (type != SIM_F32 && type != SIM_F64))
        return strtoull(word, NULL, 0);
    if (type == SIM_F32) {
        f = strtof(word, NULL);
        memcpy(&w, &f, sizeof w);
        return w;
    }
    d = strtod(word, NULL);
    memcpy(&x, &d, sizeof x);
    return x;
}

static void put_value(unsigned char *at, unsigned size, uint64_t bits)
{
    for (unsigned k = 0; k < size; k++)
        at[k] = (unsigned char)(bits >> (8 * k));
}

static uint64_t get_value(const unsigned char *at, unsigned size)
{
    uint64_t bits = 0;

    for (unsigned k = 0; k < size; k++)
        bits |= (uint64_t)at[k] << (8 * k);
    return bits;
}

/* "= 1 2 3" or ": i*2" into `data` from element `from` on; how many elements were told. */
static size_t fill(const char *p, const struct array *a, size_t from, unsigned char *data)
{
    unsigned size = sim_type_size(a->type);
    size_t i = from;
    char word[64];

    if (*p == ':') {
        for (; i < a->count; i++) {
            struct expr e = { p + 1, (int64_t)i };
            put_value(data + i * size, size, (uint64_t)expr_choice(&e));
        }
        return i - from;
    }
    p = skip_space(p + 1);
    for (; *p && i < a->count; i++) {
        p = take_word(p, "", word, sizeof word);
        put_value(data + i * size, size, bits_of(word, a->type));
    }
    return i - from;
}

/* ---- arrays ----------------------------------------------------------------------------- */

static bool find_array(struct world *w, const char *name, struct array *out)
{
    for (int k = w->array_count; k-- > 0;) {
        if (strcmp(w->arrays[k].name, name) == 0) {
            *out = w->arrays[k];
            return true;
        }
    }
    for (size_t k = 0; k < sim_variable_count(w->module); k++) {
        const struct sim_variable *v = sim_variable_at(w->module, k);
        if (strcmp(v->name, name) == 0) {
            *out = (struct array){ .type = v->type, .address = v->address };
            out->count = v->size / sim_type_size(v->type);
            return true;
        }
    }
    return false;
}

/* array NAME TYPE[COUNT] ... */
static void make_array(struct world *w, const char *p)
{
    struct array *a = &w->arrays[w->array_count];
    char type[16];
    char *end;
    size_t bytes;
    unsigned char *data;

    if (w->array_count == MAX_ARRAYS) {
        buf_puts(w->wrong, "too many arrays in one file\n");
        return;
    }
    p = take_word(p, "", a->name, sizeof a->name);
    p = take_word(p, "[", type, sizeof type);
    a->type = type_named(type);
    a->count = *p == '[' ? strtoull(p + 1, &end, 0) : 0;
    if (a->type == SIM_NONE || a->count == 0) {
        buf_printf(w->wrong, "array %s: no such type or count\n", a->name);
        return;
    }
    bytes = a->count * sim_type_size(a->type);
    if (sim_malloc(w->sim, bytes, a->name, &a->address) != 0) {
        buf_printf(w->wrong, "array %s: %s\n", a->name, sim_message(w->sim));
        return;
    }
    w->array_count++;
    p = skip_space(end + 1);
    if (*p != '=' && *p != ':')
        return;
    data = calloc(1, bytes);
    fill(p, a, 0, data);
    if (sim_write(w->sim, a->address, data, bytes) != 0)
        buf_printf(w->wrong, "array %s: %s\n", a->name, sim_message(w->sim));
    free(data);
}

/* texture NAME KIND ..., surface NAME KIND ..., surface NAME of TEXTURE: an array with a handle. */
static void make_image(struct world *w, const char *p, bool surface)
{
    struct array *a = &w->arrays[w->array_count], of;
    struct sim_texture t = { .linear = false };
    char name[48], text[4096];
    p = take_word(p, "", name, sizeof name);
    if (starts(&p, "of") && find_array(w, p, &of) && w->array_count < MAX_ARRAYS) {
        t.image = of.image;
        w->arrays[w->array_count++] = of;
        snprintf(a->name, sizeof a->name, "%s", name);
    } else if (image_described(&p, &t)) {
        const char *type = image_types[t.image.channel];
        snprintf(text, sizeof text, "%s %s[%llu] %s", name, type,
                 (unsigned long long)sim_image_bytes(&t.image) / sim_type_size(type_named(type)),
                 p);
        make_array(w, text);
        t.image.address = a->address;
    }
    a->image = t.image, a->handle = 0;
    if ((surface ? sim_surface_make(w->sim, &t.image, &a->handle)
                 : sim_texture_make(w->sim, &t, &a->handle)) != 0)
        buf_printf(w->wrong, "%s: %s\n", name, sim_message(w->sim));
}

static void free_array(struct world *w, const char *p)
{
    struct array a;
    char name[48];

    take_word(p, "", name, sizeof name);
    if (!find_array(w, name, &a) || (a.handle ? sim_texture_free(w->sim, a.handle)
                                              : sim_free(w->sim, a.address)) != 0)
        buf_printf(w->wrong, "free %s: %s\n", name, sim_message(w->sim));
}

/* NAME = ..., NAME[FROM] = ..., NAME : ... */
static void check_array(struct world *w, const char *p)
{
    struct array a;
    char name[48];
    size_t from = 0, told, bytes, bad = 0;
    unsigned char *want, *got;
    unsigned size;

    p = take_word(p, "[", name, sizeof name);
    if (*p == '[') {
        char *end;
        from = strtoull(p + 1, &end, 0);
        p = skip_space(end + 1);
    }
    if (!find_array(w, name, &a) || (*p != '=' && *p != ':')) {
        buf_printf(w->wrong, "not understood: %s %s\n", name, p);
        return;
    }
    size = sim_type_size(a.type);
    bytes = a.count * size;
    want = calloc(1, bytes);
    got = calloc(1, bytes);
    told = fill(p, &a, from, want);
    if (sim_read(w->sim, a.address, got, bytes) != 0)
        buf_printf(w->wrong, "%s: %s\n", name, sim_message(w->sim));
    for (size_t i = from; i < from + told; i++) {
        if (memcmp(want + i * size, got + i * size, size) == 0 || ++bad > SHOWN)
            continue;
        buf_printf(w->wrong, "%s[%zu] is 0x%llx, must be 0x%llx\n", name, i,
                   (unsigned long long)get_value(got + i * size, size),
                   (unsigned long long)get_value(want + i * size, size));
    }
    if (bad > SHOWN)
        buf_printf(w->wrong, "%s: %zu more wrong elements\n", name, bad - SHOWN);
    free(want);
    free(got);
}

/* ---- faults, text, counters --------------------------------------------------------------- */

/* The PTX line that ends in the comment "here:X"; `mark` is the word as the directive has it. */
static int line_of(const struct script *s, const char *mark)
{
    char note[64];
    int line = 1;

    snprintf(note, sizeof note, "// %s\n", mark);
    for (const char *p = s->text; *p; p++) {
        if (strncmp(p, note, strlen(note)) == 0)
            return line;
        line += *p == '\n';
    }
    return -1;
}

static bool same_place(const char *p, const unsigned at[3])
{
    unsigned x[3] = { 0, 0, 0 };

    sscanf(p, "%u,%u,%u", &x[0], &x[1], &x[2]);
    return memcmp(x, at, sizeof x) == 0;
}

static const struct sim_fault *fault_named(const struct sim_result *r, const char *kind)
{
    for (unsigned k = 0; k < r->fault_count; k++) {
        if (strcmp(sim_fault_name(r->faults[k].kind), kind) == 0)
            return &r->faults[k];
    }
    return NULL;
}

static bool fault_has(const struct world *w, const struct sim_fault *f, const char *key,
                      const char *value)
{
    if (strncmp(key, "here", 4) == 0)
        return f->ptx_line == line_of(w->script, key);
    if (strcmp(key, "block") == 0)
        return f->has_place && same_place(value, f->at.block);
    if (strcmp(key, "thread") == 0)
        return f->has_place && same_place(value, f->at.thread);
    if (strcmp(key, "array") == 0)
        return f->array && strcmp(f->array, value) == 0;
    return strcmp(key, "index") == 0 && f->index == strtoll(value, NULL, 0);
}

static void tell_fault(struct world *w, const struct sim_fault *f)
{
    buf_printf(w->wrong, "  but PTX line %d, block %u,%u,%u thread %u,%u,%u, array %s index %lld: "
               "%s\n", f->ptx_line, f->at.block[0], f->at.block[1], f->at.block[2],
               f->at.thread[0], f->at.thread[1], f->at.thread[2], f->array ? f->array : "none",
               (long long)f->index, f->message);
}

static void check_fault(struct world *w, const char *p, const struct sim_result *r, bool ends)
{
    char kind[32], key[48], value[64] = "";
    const struct sim_fault *f;

    p = take_word(p, "", kind, sizeof kind);
    f = fault_named(r, kind);
    if (!f || sim_fault_ends(f->kind) != ends) {
        buf_printf(w->wrong, "no %s %s; the first is %s: %s\n", ends ? "fault" : "finding", kind,
                   r->fault_count ? sim_fault_name(r->faults[0].kind) : "none",
                   r->fault_count ? r->faults[0].message : "");
        return;
    }
    while (*p) {
        p = take_word(p, "", key, sizeof key);
        if (strcmp(key, "says") == 0) { /* the rest of the line stands in its message */
            if (!strstr(f->message, p))
                buf_printf(w->wrong, "%s: not \"%s\" but \"%s\"\n", kind, p, f->message);
            break;
        }
        if (strncmp(key, "here", 4) != 0)
            p = take_word(p, "", value, sizeof value);
        if (fault_has(w, f, key, value))
            continue;
        buf_printf(w->wrong, "%s: not %s %s,\n", kind, key, value);
        tell_fault(w, f);
    }
    if (f->message[0] == '\0')
        buf_printf(w->wrong, "%s without a message\n", kind);
}

/* "TEXT" with \n \t \\ \" \xHH */
static void unquote(const char *p, struct buf *out)
{
    unsigned code;

    for (p = p + (*p == '"'); *p && *p != '"'; p++) {
        if (*p != '\\') {
            buf_putc(out, *p);
            continue;
        }
        switch (*++p) {
        case 'n': buf_putc(out, '\n'); break;
        case 't': buf_putc(out, '\t'); break;
        case 'x':
            if (sscanf(p + 1, "%2x", &code) == 1)
                buf_putc(out, (char)code);
            p += 2;
            break;
        default: buf_putc(out, *p);
        }
    }
}

static void check_prints(struct world *w, const struct sim_result *r, struct buf *want)
{
    struct buf got = {0};

    for (size_t k = 0; k < r->print_count; k++)
        buf_add(&got, r->prints[k].text, r->prints[k].length);
    if (got.len != want->len || memcmp(buf_text(&got), buf_text(want), want->len) != 0)
        buf_printf(w->wrong, "it printed\n%s\nand must print\n%s\n", buf_text(&got),
                   buf_text(want));
    buf_free(&got);
}

static void check_counter(struct world *w, const char *p, const struct counters *c)
{
    char name[48];
    uint64_t want, got;

    p = take_word(p, "", name, sizeof name);
    want = strtoull(p, NULL, 0);
    for (const struct counter_name *n = counter_names; n->name; n++) {
        if (strcmp(n->name, name) != 0)
            continue;
        memcpy(&got, (const char *)c + n->offset, sizeof got);
        if (got != want)
            buf_printf(w->wrong, "%s is %llu, must be %llu\n", name, (unsigned long long)got,
                       (unsigned long long)want);
        return;
    }
    buf_printf(w->wrong, "no counter %s\n", name);
}

/* ---- launching ----------------------------------------------------------------------------- */

/* N or (X,Y,Z) */
static const char *take_dims(const char *p, unsigned dims[3])
{
    char *end;
    bool inside = *(p = skip_space(p)) == '(';

    dims[0] = dims[1] = dims[2] = 1;
    p += inside;
    for (int k = 0; k < 3; k++) {
        dims[k] = (unsigned)strtoul(p, &end, 0);
        p = skip_space(end);
        if (!inside || *p != ',')
            break;
        p++;
    }
    return inside && *p == ')' ? skip_space(p + 1) : p;
}

static uint64_t argument(struct world *w, const char *word, const struct sim_param *param)
{
    char name[48];
    struct array a;
    const char *rest;

    if (strcmp(word, "null") == 0)
        return 0;
    if (!isalpha((unsigned char)word[0]) && word[0] != '_')
        return bits_of(word, param->type);
    rest = take_word(word, "+", name, sizeof name);
    if (!find_array(w, name, &a)) {
        buf_printf(w->wrong, "no array %s\n", name);
        return 0;
    }
    return a.handle ? a.handle : a.address + (*rest == '+' ? strtoull(rest + 1, NULL, 0) : 0);
}

static int pack_arguments(struct world *w, const char *p, const struct sim_kernel *k,
                          unsigned char *bytes)
{
    char word[256];

    for (unsigned n = 0; n < k->param_count; n++) {
        const struct sim_param *param = &k->params[n];
        p = take_word(p, ",)", word, sizeof word);
        if (strncmp(word, "bytes:", 6) == 0) {
            unsigned v;
            for (unsigned b = 0; b < param->size && sscanf(word + 6 + 2 * b, "%2x", &v) == 1; b++)
                bytes[param->offset + b] = (unsigned char)v;
        } else {
            put_value(bytes + param->offset, param->size > 8 ? 8 : param->size,
                      argument(w, word, param));
        }
        p = skip_space(p + (*p == ','));
    }
    return *p == ')' ? 0 : -1;
}

/* The lines below a launch, up to the next one, are what must come of it. */
static void check_launch(struct world *w, int first, const struct sim_result *r,
                         const struct counters *c, enum sim_status status)
{
    struct buf text = {0};
    bool fault_told = false;

    for (int k = first; k < w->script->count; k++) {
        const char *p = w->script->say[k];
        if (starts(&p, "launch"))
            break;
        if (starts(&p, "fault")) {
            fault_told = true;
            check_fault(w, p, r, true);
        } else if (starts(&p, "finding")) {
            check_fault(w, p, r, false);
        } else if (starts(&p, "counter")) {
            check_counter(w, p, c);
        } else if (starts(&p, "print")) {
            unquote(p, &text);
        }
    }
    check_prints(w, r, &text);
    w->lost = !fault_told && status != SIM_DONE;
    if (w->lost)
        buf_printf(w->wrong, "%s: %s (PTX line %d)\n", sim_fault_name(r->faults[0].kind),
                   r->faults[0].message, r->faults[0].ptx_line);
    else if (fault_told && status != SIM_FAULTED)
        buf_puts(w->wrong, "it went on to the end\n");
    buf_free(&text);
}

static void launch(struct world *w, const char *p, int next)
{
    char name[64];
    unsigned char *params;
    struct counters c = { 0 };
    struct sim_observer see = count_observer(&c);
    struct sim_launch l = {SIM_LAUNCH, .schedule = w->schedule, .seed = w->seed,
                            .step_limit = w->step_limit, .observers = &see, .observer_count = 1 };
    struct sim_run *run;
    enum sim_status status;

    p = take_word(p, "<", name, sizeof name);
    l.kernel = sim_kernel_find(w->module, name);
    if (!l.kernel || strncmp(p, "<<<", 3) != 0) {
        buf_printf(w->wrong, "no kernel %s\n", name);
        return;
    }
    p = take_dims(p + 3, l.grid);
    p = take_dims(p + (*p == ','), l.block);
    if (*p == ',')
        l.shared_bytes = strtoull(p + 1, (char **)&p, 0);
    p = strchr(p, '(');
    params = calloc(1, l.kernel->param_bytes + 1);
    if (!p || pack_arguments(w, p + 1, l.kernel, params) != 0)
        buf_printf(w->wrong, "launch %s: it takes %u arguments\n", name, l.kernel->param_count);
    l.params = params;
    run = sim_start(w->sim, &l);
    if (!run) {
        buf_printf(w->wrong, "launch %s: %s\n", name, sim_message(w->sim));
        free(params);
        return;
    }
    while ((status = sim_step(run, 1000)) == SIM_RUNNING) { }
    count_tally(&c, sim_result(run));
    check_launch(w, next, sim_result(run), &c, status);
    sim_finish(run);
    free(params);
}

/* ---- a script ------------------------------------------------------------------------- */

static void check_closed(struct world *w, const char *p)
{
    char name[64], mark[48] = "";
    const struct sim_kernel *k;

    p = take_word(p, "", name, sizeof name);
    if (strncmp(p, "here", 4) == 0)
        p = take_word(p, "", mark, sizeof mark);
    k = sim_kernel_find(w->module, name);
    if (!k || !k->closed || !strstr(k->closed, p))
        buf_printf(w->wrong, "%s isn't closed for \"%s\" but %s\n", name, p,
                   k && k->closed ? k->closed : "open");
    else if (mark[0] && k->closed_line != line_of(w->script, mark))
        buf_printf(w->wrong, "%s: closed at line %d\n", name, k->closed_line);
}

static void obey(struct world *w, int k)
{
    const char *p = w->script->say[k];
    struct sim_limits limits = {SIM_LIMITS};

    sim_limits_default(&limits);
    if (starts(&p, "array"))
        make_array(w, p);
    else if (starts(&p, "texture"))
        make_image(w, p, false);
    else if (starts(&p, "surface"))
        make_image(w, p, true);
    else if (starts(&p, "free"))
        free_array(w, p);
    else if (starts(&p, "closed"))
        check_closed(w, p);
    else if (starts(&p, "launch"))
        launch(w, p, k + 1);
    else if (starts(&p, "step-limit"))
        w->step_limit = strtoull(p, NULL, 0);
    else if (starts(&p, "local")) {
        limits.local_per_thread = strtoull(p, NULL, 0);
        sim_set_limits(w->sim, &limits);
    } else if (!starts(&p, "fault") && !starts(&p, "finding") && !starts(&p, "print") &&
               !starts(&p, "counter") && !starts(&p, "any-order") && !starts(&p, "later") &&
               !starts(&p, "valgrind") && !w->lost)
        check_array(w, p);
}

#define PLAIN "without vector instructions"

static void run_script(const struct script *s, const char *name, enum sim_schedule schedule,
                       uint64_t seed, bool plain, struct buf *wrong)
{
    struct world w = { .script = s, .schedule = schedule, .seed = seed, .wrong = wrong };

    w.sim = sim_open(NULL);
    if (plain)
        sim_use_plain(w.sim);
    w.module = sim_module_load(w.sim, name, s->text, s->length);
    if (s->refused && w.module)
        buf_puts(wrong, "it was loaded\n");
    else if (s->refused && !strstr(sim_message(w.sim), s->refused))
        buf_printf(wrong, "refused, but for: %s\n", sim_message(w.sim));
    else if (!s->refused && !w.module)
        buf_printf(wrong, "line %d: %s\n", sim_message_line(w.sim), sim_message(w.sim));
    for (int k = 0; k < s->count && w.module && !s->refused; k++)
        obey(&w, k);
    sim_close(w.sim);
}

/* Directives are cut out of a copy of the text, so that the PTX itself stays whole. */
static void read_directives(struct script *s)
{
    const char *p = s->text, *kind = getenv("BUILD_KIND");

    while (p && *p && s->count < MAX_LINES) {
        const char *end = strchr(p, '\n');
        size_t n = end ? (size_t)(end - p) : strlen(p);
        if (strncmp(p, "//!+", 4) == 0 && s->count > 0) {
            size_t had = strlen(s->say[s->count - 1]);
            char *longer = realloc(s->say[s->count - 1], had + n + 1);
            longer[had] = ' ';
            memcpy(longer + had + 1, p + 4, n - 4);
            longer[had + 1 + n - 4] = '\0';
            s->say[s->count - 1] = longer;
        } else if (strncmp(p, "//! ", 4) == 0) {
            s->say[s->count++] = strndup(p + 4, n - 4);
        }
        p = end ? end + 1 : NULL;
    }
    for (int k = 0; k < s->count; k++) {
        const char *q = s->say[k];
        if (starts(&q, "any-order"))
            s->any_order = true;
        else if (starts(&q, "refused"))
            s->refused = q;
        else if (starts(&q, "later"))
            s->later = q;
        else if (starts(&q, "valgrind") && kind && strcmp(kind, "valgrind") == 0)
            s->later = q;
    }
}

static int read_script(const char *path, struct script *s)
{
    FILE *f = fopen(path, "rb");
    size_t n;

    *s = (struct script){ .text = calloc(1, 1 << 20) };
    if (!f || !s->text)
        return -1;
    n = fread(s->text, 1, (1 << 20) - 1, f);
    fclose(f);
    s->length = n;
    read_directives(s);
    return 0;
}

static void drop_script(struct script *s)
{
    for (int k = 0; k < s->count; k++)
        free(s->say[k]);
    free(s->text);
}

/* ---- TAP ------------------------------------------------------------------------------ */

static void report(int *tests, int *bad, struct buf *wrong, const char *name, const char *how,
                   const char *later)
{
    bool expected = wrong->len && later;
    printf("%sok %d - %s, %s%s%s\n", wrong->len ? "not " : "", ++*tests, name, how,
           expected ? " # TODO " : "", expected ? later : "");
    if (!wrong->len)
        return;
    *bad += !expected;
    for (char *line = strtok(wrong->data, "\n"); line; line = strtok(NULL, "\n"))
        printf("#   %s\n", line);
}

static void test_file(const char *folder, const char *name, int *tests, int *bad)
{
    static const struct { const char *how; enum sim_schedule schedule; uint64_t seed; } ways[] = {
        { "lockstep", SIM_LOCKSTEP, 0 }, { PLAIN, SIM_LOCKSTEP, 0 }, { "random 1", SIM_RANDOM, 1 },
        { "random 2", SIM_RANDOM, 2 }, { "independent 1", SIM_INDEPENDENT, 1 },
        { "independent 2", SIM_INDEPENDENT, 2 }, { "independent 3", SIM_INDEPENDENT, 3 },
    };
    struct script s;
    struct buf wrong = {0};
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (read_script(path, &s) != 0)
        buf_puts(&wrong, "can't be read\n");
    for (size_t k = 0; k < (s.any_order ? sizeof ways / sizeof ways[0] : 2); k++) {
        buf_clear(&wrong);
        run_script(&s, name, ways[k].schedule, ways[k].seed, strcmp(ways[k].how, PLAIN) == 0,
                   &wrong);
        report(tests, bad, &wrong, name, ways[k].how, s.later);
    }
    drop_script(&s);
    buf_free(&wrong);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_files(const char *folder, char *names[MAX_FILES])
{
    DIR *d = opendir(folder);
    struct dirent *e;
    int n = 0;

    while (d && (e = readdir(d)) != NULL && n < MAX_FILES) {
        size_t length = strlen(e->d_name);
        if (length > 4 && strcmp(e->d_name + length - 4, ".ptx") == 0 &&
            strncmp(e->d_name, "parse-", 6) != 0)
            names[n++] = strdup(e->d_name);
    }
    if (d)
        closedir(d);
    qsort(names, (size_t)n, sizeof names[0], by_name);
    return n;
}

/* With arguments: only the files whose names have one of them inside. */
static bool wanted(const char *name, int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        if (strstr(name, argv[k]))
            return true;
    }
    return argc < 2;
}

int main(int argc, char **argv)
{
    const char *top = getenv("top_srcdir");
    char folder[900];
    char *names[MAX_FILES];
    int tests = 0, bad = 0, n;

    snprintf(folder, sizeof folder, "%s/tests/ptx", top ? top : ".");
    n = list_files(folder, names);
    for (int k = 0; k < n; k++) {
        if (wanted(names[k], argc, argv))
            test_file(folder, names[k], &tests, &bad);
        free(names[k]);
    }
    printf("1..%d\n", tests);
    return bad || tests == 0;
}
