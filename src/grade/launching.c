/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the kernel of a hand-in and launches it. The signature of the exercise says what is passed.
 * A kernel with another name, or with its parameters in another order, is taken where it is clear
 * what is meant, and the student is told.
 */
#include "base/hash.h"
#include "base/json-find.h"
#include "grade/grading.h"
#include "os/file.h"
#include "own/npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- loading ------------------------------------------------------------------------------ */

/* Has the hand-in a variable with the name of an input, behind which this suffix stands? */
static bool is_used(const struct exercise *x, struct span variables, const char *suffix)
{
    struct span item;
    bool used = false;
    for (struct json_walk w = json_walk(variables); !used && json_next_element(&w, &item);) {
        struct buf name = {0};
        json_string(item, &name);
        for (unsigned i = 0; i < x->array_count && !used; i++) {
            const size_t n = strlen(x->array[i].name);
            used = strncmp(buf_text(&name), x->array[i].name, n) == 0 &&
                   strcmp(buf_text(&name) + n, suffix) == 0;
        }
        buf_free(&name);
    }
    return used;
}

/* The files have variables of these names: arrays can't be called so. A hand-in that has the names
 * with a _ as well does not have those with a hash of all its names. */
static void choose_suffix(struct launching *l, struct span object)
{
    struct span list, item;
    l->suffix[0] = '\0';
    l->has_variables = false;
    if (!json_find(object, SPAN("result.variables"), &list))
        return;
    struct json_walk w = json_walk(list);
    l->has_variables = json_next_element(&w, &item);
    for (uint64_t h = 0; is_used(l->x, list, l->suffix);) {
        h = h ? h + 1 : hash_bytes(HASH_START, list.at, list.n);
        snprintf(l->suffix, sizeof l->suffix, l->suffix[0] ? "_%08x" : "_", (unsigned)h);
    }
}

enum load_end launching_load(struct launching *l, const char *const *files, unsigned count,
                             struct buf *says)
{
    struct buf answer = {0};
    struct span object;
    buf_clear(&l->load);
    buf_puts(&l->load, "load");
    for (unsigned i = 0; i < count; i++) {
        buf_putc(&l->load, ' ');
        put_quoted(&l->load, files[i]);
    }
    if (l->has_headers)
        buf_puts(&l->load, " -I .");
    asked_loads(l->asked, buf_text(&l->load));
    const bool well = asked_do(l->asked, buf_text(&l->load), &answer, &object);
    if (well)
        choose_suffix(l, object);
    else
        asked_say(object, says);
    const enum load_end end = well                                ? LOADED
                              : !asked_lives(l->asked)            ? LOAD_LOST
                              : json_is(object, "cause", "compile") ? LOAD_REFUSED
                              : json_is(object, "cause", "limit")   ? LOAD_LIMIT
                                                                    : LOAD_IMPOSSIBLE;
    buf_free(&answer);
    return end;
}

void launching_free(struct launching *l)
{
    buf_free(&l->load);
}

/* ---- what a kernel takes ------------------------------------------------------------------ */

struct kernel_parameter {
    char name[80];
    bool pointer, typed, floats, unknown; /* typed: as in C; PTX has only registers' types */
    enum element type;
    uint64_t bytes;
};

struct kernel_found {
    char name[LAUNCH_NAME], signature[ERR_TEXT / 2];
    struct kernel_parameter parameter[EXERCISE_PARAMETERS];
    unsigned count;
    bool fits_no_room, unnameable; /* so many parameters; such a name */
};

static void text_into(struct span object, const char *path, char *to, size_t room)
{
    struct buf text = {0};
    json_text_at(object, path, &text);
    snprintf(to, room, "%s", buf_text(&text));
    buf_free(&text);
}

