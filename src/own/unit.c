/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loaded files. A unit is complete before it replaces the earlier one, so a file that doesn't load
 * changes nothing. What PTX has lost (names, types, shapes) is read from the C++ names and the
 * source.
 */
#include "own/unit.h"

#include "base/lines.h"
#include "base/names.h"
#include "base/near.h"
#include "cxx/name.h"
#include "own/arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 500 };

/* ---- kernels -------------------------------------------------------------------------- */

static bool kernel_means(const struct unit_kernel *k, const char *typed, bool loose)
{
    return k->is_cxx ? cxx_means(&k->name, typed, loose) : strcmp(k->info.name, typed) == 0;
}

/* Is it the kernel's full name, "ns::tk<float>"? A full name goes before any name that ends so. */
static bool is_called(const struct unit_kernel *k, const char *typed)
{
    size_t n = k->is_cxx ? strlen(k->name.qualified) : 0;
    if (!k->is_cxx)
        return strcmp(k->info.name, typed) == 0;
    return strncmp(k->name.qualified, typed, n) == 0 && strcmp(k->name.arguments, typed + n) == 0;
}

static const struct unit_kernel *only_called(const struct unit *u, const char *typed)
{
    const struct unit_kernel *found = NULL;
    for (unsigned i = 0; i < u->kernel_count; i++)
        if (is_called(&u->kernels[i], typed)) {
            if (found)
                return NULL;
            found = &u->kernels[i];
        }
    return found;
}

/* A kernel's own name; in C++ with its namespaces and template arguments. */
struct called { const char *name; struct unit_kernel *kernel; };

static const char *own_name(struct unit *u, const struct unit_kernel *k)
{
    char text[NAME_ROOM];
    if (!k->is_cxx)
        return k->info.name;
    int n = snprintf(text, sizeof text, "%s%s", k->name.qualified, k->name.arguments);
    return n < (int)sizeof text ? arena_text(&u->memory, text, (size_t)n) : k->name.full;
}

/* Each kernel is shown by its own name, or by the full name with parameters if two share it. */
static int name_kernels(struct unit *u, struct arena *scratch)
{
    struct called *all = arena_alloc(scratch, u->kernel_count * sizeof *all);
    if (!all)
        return -1;
    for (unsigned i = 0; i < u->kernel_count; i++) {
        all[i] = (struct called){own_name(u, &u->kernels[i]), &u->kernels[i]};
        if (!all[i].name)
            return -1;
    }
    names_sort(all, u->kernel_count, sizeof *all);
    for (unsigned i = 0, next; i < u->kernel_count; i = next) {
        for (next = i + 1; next < u->kernel_count; next++)
            if (strcmp(all[i].name, all[next].name) != 0)
                break;
        for (unsigned k = i; k < next; k++)
            all[k].kernel->shown = next - i > 1 && all[k].kernel->is_cxx
                                       ? all[k].kernel->name.full : all[k].name;
    }
    return 0;
}

/* Takes the parameters from the source if it declares as many. */
static int read_source(struct unit *u, const struct tokens *source, struct unit_kernel *k)
{
    unsigned most = k->info.param_count + 1;
    struct declared *params = arena_alloc(&u->memory, most * sizeof *params);
    if (!params)
        return -1;
    const char *bare = k->is_cxx ? k->name.plain : k->info.name;
    if (declared_kernel(source, bare, params, most, &k->line) == (int)k->info.param_count)
        k->params = params;
    return 0;
}

/* Was it the unit's own file that defined this kernel or variable? */
static bool is_of_unit(const struct unit *u, const char *name)
{
    const struct ptx_linked *l = &u->leader->linked;
    const struct link_origin *o = names_find(l->origins, l->origin_count, sizeof *o, name);
    return l->text.len == 0 || (o ? o->part == u->part : u == u->leader);
}

static int add_kernels_of(struct device *d, struct unit *u, const struct tokens *source,
                          struct err *e)
{
    struct kernel_info info;
    size_t count = 0;
    while (d->ops->kernel_at(d, u->module, count, &info))
        count++;
    u->asked_for = 0;
    u->kernels = arena_alloc(&u->memory, (count + 1) * sizeof *u->kernels);
    if (!u->kernels)
        return fail_memory(e);
    for (size_t i = 0; i < count; i++) {
        struct unit_kernel *k = &u->kernels[u->kernel_count];
        k->kernel = d->ops->kernel_at(d, u->module, i, &k->info);
        if (k->info.undefined) {
            char why[ERR_TEXT];
            cxx_readable(k->info.undefined, why, sizeof why);
            return fail(e, "%s", why);
        }
        if (!is_of_unit(u, k->info.name))
            continue;
        k->is_cxx = cxx_read(k->info.name, &u->memory, &k->name) == 0;
        if (read_source(u, source, k) != 0)
            return fail_memory(e);
        if (go_on(d->go_on, e) != 0)
            return -1;
        u->kernel_count++;
    }
    return 0;
}

