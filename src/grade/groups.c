/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The item of a file is the first part of its path: the file itself, or the outermost folder that
 * it lies in. The items show how hand-ins are arranged. An archive often has all files in one more
 * folder, which tells nothing.
 */
#include "grade/groups.h"

#include "base/hash.h"
#include "base/names.h"

#include <stdio.h>
#include <string.h>

struct arrangement {
    enum { ONE_STUDENT, EACH_ITEM, OF_MOODLE, OF_CANVAS, UNCLEAR } is;
    size_t skip; /* bytes of each path, of a folder that holds all others */
};

static struct span item_of(const char *name, size_t skip)
{
    const char *at = name + skip;
    return (struct span){at, strcspn(at, "/")};
}

static bool is_file(struct span item)
{
    return item.at[item.n] == '\0';
}

static bool same(struct span a, struct span b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

static bool item_ends_in(struct span item, const char *ending)
{
    return student_ends_in(item, (const char *const[]){ending, NULL});
}

/* ---- how hand-ins are arranged -------------------------------------------------------- */

struct items {
    unsigned sources, headers, others, archives, folders, moodle, canvas;
    bool only_code; /* the only folder has a name as for a part of a program */
};

static bool is_source(struct span item)
{
    static const char *const endings[] = {".cu", ".ptx", ".lab", ".c", ".cc", ".cpp", NULL};
    return student_ends_in(item, endings);
}

static bool is_header(struct span item)
{
    return student_ends_in(item, (const char *const[]){".h", ".cuh", ".hh", ".hpp", NULL});
}

static bool is_part_of_program(struct span item)
{
    static const char *const names[] = {"src",     "source",  "sources", "code",
                                        "kernels", "include", NULL};
    for (const char *const *n = names; *n; n++)
        if (same_text(item, *n))
            return true;
    return false;
}

static void count_items(const struct tree *t, size_t skip, struct items *all)
{
    struct span before = {NULL, 0};
    struct student_name name;
    unsigned texts = 0;
    *all = (struct items){0};
    for (size_t i = 0; i < t->count; i++) {
        const struct span item = item_of(t->file[i].name, skip);
        if (before.at && same(item, before) && !is_file(item))
            continue;
        before = item;
        if (student_of_moodle(item, &name))
            all->moodle++;
        else if (is_file(item) && student_of_canvas(item, &name))
            all->canvas++;
        if (!is_file(item))
            all->folders++, all->only_code = is_part_of_program(item);
        else if (item_ends_in(item, ".zip"))
            all->archives++;
        else if (is_source(item))
            all->sources++;
        else if (is_header(item))
            all->headers++;
        else
            all->others++, texts += item_ends_in(item, ".txt");
    }
    if (!all->sources) { /* answers and launches are texts, and nothing else is handed in */
        all->sources = texts;
        all->others -= texts;
    }
}

/* The length of the folder that all files lie in, and its slash; 0: there is none. */
static size_t outer_folder(const struct tree *t)
{
    const struct span item = t->count ? item_of(t->file[0].name, 0) : SPAN("");
    if (is_file(item))
        return 0;
    for (size_t i = 1; i < t->count; i++)
        if (!same(item_of(t->file[i].name, 0), item) || is_file(item_of(t->file[i].name, 0)))
            return 0;
    return item.n + 1;
}

static bool find_platform(const struct tree *t, struct arrangement *s)
{
    const size_t outer = outer_folder(t);
    struct items all;
    for (int i = 0; i < 2; i++) {
        s->skip = i ? outer : 0;
        count_items(t, s->skip, &all);
        const unsigned files = all.sources + all.headers + all.others + all.archives;
        s->is = all.moodle ? OF_MOODLE : OF_CANVAS;
        if (all.moodle || (all.canvas && all.canvas == files && !all.folders))
            return true;
        if (!outer)
            break;
    }
    return false;
}

static struct arrangement find_shape(const struct tree *t, enum group_kind kind)
{
    struct arrangement s = {ONE_STUDENT, 0};
    struct items all;
    if (kind != GROUP_FILE && find_platform(t, &s))
        return s;
    s = (struct arrangement){ONE_STUDENT, kind == GROUP_ARCHIVE ? outer_folder(t) : 0};
    count_items(t, s.skip, &all);
    if (kind == GROUP_ARCHIVE && all.archives && !all.sources && !all.headers && !all.others &&
        all.archives + all.folders > 1)
        s.is = EACH_ITEM;
    if (kind == GROUP_FOLDER && !all.headers && !all.others && all.sources != 1 &&
        all.sources + all.archives + all.folders && !(all.folders == 1 && all.only_code))
        s.is = EACH_ITEM;
    /* A student's sources with a report, or a class's with what the instructor keeps there? */
    if (kind == GROUP_FOLDER && !all.headers && all.others && all.sources > 1)
        s.is = UNCLEAR;
    /* One student may send a source or a document where all others send archives. */
    if (kind == GROUP_FOLDER && all.archives > 1)
        s.is = EACH_ITEM;
    return s;
}

bool groups_of_class(const struct tree *t)
{
    return find_shape(t, GROUP_ARCHIVE).is != ONE_STUDENT;
}

/* ---- groups --------------------------------------------------------------------------- */

static const char *copy(struct hand_in_groups *g, struct span s)
{
    return arena_text(g->memory, s.at, s.n);
}

static struct group *add_group(struct hand_in_groups *g, struct err *e)
{
    void *items = g->at;
    if (mem_grow(&allocator_libc, &items, &g->capacity, g->count, sizeof *g->at) != 0) {
        fail_memory(e);
        return NULL;
    }
    g->at = items;
    g->at[g->count] = (struct group){0};
    return &g->at[g->count++];
}

/* Only an archive has names that are longer than those of files. They are cut, and stay different. */
enum { NAME_MOST = 255, NAME_KEPT = 200 };

static struct span short_name(struct span name, char room[NAME_MOST + 1])
{
    if (name.n <= NAME_MOST)
        return name;
    const int n = snprintf(room, NAME_MOST + 1, "%.*s...%016llx", NAME_KEPT, name.at,
                           (unsigned long long)hash_bytes(HASH_START, name.at, name.n));
    return (struct span){room, (size_t)n};
}

/* The group of a student among those of this argument, which begin at `first`. */
static struct group *group_of(struct hand_in_groups *g, size_t first, struct span student,
                              struct span id, const char *from, struct err *e)
{
    char student_room[NAME_MOST + 1], id_room[NAME_MOST + 1];
    const bool too_long = student.n > NAME_MOST || id.n > NAME_MOST;
    student = short_name(student, student_room);
    id = short_name(id, id_room);
    for (size_t i = g->count; i-- > first;)
        if (same_text(student, g->at[i].student) && same_text(id, g->at[i].id) &&
            strcmp(g->at[i].from, from) == 0)
            return &g->at[i];
    struct group *to = add_group(g, e);
    if (!to)
        return NULL;
    to->student = copy(g, student);
    to->id = copy(g, id);
    to->from = arena_text(g->memory, from, strlen(from));
    to->wrong = too_long ? "its name is too long to show the student" : NULL;
    if (to->student && to->id && to->from)
        return to;
    fail_memory(e);
    g->count--;
    return NULL;
}

static int add_to(struct group *to, const struct tree_file *from, const char *name,
                  const struct student_name *told, struct err *e)
{
    void *items = to->file;
    if (!name || mem_grow(&allocator_libc, &items, &to->capacity, to->count, sizeof *to->file) != 0)
        return fail_memory(e);
    to->file = items;
    to->file[to->count++] = (struct group_file){from, name, told->late, told->attempt};
    return 0;
}

/* A file that Canvas numbers has the name again that the student gave it. Moodle numbers none. */
static const char *plain_name(struct hand_in_groups *g, struct student_name *told)
{
    struct span before = told->file, ending = {"", 0};
    if (told->numbered)
        told->attempt = student_attempt(told->file, &before, &ending);
    char *name = arena_alloc(g->memory, before.n + ending.n + 1);
    if (name) {
        memcpy(name, before.at, before.n);
        memcpy(name + before.n, ending.at, ending.n);
    }
    return name;
}

/* ---- one student, or one for each item ------------------------------------------------ */

/* What the path of an argument ends in, without the slash behind it. */
static struct span last_part(const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t at = n;
    while (at && path[at - 1] != '/')
        at--;
    return (struct span){path + at, n - at};
}

/* What Moodle and Canvas packed may be named item by item: subs/X in place of subs. Then all that
 * one folder has of a student belongs together. */
static int add_item(struct hand_in_groups *g, const struct tree *t, enum group_kind kind,
                    const char *argument, struct student_name *told, struct err *e)
{
    const struct span last = last_part(argument);
    const char *where = arena_text(g->memory, argument, (size_t)(last.at - argument));
    struct group *to = where ? group_of(g, 0, told->student, told->id, where, e) : NULL;
    const char *name = kind == GROUP_FILE && told->file.n ? plain_name(g, told) : NULL;
    for (size_t i = 0; to && i < t->count; i++)
        if (add_to(to, &t->file[i], name ? name : t->file[i].name, told, e) != 0)
            return -1;
    return to ? 0 : fail_memory(e);
}

static int add_one(struct hand_in_groups *g, const struct tree *t, enum group_kind kind,
                   size_t skip, const char *argument, struct err *e)
{
    const struct span last = last_part(argument);
    const struct span student = kind == GROUP_FOLDER ? last : student_without_ending(last);
    struct student_name told = {.late = false};
    struct group *to = group_of(g, g->count, student, SPAN(""), argument, e);
    for (size_t i = 0; to && i < t->count; i++)
        if (add_to(to, &t->file[i], t->file[i].name + skip, &told, e) != 0)
            return -1;
    return to ? 0 : -1;
}

static int add_each(struct hand_in_groups *g, const struct tree *t, enum group_kind kind,
                    size_t skip, const char *argument, struct err *e)
{
    const size_t first = g->count;
    struct buf from = {0};
    int rc = 0;
    for (size_t i = 0; i < t->count && rc == 0; i++) {
        const struct student_name nothing = {.late = false};
        const struct span item = item_of(t->file[i].name, skip);
        const struct span student = is_file(item) ? student_without_ending(item) : item;
        buf_clear(&from);
        buf_printf(&from, "%s: %.*s", argument, (int)item.n, item.at);
        struct group *to =
            from.failed ? NULL
                        : group_of(g, first, student, SPAN(""), buf_text(&from), e);
        if (to)
            to->inner = kind == GROUP_ARCHIVE;
        rc = to ? add_to(to, &t->file[i], is_file(item) ? item.at : item.at + item.n + 1, &nothing,
                         e)
                : fail_memory(e);
    }
    buf_free(&from);
    return rc;
}

/* ---- as Moodle and Canvas name them --------------------------------------------------- */

static int add_platform(struct hand_in_groups *g, const struct tree *t, const struct arrangement *s,
                        const char *argument, struct err *e)
{
    const size_t first = g->count;
    for (size_t i = 0; i < t->count; i++) {
        const struct span item = item_of(t->file[i].name, s->skip);
        struct student_name told;
        const char *name = is_file(item) ? item.at : item.at + item.n + 1;
        const bool known =
            s->is == OF_MOODLE ? student_of_moodle(item, &told) : student_of_canvas(item, &told);
        if (!known)
            told = (struct student_name){.student = item, .id = {"", 0}};
        struct group *to = group_of(g, first, told.student, told.id, argument, e);
        if (!to)
            return -1;
        if (!known)
            to->wrong = "its name does not show the student";
        if (known && is_file(item) && told.file.n)
            name = plain_name(g, &told);
        if (add_to(to, &t->file[i], name, &told, e) != 0)
            return -1;
    }
    return 0;
}

static void say_left_out(struct group *g, const struct group_file *f)
{
    buf_printf(&g->note, "%s%s is left out, because there is a later one.",
               g->note.len ? " " : "", f->from->name);
}

/* Is there a file that takes the place of this one? What is late comes after all that is not. */
static bool has_later(const struct group *g, const struct group_file *f)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct group_file *o = &g->file[i];
        if ((o->late && !f->late) ||
            (o->late == f->late && o->attempt > f->attempt && strcmp(o->name, f->name) == 0))
            return true;
    }
    return false;
}

