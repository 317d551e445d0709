/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the expression compiler: values against long double libm, precedence, every
 * message with its column, limits, allocations that fail, and the PTX text. Running that
 * PTX is not done here: this program needs neither simulator nor GPU.
 */
#include "expr/expr.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests_run;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
}

/* ---- values ---- */

static long double f_sin(long double x) { return sinl(x); }
static long double f_cos(long double x) { return cosl(x); }
static long double f_tan(long double x) { return tanl(x); }
static long double f_exp(long double x) { return expl(x); }
static long double f_log(long double x) { return logl(x); }
static long double f_sqrt(long double x) { return sqrtl(x); }
static long double f_abs(long double x) { return fabsl(x); }
static long double f_square(long double x) { return x * x + 1; }
static long double f_cube(long double x) { return x * x * x - 2 * x + 5; }
static long double f_x64(long double x) { return powl(x, 64); }
static long double f_inverse(long double x) { return 1 / powl(x, 7); }
static long double f_2x(long double x) { return powl(2, x); }
static long double f_xx(long double x) { return powl(x, x); }
static long double f_third(long double x) { return powl(x, 1.0 / 3); }
static long double f_x65(long double x) { return powl(x, 65); }
static long double f_negpow(long double x) { return powl(-3, x); }
static long double f_power(long double x) { return powl(x, -2.5L); }
static long double f_gauss(long double x) { return expl(-x * x / 2) / sqrtl(2 * M_PI); }
static long double f_sinc(long double x) { return sinl(x) / x; }
static long double f_damped(long double x) { return expl(-fabsl(x) / 10) * cosl(3 * x); }
static long double f_circle(long double x) { return 4 / (1 + x * x); }
static long double f_logistic(long double x) { return 1 / (1 + expl(-x)); }
static long double f_tower(long double x) { return sqrtl(fabsl(sinl(x) + x * cosl(x))); }
static long double f_logpoly(long double x) { return logl(x * x + 1) * sinl(x * x); }
static long double f_sinpi(long double x) { return sinl((double)M_PI * x); }
static long double f_mixed(long double x) { return tanl(x / 80) + powl(1.5L, x / 10) - 3 * x; }

static const struct {
    const char *text;
    long double (*truth)(long double);
} curves[] = {
    {"sin(x)", f_sin},
    {"cos(x)", f_cos},
    {"tan(x)", f_tan},
    {"exp(x)", f_exp},
    {"log(x)", f_log},
    {"sqrt(x)", f_sqrt},
    {"abs(x)", f_abs},
    {"x^2+1", f_square},
    {"x^3 - 2*x + 5", f_cube},
    {"x^64", f_x64},
    {"x^-7", f_inverse},
    {"2^x", f_2x},
    {"x^x", f_xx},
    {"x^(1/3)", f_third},
    {"x^65", f_x65},
    {"(-3)^x", f_negpow},
    {"x^-2.5", f_power},
    {"exp(-x^2/2)/sqrt(2*pi)", f_gauss},
    {"sin(x)/x", f_sinc},
    {"exp(-abs(x)/10)*cos(3*x)", f_damped},
    {"4/(1+x^2)", f_circle},
    {"1/(1+exp(-x))", f_logistic},
    {"sqrt(abs(sin(x) + x*cos(x)))", f_tower},
    {"log(x^2+1)*sin(x^2)", f_logpoly},
    {"sin(pi*x)", f_sinpi},
    {"tan(x/80) + 1.5^(x/10) - 3*x", f_mixed},
};
enum { CURVES = sizeof curves / sizeof curves[0], STEPS = 24000 };

static const float edges[] = {
    0, -0.0F, 1, -1, 0.5F, -0.5F, 2, -2, 1e-30F, -1e-30F, FLT_MIN, 1e-45F, -1e-45F, 100, -100,
    3.1415927F, 1.5707964F, -3.1415927F, 88.72284F, 88.722832F, -87.336548F, -103.97F, 0.99999994F,
    1.0000001F, 0.70710677F, 1.4142135F, 3, -3, 4, -5, 7, 0.34657359F, 22, 355,
};

/* How far got is from the truth, in float spacings there; 0 where both have no number. */
static double ulps(float got, long double truth)
{
    int exponent;
    if (isnan(truth) || isnan(got))
        return isnan(truth) && isnan(got) ? 0 : INFINITY;
    if (isinf((float)truth) || isinf(got))
        return (float)truth == got ? 0 : INFINITY;
    frexpl(truth, &exponent);
    if (truth == 0 || exponent < -125)
        exponent = -125;
    return (double)(fabsl((long double)got - truth) / ldexpl(1, exponent - 24));
}

