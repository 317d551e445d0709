/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands about a student's own arrays: array, fill, print, compare, save, free, arrays.
 * What they do is in own/. This file reads their options and decides which files may be read and
 * written.
 */
#include "repl/commands.h"
#include "repl/screen.h"
#include "base/room.h"
#include "expr/expr.h"
#include "own/array-look.h"
#include "own/fill.h"
#include "own/npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t safe_array = UINT64_C(256) << 20; /* bytes an array under --safe */
static const uint64_t safe_arrays = UINT64_C(1) << 30;  /* all of them together */
static const uint64_t safe_shown = UINT64_C(1) << 16;   /* elements that a `print` shows */

/* The operand includes a range; usage shows how it is written. */
#define PART "NAME[LO..HI]"

/* ---- telling what an array is ---------------------------------------------------------- */

static void array_json(const struct array *a, struct json *j)
{
    json_text(j, "name", a->name);
    json_text(j, "type", element_names[a->type]);
    json_uint(j, "count", a->count);
    if (a->dims[1]) {
        json_array(j, "shape");
        for (int i = 0; i < 3 && a->dims[i]; i++)
            json_uint(j, NULL, a->dims[i]);
        json_end_array(j);
    }
    json_uint(j, "bytes", array_bytes(a));
}

static void say_array(const struct array *a, struct report *r)
{
    char count[NUM_TEXT], bytes[NUM_TEXT], shape[80];
    say(r, "%s: %s", a->name, element_names[a->type]);
    if (a->dims[1])
        say(r, " %s", slice_shape_text(a->dims, shape));
    say(r, ", %s element%s, %s byte%s\n", num_count(a->count, count), a->count == 1 ? "" : "s",
        num_group((int64_t)array_bytes(a), bytes), array_bytes(a) == 1 ? "" : "s");
}

static struct slice whole_of(struct array *a)
{
    struct slice x = {.of = a, .type = a->type, .count = a->count, .hi = a->count - 1,
                      .whole = true};
    memcpy(x.dims, a->dims, sizeof x.dims);
    return x;
}

/* ---- array, fill ----------------------------------------------------------------------- */

/* The arrays whose names are in a formula; NULL: there are none, or memory is out. */
static struct fill_inputs *arrays_in(const struct session *s, const char *text)
{
    struct fill_inputs *in = begins_with(text, "expr:") ? calloc(1, sizeof *in) : NULL;
    for (const char *at = text + (in ? 5 : 0); in && *at && in->count < FILL_INPUTS;) {
        char name[128];
        size_t n = 0;
        bool known = false;
        while (in_word(at[n]))
            n++;
        snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : 0, at);
        at += n ? n : 1;
        const struct array *a = n && !expr_has_name(name) ? array_named(s, name) : NULL;
        for (unsigned k = 0; k < in->count; k++)
            known |= in->at[k].name == (a ? a->name : NULL);
        if (a && !known)
            in->at[in->count++] = (struct fill_input){.name = a->name, .type = a->type,
                                                      .count = a->count};
    }
    return in;
}

/* Reads those of them that the formula needs, as they are now. */
static int read_inputs(struct session *s, struct fill *f, struct err *e)
{
    int rc = 0;
    for (unsigned k = 0; rc == 0 && f->inputs && k < f->inputs->count; k++) {
        struct fill_input *in = &f->inputs->at[k];
        const struct slice x = whole_of(array_named(s, in->name));
        const uint64_t bytes = in->count * element_size(in->type);
        struct report r;
        if (!fill_reads(f, k))
            continue;
        in->bytes = room_for(bytes) ? malloc((size_t)bytes) : NULL;
        if (!in->bytes)
            return fail_memory(e);
        report_init(&r);
        rc = slice_read(s, &x, 0, in->count, in->bytes, &r);
        if (rc != 0)
            *e = r.error;
        report_free(&r);
    }
    return rc;
}

/* Read and check a fill, its file opened; -1 with nothing left open. */
static int prepare_fill(struct shell *sh, struct fill *f, const char *text,
                        const struct slice *x, struct err *e)
{
    int rc = fill_parse_with(f, text, x->type, arrays_in(&sh->session, text), e);
    e->column = 0; /* it counts in the fill */
    if (rc == 0)
        rc = read_inputs(&sh->session, f, e);
    if (rc == 0 && f->kind == FILL_FILE) {
        f->fd = shell_open_plain(sh, f->path, e);
        rc = f->fd < 0 ? -1 : 0;
    }
    if (rc == 0)
        rc = fill_check(f, x, e);
    if (rc != 0)
        fill_free(f);
    return rc;
}