/* Which files stay is decided before the first one goes. */
static int keep_latest(struct group *g, struct err *e)
{
    size_t kept = 0;
    bool *goes = mem_alloc(&allocator_libc, g->count);
    for (size_t i = 0; goes && i < g->count; i++) {
        goes[i] = has_later(g, &g->file[i]);
        g->late |= g->file[i].late;
        g->attempt = g->file[i].attempt > g->attempt ? g->file[i].attempt : g->attempt;
    }
    for (size_t i = 0; goes && i < g->count; i++) {
        if (goes[i])
            say_left_out(g, &g->file[i]);
        else
            g->file[kept++] = g->file[i];
    }
    const bool failed = !goes || g->note.failed;
    mem_free(&allocator_libc, goes, g->count);
    g->count = kept;
    return failed ? fail_memory(e) : 0;
}

/* ---- all ------------------------------------------------------------------------------ */

int groups_add(struct hand_in_groups *g, const struct tree *t, enum group_kind kind,
               const char *argument, struct err *e)
{
    const struct arrangement s = find_shape(t, kind);
    struct student_name told;
    if (kind != GROUP_ARCHIVE && s.is == ONE_STUDENT &&
        (student_of_moodle(last_part(argument), &told) ||
         student_of_canvas(last_part(argument), &told)))
        return add_item(g, t, kind, argument, &told, e);
    if (s.is == UNCLEAR)
        return groups_add_wrong(g, argument, "the folder has several sources and other files. If each is a "
                                "hand-in, name the sources one by one. If they are one student's, "
                                "name the folder in which this folder lies", e);
    if (s.is == ONE_STUDENT)
        return add_one(g, t, kind, s.skip, argument, e);
    return s.is == EACH_ITEM ? add_each(g, t, kind, s.skip, argument, e)
                             : add_platform(g, t, &s, argument, e);
}

