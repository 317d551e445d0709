/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole programs that were compiled before. All that goes into a program is known only after it was
 * compiled: the compilers and the linker then say which files they read. So the cache has two
 * entries for a program. The first one has the list of these files, under a fingerprint of the
 * command. The second one has the program, under a fingerprint that has the bytes of all these
 * files, too.
 *
 * A new file may be one that the compiler would find earlier than the one it read. So the second
 * fingerprint also says in which of the program's folders there are files of the same names. The
 * linker's files that came with the system count by their size and time, as compilers do.
 */
#include "programs/kept.h"

#include "base/mem.h"
#include "os/fd.h"
#include "programs/backend.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FILE_MOST = 64 << 20, LIST_MOST = 1 << 20, FILES_MOST = 8192, FOLDERS_MOST = 64 };

/* ---- the command ----------------------------------------------------------------------- */

/* Options of these kinds read files that neither the compiler nor the linker names. */
static bool names_options(const char *text)
{
    return text && (strchr(text, '@') || strstr(text, "-optf") || strstr(text, "--options-file"));
}

static struct print128 print_tool(struct print128 p, const char *name)
{
    char path[COMPILER_PATH];
    return print_file(p, tool_find(name, false, path) ? path : "");
}

/* nvcc starts programs of the toolkit and the compiler of the host. */
static struct print128 print_compilers(struct print128 p, const struct compilers *have,
                                       enum compiler by)
{
    static const char *const parts[] = {"bin/cudafe++", "bin/nvcc.profile", "nvvm/bin/cicc", NULL};
    char path[COMPILER_PATH + 40];
    p = print_text(p, compiler_names[by]);
    p = print_file(p, compiler_path(have, by));
    for (const char *const *part = parts; by == COMPILER_NVCC && *part; part++) {
        snprintf(path, sizeof path, "%s/%s", have->toolkit, *part);
        p = print_file(p, path);
    }
    p = print_tool(print_tool(p, "gcc"), "g++");
    return print_tool(p, "ld");
}

void kept_begin(struct kept_program *k, const struct build_want *w, const struct compilers *have,
                enum compiler by)
{
    char how[200], here[PATH_MAX];
    *k = (struct kept_program){.want = w};
    clock_gettime(CLOCK_REALTIME, &k->began);
    if (!w->cache || !getcwd(here, sizeof here) || names_options(getenv("NVCC_PREPEND_FLAGS")) ||
        names_options(getenv("NVCC_APPEND_FLAGS")))
        return;
    snprintf(how, sizeof how, "program %s %d %d %llx", PACKAGE_VERSION, w->arch, w->on_gpu,
             (unsigned long long)w->managed);
    /* The programs of confined compilers don't have the name of the folder (whole-clang.c). */
    struct print128 p = print_text(print_text(print_start, how), w->safe ? "safe" : here);
    p = print_file(p, "/proc/self/exe"); /* our own headers and options are in it */
    p = print_environment(print_compilers(p, have, by));
    for (const char *const *word = w->words; *word; word++) {
        if (names_options(*word))
            return;
        p = print_text(p, *word);
    }
    k->command = p;
    k->is_known = true;
}

/* ---- the files ------------------------------------------------------------------------- */

/* Does the file belong to the program, and not to the system or to a compiler? */
static bool is_own(const char *path)
{
    return path[0] != '/' || !comes_with_system(path);
}

struct folders {
    struct arena memory;
    const char *at[FOLDERS_MOST];
    unsigned count;
    bool failed; /* too many, or memory is out */
};

static void add_folder(struct folders *f, const char *at, size_t n)
{
    for (unsigned i = 0; i < f->count; i++)
        if (strlen(f->at[i]) == n && memcmp(f->at[i], at, n) == 0)
            return;
    const char *copy = f->count < FOLDERS_MOST ? arena_text(&f->memory, at, n) : NULL;
    f->failed = f->failed || !copy;
    if (copy)
        f->at[f->count++] = copy;
}

static void add_option_folder(struct folders *f, const char *word, const char *next)
{
    static const char *const options[] = {"-I", "-L", "-isystem", "--include-path",
                                          "--library-path", "--system-include", NULL};
    for (const char *const *o = options; *o; o++) {
        const size_t n = strlen(*o);
        if (strncmp(word, *o, n) != 0)
            continue;
        const char *value = word[n] ? word + n + (word[n] == '=') : next;
        if (value)
            add_folder(f, value, strlen(value));
    }
}

