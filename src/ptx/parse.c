/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The module: what stands outside of functions, and functions up to their '{'. Directives
 * that tune or describe and change no result (.section, .pragma) are read past,
 * so that PTX newer than this parser has a chance.
 */
#include "ptx/parse.h"

#include "base/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 28)

struct ptx_alias {
    struct ptx_token at;
    struct word *target;
};

/* ---- what all parts use --------------------------------------------------------------- */

bool take(struct parser *p, int kind)
{
    if (kind_here(p) != kind)
        return false;
    lex_next(&p->lex);
    return true;
}

int unexpected(struct parser *p, const char *wanted)
{
    const struct ptx_token *t = &p->lex.token;
    if (t->kind == TOKEN_END)
        return lex_fail(&p->lex, t, "the text ends here, where %s is due", wanted);
    int shown = t->length > 40 ? 40 : (int)t->length;
    return lex_fail(&p->lex, t, "`%.*s` is where %s should be", shown,
                    t->at + (t->kind == TOKEN_STRING), wanted);
}

struct word *take_word(struct parser *p, const char *wanted)
{
    struct word *w = p->lex.token.word;
    return take(p, TOKEN_WORD) ? w : (unexpected(p, wanted), NULL);
}

int expect(struct parser *p, int kind, const char *what)
{
    return take(p, kind) ? 0 : unexpected(p, what);
}

int directive_here(const struct parser *p)
{
    return kind_here(p) == TOKEN_DIRECTIVE ? p->lex.token.word->directive : -1;
}

int skip_parentheses(struct parser *p)
{
    unsigned depth = 0;
    do {
        if (kind_here(p) == '(')
            depth++;
        else if (kind_here(p) == ')' && depth)
            depth--;
        else if (depth == 0)
            return 0;
        if (kind_here(p) == TOKEN_END)
            return unexpected(p, "')'");
        lex_next(&p->lex);
    } while (depth);
    return 0;
}

void *push(struct parser *p, struct pile *pile)
{
    if (mem_grow(p->allocator, &pile->items, &pile->capacity, pile->count, pile->size) != 0) {
        lex_fail_memory(&p->lex);
        return NULL;
    }
    void *item = (char *)pile->items + pile->count++ * pile->size;
    return memset(item, 0, pile->size);
}

void *settle(struct parser *p, struct pile *pile, size_t mark)
{
    size_t bytes = (pile->count - mark) * pile->size;
    pile->count = mark;
    if (!bytes)
        return NULL;
    void *kept = arena_alloc(&p->module->arena, bytes);
    if (!kept) {
        lex_fail_memory(&p->lex);
        return NULL;
    }
    return memcpy(kept, (char *)pile->items + mark * pile->size, bytes);
}

/* ---- directives of the module --------------------------------------------------------- */

/* .version 9.0, which a number would make of 9.10 what it makes of 9.1 */
static int version(struct parser *p)
{
    const char *s = p->lex.token.at;
    char *end;
    if (kind_here(p) != TOKEN_NUMBER)
        return unexpected(p, "a version such as 8.0");
    unsigned long major = strtoul(s, &end, 10);
    unsigned long minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
    if (major > 999 || minor > 999)
        return unexpected(p, "a version such as 8.0");
    p->module->version_major = (int)major;
    p->module->version_minor = (int)minor;
    lex_next(&p->lex);
    return 0;
}

/* .target sm_90a, debug */
static int target(struct parser *p)
{
    do {
        if (kind_here(p) != TOKEN_WORD)
            return unexpected(p, "a target such as sm_75");
        const char *name = p->lex.token.word->text;
        if (strncmp(name, "sm_", 3) == 0 || strncmp(name, "compute_", 8) == 0) {
            char *end;
            unsigned long number = strtoul(strchr(name, '_') + 1, &end, 10);
            if (number < 10 || number > 9999)
                return unexpected(p, "a target such as sm_75");
            p->module->target = (int)number;
            p->module->target_suffix = *end;
        }
        lex_next(&p->lex);
    } while (take(p, ','));
    return 0;
}