static int check_safe(const struct shell *sh, const char *name, enum element type,
                      uint64_t count, struct err *e)
{
    const uint64_t size = element_size(type);
    if (!sh->safe)
        return 0;
    if (count > safe_array / size)
        return fail_limit(e, "under --safe an array takes at most 256 MiB; %.60s would take more", name);
    if (count * size > safe_arrays - arrays_bytes(&sh->session))
        return fail_limit(e, "under --safe all arrays take at most 1 GiB together; `free` one first");
    return 0;
}

struct array_options { const char *name, *type, *count, *fill; };

/* `array x unsigned int 8`: the type wants quotes. */
static int read_count(const struct array_options *o, uint64_t dims[3], uint64_t *count,
                      struct err *e)
{
    struct err why;
    enum element type;
    if (element_named(o->count, &type) == 0)
        return fail(e, "a type of two words needs quotes, as in array x \"%.60s %.60s\" 8",
                    o->type, o->count);
    if (array_shape(o->count, dims, count, &why) != 0)
        return fail(e, "COUNT: %s", why.text);
    return 0;
}

/* An older array of that name is replaced only when the new one is filled. */
static int make_array(struct shell *sh, struct array *fresh, const char *how, struct report *r)
{
    struct session *s = &sh->session;
    struct slice x = whole_of(fresh);
    struct fill f;
    struct err e = {0};
    if (how) {
        if (prepare_fill(sh, &f, how, &x, &e) != 0)
            return report_fail_err(r, &e);
        int rc = fill_write(s, &f, &x, r);
        fill_free(&f);
        if (rc != 0)
            return -1;
    }
    return array_keep(s, fresh, &e) == 0 ? 0 : report_fail_err(r, &e);
}

static int run_array(struct session *s, const void *given, struct report *r)
{
    const struct array_options *o = given;
    struct shell *sh = shell_of(s);
    const char *name = o->name;
    struct err e = {0};
    enum element type;
    uint64_t dims[3], count;
    if (array_name_check(name, &e) != 0 || element_or_near(o->type, &type, &e) != 0 ||
        read_count(o, dims, &count, &e) != 0 || check_safe(sh, name, type, count, &e) != 0)
        return report_fail_err(r, &e);
    struct array *fresh = array_new(s, name, type, dims, count, &e);
    if (!fresh)
        return report_fail_err(r, &e);
    if (make_array(sh, fresh, o->fill, r) != 0) {
        array_discard(s, fresh);
        return -1;
    }
    say_array(fresh, r);
    array_json(fresh, &r->result);
    return 0;
}

#define FILLS "zero, iota, value:V, list:1,2,3, random[:LO:HI], expr:2*i+1 or file:PATH"

const struct command command_array = {
    .name = "array", .kind = CLASS_KERNELS, .summary = "make an array on the device",
    .operands = (const struct arg_spec[]){
        {.name = "NAME", BIND(struct array_options, name), .type = ARG_TEXT, .required = true,
         .example = "a",
         .help = "its name; an array of that name is replaced"},
        {.name = "TYPE", BIND(struct array_options, type), .type = ARG_TEXT, .required = true,
         .choices = element_names, .example = "float",
         .help = "i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64, or a type of C such as int"},
        {.name = "COUNT", BIND(struct array_options, count), .type = ARG_TEXT, .required = true,
         .example = "1000",
         .help = "the number of elements, or a shape: 1000, 2^20, 64x64, 4x5x6"},
        {.name = "FILL", BIND(struct array_options, fill), .type = ARG_TEXT, .choices = fill_forms,
         .help = FILLS}, {0}},
    .size = sizeof(struct array_options), .run = run_array};

struct fill_options { const char *part, *fill; };

static int run_fill(struct session *s, const void *given, struct report *r)
{
    const struct fill_options *o = given;
    struct slice x;
    struct fill f;
    struct err e = {0};
    char number[NUM_TEXT];
    if (slice_parse(s, o->part, NULL, &x, &e) != 0 ||
        prepare_fill(shell_of(s), &f, o->fill, &x, &e) != 0)
        return report_fail_err(r, &e);
    int rc = fill_write(s, &f, &x, r);
    fill_free(&f);
    if (rc != 0)
        return -1;
    say(r, "%s: %s element%s filled\n", x.of->name, num_count(slice_count(&x), number),
        slice_count(&x) == 1 ? "" : "s");
    json_text(&r->result, "name", x.of->name);
    json_text(&r->result, "type", element_names[x.type]);
    json_uint(&r->result, "lo", x.lo);
    json_uint(&r->result, "hi", x.hi);
    return 0;
}