/* Within 2^-21 of a small truth is near enough; everything else counts in spacings. */
static double judge(const struct expr *e, float x, long double (*truth)(long double))
{
    long double right = truth(x);
    float got = (float)expr_eval(e, x);
    double off = ulps(got, right);
    bool near_zero = fabsl(right) < 0x1p-20L && fabsl(got - right) < 0x1p-40L;
    return off > 4 && near_zero ? 0 : off;
}

static void test_curve(const char *text, long double (*truth)(long double))
{
    struct expr *e;
    struct expr_error error;
    double worst = 0;
    float worst_x = 0;
    char line[160];
    if (expr_parse(text, &e, &error)) {
        ok(false, text);
        return;
    }
    for (int i = 0; i <= STEPS + (int)(sizeof edges / sizeof edges[0]); i++) {
        float x = i <= STEPS ? -100 + (float)i * (200.0F / STEPS) : edges[i - STEPS - 1];
        double off = judge(e, x, truth);
        if (off > worst) {
            worst = off;
            worst_x = x;
        }
    }
    snprintf(line, sizeof line, "%s within 4 ulp: worst %.4f at x = %.9g", text, worst,
             (double)worst_x);
    ok(worst <= 4, line);
    expr_free(e);
}

/* The double itself against the truth rounded to double, relative. */
static void test_double(const char *text, long double (*truth)(long double), double from, double to)
{
    struct expr *e;
    struct expr_error error;
    long double worst = 0;
    char line[160];
    if (expr_parse(text, &e, &error)) {
        ok(false, text);
        return;
    }
    for (int i = 0; i < STEPS; i++) {
        double x = from + (to - from) * (i + 0.37) / STEPS;
        long double right = truth(x), off = fabsl((expr_eval(e, x) - right) / right);
        worst = off > worst ? off : worst;
    }
    snprintf(line, sizeof line, "%s as a double from %g to %g: off by %.2g at most", text, from, to,
             (double)worst);
    ok(worst < 1e-13L, line);
    expr_free(e);
}

/* ---- single values: precedence, special values ---- */

static const struct {
    const char *text;
    double x, value;
} values[] = {
    {"-x^2", 3, -9},
    {"(-x)^2", 3, 9},
    {"2^3^2", 0, 512},
    {"(2^3)^2", 0, 64},
    {"2^-1", 0, 0.5},
    {"-2^-2", 0, -0.25},
    {"x^-x", 2, 0.25},
    {"1-2-3", 0, -4},
    {"8/4/2", 0, 1},
    {"2+3*4", 0, 14},
    {"(2+3)*4", 0, 20},
    {"2*x^2", 3, 18},
    {"-x*x", 3, -9},
    {"2*-x", 3, -6},
    {"x--1", 3, 4},
    {"x+-+-1", 3, 4},
    {"--x", 3, 3},
    {"---x", 3, -3},
    {"6/2*3", 0, 9},
    {" x\t+ 1 ", 1, 2},
    {".5+5.+1e1+1E-1+2e+0", 0, 17.6},
    {"e", 0, 2.718281828459045},
    {"2*e-1", 0, 4.43656365691809},
    {"sin(0)+cos(0)", 0, 1},
    {"abs(-x)", 4, 4},
    {"sqrt(x)^2", 4, 4},
    {"x^0", NAN, 1},
    {"0^x", 0, 1},
    {"0^x", 2, 0},
    {"0^x", -1, INFINITY},
    {"x^x", 0, 1},
    {"x^0.5", 9, 3},
    {"x^0.5", -9, NAN},
    {"x^1", -7, -7},
    {"(-2)^x", 3, -8},
    {"(-2)^x", 4, 16},
    {"(-2)^x", 2.5, NAN},
    {"1^x", INFINITY, 1},
    {"1^x", NAN, 1},
    {"(-1)^x", INFINITY, 1},
    {"2^x", INFINITY, INFINITY},
    {"2^x", -INFINITY, 0},
    {"0.5^x", INFINITY, 0},
    {"2^x", NAN, NAN},
    {"x^1.5", NAN, NAN},
    {"x^1.5", INFINITY, INFINITY},
    {"x^65", -INFINITY, -INFINITY},
    {"exp(x)", 1000, INFINITY},
    {"exp(x)", INFINITY, INFINITY},
    {"exp(x)", -1000, 0},
    {"exp(x)", -INFINITY, 0},
    {"exp(x)", NAN, NAN},
    {"exp(x)", 0, 1},
    {"log(x)", 0, -INFINITY},
    {"log(x)", -0.0, -INFINITY},
    {"log(x)", -1, NAN},
    {"log(x)", -INFINITY, NAN},
    {"log(x)", INFINITY, INFINITY},
    {"log(x)", NAN, NAN},
    {"log(x)", 1, 0},
    {"log(x)", 1e-310, -713.801378828154},
    {"sin(x)", INFINITY, NAN},
    {"cos(x)", -INFINITY, NAN},
    {"tan(x)", NAN, NAN},
    {"sin(x)", 1e6, -0.3499935021712930},
    {"sin(x)", 1e12, -0.6112387023768895},
    {"1/x", 0, INFINITY},
    {"1/x", -0.0, -INFINITY},
    {"x/x", 0, NAN},
    {"sqrt(x)", -1, NAN},
};

