/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements of the programs that the generator makes up. Where all threads of a block come
 * together (`uniform`), they may meet at a barrier, exchange values through shared memory, shuffle
 * and vote; their branches and loops go by values that are the same in the whole block (w0, w1).
 * Elsewhere each thread goes its own way. All loops are bounded.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "generate.h"

void open_line(struct gen *g)
{
    printf("%*s", 4 * g->indent, "");
}
void line(struct gen *g, const char *format, ...)
{
    va_list args;
    open_line(g);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}
static void open_brace(struct gen *g)
{
    printf("{\n");
    g->indent++;
}
static void close_brace(struct gen *g)
{
    g->indent--;
    line(g, "}");
}

/* In a text $u is a target of type u, %u any expression of it and @u a short one. "% " is itself.
 */
static void write(struct gen *g, const char *text)
{
    for (const char *s = text; *s; s++) {
        if (*s == '$')
            target(g, *++s);
        else if (*s == '%' && s[1] != ' ')
            any_expression(g, *++s);
        else if (*s == '@')
            expression(g, *++s, 0);
        else
            putchar(*s);
    }
}
/* Are there variables for its targets? */
static bool usable(const struct gen *g, const char *text)
{
    for (const char *s = text; (s = strchr(s, '$')) != NULL; s += 2)
        if (!g->copies[(int)s[1]])
            return false;
    return true;
}
static const char *pick(struct gen *g, const char *const *texts, int count)
{
    const char *text;
    do
        text = texts[below(g, count)];
    while (!usable(g, text));
    return text;
}
#define PICK(g, texts) pick(g, texts, (int)(sizeof(texts) / sizeof *(texts)))

static void statement(struct gen *g, const char *text)
{
    open_line(g);
    write(g, text);
    putchar('\n');
}

static char any_type(struct gen *g)
{
    return g->types[below(g, (int)strlen(g->types))];
}

static void assign(struct gen *g)
{
    char type = any_type(g);
    open_line(g);
    target(g, type);
    printf(" = ");
    any_expression(g, type);
    printf(";\n");
}

static void change(struct gen *g)
{
    static const char *const texts[] = {
        "$u += %u;",           "$u ^= %u;", "$u *= %u;", "$u -= %u;", "$u <<= %u & 31u;",
        "$u >>= %u & 31u;",    "$U += %U;", "$U ^= %U;", "$U *= %u;", "$i ^= %i;",
        "$i >>= %u & 31u;",    "$I &= %I;", "$c += %c;", "$s -= %s;", "$f += %f;",
        "$f *= %f;",           "$d -= %d;", "$u++;",     "--$u;",     "if (%b) $u = %u;",
        "if (%b) $f = -(@f);", "$b = %b;",
    };
    statement(g, PICK(g, texts));
}

/* Vectors: loaded whole, used by parts. */
static void vector(struct gen *g)
{
    static const char *const texts[] = {
        "{ uint4 q = ((const uint4 *)in)[%u & 255u]; $u ^= q.x + q.w; $u += q.y * q.z; }",
        "{ float4 q = ((const float4 *)in)[%u & 255u]; $f = q.x * q.y; $f = q.z - q.w; }",
        "{ int2 q = ((const int2 *)in)[%u & 511u]; $i = q.x & q.y; $i = max(q.x, q.y); }",
        "{ double2 q = ((const double2 *)in)[%u & 255u]; $d = q.x + q.y; }",
        "{ ushort4 q = ((const ushort4 *)in)[%u & 511u]; $s = (u16)(q.x + q.w); "
        "$u = (u32)q.y * q.z; }",
        "{ char4 q = ((const char4 *)in)[%u & 1023u]; $i = q.x * q.y; $C = (i8)(q.z ^ q.w); }",
        "{ __half2 q = ((const __half2 *)in)[%u & 1023u]; $H = __hmul2_rn(q, %H); }",
        "{ ulonglong2 q = ((const ulonglong2 *)in)[%u & 255u]; $U = q.x - q.y; }",
        "{ float2 q = make_float2(%f, %f); if (%b) q = make_float2(q.y, q.x); $f = q.x - q.y; }",
        "{ u32 (*way)(u32, u32) = %b ? way_a : way_b; $u = way(%u, %u); }",
        "{ bool more; $u = __vibmax_u32(%u, %u, &more); $b = more; }",
        "{ uint3 q = make_uint3(%u, %u, %u); $u = q.x; $u += q.z ^ q.y; }",
    };
    statement(g, PICK(g, texts));
}

/* A body whose threads come and go as those around it, or apart from each other. */
static void body(struct gen *g, int count, int depth, bool uniform)
{
    bool was = g->uniform;
    g->uniform = was && uniform;
    open_brace(g);
    statements(g, count, depth - 1);
    g->indent--;
    g->uniform = was;
}

