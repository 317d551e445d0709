/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A linker for PTX. Each file is cut into pieces: a directive, a prototype, a variable, or a
 * function with its body. A piece keeps its text. Names that several files use for things of their
 * own get the number of the file behind them. A prototype of a function that another file defines
 * gets that definition's linkage, since one text may not call a function .extern and define it.
 * PTX wants a name before its use: so prototypes come first, then variables, then bodies.
 */
#include "ptx/link.h"

#include "base/mem.h"
#include "base/names.h"
#include "ptx/lex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum linkage { OWN, VISIBLE, WEAK, COMMON, EXTERN };
static const char *const linkages[] = {"", ".visible", ".weak", ".common", ".extern"};
enum piece_kind {
    PIECE_VERSION, PIECE_TARGET, PIECE_ADDRESS_SIZE, PIECE_FILE_NAME, PIECE_PROTOTYPE,
    PIECE_VARIABLE, PIECE_BODY, PIECE_OTHER
};

struct link_piece {
    const char *name; /* NULL: it has none */
    const char *at, *end;
    enum piece_kind kind;
    enum linkage linkage;
    const char *linkage_at; /* where the word stands; NULL: there is none */
    unsigned file;
    bool dropped;
};

/* A name that a file uses for something of its own. */
struct own_name {
    const char *name;
    const char *fresh; /* what it is called in the result; NULL: the same */
    unsigned file;
};

struct linker {
    const struct ptx_part *parts;
    unsigned count;
    struct lex lex; /* of the file that is read now */
    struct arena names, memory;
    struct link_piece *pieces;
    size_t piece_count, piece_capacity;
    struct own_name *own;
    size_t own_count, own_capacity;
    unsigned *first_file; /* by file: what is added to the numbers of its .file directives */
    struct ptx_linked *linked;
    struct err *e;
};

static bool token_says(const struct ptx_token *t, const char *text)
{
    return t->length == strlen(text) && memcmp(t->at, text, t->length) == 0;
}

/* The length of a string does not count its quotes. */
static const char *token_end(const struct ptx_token *t)
{
    return t->at + t->length + (t->kind == TOKEN_STRING ? 2 : 0);
}

/* ---- cutting a file into pieces --------------------------------------------------------- */

static int add_own(struct linker *l, const char *name, unsigned file)
{
    if (mem_grow(&allocator_libc, (void **)&l->own, &l->own_capacity, l->own_count,
                 sizeof *l->own) != 0)
        return fail_memory(l->e);
    l->own[l->own_count++] = (struct own_name){name, NULL, file};
    return 0;
}

static int add_piece(struct linker *l, const struct link_piece *p)
{
    if (mem_grow(&allocator_libc, (void **)&l->pieces, &l->piece_capacity, l->piece_count,
                 sizeof *l->pieces) != 0)
        return fail_memory(l->e);
    l->pieces[l->piece_count++] = *p;
    return p->name && p->linkage == OWN ? add_own(l, p->name, p->file) : 0;
}

