/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declarations read out of CUDA C source: parameters, variables, typedefs, lines and structs,
 * each from a piece of source to a line of text, and sources that are cut or damaged.
 */
#include "cc/declare.h"
#include "base/buf.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static int tests_run, tests_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
    tests_failed += !good;
}

enum { MOST = 32 };

static void put_declared(struct buf *out, const struct declared *d)
{
    buf_printf(out, "%s %s", d->type, d->name);
    for (unsigned i = 0; i < d->dim_count; i++)
        buf_printf(out, "[%llu]", (unsigned long long)d->dims[i]);
    if (d->is_pointer)
        buf_printf(out, " ->%s", d->pointee);
    if (d->restricted)
        buf_puts(out, " restrict");
}

static void put_params(struct buf *out, const char *text, const char *kernel, struct arena *a)
{
    struct declared params[MOST];
    struct tokens t;
    int line, n = -1;
    if (declare_read(text, strlen(text), a, &t) == 0)
        n = declared_kernel(&t, kernel, params, MOST, &line);
    if (n < 0)
        buf_puts(out, "none");
    for (int i = 0; i < n; i++) {
        buf_puts(out, i ? "; " : "");
        put_declared(out, &params[i]);
    }
}

static void put_variable(struct buf *out, const char *text, const char *name, struct arena *a)
{
    struct declared d;
    struct tokens t;
    if (declare_read(text, strlen(text), a, &t) == 0 && declared_variable(&t, name, &d) == 0)
        put_declared(out, &d);
    else
        buf_puts(out, "none");
}

static void put_typedef(struct buf *out, const char *text, const char *name, struct arena *a)
{
    struct declared d;
    struct tokens t;
    struct buf with = {0};
    buf_printf(&with, "%s __device__ %s of_it;", text, name);
    bool found = declare_read(buf_text(&with), with.len, a, &t) == 0 &&
                 declared_variable(&t, "of_it", &d) == 0 && strcmp(d.type, name) != 0;
    buf_puts(out, found ? d.type : "none");
    buf_free(&with);
}

static void put_line(struct buf *out, const char *text, const char *name, struct arena *a)
{
    struct tokens t;
    int line = 0;
    if (declare_read(text, strlen(text), a, &t) == 0)
        declared_kernel(&t, name, NULL, 0, &line);
    buf_printf(out, "%d", line);
}

static void put_struct(struct buf *out, const char *text, const char *name, struct arena *a)
{
    struct declared_layout layout;
    struct tokens t;
    if (declare_read(text, strlen(text), a, &t) != 0 || declared_struct(&t, name, &layout) != 0) {
        buf_puts(out, "none");
        return;
    }
    for (unsigned i = 0; i < layout.count; i++) {
        put_declared(out, &layout.fields[i].is);
        buf_printf(out, " %llu+%llu; ", (unsigned long long)layout.fields[i].offset,
                   (unsigned long long)layout.fields[i].size);
    }
    buf_printf(out, "%llu/%llu", (unsigned long long)layout.size, (unsigned long long)layout.align);
}

typedef void put_function(struct buf *, const char *text, const char *name, struct arena *);

