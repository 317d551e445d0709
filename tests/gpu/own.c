/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a test of tests/own on a GPU, to see what the kernels really do:
 *
 *   ./own NAME.cu NAME.ptx DIR > DIR/out.txt
 *
 * loads the PTX with the driver API, follows the directives of NAME.cu, writes
 * each array and module variable to DIR/ARRAY.raw, and leaves what the kernels
 * print on stdout (in the GPU's own order of blocks). `./ref NAME.cu DIR` then
 * compares. Kernels are found as they are typed, `tk<float>` or `ov(int*)`, by
 * the demangled names of the PTX's entries; `c++filt` must be on the path.
 * Build: cc -std=c11 -Wall -Wextra -I../own own.c -o own -lcuda
 */
#define _POSIX_C_SOURCE 200809L
#include "fills.h"
#include <cuda.h>

enum { MAX_PARAMETERS = 32, MAX_BYTES = 256 };

struct parameter {
    size_t size;
    int real; /* .f32 or .f64 */
};

struct entry {
    char mangled[512], name[1024]; /* name: demangled, no blanks, no result type */
    size_t base;                   /* its length without the parameter list */
    size_t parameters;
    struct parameter parameter[MAX_PARAMETERS];
    struct entry *next;
};

struct run {
    struct plan plan;
    char *ptx;
    struct entry *entries;
    CUmodule module;
    CUdeviceptr at[MAX_ARRAYS];
    int cooperative;
};

static void must(CUresult result, const char *what)
{
    const char *text = NULL;
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorString(result, &text);
    fflush(stdout);
    die("%s: %s", what, text ? text : "unknown error");
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        die("%s: cannot be read", path);
    long length = ftell(file);
    rewind(file);
    char *text = get_memory((size_t)length + 1);
    if (fread(text, 1, (size_t)length, file) != (size_t)length)
        die("%s: cannot be read", path);
    fclose(file);
    return text;
}

/* ---- the entries of the PTX ---- */

static void remove_blanks(char *text)
{
    char *to = text;
    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            *to++ = *text;
    *to = 0;
}

static size_t length_without_list(const char *name)
{
    size_t length = strlen(name), i = length;
    int depth = 0;
    if (!length || name[length - 1] != ')')
        return length;
    do {
        i--;
        depth += (name[i] == ')') - (name[i] == '(');
    } while (i && depth);
    return i;
}

/* letters, digits, _ and $ only (the caller saw to that), so quotes are enough */
static void demangle(struct entry *e)
{
    char command[600], line[1024] = "";
    snprintf(command, sizeof command, "c++filt '%s'", e->mangled);
    FILE *pipe = popen(command, "r");
    if (!pipe || !fgets(line, sizeof line, pipe))
        die("c++filt cannot be run");
    pclose(pipe);
    strcpy(e->name, strncmp(line, "void ", 5) ? line : line + 5);
    remove_blanks(e->name);
    e->base = length_without_list(e->name);
}

/* `.param .u64 .ptr .align 4 name` or `.param .align 4 .b8 name[12]`, up to , or ) */
static struct parameter read_parameter(const char *text, size_t length)
{
    char declaration[512];
    struct parameter p = {0, 0};
    snprintf(declaration, sizeof declaration, "%.*s", (int)length, text);
    for (char *word = strtok(declaration, " \t\r\n"); word; word = strtok(NULL, " \t\r\n")) {
        if (!p.size && strlen(word) > 2 && strchr("usbf", word[1]) &&
            isdigit((unsigned char)word[2])) {
            p.size = strtoul(word + 2, NULL, 10) / 8;
            p.real = word[1] == 'f';
        }
        if (strchr(word, '['))
            p.size *= strtoul(strchr(word, '[') + 1, NULL, 10);
    }
    if (!p.size || p.size > MAX_BYTES)
        die("a parameter is not understood: %.*s", (int)length, text);
    return p;
}

/* p stands behind the word .entry; gives the end of the parameter list */
static const char *read_entry(struct run *run, const char *p)
{
    static const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
    struct entry *e = get_memory(sizeof *e);
    p += strspn(p, " \t\r\n");
    size_t length = strspn(p, letters);
    if (!length || length >= sizeof e->mangled)
        die("an entry without a name");
    memcpy(e->mangled, p, length);
    demangle(e);
    p += length;
    p += strspn(p, " \t\r\n");
    while (*p == '(' || *p == ',') {
        size_t end = strcspn(p + 1, ",)");
        if (strspn(p + 1, " \t\r\n") < end) {
            if (e->parameters == MAX_PARAMETERS)
                die("%s has too many parameters", e->name);
            e->parameter[e->parameters++] = read_parameter(p + 1, end);
        }
        p += 1 + end;
    }
    e->next = run->entries;
    run->entries = e;
    return p;
}

static const struct entry *find_entry(const struct run *run, const char *typed)
{
    const struct entry *found = NULL;
    for (const struct entry *e = run->entries; e; e = e->next) {
        int base = strlen(typed) == e->base && !strncmp(typed, e->name, e->base);
        if (!base && strcmp(typed, e->name))
            continue;
        if (found)
            die("%s is ambiguous", typed);
        found = e;
    }
    if (!found)
        die("no kernel %s", typed);
    return found;
}

/* ---- arguments ---- */

static void put_number(const struct parameter *p, const char *text, unsigned char *to)
{
    char *end;
    if (p->real) {
        double wide = strtod(text, &end);
        float single = (float)wide;
        memcpy(to, p->size == 8 ? (void *)&wide : (void *)&single, p->size);
    } else {
        unsigned long long value =
            text[0] == '-' ? (unsigned long long)strtoll(text, &end, 0) : strtoull(text, &end, 0);
        if (*end)
            value = (unsigned long long)(long long)strtod(text, &end);
        for (size_t b = 0; b < p->size && b < 8; b++)
            to[b] = (unsigned char)(value >> 8 * b);
    }
    if (end == text || *end)
        die("bad number %s", text);
}

static void put_hex(const struct parameter *p, const char *hex, unsigned char *to)
{
    if (strlen(hex) != 2 * p->size)
        die("bytes: wants %zu bytes", p->size);
    for (size_t b = 0; b < p->size; b++) {
        unsigned value;
        if (sscanf(hex + 2 * b, "%2x", &value) != 1)
            die("bad bytes: %s", hex);
        to[b] = (unsigned char)value;
    }
}

static void put_argument(struct run *run, const struct parameter *p, char *text, unsigned char *to)
{
    unsigned long long elements = 0, address;
    char *plus = strchr(text, '+');
    if (!strncmp(text, "bytes:", 6)) {
        put_hex(p, text + 6, to);
        return;
    }
    if (isdigit((unsigned char)text[0]) || text[0] == '-' || text[0] == '.' ||
        !strcmp(text, "null")) {
        put_number(p, text[0] == 'n' ? "0" : text, to);
        return;
    }
    if (plus) {
        *plus = 0;
        elements = strtoull(plus + 1, NULL, 0);
    }
    struct own_array *a = find_array(&run->plan, text);
    if (!a || p->size != 8)
        die("%s is no argument here", text);
    address = run->at[a - run->plan.array] + elements * a->size;
    memcpy(to, &address, 8);
}

/* cuts at commas outside brackets; the pieces lie in text itself */
static size_t split(char *text, char **piece, size_t most)
{
    size_t n = 0;
    int depth = 0;
    if (!*text)
        return 0;
    piece[n++] = text;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        if (*text != ',' || depth)
            continue;
        *text = 0;
        if (n == most)
            die("too many arguments");
        piece[n++] = text + 1;
    }
    return n;
}

