/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First all arguments are listed and sorted out (tree.h, groups.h). Then the files of each hand-in
 * are read, judged and copied. The archive of one student is unpacked at that point. The names of
 * copies have only letters, digits and a few other characters, so they are safe in every command.
 */
#define _GNU_SOURCE
#include "grade/hand-ins.h"

#include "base/hash.h"
#include "base/near.h"
#include "grade/groups.h"
#include "os/fd.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ARCHIVE_FILE_MOST (UINT64_C(1) << 30)

/* What one call of hand_ins_read() has. */
struct collecting {
    const struct hand_ins_want *want;
    struct hand_ins *out;
    struct tree *tree; /* one for each argument */
    struct hand_in_groups groups;
};

static char *keep_text(struct hand_ins *h, const char *text)
{
    return arena_text(&h->memory, text, strlen(text));
}

/* ---- what is wrong with a file -------------------------------------------------------- */

static bool has_ending(const char *name, const char *const *endings)
{
    return student_ends_in((struct span){name, strlen(name)}, endings);
}

static bool is_archive(const char *name)
{
    static const char *const endings[] = {".zip", NULL};
    return has_ending(name, endings);
}

static bool is_text(const char *name)
{
    static const char *const endings[] = {".cu",  ".cuh", ".h",   ".hpp", ".c",  ".cc", ".cpp",
                                          ".ptx", ".lab", ".txt", ".md",  ".in", NULL};
    return has_ending(name, endings);
}

static bool may_be_empty(const char *name)
{
    static const char *const endings[] = {".h", ".hpp", ".cuh", NULL};
    return has_ending(name, endings);
}