static struct kernel_parameter parameter_of(struct span object)
{
    struct kernel_parameter p = {.bytes = 0};
    char type[120], bare[120] = "";
    text_into(object, "name", p.name, sizeof p.name);
    text_into(object, "type", type, sizeof type);
    json_whole_at(object, "bytes", &p.bytes);
    p.pointer = strchr(type, '*') != NULL;
    for (const char *at = type; *at;) {
        size_t n = 0;
        while (in_word(at[n]))
            n++;
        const struct span word = {at, n};
        if (n && !same_text(word, "const") && !same_text(word, "volatile") &&
            !same_text(word, "__restrict__"))
            snprintf(bare + strlen(bare), sizeof bare - strlen(bare), "%s%.*s", bare[0] ? " " : "",
                     (int)n, at);
        at += n ? n : 1;
    }
    p.typed = p.name[0] || p.pointer;
    p.floats = bare[0] == 'f';
    p.unknown = element_named(bare, &p.type) != 0;
    if (!p.typed && p.unknown && strlen(bare) == 3 && (bare[0] == 'b' || bare[0] == 's'))
        p.unknown = false; /* b32, s64: registers */
    return p;
}

static void read_kernel(struct span object, struct kernel_found *k)
{
    struct span list, item;
    struct buf name = {0};
    *k = (struct kernel_found){.count = 0};
    json_text_at(object, "name", &name);
    k->unnameable = name.len >= sizeof k->name || strchr(buf_text(&name), '$');
    snprintf(k->name, sizeof k->name, "%s", buf_text(&name));
    buf_free(&name);
    text_into(object, "signature", k->signature, sizeof k->signature);
    if (!json_find(object, SPAN("parameters"), &list))
        return;
    for (struct json_walk w = json_walk(list); json_next_element(&w, &item);) {
        if (k->count == EXERCISE_PARAMETERS) {
            k->fits_no_room = true;
            return;
        }
        k->parameter[k->count++] = parameter_of(item);
    }
}

/* Can a value for this parameter of the exercise be passed to that one of the kernel? */
static bool suits(const struct exercise_parameter *p, const struct kernel_parameter *k)
{
    const bool floats = element_kind(p->type) == KIND_FLOAT;
    if (k->unknown)
        return false;
    if (!k->typed)
        return p->pointer ? k->bytes == 8 && !k->floats
                          : k->bytes == element_size(p->type) && (k->floats == floats);
    if (k->pointer != p->pointer)
        return false;
    const bool same_kind = floats == (element_kind(k->type) == KIND_FLOAT);
    return p->pointer ? k->type == p->type ||
                            (!floats && same_kind && element_size(k->type) == element_size(p->type))
                      : same_kind;
}

/* ---- what is passed ----------------------------------------------------------------------- */

/* Each by its place. */
static bool match_in_order(const struct exercise *x, const struct kernel_found *k, unsigned *argument)
{
    for (unsigned i = 0; i < k->count; i++) {
        argument[i] = i;
        if (!suits(&x->parameter[i], &k->parameter[i]))
            return false;
    }
    return true;
}

static bool is_taken(const unsigned *argument, unsigned count, unsigned which)
{
    for (unsigned i = 0; i < count; i++)
        if (argument[i] == which)
            return true;
    return false;
}

/* Each by its name, and those without a name of the exercise by their types, where only one is
 * left that suits. */
static bool match_by_name(const struct exercise *x, const struct kernel_found *k, unsigned *argument)
{
    const unsigned none = EXERCISE_PARAMETERS;
    for (unsigned i = 0; i < k->count; i++) {
        argument[i] = none;
        for (unsigned p = 0; p < x->parameter_count; p++)
            if (strcmp(x->parameter[p].name, k->parameter[i].name) == 0)
                argument[i] = p;
        if (argument[i] != none && !suits(&x->parameter[argument[i]], &k->parameter[i]))
            return false;
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < k->count; i++) {
            unsigned fits = 0, which = 0;
            for (unsigned p = 0; argument[i] == none && p < x->parameter_count; p++)
                if (!is_taken(argument, k->count, p) && suits(&x->parameter[p], &k->parameter[i])) {
                    which = p;
                    fits++;
                }
            if (fits == 1) {
                argument[i] = which;
                more = true;
            }
        }
    }
    return !is_taken(argument, k->count, none);
}

static bool any_name_known(const struct exercise *x, const struct kernel_found *k)
{
    for (unsigned i = 0; i < k->count; i++)
        for (unsigned p = 0; p < x->parameter_count; p++)
            if (p != i && strcmp(x->parameter[p].name, k->parameter[i].name) == 0)
                return true; /* at another place: names say more than places */
    return false;
}