static int add_kernels(struct device *d, struct unit *u, struct err *e)
{
    struct tokens source;
    struct arena scratch = {0};
    int rc = declare_read(buf_text(&u->source), u->source.len, &scratch, &source);
    source.arena = &u->memory; /* the names that are found stay, the tokens don't */
    rc = rc == 0 ? add_kernels_of(d, u, &source, e) : fail_memory(e);
    if (rc == 0 && name_kernels(u, &scratch) != 0)
        rc = fail_memory(e);
    arena_free(&scratch);
    return rc;
}

/* ---- variables ------------------------------------------------------------------------ */

/* Some compilers make variables of what the language has built in. */
static bool is_built_in(const char *name)
{
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Does the name come from the toolkit's headers, such as those of cooperative groups and curand? */
static bool is_toolkit_name(const char *name)
{
    static const char *const starts[] = {"cuda::", "_ZN4cuda", "cooperative_groups::",
                                         "_ZN18cooperative_groups", "nvcuda::", "_ZN6nvcuda",
                                         "std::", "_ZNSt", "_ZSt", "precalc_xorwow_", "mrg32k3aM",
                                         "__cr_lgamma_table", NULL};
    for (const char *const *s = starts; *s; s++)
        if (strncmp(name, *s, strlen(*s)) == 0)
            return true;
    return false;
}

/* How an array shows a variable. */
struct variable_view {
    enum element type;
    bool known;
    uint64_t dims[3], count;
    char declared[200];
};

static bool view_by_source(const struct tokens *source, const char *name, uint64_t size,
                           struct variable_view *view)
{
    struct declared d;
    char element[ELEMENT_NAME];
    char plain[NAME_ROOM];
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, "<"), name);
    const char *colons = strrchr(plain, ':');
    if (declared_variable(source, colons ? colons + 1 : plain, &d) != 0)
        return false;
    unsigned width = element_of_vector(d.type, element), dims = 0;
    if (d.is_pointer)
        view->type = ELEMENT_U64;
    else if (element_named(element, &view->type) != 0)
        return false;
    view->count = size / element_size(view->type);
    if (view->count * element_size(view->type) != size)
        return false;
    uint64_t product = 1;
    for (unsigned i = 0; i < 3 && d.dims[i]; i++)
        product *= view->dims[dims++] = d.dims[i];
    if (width > 1 && dims < 3)
        product *= view->dims[dims++] = width;
    if (product != view->count || dims < 2)
        memset(view->dims, 0, sizeof view->dims);
    snprintf(view->declared, sizeof view->declared, "%s", d.type);
    return true;
}

/* "u32" says it. "b8" of more than one byte stands for a type that the compiler has dropped. */
static bool view_by_ptx(const struct variable_info *v, struct variable_view *view)
{
    const char *type = v->type[0] == '.' ? v->type + 1 : v->type;
    char name[8];
    if (strlen(type) > 4)
        return false;
    snprintf(name, sizeof name, "%s", type);
    if (name[0] == 'b')
        name[0] = 'u';
    if (name[0] == 's')
        name[0] = 'i';
    if (element_named(name, &view->type) != 0 || v->size % element_size(view->type))
        return false;
    view->count = v->size / element_size(view->type);
    return strcmp(name, "u8") != 0 || v->size == 1;
}

/* v<int> of `template <class T> T v`: the PTX says how wide it is, the argument says the type. */
static void view_by_argument(const char *name, struct variable_view *view)
{
    const char *from = strchr(name, '<');
    char word[ELEMENT_NAME];
    enum element type;
    if (!from || strcspn(from + 1, ",>") >= sizeof word)
        return;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(from + 1, ",>"), from + 1);
    if (element_named(word, &type) == 0 && element_size(type) == element_size(view->type))
        view->type = type;
}