static bool same_value(double got, double right)
{
    if (isnan(right) || isinf(right) || right == 0)
        return isnan(right) ? isnan(got) : got == right;
    return fabs(got - right) <= 2e-14 * fabs(right);
}

static void test_values(void)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct expr *e;
        struct expr_error error;
        char line[160];
        double got = -12345;
        if (expr_parse(values[i].text, &e, &error) == 0) {
            got = expr_eval(e, values[i].x);
            expr_free(e);
        }
        snprintf(line, sizeof line, "%s at %g is %.17g", values[i].text, values[i].x, got);
        ok(same_value(got, values[i].value), line);
    }
}

static void test_huge_angles(void)
{
    struct expr *e;
    struct expr_error error;
    bool good = expr_parse("sin(x) + 2*cos(x)", &e, &error) == 0;
    for (double x = 1e6; good && x < 3e38; x *= 1.37)
        good = fabs(expr_eval(e, x)) <= 3 && fabs(expr_eval(e, -x)) <= 3;
    ok(good, "sin and cos of huge numbers stay within [-1, 1]");
    expr_free(good ? e : NULL);
}

/* ---- errors ---- */

static const struct {
    const char *text;
    int column;
    const char *word;
} mistakes[] = {
    {"", 1, "x^2+1"},
    {"   ", 4, "nothing"},
    {"2x", 1, "2x: write 2*x"},
    {"1 + 2 x", 5, "2 x: write 2*x"},
    {"2(x+1)", 1, "write 2*("},
    {"x(2)", 1, "write x*("},
    {"(x)(x)", 3, "write )*("},
    {"2pi", 1, "write 2*pi"},
    {"x^2 x", 3, "write 2*x"},
    {"sin(x)cos(x)", 6, "*cos"},
    {"2e", 1, "2*e"},
    {"3sin(x)", 1, "3*sin"},
    {"x2", 1, "x^2"},
    {"xx", 1, "x*x"},
    {"xsin(x)", 1, "x*sin"},
    {"sn(x)", 1, "did you mean sin"},
    {"1+sqr(x)", 3, "did you mean sqrt"},
    {"coz(x)", 1, "did you mean cos"},
    {"ln(x)", 1, "write log"},
    {"pow(x,2)", 1, "a^b"},
    {"t^2", 1, "variable is x"},
    {"X^2", 1, "write x"},
    {"SIN(x)", 1, "write sin"},
    {"frobnicate(x)", 1, "there are x, pi, e"},
    {"sin x", 1, "sin(x)"},
    {"sin", 1, "parentheses"},
    {"sin()", 5, "sin(x)"},
    {"()", 2, "nothing between"},
    {"sin(x,2)", 6, "one argument"},
    {"2,5", 2, "2.5"},
    {"x+", 3, "follow +"},
    {"x + * 2", 5, "* cannot follow +"},
    {"*x", 1, "before *"},
    {"/x", 1, "before /"},
    {"x^", 3, "follow ^"},
    {"-", 2, "follow -"},
    {"x**2", 2, "x^2"},
    {"(x+1", 1, "never closed"},
    {"2*(x+(1)", 3, "never closed"},
    {"sin(x", 4, "never closed"},
    {"x)", 2, "closes nothing"},
    {")", 1, "closes nothing"},
    {"(x+)", 4, ") cannot follow +"},
    {"y = x^2", 1, "variable is x"},
    {"x = 2", 3, "no ="},
    {"|x|", 1, "abs(x)"},
    {"x!", 2, "factorial"},
    {"x % 2", 3, "no %"},
    {"[x]", 1, "( and )"},
    {"x $ 2", 3, "no $"},
    {"x\n+1", 2, "byte 0x0a"},
    {"x\xC2\xB2", 2, "write ^2"},
    {"2*\xCF\x80", 3, "write pi"},
    {"x\xFF", 2, "byte 0xff"},
    {"1.2.3", 1, "one decimal point"},
    {".", 1, "0.5"},
    {"1e999", 1, "too large"},
    {"0x10", 1, "decimal"},
};

