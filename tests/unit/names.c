/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mangled names: what compilers wrote (tests/data/cxx-names.txt) read back, what users type for
 * them, and names that are damaged, endless, or met by an allocator that fails.
 */
#include "cxx/name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests_run, tests_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
    tests_failed += !good;
}

/* ---- the table ------------------------------------------------------------------------ */

enum { COLUMNS = 5 };

static bool row_is_right(char *columns[COLUMNS])
{
    struct arena arena = {0};
    struct cxx_name name;
    bool good = cxx_read(columns[0], &arena, &name) == 0;
    if (good) {
        const char *arguments = strcmp(columns[3], "-") ? columns[3] : "";
        good = strcmp(name.full, columns[1]) == 0 && strcmp(name.qualified, columns[2]) == 0 &&
               strcmp(name.arguments, arguments) == 0 &&
               name.param_count == (unsigned)atoi(columns[4]) &&
               cxx_means(&name, columns[1], false) && cxx_means(&name, columns[2], false);
        if (!good)
            printf("# got %s | %s | %s | %u\n", name.full, name.qualified, name.arguments,
                   name.param_count);
    }
    arena_free(&arena);
    return good;
}

static void test_table(void)
{
    const char *top = getenv("top_srcdir");
    char path[1000], line[1000];
    snprintf(path, sizeof path, "%s/tests/data/cxx-names.txt", top ? top : ".");
    FILE *f = fopen(path, "r");
    int rows = 0;
    while (f && fgets(line, sizeof line, f)) {
        char *columns[COLUMNS] = {NULL};
        if (line[0] == '#')
            continue;
        line[strcspn(line, "\n")] = '\0';
        int n = 0;
        for (char *cell = strtok(line, "\t"); cell && n < COLUMNS; cell = strtok(NULL, "\t"))
            columns[n++] = cell;
        ok(n == COLUMNS && row_is_right(columns), columns[1] ? columns[1] : line);
        rows++;
    }
    if (f)
        fclose(f);
    ok(rows >= 120, "the table has at least 120 names");
}

/* ---- what users type ------------------------------------------------------------------ */

