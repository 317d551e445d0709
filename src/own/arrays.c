/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of arrays; making, freeing and moving them to another device. slice.c reads which part
 * of an array a student means.
 */
#include "own/arrays.h"

#include "base/hash.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/near.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 255, NAMES_TOLD = 6 };

/* ---- the list ------------------------------------------------------------------------- */

static unsigned count_of(const struct session *s)
{
    return s->own ? s->own->count : 0;
}

static struct array **bucket_of(const struct arrays *own, const char *name)
{
    uint64_t hash = hash_bytes(HASH_START, name, strlen(name));
    return &own->buckets[hash & (own->bucket_count - 1)];
}

static void index_add(struct arrays *own, struct array *a)
{
    struct array **bucket = bucket_of(own, a->name);
    a->next = *bucket;
    *bucket = a;
}

static void index_all(struct arrays *own)
{
    if (own->buckets)
        memset(own->buckets, 0, own->bucket_count * sizeof *own->buckets);
    for (unsigned i = 0; i < own->count; i++)
        index_add(own, own->all[i]);
}

/* There are as many buckets as arrays, or more. */
static int index_grow(struct arrays *own)
{
    const size_t more = own->bucket_count ? own->bucket_count * 2 : 16;
    if (own->count < own->bucket_count)
        return 0;
    struct array **buckets = mem_alloc(&allocator_libc, more * sizeof *buckets);
    if (!buckets)
        return -1;
    mem_free(&allocator_libc, own->buckets, own->bucket_count * sizeof *buckets);
    own->buckets = buckets;
    own->bucket_count = more;
    index_all(own);
    return 0;
}

struct array *array_named(const struct session *s, const char *name)
{
    struct array *a = count_of(s) ? *bucket_of(s->own, name) : NULL;
    while (a && strcmp(a->name, name) != 0)
        a = a->next;
    return a;
}

bool array_hidden(const struct session *s, const struct array *a)
{
    return array_named(s, a->name) != a;
}

/* Names of one letter are not near to each other. So a few names are all listed. */
static void name_all(const struct session *s, const char *name, struct err *e)
{
    struct buf all = {0};
    for (unsigned i = 0; i < count_of(s); i++)
        if (!array_hidden(s, s->own->all[i]))
            buf_printf(&all, "%s%.60s", all.len ? ", " : "", s->own->all[i]->name);
    fail(e, "there is no array `%.60s`; the arrays are: %s", name, buf_text(&all));
    buf_free(&all);
}

struct array *array_or_near(struct session *s, const char *name, struct err *e)
{
    struct array *found = array_named(s, name);
    struct near n = {.word = name};
    if (found)
        return found;
    for (unsigned i = 0; i < count_of(s); i++)
        near_try(&n, s->own->all[i]->name);
    if (n.best)
        fail(e, "there is no array `%.60s`: did you mean %.100s?", name, n.best);
    else if (count_of(s) && count_of(s) <= NAMES_TOLD)
        name_all(s, name, e);
    else if (count_of(s))
        fail(e, "there is no array `%.60s`; `arrays` lists all arrays", name);
    else
        fail(e, "there is no array `%.60s`, and no other array; `array NAME TYPE COUNT` makes one",
             name);
    return NULL;
}

uint64_t array_bytes(const struct array *a)
{
    return a->count * element_size(a->type);
}

uint64_t arrays_bytes(const struct session *s)
{
    return s->own ? s->own->bytes : 0;
}

static int add_last(struct session *s, struct array *a, struct err *e)
{
    if (!s->own && !(s->own = mem_alloc(&allocator_libc, sizeof *s->own)))
        return fail_memory(e);
    void *all = s->own->all;
    if (mem_grow(&allocator_libc, &all, &s->own->capacity, s->own->count,
                 sizeof *s->own->all) != 0)
        return fail_memory(e);
    s->own->all = all;
    if (index_grow(s->own) != 0)
        return fail_memory(e);
    s->own->all[s->own->count++] = a;
    s->own->bytes += a->module ? 0 : array_bytes(a);
    index_add(s->own, a);
    return 0;
}

static void take_out(struct session *s, unsigned i)
{
    struct arrays *own = s->own;
    struct array *a = own->all[i], **at = bucket_of(own, a->name);
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
    own->bytes -= a->module ? 0 : array_bytes(a);
    memmove(own->all + i, own->all + i + 1, (own->count - i - 1) * sizeof *own->all);
    own->count--;
}

static unsigned place_of(const struct session *s, const struct array *a)
{
    unsigned i = 0;
    while (i < count_of(s) && s->own->all[i] != a)
        i++;
    return i;
}