static void test_mistakes(void)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct expr *e = NULL;
        struct expr_error error;
        char line[400];
        int failed = expr_parse(mistakes[i].text, &e, &error);
        snprintf(line, sizeof line, "error %zu, column %d: %s", i + 1, error.column, error.text);
        ok(failed == -1 && !e && error.column == mistakes[i].column &&
               strstr(error.text, mistakes[i].word),
           line);
        expr_free(e);
    }
}

/* ---- limits ---- */

/* head written count times, the middle, tail count times */
static char *repeat(const char *head, int count, const char *middle, const char *tail)
{
    size_t h = strlen(head), t = strlen(tail), m = strlen(middle);
    char *text = malloc((h + t) * (size_t)count + m + 1), *at = text;
    for (int i = 0; text && i < count; i++, at += h)
        memcpy(at, head, h);
    for (int i = -1; text && i < count; i++) {
        memcpy(at, i < 0 ? middle : tail, i < 0 ? m : t);
        at += i < 0 ? m : t;
    }
    if (text)
        *at = '\0';
    return text;
}

static void test_limit(const char *what, char *text, const char *word)
{
    struct expr *e = NULL;
    struct expr_error error;
    int failed = text ? expr_parse(text, &e, &error) : 1;
    ok(word ? failed == -1 && strstr(error.text, word) : failed == 0, what);
    expr_free(e);
    free(text);
}

static void test_limits(void)
{
    test_limit("200 parentheses", repeat("(", 200, "x", ")"), NULL);
    test_limit("201 parentheses", repeat("(", 201, "x", ")"), "nested too deeply");
    test_limit("2000 open parentheses", repeat("(", 2000, "", ""), "nested too deeply");
    test_limit("200 powers", repeat("x^", 200, "x", ""), NULL);
    test_limit("2000 powers", repeat("x^", 2000, "x", ""), "nested too deeply");
    test_limit("130 nested sines", repeat("sin(", 130, "x", ")"), NULL);
    test_limit("500 nested sines", repeat("sin(", 500, "x", ")"), "nested too deeply");
    test_limit("4000 signs are no nesting", repeat("-", 4000, "x", ""), NULL);
    test_limit("4096 bytes", repeat("x+", 2047, "1.", ""), NULL);
    test_limit("4097 bytes", repeat("x+", 2048, "x", ""), "too long");
    test_limit("a long name", repeat("a", 3000, "", ""), "there are x");
    test_limit("a long number", repeat("1", 300, "", ""), NULL);
    test_limit("long factors", repeat("1", 300, " x", ""), "write the *");
}

/* As many different powers as fit: the arithmetic has a limit of its own. */
static void test_too_big(void)
{
    char text[EXPR_MAX_TEXT + 1];
    size_t n = 0;
    for (int i = 10; n + 10 < sizeof text; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "x^(x+.%d)+", i % 90 + 10);
    snprintf(text + n - 1, 2, "%s", "");
    struct expr *e = NULL;
    struct expr_error error;
    int failed = expr_parse(text, &e, &error);
    ok(failed == 0 || strstr(error.text, "too much"), "a line full of powers");
    expr_free(e);
}

/* ---- memory that runs out ---- */

struct budget {
    long left, held;
};

static void *spend(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct budget *b = ctx;
    if (new_size && b->left-- <= 0)
        return NULL;
    void *fresh = new_size ? realloc(p, new_size) : (free(p), NULL);
    if (!new_size || fresh)
        b->held += (long)new_size - (p ? (long)old_size : 0);
    return fresh;
}

