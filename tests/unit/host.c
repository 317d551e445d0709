/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Host code taken out of sources: what stays, what goes, and that every line keeps its number.
 */
#include "cc/host.h"

#include <stdio.h>
#include <string.h>

static int count, failed;

static void check(bool ok, const char *name)
{
    printf("%sok %d - %s\n", ok ? "" : "not ", ++count, name);
    failed += !ok;
}

/* Without the blanks at the ends of lines and without empty lines. */
static void squeeze(char *text)
{
    char *to = text;
    for (char *at = text; *at; at++) {
        if (*at == '\n')
            while (to > text && to[-1] == ' ')
                to--;
        if (*at == '\n' && (to == text || to[-1] == '\n'))
            continue;
        *to++ = *at;
    }
    while (to > text && (to[-1] == ' ' || to[-1] == '\n'))
        to--;
    *to = 0;
}

static size_t lines(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static const struct {
    const char *name, *in, *left; /* left: NULL for all of it */
} cases[] = {
    {"a kernel", "__global__ void k(int *p) { p[0] = 1; }", NULL},
    {"main", "int main(int argc, char **argv)\n{\n  return 0;\n}", ""},
    {"a declaration", "static void f(int (*g)(int), int x = 3);", ""},
    {"a kernel after main", "int main() { if (1) { f(); } }\n__global__ void k() {}",
     "__global__ void k() {}"},
    {"braces in texts", "void f() { puts(\"}\"); putchar('}'); /* } */ // }\n}\n__device__ int d;",
     "__device__ int d;"},
    {"a raw string", "void f() { g(R\"x(} )\" )x\"); }\n__device__ int d;", "__device__ int d;"},
    {"a template", "template <class T, int N = 3> T f(T x) { return x; }\nint x;", ""},
    {"a device template", "template <class T> __device__ T f(T x) { return x; }", NULL},
    {"an instantiation", "template __global__ void k<float>(float *);", NULL},
    {"both sides", "__host__ __device__ inline float f(float x) { return x; }", NULL},
    {"a host function, said so", "__host__ void f() {}", ""},
    {"variables", "int n = 3;\nfloat *p, a[3] = {1, 2, 3};\nstd::vector<int> v{1, 2};", ""},
    {"a lambda", "auto f = [](int x) { return x; };", ""},
    {"constants", "const int N = 32;\nconstexpr float PI = 3.0f;\n#define M 3\nenum { A, B };",
     NULL},
    {"a constant pointer is a variable", "const char *name = \"x\";", ""},
    {"device variables", "__constant__ float c[3];\nextern __shared__ int s[];", NULL},
    {"a type", "struct P { float x, y; };\ntypedef struct P P;\nusing Q = P;\nstruct R;", NULL},
    {"an aligned type", "struct __align__(16) P { float x, y; };", NULL},
    {"a host's type", "struct T { cudaEvent_t e; T() { cudaEventCreate(&e); } };", ""},
    {"a host's alias", "using C = std::chrono::steady_clock;\nusing namespace std;",
     "using namespace std;"},
    {"a namespace", "namespace a { namespace b {\n__device__ int f() { return 1; }\nint g() {} } }",
     "namespace a { namespace b {\n__device__ int f() { return 1; }\n           } }"},
    {"extern \"C\"", "extern \"C\" {\n__global__ void k() {}\nvoid h();\n}",
     "extern \"C\" {\n__global__ void k() {}\n}"},
    {"extern \"C\" once", "extern \"C\" __global__ void k() {}", NULL},
    {"a macro that says __global__", "#define KERNEL __global__ void\nKERNEL k() {}", NULL},
    {"a macro alone", "INSTANTIATE(float);\nDECLARE(int)\n__global__ void k() {}", NULL},
    {"a constructor elsewhere", "T::T(int x) : a{x}, b(2) { f(); }\n__device__ int d;",
     "__device__ int d;"},
    {"an operator", "bool operator==(A a, A b) { return 1; }\nA &operator=(A a) { }", ""},
    {"directives in host code stay",
     "int main() {\n#ifdef A\n f();\n#endif\n}", "#ifdef A\n#endif"},
    {"headers",
     "#include <vector>\n#include <stdio.h>\n# include <iostream> // x\n#include \"a.h\"",
     "#include <stdio.h>\n                     // x\n#include \"a.h\""},
};

static void test_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct host_report report;
        struct buf out = {0};
        const char *in = cases[i].in, *want = cases[i].left ? cases[i].left : in;
        bool ok = host_blank(in, strlen(in), &out, &report) == 0 && out.len == strlen(in) &&
                  lines(out.data) == lines(in) && report.blanked == (cases[i].left != NULL);
        if (ok)
            squeeze(out.data);
        ok = ok && strcmp(out.data, want) == 0;
        check(ok, cases[i].name);
        if (!ok)
            printf("# [%s]\n", buf_text(&out));
        buf_free(&out);
    }
}

static int blank(const char *text, struct host_report *report)
{
    struct buf out = {0};
    int rc = host_blank(text, strlen(text), &out, report);
    buf_free(&out);
    return rc;
}

static void test_reports(void)
{
    struct host_report r;
    check(blank("#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\n", &r) == 1,
          "a brace opened in both branches: not sure");
    check(blank("void f() {\n", &r) == 1, "a brace that nothing closes: not sure");
    blank("\nint main() {\n  cudaThreadSynchronize();\n}\n", &r);
    check(r.has_old_words, "a removed function");
    blank("int main() { return prop.clockRate; }", &r);
    check(r.has_old_words, "a removed property");
    blank("int main() { int clockRate = 3; cudaDeviceSynchronize(); }", &r);
    check(!r.has_old_words, "a variable of that name is none");
    blank("struct A { int f() { return 1; } };", &r);
    check(r.bare_members && !r.blanked, "a member without __device__ is told");
    blank("struct A { public: int x; __device__ int f() { return 1; } };", &r);
    check(!r.bare_members, "one with it isn't");
    blank("constexpr int f(int x) { return x; }", &r);
    check(r.bare_members && !r.blanked, "constexpr stays, and is told");
}

/* Cut off anywhere, a text is read to its end and no further. */
static void test_ends(void)
{
    static const char text[] = "#define X \\\n 3\n"
                               "int f(a<b> c) { R\"x( y )x\"; 'c'; 1'0e+3; /* z */ }"
                               " template <class T> struct S : B<T> { S() : a{1} {} }; // end\\\n";
    bool ok = true;
    for (size_t n = 0; n < sizeof text; n++) {
        struct host_report report;
        struct buf out = {0};
        ok = ok && host_blank(text, n, &out, &report) >= 0 && out.len == n;
        buf_free(&out);
    }
    check(ok, "every beginning of a text");
}

int main(void)
{
    test_cases();
    test_reports();
    test_ends();
    printf("1..%d\n", count);
    return failed != 0;
}