/* A condition, the same for all threads of the block or not */
static void condition(struct gen *g, bool uniform)
{
    if (!uniform)
        any_expression(g, 'b');
    else if (one_in(g, 2))
        printf("(w%d >> %d & 1u) != 0u", below(g, 2), below(g, 8));
    else
        printf("w%d %% %du < %du", below(g, 2), 3 + below(g, 5), 1 + below(g, 4));
}

static void branch(struct gen *g, int depth)
{
    bool uniform = g->uniform && one_in(g, 3);
    open_line(g);
    printf("if (");
    condition(g, uniform);
    printf(") ");
    body(g, 1 + below(g, 3), depth, uniform);
    while (one_in(g, 4)) {
        open_line(g);
        printf("} else if (");
        condition(g, uniform);
        printf(") ");
        body(g, 1 + below(g, 2), depth, uniform);
    }
    if (one_in(g, 2)) {
        open_line(g);
        printf("} else ");
        body(g, 1 + below(g, 3), depth, uniform);
    }
    line(g, "}");
}

/* The rounds of a loop that this counter counts: a few */
static void rounds(struct gen *g, bool uniform)
{
    if (uniform)
        printf("(w%d & 3u) + 1u", below(g, 2));
    else if (one_in(g, 3))
        printf("%du", 1 + below(g, 5));
    else {
        expression(g, 'u', 1);
        printf(" & 7u");
    }
}

static void loop(struct gen *g, int depth)
{
    bool uniform = g->uniform && one_in(g, 3), could_break = g->may_break;
    int n = g->counters, kind = below(g, 4);
    line(g, "{");
    g->indent++;
    if (kind != 0) {
        open_line(g);
        printf("const u32 most%d = ", n);
        rounds(g, uniform);
        printf(";\n");
        line(g, "u32 n%d = 0u;", n);
    }
    g->counters++, g->loops++;
    g->may_break = !uniform;
    open_line(g);
    if (kind == 0)
        printf("for (u32 n%d = %du; n%d > 0u; n%d >>= 1) ", n, 1 + below(g, 200), n, n);
    else if (kind == 1)
        printf("while (n%d++ < most%d) ", n, n);
    else if (kind == 2)
        printf("do ");
    else
        printf("for (; n%d < most%d; n%d++) ", n, n, n);
    body(g, 1 + below(g, 3), depth, uniform);
    if (kind == 2)
        line(g, "} while (++n%d < most%d);", n, n);
    else
        line(g, "}");
    g->counters--, g->loops--;
    g->may_break = could_break;
    close_brace(g);
}

static void leave(struct gen *g)
{
    open_line(g);
    printf("if (");
    any_expression(g, 'b');
    printf(") %s;\n", one_in(g, 2) ? "break" : "continue");
}

static void choose(struct gen *g, int depth)
{
    bool uniform = g->uniform && one_in(g, 3), could_break = g->may_break;
    int cases = 2 + below(g, one_in(g, 3) ? 10 : 4);
    open_line(g);
    printf("switch (");
    if (uniform)
        printf("w%d", below(g, 2));
    else
        any_expression(g, 'u');
    printf(" %% %du) {\n", cases + below(g, 3));
    g->may_break = false; /* a break would leave the switch */
    for (int i = 0; i < cases; i++) {
        line(g, "case %du:", i);
        bool was = g->uniform;
        g->uniform = was && uniform;
        g->indent++;
        statements(g, 1 + below(g, 2), depth - 2);
        if (!one_in(g, 4))
            line(g, "break;");
        g->indent--;
        g->uniform = was;
    }
    if (one_in(g, 2)) {
        line(g, "default:");
        g->indent++;
        assign(g);
        g->indent--;
    }
    line(g, "}");
    g->may_break = could_break;
}

/* Out of two loops at once */
static void leap(struct gen *g)
{
    int label = g->labels++;
    bool was = g->uniform;
    g->uniform = false;
    int n = g->counters;
    line(g, "for (u32 n%d = 0u; n%d < 4u; n%d++) {", n, n, n);
    line(g, "    for (u32 n%d = 0u; n%d < 3u; n%d++) {", n + 1, n + 1, n + 1);
    g->counters += 2, g->indent += 2;
    assign(g);
    open_line(g);
    printf("if (");
    any_expression(g, 'b');
    printf(") goto out%d;\n", label);
    change(g);
    g->counters--, g->indent--;
    line(g, "}");
    assign(g);
    g->counters--, g->indent--;
    line(g, "}");
    g->uniform = was;
    line(g, "out%d:;", label);
}

/* ---- what needs the threads of a block, or of a warp, together ------------------------------ */