/* ---- making --------------------------------------------------------------------------- */

int array_name_check(const char *name, struct err *e)
{
    static const char *const taken[] = {"null", "nan", "inf", "infinity", NULL};
    enum element type;
    bool good = is_letter(*name) && strlen(name) <= NAME_MOST;
    for (const char *c = name; *c; c++)
        good = good && in_word(*c);
    if (!good)
        return fail(e, "`%.60s` can't be the name of an array; a name is letters, digits and _, "
                    "and begins with no digit", name);
    if (element_named(name, &type) == 0)
        return fail(e, "`%.60s` is a type and can't be the name of an array; the name comes "
                    "first, as in `array x %.60s 8`", name, name);
    for (int i = 0; taken[i]; i++)
        if (strcmp(taken[i], name) == 0)
            return fail(e, "`%s` has another meaning among a kernel's arguments; take another "
                           "name", name);
    return 0;
}

/* Copies the next factor of a shape to `part`; returns what follows it, NULL: it is too long. */
static const char *next_factor(const char *text, char part[64])
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && !strchr(text + 2, 'x');
    size_t n = hex ? strlen(text) : strcspn(text, "xX");
    if (n == 0 || n >= 64)
        return NULL;
    memcpy(part, text, n);
    part[n] = '\0';
    return text + n;
}

int array_shape(const char *text, uint64_t dims[3], uint64_t *count, struct err *e)
{
    const uint64_t most = UINT64_C(1) << 48;
    char part[64];
    memset(dims, 0, 3 * sizeof *dims);
    *count = 1;
    const char *at = text;
    for (int i = 0;; i++) {
        if (i == 3 || !(at = next_factor(at, part)))
            return fail(e, "`%.60s` is not a size; write 1000, 2^20, 64x64 or 4x5x6", text);
        if (num_uint(part, 1, most, &dims[i], e) != 0)
            return -1;
        if (dims[i] > most / *count)
            return fail(e, "%.60s is too big: at most 2^48 elements", text);
        *count *= dims[i];
        if (!*at)
            return 0;
        at++;
    }
}

/* Checked here because the device could not name the array or what takes its memory. */
static int check_room(const struct session *s, const struct array *a, struct err *e)
{
    char wanted[NUM_TEXT], all[NUM_TEXT], used[NUM_TEXT];
    const uint64_t total = s->device->props.global_bytes, taken = arrays_bytes(s);
    uint64_t left = taken < total ? total - taken : 0;
    if (!total || array_bytes(a) <= left)
        return 0;
    return fail_limit(e, "%.60s would take %s bytes, and the device has %s. Arrays take %s now: "
                "take fewer elements, or `free` an array", a->name,
                num_group((int64_t)array_bytes(a), wanted), num_group((int64_t)total, all),
                num_group((int64_t)taken, used));
}

static void delete_array(struct array *a)
{
    free(a->name);
    free(a->declared);
    free(a);
}

struct array *array_new(struct session *s, const char *name, enum element type,
                        const uint64_t dims[3], uint64_t count, struct err *e)
{
    struct array *a = calloc(1, sizeof *a);
    if (!a || !(a->name = strdup(name))) {
        free(a);
        fail_memory(e);
        return NULL;
    }
    a->type = type;
    a->type_known = true;
    a->count = count;
    memcpy(a->dims, dims, sizeof a->dims);
    if (check_room(s, a, e) == 0 &&
        s->device->ops->allocate(s->device, array_bytes(a), name, &a->address, e) == 0)
        return a;
    delete_array(a);
    return NULL;
}

void array_discard(struct session *s, struct array *a)
{
    struct err ignored;
    if (!a->module)
        s->device->ops->free(s->device, a->address, &ignored);
    delete_array(a);
}

int array_keep(struct session *s, struct array *a, struct err *e)
{
    struct array *old = array_named(s, a->name);
    while (old && (old->module || strcmp(old->name, a->name) != 0))
        old = old->next;
    if (add_last(s, a, e) != 0)
        return -1;
    if (old) {
        take_out(s, place_of(s, old));
        array_discard(s, old);
    }
    return 0;
}

/* A variable that hides another is moved to the front of the list, so that the other hides it. */
static int hide_variable(struct session *s, struct array *a, unsigned at, struct err *e)
{
    for (const struct array *other = a->next; other; other = other->next)
        if (strcmp(other->name, a->name) == 0) {
            memmove(s->own->all + 1, s->own->all, at * sizeof *s->own->all);
            s->own->all[0] = a;
            index_all(s->own);
            return 0;
        }
    return fail(e, "`%.60s` is a variable of a loaded file and can't be freed by itself; it goes "
                "with that file", a->name);
}