static int address_size(struct parser *p)
{
    uint64_t bits;
    struct ptx_token first = p->lex.token;
    if (whole_constant(p, &bits) != 0)
        return -1;
    if (bits != 32 && bits != 64)
        return lex_fail(&p->lex, &first, "addresses have 32 or 64 bits");
    p->module->address_size = (unsigned)bits;
    return 0;
}

/* .file 1 "folder/name.cu", 1700000000, 1234 */
static int file(struct parser *p)
{
    uint64_t number, ignored;
    if (size_constant(p, MOST_FILES - 1, "a file's number", &number) != 0)
        return -1;
    if (kind_here(p) != TOKEN_STRING)
        return unexpected(p, "a file's name in \" \"");
    const char *name = arena_text(&p->module->arena, p->lex.token.at + 1, p->lex.token.length);
    if (!name)
        return lex_fail_memory(&p->lex);
    while (p->files.count <= number)
        if (!push(p, &p->files))
            return -1;
    ((const char **)p->files.items)[number] = name;
    lex_next(&p->lex);
    while (take(p, ','))
        if (whole_constant(p, &ignored) != 0)
            return -1;
    return 0;
}

/* Debug information is a format of its own. Old compilers write it as @@DWARF lines. */
static int section(struct parser *p)
{
    if (!take(p, TOKEN_DIRECTIVE) && !take_word(p, "a section's name"))
        return -1;
    if (kind_here(p) != '{')
        return unexpected(p, "'{'");
    if (lex_skip_block(&p->lex) != 0)
        return -1;
    lex_next(&p->lex);
    return 0;
}

static int alias(struct parser *p)
{
    struct ptx_alias *a = push(p, &p->aliases);
    if (!a)
        return -1;
    a->at = p->lex.token;
    if (!take_word(p, "a name") || expect(p, ',', "','") != 0 ||
        !(a->target = take_word(p, "a name")))
        return -1;
    return expect(p, ';', "';'");
}

/* ---- functions ------------------------------------------------------------------------ */

static struct ptx_function *function_of(struct parser *p, struct word *w)
{
    if (w->function)
        return w->function;
    struct ptx_function *f = arena_alloc(&p->module->arena, sizeof *f);
    if (!f) {
        lex_fail_memory(&p->lex);
        return NULL;
    }
    f->name = w->text;
    if (p->last_function)
        p->last_function->next = f;
    else
        p->module->functions = f;
    p->last_function = f;
    p->function_count++;
    return w->function = f;
}

/* ( ... ), which may be empty or missing */
static int parameters(struct parser *p, struct variable_list *list, unsigned *count)
{
    if (!take(p, '('))
        return 0;
    while (kind_here(p) != ')') {
        if (parameter(p, list, count) != 0)
            return -1;
        if (kind_here(p) != ')' && expect(p, ',', "',' or ')'") != 0)
            return -1;
    }
    lex_next(&p->lex);
    return 0;
}

/* One number, or three of a block's shape, where missing ones are 1. */
static int tuning_numbers(struct parser *p, unsigned *to, int most)
{
    uint64_t n;
    for (int i = 0; i < most; i++)
        to[i] = 1;
    for (int i = 0; i < most && (i == 0 || take(p, ',')); i++) {
        if (size_constant(p, UINT32_MAX, "this number", &n) != 0)
            return -1;
        to[i] = (unsigned)n;
    }
    return 0;
}

/* What the parser doesn't know ends where the next directive, '{' or ';' begins. */
static int skip_tuning(struct parser *p)
{
    for (;;) {
        int kind = kind_here(p);
        if (kind == '{' || kind == ';' || kind == TOKEN_DIRECTIVE)
            return 0;
        if (kind == TOKEN_END)
            return unexpected(p, "a function's '{'");
        if (kind == '(') {
            if (skip_parentheses(p) != 0)
                return -1;
        } else
            lex_next(&p->lex);
    }
}