static void read_dimensions(const char *text, unsigned d[3])
{
    d[0] = d[1] = d[2] = 1;
    if (sscanf(text, text[0] == '(' ? "(%u,%u,%u)" : "%u", &d[0], &d[1], &d[2]) < 1)
        die("bad dimensions %s", text);
}

/* ---- directives ---- */

static void upload(struct run *run, const struct own_array *a)
{
    must(cuMemcpyHtoD(run->at[a - run->plan.array], a->data, a->count * a->size), a->name);
}

static void new_array(struct run *run, const char *rest)
{
    struct own_array *a = make_array(&run->plan, rest, 0);
    must(cuMemAlloc(&run->at[a - run->plan.array], a->count * a->size), a->name);
    upload(run, a);
}

static void new_variable(struct run *run, const char *rest)
{
    struct own_array *a = make_array(&run->plan, rest, 1);
    size_t bytes;
    must(cuModuleGetGlobal(&run->at[a - run->plan.array], &bytes, run->module, a->name), a->name);
    if (bytes != a->count * a->size)
        die("%s has %zu bytes in the module", a->name, bytes);
}

static void launch_kernel(struct run *run, const char *rest)
{
    static unsigned char value[MAX_PARAMETERS][MAX_BYTES];
    void *pointer[MAX_PARAMETERS];
    char text[1024], *piece[MAX_PARAMETERS], *shape[3];
    unsigned grid[3], block[3];
    CUfunction function;
    snprintf(text, sizeof text, "%s", rest);
    remove_blanks(text);
    char *open = strstr(text, "<<<"), *close = open ? strstr(open, ">>>(") : NULL;
    if (!close || text[strlen(text) - 1] != ')')
        die("bad launch: %s", rest);
    *open = *close = text[strlen(text) - 1] = 0;
    const struct entry *e = find_entry(run, text);
    size_t shapes = split(open + 3, shape, 3), given = split(close + 4, piece, MAX_PARAMETERS);
    if (given != e->parameters || shapes < 2)
        die("%s has %zu parameters", e->name, e->parameters);
    read_dimensions(shape[0], grid);
    read_dimensions(shape[1], block);
    unsigned shared = shapes == 3 ? (unsigned)strtoul(shape[2], NULL, 0) : 0;
    for (size_t i = 0; i < given; i++) {
        put_argument(run, &e->parameter[i], piece[i], value[i]);
        pointer[i] = value[i];
    }
    must(cuModuleGetFunction(&function, run->module, e->mangled), e->name);
    if (shared > 48 * 1024)
        must(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                (int)shared),
             e->name);
    if (run->cooperative)
        must(cuLaunchCooperativeKernel(function, grid[0], grid[1], grid[2], block[0], block[1],
                                       block[2], shared, NULL, pointer),
             e->name);
    else
        must(cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                            shared, NULL, pointer, NULL),
             e->name);
    must(cuCtxSynchronize(), e->name);
}

