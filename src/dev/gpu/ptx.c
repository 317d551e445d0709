/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file changes PTX in four ways. It reads token by token, since students also write PTX by
 * hand.
 *
 * Additions and products without a rounding get .rn. ptxas may fuse a plain mul and add into one
 * fma, and its versions differ in when they do so. It doesn't fuse the .rn forms, and the simulator
 * rounds each of them as well.
 *
 * Calls of vprintf and __assertfail become calls of the functions of kernels/gpu-print.cu, which
 * are added at the end. These write into a ring that can be read even after a fault, and that
 * counts what is lost.
 *
 * A .version above the driver's own is lowered to it. A compiler writes its newest version even if
 * the code doesn't need it. If the code needs it, the driver will say so.
 *
 * Sections for debuggers are left out.
 */
#include "dev/gpu/gpu.h"

#include "os/asset.h"
#include "base/mem.h"
#include "ptx/lex.h"

#include <string.h>

/* CUDA 10.2 knows PTX 6.5, and 11.x, 12.x, 13.x know 7.x, 8.x, 9.x. */
int gpu_ptx_version(int driver_version)
{
    int major = driver_version / 1000, minor = driver_version % 1000 / 10;
    return major < 11 ? 65 : (major - 4) * 10 + minor;
}

struct rewrite {
    struct lex lex;
    const char *kept; /* all before it is in *out */
    struct buf *out;
    int version;
    bool linked, prints;
};

static void copy_until(struct rewrite *r, const char *to)
{
    buf_add(r->out, r->kept, (size_t)(to - r->kept));
    r->kept = to;
}

/* Writes something else for the current token. */
static void replace(struct rewrite *r, const char *text)
{
    const struct ptx_token *t = &r->lex.token;
    copy_until(r, t->at);
    buf_puts(r->out, text);
    r->kept = t->at + t->length;
}

static bool token_equals(const struct ptx_token *t, const char *text)
{
    return t->length == strlen(text) && memcmp(t->at, text, t->length) == 0;
}

static bool token_begins(const struct ptx_token *t, const char *text)
{
    size_t n = strlen(text);
    return t->length > n && memcmp(t->at, text, n) == 0;
}

/* ---- rounding -------------------------------------------------------------------------- */

static bool has_modifier(const struct ptx_token *t, const char *const list[])
{
    for (; *list; list++) {
        size_t n = strlen(*list);
        for (size_t i = 0; i + n < t->length; i++)
            if (t->at[i] == '.' && memcmp(t->at + i + 1, *list, n) == 0 &&
                (i + 1 + n == t->length || t->at[i + 1 + n] == '.'))
                return true;
    }
    return false;
}

/* add, sub, mul of floating-point numbers that may be fused with their neighbours. */
static bool may_be_fused(const struct ptx_token *t)
{
    static const char *const types[] = {"f32", "f64", "f16", "f16x2", "bf16", "bf16x2", "f32x2",
                                        NULL};
    static const char *const roundings[] = {"rn", "rz", "rm", "rp", "rna", "rs", NULL};
    return (token_begins(t, "add.") || token_begins(t, "sub.") || token_begins(t, "mul.")) &&
           has_modifier(t, types) && !has_modifier(t, roundings);
}

static void round_it(struct rewrite *r)
{
    copy_until(r, r->lex.token.at + strlen("add"));
    buf_puts(r->out, ".rn");
}

/* ---- printing -------------------------------------------------------------------------- */

struct stand_in {
    const char *name, *ours, *declared;
};

static const struct stand_in stand_ins[] = {
    {"vprintf", "cudalab_vprintf",
     ".func (.param .b32 cudalab_r) cudalab_vprintf "
     "(.param .b64 cudalab_a, .param .b64 cudalab_b);"},
    {"__assertfail", "cudalab_assertfail",
     ".func cudalab_assertfail (.param .b64 cudalab_a, .param .b64 cudalab_b, "
     ".param .b32 cudalab_c, .param .b64 cudalab_d, .param .b64 cudalab_e);"},
};
enum { STAND_INS = sizeof stand_ins / sizeof stand_ins[0] };

static const struct stand_in *stand_in_for(const struct ptx_token *t)
{
    for (int i = 0; i < STAND_INS; i++)
        if (t->kind == TOKEN_WORD && token_equals(t, stand_ins[i].name))
            return &stand_ins[i];
    return NULL;
}

/* From .extern to its semicolon. A declaration of a function that we replace is replaced by ours,
 * on as many lines. */