/* The first bytes of what students hand in by mistake. */
static const char *known_format(struct span s)
{
    static const struct {
        const char *begins, *is;
    } formats[] = {{"\177ELF", "is a compiled program"},
                   {"%PDF", "is a PDF document"},
                   {"PK\3\4", "is a zip archive, or a document of an office program"},
                   {"Rar!", "is a RAR archive, and only zip archives are unpacked"},
                   {"7z\274\257", "is a 7z archive, and only zip archives are unpacked"},
                   {"\037\213", "is a gzip archive, and only zip archives are unpacked"},
                   {"\377\376", "is text in UTF-16, and UTF-8 is needed"},
                   {"\376\377", "is text in UTF-16, and UTF-8 is needed"}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (begins(s, formats[i].begins))
            return formats[i].is;
    return NULL;
}

static const char *what_is_wrong(const char *name, struct span bytes)
{
    const char *known = known_format(bytes);
    if (!bytes.n)
        return may_be_empty(name) ? NULL : "is empty";
    if (known || is_archive(name))
        return known ? known : "is not a zip archive";
    return is_text(name) && memchr(bytes.at, '\0', bytes.n) ? "has NUL bytes, so it is not a text"
                                                            : NULL;
}

/* ---- copies --------------------------------------------------------------------------- */

/* One hand-in whose files are being copied. */
struct copying {
    struct collecting *all;
    struct hand_in *to;
    size_t capacity;
    uint64_t left; /* bytes that it may still have */
    uint64_t hash; /* a number that tells its files from others */
    unsigned archives;
    bool too_many;      /* files */
};

/* A name without anything that a shell, a command or a screen could take for something else. */
static void put_plain(struct buf *out, const char *name)
{
    static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+";
    enum { PART_MOST = 60 };
    while (*name) {
        const size_t n = strcspn(name, "/"), from = n > PART_MOST ? n - PART_MOST : 0;
        for (size_t i = from; i < n; i++) {
            const bool stays = strchr(kept, name[i]) && !(i == from && name[i] == '.');
            const bool dash = name[i] == '-' && i > from;
            buf_putc(out, stays || dash ? name[i] : '_');
        }
        if (n && name[n])
            buf_putc(out, '/');
        name += n + (name[n] == '/');
    }
}

/* Compilers and commands know such a file by its ending in small letters. */
static void lower_ending(char *name)
{
    static const char *const known[] = {".cu", ".ptx", ".lab", ".txt", ".md", NULL};
    for (char *at = has_ending(name, known) ? strrchr(name, '.') : name + strlen(name); *at; at++)
        *at = near_lower(*at);
}

static int make_copy(struct buf *name, const char *folder, struct span bytes)
{
    if (name->failed) {
        errno = ENOMEM;
        return -1;
    }
    lower_ending(name->data);
    return fd_make_file(folder, name->data, bytes.at, bytes.n);
}

/* Two names may become one, and a file may have the name of a folder. Then a number comes first. */
static int write_copy(struct copying *c, const char *name, struct span bytes, char **path,
                      struct err *e)
{
    struct buf plain = {0};
    const char *where = c->all->want->folder;
    buf_printf(&plain, "%s/", c->to->folder);
    const size_t begin = plain.len;
    put_plain(&plain, name);
    int rc = make_copy(&plain, where, bytes);
    if (rc != 0 && (errno == EEXIST || errno == ENOTDIR || errno == EISDIR)) {
        buf_clear(&plain);
        buf_printf(&plain, "%s/%u_", c->to->folder, c->to->count);
        put_plain(&plain, base_name(name));
        rc = make_copy(&plain, where, bytes);
    }
    if (rc != 0)
        fail(e, "a hand-in can't be copied to `%s`: %s", where, strerror(errno));
    *path = rc == 0 ? keep_text(c->all->out, plain.data + begin) : NULL;
    buf_free(&plain);
    return rc != 0 ? -1 : *path ? 0 : fail_memory(e);
}

static struct hand_in_file *next_file(struct copying *c, const char *name, struct err *e)
{
    void *items = c->to->file;
    if (mem_grow(&allocator_libc, &items, &c->capacity, c->to->count, sizeof *c->to->file) != 0) {
        fail_memory(e);
        return NULL;
    }
    c->to->file = items;
    struct hand_in_file *f = &c->to->file[c->to->count++];
    *f = (struct hand_in_file){.name = keep_text(c->all->out, name)};
    if (!f->name) {
        fail_memory(e);
        return NULL;
    }
    return f;
}

static int say_wrong(struct copying *c, struct hand_in_file *f, const char *what, struct err *e)
{
    f->wrong = keep_text(c->all->out, what);
    return f->wrong ? 0 : fail_memory(e);
}

static int copy_bytes(struct copying *c, const char *name, struct span bytes, struct err *e)
{
    struct hand_in_file *f = next_file(c, name, e);
    const char *wrong = what_is_wrong(name, bytes);
    if (!f || write_copy(c, name, bytes, &f->path, e) != 0)
        return -1;
    f->size = bytes.n;
    c->left -= bytes.n;
    c->hash = hash_bytes(hash_bytes(c->hash, name, strlen(name) + 1), bytes.at, bytes.n);
    return wrong ? say_wrong(c, f, wrong, e) : 0;
}

/* "it is a link" becomes "is a link". */
static int cannot_read(struct copying *c, const char *name, const struct err *why, struct err *e)
{
    struct hand_in_file *f = next_file(c, name, e);
    const bool about_it = begins_with(why->text, "it ");
    if (f)
        f->unread = !about_it || begins_with(why->text, "it can't");
    char wrong[ERR_TEXT + 40];
    snprintf(wrong, sizeof wrong, "%s%s",
             about_it ? "" : "can't be unpacked: ", why->text + (about_it ? 3 : 0));
    return f ? say_wrong(c, f, wrong, e) : -1;
}

static int copy_file(struct copying *, const struct tree_file *, const char *name, struct err *);

/* All files of an archive that a student has made. */
static int copy_archive(struct copying *c, const char *name, struct buf *bytes, struct err *e)
{
    struct tree t = {0};
    struct err why;
    c->archives++;
    int rc = 0, bad = tree_of_archive(&t, bytes, &why);
    if (bad)
        rc = cannot_read(c, name, &why, e);
    else if (!t.count)
        rc = cannot_read(c, name, &(struct err){.text = "it has no files"}, e);
    const char *first = t.count ? t.file[0].name : "";
    size_t skip = strcspn(first, "/");
    skip += first[skip] == '/';
    for (size_t i = 0; i < t.count; i++)
        if (strncmp(t.file[i].name, first, skip) != 0 || !strchr(first, '/'))
            skip = 0;
    for (size_t i = 0; !bad && rc == 0 && i < t.count; i++)
        rc = copy_file(c, &t.file[i], t.file[i].name + skip, e);
    tree_close(&t);
    return rc;
}

static int copy_file(struct copying *c, const struct tree_file *from, const char *name,
                     struct err *e)
{
    struct buf bytes = {0};
    struct err why;
    if (go_on(c->all->want->go_on, e) != 0)
        return -1;
    const bool packed = !c->archives && is_archive(name);
    if (c->to->count == HAND_IN_FILES || c->too_many) {
        c->too_many = true;
        return 0;
    }
    int rc =
        tree_read(from, packed ? ARCHIVE_FILE_MOST : c->left, &bytes, c->all->want->go_on, &why);
    const struct span s = {buf_text(&bytes), bytes.len};
    const bool opens = packed && zip_begins(s);
    if (rc == 0 && !opens && s.n > c->left) /* only an archive may be so large */
        rc = tree_has_more(s.n, c->left, &why);
    if (rc != 0)
        rc = go_on(c->all->want->go_on, e) != 0 ? -1 : cannot_read(c, name, &why, e);
    else if (opens)
        rc = copy_archive(c, name, &bytes, e);
    else
        rc = copy_bytes(c, name, s, e);
    buf_free(&bytes);
    return rc;
}

/* ---- one hand-in ---------------------------------------------------------------------- */

/* Keeps a text as a sentence. The name of a file stays as it is. */
static char *keep_sentence(struct hand_ins *h, const char *text, bool begins_with_name)
{
    const size_t n = strlen(text);
    char *kept = arena_alloc(&h->memory, n + 2);
    if (!kept)
        return NULL;
    memcpy(kept, text, n);
    if (!begins_with_name && text[0] >= 'a' && text[0] <= 'z')
        kept[0] = (char)(text[0] - 'a' + 'A');
    kept[n] = n && text[n - 1] == '.' ? '\0' : '.';
    return kept;
}

/* A file that explains why the hand-in can't be judged. One that is damaged does, since nobody
 * knows what it had in it. Else all must be wrong. */
static const struct hand_in_file *wrong_file(const struct copying *c, bool *is_one)
{
    const struct hand_in *h = c->to;
    unsigned bad = 0;
    *is_one = true;
    for (unsigned i = 0; i < h->count; i++) {
        bad += h->file[i].wrong != NULL;
        if (h->file[i].unread)
            return &h->file[i];
    }
    *is_one = h->count == 1;
    return bad && bad == h->count ? &h->file[0] : NULL;
}

/* Says why a hand-in can't be judged, if it can't. */
static int find_wrong(struct copying *c, const char *known, struct err *e)
{
    struct hand_in *to = c->to;
    struct buf text = {0};
    bool is_one = false;
    const struct hand_in_file *bad = wrong_file(c, &is_one);
    if (known)
        buf_puts(&text, known);
    else if (!to->count)
        buf_puts(&text, "there is no file in it");
    else if (c->too_many)
        buf_printf(&text, "it has more than %d files", HAND_IN_FILES);
    else if (bad)
        buf_printf(&text, "%s%s %s",
                   is_one ? "" : "no file can be used, and the first one: ", bad->name, bad->wrong);
    const bool is_wrong = text.len && !text.failed;
    to->at_fault = !known && (c->too_many || (bad && !bad->unread));
    if (is_wrong)
        to->wrong = keep_sentence(c->all->out, buf_text(&text),
                                  !known && to->count && !c->too_many && is_one);
    const bool failed = text.failed || (is_wrong && !to->wrong);
    buf_free(&text);
    return failed ? fail_memory(e) : 0;
}

static int by_file_name(const void *a, const void *b)
{
    return strcmp(((const struct hand_in_file *)a)->name, ((const struct hand_in_file *)b)->name);
}

static int make_folder(const struct collecting *all, const char *name, struct err *e)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", all->want->folder, name) >= (int)sizeof path)
        errno = ENAMETOOLONG;
    else if (mkdir(path, 0700) == 0)
        return 0;
    return fail(e, "a hand-in can't be copied to `%s`: %s", all->want->folder, strerror(errno));
}