static bool match(const struct exercise *x, const struct kernel_found *k, unsigned *argument)
{
    if (k->count != x->parameter_count || k->fits_no_room)
        return false;
    return any_name_known(x, k) ? match_by_name(x, k, argument)
                                : match_in_order(x, k, argument) || match_by_name(x, k, argument);
}

static void say_signature(const struct exercise *x, struct buf *out)
{
    buf_printf(out, "%s(", x->kernel);
    for (unsigned i = 0; i < x->parameter_count; i++) {
        const struct exercise_parameter *p = &x->parameter[i];
        buf_printf(out, "%s%s%s %s%s", i ? ", " : "", p->constant ? "const " : "",
                   element_names[p->type], p->pointer ? "*" : "", p->name);
    }
    buf_puts(out, ")");
}

static void take(struct launching *l, const struct kernel_found *k, struct span object,
                 struct buf *says)
{
    bool in_order = true;
    snprintf(l->kernel, sizeof l->kernel, "%s", k->name);
    l->as_asked = true;
    for (unsigned i = 0; i < k->count; i++) {
        in_order &= l->argument[i] == i;
        l->as_asked &= k->parameter[i].typed && k->parameter[i].type == l->x->parameter[l->argument[i]].type;
    }
    l->registers_known = json_whole_at(object, "registers", &l->registers);
    if (!json_whole_at(object, "shared_bytes", &l->static_shared))
        l->static_shared = 0;
    if (strcmp(k->name, l->x->kernel) != 0)
        buf_printf(says, "The exercise asks for a kernel `%s`. Your kernel `%s` was taken for it.\n",
                   l->x->kernel, k->name);
    if (!in_order)
        buf_puts(says, "The parameters of your kernel have another order than in the exercise. They "
                 "were passed by their names and types.\n");
}

int launching_find(struct launching *l, struct buf *says)
{
    const struct exercise *x = l->x;
    struct buf answer = {0};
    struct span object, list, item, chosen = {NULL, 0};
    struct kernel_found *k = malloc(2 * sizeof *k);
    unsigned count = 0, fits = 0, argument[EXERCISE_PARAMETERS];
    bool named = false, only = true;
    if (!k || !asked_do(l->asked, "kernels", &answer, &object) ||
        !json_find(object, SPAN("result.kernels"), &list)) {
        free(k);
        buf_free(&answer);
        return -1;
    }
    for (struct json_walk w = json_walk(list); json_next_element(&w, &item); count++) {
        read_kernel(item, &k[1]);
        if (count == 0)
            k[0] = k[1];
        if (strcmp(k[1].name, x->kernel) == 0) {
            named = true;
            k[0] = k[1];
            chosen = item;
        }
        if (match(x, &k[1], argument)) {
            fits++;
            if (!named && (!chosen.at || fits == 1)) {
                k[0] = k[1];
                chosen = item;
            }
        }
    }
    only = count == 1;
    const bool one = named || only || fits == 1;
    bool good = count && one && chosen.at && match(x, &k[0], l->argument);
    if (good && k[0].unnameable) {
        buf_printf(says, "The name of your kernel is longer than %d characters, or it has a $. So the "
                   "kernel can't be launched.\n", LAUNCH_NAME - 1);
        good = false;
    } else if (good)
        take(l, &k[0], chosen, says);
    else if (!count)
        buf_printf(says, "Your hand-in has no kernel. The exercise asks for a function `__global__ "
                   "void %s`.\n", x->kernel);
    else if (!one)
        buf_printf(says, "Your hand-in has %u kernels, and none is called `%s`.\n", count, x->kernel);
    else {
        buf_printf(says, "Your kernel is %s. The exercise asks for ", k[0].signature);
        say_signature(x, says);
        buf_puts(says, ". So it can't be launched.\n");
    }
    free(k);
    buf_free(&answer);
    return good ? 0 : -1;
}

/* ---- a kernel that is given --------------------------------------------------------------- */