const struct command command_fill = {
    .name = "fill", .kind = CLASS_KERNELS, .summary = "fill an array, or a part of it",
    .operands = (const struct arg_spec[]){
        {.name = PART, BIND(struct fill_options, part), .type = ARG_ARRAY, .required = true,
         .example = "a",
         .help = "the array, or its elements LO to HI, both included"},
        {.name = "FILL", BIND(struct fill_options, fill), .type = ARG_TEXT, .required = true,
         .choices = fill_forms, .example = "zero", .help = FILLS}, {0}},
    .size = sizeof(struct fill_options), .run = run_fill};

/* ---- print ----------------------------------------------------------------------------- */

struct print_options { bool all, stats, hex; const char *shape, *part, *as, *type; int columns; };

/* --shape: what is printed must be as many elements as the shape has. */
static int reshape(const struct print_options *o, struct slice *x, struct err *e)
{
    uint64_t dims[3], count;
    struct err why;
    if (!o->shape)
        return 0;
    if (array_shape(o->shape, dims, &count, &why) != 0)
        return fail(e, "--shape: %s", why.text);
    if (count != slice_count(x))
        return fail(e, "--shape %.60s has %" PRIu64 " elements, and %" PRIu64 " are to be shown",
                    o->shape, count, slice_count(x));
    memcpy(x->dims, dims, sizeof x->dims);
    return 0;
}

static int read_slice_as(struct session *s, const struct print_options *o, struct slice *x,
                         struct err *e)
{
    enum element type;
    if (!o->as)
        return slice_parse(s, o->part, NULL, x, e);
    if (!o->type)
        return fail(e, "the type after `as` is missing; write print %.60s as f32", o->part);
    if (element_or_near(o->type, &type, e) != 0)
        return -1;
    return slice_parse(s, o->part, &type, x, e);
}

static int run_print(struct session *s, const void *given, struct report *r)
{
    const struct print_options *o = given;
    struct slice x;
    struct err e = {0};
    const struct print_how how = {.hex = o->hex, .all = o->all,
                                  .stats_only = o->stats,
                                  .columns = o->columns};
    if (read_slice_as(s, o, &x, &e) != 0 || reshape(o, &x, &e) != 0)
        return report_fail_err(r, &e);
    if (shell_of(s)->safe && (how.all || !x.whole) && !how.stats_only &&
        slice_count(&x) > safe_shown)
        return report_fail(r, "under --safe a print shows at most 65536 elements; take a smaller "
                           "range, or --stats");
    return array_print(s, &x, &how, r);
}

/* "990:", "10..20", "5": a part of the array, as other languages write it. */
static bool is_range(const char *text, size_t *lo, const char **hi)
{
    static const char digits[] = "0123456789";
    *lo = strspn(text, digits);
    const char *mark = text + *lo;
    *hi = mark + strspn(mark, ":.-");
    return (*hi)[strspn(*hi, digits)] == '\0' && (*lo || **hi);
}

static int unexpected_in_print(const struct words *w, unsigned at, struct err *e)
{
    size_t lo;
    const char *hi, *array = w->word[at - 1], *text = w->word[at];
    if (strchr(array, '[') && is_digit(text[0]))
        return 0;
    if (strchr(array, '[') || !is_range(text, &lo, &hi))
        return fail(e, "print shows one array at a time: write print %.60s; print %.60s", array,
                    text);
    if (hi == text + lo)
        return fail(e, "a part of an array is written in brackets: print %.60s[%.30s]", array,
                    text);
    return fail(e, "a part of an array is written in brackets: print %.60s[%.*s..%.30s]", array,
                (int)lo, text, hi);
}