static int copy_group(struct collecting *all, const struct group *g, struct hand_in *to,
                      uint64_t *hash, struct err *e)
{
    struct copying c = {.all = all, .to = to, .left = HAND_IN_BYTES, .hash = HASH_START};
    int rc = make_folder(all, to->folder, e);
    for (size_t i = 0; i < g->count && rc == 0; i++) {
        c.archives = 0;
        rc = copy_file(&c, g->file[i].from, g->file[i].name, e);
    }
    *hash = c.hash;
    if (rc == 0 && g->note.len && !(to->note = keep_text(all->out, buf_text(&g->note))))
        rc = fail_memory(e);
    if (rc == 0 && to->count)
        qsort(to->file, to->count, sizeof *to->file, by_file_name);
    return rc == 0 ? find_wrong(&c, g->wrong, e) : -1;
}

/* ---- one for each student ------------------------------------------------------------- */

static int by_student(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    int order = strcmp(x->student, y->student);
    order = order ? order : strcmp(x->id, y->id);
    order = order ? order : y->inner - x->inner;
    order = order ? order : x->late - y->late;
    order = order ? order : (x->attempt > y->attempt) - (x->attempt < y->attempt);
    return order ? order : strcmp(x->from, y->from);
}

static bool same_student(const struct group *a, const struct group *b)
{
    return strcmp(a->student, b->student) == 0 && strcmp(a->id, b->id) == 0;
}