/* Takes a directive that has no semicolon at its end. False: this is no such directive. */
static bool take_short(struct linker *l, struct link_piece *p)
{
    static const struct { const char *name; enum piece_kind kind; } all[] = {
        {".version", PIECE_VERSION}, {".target", PIECE_TARGET},
        {".address_size", PIECE_ADDRESS_SIZE}, {".file", PIECE_FILE_NAME}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (token_says(&l->lex.token, all[i].name)) {
            const char *newline = l->lex.token.at + strcspn(l->lex.token.at, "\n");
            p->kind = all[i].kind;
            while (l->lex.token.kind != TOKEN_END && l->lex.token.at < newline) {
                p->end = token_end(&l->lex.token);
                lex_next(&l->lex);
            }
            return true;
        }
    return false;
}

/* What a token of a piece tells. `depth` counts parentheses and braces that are open. */
static void look_at(const struct ptx_token *t, struct link_piece *p, int depth, bool *named)
{
    for (int i = VISIBLE; i <= EXTERN && !depth; i++)
        if (token_says(t, linkages[i])) {
            p->linkage = (enum linkage)i;
            p->linkage_at = t->at;
        }
    if (!depth && (token_says(t, ".func") || token_says(t, ".entry")))
        p->kind = PIECE_PROTOTYPE;
    if (!depth && (token_says(t, ".global") || token_says(t, ".const") ||
                   token_says(t, ".shared") || token_says(t, ".tex")))
        p->kind = PIECE_VARIABLE;
    if (!depth && !*named && t->kind == TOKEN_WORD && t->at[0] != '.') {
        p->name = t->word->text;
        *named = p->kind == PIECE_PROTOTYPE; /* a variable's name is the last of these words */
    }
    if (!depth && (t->kind == '[' || t->kind == '='))
        *named = true;
}

/* A label of debugging information is a name of the file's own. */
static int look_for_label(struct linker *l, const struct ptx_token *before, unsigned file)
{
    return l->lex.token.kind == ':' && before->kind == TOKEN_WORD
               ? add_own(l, before->word->text, file)
               : 0;
}

static int read_piece(struct linker *l, unsigned file)
{
    struct link_piece p = {.at = l->lex.token.at, .kind = PIECE_OTHER, .file = file};
    struct ptx_token before = l->lex.token;
    const bool section = token_says(&before, ".section");
    bool named = section, sets = false;
    if (take_short(l, &p))
        return add_piece(l, &p);
    for (int depth = 0; l->lex.token.kind != TOKEN_END; lex_next(&l->lex)) {
        const int kind = l->lex.token.kind;
        if (section && depth && look_for_label(l, &before, file) != 0)
            return -1;
        before = l->lex.token;
        look_at(&l->lex.token, &p, depth, &named);
        sets |= !depth && kind == '=';
        depth += (kind == '(' || kind == '{') - (kind == ')' || kind == '}');
        p.end = token_end(&l->lex.token);
        if (depth || (kind != ';' && (kind != '}' || sets)))
            continue;
        if (p.kind == PIECE_PROTOTYPE && kind == '}')
            p.kind = PIECE_BODY;
        if (p.kind == PIECE_OTHER)
            p.name = NULL;
        lex_next(&l->lex);
        return add_piece(l, &p);
    }
    return fail(l->e, "the PTX of `%.200s` ends in the middle", l->parts[file].path);
}

static int read_file(struct linker *l, unsigned file)
{
    l->lex = (struct lex){0};
    if (lex_begin(&l->lex, l->parts[file].text, &l->names, &l->memory, NULL, l->e) != 0)
        return -1;
    lex_next(&l->lex);
    while (l->lex.token.kind != TOKEN_END)
        if (read_piece(l, file) != 0)
            return -1;
    return l->lex.failed ? -1 : 0;
}

/* ---- names ------------------------------------------------------------------------------ */

static bool defines(const struct link_piece *p)
{
    return p->name && (p->kind == PIECE_BODY || p->kind == PIECE_VARIABLE) && p->linkage != EXTERN;
}

static bool is_shared(const struct link_piece *p)
{
    return p->name && p->linkage != OWN;
}

static int defined_twice(struct linker *l, const struct link_piece *first,
                         const struct link_piece *again)
{
    return fail(l->e, "%.200s is defined in `%.200s` and again in `%.200s`: define it in one file "
                "and declare it with extern in the other", first->name,
                l->parts[first->file].path, l->parts[again->file].path);
}

/* These pieces, all of one name that files share, become one definition, and one prototype. */
static int join(struct linker *l, struct link_piece **same, size_t n)
{
    struct link_piece *definition = NULL, *prototype = NULL, *outside = NULL;
    for (size_t i = 0; i < n; i++) {
        struct link_piece *p = same[i];
        if (!defines(p))
            continue;
        const bool strong = p->linkage == VISIBLE;
        if (definition && definition->linkage == VISIBLE && strong)
            return defined_twice(l, definition, p);
        if (definition)
            (strong ? definition : p)->dropped = true;
        if (!definition || strong)
            definition = p;
    }
    for (size_t i = 0; i < n; i++) {
        struct link_piece *p = same[i];
        struct link_piece **kept = p->kind == PIECE_PROTOTYPE ? &prototype : &outside;
        if (defines(p))
            continue;
        p->dropped = *kept || (definition && p->kind == PIECE_VARIABLE);
        if (!p->dropped)
            *kept = p;
        if (definition)
            p->linkage = definition->linkage;
    }
    return 0;
}

static int by_name(const void *one, const void *other)
{
    const struct link_piece *const *a = one, *const *b = other;
    const int order = strcmp((*a)->name, (*b)->name);
    return order ? order : (*a > *b) - (*a < *b);
}

static int join_all(struct linker *l)
{
    struct link_piece **shared = arena_alloc(&l->memory, (l->piece_count + 1) * sizeof *shared);
    size_t count = 0;
    if (!shared)
        return fail_memory(l->e);
    for (size_t i = 0; i < l->piece_count; i++)
        if (is_shared(&l->pieces[i]))
            shared[count++] = &l->pieces[i];
    qsort(shared, count, sizeof *shared, by_name);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && strcmp(shared[next]->name, shared[i]->name) == 0;)
            next++;
        if (join(l, shared + i, next - i) != 0)
            return -1;
    }
    return 0;
}