static int adopt_one(struct exercise *x, const struct kernel_parameter *k, struct err *e)
{
    struct exercise_parameter *p = exercise_add(x, &x->parameter, &x->parameter_count, sizeof *p);
    char *name = p ? arena_text(&x->memory, k->name, strlen(k->name)) : NULL;
    bool given = false;
    if (!name)
        return fail_memory(e);
    *p = (struct exercise_parameter){.name = name, .type = k->type, .pointer = k->pointer};
    for (unsigned i = 0; i < x->array_count && k->pointer; i++)
        if (strcmp(x->array[i].name, name) == 0) {
            x->array[i].type = k->type;
            given = true;
        }
    for (unsigned i = 0; i < x->scalar_count && !k->pointer; i++)
        given |= strcmp(x->scalar[i].name, name) == 0;
    return given ? 0 : fail(e, "the parameter %s of the kernel in %s has no input", name, x->source);
}

int launching_adopt(struct launching *l, struct exercise *x, struct err *e)
{
    struct buf answer = {0};
    struct span object, list, item;
    struct kernel_found *k = malloc(sizeof *k);
    unsigned count = 0;
    int rc = k ? 0 : fail_memory(e);
    if (rc == 0 && (!asked_do(l->asked, "kernels", &answer, &object) ||
                    !json_find(object, SPAN("result.kernels"), &list)))
        rc = fail(e, "%s can't be loaded", x->source);
    else if (rc == 0) {
        for (struct json_walk w = json_walk(list); json_next_element(&w, &item); count++)
            read_kernel(item, k);
        if (count != 1)
            rc = fail(e, "%s has %u kernels; the exercise needs a file with one", x->source, count);
    }
    if (rc == 0 && !(x->kernel = arena_text(&x->memory, k->name, strlen(k->name))))
        rc = fail_memory(e);
    for (unsigned i = 0; rc == 0 && i < k->count; i++)
        rc = adopt_one(x, &k->parameter[i], e);
    free(k);
    buf_free(&answer);
    return rc;
}

/* ---- files of inputs ------------------------------------------------------------------------ */

/* A .npy file stays one. */
static void put_input_name(const struct exercise_array *a, struct buf *out)
{
    buf_printf(out, "given-input-%s%s", a->name, npy_named(a->file) ? ".npy" : "");
}

int place_inputs(struct graded *of, struct err *e)
{
    const struct exercise *x = of->g->x;
    int rc = 0;
    for (unsigned i = 0; rc == 0 && i < x->array_count; i++) {
        struct buf text = {0}, name = {0}, path = {0};
        if (!x->array[i].file)
            continue;
        put_input_name(&x->array[i], &name);
        buf_printf(&path, "%s/%s", buf_text(&of->folder), buf_text(&name));
        rc = file_read(x->array[i].file, INPUT_FILE_MOST, &text, e);
        if (rc == 0)
            rc = file_replace(buf_text(&path), buf_text(&text), text.len, e);
        if (rc == 0)
            rc = graded_allows(of, buf_text(&name), e);
        buf_free(&text);
        buf_free(&name);
        buf_free(&path);
    }
    return rc;
}

static void put_file(const struct launching *l, const struct exercise_array *a, struct buf *out)
{
    struct buf fill = {0};
    buf_puts(&fill, "file:");
    if (l->in_place)
        buf_puts(&fill, a->file);
    else
        put_input_name(a, &fill);
    put_quoted(out, buf_text(&fill));
    buf_free(&fill);
}

/* ---- launching ---------------------------------------------------------------------------- */

static void put_inputs(const struct launching *l, struct exercise_run *run, struct buf *out,
                       struct err *e, int *rc)
{
    const struct exercise *x = l->x;
    for (unsigned i = 0; *rc == 0 && i < x->array_count; i++) {
        const struct exercise_array *a = &x->array[i];
        uint64_t count;
        *rc = exercise_count(run, a, &count, e) != 0 ? 1 : 0;
        buf_printf(out, "set seed %" PRIu64 "; array %s%s %s %" PRIu64 " ",
                   exercise_seed(x, i), a->name, l->suffix,
                   element_names[a->type], count);
        if (*rc == 0 && a->file)
            put_file(l, a, out);
        else if (*rc == 0 && a->fill && script_expand(&run->script, a->fill, strlen(a->fill), out, e) != 0)
            *rc = 1;
        buf_puts(out, "; ");
    }
}