static int add_note(struct hand_ins *h, struct hand_in *to, const struct group *left_out,
                    bool is_named, struct err *e)
{
    struct buf text = {0};
    buf_printf(&text, "%s%s%s is left out, because %s.", to->note ? to->note : "",
               to->note ? " " : "", left_out->from,
               is_named ? "there is one outside this archive" : "there is a later one");
    to->note = text.failed ? NULL : keep_text(h, buf_text(&text));
    buf_free(&text);
    return to->note ? 0 : fail_memory(e);
}

/* Nothing tells which of two is later. They may be the same. */
static int say_which(struct hand_ins *h, struct hand_in *to, const struct group *a,
                     const struct group *b, struct err *e)
{
    struct buf text = {0};
    buf_printf(&text,
               "There are two hand-ins of this student, and nothing says which one is later: "
               "%s and %s.",
               a->from, b->from);
    to->wrong = text.failed ? NULL : keep_text(h, buf_text(&text));
    to->at_fault = false;
    buf_free(&text);
    return to->wrong ? 0 : fail_memory(e);
}

/* The groups from `first` on, `count` of them, are one student's. The last one counts. */
static int take_student(struct collecting *all, size_t first, size_t count, struct err *e)
{
    struct hand_ins *h = all->out;
    struct hand_in *to = &h->at[h->count++];
    const struct group *g = &all->groups.at[first], *last = &g[count - 1];
    uint64_t hash = 0, other = 0;
    *to = (struct hand_in){.student = keep_text(h, last->student),
                           .id = keep_text(h, last->id),
                           .from = keep_text(h, last->from)};
    snprintf(to->folder, sizeof to->folder, "%05u", h->count);
    if (!to->student || !to->id || !to->from)
        return fail_memory(e);
    if (copy_group(all, last, to, &hash, e) != 0)
        return -1;
    for (size_t i = 0; i + 1 < count; i++) {
        if (g[i].inner != last->inner || g[i].late != last->late ||
            g[i].attempt != last->attempt) {
            if (add_note(h, to, &g[i], g[i].inner != last->inner, e) != 0)
                return -1;
            continue;
        }
        struct hand_in twin = {.student = to->student};
        snprintf(twin.folder, sizeof twin.folder, "%05u-%u", h->count, (unsigned)i + 1);
        int rc = copy_group(all, &g[i], &twin, &other, e);
        if (rc == 0 && (other != hash || twin.count != to->count))
            rc = say_which(h, to, &g[i], last, e);
        mem_free(&allocator_libc, twin.file, 0);
        if (rc != 0)
            return -1;
    }
    return 0;
}