static const struct {
    put_function *put;
    const char *text, *name, *want;
} cases[] = {
    /* parameters */
    {put_params, "__global__ void k(const float *x, int n) {}", "k",
     "const float* x ->float; int n"},
    {put_params, "__global__ void k() {}", "k", ""},
    {put_params, "__global__ void k(void) {}", "k", ""},
    {put_params, "__global__ void k(int) {}", "k", "int "},
    {put_params, "__global__ void k(int n) {}", "j", "none"},
    {put_params, "void k(int n) {}", "k", "none"},
    {put_params, "extern \"C\" __global__ void k(unsigned n) {}", "k", "unsigned int n"},
    {put_params, "extern \"C\" { __global__ void k(float a) {} }", "k", "float a"},
    {put_params, "__global__ void k(long unsigned a, unsigned long long b, short int c) {}", "k",
     "unsigned long a; unsigned long long b; short c"},
    {put_params, "__global__ void k(float *__restrict__ a, const float *__restrict b) {}", "k",
     "float* a ->float restrict; const float* b ->float restrict"},
    {put_params, "__global__ void k(float a[], int b[4], int c[][8]) {}", "k",
     "float* a ->float; int* b ->int; int (*)[8] c ->int[8]"},
    {put_params, "__global__ void k(float (*p)[4], void (*f)(int, float)) {}", "k",
     "float (*)[4] p ->float[4]; void (*)(int, float) f ->void(int, float)"},
    {put_params, "__global__ void k(int **a, float *const *b, const int *const c) {}", "k",
     "int** a ->int*; float* const* b ->float*; const int* c ->int"},
    {put_params, "__global__ void k(const int n, int const *p) {}", "k",
     "const int n; const int* p ->int"},
    {put_params, "__global__ void k(struct P p, Point *q, ns::Vec<float, 3> v) {}", "k",
     "P p; Point* q ->Point; ns::Vec<float, 3> v"},
    {put_params, "__global__ void __launch_bounds__(256, 2) k(int n) {}", "k", "int n"},
    {put_params, "__launch_bounds__(256) __global__ void k(int n) {}", "k", "int n"},
    {put_params, "__global__ __launch_bounds__(MAX(1, 2)) static void k(int n) {}", "k", "int n"},
    {put_params, "__global__ void\nk ( int n /* ) */ , // float z\n float\t* x )\n{}", "k",
     "int n; float* x ->float"},
    {put_params, "// __global__ void k(int a) {}\n__global__ void k(float b) {}", "k", "float b"},
    {put_params, "/* __global__ void k(int a) {} */ __global__ void k(float b) {}", "k", "float b"},
    {put_params, "const char *s = \"__global__ void k(int a) {}\";__global__ void k(float b) {}",
     "k", "float b"},
    {put_params, "auto s = R\"x(__global__ void k(int a) {} )\" )x\"; __global__ void k(float b){}",
     "k", "float b"},
    {put_params, "#if 0\n__global__ void k(int a) {}\n#else\n__global__ void k(float b) {}\n#endif",
     "k", "float b"},
    {put_params,
     "#if 0\n#ifdef A\n#else\n__global__ void k(int a) {}\n#endif\n#endif\n"
     "__global__ void k(float b) {}",
     "k", "float b"},
    {put_params, "#define K \\\n __global__ void k(int a) {}\n__global__ void k(float b) {}", "k",
     "float b"},
    {put_params, "__global__ void k(int a);\n__global__ void k(float b) {}", "k", "float b"},
    {put_params, "__global__ void k(int a);", "k", "int a"},
    {put_params, "template <typename T, int N = 4> __global__ void k(T *a, const T b) {}", "k",
     "T* a ->T; const T b"},
    {put_params, "template <class T> __global__ typename If<(sizeof(T) > 2), void>::type k(T a) {}",
     "k", "T a"},
    {put_params, "namespace a { namespace b { __global__ void k(int n) {} } }", "a::b::k", "int n"},
    {put_params, "template <> __global__ void k<float>(float *a) {}", "k", "float* a ->float"},
    {put_params, "__global__ void k(int n = (1, 2), float f = g<1, 2>(3)) {}", "k",
     "int n; float f"},
    {put_params, "typedef unsigned char byte; __global__ void k(const byte *p, byte q) {}", "k",
     "const unsigned char* p ->unsigned char; unsigned char q"},
    {put_params, "using real = double; typedef real *row; __global__ void k(row r, row *s) {}", "k",
     "double* r ->double; double** s ->double*"},
    {put_params, "__global__ void k(uint8_t *a, size_t n, int64_t m, uint u) {}", "k",
     "unsigned char* a ->unsigned char; unsigned long n; long m; unsigned int u"},
    {put_params, "__global__ void k(volatile int *p, const volatile float *q) {}", "k",
     "volatile int* p ->int; const volatile float* q ->float"},
    {put_params, "__global__ void k(float4 v, dim3 d, bool b, char c, signed char s) {}", "k",
     "float4 v; dim3 d; bool b; char c; signed char s"},
    {put_params, "__global__ void k(const __grid_constant__ P p) {}", "k", "const P p"},
    {put_params, "__global__ void a(int x) {} __global__ void ab(float y) {}", "ab", "float y"},
    {put_params, "__global__ void k(REAL *x, T_ARG y) {}", "k", "REAL* x ->REAL; T_ARG y"},
    {put_params, "__global__ void k(int *a, Ts... ts) {}", "k", "int* a ->int; Ts ts"},
    {put_params, "char c = '\"'; char d = '\\''; __global__ void k(int n) {}", "k", "int n"},
    {put_params, "__global__ void k(int n", "k", "none"},
    {put_params, "__global__ void k(", "k", "none"},
    {put_params, "__global__", "k", "none"},
    /* variables */
    {put_variable, "__device__ float table[4][8];", "table", "float table[4][8]"},
    {put_variable, "__constant__ int k = 5;", "k", "int k"},
    {put_variable, "static __device__ unsigned long long c;", "c", "unsigned long long c"},
    {put_variable, "__managed__ double m[2 * 3 + 1];", "m", "double m[7]"},
    {put_variable, "__device__ int a, b[10], *c;", "b", "int b[10]"},
    {put_variable, "__device__ int a = f(1, 2), b[10], *c;", "c", "int* c ->int"},
    {put_variable, "__device__ int a[] = {1, 2, 3}, b;", "a", "int a[0]"},
    {put_variable, "__device__ int a[] = {1, 2, 3}, b;", "b", "int b"},
    {put_variable, "namespace n { __constant__ float w[3]; }", "n::w", "float w[3]"},
    {put_variable, "#define N 256 // threads\n__device__ float x[N];", "x", "float x[256]"},
    {put_variable, "#define N (1 << 4)\n#define M (N*2)\n__device__ float x[M + N / 3];", "x",
     "float x[37]"},
    {put_variable, "const int N = 0x20; __device__ float x[N];", "x", "float x[32]"},
    {put_variable, "enum { N = 7 }; __device__ float x[N];", "x", "float x[7]"},
    {put_variable, "__device__ float x[UNKNOWN][3];", "x", "float x[0][3]"},
    {put_variable, "#define N N\n__device__ float x[N];", "x", "float x[0]"},
    {put_variable, "__device__ float x[1 / 0];", "x", "float x[0]"},
    {put_variable, "__device__ struct P points[3];", "points", "P points[3]"},
    {put_variable, "__device__ struct P { int a; } p;", "p", "P p"},
    {put_variable, "__device__ __align__(16) float x[4];", "x", "float x[4]"},
    {put_variable, "__device__ volatile int flag;", "flag", "volatile int flag"},
    {put_variable, "int __device__ x;", "x", "int x"},
    {put_variable, "extern \"C\" __device__ int x;", "x", "int x"},
    {put_variable, "__device__ int f(int x) { return x; }", "f", "none"},
    {put_variable, "__device__ int f(int x) { return x; }", "x", "none"},
    {put_variable, "int x;", "x", "none"},
    {put_variable, "typedef float real; __device__ real x[2];", "x", "float x[2]"},
    {put_variable, "__device__ int x[1'000];", "x", "int x[1000]"},
    /* typedefs */
    {put_typedef, "typedef unsigned char byte;", "byte", "unsigned char"},
    {put_typedef, "using T = const float *;", "T", "const float*"},
    {put_typedef, "typedef int a; typedef a b; typedef b *c;", "c", "int*"},
    {put_typedef, "typedef struct P P;", "P", "none"},
    {put_typedef, "typedef struct { int x; } P;", "P", "none"},
    {put_typedef, "typedef A B; typedef B A;", "A", "none"}, /* a circle */
    /* lines */
    {put_line, "\n\n__global__ void\nk(int n)\n{\n}", "k", "4"},
    {put_line, "__global__ void k(int);\n/*\n*/\n__global__ void k(int n) {}", "k", "4"},
    {put_line, "#define A \\\n 1\n__global__ void k(int n) {}", "k", "3"},
    {put_line, "__global__ void k(int);", "k", "0"},
    /* structs */
    {put_struct, "struct P { float x, y; int id[3]; };", "P",
     "float x 0+4; float y 4+4; int id[3] 8+12; 20/4"},
    {put_struct, "struct P { char c; double d; short s; };", "P",
     "char c 0+1; double d 8+8; short s 16+2; 24/8"},
    {put_struct, "typedef struct { int *p; float4 v; } Q;", "Q",
     "int* p ->int 0+8; float4 v 16+16; 32/16"},
    {put_struct, "struct A { short s; char c; }; struct B { char c; A a[2]; };", "B",
     "char c 0+1; A a[2] 2+8; 10/2"},
    {put_struct, "struct P { int a = 3; };", "P", "int a 0+4; 4/4"},
    {put_struct, "struct P { int f(); };", "P", "none"},
    {put_struct, "struct P { int a : 3; };", "P", "none"},
    {put_struct, "struct P : Q { int a; };", "P", "none"},
    {put_struct, "struct P { Unknown u; };", "P", "none"},
    {put_struct, "struct P { P p; };", "P", "none"},
    {put_struct, "#pragma pack(1)\nstruct P { char c; int i; };", "P", "none"},
    {put_struct, "struct P { int a[N]; };", "P", "none"},
    {put_struct, "struct P { int a", "P", "none"},
};