static void test_memory(void)
{
    struct budget budget = {0, 0};
    const struct allocator from = {spend, &budget};
    bool told = true;
    int failed = -1;
    long allowed = 0;
    for (; failed && allowed < 100; allowed++) {
        struct expr *e = NULL;
        struct expr_error error;
        budget.left = allowed;
        failed = expr_parse_with(&from, "x^x + sin(x) + log(x)", &e, &error);
        told = told && (!failed || (!e && strstr(error.text, "memory") && error.column > 0));
        expr_free(e);
    }
    ok(failed == 0 && allowed > 4, "parsing works once memory is enough");
    ok(told, "each allocation may fail, and the error says so");
    ok(budget.held == 0, "nothing leaks, sizes agree");
}

/* ---- PTX ---- */

static const char *const forms[] = {
    "ld.param.f32",   "cvt.f64.f32",     "cvt.rn.f32.f64",  "cvt.rn.f64.s64", "cvt.rni.f64.f64",
    "add.rn.f64",     "sub.rn.f64",      "mul.rn.f64",      "div.rn.f64",     "fma.rn.f64",
    "sqrt.rn.f64",    "abs.f64",         "neg.f64",         "setp.lt.f64",    "setp.eq.f64",
    "setp.lt.s64",    "setp.eq.s64",     "selp.f64",        "mov.b64",        "mov.f64",
    "add.s64",        "sub.s64",         "and.b64",         "xor.b64",        "shl.b64",
    "shr.s64",        "st.param.f32",    NULL,
};

static bool known_line(const char *line)
{
    for (int i = 0; forms[i]; i++)
        if (strncmp(line + 1, forms[i], strlen(forms[i])) == 0 && line[1 + strlen(forms[i])] == ' ')
            return true;
    return *line != '\t' || line[1] == '.' || strcmp(line, "\tret;") == 0;
}

static void test_ptx(const char *text)
{
    struct expr *e;
    struct expr_error error;
    struct buf out = {0};
    char line[200];
    bool good = expr_parse(text, &e, &error) == 0;
    if (good) {
        good = expr_ptx(e, "area_f", &out) == 0 &&
               strstr(buf_text(&out), ".func (.param .b32 func_retval0) area_f(") &&
               strstr(buf_text(&out), "[area_f_param_0]");
        for (char *at = out.data, *end; good && at && (end = strchr(at, '\n')); at = end + 1) {
            *end = '\0';
            good = known_line(at);
        }
        expr_free(e);
    }
    snprintf(line, sizeof line, "PTX of %s: known forms only", text);
    ok(good, line);
    buf_free(&out);
}

static void test_ptx_size(void)
{
    struct expr *e;
    struct expr_error error;
    struct buf out = {0};
    bool good = expr_parse("x^2+1", &e, &error) == 0 && expr_ptx(e, "f", &out) == 0;
    ok(good && strstr(buf_text(&out), "mul.rn.f64 \t%fd0, %fd0, %fd0;") &&
           strstr(buf_text(&out), "add.rn.f64 \t%fd0, %fd0, 0d3FF0000000000000;"),
       "x^2+1 is one product and one sum, in one register");
    expr_free(good ? e : NULL);
    buf_free(&out);
}

/* ---- integrals ---- */

static const struct {
    const char *text;
    double from, to, value;
} areas[] = {
    {"x^2+1", -3, 3, 24},
    {"4/(1+x^2)", 0, 1, 3.14159265358979324},
    {"sin(x)", 0, 3.14159265358979324, 2},
    {"exp(x)", 0, 1, 1.71828182845904524},
    {"5", 2, 4, 10},
    {"x", 3, 1, -4},
    {"1/x", -1, 1, INFINITY},
    {"log(x)", 0, 1, -INFINITY},
    {"sqrt(x)", -1, 1, NAN},
    {"x", 2, 2, 0},
};

static void test_areas(void)
{
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        struct expr *e;
        struct expr_error error;
        char line[160];
        double off = -1, got = -1;
        if (expr_parse(areas[i].text, &e, &error) == 0) {
            got = expr_integral(e, areas[i].from, areas[i].to, 100, &off);
            expr_free(e);
        }
        snprintf(line, sizeof line, "integral of %s: %.17g, off by %.1g at most", areas[i].text,
                 got, off);
        bool good = same_value(got, areas[i].value);
        if (isfinite(areas[i].value))
            good = good && off >= fabs(got - areas[i].value) && off < 1e-12;
        ok(good, line);
    }
}