/* The folders where the program's own files may lie: those of options, and those of files. */
static void find_folders(const struct kept_program *k, struct span list, struct folders *f)
{
    struct span line;
    for (const char *const *word = k->want->words; *word; word++)
        add_option_folder(f, *word, word[1]);
    for (const char *at = getenv("CPATH"); at && *at;) {
        const size_t n = strcspn(at, ":");
        add_folder(f, at, n);
        at += n + (at[n] == ':');
    }
    while (next_line(&list, &line)) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%.*s", (int)line.n, line.at);
        const char *slash = strrchr(path, '/');
        if (is_own(path))
            add_folder(f, slash ? path : ".", slash ? (size_t)(slash - path) : 1);
    }
}

/* Says in which of the folders there is a file that could be meant in place of this one. */
static struct print128 print_rivals(struct print128 p, const char *path, const struct folders *f)
{
    char rival[2 * PATH_MAX];
    for (const char *name = path; name; name = strchr(name, '/')) {
        name += *name == '/';
        for (unsigned i = 0; i < f->count; i++) {
            snprintf(rival, sizeof rival, "%s/%s", f->at[i], name);
            if (access(rival, F_OK) == 0)
                p = print_text(p, rival);
        }
    }
    return p;
}

static bool ends_with(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

static bool is_of_linker(const char *path)
{
    return ends_with(path, ".a") || ends_with(path, ".o") || strstr(path, ".so");
}

static bool is_older(const struct timespec *t, const struct timespec *than)
{
    return t->tv_sec < than->tv_sec || (t->tv_sec == than->tv_sec && t->tv_nsec < than->tv_nsec);
}

/* `before` is when the compiler began: a file that was changed since may not be what it read. */
static bool print_bytes(struct print128 *p, const char *path, const struct timespec *before)
{
    struct buf bytes = {0};
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool good = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                (!before || (is_older(&info.st_mtim, before) && is_older(&info.st_ctim, before))) &&
                fd_read_all(fd, FILE_MOST, &bytes) == FD_WHOLE && !bytes.failed;
    if (fd >= 0)
        close(fd);
    *p = print_add(*p, buf_text(&bytes), bytes.len);
    good = good && (!is_own(path) || source_is_timeless(buf_text(&bytes), bytes.len));
    buf_free(&bytes);
    return good;
}

/* False: the program does not follow from these files alone. */
static bool print_files(const struct kept_program *k, struct span list, bool is_new,
                        struct print128 *p)
{
    struct folders f = {.count = 0};
    struct span line;
    bool good = true;
    find_folders(k, list, &f);
    *p = k->command;
    while (good && !f.failed && next_line(&list, &line)) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%.*s", (int)line.n, line.at);
        *p = print_rivals(print_text(*p, path), path, &f);
        if (!is_own(path) && is_of_linker(path))
            *p = print_file(*p, path);
        else
            good = print_bytes(p, path, is_new ? &k->began : NULL);
    }
    good = good && !f.failed;
    arena_free(&f.memory);
    return good;
}

/* ---- what the compilers said ----------------------------------------------------------- */

struct names {
    const char *scratch; /* what lies there is made anew each time */
    struct buf text;     /* each with a NUL */
    const char *at[FILES_MOST];
    unsigned count;
    bool failed;
};

static void add_name(struct names *n, const struct buf *name)
{
    const char *path = buf_text(name);
    const size_t m = strlen(n->scratch);
    if (!name->len || (strncmp(path, n->scratch, m) == 0 && path[m] == '/'))
        return;
    n->failed = n->failed || name->failed || memchr(path, '\n', name->len) ||
                n->count == FILES_MOST || buf_add(&n->text, path, name->len + 1) != 0;
    n->count += !n->failed;
}

/* A rule of make: names with blanks between, and a \ before what does not end a name or a line. */
static void add_rule(struct names *n, struct span rest)
{
    struct buf name = {0};
    for (size_t i = 0; i < rest.n; i++) {
        const char c = rest.at[i], next = i + 1 < rest.n ? rest.at[i + 1] : '\n';
        if (c == ' ' || c == '\n' || (c == '\\' && next == '\n')) {
            if (!(name.len && name.data[name.len - 1] == ':')) /* the target is no file to read */
                add_name(n, &name);
            buf_clear(&name);
            continue;
        }
        if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$'))
            i++;
        buf_putc(&name, rest.at[i]);
    }
    add_name(n, &name);
    buf_free(&name);
}