static int add_variable(struct session *s, struct unit *u, const struct variable_info *v,
                        const char *name, const struct tokens *source, struct err *e)
{
    struct variable_view view = {.type = ELEMENT_U8, .count = v->size};
    if (is_toolkit_name(name) || is_built_in(name))
        return 0;
    view.known = view_by_source(source, name, v->size, &view);
    if (!view.known && (view.known = view_by_ptx(v, &view)))
        view_by_argument(name, &view);
    if (!view.known) {
        view.type = ELEMENT_U8;
        view.count = v->size;
    }
    return array_add_variable(s, u->module, name, view.type, view.known,
                              view.declared[0] ? view.declared : NULL,
                              view.dims[0] ? view.dims : NULL, view.count, v->address, v->constant,
                              e);
}

static int add_variables(struct session *s, struct device *d, struct unit *u, struct err *e)
{
    struct variable_info v;
    struct arena scratch = {0};
    struct tokens source;
    int rc = declare_read(buf_text(&u->source), u->source.len, &scratch, &source);
    if (rc != 0)
        fail_memory(e);
    for (size_t i = 0; rc == 0 && d->ops->variable_at(d, u->module, i, &v) == 0; i++)
        if (!v.hidden && v.size && is_of_unit(u, v.name) && (rc = go_on(d->go_on, e)) == 0) {
            const char *name = cxx_variable(v.name, &scratch);
            rc = add_variable(s, u, &v, name ? name : v.name, &source, e);
        }
    arena_free(&scratch);
    return rc == 0 ? arrays_drop_repeated(s, u->module, e) : rc;
}

/* ---- coming and going ----------------------------------------------------------------- */

static void unit_free(struct unit *u)
{
    free(u->path);
    free(u->options);
    buf_free(&u->source);
    buf_free(&u->ptx);
    ptx_linked_free(&u->linked);
    arena_free(&u->memory);
    mem_free(&allocator_libc, u, sizeof *u);
}

static struct unit *unit_new(struct unit_from *from)
{
    struct unit *u = mem_alloc(&allocator_libc, sizeof *u);
    if (!u) {
        buf_free(&from->source);
        buf_free(&from->ptx);
        return NULL;
    }
    u->leader = u;
    u->source = from->source;
    u->ptx = from->ptx;
    u->device_arch = from->device_arch;
    u->print = from->print;
    u->is_example = from->is_example;
    u->no_kernels = from->no_kernels;
    snprintf(u->compiler, sizeof u->compiler, "%s", from->compiler);
    u->path = strdup(from->path);
    u->options = strdup(from->options ? from->options : "");
    if (u->path && u->options)
        return u;
    unit_free(u);
    return NULL;
}

static struct units *units_of(struct session *s)
{
    if (!s->units)
        s->units = mem_alloc(&allocator_libc, sizeof *s->units);
    return s->units;
}

static int no_kernels(const struct unit *u, struct err *e)
{
    if (strstr(buf_text(&u->source), "template"))
        return fail(e, "`%.300s` has no kernel: a template becomes one where it is launched, or by "
                    "a line like `template __global__ void k<float>(float *);`", u->path);
    return fail(e, "`%.300s` has no kernel: a function with __global__ in front, as in `__global__ "
                "void k(float *x)`", u->path);
}

const struct buf *unit_ptx(const struct unit *u)
{
    return u->leader->linked.text.len ? &u->leader->linked.text : &u->ptx;
}

static int load_module(struct device *d, struct unit *u, struct err *e)
{
    const struct buf *ptx = unit_ptx(u);
    struct err why = {0};
    u->module = d->ops->load(d, u->path, buf_text(ptx), ptx->len, &why);
    if (u->module)
        return 0;
    if (strcmp(why.text, DEVICE_HELD) == 0) /* which the PTX has no part in */
        return fail(e, DEVICE_HELD);
    if (why.line)
        return fail(e, "the PTX of `%.200s`, line %d: %s", u->path, why.line, why.text);
    return fail(e, "the PTX of `%.200s`: %s", u->path, why.text);
}

/* Loads the module, the leader's for all files that were linked, and lists what it has of the
 * unit. A leader comes before the other files. */
static int bring_up(struct device *d, struct unit *u, struct err *e)
{
    u->kernels = NULL;
    u->kernel_count = 0;
    u->module = u == u->leader ? NULL : u->leader->module;
    if (!u->module && load_module(d, u, e) != 0)
        return -1;
    if (add_kernels(d, u, e) != 0)
        return -1;
    return u->kernel_count || u->no_kernels || unit_ptx(u) != &u->ptx ? 0 : no_kernels(u, e);
}