int array_free(struct session *s, struct array *a, struct err *e)
{
    unsigned at = place_of(s, a);
    if (a->module)
        return hide_variable(s, a, at, e);
    take_out(s, at);
    array_discard(s, a);
    return 0;
}

/* ---- variables of modules ------------------------------------------------------------- */

/* Removes all that are marked. */
static void drop_marked(struct session *s)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count_of(s); i++) {
        struct array *a = s->own->all[i];
        if (a->going)
            delete_array(a);
        else
            s->own->all[kept++] = a;
    }
    if (s->own) {
        s->own->count = kept;
        index_all(s->own);
    }
}

/* A module's variable and its place on the list. */
struct named_variable { const char *name; unsigned at; };

static void mark_all_but_last(struct session *s, const struct named_variable *of, unsigned count)
{
    unsigned last = 0;
    for (unsigned i = 0; i < count; i++) {
        s->own->all[of[i].at]->going = true;
        last = of[i].at > last ? of[i].at : last;
    }
    s->own->all[last]->going = false;
}

int arrays_drop_repeated(struct session *s, const void *module, struct err *e)
{
    struct named_variable *all = malloc((count_of(s) + 1) * sizeof *all);
    unsigned count = 0;
    if (!all)
        return fail_memory(e);
    for (unsigned i = 0; i < count_of(s); i++)
        if (s->own->all[i]->module == module)
            all[count++] = (struct named_variable){s->own->all[i]->name, i};
    names_sort(all, count, sizeof *all);
    for (unsigned i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count; next++)
            if (strcmp(all[i].name, all[next].name) != 0)
                break;
        mark_all_but_last(s, all + i, next - i);
    }
    free(all);
    drop_marked(s);
    return 0;
}

int array_add_variable(struct session *s, const void *module, const char *name,
                       enum element type, bool type_known, const char *declared,
                       const uint64_t dims[3], uint64_t count, uint64_t address, bool constant,
                       struct err *e)
{
    struct array *a = calloc(1, sizeof *a);
    if (!a)
        return fail_memory(e);
    a->name = strdup(name);
    a->declared = declared ? strdup(declared) : NULL;
    a->type = type;
    a->type_known = type_known;
    a->count = a->dims[0] = count;
    if (dims && dims[1] > 0)
        memcpy(a->dims, dims, sizeof a->dims);
    a->address = address;
    a->constant = constant;
    a->module = module;
    if (a->name && (a->declared || !declared) && add_last(s, a, e) == 0)
        return 0;
    delete_array(a);
    return fail_memory(e);
}

void arrays_drop_module(struct session *s, const void *module)
{
    for (unsigned i = 0; i < count_of(s); i++)
        s->own->all[i]->going = module && s->own->all[i]->module == module;
    drop_marked(s);
}

/* ---- another device, and the end ------------------------------------------------------ */

/* Copies each array; address[i] is where the copy is, 0 for variables. */
static int copy_all(struct session *s, struct device *to, uint64_t *address, struct err *e)
{
    for (unsigned i = 0; i < count_of(s); i++) {
        struct array *a = s->own->all[i];
        if (a->module)
            continue;
        if (to->ops->allocate(to, array_bytes(a), a->name, &address[i], e) != 0 ||
            device_copy(s->device, a->address, to, address[i], array_bytes(a), e) != 0)
            return -1;
    }
    return 0;
}

int arrays_carry(struct session *s, struct device *to, struct err *e)
{
    struct err ignored;
    uint64_t *address = calloc(count_of(s) + 1, sizeof *address);
    if (!address)
        return fail_memory(e);
    int rc = copy_all(s, to, address, e);
    for (unsigned i = count_of(s); i-- > 0;) {
        struct array *a = s->own->all[i];
        if (rc != 0 && address[i])
            to->ops->free(to, address[i], &ignored);
        else if (rc == 0 && !a->module) { /* variables move with their module */
            s->device->ops->free(s->device, a->address, &ignored);
            a->address = address[i];
        }
    }
    free(address);
    return rc;
}

void arrays_free(struct session *s)
{
    while (count_of(s)) {
        struct array *last = s->own->all[s->own->count - 1];
        take_out(s, s->own->count - 1);
        array_discard(s, last);
    }
    if (!s->own)
        return;
    mem_free(&allocator_libc, s->own->all, s->own->capacity * sizeof *s->own->all);
    mem_free(&allocator_libc, s->own->buckets, s->own->bucket_count * sizeof *s->own->buckets);
    mem_free(&allocator_libc, s->own, sizeof *s->own);
    s->own = NULL;
}