static void follow(struct run *run, const struct directive *d)
{
    if (!strcmp(d->word, "array"))
        new_array(run, d->rest);
    else if (!strcmp(d->word, "variable"))
        new_variable(run, d->rest);
    else if (!strcmp(d->word, "fill"))
        upload(run, fill_named(&run->plan, d->rest));
    else if (!strcmp(d->word, "launch"))
        launch_kernel(run, d->rest);
}

static void start(struct run *run, const char *ptx_path)
{
    CUdevice device;
    CUcontext context;
    run->ptx = read_text(ptx_path);
    for (const char *p = run->ptx; (p = strstr(p, ".entry"));)
        p = read_entry(run, p + strlen(".entry"));
    run->cooperative = strstr(run->ptx, "%envreg1") != NULL;
    must(cuInit(0), "no GPU");
    must(cuDeviceGet(&device, 0), "no GPU");
    must(cuDevicePrimaryCtxRetain(&context, device), "no context");
    must(cuCtxSetCurrent(context), "no context");
    must(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 8192), "stack");
    must(cuModuleLoadData(&run->module, run->ptx), ptx_path);
}

int main(int argc, char **argv)
{
    static struct run run;
    if (argc != 4)
        die("usage: own NAME.cu NAME.ptx DIR");
    read_plan(&run.plan, argv[1]);
    start(&run, argv[2]);
    for (size_t i = 0; i < run.plan.directives; i++)
        follow(&run, &run.plan.directive[i]);
    for (size_t i = 0; i < run.plan.arrays; i++) {
        struct own_array *a = &run.plan.array[i];
        must(cuMemcpyDtoH(a->data, run.at[i], a->count * a->size), a->name);
        write_raw(a, argv[3]);
    }
    must(cuModuleUnload(run.module), "end");
    return fflush(stdout) ? 2 : 0;
}