static int by_own_name(const void *one, const void *other)
{
    const struct own_name *a = one, *b = other;
    const int order = strcmp(a->name, b->name);
    return order ? order : (a->file > b->file) - (a->file < b->file);
}

static bool is_taken(const struct linker *l, const char *name, unsigned file)
{
    for (size_t i = 0; i < l->piece_count; i++)
        if (is_shared(&l->pieces[i]) && l->pieces[i].file != file &&
            strcmp(l->pieces[i].name, name) == 0)
            return true;
    return false;
}

/* Names of a file's own that another file uses too get a number, all but the first file's. */
static int rename_own(struct linker *l)
{
    char fresh[1100];
    if (l->own_count)
        qsort(l->own, l->own_count, sizeof *l->own, by_own_name);
    for (size_t i = 0; i < l->own_count; i++) {
        struct own_name *o = &l->own[i];
        const struct own_name *before = i ? o - 1 : NULL;
        const bool repeats = before && strcmp(before->name, o->name) == 0;
        if (repeats && before->file == o->file) { /* a prototype and its body */
            o->fresh = before->fresh;
            continue;
        }
        if (!repeats && !is_taken(l, o->name, o->file))
            continue;
        const int n = snprintf(fresh, sizeof fresh, "%.1000s$%u", o->name, o->file + 1);
        if (!(o->fresh = arena_text(&l->memory, fresh, (size_t)n)))
            return fail_memory(l->e);
    }
    return 0;
}

static const char *fresh_name(const struct linker *l, const char *name, unsigned file)
{
    const struct own_name key = {name, NULL, file};
    const struct own_name *o =
        l->own_count ? bsearch(&key, l->own, l->own_count, sizeof *l->own, by_own_name) : NULL;
    return o ? o->fresh : NULL;
}

/* ---- writing ---------------------------------------------------------------------------- */

/* Writes the text from *done up to the token, and `instead` for the token. */
static void put_instead(struct linker *l, const struct ptx_token *t, const char **done,
                        const char *instead)
{
    buf_add(&l->linked->text, *done, (size_t)(t->at - *done));
    buf_puts(&l->linked->text, instead);
    *done = t->at + t->length;
}

/* Writes a piece with its new names, its linkage, and the numbers of files as they are now. */
static int put_piece(struct linker *l, const struct link_piece *p)
{
    char *text = arena_text(&l->memory, p->at, (size_t)(p->end - p->at));
    struct lex lex = {0};
    char number[20];
    bool file_follows = false;
    if (!text || lex_begin(&lex, text, &l->names, &l->memory, NULL, l->e) != 0)
        return text ? -1 : fail_memory(l->e);
    const char *done = text;
    for (lex_next(&lex); lex.token.kind != TOKEN_END; lex_next(&lex)) {
        const struct ptx_token *t = &lex.token;
        const char *fresh =
            t->kind == TOKEN_WORD ? fresh_name(l, t->word->text, p->file) : NULL;
        if (p->linkage_at && t->at - text == p->linkage_at - p->at) {
            put_instead(l, t, &done, linkages[p->linkage]);
        } else if (fresh) {
            put_instead(l, t, &done, fresh);
        } else if (file_follows && t->kind == TOKEN_NUMBER) {
            snprintf(number, sizeof number, "%u",
                     (unsigned)t->number.bits + l->first_file[p->file]);
            put_instead(l, t, &done, number);
        }
        file_follows = token_says(t, ".loc") || token_says(t, "inlined_at") ||
                       token_says(t, ".file");
    }
    if (lex.failed)
        return -1;
    buf_puts(&l->linked->text, done);
    buf_puts(&l->linked->text, "\n");
    return 0;
}

static int put_kind(struct linker *l, enum piece_kind kind)
{
    for (size_t i = 0; i < l->piece_count; i++)
        if (l->pieces[i].kind == kind && !l->pieces[i].dropped && put_piece(l, &l->pieces[i]) != 0)
            return -1;
    return 0;
}

/* All files were compiled for one device. If they differ, the highest number counts. */
static void put_highest(struct linker *l, enum piece_kind kind)
{
    const struct link_piece *best = NULL;
    double most = -1;
    for (size_t i = 0; i < l->piece_count; i++) {
        const struct link_piece *p = &l->pieces[i];
        const char *digits = p->at + strcspn(p->at, "0123456789\n");
        if (p->kind == kind && strtod(digits, NULL) > most) {
            most = strtod(digits, NULL);
            best = p;
        }
    }
    if (best) {
        buf_add(&l->linked->text, best->at, (size_t)(best->end - best->at));
        buf_puts(&l->linked->text, "\n");
    }
}