static void declaration(struct rewrite *r)
{
    const struct stand_in *ours = NULL;
    copy_until(r, r->lex.token.at);
    while (r->lex.token.kind != TOKEN_END && r->lex.token.kind != ';' &&
           r->lex.token.kind != '{') {
        ours = ours ? ours : stand_in_for(&r->lex.token);
        lex_next(&r->lex);
    }
    if (!ours || r->lex.token.kind != ';')
        return;
    buf_puts(r->out, ours->declared);
    for (const char *at = r->kept; at < r->lex.token.at; at++)
        if (*at == '\n')
            buf_putc(r->out, '\n');
    r->kept = r->lex.token.at + 1;
    r->prints = true;
}

/* Not .local where .loc is asked for. */
static bool starts_with(const char *line, const char *word)
{
    size_t blanks = strspn(line, " \t"), n = strlen(word);
    return strncmp(line + blanks, word, n) == 0 && strchr(" \t\n", line[blanks + n]);
}

/* The functions of gpu-print.ptx as part of another module: without the head of a module, and
 * without line numbers, which would count that module's files. After linking, the driver finds only
 * variables that are visible. */
static int add_our_functions(struct rewrite *r, struct err *e)
{
    const struct asset *asset = asset_find("kernels/ptx/gpu-print.ptx");
    if (!asset)
        return fail(e, "this build has no kernels/ptx/gpu-print.ptx; building it anew should "
                       "bring it back");
    const char *line = (const char *)asset->data, *end;
    buf_putc(r->out, '\n');
    for (; *line && !starts_with(line, ".section"); line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        if (starts_with(line, ".version") || starts_with(line, ".target") ||
            starts_with(line, ".address_size") || starts_with(line, ".loc") ||
            starts_with(line, ".file") || strncmp(line, "//", 2) == 0)
            continue;
        if (starts_with(line, ".visible"))
            line += strlen(".visible ");
        if (r->linked && starts_with(line, ".global"))
            buf_puts(r->out, ".visible ");
        buf_add(r->out, line, (size_t)(end - line));
        buf_putc(r->out, '\n');
    }
    return 0;
}

/* ---- the version ----------------------------------------------------------------------- */

static void lower_version(struct rewrite *r)
{
    const char *at = r->lex.token.at; /* "9.0": read here, since the lexer takes it for a float */
    int major = 0, minor = 0;
    size_t n = 0;
    for (; at[n] >= '0' && at[n] <= '9' && major < 1000; n++)
        major = major * 10 + (at[n] - '0');
    if (at[n] != '.')
        return;
    for (n++; at[n] >= '0' && at[n] <= '9' && minor < 1000; n++)
        minor = minor * 10 + (at[n] - '0');
    if (major * 10 + minor <= r->version)
        return;
    copy_until(r, at);
    buf_printf(r->out, "%d.%d", r->version / 10, r->version % 10);
    r->kept = at + n;
}

/* ---- all of it ------------------------------------------------------------------------- */

/* Skips a section for debuggers, up to the brace that ends it. */
static void skip_section(struct rewrite *r)
{
    while (r->lex.token.kind != TOKEN_END && r->lex.token.kind != '{')
        lex_next(&r->lex);
    if (r->lex.token.kind == '{')
        lex_skip_block(&r->lex);
}

/* Does what the current token asks for and goes on to the next. */
static void one_token(struct rewrite *r)
{
    const struct ptx_token *t = &r->lex.token;
    const struct stand_in *ours = stand_in_for(t);
    if (t->kind == TOKEN_DIRECTIVE && token_equals(t, ".section")) {
        skip_section(r);
        return;
    }
    if (ours)
        replace(r, ours->ours);
    else if (t->kind == TOKEN_WORD && may_be_fused(t))
        round_it(r);
    else if (t->kind == TOKEN_DIRECTIVE && token_equals(t, ".extern"))
        declaration(r);
    else if (t->kind == TOKEN_DIRECTIVE && token_equals(t, ".version")) {
        lex_next(&r->lex);
        lower_version(r);
    }
    lex_next(&r->lex);
}

int gpu_ptx(const char *ptx, size_t n, int version, bool linked, struct buf *out, bool *prints,
            const struct go_on *go_on, struct err *e)
{
    struct arena memory = {0};
    struct rewrite r = {.kept = ptx, .out = out, .version = version, .linked = linked};
    int rc = lex_begin(&r.lex, ptx, &memory, &memory, go_on, e);
    if (rc == 0)
        lex_next(&r.lex);
    while (rc == 0 && r.lex.token.kind != TOKEN_END)
        one_token(&r);
    rc = rc != 0 || r.lex.failed ? -1 : 0;
    arena_free(&memory);
    if (rc != 0)
        return -1;
    copy_until(&r, ptx + n);
    *prints = r.prints;
    if (r.prints && add_our_functions(&r, e) != 0)
        return -1;
    return out->failed ? fail_memory(e) : 0;
}