static void shuffle(struct gen *g)
{
    static const char kinds[] = "uuiUIfdhHB";
    static const char *const texts[] = {"__shfl_xor_sync(~0u, ", "__shfl_up_sync(~0u, ",
                                        "__shfl_down_sync(~0u, ", "__shfl_sync(~0u, "};
    char type = kinds[below(g, 10)];
    int how = below(g, 4);
    open_line(g);
    target(g, type);
    printf(" = %s", texts[how]);
    any_expression(g, type);
    if (how == 3) {
        printf(", (int)(");
        any_expression(g, 'u');
        printf(" & 63u)");
    } else {
        printf(", %d", below(g, 33));
    }
    if (one_in(g, 3))
        printf(", %d", 1 << (1 + below(g, 5)));
    printf(");\n");
}

static void vote(struct gen *g)
{
    static const char *const texts[] = {
        "$u = __ballot_sync(~0u, %b);",
        "$b = __any_sync(~0u, %b) != 0;",
        "$b = __all_sync(~0u, %b) != 0;",
        "$u = __match_any_sync(~0u, %u & 3u);",
        "$u = __match_any_sync(~0u, %U & 1u);",
        "{ int same; $u = __match_all_sync(~0u, %u & 1u, &same); $b = same != 0; }",
        "$u = sum_of(~0u, %u);",
        "$u = greatest_of(~0u, %u);",
        "{ u32 some = __ballot_sync(~0u, %b); if (some >> lane & 1u) { "
        "$u = __shfl_sync(some, %u, __ffs(some) - 1); $u += __popc(__ballot_sync(some, %b)); } }",
        "{ u32 some = __ballot_sync(~0u, %b); if (some >> lane & 1u) { $u ^= sum_of(some, %u); "
        "$f = __shfl_sync(some, %f, 31 - __clz((int)some)); } else { $u += %u; } }",
        "if (lane & 1u) $u = __shfl_xor_sync(0xaaaaaaaau, %u, 2);",
        "if (lane < 16u) $i = __shfl_down_sync(0xffffu, %i, 3, 16); else $u = %u;",
        "if (lane >= 16u) $b = __any_sync(0xffff0000u, %b) != 0; else $b = __all_sync(0xffffu, "
        "%b);",
        "{ u32 same = __match_any_sync(~0u, %u & 3u); $u = sum_of(same, %u); }",
    };
    statement(g, PICK(g, texts));
}

/* Each thread writes its own element, all meet, and each reads any. */
static void exchange(struct gen *g)
{
    static const char *const texts[] = {
        "words[t] = %u;|$u = words[%u % size];",
        "words[t] = %u;|$u ^= words[(t + 1u) % size]; $u += words[size - 1u - t];",
        "longs[t] = %U;|$U = longs[%u % size];",
        "doubles[t] = %d;|$d = doubles[%u % size];",
        "fours[t] = make_uint4(%u, @u, %u, @u);|"
        "{ uint4 q = fours[%u % size]; $u = q.x + q.y; $u = q.z ^ q.w; }",
        "quads[t] = make_float4(%f, @f, @f, %f);|"
        "{ float4 q = quads[%u % size]; $f = q.x; $f = q.y + q.z * q.w; }",
        "bytes[t] = %c;|$c = bytes[%u % size]; $u = bytes[(t ^ 1u) % size];",
        "halves[t] = %h;|$h = halves[%u % size];",
        "shorts[t] = %S;|$S = shorts[%u % size];",
        "floats[t ^ 3u] = %f;|$f = floats[t]; $f += floats[%u % size];",
    };
    const char *text = PICK(g, texts), *reads = strchr(text, '|');
    char writes[128];
    snprintf(writes, sizeof writes, "%.*s", (int)(reads - text), text);
    line(g, "__syncthreads();");
    statement(g, writes);
    line(g, "__syncthreads();");
    statement(g, reads + 1);
}

static void count(struct gen *g)
{
    static const char *const texts[] = {
        "$u = (u32)__syncthreads_count(%b);", "$b = __syncthreads_and(%b) != 0;",
        "$b = __syncthreads_or(%b) != 0;", "w1 = w1 * 5u + (u32)__syncthreads_count(%b);"};
    if (one_in(g, 3))
        line(g, "w%d = w0 * 0x%xu + w1;", below(g, 2), (unsigned)constant(g));
    else
        statement(g, PICK(g, texts));
}