static int tuning(struct parser *p, struct ptx_function *f)
{
    int d;
    while ((d = directive_here(p)) >= 0) {
        int rc = 0;
        if (d != DIRECTIVE_PRAGMA) /* which goes past itself */
            lex_next(&p->lex);
        switch (d) {
        case DIRECTIVE_NORETURN: f->noreturn = true; break;
        case DIRECTIVE_MAXNTID: rc = tuning_numbers(p, f->maxntid, 3); break;
        case DIRECTIVE_REQNTID: rc = tuning_numbers(p, f->reqntid, 3); break;
        case DIRECTIVE_MINNCTAPERSM: rc = tuning_numbers(p, &f->minnctapersm, 1); break;
        case DIRECTIVE_MAXNREG: rc = tuning_numbers(p, &f->maxnreg, 1); break;
        case DIRECTIVE_CLUSTER: rc = tuning_numbers(p, f->cluster, 3); break;
        case DIRECTIVE_EXPLICIT_CLUSTER: f->explicit_cluster = true; break;
        case DIRECTIVE_BLOCKS_ARE_CLUSTERS: f->blocks_are_clusters = true; break;
        case DIRECTIVE_PRAGMA: rc = pragma(p); break;
        default: rc = skip_tuning(p); break;
        }
        if (rc != 0)
            return -1;
    }
    return 0;
}

/* From the name on; `f` is filled in and not yet in the module. */
static int header(struct parser *p, struct ptx_function *f, struct ptx_token *name)
{
    struct variable_list returns = {0}, params = {0};
    while (directive_here(p) == DIRECTIVE_ATTRIBUTE) {
        lex_next(&p->lex);
        if (skip_parentheses(p) != 0)
            return -1;
    }
    if (parameters(p, &returns, &f->return_count) != 0)
        return -1;
    *name = p->lex.token;
    if (!take_word(p, "a function's name"))
        return -1;
    if (parameters(p, &params, &f->param_count) != 0)
        return -1;
    f->returns = returns.first;
    f->params = params.first;
    return tuning(p, f);
}

/* A definition replaces what a declaration said; the struct stays, as calls point to it. */
static void take_over(struct ptx_function *f, const struct ptx_function *header)
{
    struct ptx_function *next = f->next;
    const char *name = f->name;
    *f = *header;
    f->next = next;
    f->name = name;
}

static int function_rest(struct parser *p, struct ptx_function *head)
{
    struct ptx_token name;
    if (header(p, head, &name) != 0)
        return -1;
    struct ptx_function *f = function_of(p, name.word);
    if (!f)
        return -1;
    head->end_line = p->lex.token.line;
    if (!f->has_body)
        take_over(f, head);
    if (take(p, ';'))
        return 0;
    if (kind_here(p) != '{')
        return unexpected(p, "'{' or ';'");
    if (f->has_body)
        return lex_fail(&p->lex, &name, "%s is defined twice, first in line %d", f->name, f->line);
    f->is_extern = false;
    return body(p, f);
}

static int function(struct parser *p, struct visibility seen, int line)
{
    struct ptx_function head = {.line = line};
    head.is_entry = directive_here(p) == DIRECTIVE_ENTRY;
    head.is_extern = seen.is_extern;
    head.is_visible = seen.is_visible;
    head.is_weak = seen.is_weak;
    lex_next(&p->lex);
    if (open_scope(p) != 0 || function_rest(p, &head) != 0)
        return -1;
    return close_scope(p);
}

/* ---- the module ----------------------------------------------------------------------- */

static int linked(struct parser *p)
{
    struct visibility seen = {0};
    int line = p->lex.token.line;
    for (;; lex_next(&p->lex))
        switch (directive_here(p)) {
        case DIRECTIVE_EXTERN: seen.is_extern = true; break;
        case DIRECTIVE_VISIBLE: seen.is_visible = true; break;
        case DIRECTIVE_WEAK: seen.is_weak = true; break;
        case DIRECTIVE_COMMON: seen.is_common = true; break;
        case DIRECTIVE_ENTRY: case DIRECTIVE_FUNC: return function(p, seen, line);
        default: return declaration(p, seen, &p->globals);
        }
}

