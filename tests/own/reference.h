/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a reference NAME.c includes: it defines `void reference(void)`, which
 * does to the arrays on the host what the launches of NAME.cu do; main() is here.
 * The script `references` makes one program of all of them:
 *
 *   ./ref NAME.cu         prints the arrays that NAME.cu expects
 *   ./ref NAME.cu DIR     compares them with DIR/ARRAY.raw (little endian), and
 *                         DIR/out.txt with the output lines if either exists;
 *                         `ok`, or `not ok: ...` for each difference, status 0 or 1
 *
 * reference() finds the arrays as they are before the first launch. A `fill`
 * between two launches it has to redo itself, by refill("NAME", "FILL").
 */
#ifndef OWN_REFERENCE_H
#define OWN_REFERENCE_H

#include "fills.h"

static struct plan own_plan;

struct named_reference {
    const char *name;
    void (*compute)(void);
};

/* The last has no name. */
extern const struct named_reference named_references[];

static inline struct own_array *need_array(const char *name)
{
    struct own_array *a = find_array(&own_plan, name);
    if (!a)
        die("%s: no array %s", own_plan.path, name);
    return a;
}

static inline void *array(const char *name)
{
    return need_array(name)->data;
}

static inline size_t count(const char *name)
{
    return need_array(name)->count;
}

static inline void refill(const char *name, const char *fill)
{
    fill_array(need_array(name), fill);
}

static inline double element_real(const struct own_array *a, const unsigned char *p)
{
    double wide;
    float single;
    uint16_t half;
    if (a->size == 8)
        return memcpy(&wide, p, 8), wide;
    if (a->size == 4)
        return memcpy(&single, p, 4), single;
    return memcpy(&half, p, 2), half_to_double(half);
}

static inline void element_text(const struct own_array *a, const unsigned char *p, char *text)
{
    uint64_t value = 0;
    for (size_t b = 0; b < a->size; b++)
        value |= (uint64_t)p[b] << 8 * b;
    int unused = 64 - 8 * (int)a->size;
    if (a->type[0] == 'f')
        sprintf(text, "%.*g", a->size == 8 ? 17 : a->size == 4 ? 9 : 5, element_real(a, p));
    else if (a->type[0] == 'i')
        sprintf(text, "%lld", (long long)(value << unused) >> unused);
    else
        sprintf(text, "%llu", (unsigned long long)value);
}

static inline int element_same(const struct own_array *a, const unsigned char *got,
                               const unsigned char *want, double rtol, double atol)
{
    if (!memcmp(got, want, a->size))
        return 1;
    if (a->type[0] != 'f')
        return 0;
    double g = element_real(a, got), w = element_real(a, want);
    if (g != g || w != w)
        return g != g && w != w; /* a NaN is as good as another */
    double difference = g > w ? g - w : w - g;
    return rtol + atol > 0 && difference <= rtol * (w < 0 ? -w : w) + atol;
}

static inline int compare_array(const struct own_array *a, const char *folder, double rtol,
                                double atol)
{
    char path[4096], got_text[64], want_text[64];
    size_t bytes = a->count * a->size;
    unsigned char *got = get_memory(bytes);
    snprintf(path, sizeof path, "%s/%s.raw", folder, a->name);
    FILE *file = fopen(path, "rb");
    int bad = !file || fread(got, 1, bytes, file) != bytes || fgetc(file) != EOF;
    if (bad)
        printf("not ok: %s has not exactly %zu bytes\n", path, bytes);
    for (size_t i = 0; i < a->count && !bad; i++) {
        const unsigned char *g = got + i * a->size, *w = a->data + i * a->size;
        bad = !element_same(a, g, w, rtol, atol);
        if (!bad)
            continue;
        element_text(a, g, got_text);
        element_text(a, w, want_text);
        printf("not ok: %s %zu %s %s\n", a->name, i, got_text, want_text);
    }
    if (file)
        fclose(file);
    free(got);
    return bad;
}

static inline int compare_output(const char *folder)
{
    char path[4096], line[4096];
    size_t number = 0;
    snprintf(path, sizeof path, "%s/out.txt", folder);
    FILE *file = fopen(path, "r");
    for (size_t i = 0; i < own_plan.directives; i++) {
        const struct directive *d = &own_plan.directive[i];
        if (strcmp(d->word, "output"))
            continue;
        if (!file || !fgets(line, sizeof line, file))
            strcpy(line, "(nothing)");
        line[strcspn(line, "\r\n")] = 0;
        if (strcmp(line, d->rest)) {
            printf("not ok: output %zu \"%s\" \"%s\"\n", number, line, d->rest);
            return 1;
        }
        number++;
    }
    if (file && fgets(line, sizeof line, file)) {
        printf("not ok: output %zu \"%.*s\" (nothing)\n", number, (int)strcspn(line, "\r\n"), line);
        return 1;
    }
    return 0;
}

static inline void print_array(const struct own_array *a)
{
    char text[64];
    printf("%s %s %zu:", a->name, a->type, a->count);
    for (size_t i = 0; i < a->count; i++) {
        element_text(a, a->data + i * a->size, text);
        printf(" %s", text);
    }
    putchar('\n');
}

static inline void prepare(void)
{
    int launched = 0;
    for (size_t i = 0; i < own_plan.directives; i++) {
        const struct directive *d = &own_plan.directive[i];
        if (!strcmp(d->word, "array") || !strcmp(d->word, "variable"))
            make_array(&own_plan, d->rest, d->word[0] == 'v');
        else if (!strcmp(d->word, "fill") && !launched)
            fill_named(&own_plan, d->rest);
        else if (!strcmp(d->word, "launch"))
            launched = 1;
    }
}

/* Compute what the file's kernels should have computed. */
static inline void compute(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (const struct named_reference *r = named_references; r->name; r++) {
        size_t length = strlen(r->name);
        if (!strncmp(name, r->name, length) && !strcmp(name + length, ".cu")) {
            r->compute();
            return;
        }
    }
    die("%s: no reference", path);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3)
        die("usage: ref NAME.cu [DIR]");
    read_plan(&own_plan, argv[1]);
    prepare();
    compute(argv[1]);
    int bad = argc == 3 ? compare_output(argv[2]) : 0;
    for (size_t i = 0; i < own_plan.directives; i++) {
        const struct directive *d = &own_plan.directive[i];
        char name[64];
        double rtol = 0, atol = 0;
        if (!strcmp(d->word, "output") && argc == 2)
            printf("output: %s\n", d->rest);
        if (strcmp(d->word, "expect"))
            continue;
        if (sscanf(d->rest, "%63s %lf %lf", name, &rtol, &atol) < 1)
            die("%s: bad expect: %s", argv[1], d->rest);
        if (argc == 3)
            bad |= compare_array(need_array(name), argv[2], rtol, atol);
        else
            print_array(need_array(name));
    }
    if (argc == 3 && !bad)
        puts("ok");
    return bad;
}

#endif