/* Atomics on shared memory, of one kind until the next barrier: their order is nobody's. */
static void phase(struct gen *g, int depth)
{
    static const char *const kinds[] = {
        "atomicAdd(&sums[%u & 31u], %u);",
        "atomicAdd(&sums[%u & 1u], %u);",
        "atomicSub(&sums[%u & 31u], %u);",
        "atomicMin(&sums[%u & 31u], %u);",
        "atomicMax(&sums[%u & 31u], %u);",
        "atomicMax((i32 *)&sums[%u & 31u], %i);",
        "atomicMin((i32 *)&sums[%u & 31u], %i);",
        "atomicAnd(&sums[%u & 31u], %u);",
        "atomicOr(&sums[%u & 31u], %u);",
        "atomicXor(&sums[%u & 31u], %u);",
        "atomicInc(&sums[%u & 31u], 12u);",
        "atomicAdd(&long_sums[%u & 15u], %U);",
        "atomicMax(&long_sums[%u & 15u], %U);",
        "atomicMin((i64 *)&long_sums[%u & 15u], %I);",
        "atomicXor(&long_sums[%u & 15u], %U);",
        "atomicAdd(&float_sums[%u & 15u], (float)(%u & 15u));",
        "atomicAdd(&double_sums[%u & 15u], (double)%i);",
        "atomicAdd(&half_sums[%u & 15u], __floats2half2_rn((float)(%u & 1u), 1.0f));",
    };
    const char *was = g->atomic;
    bool was_uniform = g->uniform;
    g->atomic = PICK(g, kinds);
    line(g, "__syncthreads();");
    line(g, "if (t < 16u) long_sums[t] = t * 0x123456789abcull, float_sums[t] = 1.0f, "
            "double_sums[t] = 2.0, "
            "half_sums[t] = half2_of(0u);");
    line(g, "if (t < 32u) sums[t] = %s;",
         strstr(g->atomic, "Inc") ? "0u"
         : one_in(g, 2)           ? "t * 0x1234567u"
                                  : "in[t]");
    line(g, "__syncthreads();");
    g->uniform = false;
    statement(g, g->atomic);
    statements(g, 1 + below(g, 3), depth - 1);
    g->uniform = was_uniform;
    line(g, "__syncthreads();");
    statement(g, "$u += sums[%u & 31u];");
    statement(g, strstr(g->atomic, "long_sums")    ? "$U = long_sums[%u & 15u];"
                 : strstr(g->atomic, "float_sums") ? "$f = float_sums[%u & 15u];"
                 : strstr(g->atomic, "half_sums")  ? "$H = half_sums[%u & 15u];"
                                                   : "$d = double_sums[%u & 15u];");
    g->atomic = was;
}

/* On global memory, where each word knows one kind; nobody reads them. */
static void global_atomic(struct gen *g)
{
    static const char *const texts[] = {
        "atomicAdd(&tail[%u & 7u], %u);",
        "atomicMax(&tail[8u + (%u & 7u)], %u);",
        "atomicXor(&tail[16u + (%u & 7u)], %u);",
        "atomicOr(&tail[24u + (%u & 7u)], %u & %u);",
        "atomicAdd((u64 *)tail + 16u + (%u & 3u), %U);",
        "atomicMin((i64 *)tail + 20u + (%u & 3u), %I);",
        "atomicMin((i32 *)tail + 48u + (%u & 7u), %i);",
        "atomicAdd((float *)tail + 56u + (%u & 3u), (float)(%u & 15u));",
        "atomicAdd((double *)tail + 30u, (double)%S);",
        "atomicDec(&tail[62u], 1000u);",
    };
    statement(g, PICK(g, texts));
}

static void together(struct gen *g, int depth)
{
    switch (below(g, 7)) {
    case 0:
    case 1: shuffle(g); break;
    case 2:
    case 3: vote(g); break;
    case 4: exchange(g); break;
    case 5: count(g); break;
    default:
        if (g->atomic)
            vote(g);
        else
            phase(g, depth);
    }
}

static void any_statement(struct gen *g, int depth)
{
    if (g->uniform && one_in(g, 3)) {
        together(g, depth);
        return;
    }
    if (g->may_break && one_in(g, 5)) {
        leave(g);
        return;
    }
    int kind = below(g, 16);
    if (kind < 3 && depth > 0)
        branch(g, depth);
    else if (kind < 5 && depth > 0 && g->loops < 2)
        loop(g, depth);
    else if (kind == 5 && depth > 1)
        choose(g, depth);
    else if (kind == 6 && g->in_kernel && depth > 0)
        global_atomic(g);
    else if (kind == 7 && g->atomic)
        statement(g, g->atomic);
    else if (kind == 8)
        vector(g);
    else if (kind == 9 && g->loops == 0 && depth > 1)
        leap(g);
    else if (kind < 12)
        change(g);
    else
        assign(g);
}

void statements(struct gen *g, int count, int depth)
{
    for (int i = 0; i < count; i++)
        any_statement(g, depth);
}