static void put_argument(const struct launching *l, const struct exercise_run *run, unsigned which,
                         struct buf *out)
{
    const struct exercise *x = l->x;
    const struct exercise_parameter *p = &x->parameter[which];
    char text[NUM_TEXT];
    if (p->pointer) {
        buf_printf(out, "%s%s", p->name, l->suffix);
        return;
    }
    for (unsigned i = 0; i < x->scalar_count; i++)
        if (strcmp(x->scalar[i].name, p->name) == 0) {
            if (run->value[i].whole)
                buf_printf(out, "%lld", (long long)run->value[i].i);
            else
                buf_puts(out, num_f64(run->value[i].real, text));
        }
}

static int ask_for_inputs(struct launching *l, struct exercise_run *run, struct buf *command,
                          struct buf *answer, struct buf *refused, struct err *e)
{
    struct span object;
    const size_t reloads = command->len;
    int rc = 0;
    put_inputs(l, run, command, e, &rc);
    buf_printf(command, "set seed %" PRIu64 "; set schedule %s", l->x->seed & INT64_MAX,
               run->schedule ? run->schedule : "lockstep");
    asked_begins_run(l->asked);
    asked_runs(l->asked, buf_text(command) + reloads);
    if (rc == 0 && !asked_do(l->asked, buf_text(command), answer, &object)) {
        struct buf why = {0};
        asked_say(object, &why);
        rc = asked_lives(l->asked) ? 1 : -1;
        if (rc == 1 && l->has_variables && !json_is(object, "cause", "script")) {
            buf_add(refused, object.at, object.n); /* by what the hand-in's variables take */
            rc = 2;
        }
        fail(e, "the inputs can't be made: %.400s", buf_text(&why));
        buf_free(&why);
    }
    return rc;
}

int launching_run(struct launching *l, struct exercise_run *run, const struct exercise_launch *shape,
                  struct buf *object, struct err *e)
{
    struct buf command = {0}, answer = {0};
    struct span last;
    if (l->has_variables) /* they have their first values again */
        buf_printf(&command, "%s; ", buf_text(&l->load));
    int rc = ask_for_inputs(l, run, &command, &answer, object, e);
    if (rc == 0) {
        buf_clear(&command);
        buf_printf(&command, "launch %s<<<dim3(%lld,%lld,%lld),dim3(%lld,%lld,%lld),%lld>>>(",
                   l->kernel, (long long)shape->grid[0], (long long)shape->grid[1],
                   (long long)shape->grid[2], (long long)shape->block[0],
                   (long long)shape->block[1], (long long)shape->block[2],
                   (long long)shape->shared);
        for (unsigned i = 0; i < l->x->parameter_count; i++) {
            buf_puts(&command, i ? ", " : "");
            put_argument(l, run, l->argument[i], &command);
        }
        buf_puts(&command, ")");
        asked_runs(l->asked, buf_text(&command));
        asked_do(l->asked, buf_text(&command), &answer, &last);
        buf_add(object, last.at, last.n);
        rc = asked_lives(l->asked) && last.n ? 0 : -1;
    }
    buf_free(&command);
    buf_free(&answer);
    return rc == 2 ? 0 : rc;
}

char *launch_in_text(struct span text, bool marked)
{
    struct span line;
    while (next_line(&text, &line)) {
        struct span bare = trim(line);
        const char *open = bare.n ? memchr(bare.at, '<', bare.n) : NULL;
        const size_t left = open ? bare.n - (size_t)(open - bare.at) : 0;
        if (left < 3 || strncmp(open, "<<<", 3) != 0)
            continue;
        if (marked) {
            struct span rest = bare;
            const struct span first = next_blank_word(&rest), second = next_blank_word(&rest);
            const bool joined = same_text(first, "//:launch");
            if (!joined && !(same_text(first, "//:") && begins(second, "launch")))
                continue;
        }
        return strndup(bare.at, bare.n);
    }
    return NULL;
}