static int skip_loc(struct parser *p)
{
    lex_skip_line(&p->lex);
    return 0;
}

static int module_item(struct parser *p)
{
    static int (*const readers[])(struct parser *) = {
        [DIRECTIVE_VERSION] = version, [DIRECTIVE_TARGET] = target,
        [DIRECTIVE_ADDRESS_SIZE] = address_size, [DIRECTIVE_FILE] = file,
        [DIRECTIVE_SECTION] = section, [DIRECTIVE_ALIAS] = alias,
    };
    int d = directive_here(p);
    if (take(p, ';'))
        return 0;
    if (kind_here(p) == '@')
        return skip_loc(p);
    if (d < 0)
        return unexpected(p, "a directive such as .entry or .global");
    if (d == DIRECTIVE_LOC)
        return skip_loc(p);
    if (d == DIRECTIVE_PRAGMA)
        return pragma(p);
    if (d < (int)(sizeof readers / sizeof *readers) && readers[d]) {
        lex_next(&p->lex);
        return readers[d](p);
    }
    return linked(p);
}

static int resolve_aliases(struct parser *p)
{
    const struct ptx_alias *aliases = p->aliases.items;
    for (size_t i = 0; i < p->aliases.count; i++) {
        const struct ptx_function *meant = aliases[i].target->function;
        if (!meant || !meant->has_body)
            return lex_fail(&p->lex, &aliases[i].at, "%s is an alias of %s, which has no body",
                            aliases[i].at.word->text, aliases[i].target->text);
        struct ptx_function *f = function_of(p, aliases[i].at.word);
        if (!f)
            return -1;
        if (f != meant)
            take_over(f, meant);
    }
    return 0;
}

/* All of a list, numbered and by their names. */
static int index_functions(struct parser *p)
{
    struct ptx_module *m = p->module;
    struct ptx_named *all = arena_alloc(&m->arena, p->function_count * sizeof *all);
    if (!all)
        return lex_fail_memory(&p->lex);
    for (struct ptx_function *f = m->functions; f; f = f->next) {
        f->number = m->function_count;
        all[m->function_count++] = (struct ptx_named){f->name, f};
    }
    names_sort(all, m->function_count, sizeof *all);
    m->functions_by_name = all;
    return 0;
}

static int index_variables(struct parser *p)
{
    struct ptx_module *m = p->module;
    unsigned count = 0;
    for (const struct ptx_variable *v = m->variables; v; v = v->next)
        count++;
    struct ptx_named *all = arena_alloc(&m->arena, count * sizeof *all);
    if (!all)
        return lex_fail_memory(&p->lex);
    for (struct ptx_variable *v = m->variables; v; v = v->next)
        all[m->variable_count++] = (struct ptx_named){v->name, v};
    names_sort(all, count, sizeof *all);
    m->variables_by_name = all;
    return 0;
}

static int module(struct parser *p)
{
    lex_next(&p->lex);
    if (directive_here(p) != DIRECTIVE_VERSION)
        return unexpected(p, ".version, with which PTX begins,");
    while (kind_here(p) != TOKEN_END)
        if (module_item(p) != 0)
            return -1;
    p->module->variables = p->globals.first;
    if (p->lex.failed || resolve_aliases(p) != 0 || index_functions(p) != 0 ||
        index_variables(p) != 0)
        return -1;
    p->module->file_count = (unsigned)p->files.count;
    p->module->files = settle(p, &p->files, 0);
    return p->lex.failed ? -1 : 0;
}

/* ---- setting up ----------------------------------------------------------------------- */