enum { CASES = sizeof cases / sizeof cases[0] };

static void test_cases(void)
{
    for (size_t i = 0; i < CASES; i++) {
        struct arena arena = {0};
        struct buf got = {0};
        cases[i].put(&got, cases[i].text, cases[i].name, &arena);
        bool good = strcmp(buf_text(&got), cases[i].want) == 0;
        char what[200];
        snprintf(what, sizeof what, "%s: %s", cases[i].name, cases[i].text);
        for (char *c = what; *c; c++)
            *c = *c == '\n' || *c == '#' ? ' ' : *c;
        ok(good, what);
        if (!good)
            printf("# want %s\n# got  %s\n", cases[i].want, buf_text(&got));
        buf_free(&got);
        arena_free(&arena);
    }
}

static void read_all(const char *text, size_t n, const char *name)
{
    struct arena arena = {0};
    struct declared out[MOST];
    struct declared_layout layout;
    struct tokens t;
    int line;
    if (declare_read(text, n, &arena, &t) == 0) {
        declared_kernel(&t, name, out, MOST, &line);
        declared_variable(&t, name, out);
        declared_struct(&t, name, &layout);
    }
    arena_free(&arena);
}

/* A text ends where its length says, and any end will do. */
static void test_cut(void)
{
    for (size_t i = 0; i < CASES; i++)
        for (size_t n = 0; n < strlen(cases[i].text); n++)
            read_all(cases[i].text, n, cases[i].name);
    ok(true, "sources cut anywhere do no harm");
}