const struct command command_print = {
    .name = "print", .kind = CLASS_KERNELS, .summary = "show the elements of an array",
    .options = (const struct arg_spec[]){
        {OPTION(struct print_options, all), .help = "show every element, even of a large array"},
        {OPTION(struct print_options, stats), .help = "show only the minimum, the maximum, the "
                                                      "sum and similar numbers"},
        {OPTION(struct print_options, hex), .help = "show the bits of each element"},
        {OPTION(struct print_options, shape), .value = "RxC", .type = ARG_TEXT,
         .help = "show a table of R rows and C columns"},
        {OPTION(struct print_options, columns), .type = ARG_INT, .lo = 1, .hi = 1000,
         .help = "the number of elements in a line"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = PART, BIND(struct print_options, part), .type = ARG_ARRAY, .required = true,
         .example = "a",
         .help = "the array, one element NAME[I], a range, or NAME[R][C] of a table"},
        {OPTION(struct print_options, as), .type = ARG_CHOICE,
         .choices = (const char *const[]){"as", NULL},
         .help = "read the bytes as elements of TYPE; LO and HI count these elements"},
        {.name = "TYPE", BIND(struct print_options, type), .type = ARG_TEXT,
         .choices = element_names, .help = "the type of the elements"}, {0}},
    .size = sizeof(struct print_options), .run = run_print, .unexpected = unexpected_in_print};

/* ---- compare --------------------------------------------------------------------------- */

/* The second side: an array, or a fill that gives every element from a file, a value or a
 * formula. */
struct other_side {
    struct session *session;
    uint64_t lo; /* of the first side */
    bool is_array;
    struct slice slice;
    struct fill fill;
};

static int read_other(void *self, uint64_t first, uint64_t n, unsigned char *to, struct report *r)
{
    struct other_side *o = self;
    struct err e = {0};
    if (o->is_array)
        return slice_read(o->session, &o->slice, o->slice.lo + first, n, to, r);
    return fill_take(&o->fill, o->session->settings.seed, o->lo + first, first, n, to, &e) == 0
               ? 0
               : report_fail_err(r, &e);
}

static bool is_fill(const char *text)
{
    return strncmp(text, "value:", 6) == 0 || strncmp(text, "expr:", 5) == 0 ||
           strncmp(text, "file:", 5) == 0;
}

/* What fills an array, but is not compared with. */
static bool is_other_fill(const char *text)
{
    return strncmp(text, "list:", 5) == 0 || strncmp(text, "random:", 7) == 0;
}

static int open_other(struct session *s, const char *text, const struct slice *x,
                      struct other_side *o, struct err *e)
{
    char here[NUM_TEXT], there[NUM_TEXT];
    *o = (struct other_side){.session = s, .lo = x->lo, .fill.fd = -1};
    if (is_fill(text))
        return prepare_fill(shell_of(s), &o->fill, text, x, e);
    if (num_looks(text))
        return fail(e, "`%.60s` is not an array: did you mean value:%.60s?", text, text);
    if (is_other_fill(text))
        return fail(e, "compare can't take `%.60s`: B is an array, value:V, expr:2*i+1 or file:PATH",
                    text);
    o->is_array = true;
    if (slice_parse(s, text, NULL, &o->slice, e) != 0)
        return -1;
    if (o->slice.type != x->type)
        return fail(e, "%.60s is %s and %.60s %s; only elements of one type are compared",
                    x->of->name, element_names[x->type], o->slice.of->name,
                    element_names[o->slice.type]);
    if (slice_count(&o->slice) != slice_count(x))
        return fail(e, "%s elements of %.60s and %s of %.60s; take as many of both, as in x[0..9]",
                    num_group((int64_t)slice_count(x), here), x->of->name,
                    num_group((int64_t)slice_count(&o->slice), there), o->slice.of->name);
    return 0;
}

struct compare_options { double rtol, atol; bool equal_nan; const char *a, *b; };

static int run_compare(struct session *s, const void *given, struct report *r)
{
    const struct compare_options *o = given;
    struct slice x;
    struct other_side other;
    struct err e = {0};
    const struct compare_how how = {.rtol = o->rtol, .atol = o->atol,
                                    .equal_nan = o->equal_nan};
    if (how.rtol < 0 || how.atol < 0)
        return report_fail(r, "a tolerance is 0 or more");
    if (slice_parse(s, o->a, NULL, &x, &e) != 0 ||
        open_other(s, o->b, &x, &other, &e) != 0)
        return report_fail_err(r, &e);
    const struct compare_side b = {read_other, &other, o->b};
    int rc = array_compare(s, &x, o->a, &b, &how, r);
    fill_free(&other.fill);
    return rc;
}