static void test_text(void)
{
    struct expr *e;
    struct expr_error error;
    bool good = expr_parse("2*pi + exp(1)", &e, &error) == 0;
    ok(good && strcmp(expr_text(e), "2*pi + exp(1)") == 0, "the text is kept");
    expr_free(good ? e : NULL);
}

/* ---- elements of arrays ---- */

static int whole_is(const char *text, enum expr_fault fault, int64_t wanted)
{
    /* i = 7 of the shape 2x3x4: plane 0, row 1, col 3 */
    static const uint64_t input[EXPR_ELEMENT_INPUTS] = {7, 24, 1, 3, 0};
    struct expr *e;
    struct expr_error error;
    int64_t v = 0;
    if (expr_parse_element(text, true, &e, &error) != 0)
        return 0;
    enum expr_fault got = expr_eval_whole(e, input, &v);
    expr_free(e);
    return got == fault && (fault || v == wanted);
}

static bool real_is(const char *text, double wanted)
{
    static const uint64_t input[EXPR_ELEMENT_INPUTS] = {7, 24, 1, 3, 0};
    struct expr *e;
    struct expr_error error;
    if (expr_parse_element(text, false, &e, &error) != 0)
        return false;
    double v = expr_eval_real(e, input);
    expr_free(e);
    return v == wanted || (v != v && wanted != wanted);
}

static void test_elements(void)
{
    ok(whole_is("2*i+1", 0, 15), "2*i+1 at 7");
    ok(whole_is("100*plane+10*row+col-n", 0, -11), "all names");
    ok(whole_is("-i^2", 0, -49) && whole_is("(-2)^3", 0, -8), "powers and signs");
    ok(whole_is("(-7)/2", 0, -3) && whole_is("(-7)%4", 0, -3), "/ and % as in C");
    ok(whole_is("9223372036854775807-i", 0, INT64_MAX - 7), "exact up to 2^63-1");
    ok(whole_is("2^63", EXPR_OVERFLOW, 0) && whole_is("2^62*2-1", EXPR_OVERFLOW, 0) &&
           whole_is("i^40", EXPR_OVERFLOW, 0) &&
           whole_is("(-2^62*2)/(row-2)", EXPR_OVERFLOW, 0), "what takes more than 64 bits");
    ok(whole_is("2^62+(2^62-1)", 0, INT64_MAX) && whole_is("(-1)^1000001", 0, -1) &&
           whole_is("0^0", 0, 1), "and what just fits");
    ok(whole_is("i/(row-1)", EXPR_BY_ZERO, 0) && whole_is("i%(row-1)", EXPR_BY_ZERO, 0),
       "division by 0");
    ok(whole_is("2^(0-i)", EXPR_NEGATIVE_POWER, 0), "a power below 0");
    ok(real_is("i/2", 3.5) && real_is("i%4", 3) && real_is("-i%4", -3), "not whole: / and %");
    for (int k = 0; k < 2000; k++) {
        char text[80];
        double a = k * 1234567.25 - 3e8, b = (k % 37) * 0.3 + 0.1;
        snprintf(text, sizeof text, "(%.17g)%%(%.17g)", a, b);
        if (!real_is(text, fmod(a, b)))
            return ok(false, text);
    }
    ok(real_is("1e300%7", fmod(1e300, 7)) && real_is("1%0", NAN), "% is C's fmod");
}

int main(void)
{
    for (int i = 0; i < CURVES; i++)
        test_curve(curves[i].text, curves[i].truth);
    test_double("sin(x)", f_sin, -1000, 1000);
    test_double("cos(x)", f_cos, -1e6, 1e6);
    test_double("tan(x)", f_tan, -100, 100);
    test_double("exp(x)", f_exp, -700, 700);
    test_double("log(x)", f_log, 0, 5);
    test_double("x^x", f_xx, 0, 30);
    test_double("2^x", f_2x, -150, 150);
    test_values();
    test_huge_angles();
    test_mistakes();
    test_limits();
    test_too_big();
    test_memory();
    for (int i = 0; i < CURVES; i++)
        test_ptx(curves[i].text);
    test_ptx("3 + pi");
    test_ptx_size();
    test_areas();
    test_text();
    test_elements();
    printf("1..%d\n", tests_run);
    return 0;
}