static void remove_unit(struct session *s, struct unit *u)
{
    struct units *all = s->units;
    unsigned kept = 0;
    for (unsigned i = 0; i < all->count; i++)
        if (all->all[i] != u)
            all->all[kept++] = all->all[i];
    all->count = kept;
}

/* Unloads the unit and the files that were linked with it. */
static void units_unload(struct session *s, struct unit *u)
{
    struct unit *leader = u->leader;
    arrays_drop_module(s, leader->module);
    s->device->ops->unload(s->device, leader->module);
    for (unsigned i = s->units->count; i-- > 0;) {
        struct unit *member = s->units->all[i];
        if (member->leader == leader && member != leader) {
            remove_unit(s, member);
            unit_free(member);
        }
    }
    remove_unit(s, leader);
    unit_free(leader);
}

static int take_place(struct session *s, struct unit *const *fresh, unsigned count, struct err *e)
{
    struct units *all = units_of(s);
    struct unit *before;
    if (!all)
        return fail_memory(e);
    for (unsigned i = 0; i < count; i++)
        if (mem_grow(&allocator_libc, (void **)&all->all, &all->capacity, all->count + count - 1,
                     sizeof *all->all) != 0)
            return fail_memory(e);
    for (unsigned i = 0; i < count; i++)
        if (add_variables(s, s->device, fresh[i], e) != 0) {
            arrays_drop_module(s, fresh[0]->module);
            return -1;
        }
    for (unsigned i = 0; i < count; i++)
        while ((before = unit_of_path(s, fresh[i]->path)))
            units_unload(s, before);
    for (unsigned i = 0; i < count; i++)
        all->all[all->count++] = fresh[i];
    return 0;
}

static int link_parts(struct unit *const *all, unsigned count, struct ptx_linked *l, struct err *e)
{
    struct ptx_part *parts = mem_alloc(&allocator_libc, count * sizeof *parts);
    struct err why = {0};
    int rc = -1;
    for (unsigned i = 0; parts && i < count; i++)
        parts[i] = (struct ptx_part){all[i]->path, buf_text(&all[i]->ptx)};
    if (!parts)
        fail_memory(e);
    else if ((rc = ptx_link(parts, count, l, &why)) != 0) {
        cxx_readable(why.text, e->text, sizeof e->text);
        e->line = e->column = 0;
    }
    mem_free(&allocator_libc, parts, count * sizeof *parts);
    return rc;
}

int unit_link(const struct units *units, struct unit *leader, struct ptx_linked *l, struct err *e)
{
    unsigned first = 0, count = 0;
    while (units->all[first] != leader)
        first++;
    while (first + count < units->count && units->all[first + count]->leader == leader)
        count++;
    return link_parts(units->all + first, count, l, e);
}

static int bring_up_all(struct session *s, struct unit *const *fresh, unsigned count,
                        struct err *e)
{
    unsigned kernels = 0;
    if (count > 1 && link_parts(fresh, count, &fresh[0]->linked, e) != 0)
        return -1;
    for (unsigned i = 0; i < count; i++) {
        if (bring_up(s->device, fresh[i], e) != 0)
            return -1;
        kernels += fresh[i]->kernel_count;
    }
    if (!kernels && !fresh[0]->no_kernels)
        return no_kernels(fresh[0], e);
    return take_place(s, fresh, count, e);
}

int units_load(struct session *s, struct unit_from *from, unsigned count, struct unit **out,
               struct err *e)
{
    struct unit **fresh = mem_alloc(&allocator_libc, count * sizeof *fresh);
    bool all = fresh != NULL;
    for (unsigned i = 0; i < count; i++) {
        if (!fresh) {
            buf_free(&from[i].source);
            buf_free(&from[i].ptx);
            continue;
        }
        fresh[i] = unit_new(&from[i]);
        all = all && fresh[i];
        if (all) {
            fresh[i]->leader = fresh[0];
            fresh[i]->part = i;
        }
    }
    int rc = all ? bring_up_all(s, fresh, count, e) : fail_memory(e);
    if (rc == 0)
        *out = fresh[0];
    else if (all && fresh[0]->module)
        s->device->ops->unload(s->device, fresh[0]->module);
    for (unsigned i = 0; rc != 0 && fresh && i < count; i++)
        if (fresh[i])
            unit_free(fresh[i]);
    mem_free(&allocator_libc, fresh, count * sizeof *fresh);
    return rc;
}