static int name_directive(struct parser *p, const char *name, int directive)
{
    struct word *w = lex_word(&p->lex, name, strlen(name));
    if (!w)
        return lex_fail_memory(&p->lex);
    w->directive = directive;
    return 0;
}

static int name_directives(struct parser *p)
{
    char name[16];
    static const struct {
        const char *name;
        int directive;
    } table[] = {
        {".version", DIRECTIVE_VERSION}, {".target", DIRECTIVE_TARGET},
        {".address_size", DIRECTIVE_ADDRESS_SIZE}, {".file", DIRECTIVE_FILE},
        {".section", DIRECTIVE_SECTION}, {".loc", DIRECTIVE_LOC},
        {".pragma", DIRECTIVE_PRAGMA}, {".alias", DIRECTIVE_ALIAS},
        {".entry", DIRECTIVE_ENTRY}, {".func", DIRECTIVE_FUNC},
        {".extern", DIRECTIVE_EXTERN}, {".visible", DIRECTIVE_VISIBLE},
        {".weak", DIRECTIVE_WEAK}, {".common", DIRECTIVE_COMMON},
        {".align", DIRECTIVE_ALIGN}, {".v2", DIRECTIVE_V2}, {".v4", DIRECTIVE_V4},
        {".ptr", DIRECTIVE_PTR}, {".attribute", DIRECTIVE_ATTRIBUTE},
        {".noreturn", DIRECTIVE_NORETURN}, {".maxntid", DIRECTIVE_MAXNTID},
        {".reqntid", DIRECTIVE_REQNTID}, {".minnctapersm", DIRECTIVE_MINNCTAPERSM},
        {".maxnreg", DIRECTIVE_MAXNREG}, {".reqnctapercluster", DIRECTIVE_CLUSTER},
        {".explicitcluster", DIRECTIVE_EXPLICIT_CLUSTER},
        {".blocksareclusters", DIRECTIVE_BLOCKS_ARE_CLUSTERS},
        {".branchtargets", DIRECTIVE_TARGETS},
        {".calltargets", DIRECTIVE_TARGETS}, {".callprototype", DIRECTIVE_PROTOTYPE},
        {".reg", DIRECTIVE_SPACE + PTX_REG}, {".global", DIRECTIVE_SPACE + PTX_GLOBAL},
        {".shared", DIRECTIVE_SPACE + PTX_SHARED}, {".local", DIRECTIVE_SPACE + PTX_LOCAL},
        {".const", DIRECTIVE_SPACE + PTX_CONST}, {".param", DIRECTIVE_SPACE + PTX_PARAM},
        {".tex", DIRECTIVE_SPACE + PTX_TEX},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (name_directive(p, table[i].name, table[i].directive) != 0)
            return -1;
    for (int t = PTX_PRED; t <= PTX_SAMPLERREF; t++) {
        snprintf(name, sizeof name, ".%s", ptx_type_name((enum ptx_type)t));
        if (name_directive(p, name, DIRECTIVE_TYPE + t) != 0)
            return -1;
    }
    return 0;
}

/* A first look, for a better sentence than what the parser would say about line 1. */
static int looks_like_ptx(const char *text, size_t n, struct err *e)
{
    static const char *const c_words[] = {"#include", "__global__", "int main", "#define"};
    if (n >= 4 && memcmp(text, "\177ELF", 4) == 0)
        return fail(e, "this is a compiled program (ELF), not PTX text; nvcc -ptx makes PTX");
    if (n > MOST_BYTES)
        return fail(e, "this is too long for PTX: at most 256 MiB");
    if (n && memchr(text, '\0', n))
        return fail(e, "this is binary data, not PTX text; nvcc -ptx makes PTX");
    size_t first = 0;
    while (first < n && (unsigned char)text[first] <= ' ')
        first++;
    if (first == n)
        return fail(e, "this is empty, where PTX was expected; nvcc -ptx makes PTX");
    for (size_t at = first; at < n && at < first + 2000; at++) {
        if (n - at > 8 && memcmp(text + at, ".version", 8) == 0)
            return 0;
        for (size_t i = 0; i < sizeof c_words / sizeof *c_words; i++)
            if (n - at > strlen(c_words[i]) &&
                memcmp(text + at, c_words[i], strlen(c_words[i])) == 0)
                return fail(e, "this looks like CUDA C, not PTX; compile it with nvcc -ptx");
    }
    return 0;
}

static struct pile pile_of(size_t size)
{
    return (struct pile){.size = size};
}

static void drop_piles(struct parser *p)
{
    struct pile *all[] = {&p->operands,   &p->values,   &p->code,  &p->labels,  &p->targets,
                          &p->references, &p->shadowed, &p->files, &p->aliases, &p->names};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mem_free(p->allocator, all[i]->items, all[i]->capacity * all[i]->size);
}

static int read_module(struct parser *p, const char *text, size_t n, const struct go_on *g,
                       struct err *e)
{
    p->operands = pile_of(sizeof(struct ptx_operand));
    p->values = pile_of(sizeof(struct ptx_init));
    p->code = pile_of(sizeof(struct ptx_instruction));
    p->labels = pile_of(sizeof(struct label_note));
    p->targets = pile_of(sizeof(struct ptx_targets));
    p->references = pile_of(sizeof(struct label_reference));
    p->shadowed = pile_of(sizeof(struct shadowed));
    p->files = pile_of(sizeof(const char *));
    p->aliases = pile_of(sizeof(struct ptx_alias));
    p->names = pile_of(sizeof(const char *));
    const char *copy = arena_text(&p->memory, text, n);
    if (!copy)
        return fail_memory(e);
    int rc = lex_begin(&p->lex, copy, &p->module->arena, &p->memory, g, e);
    if (rc == 0 && (rc = name_directives(p)) == 0)
        rc = module(p);
    if (p->broken.text[0] && !p->lex.given_up && (rc != 0 || !p->any_whole)) {
        *e = p->broken; /* nothing is left to run, or what follows it only */
        rc = -1;
    }
    drop_piles(p);
    return rc;
}

static struct ptx_module *new_module(const struct allocator *a)
{
    struct arena arena = {.from = a};
    struct ptx_module *m = arena_alloc(&arena, sizeof *m);
    if (!m)
        return NULL;
    m->arena = arena;
    m->address_size = 64; /* the ISA says 32 where nothing is said, but nobody means that now */
    return m;
}

struct ptx_module *ptx_parse(const struct allocator *a, const char *text, size_t n,
                             const struct go_on *g, struct err *e)
{
    struct arena memory = {.from = a};
    while (n && text[n - 1] == '\0') /* PTX taken out of a binary ends like that */
        n--;
    if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        n -= 3;
    }
    if (looks_like_ptx(text, n, e) != 0)
        return NULL;
    struct ptx_module *m = new_module(a);
    struct parser *p = m ? arena_alloc(&memory, sizeof *p) : NULL;
    int rc = -1;
    if (p) {
        p->allocator = a ? a : &allocator_libc;
        p->memory = memory;
        p->module = m;
        rc = read_module(p, text, n, g, e);
        memory = p->memory;
    } else
        fail_memory(e);
    arena_free(&memory);
    if (rc == 0)
        return m;
    ptx_free(m);
    return NULL;
}

void ptx_free(struct ptx_module *m)
{
    if (!m)
        return;
    struct arena arena = m->arena; /* the module lies in it */
    arena_free(&arena);
}

static void *named(const struct ptx_named *all, size_t count, const char *name)
{
    const struct ptx_named *found = names_find(all, count, sizeof *all, name);
    return found ? found->is : NULL;
}

struct ptx_function *ptx_function_named(const struct ptx_module *m, const char *name)
{
    return named(m->functions_by_name, m->function_count, name);
}

struct ptx_variable *ptx_variable_named(const struct ptx_module *m, const char *name)
{
    return named(m->variables_by_name, m->variable_count, name);
}