static const struct {
    const char *mangled, *typed;
    bool means, loose;
} typed_names[] = {
    {"_Z2tkIfEvPT_i", "tk", true, false},
    {"_Z2tkIfEvPT_i", "tk<float>", true, false},
    {"_Z2tkIfEvPT_i", "tk < float >", true, false},
    {"_Z2tkIfEvPT_i", "tk<double>", false, false},
    {"_Z2tkIfEvPT_i", "t", false, false},
    {"_Z2tkIfEvPT_i", "tk<float>(float*, int)", true, false},
    {"_Z2tkIfEvPT_i", "tk(float *,int)", true, false},
    {"_Z2tkIfEvPT_i", "tk(float*)", false, false},
    {"_Z2tkIfEvPT_i", "::tk", true, false},
    {"_Z2tkIfEvPT_i", "ns::tk", false, false},
    {"_Z2tkIfEvPT_i", "", false, false},
    {"_Z2tkIfEvPT_i", "::", false, false},
    {"_Z2tkIfEvPT_i", "tk<>", false, false},
    {"_Z2tkIjEvPT_i", "tk<unsigned>", true, false},
    {"_Z2tkIjEvPT_i", "tk<uint32_t>", true, false},
    {"_Z2tkIjEvPT_i", "tk<unsigned int>(int unsigned *, signed)", true, false},
    {"_Z2tkIjEvPT_i", "tk<int>", false, false},
    {"_Z2tkIPKfEvPT_i", "tk<const float*>", true, false},
    {"_Z2tkIPKfEvPT_i", "tk<float const *>", true, false},
    {"_Z2tkIPKfEvPT_i", "tk<float*>", false, false},
    {"_ZN3ns11kEPKfPf", "k", true, false},
    {"_ZN3ns11kEPKfPf", "ns1::k", true, false},
    {"_ZN3ns11kEPKfPf", "::k", false, false},
    {"_ZN3ns11kEPKfPf", "::ns1::k", true, false},
    {"_ZN3ns11kEPKfPf", "k(const float *, float *)", true, false},
    {"_ZN3ns11kEPKfPf", "k(float const*,float*)", true, false},
    {"_ZN3ns11kEPKfPf", "k(float *, float *)", false, false},
    {"_ZN3ns11kEPKfPf", "k(float *, float *)", true, true},
    {"_ZN3ns11kEPKfPf", "k(float *, int *)", false, true},
    {"_ZN3ns11kEPKfPf", "ns2::k", false, false},
    {"_Z1kI5PointLi4EEvPT_", "k<Point, 4>", true, false},
    {"_Z1kI5PointLi4EEvPT_", "k<Point,4>", true, false},
    {"_Z1kI5PointLi4EEvPT_", "k<Point>", false, false},
    {"_Z1kI5PointLi4EEvPT_", "k<struct Point,4u>(Point *)", true, false},
    {"_Z2ovi", "ov(const int)", true, false},
    {"_Z2ovi", "ov(int)", true, false},
    {"_Z2ovi", "ov()", false, false},
    {"_Z2ovv", "ov()", true, false},
    {"_Z2ovv", "ov(void)", true, false},
    {"_Z2ovv", "ov", true, false},
    {"_Z2ovPi", "ov(int *const)", true, false},
    {"_Z2ovPi", "ov(int *__restrict__)", true, false},
    {"_Z2ovPVfm", "ov(volatile float *, size_t)", true, false},
    {"_Z2ovPVfm", "ov(float *, long unsigned)", false, false},
    {"_Z2ovPVfm", "ov(float *, unsigned long int)", true, true},
    {"_ZN5outer12_GLOBAL__N_15anon4EPiPKPKi", "outer::anon4", true, false},
    {"_ZN5outer12_GLOBAL__N_15anon4EPiPKPKi", "anon4", true, false},
    {"_ZN5outer12_GLOBAL__N_15anon4EPiPKPKi", "::outer::anon4", true, false},
    {"_ZN5outer12_GLOBAL__N_15anon4EPiPKPKi", "outer::(anonymous namespace)::anon4", true, false},
    {"_ZN5outer12_GLOBAL__N_15anon4EPiPKPKi", "anon4(int*, int const * const *)", true, false},
    {"_ZN5outer12_GLOBAL__N_15anon4EPiPKPKi", "anon4(int*, const int *const*)", true, false},
    {"_ZN5outer12_GLOBAL__N_15anon4EPiPKPKi", "anon4(int*, const int **)", false, false},
    {"_ZN12_GLOBAL__N_14anonEPi", "::anon", true, false},
    {"_Z4litsILb1ELj7ELc65ELln9ELy12345678901EEvPi", "lits<true, 7, 'A', -9, 12345678901>", true,
     false},
    {"_Z4litsILb1ELj7ELc65ELln9ELy12345678901EEvPi", "lits<1,7u,65,-9l,12345678901ull>", true,
     false},
    {"_Z4litsILb1ELj7ELc65ELln9ELy12345678901EEvPi", "lits<false,7,65,-9,12345678901>", false,
     false},
    {"_Z2tvIfEv3VecIT_EPS1_PS0_IS2_ENS2_2ItE",
     "tv<float>(Vec<float>, float*, Vec<Vec<float> >*, Vec<float>::It)", true, false},
    {"_Z2fpPFvifEPFiPKczEPi", "fp(void(*)(int,float), int (*)(char const*, ...), int*)", true,
     false},
    {"_Z4refsPA4_iPA3_A5_fPA8_Kf", "refs(int (*)[4], float(*)[3][5], const float (*) [8])", true,
     false},
    {"_ZN2CTIiE1mEPi", "CT<int>::m", true, false},
    {"_ZN2CTIiE1mEPi", "CT::m", true, false},
    {"_ZN2CTIiE1mEPi", "CT<float>::m", false, false},
    {"_ZNV2OpclEi", "operator()", true, false},
    {"_ZNV2OpclEi", "Op::operator()(int)", true, false},
    {"_Z4callIZ4hostPiEUliE0_EvT_S0_", "call<host(int*)::{lambda(int)#2}>", true, false},
    {"_Z4callIZ4hostPiEUliE0_EvT_S0_", "call<host(int*)::{lambda(int)#1}>", false, false},
    {"_Z5enumsIL4Mode1EL6Colour1EEvPi", "enums<1,1>", true, false},
    {"_Z2tkIfEvPT_i", "tk<float", false, false},
    {"_Z2tkIfEvPT_i", "tk(float*, int", false, false},
    {"_Z2tkIfEvPT_i", "tk<float>>", false, false},
    {"_Z1kPFvvE", "k(void (*)())", true, false},
    {"_Z7nontypeIXadL_Z6table1EEEvPi", "nontype<&table1>", true, false},
};

static void test_typed(void)
{
    for (size_t i = 0; i < sizeof typed_names / sizeof typed_names[0]; i++) {
        struct arena arena = {0};
        struct cxx_name name;
        char what[300];
        bool good =
            cxx_read(typed_names[i].mangled, &arena, &name) == 0 &&
            cxx_means(&name, typed_names[i].typed, typed_names[i].loose) == typed_names[i].means;
        snprintf(what, sizeof what, "'%s'%s %s %s", typed_names[i].typed,
                 typed_names[i].loose ? ", loosely," : "",
                 typed_names[i].means ? "means" : "doesn't mean", name.full ? name.full : "?");
        ok(good, what);
        arena_free(&arena);
    }
}

static void test_parts(void)
{
    struct arena arena = {0};
    struct cxx_name name;
    ok(cxx_read("_ZN3ns12tkIlEEvPT_PKS1_", &arena, &name) == 0 && !strcmp(name.plain, "tk"),
       "the plain name has no scope");
    ok(name.param_count == 2 && !strcmp(name.params[0], "long*") &&
           !strcmp(name.params[1], "const long*"),
       "template parameters are filled in");
    ok(cxx_read("_Z4packIJiPf5PointEEvPiDpT_", &arena, &name) == 0 && name.param_count == 4 &&
           !strcmp(name.params[3], "Point"),
       "a pack is as many parameters as it holds");
    arena_free(&arena);
}