void units_free(struct session *s)
{
    struct units *all = s->units;
    if (!all)
        return;
    while (all->count)
        units_unload(s, all->all[all->count - 1]);
    mem_free(&allocator_libc, all->all, all->capacity * sizeof *all->all);
    mem_free(&allocator_libc, all->texts, all->text_capacity * sizeof *all->texts);
    mem_free(&allocator_libc, all, sizeof *all);
    s->units = NULL;
}

int units_add_text(struct session *s, const char *path, struct span text, struct err *e)
{
    struct units *all = units_of(s);
    if (!all || mem_grow(&allocator_libc, (void **)&all->texts, &all->text_capacity,
                         all->text_count, sizeof *all->texts) != 0)
        return fail_memory(e);
    all->texts[all->text_count++] = (struct unit_text){path, text};
    return 0;
}

/* Copies the bytes of a module's variables to the same module on another device. */
static int carry_variables(struct device *from, void *old, struct device *to, void *fresh,
                           struct err *e)
{
    struct variable_info v;
    int rc = 0;
    for (size_t i = 0; rc == 0 && from->ops->variable_at(from, old, i, &v) == 0; i++) {
        uint64_t there = v.hidden ? 0 : device_find_variable(to, fresh, v.name);
        rc = there ? device_copy(from, v.address, to, there, v.size, e) : 0;
    }
    return rc;
}

/* Called after a move, or after one that failed. Nothing stops it, so go_on is not asked. */
static void describe_anew(struct session *s, struct device *d, struct unit *u, bool moved,
                          struct err *e)
{
    const struct go_on *asked = d->go_on;
    d->go_on = NULL;
    add_kernels(d, u, e);
    if (moved)
        add_variables(s, d, u, e);
    d->go_on = asked;
}

int units_move(struct session *s, struct device *from, struct device *to, struct err *e)
{
    struct units *all = s->units;
    unsigned count = all ? all->count : 0;
    void **old = mem_alloc(&allocator_libc, (count + 1) * sizeof *old);
    unsigned moved = 0;
    if (!old)
        return fail_memory(e);
    for (; moved < count; moved++) {
        struct unit *u = all->all[moved];
        old[moved] = u->module;
        if (bring_up(to, u, e) != 0 ||
            (u == u->leader && carry_variables(from, old[moved], to, u->module, e) != 0))
            break;
    }
    /* After success the old modules go, otherwise the new ones, and the descriptions are right. */
    bool done = moved == count;
    for (unsigned i = 0; i < count && i <= moved; i++) {
        struct unit *u = all->all[i];
        void *goes = done ? old[i] : u->module;
        if (done)
            arrays_drop_module(s, old[i]);
        if (goes && u == u->leader)
            (done ? from : to)->ops->unload(done ? from : to, goes);
        u->module = done ? u->module : old[i];
        u->kernel_count = 0;
        describe_anew(s, done ? to : from, u, done, e);
    }
    mem_free(&allocator_libc, old, (count + 1) * sizeof *old);
    return done ? 0 : -1;
}

unsigned unit_target(const struct unit *u)
{
    static const char target[] = "\n.target sm_";
    const char *at = strstr(buf_text(&u->ptx), target);
    return at ? (unsigned)strtoul(at + strlen(target), NULL, 10) : 0;
}

/* ---- looking up ----------------------------------------------------------------------- */

struct unit *unit_of_path(const struct session *s, const char *path)
{
    for (unsigned i = 0; s->units && i < s->units->count; i++)
        if (strcmp(s->units->all[i]->path, path) == 0)
            return s->units->all[i];
    return NULL;
}

/* Is this unit the file in `mine.cu:k`? *rest is then what follows the colon. */
static bool path_fits(const struct unit *u, const char *typed, const char **rest)
{
    const char *names[] = {u->path, base_name(u->path)};
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(typed, names[i], n) == 0 && typed[n] == ':' && typed[n + 1] != ':') {
            *rest = typed + n + 1;
            return true;
        }
    }
    return false;
}