int groups_add_wrong(struct hand_in_groups *g, const char *argument, const char *wrong,
                     struct err *e)
{
    const struct tree none = {.count = 0};
    if (add_one(g, &none, GROUP_FILE, 0, argument, e) != 0)
        return -1;
    struct group *to = &g->at[g->count - 1];
    to->wrong = arena_text(g->memory, wrong, strlen(wrong));
    return to->wrong ? 0 : fail_memory(e);
}

/* anna-2 is anna if there is an anna, else a name as any other. */
static int find_attempts(struct hand_in_groups *g, struct err *e)
{
    const char **names = arena_alloc(g->memory, (g->count + 1) * sizeof *names);
    size_t count = 0;
    for (size_t i = 0; names && i < g->count; i++)
        if (!g->at[i].id[0])
            names[count++] = g->at[i].student;
    names_sort(names, count, sizeof *names);
    for (size_t i = 0; names && i < g->count; i++) {
        struct span before, ending;
        struct group *it = &g->at[i];
        const struct span all = {it->student, strlen(it->student)};
        const unsigned attempt = student_attempt(all, &before, &ending);
        if (it->id[0] || !attempt || ending.n)
            continue;
        const char *plain = copy(g, before);
        if (!plain)
            return fail_memory(e);
        if (names_find(names, count, sizeof *names, plain)) {
            it->student = plain;
            it->attempt = attempt;
        }
    }
    return names ? 0 : fail_memory(e);
}

int groups_settle(struct hand_in_groups *g, struct err *e)
{
    for (size_t i = 0; i < g->count; i++)
        if (keep_latest(&g->at[i], e) != 0)
            return -1;
    return find_attempts(g, e);
}

void groups_free(struct hand_in_groups *g)
{
    for (size_t i = 0; i < g->count; i++) {
        mem_free(&allocator_libc, g->at[i].file, g->at[i].capacity * sizeof *g->at[i].file);
        buf_free(&g->at[i].note);
    }
    mem_free(&allocator_libc, g->at, g->capacity * sizeof *g->at);
    *g = (struct hand_in_groups){.memory = g->memory};
}
