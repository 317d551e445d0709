/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads `kernel<<<grid, block[, shared]>>>(arguments)`, CUDA's own syntax. Sizes may be sums and
 * products of numbers, as in (1000+255)/256. 4x4, {4,4} and (4,4) mean the same as dim3(4,4). In C++
 * (4,4) is a comma operator, and its value is 4. Each error says what would be right.
 */
#include "own/call.h"

#include "base/lines.h"
#include "base/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 50, ATOM = 64 };

struct reading {
    const char *start, *at;
    struct arena *arena;
    struct err *e;
    int depth;
    const char *copied; /* the launch up to here is in `shown` */
    struct buf shown;
};

static int column(const struct reading *r, const char *at)
{
    return (int)(at - r->start) + 1;
}

static void skip_blanks(struct reading *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static bool take(struct reading *r, const char *mark)
{
    skip_blanks(r);
    size_t n = strlen(mark);
    if (strncmp(r->at, mark, n) != 0)
        return false;
    r->at += n;
    return true;
}

/* ---- sizes: sums and products of numbers ---------------------------------------------- */

static int read_sum(struct reading *r, int64_t *out);

static bool in_atom(const char *at)
{
    if (at[0] == '<' && at[1] == '<' && at[2] != '<')
        return true; /* 1<<20 */
    return (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
           *at == '.' || *at == '_' || *at == '^';
}

static int fail_overflow(struct reading *r, const char *from)
{
    return fail_at(r->e, 0, column(r, from), "a size in the launch is more than 2^63");
}

/* Enters one more level of brackets; the caller leaves it by r->depth--. */
static int go_deeper(struct reading *r, const char *from)
{
    if (++r->depth <= DEEPEST)
        return 0;
    return fail_at(r->e, 0, column(r, from), "signs and parentheses are nested too deep");
}

/* The x of 4x4 is between two sizes. The x of 0x10 belongs to its number. */
static bool is_cross(const char *from, const char *at)
{
    return (*at == 'x' || *at == 'X') && !(at == from + 1 && *from == '0');
}

/* Not a part of read_atom(), which is recursive: so this buffer is on the stack only once. */
static __attribute__((noinline)) int read_number(struct reading *r, const char *from, int64_t *out)
{
    char text[ATOM];
    struct err why;
    while (in_atom(r->at) && !is_cross(from, r->at))
        r->at += r->at[0] == '<' ? 2 : 1;
    size_t n = (size_t)(r->at - from);
    if (n == 0 || n >= sizeof text)
        return fail_at(r->e, 0, column(r, from), "a number is missing here: write k<<<blocks, "
                       "threads>>>(...), as in k<<<4, 256>>>(x)");
    memcpy(text, from, n);
    text[n] = '\0';
    if (num_int(text, 0, INT64_MAX, out, &why) != 0)
        return fail_at(r->e, 0, column(r, from), "%s", why.text);
    return 0;
}

static int read_atom(struct reading *r, int64_t *out)
{
    skip_blanks(r);
    const char *from = r->at;
    if (take(r, "-")) {
        if (go_deeper(r, from) != 0 || read_atom(r, out) != 0)
            return -1;
        r->depth--;
        return __builtin_sub_overflow(0, *out, out) ? fail_overflow(r, from) : 0;
    }
    if (take(r, "(")) {
        if (go_deeper(r, from) != 0 || read_sum(r, out) != 0)
            return -1;
        r->depth--;
        return take(r, ")") ? 0
                            : fail_at(r->e, 0, column(r, r->at), "a ) is missing in the launch");
    }
    return read_number(r, from, out);
}

/* -2^63 / -1 is too big by one. The processor faults on it, and on its remainder. */
static int apply(struct reading *r, const char *from, char sign, int64_t by, int64_t *out)
{
    if (sign == '*')
        return __builtin_mul_overflow(*out, by, out) ? fail_overflow(r, from) : 0;
    if (by == 0)
        return fail_at(r->e, 0, column(r, from), "a size in the launch is divided by 0");
    if (by == -1 && *out == INT64_MIN)
        return fail_overflow(r, from);
    *out = sign == '/' ? *out / by : *out % by;
    return 0;
}

static int read_product(struct reading *r, int64_t *out)
{
    const char *from = r->at;
    int64_t by;
    char sign;
    if (read_atom(r, out) != 0)
        return -1;
    while ((sign = take(r, "*") ? '*' : take(r, "/") ? '/' : take(r, "%") ? '%' : 0))
        if (read_atom(r, &by) != 0 || apply(r, from, sign, by, out) != 0)
            return -1;
    return 0;
}

static int read_sum(struct reading *r, int64_t *out)
{
    int64_t next;
    const char *from = r->at;
    if (read_product(r, out) != 0)
        return -1;
    while (true) {
        bool plus = take(r, "+"), minus = !plus && take(r, "-");
        if (!plus && !minus)
            return 0;
        if (read_product(r, &next) != 0)
            return -1;
        if (plus ? __builtin_add_overflow(*out, next, out)
                 : __builtin_sub_overflow(*out, next, out))
            return fail_overflow(r, from);
    }
}

/* Does the parenthesis here hold a list, (4,4), and not only a sum, (n+1)*2? */
static bool opens_list(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += *at == '(' || *at == '{';
        depth -= *at == ')' || *at == '}';
        if (depth == 0)
            return false;
        if (depth == 1 && *at == ',')
            return true;
    }
    return false;
}

/* Keeps the first (4,4) without dim3 for the launch's hint. CUDA also has {4,4}. */
static int keep_bare(struct reading *r, const char *from, uint64_t last, struct own_call *c)
{
    if (*from != '(' || c->bare)
        return 0;
    c->bare = arena_text(r->arena, from, (size_t)(r->at - from));
    c->bare_is = last;
    return c->bare ? 0 : fail_memory(r->e);
}

/* Does C++ read the sum as it is read here? 1K, 2^10, 1e3 and 010 are other things there, and <<
 * binds less than + does. */
static bool is_cxx(const char *from, const char *end)
{
    for (const char *at = from; at < end; at++) {
        bool starts_number = at == from || !in_atom(at - 1);
        if (starts_number && at[0] == '0' && at + 1 < end && in_atom(at + 1))
            return false;
        if (!strchr("0123456789+-*/%() \t", *at))
            return false;
    }
    return true;
}

/* What is typed from there up to here is shown as `text`. */
static void show_as(struct reading *r, const char *from, const char *text)
{
    buf_add(&r->shown, r->copied, (size_t)(from - r->copied));
    buf_puts(&r->shown, text);
    r->copied = r->at;
    while (is_blank(r->copied[-1]))
        r->copied--;
}

static void show_number(struct reading *r, const char *from, uint64_t v)
{
    char number[NUM_TEXT];
    snprintf(number, sizeof number, "%" PRIu64, v);
    if (!is_cxx(from, r->at))
        show_as(r, from, number);
}

/* `sizes` of them were typed. */
static void show_dims(struct reading *r, const char *from, int sizes, const uint64_t v[3])
{
    struct buf text = {0};
    if (sizes == 1 && *from != 'd') {
        show_number(r, from, v[0]);
        return;
    }
    buf_puts(&text, "dim3(");
    for (int i = 0; i < sizes; i++)
        buf_printf(&text, "%s%" PRIu64, i ? "," : "", v[i]);
    buf_puts(&text, ")");
    show_as(r, from, buf_text(&text));
    buf_free(&text);
}

/* Reads one of at most three sizes. */
static int read_size(struct reading *r, const char *from, const char *what, int i, uint64_t out[3])
{
    int64_t v;
    if (i == 3)
        return fail_at(r->e, 0, column(r, from), "the %s has more than three sizes", what);
    if (read_sum(r, &v) != 0)
        return -1;
    if (v < 0)
        return fail_at(r->e, 0, column(r, from), "the %s has a size below 0", what);
    out[i] = (uint64_t)v;
    return 0;
}

/* The sizes of a list, or those with an x between them. Returns how many there are, or -1. */
static int read_sizes(struct reading *r, const char *from, const char *what, bool list,
                      uint64_t out[3])
{
    for (int i = 0; read_size(r, from, what, i, out) == 0; i++) {
        if (!list && !take(r, "x") && !take(r, "X"))
            return i + 1;
        if (list && (take(r, ")") || take(r, "}")))
            return i + 1;
        if (list && !take(r, ","))
            return fail_at(r->e, 0, column(r, r->at), "a , or ) is missing in the %s: write "
                           "dim3(4, 4)", what);
    }
    return -1;
}

static int read_dims(struct reading *r, const char *what, struct own_call *c, uint64_t out[3])
{
    skip_blanks(r);
    const char *from = r->at;
    bool named = take(r, "dim3");
    skip_blanks(r);
    bool list = named || *r->at == '{' || opens_list(r->at);
    out[0] = out[1] = out[2] = 1;
    if (list && !take(r, "(") && !take(r, "{"))
        return fail_at(r->e, 0, column(r, r->at), "dim3 needs its sizes, as in dim3(4, 4)");
    int sizes = read_sizes(r, from, what, list, out);
    if (sizes < 0)
        return -1;
    show_dims(r, from, sizes, out);
    return list ? keep_bare(r, from, out[sizes - 1], c) : 0;
}

/* ---- the parts ------------------------------------------------------------------------ */

/* `k 4 256 x 1000` and `k(x, 1000)` are shown as a launch, with what was typed. */
static int no_configuration(struct reading *r)
{
    struct buf sizes = {0}, args = {0};
    struct span rest = {r->at, strlen(r->at)};
    size_t named = strcspn(r->at, " \t(");
    const char *open = strchr(r->at, '(');
    int count = 0;
    if (open) {
        buf_printf(&args, "%.*s", (int)strcspn(open + 1, ")"), open + 1);
    } else {
        struct span word = next_blank_word(&rest);
        while ((word = next_blank_word(&rest)).n) {
            bool size = is_digit(word.at[0]) && count < 2 && !args.len;
            struct buf *to = size ? &sizes : &args;
            buf_printf(to, "%s%.*s", to->len ? ", " : "", (int)word.n, word.at);
            count += size;
        }
    }
    fail_at(r->e, 0, column(r, r->at), "`%.60s` has no <<<blocks, threads>>>: write "
            "%.*s<<<%.40s>>>(%.120s)", r->at, named < 60 ? (int)named : 60, r->at,
            count == 2 ? buf_text(&sizes) : "4, 256", buf_text(&args));
    buf_free(&sizes);
    buf_free(&args);
    return -1;
}

static int read_kernel_name(struct reading *r, struct own_call *c)
{
    skip_blanks(r);
    const char *mark = strstr(r->at, "<<<"), *end = mark;
    if (!mark)
        return no_configuration(r);
    while (end > r->at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    if (end == r->at)
        return fail_at(r->e, 0, column(r, r->at), "the kernel's name is missing before <<<");
    c->kernel.column = column(r, r->at);
    c->kernel.text = arena_text(r->arena, r->at, (size_t)(end - r->at));
    r->at = mark + 3;
    return c->kernel.text ? 0 : fail_memory(r->e);
}

static int read_shared(struct reading *r, uint64_t *out)
{
    int64_t v;
    skip_blanks(r);
    const char *from = r->at;
    if (read_sum(r, &v) != 0)
        return -1;
    if (v < 0)
        return fail_at(r->e, 0, column(r, r->at), "shared memory can't be less than 0 bytes");
    *out = (uint64_t)v;
    show_number(r, from, *out);
    return 0;
}

static int read_configuration(struct reading *r, struct own_call *c)
{
    int64_t v;
    if (read_dims(r, "grid", c, c->grid) != 0)
        return -1;
    if (!take(r, ","))
        return fail_at(r->e, 0, column(r, r->at), "the threads of a block are missing: write "
                       "<<<blocks, threads>>>, as in <<<1, 32>>>");
    if (read_dims(r, "block", c, c->block) != 0)
        return -1;
    if (take(r, ",") && read_shared(r, &c->shared_bytes) != 0)
        return -1;
    const char *from = r->at;
    if (take(r, ",") && (read_sum(r, &v) != 0 || v != 0))
        return fail_at(r->e, 0, column(r, from), "launches always use stream 0 here; leave out "
                                                 "the fourth part of <<<...>>>");
    if (!take(r, ">>>"))
        return fail_at(r->e, 0, column(r, r->at), "`%.20s` is not expected here: >>> must end "
                       "<<<blocks, threads, shared bytes", r->at);
    return 0;
}

/* An item ends at a comma or where the list is closed, outside of its own brackets and quotes. */
static const char *item_end(const char *at, char close)
{
    char quote = 0;
    for (int depth = 0; *at && (quote || depth || (*at != ',' && *at != close)); at++) {
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '\'' || *at == '"')
            quote = *at;
        else if (strchr("([{", *at))
            depth++;
        else if (strchr(")]}", *at))
            depth--;
    }
    return at;
}

const char *call_items(const char *text, char close, int at_column, struct arena *arena,
                       struct call_text **out, unsigned *count)
{
    const char *at = text;
    size_t most = 1;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    *count = 0;
    if (!(*out = arena_alloc(arena, most * sizeof **out)))
        return NULL;
    for (;; at++) {
        const char *from = at + strspn(at, " \t"), *end = at = item_end(from, close);
        while (end > from && is_blank(end[-1]))
            end--;
        const char *item = arena_text(arena, from, (size_t)(end - from));
        if (!item)
            return NULL;
        (*out)[(*count)++] = (struct call_text){item, at_column + (int)(from - text)};
        if (*at != ',')
            return at;
    }
}

static int read_arguments(struct reading *r, struct own_call *c)
{
    if (!take(r, "("))
        return fail_at(r->e, 0, column(r, r->at), "the arguments are missing: write k<<<4, "
                       "256>>>(x, 1000), or () for none");
    skip_blanks(r);
    if (*r->at != ')' && !(r->at = call_items(r->at, ')', column(r, r->at), r->arena, &c->args,
                                              &c->arg_count)))
        return fail_memory(r->e);
    for (unsigned i = 0; i < c->arg_count; i++)
        if (!*c->args[i].text)
            return fail_at(r->e, 0, c->args[i].column, "argument %u is empty", i + 1);
    c->end_column = column(r, r->at);
    if (!take(r, ")"))
        return fail_at(r->e, 0, c->end_column, "a ) is missing after the arguments");
    take(r, ";");
    skip_blanks(r);
    if (*r->at)
        return fail_at(r->e, 0, column(r, r->at), "`%.40s` is not expected here: the launch ends "
                                                  "with its )", r->at);
    return 0;
}

/* What is left of the text is shown as it was typed. */
static int keep_shown(struct reading *r, struct own_call *c, struct err *e)
{
    show_as(r, r->at, "");
    const char *text = buf_text(&r->shown), *sizes = strstr(text, "<<<"), *end = NULL;
    c->shown = arena_text(r->arena, text, strlen(text));
    if (sizes && (end = strstr(sizes, ">>>")))
        c->sizes = arena_text(r->arena, sizes + 3, (size_t)(end - sizes - 3));
    return c->shown && c->sizes && !r->shown.failed ? 0 : fail_memory(e);
}

int call_parse(const char *text, struct arena *arena, struct own_call *c, struct err *e)
{
    struct reading r = {.start = text, .at = text, .arena = arena, .e = e, .copied = text};
    *c = (struct own_call){.arg_count = 0};
    int rc = read_kernel_name(&r, c) == 0 && read_configuration(&r, c) == 0 &&
                     read_arguments(&r, c) == 0
                 ? keep_shown(&r, c, e)
                 : -1;
    buf_free(&r.shown);
    return rc;
}