static const struct unit_kernel *in_unit(const struct unit *u, const char *typed, bool loose,
                                         struct err *e)
{
    const struct unit_kernel *found = only_called(u, typed);
    struct buf all = {0};
    unsigned count = 0;
    if (found)
        return found;
    for (unsigned i = 0; i < u->kernel_count; i++)
        if (kernel_means(&u->kernels[i], typed, loose)) {
            found = &u->kernels[i];
            buf_printf(&all, "%s%s", count++ ? ", " : "", found->shown);
        }
    if (count > 1) {
        fail(e, "`%.100s` could be %.400s: type one of these", typed, buf_text(&all));
        found = NULL;
    }
    buf_free(&all);
    return found;
}

static void no_such_kernel(const struct session *s, const char *typed, struct err *e)
{
    struct near n = {.word = typed};
    for (unsigned i = 0; s->units && i < s->units->count; i++)
        for (unsigned k = 0; k < s->units->all[i]->kernel_count; k++)
            near_try(&n, s->units->all[i]->kernels[k].shown);
    const char *best = n.best;
    size_t plain = strcspn(typed, "<(");
    for (unsigned i = 0; !best && typed[plain] && s->units && i < s->units->count; i++)
        for (unsigned k = 0; k < s->units->all[i]->kernel_count; k++)
            if (strncmp(s->units->all[i]->kernels[k].shown, typed, plain) == 0)
                best = s->units->all[i]->kernels[k].shown;
    if (best)
        fail(e, "there is no kernel `%.100s`: did you mean %.200s?", typed, best);
    else if (!s->units || !s->units->count)
        fail(e, "there is no kernel `%.100s`; `load FILE.cu` brings a file's kernels", typed);
    else
        fail(e, "there is no kernel `%.100s`; `kernels` lists all kernels", typed);
}

const struct unit_kernel *unit_kernel_find(const struct session *s, const char *typed,
                                           struct unit **unit, struct err *e)
{
    e->text[0] = '\0';
    for (int loose = 0; loose < 2; loose++)
        for (unsigned i = s->units ? s->units->count : 0; i-- > 0;) {
            struct unit *u = s->units->all[i];
            const char *name = typed;
            bool of_file = path_fits(u, typed, &name);
            const struct unit_kernel *k = in_unit(u, name, loose, e);
            *unit = u;
            if (k || e->text[0])
                return k;
            if (of_file) {
                fail(e, "`%.200s` has no kernel `%.100s`; `kernels` lists those there are",
                     u->path, name);
                return NULL;
            }
        }
    return NULL;
}

const struct unit_kernel *unit_kernel_named(const struct session *s, const char *typed,
                                            struct unit **unit, struct err *e)
{
    const struct unit_kernel *k = unit_kernel_find(s, typed, unit, e);
    if (!k && !e->text[0])
        no_such_kernel(s, typed, e);
    return k;
}

/* ---- as the source has it ------------------------------------------------------------- */

const char *unit_param_type(const struct unit_kernel *k, unsigned i)
{
    if (k->is_cxx && i < k->name.param_count && k->name.param_count == k->info.param_count)
        return k->name.params[i];
    if (k->params)
        return k->params[i].type;
    const char *type = k->info.params[i].type;
    return type[0] == '.' ? type + 1 : type;
}

const char *unit_param_name(const struct unit_kernel *k, unsigned i)
{
    return k->params && k->params[i].name && k->params[i].name[0] ? k->params[i].name : NULL;
}

void unit_signature(const struct unit_kernel *k, struct buf *out)
{
    const char *shown = k->shown, *paren = k->is_cxx ? strchr(shown, '(') : NULL;
    /* A shown name may already have its parameters; `(anonymous namespace)` is none. */
    while (paren && strncmp(paren, "(anonymous", 10) == 0)
        paren = strchr(paren + 1, '(');
    buf_printf(out, "%.*s(", (int)(paren ? paren - shown : (long)strlen(shown)), shown);
    for (unsigned i = 0; i < k->info.param_count; i++) {
        const char *name = unit_param_name(k, i);
        buf_printf(out, "%s%s%s%s", i ? ", " : "", unit_param_type(k, i), name ? " " : "",
                   name ? name : "");
    }
    buf_puts(out, ")");
}

const char *unit_line(const struct session *s, const char *file, int line, size_t *n)
{
    const struct unit *u = unit_of_path(s, file);
    struct span text = {u ? buf_text(&u->source) : "", u ? u->source.len : 0};
    struct span found = trim(line_at(text, line));
    *n = found.n;
    return found.at;
}