/* ---- names that are none -------------------------------------------------------------- */

static bool refused(const char *mangled)
{
    struct arena arena = {0};
    struct cxx_name name;
    bool yes = cxx_read(mangled, &arena, &name) != 0;
    arena_free(&arena);
    return yes;
}

static void test_refused(void)
{
    static const char *const bad[] = {
        "",
        "k",
        "vecadd",
        "_Z",
        "_Z1",
        "_Z3k",
        "_Z1k",
        "_ZL1k",
        "_Z1kS_",
        "_Z1kT_",
        "_Z1kIfEvT0_",
        "_ZN1kE",
        "_ZNE",
        "_Z1kPX",
        "_Z99999999999999999999kv",
        "_Z1kIT_EvT_",
        "_Z1kvqqq",
        "_Z1kIfEv",
        "_Z1kP",
        "__nv_static_99__x_Z1kv",
        "__nv_static_",
        /* with expressions: sizeof(T) > 2, N + 1, f(x), a float, decltype */
        "_Z6enableIiEN2IfIXgtstT_Li2EEvE4typeEPS1_",
        "_Z4exprILi3EEvPAplT_Li1E_i",
        "_Z2s5IPFiiEEDTclfp_Li1EEET_",
        "_Z1kILf3f800000EEvv",
        "_Z3szdIfEvT_PDTplfL0p_Li1EE",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char what[100];
        snprintf(what, sizeof what, "refused: '%s'", bad[i]);
        ok(refused(bad[i]), what);
    }
}

static void test_variables(void)
{
    static const struct {
        const char *mangled, *typed;
    } rows[] = {
        {"_ZL5table", "table"},
        {"_ZN2ns5tableE", "ns::table"},
        {"_ZN12_GLOBAL__N_15tableE", "table"},
        {"_ZN2ns12_GLOBAL__N_15tableE", "ns::table"},
        {"_ZN34_INTERNAL_58e34aca_4_a_cu_43c1f5ea5tableE", "table"},
        {"_Z1vIiLi4EE", "v<int,4>"},
        {"_ZN2ns1vINS_1SEEE", "ns::v<ns::S>"},
        {"_ZZ1fPiE4tile", "tile"},
        {"_ZZ1kIfEvPT_E1s_0", "s"},
        {"_ZZN2ns1kEvE4tile", "tile"},
        {"_ZZ1kvE4tile$1", "tile"},
        {"_Z1kv", NULL},
        {"table", NULL},
        {"_ZZ1kIiLi2EEv1AIXplT0_Li1EEEE4tile", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena arena = {0};
        const char *got = cxx_variable(rows[i].mangled, &arena);
        ok(rows[i].typed ? got && strcmp(got, rows[i].typed) == 0 : !got, rows[i].mangled);
        arena_free(&arena);
    }
}

/* Each S refers to a type with two of the one before: the text would double 60 times. */
static void test_endless(void)
{
    char text[2000];
    size_t n = (size_t)snprintf(text, sizeof text, "_Z1k1AIiiE");
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (int i = 0; i < 35; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "S_IS%c_S%c_E", digits[i], digits[i]);
    ok(refused(text), "a name that explodes is refused");
    char deep[5000] = "_Z1k";
    memset(deep + 4, 'P', 4000);
    strcpy(deep + 4004, "i");
    ok(refused(deep), "4,000 pointers are refused");
}

/* Every beginning of every name in `typed_names`: read or refused, but nothing worse. */
static void test_cut(void)
{
    long read = 0, none = 0;
    for (size_t i = 0; i < sizeof typed_names / sizeof typed_names[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s", typed_names[i].mangled);
        for (size_t length = strlen(text); length-- > 0;) {
            text[length] = '\0';
            if (refused(text))
                none++;
            else
                read++;
        }
    }
    ok(read > 0 && none > read, "names cut short are mostly refused");
}

struct failing {
    long calls, fail_at;
};

static void *failing_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct failing *f = ctx;
    if (new_size && ++f->calls == f->fail_at)
        return NULL;
    return allocator_libc.resize(NULL, p, old_size, new_size);
}

static void test_memory(void)
{
    static const char mangled[] = "_Z2tvIfEv3VecIT_EPS1_PS0_IS2_ENS2_2ItE";
    bool failed_then_good = true;
    for (long at = 1; at < 3; at++) {
        struct failing f = {0, at};
        struct allocator a = {failing_resize, &f};
        struct arena arena = {.from = &a};
        struct cxx_name name;
        int result = cxx_read(mangled, &arena, &name);
        failed_then_good &= (result != 0) == (f.calls >= at);
        arena_free(&arena);
    }
    ok(failed_then_good, "out of memory is -1");
}

int main(void)
{
    test_table();
    test_typed();
    test_parts();
    test_variables();
    test_refused();
    test_endless();
    test_cut();
    test_memory();
    printf("1..%d\n", tests_run);
    return tests_failed != 0;
}