/* The files of all rules that lie in the scratch folder. */
static void add_rules(struct names *n)
{
    DIR *d = opendir(n->scratch);
    char path[SCRATCH_PATH + 300];
    bool any = false;
    for (struct dirent *e; d && (e = readdir(d));) {
        struct buf text = {0};
        if (!ends_with(e->d_name, KEPT_RULES))
            continue;
        snprintf(path, sizeof path, "%s/%s", n->scratch, e->d_name);
        any = scratch_read(path, LIST_MOST, &text) == 0;
        n->failed = n->failed || !any;
        add_rule(n, (struct span){buf_text(&text), text.len});
        buf_free(&text);
    }
    if (d)
        closedir(d);
    n->failed = n->failed || !any;
}

/* What the linker read, a line each: `libm.so`, `libc.a(printf.o)`, `-lm (/lib/libm.so)`. */
static void add_linked(struct names *n, struct span said)
{
    struct buf name = {0};
    struct span line;
    while (next_line(&said, &line)) {
        const char *open = memchr(line.at, '(', line.n);
        const size_t before = open ? (size_t)(open - line.at) : line.n;
        buf_clear(&name);
        if (open && (!before || line.at[before - 1] == ' '))
            buf_add(&name, open + 1, strcspn(open + 1, ")\n"));
        else
            buf_add(&name, line.at, before);
        add_name(n, &name);
    }
    buf_free(&name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Each file once. */
static void list_names(struct names *n, struct buf *list)
{
    const char *at = buf_text(&n->text);
    for (unsigned i = 0; i < n->count; i++, at += strlen(at) + 1)
        n->at[i] = at;
    qsort(n->at, n->count, sizeof *n->at, by_name);
    for (unsigned i = 0; i < n->count; i++)
        if (!i || strcmp(n->at[i], n->at[i - 1]) != 0)
            buf_printf(list, "%s\n", n->at[i]);
}

/* The files of the command: gcc leaves a rule's own source out. */
static void add_words(struct names *n, const char *const *words)
{
    struct buf name = {0};
    struct stat info;
    for (; *words; words++) {
        buf_clear(&name);
        buf_puts(&name, *words);
        if (stat(*words, &info) == 0 && S_ISREG(info.st_mode))
            add_name(n, &name);
    }
    buf_free(&name);
}

static bool list_files(const struct kept_program *k, const struct built *b, struct buf *list)
{
    struct names *n = mem_alloc(&allocator_libc, sizeof *n);
    if (!n)
        return false;
    n->scratch = b->folder;
    add_words(n, k->want->words);
    add_rules(n);
    add_linked(n, (struct span){buf_text(&b->linked), b->linked.len});
    if (!n->failed)
        list_names(n, list);
    const bool good = !n->failed && !list->failed && list->len;
    buf_free(&n->text);
    mem_free(&allocator_libc, n, sizeof *n);
    return good;
}

/* ---- taking and keeping ---------------------------------------------------------------- */

static bool write_program(const char *path, const struct buf *bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    bool good = fd >= 0 && fd_write(fd, buf_text(bytes), bytes->len) == 0;
    return fd >= 0 && close(fd) == 0 && good;
}

bool kept_take(const struct kept_program *k, struct built *out)
{
    struct compiled list = {.refused = false}, program = {.refused = false};
    struct print128 p;
    const bool took =
        k->is_known && cache_read(k->want->cache, k->command, &list) == 0 &&
        print_files(k, (struct span){buf_text(&list.ptx), list.ptx.len}, false, &p) &&
        cache_read(k->want->cache, p, &program) == 0 && write_program(out->path, &program.ptx);
    if (took)
        buf_add(&out->log, buf_text(&program.log), program.log.len);
    compiled_free(&list);
    compiled_free(&program);
    return took && !out->log.failed;
}

void kept_keep(const struct kept_program *k, const struct built *b)
{
    struct compiled list = {.compiler = "files"}, program = {.compiler = "program"};
    struct print128 p;
    if (k->is_known && list_files(k, b, &list.ptx) &&
        print_files(k, (struct span){buf_text(&list.ptx), list.ptx.len}, true, &p) &&
        buf_add(&program.log, buf_text(&b->log), b->log.len) == 0 &&
        buf_add(&program.ptx, buf_text(&b->program), b->program.len) == 0) {
        cache_write(k->want->cache, k->command, &list);
        cache_write(k->want->cache, p, &program);
    }
    compiled_free(&list);
    compiled_free(&program);
}