static bool variable_of(const char *text, size_t n, struct arena *arena, struct declared *out)
{
    struct tokens t;
    return declare_read(text, n, arena, &t) == 0 && declared_variable(&t, "x", out) == 0;
}

static void test_hostile(void)
{
    static char deep[60000];
    struct declared out;
    struct arena arena = {0};
    static const char macros[] = "#define A B+B\n#define B C+C\n#define C D+D\n#define D E+E\n"
                                 "#define E F+F\n#define F A+A\n__device__ int x[A];";
    size_t n = (size_t)snprintf(deep, sizeof deep, "__device__ int x[");
    memset(deep + n, '(', sizeof deep - n);
    ok(!variable_of(deep, sizeof deep, &arena, &out), "brackets that never close");
    memset(deep + n, '-', sizeof deep - n);
    memcpy(deep + sizeof deep - 4, "1]; ", 4);
    ok(variable_of(deep, sizeof deep, &arena, &out) && out.dims[0] == 0,
       "signs without end have no value");
    ok(variable_of(macros, sizeof macros - 1, &arena, &out) && out.dims[0] == 0,
       "macros in a circle have no value");
    arena_free(&arena);
}

/* Seconds to read a file with n kernels, and as many types, variables and structs, and to ask for
 * each. */
static double seconds_for(unsigned n)
{
    struct buf text = {0};
    struct arena arena = {0};
    struct tokens t;
    struct declared d, params[MOST];
    struct declared_layout layout;
    char name[20];
    int line;
    unsigned good = 0;
    for (unsigned i = 0; i < n; i++)
        buf_printf(&text,
                   "typedef float t%u; const int n%u = %u;\n__device__ t%u v%u[n%u];\n"
                   "struct s%u { t%u a; };\n__global__ void k%u(t%u *x) { __shared__ t%u y; }\n",
                   i, i, i + 1, i, i, i, i, i, i, i, i);
    clock_t start = clock();
    bool read = declare_read(buf_text(&text), text.len, &arena, &t) == 0;
    for (unsigned i = 0; read && i < n; i++) {
        snprintf(name, sizeof name, "v%u", i);
        good += declared_variable(&t, name, &d) == 0 && d.dims[0] == i + 1;
        snprintf(name, sizeof name, "k%u", i);
        good += declared_kernel(&t, name, params, MOST, &line) == 1;
        snprintf(name, sizeof name, "s%u", i);
        good += declared_struct(&t, name, &layout) == 0 && layout.size == 4;
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    arena_free(&arena);
    buf_free(&text);
    return good == 3 * n ? seconds : -1;
}

/* Eight times as many take eight times as long, and a little; a search through all for each would
 * take 64 times as long. */
static void test_many(void)
{
    double few = 1e9, many = 1e9;
    for (int i = 0; i < 3; i++) {
        double a = seconds_for(500), b = seconds_for(4000);
        few = a < few ? a : few;
        many = b < many ? b : many;
    }
    ok(few >= 0 && many >= 0, "thousands of declarations are all found");
    ok(many < 32 * (few + 1e-4), "and finding one doesn't search through all");
    printf("# 500: %.4f s, 4000: %.4f s\n", few, many);
}

int main(void)
{
    test_many();
    test_cases();
    test_cut();
    test_hostile();
    printf("1..%d\n", tests_run);
    return tests_failed != 0;
}