/* Files are numbered on: the first file of a part comes behind the last of the part before. */
static int number_files(struct linker *l)
{
    unsigned highest = 0;
    l->first_file = arena_alloc(&l->memory, l->count * sizeof *l->first_file);
    if (!l->first_file)
        return fail_memory(l->e);
    for (unsigned file = 0; file < l->count; file++) {
        l->first_file[file] = highest;
        for (size_t i = 0; i < l->piece_count; i++)
            if (l->pieces[i].kind == PIECE_FILE_NAME && l->pieces[i].file == file) {
                const char *digits = l->pieces[i].at + strcspn(l->pieces[i].at, "0123456789\n");
                const unsigned here = l->first_file[file] + (unsigned)strtoul(digits, NULL, 10);
                highest = here > highest ? here : highest;
            }
    }
    return 0;
}

/* Does the variable's value name a variable that is still to be written? */
static bool waits_for_another(struct linker *l, size_t i)
{
    const struct link_piece *p = &l->pieces[i];
    const char *set = memchr(p->at, '=', (size_t)(p->end - p->at));
    const char *value = set ? arena_text(&l->memory, set, (size_t)(p->end - set)) : NULL;
    bool waits = false;
    for (size_t k = 0; value && !waits && k < l->piece_count; k++) {
        const struct link_piece *other = &l->pieces[k];
        waits = k != i && other->kind == PIECE_VARIABLE && !other->dropped &&
                strstr(value, other->name);
    }
    return waits;
}

/* A variable that holds the address of another one comes behind it. */
static int put_variables(struct linker *l)
{
    bool some = true;
    while (some) {
        some = false;
        for (size_t i = 0; i < l->piece_count; i++) {
            struct link_piece *p = &l->pieces[i];
            if (p->kind != PIECE_VARIABLE || p->dropped || waits_for_another(l, i))
                continue;
            if (put_piece(l, p) != 0)
                return -1;
            p->dropped = some = true;
        }
    }
    return put_kind(l, PIECE_VARIABLE);
}

static int write_all(struct linker *l)
{
    for (enum piece_kind kind = PIECE_VERSION; kind <= PIECE_ADDRESS_SIZE; kind++)
        put_highest(l, kind);
    if (number_files(l) != 0 || put_kind(l, PIECE_PROTOTYPE) != 0 || put_variables(l) != 0 ||
        put_kind(l, PIECE_BODY) != 0 || put_kind(l, PIECE_FILE_NAME) != 0 ||
        put_kind(l, PIECE_OTHER) != 0)
        return -1;
    return l->linked->text.failed ? fail_memory(l->e) : 0;
}

/* Tells from which part each function and variable comes. */
static int list_origins(struct linker *l)
{
    struct ptx_linked *to = l->linked;
    to->origins = arena_alloc(&to->memory, (l->piece_count + 1) * sizeof *to->origins);
    for (size_t i = 0; to->origins && i < l->piece_count; i++) {
        const struct link_piece *p = &l->pieces[i];
        const char *fresh = p->name ? fresh_name(l, p->name, p->file) : NULL;
        const char *name = fresh ? fresh : p->name;
        if (!name || !defines(p) || p->dropped)
            continue;
        if (!(name = arena_text(&to->memory, name, strlen(name))))
            return fail_memory(l->e);
        to->origins[to->origin_count++] = (struct link_origin){name, p->file};
    }
    if (!to->origins)
        return fail_memory(l->e);
    names_sort(to->origins, to->origin_count, sizeof *to->origins);
    return 0;
}

void ptx_linked_free(struct ptx_linked *l)
{
    buf_free(&l->text);
    arena_free(&l->memory);
    *l = (struct ptx_linked){.origins = NULL};
}

int ptx_link(const struct ptx_part *parts, unsigned count, struct ptx_linked *linked,
             struct err *e)
{
    struct linker *l = mem_alloc(&allocator_libc, sizeof *l);
    int rc = 0;
    if (!l)
        return fail_memory(e);
    *l = (struct linker){.parts = parts, .count = count, .linked = linked, .e = e};
    for (unsigned file = 0; rc == 0 && file < count; file++)
        rc = read_file(l, file);
    if (rc == 0 && (join_all(l) != 0 || rename_own(l) != 0 || list_origins(l) != 0 ||
                    write_all(l) != 0))
        rc = -1;
    mem_free(&allocator_libc, l->pieces, l->piece_capacity * sizeof *l->pieces);
    mem_free(&allocator_libc, l->own, l->own_capacity * sizeof *l->own);
    arena_free(&l->names);
    arena_free(&l->memory);
    mem_free(&allocator_libc, l, sizeof *l);
    return rc;
}