static int take_all(struct collecting *all, struct err *e)
{
    struct hand_in_groups *g = &all->groups;
    if (g->count)
        qsort(g->at, g->count, sizeof *g->at, by_student);
    all->out->at = arena_alloc(&all->out->memory, (g->count + 1) * sizeof *all->out->at);
    if (!all->out->at)
        return fail_memory(e);
    for (size_t first = 0, count; first < g->count; first += count) {
        for (count = 1; first + count < g->count; count++)
            if (!same_student(&g->at[first], &g->at[first + count]))
                break;
        progress_tell(all->want->progress, (double)first / (double)g->count);
        if (take_student(all, first, count, e) != 0)
            return -1;
    }
    return 0;
}

/* ---- arguments ------------------------------------------------------------------------ */

/* An archive is opened here to see if it is a class's. */
static int add_class(struct collecting *all, const char *path, struct tree *t, bool *is_class,
                     struct err *e)
{
    struct tree file = {0};
    struct buf bytes = {0};
    struct err why;
    const bool read = tree_of_file(&file, path, &why) == 0 &&
                      tree_read(&file.file[0], ARCHIVE_FILE_MOST, &bytes, NULL, &why) == 0 &&
                      zip_begins((struct span){buf_text(&bytes), bytes.len});
    *is_class = read && tree_of_archive(t, &bytes, &why) == 0 && groups_of_class(t);
    buf_free(&bytes);
    tree_close(&file);
    if (*is_class)
        return groups_add(&all->groups, t, GROUP_ARCHIVE, path, e);
    tree_close(t);
    return 0;
}

static int add_argument(struct collecting *all, const char *path, struct tree *t, struct err *e)
{
    struct stat info;
    struct err why;
    bool is_class = false;
    if (!path[0] || stat(path, &info) != 0)
        return fail(e, "`%s` can't be read: %s", path, path[0] ? strerror(errno) : "no such file");
    if (!S_ISDIR(info.st_mode) && is_archive(path)) {
        const int rc = add_class(all, path, t, &is_class, e);
        if (rc != 0 || is_class)
            return rc;
    }
    /* "." and "../.." have no name of their own. */
    char *real = path[strspn(path, "./")] == '\0' ? realpath(path, NULL) : NULL;
    int rc = S_ISDIR(info.st_mode) ? tree_of_folder(t, path, &why) : tree_of_file(t, path, &why);
    if (rc != 0)
        rc = groups_add_wrong(&all->groups, path, why.text, e);
    else if (S_ISDIR(info.st_mode))
        rc = groups_add(&all->groups, t, GROUP_FOLDER, real ? real : path, e);
    else
        rc = groups_add(&all->groups, t, GROUP_FILE, path, e);
    free(real);
    return rc;
}

int hand_ins_read(struct hand_ins *h, const char *const *arguments, size_t count,
                  const struct hand_ins_want *want, struct err *e)
{
    struct collecting all = {.want = want, .out = h};
    *h = (struct hand_ins){0};
    all.groups.memory = &h->memory;
    all.tree = mem_alloc(&allocator_libc, (count + 1) * sizeof *all.tree);
    int rc = all.tree ? 0 : fail_memory(e);
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = go_on(want->go_on, e) != 0 ? -1 : add_argument(&all, arguments[i], &all.tree[i], e);
    if (rc == 0)
        rc = groups_settle(&all.groups, e);
    if (rc == 0)
        rc = take_all(&all, e);
    groups_free(&all.groups);
    for (size_t i = 0; all.tree && i < count; i++)
        tree_close(&all.tree[i]);
    mem_free(&allocator_libc, all.tree, all.tree ? (count + 1) * sizeof *all.tree : 0);
    return rc;
}

void hand_ins_free(struct hand_ins *h)
{
    for (unsigned i = 0; i < h->count; i++)
        mem_free(&allocator_libc, h->at[i].file, 0);
    arena_free(&h->memory);
    *h = (struct hand_ins){0};
}