const struct command command_compare = {
    .name = "compare", .kind = CLASS_KERNELS, .summary = "check that two arrays agree",
    .options = (const struct arg_spec[]){
        {OPTION(struct compare_options, rtol), .type = ARG_REAL, .initial = "0",
         .help = "allow a difference of X * |b|, where b is the element of B"},
        {OPTION(struct compare_options, atol), .type = ARG_REAL, .initial = "0",
         .help = "allow a difference of X, in addition to --rtol"},
        {.name = "equal-nan", BIND(struct compare_options, equal_nan),
         .help = "treat two NaNs as equal"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "A", BIND(struct compare_options, a), .type = ARG_ARRAY, .required = true,
         .example = "a",
         .help = "an array, or a part of it"},
        {.name = "B", BIND(struct compare_options, b), .type = ARG_ARRAY, .required = true,
         .example = "b",
         .help = "another array, or value:V, expr:2*i+1 or file:PATH"}, {0}},
    .size = sizeof(struct compare_options), .run = run_compare};

/* ---- save ------------------------------------------------------------------------------ */

/* The file's bytes in memory: shell_save writes them all at once or not at all. */
static int gather(struct session *s, const struct slice *x, bool npy, struct buf *out,
                  struct report *r)
{
    const unsigned size = element_size(x->type);
    const uint64_t bytes = slice_count(x) * size;
    if (npy)
        npy_write_head(out, x->type, x->dims);
    const size_t head = out->len;
    char *room = out->failed || bytes > SIZE_MAX / 2 - head
                     ? NULL : realloc(out->data, head + (size_t)bytes);
    if (!room)
        return report_fail(r, "this computer has no %" PRIu64 " bytes left to gather the file in; "
                           "save a part of the array", bytes);
    out->data = room;
    out->cap = out->len = head + (size_t)bytes;
    for (uint64_t done = 0; done < slice_count(x); done += SLICE_CHUNK) {
        uint64_t left = slice_count(x) - done, n = left < SLICE_CHUNK ? left : SLICE_CHUNK;
        if (work_goes_on(s, r) != 0 ||
            slice_read(s, x, x->lo + done, n, room + head + done * size, r) != 0)
            return -1;
    }
    return 0;
}

struct save_options { const char *part, *file; };

static int run_save(struct session *s, const void *given, struct report *r)
{
    const struct save_options *o = given;
    struct shell *sh = shell_of(s);
    const char *path = o->file;
    struct slice x;
    struct buf bytes = {0};
    struct err e = {0};
    char number[NUM_TEXT];
    if (slice_parse(s, o->part, NULL, &x, &e) != 0)
        return report_fail_err(r, &e);
    if (sh->safe) /* before anything is gathered */
        return report_fail(r, "--safe allows no writing to files");
    if (npy_named(path) && !element_npy(x.type)[0])
        return report_fail(r, "NumPy has no type %s; a file whose name does not end in .npy gets "
                           "the bytes", element_names[x.type]);
    int rc = gather(s, &x, npy_named(path), &bytes, r);
    if (rc == 0 && shell_save(sh, path, bytes.data, bytes.len, &e) != 0)
        rc = report_fail_err(r, &e);
    if (rc == 0) {
        say(r, "%s: %s bytes written\n", path, num_group((int64_t)bytes.len, number));
        json_text(&r->result, "name", x.of->name);
        json_text(&r->result, "file", path);
        json_uint(&r->result, "bytes", bytes.len);
    }
    buf_free(&bytes);
    return rc;
}

const struct command command_save = {
    .name = "save", .kind = CLASS_KERNELS, .summary = "write an array to a file",
    .operands = (const struct arg_spec[]){
        {.name = PART, BIND(struct save_options, part), .type = ARG_ARRAY, .required = true,
         .example = "a",
         .help = "the array, or its elements LO to HI, both included"},
        {.name = "FILE", BIND(struct save_options, file), .type = ARG_FILE, .required = true,
         .example = "a.npy",
         .help = "the file: raw bytes, or NumPy's format if the name ends in .npy"}, {0}},
    .size = sizeof(struct save_options), .run = run_save};

/* ---- free, arrays ---------------------------------------------------------------------- */

static int free_all(struct session *s, struct report *r)
{
    struct err ignored;
    unsigned freed = 0;
    for (unsigned i = s->own ? s->own->count : 0; i-- > 0;)
        if (!s->own->all[i]->module && array_free(s, s->own->all[i], &ignored) == 0)
            freed++;
    say(r, "%u array%s freed\n", freed, freed == 1 ? "" : "s");
    json_uint(&r->result, "freed", freed);
    return 0;
}

static int free_what(struct report *r)
{
    return report_fail(r, "free takes the names of arrays, or --all alone");
}

/* All names are looked up before any is freed: a misspelt one frees nothing. */
static int free_named(struct session *s, const struct words *w, struct report *r)
{
    struct err e = {0};
    for (unsigned i = 0; i < w->count; i++) {
        if (strcmp(w->word[i], "--all") == 0)
            return free_what(r);
        if (!array_or_near(s, w->word[i], &e))
            return report_fail_err(r, &e);
        for (unsigned k = 0; k < i; k++)
            if (strcmp(w->word[i], w->word[k]) == 0)
                return report_fail(r, "`%.60s` is named twice; once is enough", w->word[i]);
    }
    json_array(&r->result, "freed");
    for (unsigned i = 0; i < w->count; i++) {
        if (array_free(s, array_named(s, w->word[i]), &e) != 0)
            break;
        json_text(&r->result, NULL, w->word[i]);
        screen_tell(shell_of(s), "%s is freed", w->word[i]);
        if (array_named(s, w->word[i]))
            say(r, "%s now means the one that was behind it\n", w->word[i]);
    }
    json_end_array(&r->result);
    return e.text[0] ? report_fail_err(r, &e) : 0;
}

struct free_options { bool all; const char *names; };

static int run_free(struct session *s, const void *given, struct report *r)
{
    const struct free_options *o = given;
    struct words w;
    struct err e = {0};
    if (o->all == (o->names != NULL))
        return free_what(r);
    if (o->all)
        return free_all(s, r);
    if (words_split(o->names, &w, &e) != 0)
        return report_fail_err(r, &e);
    int rc = free_named(s, &w, r);
    words_free(&w);
    return rc;
}

const struct command command_free = {
    .name = "free", .kind = CLASS_KERNELS, .summary = "free arrays",
    .options = (const struct arg_spec[]){
        {OPTION(struct free_options, all), .help = "free all arrays that `array` made"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "NAMES", BIND(struct free_options, names), .type = ARG_ARRAYS,
         .help = "one or more arrays"}, {0}},
    .size = sizeof(struct free_options), .run = run_free};

static const char *came_from(const struct array *a)
{
    return !a->module ? "array" : a->constant ? "__constant__" : "__device__";
}

static void list_json(const struct session *s, const struct array *a, struct report *r)
{
    struct json *j = &r->result;
    json_object(j, NULL);
    array_json(a, j);
    json_text(j, "from", came_from(a));
    json_bool(j, "type_known", a->type_known);
    if (a->declared)
        json_text(j, "declared", a->declared);
    json_bool(j, "hidden", array_hidden(s, a));
    if (r->volatile_on)
        json_hex(j, "address", a->address);
    json_end_object(j);
}

static void list_row(const struct session *s, const struct array *a, bool address,
                     struct table *t)
{
    char shape[80], bytes[NUM_TEXT], where[40] = "";
    if (address)
        snprintf(where, sizeof where, " at 0x%" PRIx64, a->address);
    table_cell(t, "%s%s", element_names[a->type], a->type_known ? "" : "?");
    table_cell(t, "%s", slice_shape_text(a->dims, shape));
    table_cell(t, "%s", num_group((int64_t)array_bytes(a), bytes));
    table_cell(t, "%s", came_from(a));
    table_cell(t, "%s%s%s", a->name, where, array_hidden(s, a) ? " (hidden)" : "");
}

static int run_arrays(struct session *s, const void *given, struct report *r)
{
    /* Names are the last column: C++ names can be long. */
    static const struct table_column columns[] = {{.head = "type"},
                                                  {.head = "count", .right = true},
                                                  {.head = "bytes", .right = true},
                                                  {.head = "from", .gives_way = 1},
                                                  {.head = "name", .folds = true}};
    const unsigned count = s->own ? s->own->count : 0;
    struct table t;
    (void)given;
    table_begin(&t, columns, sizeof columns / sizeof columns[0], 0);
    if (!count)
        say(r, "no arrays; `array NAME TYPE COUNT` makes one\n");
    json_array(&r->result, "arrays");
    for (unsigned i = 0; i < count; i++) {
        list_row(s, s->own->all[i], r->volatile_on, &t);
        list_json(s, s->own->all[i], r);
    }
    json_end_array(&r->result);
    if (count)
        say_table(r, &t);
    return 0;
}

const struct command command_arrays = {
    .name = "arrays", .kind = CLASS_KERNELS, .summary = "list all arrays",
    .run = run_arrays};
